//! The part of an address that names a row or an audit.

use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;

use crate::refusal::Refusal;

/// What stands in the address, decoded.
pub struct PathText(pub String);

impl<S: Send + Sync> FromRequestParts<S> for PathText {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refusal> {
        match Path::<String>::from_request_parts(parts, state).await {
            Ok(Path(text)) => Ok(Self(text)),
            Err(_) => Err(Refusal::unreadable("the address can't be read", "write it in UTF-8")),
        }
    }
}
