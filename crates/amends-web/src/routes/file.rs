//! Answers that are saved as files.

use axum::http::HeaderValue;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};

use crate::refusal::Refusal;

/// A text of this type, to be saved under this name.
pub fn file(text: String, kind: &'static str, name: &str) -> Response {
    match HeaderValue::try_from(format!("attachment; filename=\"{name}\"")) {
        Ok(disposition) => {
            let kind = HeaderValue::from_static(kind);
            ([(CONTENT_TYPE, kind), (CONTENT_DISPOSITION, disposition)], text).into_response()
        }
        Err(_) => Refusal::broken().into_response(),
    }
}
