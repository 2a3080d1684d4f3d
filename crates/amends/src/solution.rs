//! What an engine answers: a status, a judged plan, and a bound.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::instance::{Evaluation, Instance};

/// Gaps are relative to the objective, or to this where it is less.
pub(crate) const LEAST_IN_GAP: f64 = 1e-9;

/// How a solve ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// The plan is proven to be the cheapest.
    Optimal,
    /// There is a plan; a cheaper one is not excluded.
    Feasible,
    /// It is proven that no plan exists.
    Infeasible,
    /// Time ran out before any plan was found.
    Timeout,
    /// The classifier accepts the applicant as they are.
    AlreadyAccepted,
}

impl Status {
    /// The name in results.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Optimal => "optimal",
            Self::Feasible => "feasible",
            Self::Infeasible => "infeasible",
            Self::Timeout => "timeout",
            Self::AlreadyAccepted => "already-accepted",
        }
    }
}

/// An engine's answer. The plan's numbers come from [`Instance::evaluate`], never from the engine.
#[derive(Debug, Clone, PartialEq)]
pub struct Solution {
    /// How it ended.
    pub status: Status,
    /// The best plan, judged.
    pub plan: Option<Plan>,
    /// No plan costs less than this; `None` where nothing is proven.
    pub bound: Option<f64>,
    /// Wall-clock time.
    pub time: Duration,
}

/// One option per feature, judged.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// The option of every feature.
    pub choice: Vec<usize>,
    /// What the checker says of it.
    pub evaluation: Evaluation,
}

impl Plan {
    /// Judges a choice; `None` where it is no plan: not accepted, too many changes, a rule broken, or a limit exceeded.
    pub fn judge(instance: &Instance, choice: Vec<usize>) -> Option<Self> {
        Self::judge_near(instance, choice, None)
    }

    /// The same, where only some reference points, in rising order, can be among the nearest.
    pub(crate) fn judge_near(
        instance: &Instance,
        choice: Vec<usize>,
        near: Option<&[u32]>,
    ) -> Option<Self> {
        let evaluation = instance.evaluate_near(&choice, near);
        instance.is_valid(&evaluation).then_some(Self { choice, evaluation })
    }
}

impl Solution {
    /// The answer for an applicant whom the classifier accepts unchanged.
    pub fn already_accepted(time: Duration) -> Self {
        Self { status: Status::AlreadyAccepted, plan: None, bound: None, time }
    }

    /// How far the plan can be from the best one: `(objective - bound) / max(|objective|, 1e-9)`.
    pub fn gap(&self) -> Option<f64> {
        let objective = self.plan.as_ref()?.evaluation.objective;
        let bound = self.bound?;
        Some(((objective - bound) / objective.abs().max(LEAST_IN_GAP)).max(0.0))
    }
}
