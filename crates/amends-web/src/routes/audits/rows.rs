//! The applicants of an audit, one by one.

use amends::answer::ERROR;
use amends::audit::AuditRow;
use amends::{InputError, Status};
use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};

use crate::app::App;
use crate::audits::{Answered, Job};
use crate::refusal::Refusal;
use crate::request::{PathText, Query};
use crate::service::Service;

/// At most so many rows per answer.
const MOST_ROWS: usize = 1000;

/// Which applicants are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Filter {
    All,
    Accepted,
    Rejected,
    WithPlan,
    NoPlan,
    Unproven,
    NoReasonActionable,
    Error,
}

const FILTERS: [(&str, Filter); 8] = [
    ("all", Filter::All),
    ("accepted", Filter::Accepted),
    ("rejected", Filter::Rejected),
    ("with-plan", Filter::WithPlan),
    ("no-plan", Filter::NoPlan),
    ("unproven", Filter::Unproven),
    ("no-reason-actionable", Filter::NoReasonActionable),
    ("error", Filter::Error),
];

/// `GET /audits/{id}/rows`
pub async fn rows(
    State(app): State<App>,
    PathText(id): PathText,
    mut query: Query,
) -> Result<Json<Value>, Refusal> {
    let job = app.audits.get(&id)?;
    let filter = query.one_of("filter", &FILTERS, Filter::All);
    let offset = query.whole("offset", [0, usize::MAX], 0);
    let limit = query.whole("limit", [1, MOST_ROWS], 50);
    let (column, group) = (query.text("column"), query.text("group"));
    query.finish()?;
    let members = members(&job, column.as_deref(), group.as_deref())?;
    let wanted = |position: usize, answer: &Answered| {
        filter.takes(answer) && members.is_none_or(|(groups, name)| groups.name(position) == name)
    };
    let (total, chosen) = job.choose(wanted, offset, limit);
    let rows: Vec<Value> =
        chosen.iter().map(|(at, answer)| row_json(&job, *at, answer, &app.service)).collect();
    Ok(Json(json!({"total": total, "rows": rows})))
}

/// The groups of a column and the name of one of them, where both are given.
fn members<'a>(
    job: &'a Job,
    column: Option<&str>,
    group: Option<&'a str>,
) -> Result<Option<(&'a amends::audit::Groups, &'a str)>, InputError> {
    let (column, group) = match (column, group) {
        (None, None) => return Ok(None),
        (Some(column), Some(group)) => (column, group),
        _ => {
            let problem = "only one of `column` and `group` is given";
            return Err(InputError::new(problem).remedy("give both, or neither"));
        }
    };
    let mut known = job.people.groups.iter();
    let groups = known.find(|groups| groups.column.name == column).ok_or_else(|| {
        InputError::new("is not a column that this audit groups by")
            .at("column")
            .value(column)
            .remedy("name one of its `by`, without cut points")
    })?;
    if !groups.names().iter().any(|name| name == group) {
        return Err(InputError::new("is not a group of the column")
            .at("group")
            .value(group)
            .remedy("name one of the groups in its summary"));
    }
    Ok(Some((groups, group)))
}

impl Filter {
    fn takes(self, answer: &Answered) -> bool {
        let row = match answer {
            Answered::Row(row) => row,
            Answered::Error(_) => return matches!(self, Self::All | Self::Error),
        };
        match self {
            Self::All => true,
            Self::Accepted => row.accepted(),
            Self::Rejected => !row.accepted(),
            Self::WithPlan => row.plan.is_some(),
            Self::NoPlan => row.status == Status::Infeasible,
            Self::Unproven => matches!(row.status, Status::Feasible | Status::Timeout),
            Self::NoReasonActionable => no_reason_actionable(row),
            Self::Error => false,
        }
    }
}

/// Whether there are reasons, and it is settled that none of them can be changed: as the summary counts it.
fn no_reason_actionable(row: &AuditRow) -> bool {
    let reasons = row.principal_reasons.as_deref().unwrap_or_default();
    !reasons.is_empty() && reasons.iter().all(|reason| reason.actionable == Some(false))
}

fn row_json(job: &Job, position: usize, answer: &Answered, service: &Service) -> Value {
    let record = job.people.records[position];
    let decision = &service.decisions[record];
    let groups = job.people.groups.iter();
    let groups: serde_json::Map<String, Value> =
        groups.map(|groups| (groups.column.name.clone(), groups.name(position).into())).collect();
    let (row, message) = match answer {
        Answered::Row(row) => (Some(row), None),
        Answered::Error(message) => (None, Some(message)),
    };
    let plan = row.and_then(|row| row.plan.as_ref());
    json!({
        "row": service.dataset.row_numbers[record],
        "accepted": decision.accepted,
        "score": decision.score,
        "probability": decision.probability,
        "status": row.map_or(ERROR, |row| row.status.name()),
        "cost": plan.map(|plan| plan.costs.objective),
        "changes": plan.map(|plan| plan.changes),
        "changed": plan.map(|plan| &plan.changed),
        "why_none": row.and_then(|row| row.reason.as_ref()),
        "reasons": row.and_then(|row| row.principal_reasons.as_ref()),
        "groups": groups,
        "seconds": row.map(|row| row.seconds),
        "message": message,
    })
}
