//! The answer to an applicant, in raw units and labels.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::WhyNone;
use crate::Status;
use crate::data::Record;

/// One applicant's answer.
#[derive(Debug, Clone)]
pub struct Explanation {
    /// How it ended.
    pub status: Status,
    /// The score as it is; below 0 is rejected.
    pub score_before: f64,
    /// What to change; empty where there is no plan.
    pub changes: Vec<FeatureChange>,
    /// Among about how many values of every number this was found; `None` where every value was on offer. What is optimal
    /// among a few values, or possible, need not be so among all.
    pub values_offered: Option<usize>,
    /// How many changes that is: features that move together count as one.
    pub moves: usize,
    /// The plan and its numbers.
    pub plan: Option<PlanFigures>,
    /// No plan costs less than this.
    pub bound: Option<f64>,
    /// How far the plan can be from the best one, relatively.
    pub gap: Option<f64>,
    /// Time to solve.
    pub time: Duration,
    /// Which engine answered.
    pub engine: &'static str,
    /// What the reader should know beyond the status.
    pub remark: Option<String>,
    /// Whether a general solver broke down; the remark says how.
    pub solver_failed: bool,
    /// What is odd about the application or its plan, such as a value outside the schema's range.
    pub notes: Vec<String>,
    /// Changed features that the plan could do without: the model would accept the rest of it, which costs more by itself.
    pub not_needed: Vec<String>,
    /// Where there is no plan, and reasons were asked for: the rules that stand in the way.
    pub why_none: Option<WhyNone>,
}

/// One feature's change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FeatureChange {
    /// The feature's name in the table.
    pub feature: String,
    /// Its title for people.
    pub title: String,
    /// Its unit, where it has one and the new value is a number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// The value as it is, as the table writes it; a code by its label.
    pub before: String,
    /// The value as it would have to be.
    pub after: String,
    /// What it moves together with is called, where it does: all of that is one change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub together: Option<String>,
}

/// A plan's numbers, all recomputed from the changed application.
#[derive(Debug, Clone)]
pub struct PlanFigures {
    /// The changed application.
    pub record: Record,
    /// The classifier's score of it.
    pub score: f64,
    /// What it costs.
    pub costs: PlanCosts,
}

/// What a plan costs, recomputed from the changed application.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct PlanCosts {
    /// What was minimised: distance + lambda * outlier + the cost of the changes.
    pub objective: f64,
    /// The distance as it was minimised.
    pub distance: f64,
    /// The outlier term as it was minimised.
    pub outlier: f64,
    /// The cost per change times the number of changes.
    pub change_cost: f64,
    /// The Mahalanobis distance (2-norm), whatever was minimised.
    pub mahalanobis: f64,
    /// The true local outlier factor among the accepted rows (distinct ones, where the
    /// settings ask for it), whatever was minimised.
    pub lof: f64,
}
