//! Summary figures of a set of applicants.

use std::cmp::Reverse;
use std::collections::HashMap;

use serde::Serialize;

use super::principal::{PrincipalReasons, PrincipalTally};
use super::{AuditRow, Quantiles, Share};
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
    /// The principal reasons of the rejections; `None` where they were not asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub principal_reasons: Option<PrincipalReasons>,
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
        let mut tally = PeopleTally::default();
        for row in rows {
            tally.add(row);
        }
        tally.figures()
    }
}

/// People counted one at a time. A rejected applicant takes the memory of their few numbers, an accepted one none.
#[derive(Debug, Clone, Default)]
pub(super) struct PeopleTally {
    accepted: usize,
    optimal: usize,
    feasible: usize,
    infeasible: usize,
    timeout: usize,
    plans: Vec<PlanNumbers>,
    seconds: Vec<f64>,
    features: HashMap<String, usize>,
    reasons: HashMap<String, usize>,
    principal: PrincipalTally,
}

/// What quantiles are taken of.
#[derive(Debug, Clone, Copy)]
struct PlanNumbers {
    objective: f64,
    distance: f64,
    mahalanobis: f64,
    lof: f64,
    changes: f64,
}

impl PeopleTally {
    /// Counts one more.
    pub(super) fn add(&mut self, row: &AuditRow) {
        match row.status {
            Status::AlreadyAccepted => {
                self.accepted += 1;
                return;
            }
            Status::Optimal => self.optimal += 1,
            Status::Feasible => self.feasible += 1,
            Status::Infeasible => self.infeasible += 1,
            Status::Timeout => self.timeout += 1,
        }
        self.seconds.push(row.seconds);
        if let Some(plan) = &row.plan {
            self.plans.push(PlanNumbers {
                objective: plan.costs.objective,
                distance: plan.costs.distance,
                mahalanobis: plan.costs.mahalanobis,
                lof: plan.costs.lof,
                changes: plan.changes as f64,
            });
            for feature in &plan.changed {
                count(&mut self.features, feature);
            }
        }
        if let Some(reason) = row.reason.as_ref().filter(|_| row.status == Status::Infeasible) {
            count(&mut self.reasons, reason);
        }
        self.principal.add(row);
    }

    /// How many were counted.
    pub(super) fn people(&self) -> usize {
        self.accepted + self.seconds.len()
    }

    /// How many of them were rejected.
    pub(super) fn rejected(&self) -> usize {
        self.seconds.len()
    }

    /// For how many of the rejected it is proven that no plan exists.
    pub(super) fn infeasible(&self) -> usize {
        self.infeasible
    }

    /// What their plans cost.
    pub(super) fn costs(&self) -> impl Iterator<Item = f64> {
        self.plans.iter().map(|plan| plan.objective)
    }

    /// The figures of those who were counted.
    pub(super) fn figures(&self) -> Figures {
        let (people, rejected, plans) = (self.people(), self.seconds.len(), self.plans.len());
        let of_plans =
            |number: fn(&PlanNumbers) -> f64| Quantiles::of(self.plans.iter().map(number));
        let features = by_count(&self.features).into_iter().map(|(feature, count)| FeatureUse {
            feature: feature.to_owned(),
            plans: Share::of(count, plans),
        });
        let reasons = by_count(&self.reasons).into_iter().map(|(reason, count)| Reason {
            reason: reason.to_owned(),
            people: Share::of(count, self.infeasible),
        });
        Figures {
            applicants: people,
            accepted: Share::of(self.accepted, people),
            rejected: Share::of(rejected, people),
            with_plan: Share::of(plans, rejected),
            optimal: Share::of(self.optimal, rejected),
            feasible: Share::of(self.feasible, rejected),
            infeasible: Share::of(self.infeasible, rejected),
            timeout: Share::of(self.timeout, rejected),
            costs: CostQuantiles {
                objective: of_plans(|plan| plan.objective),
                distance: of_plans(|plan| plan.distance),
                mahalanobis: of_plans(|plan| plan.mahalanobis),
                lof: of_plans(|plan| plan.lof),
                changes: of_plans(|plan| plan.changes),
                seconds: Quantiles::of(self.seconds.iter().copied()),
            },
            features: features.collect(),
            reasons: reasons.collect(),
            principal_reasons: self.principal.figures(),
        }
    }
}

pub(super) fn count(counts: &mut HashMap<String, usize>, text: &str) {
    // Looked up first: the text is copied once, not for all applicants.
    match counts.get_mut(text) {
        Some(count) => *count += 1,
        None => {
            counts.insert(text.to_owned(), 1);
        }
    }
}

/// Texts with how often they occur, the most frequent first, then by the alphabet.
pub(super) fn by_count(counts: &HashMap<String, usize>) -> Vec<(&str, usize)> {
    let mut counts: Vec<(&str, usize)> =
        counts.iter().map(|(text, &count)| (text.as_str(), count)).collect();
    counts.sort_by_key(|&(text, count)| (Reverse(count), text));
    counts
}
