//! What is served, and within which limits.

use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};

use crate::app::App;

/// `GET /about`
pub async fn about(State(app): State<App>) -> Json<Value> {
    let service = &app.service;
    let settings = service.explainer.settings();
    let target = &service.schema.target;
    let rejected = service.decisions.iter().filter(|decision| !decision.accepted).count();
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
        "applicants": {"rows": service.dataset.len(), "rejected": rejected},
        "letters": false,
        "receipts": false,
        "public_key": null,
        "provenance": service.context.provenance,
    }))
}
