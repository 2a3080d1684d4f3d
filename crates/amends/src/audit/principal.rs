//! The principal reasons of many rejections.

use std::collections::HashMap;

use serde::Serialize;

use super::figures::{by_count, count};
use super::{AuditRow, Share};

/// The principal reasons of rejected applicants.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PrincipalReasons {
    /// Of whom the schema lets none of the principal reasons change; of the rejected who have reasons.
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
    /// How many of those can act on it.
    pub actionable: Share,
}

/// Reasons counted one applicant at a time.
#[derive(Debug, Clone, Default)]
pub(super) struct PrincipalTally {
    asked: bool,
    people: usize,
    none_actionable: usize,
    counted: usize,
    none_flips: usize,
    features: HashMap<String, usize>,
    actionable: HashMap<String, usize>,
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
        self.none_actionable += usize::from(!reasons.iter().any(|reason| reason.actionable));
        if reasons.iter().all(|reason| reason.flips.is_some()) {
            self.counted += 1;
            let none = !reasons.iter().any(|reason| reason.flips == Some(true));
            self.none_flips += usize::from(none);
        }
        for reason in reasons {
            count(&mut self.features, &reason.feature);
            if reason.actionable {
                count(&mut self.actionable, &reason.feature);
            }
        }
    }

    /// The figures of those who were counted.
    pub(super) fn figures(&self) -> Option<PrincipalReasons> {
        let used = |(feature, count): (&str, usize)| ReasonUse {
            feature: feature.to_owned(),
            people: Share::of(count, self.people),
            actionable: Share::of(self.actionable.get(feature).copied().unwrap_or(0), count),
        };
        self.asked.then(|| PrincipalReasons {
            none_actionable: Share::of(self.none_actionable, self.people),
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

    fn row(reasons: Option<&[(&str, bool, Option<bool>)]>) -> AuditRow {
        let reason = |&(feature, actionable, flips): &(&str, bool, Option<bool>)| AuditedReason {
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
        tally.add(&row(Some(&[("age", false, Some(false)), ("sex", false, Some(false))])));
        tally.add(&row(Some(&[("age", false, Some(false)), ("amount", true, Some(true))])));
        tally.add(&row(Some(&[("amount", true, None), ("age", false, Some(false))])));
        tally.add(&row(Some(&[("amount", true, Some(false))])));
        tally.add(&row(Some(&[])));
        let figures = tally.figures().unwrap();
        let counts = |share: Share| (share.count, share.of);
        assert_eq!(counts(figures.none_actionable), (1, 4));
        assert_eq!(counts(figures.none_flips), (2, 3));
        let features: Vec<_> = figures
            .features
            .iter()
            .map(|one| (one.feature.as_str(), counts(one.people), counts(one.actionable)))
            .collect();
        let expected =
            [("age", (3, 4), (0, 3)), ("amount", (3, 4), (3, 3)), ("sex", (1, 4), (0, 1))];
        assert_eq!(features, expected);
    }
}
