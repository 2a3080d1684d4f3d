//! A receipt of the best plan under the applicant's wishes, signed by the server.

use amends::answer::Ask;
use amends::data::{Record, Schema, Value};
use amends::explain::{Explanation, FeatureChange};
use amends::provenance::sha256;
use amends::{InputError, Result, Status};
use amends_receipt::{FORMAT, Receipt, ReceiptChange, ReceiptPlan, SignedReceipt};
use axum::Json;
use axum::extract::State;
use chrono::{TimeDelta, Timelike, Utc};

use super::answering::{Answering, answer};
use crate::app::App;
use crate::receipts::Receipts;
use crate::refusal::Refusal;
use crate::request::{Fields, JsonBody, Question, application_json, read_application};

/// `POST /receipt`
pub async fn receipt(
    State(app): State<App>,
    JsonBody(body): JsonBody,
) -> Result<Json<SignedReceipt>, Refusal> {
    if app.service.receipts.is_none() {
        return Err(Refusal::not_set_up(
            "the server signs no receipts",
            "start it with the lender's key: `amends serve --receipt-key key.pem`",
        ));
    }
    let question = Question::read_alone(Fields::of_body(&body), &app)?;
    answer(app.clone(), question, signed).await.map(Json)
}

fn signed(answering: &Answering<'_>) -> Result<SignedReceipt> {
    let service = &answering.app.service;
    let wishes = answering.wishes(&answering.question.list)?;
    let answer = answering.answer(&Ask::best().with_why_none(false), &wishes)?;
    let (Some(receipts), Some(plan)) =
        (&service.receipts, confirmed_plan(answering, answer.first()))
    else {
        let problem = match answer.status() {
            Status::AlreadyAccepted => "the application is accepted as it is",
            _ => "there is no plan to confirm",
        };
        return Err(InputError::new(problem).remedy("ask for a plan first").into());
    };
    SignedReceipt::sign(&confirmation(answering, receipts, plan)?, &receipts.key)
}

/// The plan as a receipt has it, if the model accepts the application that is read back from it: a receipt must never confirm
/// what rounding or writing changed.
fn confirmed_plan(answering: &Answering<'_>, explanation: &Explanation) -> Option<ReceiptPlan> {
    let explainer = &answering.app.service.explainer;
    let plan = explanation.plan.as_ref()?;
    let application = application_json(&plan.record, explainer.schema());
    let read_back = read_application(&application, explainer.schema()).ok()?;
    let schema = explainer.schema();
    let applicant = &answering.question.applicant;
    let change = |change: &FeatureChange| {
        let with_unit = |text: &str, record: &Record| value_with_unit(schema, change, text, record);
        ReceiptChange {
            feature: change.feature.clone(),
            title: change.title.clone(),
            before: with_unit(&change.before, applicant),
            after: with_unit(&change.after, &plan.record),
        }
    };
    explainer.accepts(&read_back).then(|| ReceiptPlan {
        changes: explanation.changes.iter().map(change).collect(),
        application,
        score: explainer.score(&read_back),
        status: explanation.status.name().to_owned(),
    })
}

fn confirmation(
    answering: &Answering<'_>,
    receipts: &Receipts,
    plan: ReceiptPlan,
) -> Result<Receipt> {
    let service = &answering.app.service;
    let applicant = &answering.question.applicant;
    // Whole seconds, as people write them.
    let now = Utc::now();
    let issued = now.with_nanosecond(0).unwrap_or(now);
    let mut number = [0; 16];
    getrandom::fill(&mut number)
        .map_err(|error| InputError::new(format!("the system gives no random numbers: {error}")))?;
    let lender = service.letters.as_ref().map(|letters| letters.lender().to_owned());
    Ok(Receipt {
        format: FORMAT.to_owned(),
        number: sha256(&format!("{number:?}"))[..32].to_owned(),
        issued,
        valid_until: issued + TimeDelta::days(i64::from(receipts.days)),
        lender,
        model_sha256: service.provenance.model_sha256.clone(),
        schema_sha256: service.provenance.schema_sha256.clone(),
        cut: service.explainer.settings().goal.score,
        application: application_json(applicant, service.explainer.schema()),
        plan,
    })
}

/// A value as the table writes it, with its unit where it is a number. Whether it is one, the record says: the text may have
/// separators of any language.
fn value_with_unit(schema: &Schema, change: &FeatureChange, text: &str, record: &Record) -> String {
    let feature = schema.features.iter().position(|feature| feature.name == change.feature);
    let is_number = feature.is_some_and(|f| matches!(record[f], Value::Number(_)));
    match feature.and_then(|f| schema.features[f].unit.as_ref()) {
        Some(unit) if is_number => format!("{text} {unit}"),
        _ => text.to_owned(),
    }
}
