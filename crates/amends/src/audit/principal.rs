//! The principal reasons of many rejections.

use std::collections::HashMap;

use serde::Serialize;

use super::figures::{by_count, count};
use super::{AuditRow, Share};

/// The principal reasons of rejected applicants.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PrincipalReasons {
    /// Who can change none of their principal reasons by any permitted change; of the rejected for whom that was settled.
    pub none_actionable: Share,
    /// For whom no allowed value of any single reason would have been enough alone, where that was counted for all of their
    /// reasons; of the rejected for whom it was.
    pub none_flips: Share,
    /// The features that are reasons, the most frequent first.
    pub features: Vec<ReasonUse>,
}

/// How often a feature is a principal reason.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ReasonUse {
    /// The feature's name in the table.
    pub feature: String,
    /// For how many it is a reason, of the rejected who have reasons.
    pub people: Share,
    /// How many of those can act on it, where that was settled.
    pub actionable: Share,
}

/// Reasons counted one applicant at a time.
#[derive(Debug, Clone, Default)]
pub(super) struct PrincipalTally {
    asked: bool,
    people: usize,
    settled: usize,
    none_actionable: usize,
    counted: usize,
    none_flips: usize,
    features: HashMap<String, usize>,
    actionable: HashMap<String, usize>,
    unsettled: HashMap<String, usize>,
}

impl PrincipalTally {
    /// Counts one more.
    pub(super) fn add(&mut self, row: &AuditRow) {
        let Some(reasons) = &row.principal_reasons else { return };
        self.asked = true;
        if reasons.is_empty() {
            return;
        }
        self.people += 1;
        let can_act = reasons.iter().any(|reason| reason.actionable == Some(true));
        if can_act || reasons.iter().all(|reason| reason.actionable.is_some()) {
            self.settled += 1;
            self.none_actionable += usize::from(!can_act);
        }
        if reasons.iter().all(|reason| reason.flips.is_some()) {
            self.counted += 1;
            let none = !reasons.iter().any(|reason| reason.flips == Some(true));
            self.none_flips += usize::from(none);
        }
        for reason in reasons {
            count(&mut self.features, &reason.feature);
            match reason.actionable {
                Some(true) => count(&mut self.actionable, &reason.feature),
                Some(false) => {}
                None => count(&mut self.unsettled, &reason.feature),
            }
        }
    }

    /// The figures of those who were counted.
    pub(super) fn figures(&self) -> Option<PrincipalReasons> {
        let count_in = |counts: &HashMap<String, usize>, feature: &str| {
            counts.get(feature).copied().unwrap_or(0)
        };
        let used = |(feature, count): (&str, usize)| ReasonUse {
            feature: feature.to_owned(),
            people: Share::of(count, self.people),
            actionable: Share::of(
                count_in(&self.actionable, feature),
                count - count_in(&self.unsettled, feature),
            ),
        };
        self.asked.then(|| PrincipalReasons {
            none_actionable: Share::of(self.none_actionable, self.settled),
            none_flips: Share::of(self.none_flips, self.counted),
            features: by_count(&self.features).into_iter().map(used).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::Status;
    use crate::audit::AuditedReason;

    /// A feature, whether it can be changed, and whether a value of it alone would be enough.
    type Given<'a> = (&'a str, Option<bool>, Option<bool>);

    fn row(reasons: Option<&[Given]>) -> AuditRow {
        let reason = |&(feature, actionable, flips): &Given| AuditedReason {
            feature: feature.to_owned(),
            actionable,
            flips,
        };
        AuditRow {
            row: 1,
            groups: BTreeMap::new(),
            status: Status::Infeasible,
            plan: None,
            seconds: 0.0,
            reason: None,
            principal_reasons: reasons.map(|reasons| reasons.iter().map(reason).collect()),
            solver_failed: false,
        }
    }

    #[test]
    fn people_without_a_reason_to_act_on_are_counted() {
        let mut tally = PrincipalTally::default();
        assert_eq!(tally.figures(), None);
        tally.add(&row(None));
        assert_eq!(tally.figures(), None);
        let (yes, no) = (Some(true), Some(false));
        tally.add(&row(Some(&[("age", no, no), ("sex", no, no)])));
        tally.add(&row(Some(&[("age", no, no), ("amount", yes, yes)])));
        tally.add(&row(Some(&[("amount", yes, None), ("age", no, no)])));
        tally.add(&row(Some(&[("amount", yes, no)])));
        tally.add(&row(Some(&[])));
        let figures = tally.figures().unwrap();
        let counts = |share: Share| (share.count, share.of);
        assert_eq!(counts(figures.none_actionable), (1, 4));
        assert_eq!(counts(figures.none_flips), (2, 3));
        let uses = |figures: &PrincipalReasons| -> Vec<_> {
            let list = figures.features.iter();
            list.map(|one| (one.feature.clone(), counts(one.people), counts(one.actionable)))
                .collect()
        };
        let expected =
            [("age", (3, 4), (0, 3)), ("amount", (3, 4), (3, 3)), ("sex", (1, 4), (0, 1))];
        assert_eq!(uses(&figures), expected.map(|(name, a, b)| (name.to_owned(), a, b)));
        // What was not settled counts neither way; one reason to act on settles it for the person.
        tally.add(&row(Some(&[("age", None, no), ("sex", no, no)])));
        tally.add(&row(Some(&[("age", None, no), ("amount", yes, no)])));
        let figures = tally.figures().unwrap();
        assert_eq!(counts(figures.none_actionable), (1, 5));
        let expected =
            [("age", (5, 6), (0, 3)), ("amount", (4, 6), (4, 4)), ("sex", (2, 6), (0, 2))];
        assert_eq!(uses(&figures), expected.map(|(name, a, b)| (name.to_owned(), a, b)));
    }
}
