//! The addresses that the server answers, a file per route.

mod about;
mod answering;
mod applicants;
mod drops;
mod end;
mod explain;
mod health;
mod letter;
mod prices;
mod receipt;
mod schema;
mod score;
mod tradeoff;

use axum::http::Uri;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::{Router, get, post};
use tower_http::catch_panic::CatchPanicLayer;

use crate::app::App;
use crate::assets;
use crate::guard::{check_origin, check_token, log, security_headers};
use crate::refusal::Refusal;

/// Where the API is.
const API: &str = "/api/v1";

/// All routes, behind what every request must pass.
pub fn router(app: App) -> Router {
    let api = Router::new()
        .route("/about", get(about::about))
        .route("/schema", get(schema::schema))
        .route("/applicants", get(applicants::list))
        .route("/applicants/{row}", get(applicants::one))
        .route("/score", post(score::score))
        .route("/explain", post(explain::explain))
        .route("/prices", post(prices::prices))
        .route("/tradeoff", post(tradeoff::tradeoff))
        .route("/letter", post(letter::letter))
        .route("/receipt", post(receipt::receipt))
        .fallback(unknown)
        .layer(from_fn_with_state(app.clone(), check_token))
        // Whether the server is up is nobody's secret.
        .route("/health", get(health::health));
    Router::new()
        .nest(API, api)
        .merge(assets::routes())
        .fallback(unknown)
        .method_not_allowed_fallback(async || Refusal::wrong_method())
        .layer(CatchPanicLayer::custom(|_| {
            axum::response::IntoResponse::into_response(Refusal::broken())
        }))
        .layer(from_fn_with_state(app.clone(), check_origin))
        .layer(from_fn(security_headers))
        .layer(from_fn_with_state(app.clone(), log))
        .with_state(app)
}

async fn unknown(uri: Uri) -> Refusal {
    let known = uri.path().starts_with("/api/");
    let remedy =
        if known { "see docs/serve.md for the addresses of the API" } else { "start at /" };
    Refusal::not_found("there is nothing at this address", remedy)
}
