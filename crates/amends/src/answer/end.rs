//! How the search for more than one plan ended.

use crate::plans::{FrontEnd, SeveralEnd};

/// How the search for more than one plan ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum End {
    /// Only the best plan was asked for.
    Best,
    /// The best few were asked for.
    Several(SeveralEnd),
    /// The trade-off was asked for.
    Front {
        /// Whether it is whole.
        end: FrontEnd,
        /// Differences below this, relatively, don't count.
        resolution: f64,
    },
}

impl End {
    /// Whether it is proven that a trade-off has no further plan.
    pub const fn is_complete_front(self) -> bool {
        matches!(self, Self::Front { end: FrontEnd::Complete | FrontEnd::AlreadyAccepted, .. })
    }

    /// A sentence without capital and full stop; `None` where there is nothing to say. What is proven depends on the number
    /// of values offered per number, and why it stopped on whether a solver failed.
    pub(super) fn in_words(
        self,
        values_offered: Option<usize>,
        solver_failed: bool,
    ) -> Option<String> {
        let proven = proven(values_offered);
        let stopped = if solver_failed { "the solver failed" } else { "time ran out" };
        Some(match self {
            Self::Best
            | Self::Several(SeveralEnd::AllFound | SeveralEnd::AlreadyAccepted)
            | Self::Front { end: FrontEnd::AlreadyAccepted, .. } => return None,
            Self::Several(SeveralEnd::NoFurther) => {
                format!("no further plan differs enough from these, {proven}")
            }
            Self::Several(SeveralEnd::Stopped) => {
                format!("{stopped} before the next plan was proven")
            }
            Self::Front { end: FrontEnd::Complete, resolution } => format!(
                "no plan beats these in distance and outlier term at once by more than {} %, {proven}",
                100.0 * resolution
            ),
            Self::Front { end: FrontEnd::Capped { unexplored }, .. } => format!(
                "as many as were asked for; there may be more in {unexplored} gaps between them"
            ),
            Self::Front { end: FrontEnd::Stopped { unexplored }, .. } => {
                format!("{stopped}; there may be more in {unexplored} gaps between them")
            }
        })
    }
}

/// Over what something is proven: every value, or the few that were on offer.
pub(super) fn proven(values_offered: Option<usize>) -> String {
    values_offered.map_or_else(|| "proven".to_owned(), among)
}

/// Among so many values of every number.
pub(super) fn among(values: usize) -> String {
    format!("among the {values} values offered per number")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_end_says_what_is_proven_and_over_what() {
        let words = |end: End, values| end.in_words(values, false).unwrap_or_default();
        let no_further = End::Several(SeveralEnd::NoFurther);
        assert!(words(no_further, None).ends_with("from these, proven"));
        assert!(words(no_further, Some(9)).ends_with("among the 9 values offered per number"));
        let complete = End::Front { end: FrontEnd::Complete, resolution: 0.01 };
        assert!(words(complete, None).ends_with("by more than 1 %, proven"));
        for silent in [End::Best, End::Several(SeveralEnd::AllFound)] {
            assert_eq!(silent.in_words(None, true), None);
        }
    }

    #[test]
    fn a_broken_solver_is_not_called_a_lack_of_time() {
        let stopped = End::Front { end: FrontEnd::Stopped { unexplored: 2 }, resolution: 0.01 };
        for end in [stopped, End::Several(SeveralEnd::Stopped)] {
            assert!(end.in_words(None, true).unwrap().starts_with("the solver failed"));
            assert!(end.in_words(None, false).unwrap().starts_with("time ran out"));
        }
    }

    #[test]
    fn a_front_is_complete_only_where_that_is_proven() {
        let front = |end| End::Front { end, resolution: 0.01 };
        assert!(front(FrontEnd::Complete).is_complete_front());
        assert!(front(FrontEnd::AlreadyAccepted).is_complete_front());
        assert!(!front(FrontEnd::Capped { unexplored: 1 }).is_complete_front());
        assert!(!front(FrontEnd::Stopped { unexplored: 1 }).is_complete_front());
        assert!(!End::Several(SeveralEnd::AllFound).is_complete_front());
    }
}
