//! Why a request is not answered, in the one form that all errors have.

use amends::{Error, InputError};
use axum::Json;
use axum::http::header::RETRY_AFTER;
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

/// A request that is not answered: its status, and what to do about it.
#[derive(Debug, Clone)]
pub struct Refusal {
    status: StatusCode,
    code: &'static str,
    message: String,
    remedy: Option<String>,
    problems: Vec<Problem>,
    /// In seconds, where it is worth asking again.
    retry_after: Option<u32>,
}

/// One of the things that are wrong with a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// The feature that it is about, where it is about one.
    pub feature: Option<String>,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub remedy: Option<String>,
}

#[derive(Serialize)]
struct Body<'a> {
    error: Content<'a>,
}

#[derive(Serialize)]
struct Content<'a> {
    code: &'a str,
    message: &'a str,
    remedy: Option<&'a str>,
    problems: &'a [Problem],
}

impl Problem {
    /// A problem that is about no feature in particular.
    pub fn new(message: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { feature: None, message: message.into(), remedy: Some(remedy.into()) }
    }

    /// The problem of an input.
    pub fn of_input(error: &InputError) -> Self {
        Self {
            feature: error.column_name().map(str::to_owned),
            message: error.clone().without_remedy().to_string(),
            remedy: error.remedy_text().map(str::to_owned),
        }
    }

    /// The same, about a feature.
    #[must_use]
    pub fn of_feature(mut self, feature: &str) -> Self {
        self.feature = Some(feature.to_owned());
        self
    }
}

impl Refusal {
    fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Self {
        let message = message.into();
        Self { status, code, message, remedy: None, problems: Vec::new(), retry_after: None }
    }

    #[must_use]
    fn remedy(mut self, remedy: impl Into<String>) -> Self {
        self.remedy = Some(remedy.into());
        self
    }

    /// The body could not be read at all.
    pub fn unreadable(message: impl Into<String>, remedy: &str) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "unreadable", message).remedy(remedy)
    }

    /// The token is missing or wrong.
    pub fn unauthorised() -> Self {
        let message = "the token is missing or wrong";
        Self::new(StatusCode::UNAUTHORIZED, "token", message)
            .remedy("send the header `Authorization: Bearer TOKEN` with the token of the server")
    }

    /// The request comes from elsewhere, or is for another host.
    pub fn forbidden(code: &'static str, message: &str, remedy: &str) -> Self {
        Self::new(StatusCode::FORBIDDEN, code, message).remedy(remedy)
    }

    /// There is no such thing.
    pub fn not_found(message: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, "not-found", message).remedy(remedy)
    }

    /// There is such a route, but not by this method.
    pub fn wrong_method() -> Self {
        let message = "this address does not support the request's method";
        Self::new(StatusCode::METHOD_NOT_ALLOWED, "method", message)
            .remedy("see docs/serve.md for the method of each address")
    }

    /// The request came too slowly.
    pub fn too_slow() -> Self {
        let message = "the request did not arrive in time";
        Self::new(StatusCode::REQUEST_TIMEOUT, "too-slow", message).remedy("send it again")
    }

    /// The body is too large.
    pub fn too_large(most: usize) -> Self {
        let message = format!("the body has more than {most} bytes");
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, "too-large", message)
            .remedy("send one question per request")
    }

    /// The body is not said to be JSON.
    pub fn not_json() -> Self {
        let message = "the body is not said to be JSON";
        Self::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "not-json", message)
            .remedy("send it with the header `Content-Type: application/json`")
    }

    /// What was understood but can't be answered, with everything that is wrong with it.
    pub fn of_problems(problems: Vec<Problem>) -> Self {
        let refusal = Self::new(StatusCode::UNPROCESSABLE_ENTITY, "refused", String::new());
        let (message, remedy) = match problems.as_slice() {
            [only] => (only.message.clone(), only.remedy.clone()),
            several => (
                format!("{} problems with the request", several.len()),
                Some("correct all of them and send it again".to_owned()),
            ),
        };
        Self { message, remedy, problems, ..refusal }
    }

    /// One problem with what was understood.
    pub fn of_problem(problem: Problem) -> Self {
        Self::of_problems(vec![problem])
    }

    /// Too much is waiting already, or memory is short.
    pub fn busy(message: &str, seconds: u32) -> Self {
        let refusal = Self::new(StatusCode::TOO_MANY_REQUESTS, "busy", message);
        Self { retry_after: Some(seconds), ..refusal.remedy("try again a little later") }
    }

    /// The lender who runs the server did not set this up.
    pub fn not_set_up(message: &str, remedy: &str) -> Self {
        Self::new(StatusCode::CONFLICT, "not-set-up", message).remedy(remedy)
    }

    /// The server is shutting down.
    pub fn stopping() -> Self {
        let message = "the server is shutting down";
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "stopping", message)
            .remedy("start it again with `amends serve`")
    }

    /// Something broke that is not the client's to correct; what it was stays on this side.
    pub fn broken() -> Self {
        let message = "something went wrong on the server";
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", message)
            .remedy("please report this with the request")
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        match error {
            Error::Input(error) => Self::of_problem(Problem::of_input(&error)),
            Error::Memory { .. } => Self::busy("memory is short at the moment", 10),
            _ => Self::broken(),
        }
    }
}

impl From<InputError> for Refusal {
    fn from(error: InputError) -> Self {
        Self::of_problem(Problem::of_input(&error))
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let Self { status, code, message, remedy, problems, retry_after } = &self;
        let remedy = remedy.as_deref();
        let body = Body { error: Content { code, message, remedy, problems } };
        let mut response = (*status, Json(body)).into_response();
        if let Some(seconds) = retry_after {
            response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(*seconds));
        }
        response
    }
}
