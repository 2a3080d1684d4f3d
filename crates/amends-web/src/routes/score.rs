//! The model's decision on an application.

use axum::Json;
use axum::extract::State;

use crate::app::App;
use crate::refusal::{Problem, Refusal};
use crate::request::{Fields, JsonBody, read_application};
use crate::service::Decision;

/// `POST /score`
pub async fn score(
    State(app): State<App>,
    JsonBody(body): JsonBody,
) -> Result<Json<Decision>, Refusal> {
    let explainer = &app.service.explainer;
    let mut fields = Fields::of_body(&body);
    let mut record = None;
    match fields.object("application").map(|object| read_application(object, explainer.schema())) {
        Some(Ok(read)) => record = Some(read),
        Some(Err(problems)) => fields.add_all(problems),
        None if body.get("application").is_some_and(|value| !value.is_null()) => {}
        None => {
            let remedy = "give `application` with a value per feature";
            fields.add(Problem::new("there is no application", remedy));
        }
    }
    fields.finish()?;
    let record = record.ok_or_else(Refusal::broken)?;
    explainer.check(&record)?;
    Ok(Json(Decision::of(explainer, &record)))
}
