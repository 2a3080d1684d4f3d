//! Headers that keep a browser from doing with an answer what it is not meant for.

use axum::extract::Request;
use axum::http::HeaderValue;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, HeaderName, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use axum::middleware::Next;
use axum::response::Response;

/// Everything comes from the server itself, and nothing may be framed or sent elsewhere.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The page needs nothing of the device.
const PERMISSIONS: &str = "camera=(), geolocation=(), microphone=(), payment=(), usb=()";

/// Adds the headers to an answer.
pub async fn security_headers(request: Request, next: Next) -> Response {
    let is_api = request.uri().path().starts_with("/api/");
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    let fixed = |text: &'static str| HeaderValue::from_static(text);
    headers.insert(CONTENT_SECURITY_POLICY, fixed(POLICY));
    headers.insert(X_CONTENT_TYPE_OPTIONS, fixed("nosniff"));
    headers.insert(REFERRER_POLICY, fixed("no-referrer"));
    headers.insert(HeaderName::from_static("permissions-policy"), fixed(PERMISSIONS));
    headers.insert(HeaderName::from_static("cross-origin-resource-policy"), fixed("same-origin"));
    headers.insert(HeaderName::from_static("cross-origin-opener-policy"), fixed("same-origin"));
    if is_api {
        // Applications and answers are nobody else's business, a cache's least of all.
        headers.insert(CACHE_CONTROL, fixed("no-store"));
    }
    response
}
