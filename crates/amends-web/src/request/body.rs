//! The body of a request: JSON, of a bounded size, in bounded time.

use std::future::poll_fn;
use std::pin::Pin;
use std::time::Duration;

use axum::body::{Body, HttpBody};
use axum::extract::{FromRequest, Request};
use axum::http::header::CONTENT_TYPE;
use serde_json::{Map, Value};
use tokio::time::timeout;

use super::strict_json;
use crate::refusal::Refusal;

/// An application with its wishes has a few thousand bytes.
const MOST_BYTES: usize = 1 << 20;

/// So much of a body that is too large is read and dropped.
const MOST_DROPPED: usize = 16 << 20;

/// A client that needs longer to send it has most likely gone.
const TIME_TO_SEND: Duration = Duration::from_secs(15);

/// A JSON object.
pub struct JsonBody(pub Map<String, Value>);

impl<S: Sync> FromRequest<S> for JsonBody {
    type Rejection = Refusal;

    async fn from_request(request: Request, _: &S) -> Result<Self, Refusal> {
        let kind = request.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
        if !kind.is_some_and(is_json) {
            return Err(Refusal::not_json());
        }
        let bytes = timeout(TIME_TO_SEND, read(request.into_body())).await;
        let bytes = bytes.map_err(|_| Refusal::too_slow())??;
        match strict_json::read(&bytes) {
            Ok(Value::Object(object)) => Ok(Self(object)),
            Ok(_) => Err(Refusal::unreadable(
                "the body is not a JSON object",
                "send an object, such as {\"row\": 1}",
            )),
            Err(error) if error.is_data() => Err(Refusal::unreadable(
                format!("the body is not clear ({error})"),
                "give every key of an object once",
            )),
            Err(error) => Err(Refusal::unreadable(
                format!("the body is not valid JSON ({error})"),
                "send a JSON object in UTF-8, such as {\"row\": 1}",
            )),
        }
    }
}

/// The bytes of a body. Of one that is too large, the rest is read and dropped, as far as that is bearable: a client that
/// is still sending would not see the refusal.
async fn read(mut body: Body) -> Result<Vec<u8>, Refusal> {
    let mut bytes = Vec::new();
    let mut count = 0;
    while let Some(frame) = poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await {
        let frame = frame.map_err(|_| {
            Refusal::unreadable("the body ends too early, or is not as announced", "send it again")
        })?;
        let Ok(data) = frame.into_data() else { continue };
        count += data.len();
        if count <= MOST_BYTES {
            bytes.extend_from_slice(&data);
        } else if count > MOST_DROPPED {
            break;
        }
    }
    if count > MOST_BYTES { Err(Refusal::too_large(MOST_BYTES)) } else { Ok(bytes) }
}

/// Whether a content type is that of JSON, whatever it says of the encoding: JSON is UTF-8.
fn is_json(kind: &str) -> bool {
    let name = kind.split(';').next().unwrap_or_default();
    name.trim().eq_ignore_ascii_case("application/json")
}

#[cfg(test)]
mod tests {
    use super::is_json;

    #[test]
    fn only_json_is_json() {
        for kind in ["application/json", "Application/JSON; charset=utf-8", " application/json "] {
            assert!(is_json(kind), "{kind}");
        }
        // The others are those that a form of another site could send without asking.
        for kind in
            ["", "text/plain", "application/x-www-form-urlencoded", "text/plain;application/json"]
        {
            assert!(!is_json(kind), "{kind}");
        }
    }
}
