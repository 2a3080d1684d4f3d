//! A number of applicants in few figures.

use std::cmp::Reverse;
use std::collections::HashMap;

use serde::Serialize;

use super::{AuditRow, AuditedPlan, Quantiles, Share};
use crate::Status;

/// What became of some people.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Figures {
    /// How many people.
    pub applicants: usize,
    /// Whom the model accepts as they are; of all.
    pub accepted: Share,
    /// Whom it rejects; of all.
    pub rejected: Share,
    /// With a plan, proven cheapest or not; of the rejected, like all that follows.
    pub with_plan: Share,
    /// With a plan that is proven to be the cheapest.
    pub optimal: Share,
    /// With a plan, but a cheaper one is not excluded.
    pub feasible: Share,
    /// Of whom it is proven that no plan exists.
    pub infeasible: Share,
    /// For whom time ran out without a plan.
    pub timeout: Share,
    /// What plans take.
    pub costs: CostQuantiles,
    /// Which features plans change, the most used first.
    pub features: Vec<FeatureUse>,
    /// Why people have no plan, the most frequent first.
    pub reasons: Vec<Reason>,
}

/// What plans take; the time is that of all who were rejected.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CostQuantiles {
    /// What was minimised.
    pub objective: Option<Quantiles>,
    /// The distance as it was minimised.
    pub distance: Option<Quantiles>,
    /// The Mahalanobis distance.
    pub mahalanobis: Option<Quantiles>,
    /// The local outlier factor of the changed application.
    pub lof: Option<Quantiles>,
    /// Changed features.
    pub changes: Option<Quantiles>,
    /// Seconds to solve, with or without a plan.
    pub seconds: Option<Quantiles>,
}

impl CostQuantiles {
    fn of(rejected: &[&AuditRow]) -> Self {
        let plans = |number: fn(&AuditedPlan) -> f64| {
            Quantiles::of(rejected.iter().filter_map(|row| row.plan.as_ref()).map(number))
        };
        Self {
            objective: plans(|plan| plan.objective),
            distance: plans(|plan| plan.distance),
            mahalanobis: plans(|plan| plan.mahalanobis),
            lof: plans(|plan| plan.lof),
            changes: plans(|plan| plan.changes as f64),
            seconds: Quantiles::of(rejected.iter().map(|row| row.seconds)),
        }
    }

    /// All of them by name.
    pub fn named(&self) -> [(&'static str, Option<Quantiles>); 6] {
        [
            ("objective", self.objective),
            ("distance", self.distance),
            ("mahalanobis", self.mahalanobis),
            ("lof", self.lof),
            ("changes", self.changes),
            ("seconds", self.seconds),
        ]
    }
}

/// How often plans change a feature.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FeatureUse {
    /// The feature's name in the table.
    pub feature: String,
    /// Plans that change it, of all plans.
    pub plans: Share,
}

/// Why people have no plan.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Reason {
    /// The reason.
    pub reason: String,
    /// For how many it is the reason, of those who provably have no plan.
    pub people: Share,
}

impl Figures {
    /// Counts people.
    pub fn of(rows: &[&AuditRow]) -> Self {
        let rejected: Vec<&AuditRow> = rows.iter().copied().filter(|row| !row.accepted()).collect();
        let with = |status: Status| {
            let count = rejected.iter().filter(|row| row.status == status).count();
            Share::of(count, rejected.len())
        };
        let plans: Vec<&AuditedPlan> =
            rejected.iter().filter_map(|row| row.plan.as_ref()).collect();
        let infeasible = with(Status::Infeasible);
        let changed = plans.iter().flat_map(|plan| plan.changed.iter().map(String::as_str));
        let without = rejected.iter().filter(|row| row.status == Status::Infeasible);
        let reasons = without.filter_map(|row| row.reason.as_deref());
        Self {
            applicants: rows.len(),
            accepted: Share::of(rows.len() - rejected.len(), rows.len()),
            rejected: Share::of(rejected.len(), rows.len()),
            with_plan: Share::of(plans.len(), rejected.len()),
            optimal: with(Status::Optimal),
            feasible: with(Status::Feasible),
            infeasible,
            timeout: with(Status::Timeout),
            costs: CostQuantiles::of(&rejected),
            features: by_count(changed)
                .into_iter()
                .map(|(feature, count)| FeatureUse {
                    feature: feature.to_owned(),
                    plans: Share::of(count, plans.len()),
                })
                .collect(),
            reasons: by_count(reasons)
                .into_iter()
                .map(|(reason, count)| Reason {
                    reason: reason.to_owned(),
                    people: Share::of(count, infeasible.count),
                })
                .collect(),
        }
    }
}

/// Texts with how often they occur, the most frequent first, then by the alphabet.
fn by_count<'a>(texts: impl Iterator<Item = &'a str>) -> Vec<(&'a str, usize)> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for text in texts {
        *counts.entry(text).or_default() += 1;
    }
    let mut counts: Vec<(&str, usize)> = counts.into_iter().collect();
    counts.sort_by_key(|&(text, count)| (Reverse(count), text));
    counts
}
