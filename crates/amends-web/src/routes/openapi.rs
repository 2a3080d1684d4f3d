//! The API as an OpenAPI document.

use axum::Json;
use serde_json::Value;

use crate::openapi::document;

/// `GET /openapi.json`
pub async fn openapi() -> Json<&'static Value> {
    Json(document())
}
