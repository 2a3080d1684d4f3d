//! Whether the server is up.

use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};

use crate::app::App;
use crate::refusal::Refusal;

/// `GET /health`
pub async fn health(State(app): State<App>) -> Result<Json<Value>, Refusal> {
    if app.solves.is_stopping() {
        Err(Refusal::stopping())
    } else {
        Ok(Json(json!({"status": "ok"})))
    }
}
