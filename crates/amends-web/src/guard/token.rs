//! The token, where the server has one: every request to the API must know it.

use axum::extract::{Request, State};
use axum::http::HeaderValue;
use axum::http::header::{AUTHORIZATION, WWW_AUTHENTICATE};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::app::App;
use crate::refusal::Refusal;

/// Refuses requests without the token.
pub async fn check_token(State(app): State<App>, request: Request, next: Next) -> Response {
    let Some(token) = &app.settings.token else { return next.run(request).await };
    let sent = request.headers().get(AUTHORIZATION).and_then(|sent| sent.to_str().ok());
    let sent = sent.and_then(|sent| sent.split_once(' '));
    if sent.is_some_and(|(kind, sent)| kind.eq_ignore_ascii_case("bearer") && token.is(sent.trim()))
    {
        return next.run(request).await;
    }
    let mut response = Refusal::unauthorised().into_response();
    response.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    response
}
