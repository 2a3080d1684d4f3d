//! One applicant's answer in a line.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::Status;
use crate::answer::Answer;
use crate::explain::{Explainer, PlanCosts, WhyNone};
use crate::reasons::Reason;

/// What an audit keeps of an applicant.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AuditRow {
    /// The row in its table, counted from 1.
    pub row: usize,
    /// The applicant's group in every column that people are grouped by, by the column's name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub groups: BTreeMap<String, String>,
    /// How it ended.
    pub status: Status,
    /// The plan, where there is one.
    pub plan: Option<AuditedPlan>,
    /// Time to solve and to find reasons, in seconds.
    pub seconds: f64,
    /// Why there is no plan: what would have to be relaxed.
    pub reason: Option<String>,
    /// The principal reasons of the rejection, the weightiest first, where they were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub principal_reasons: Option<Vec<AuditedReason>>,
    /// Whether a general solver broke down.
    #[serde(default, skip_serializing_if = "is_false")]
    pub solver_failed: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands fields over by reference")]
fn is_false(flag: &bool) -> bool {
    !flag
}

/// What an audit keeps of a plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AuditedPlan {
    /// How many changes it takes; features that move together count as one.
    pub changes: usize,
    /// The names of the features that change.
    pub changed: Vec<String>,
    /// What it costs.
    #[serde(flatten)]
    pub costs: PlanCosts,
}

/// What an audit keeps of a principal reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditedReason {
    /// The feature's name.
    pub feature: String,
    /// Whether some permitted change gives it another value; `None` where that was not settled.
    pub actionable: Option<bool>,
    /// Whether some allowed value alone would flip the decision; `None` where that was not counted.
    pub flips: Option<bool>,
}

impl AuditRow {
    /// What an applicant was answered; without groups yet.
    pub fn of(row: usize, answer: &Answer, explainer: &Explainer) -> Self {
        let explanation = answer.first();
        let features = &explainer.schema().features;
        let principal_reasons = answer.reasons().map(|reasons| {
            let audited = |reason: &Reason| AuditedReason {
                feature: features[reason.feature].name.clone(),
                actionable: reason.actionable,
                flips: reason.flips.map(|flips| flips.moves > 0),
            };
            reasons.reasons.iter().map(audited).collect()
        });
        let plan = explanation.plan.as_ref().map(|plan| AuditedPlan {
            changes: explanation.moves,
            changed: explanation.changes.iter().map(|change| change.feature.clone()).collect(),
            costs: plan.costs,
        });
        let why = explanation.why_none.as_ref();
        Self {
            row,
            groups: BTreeMap::new(),
            status: explanation.status,
            plan,
            seconds: (explanation.time + why.map_or(Duration::ZERO, |why| why.time)).as_secs_f64(),
            reason: why.map(WhyNone::in_words),
            principal_reasons,
            solver_failed: explanation.solver_failed,
        }
    }

    /// Whether the model accepted the applicant as they are.
    pub fn accepted(&self) -> bool {
        self.status == Status::AlreadyAccepted
    }

    /// How many changes the plan takes.
    pub fn changes(&self) -> Option<usize> {
        self.plan.as_ref().map(|plan| plan.changes)
    }
}
