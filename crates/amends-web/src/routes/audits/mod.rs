//! Audits of the table: starting one, how far it is, its figures, and its applicants one by one.

mod download;
mod rows;

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::header::LOCATION;
use axum::http::{HeaderName, StatusCode};
use serde_json::{Value, json};

pub use self::download::download;
pub use self::rows::rows;
use super::API;
use crate::app::App;
use crate::audits::{Audits, Job, Request};
use crate::refusal::Refusal;
use crate::request::{Fields, JsonBody, PathText};

/// `GET /columns`: the columns that people can be grouped by.
pub async fn columns(State(app): State<App>) -> Result<Json<Value>, Refusal> {
    let solves = Arc::clone(&app.solves);
    let columns = solves.run(move |_| app.columns().clone()).await?;
    Ok(Json(json!({"columns": columns})))
}

/// An answer that names the address of what was begun.
type Begun = (StatusCode, [(HeaderName, String); 1], Json<Value>);

/// `POST /audits`, and `POST /audit`, which is the same: starts an audit.
pub async fn start(State(app): State<App>, JsonBody(body): JsonBody) -> Result<Begun, Refusal> {
    let mut fields = Fields::of_body(&body);
    let request = Request::read(&mut fields, &app);
    fields.finish()?;
    let request = request.ok_or_else(Refusal::broken)?;
    app.audits.check_room()?;
    let solves = Arc::clone(&app.solves);
    let (request, people) = {
        let app = app.clone();
        let read = solves.run(move |_| {
            let people = request.people(&app.service);
            (request, people)
        });
        read.await?
    };
    let job = Audits::start(&app, request, people?)?;
    let address = format!("{API}/audits/{}", job.id);
    Ok((StatusCode::ACCEPTED, [(LOCATION, address)], Json(job.brief())))
}

/// `GET /audits`
pub async fn list(State(app): State<App>) -> Json<Value> {
    let briefs: Vec<Value> = app.audits.list().iter().map(|job| job.brief()).collect();
    Json(json!({"audits": briefs}))
}

/// `GET /audits/{id}`
pub async fn one(State(app): State<App>, PathText(id): PathText) -> Result<Json<Value>, Refusal> {
    let job = app.audits.get(&id)?;
    with_summary(app, job).await.map(Json)
}

/// `POST /audits/{id}/cancel`: what is known so far is kept.
pub async fn cancel(
    State(app): State<App>,
    PathText(id): PathText,
) -> Result<Json<Value>, Refusal> {
    Ok(Json(Audits::cancel(&app, &id)?.brief()))
}

/// `DELETE /audits/{id}`: cancels and forgets.
pub async fn remove(State(app): State<App>, PathText(id): PathText) -> Result<StatusCode, Refusal> {
    Audits::remove(&app, &id)?;
    Ok(StatusCode::NO_CONTENT)
}

/// How far an audit is, with its figures so far. Counting those of many rows takes time, but nobody is solved for it: it does not
/// wait in the queue.
async fn with_summary(app: App, job: Arc<Job>) -> Result<Value, Refusal> {
    // Before the figures, so that those of an audit that has ended are all of them.
    let mut answer = job.brief();
    let count = tokio::task::spawn_blocking(move || job.summary(&app.service));
    answer["summary"] = count.await.map_err(|_| Refusal::broken())??;
    Ok(answer)
}
