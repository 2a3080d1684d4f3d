//! A line per request on standard error, where it is asked for: without the query, and without any personal data.

use std::time::Instant;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;

use crate::app::App;

/// Writes method, path, status and milliseconds.
pub async fn log(State(app): State<App>, request: Request, next: Next) -> Response {
    if !app.settings.log {
        return next.run(request).await;
    }
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let began = Instant::now();
    let response = next.run(request).await;
    let milliseconds = began.elapsed().as_secs_f64() * 1000.0;
    // A path is as the client sent it; without control characters, since a URI has none.
    eprintln!("{method} {path} {} {milliseconds:.1} ms", response.status().as_u16());
    response
}
