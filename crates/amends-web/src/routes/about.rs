//! What is served, and within which limits.

use amends::letter::LetterFormat;
use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};

use crate::app::App;
use crate::letters::Letters;

/// `GET /about`
pub async fn about(State(app): State<App>) -> Json<Value> {
    let service = &app.service;
    let settings = service.explainer.settings();
    let target = &service.schema.target;
    let rejected = service.decisions.iter().filter(|decision| !decision.accepted).count();
    let letter_formats = service
        .letters
        .as_ref()
        .map(|letters| letters.formats().into_iter().map(LetterFormat::name).collect::<Vec<_>>());
    Json(json!({
        "name": "amends",
        "version": env!("CARGO_PKG_VERSION"),
        "data": service.context.data,
        "header": service.context.header,
        "cut": service.context.cut,
        "cut_probability": service.context.probability(service.context.cut),
        "target": {
            "column": target.column,
            "favourable": target.favourable,
            "unfavourable": target.unfavourable,
        },
        "max_changes": settings.max_changes,
        "time_limit": app.settings.time_limit.as_secs_f64(),
        "change_cost": settings.change_cost,
        "features": service.schema.features.len(),
        "applicants": {
            "rows": service.dataset.len(),
            "rejected": rejected,
            "held_out": service.held_out.len(),
        },
        "letters": service.letters.is_some(),
        "letter_columns": service.letters.as_ref().map(Letters::columns),
        "letter_formats": letter_formats,
        "receipts": service.receipts.is_some(),
        "receipt_days": service.receipts.as_ref().map(|receipts| receipts.days),
        "public_key": service.receipts.as_ref().map(|receipts| receipts.key.public_key().to_string()),
        "provenance": service.context.provenance,
    }))
}
