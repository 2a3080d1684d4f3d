//! What rules forbid is dropped from a region, or the region with it.
//!
//! A sum over a region is at least the sum of least coefficients, with no more changes than the region
//! leaves; a clause that only one feature can still make hold decides that feature.

use crate::search::layout::region::{Region, Stand};
use crate::search::layout::rules::{Clause, Part, Rules, Sum};
use crate::search::layout::space::Space;
use crate::search::layout::values::ValueIndex;

/// What a look at a region has brought.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::search) enum Narrowed {
    /// No plan inside holds every rule.
    Empty,
    /// It lost values.
    Smaller,
    /// Nothing new.
    Same,
}

impl Rules {
    /// Looks at a region once, rule by rule.
    pub(in crate::search) fn narrow(&self, space: &Space, region: &mut Region) -> Narrowed {
        let mut narrowing = Narrowing { space, region, smaller: false, savings: Vec::new() };
        let alive = self.clauses.iter().all(|clause| narrowing.by_clause(clause))
            && self.sums.iter().all(|sum| narrowing.by_sum(sum));
        match (alive, narrowing.smaller) {
            (false, _) => Narrowed::Empty,
            (true, true) => Narrowed::Smaller,
            (true, false) => Narrowed::Same,
        }
    }
}

/// A region while rules work on it. Between rules `left` may be out of date, on the safe side.
struct Narrowing<'r> {
    space: &'r Space<'r>,
    region: &'r mut Region,
    smaller: bool,
    savings: Vec<f64>,
}

impl Narrowing<'_> {
    /// The last literal that can hold must.
    fn by_clause(&mut self, clause: &Clause) -> bool {
        let mut last = None;
        for literal in &clause.literals {
            let (low, high) = self.region.spans[literal.f];
            match literal.count((low, high)) {
                0 => {}
                count if count > high - low || last.is_some() => return true,
                _ => last = Some(literal),
            }
        }
        last.is_some_and(|last| {
            let hull = last.hull(self.region.spans[last.f]);
            self.shorten(last.f, hull, |kept| last.count(kept) > 0)
        })
    }

    /// Every value must leave room for the least of the others.
    fn by_sum(&mut self, sum: &Sum) -> bool {
        let left = self.region.left;
        let mut least = 0.0;
        self.savings.clear();
        for part in &sum.parts {
            let (kept, saving) = self.share(part);
            least += kept;
            if saving < 0.0 {
                self.savings.push(saving);
            }
        }
        // The saving of the last feature that may change; without a limit that counts, none is lost.
        let mut threshold = 0.0;
        if self.savings.len() > left {
            if left > 0 {
                self.savings.select_nth_unstable_by(left - 1, f64::total_cmp);
                threshold = self.savings[left - 1];
            }
            self.savings.truncate(left);
        }
        least += self.savings.iter().sum::<f64>();
        if least > sum.most {
            return false;
        }
        for part in &sum.parts {
            let f = part.f;
            let (low, high) = self.region.spans[f];
            if low == high {
                continue;
            }
            let undecided = self.region.stand(self.space, f) == Stand::Undecided;
            let (kept, saving) = self.share(part);
            // What the others add up to at least, where this feature changes and where it does not.
            let others = least - kept;
            let (changed, unchanged) = if undecided {
                (others - saving.min(threshold), others - (saving - threshold).min(0.0))
            } else {
                (others, others)
            };
            // A value may add this much, where it changes the feature and where it keeps it.
            let span = (low, high);
            let keep = self.space.features[f].keep;
            let kept = (low.max(keep.0), high.min(keep.1));
            let by_change = part.ends_at_most(span, sum.most - changed);
            let by_keep =
                if kept.0 <= kept.1 { part.ends_at_most(kept, sum.most - unchanged) } else { None };
            let ends = match (by_change, by_keep) {
                (Some(a), Some(b)) => Some((a.0.min(b.0), a.1.max(b.1))),
                (a, b) => a.or(b),
            };
            if !self.shorten(f, ends, |kept| part.least(kept) <= sum.most - unchanged) {
                return false;
            }
        }
        true
    }

    /// The least that a feature adds where it keeps its value, and what a change saves of it; for a
    /// feature that is decided, the least of all.
    fn share(&self, part: &Part) -> (f64, f64) {
        let span = self.region.spans[part.f];
        let least = part.least(span);
        if self.region.stand(self.space, part.f) != Stand::Undecided {
            return (least, 0.0);
        }
        let keep = self.space.features[part.f].keep;
        let kept = part.least((span.0.max(keep.0), span.1.min(keep.1)));
        (kept, least - kept)
    }

    /// Shortens an interval to the values that are possible, and gives a feature that can't keep its value a place among
    /// the changes; false where nothing is left.
    fn shorten(
        &mut self,
        f: usize,
        possible: Option<(ValueIndex, ValueIndex)>,
        may_keep: impl Fn((ValueIndex, ValueIndex)) -> bool,
    ) -> bool {
        let Some((low, high)) = possible else { return false };
        if self.region.spans[f] != (low, high) {
            self.region.spans[f] = (low, high);
            self.smaller = true;
        }
        if self.region.stand(self.space, f) == Stand::Undecided {
            let keep = self.space.features[f].keep;
            if !may_keep((low.max(keep.0), high.min(keep.1))) {
                self.region.counted[f] = true;
                self.smaller = true;
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instance::{
        Distance, Instance, Literal, OptionRule as Rule, Options, Term, read_instances,
    };
    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::test_runner::RngSeed;

    const INSTANCE: &str = r#"{"version": 1, "x": [0, 0, 0],
        "features": [
            {"name": "a", "columns": [0], "options": [[-2], [-1], [0], [1], [2]]},
            {"name": "b", "columns": [1], "options": [[0], [1], [2]]},
            {"name": "c", "columns": [2], "options": [[0], [1]]}],
        "max_changes": 2,
        "classifier": {"kind": "linear", "weights": [1, 1, 1], "intercept": -1},
        "cost": {"distance": {"kind": "table", "costs": [[1, 1, 0, 1, 1], [0, 1, 2], [0, 1]]}}}"#;

    fn settled(rules: Vec<Rule>, prepare: impl Fn(&mut Region)) -> Option<Region> {
        let instance: Instance = read_instances(INSTANCE, "narrow").unwrap().remove(0);
        let instance = instance.with_rules(rules).unwrap();
        let space = Space::new(&instance);
        let mut region = Region::whole(&space);
        prepare(&mut region);
        region.settle(&space).then_some(region)
    }

    fn literal(feature: usize, options: &[usize]) -> Literal {
        Literal { feature, options: options.iter().copied().collect() }
    }

    fn term(feature: usize, coefficients: &[f64]) -> Term {
        Term { feature, coefficients: coefficients.to_vec().into() }
    }

    #[test]
    fn the_last_literal_that_can_hold_decides_its_feature() {
        let rule = Rule::any_of("r", vec![literal(0, &[3]), literal(1, &[1])]);
        let open = settled(vec![rule.clone()], |_| ()).unwrap();
        assert_eq!(open.spans[..], [(0, 4), (0, 2), (0, 1)]);
        let region = settled(vec![rule.clone()], |r| r.spans[0] = (0, 2)).unwrap();
        assert_eq!(region.spans[..], [(0, 2), (1, 1), (0, 1)]);
        assert!(settled(vec![rule], |r| r.spans[..2].fill((2, 2))).is_none());
    }

    #[test]
    fn a_feature_that_must_change_takes_a_place_among_the_changes() {
        let must = |feature, options: &[usize]| Rule::any_of("r", vec![literal(feature, options)]);
        let region = settled(vec![must(0, &[0, 1, 3, 4])], |_| ()).unwrap();
        // Its value may lie on either side, so the interval stays; one other change is left.
        assert_eq!((region.spans[0], region.counted[0], region.left), ((0, 4), true, 1));
        let both = vec![must(0, &[0, 1, 3, 4]), must(1, &[1, 2])];
        let region = settled(both, |_| ()).unwrap();
        assert_eq!(region.spans[..], [(0, 4), (1, 2), (0, 0)]);
        let all = [must(0, &[0]), must(1, &[1]), must(2, &[1])];
        assert!(settled(all.to_vec(), |_| ()).is_none());
    }

    #[test]
    fn a_sum_drops_values_that_leave_no_room() {
        let terms = vec![term(0, &[-2.0, -1.0, 0.0, 1.0, 2.0]), term(1, &[0.0, 1.0, 2.0])];
        let rule = Rule::at_most("r", terms.clone(), -1.0);
        let region = settled(vec![rule], |_| ()).unwrap();
        assert_eq!(region.spans[..], [(0, 1), (0, 1), (0, 1)]);
        assert!(settled(vec![Rule::at_most("r", terms, -2.5)], |_| ()).is_none());
    }

    #[test]
    fn a_sum_counts_no_more_changes_than_are_left() {
        // Every change saves one; of three features two may change.
        let terms = vec![
            term(0, &[-1.0, -1.0, 0.0, -1.0, -1.0]),
            term(1, &[0.0, -1.0, -1.0]),
            term(2, &[0.0, -1.0]),
        ];
        assert!(settled(vec![Rule::at_most("r", terms.clone(), -3.0)], |_| ()).is_none());
        let two = Rule::at_most("r", terms, -2.0);
        assert!(settled(vec![two.clone()], |_| ()).unwrap().spans[2] == (0, 1));
        let region = settled(vec![two], |region| region.spans[0] = (2, 2)).unwrap();
        assert_eq!(region.spans[..], [(2, 2), (1, 2), (1, 1)]);
    }

    fn any_rule() -> impl Strategy<Value = Rule> {
        let number = prop_oneof![(-2..3i32).prop_map(f64::from), -2.0..2.0f64];
        let sum = (vec(number.clone(), 10), -5.0..3.0f64).prop_map(|(c, most)| {
            let terms = vec![term(0, &c[..5]), term(1, &c[5..8]), term(2, &c[8..])];
            Rule::at_most("sum", terms, most)
        });
        let clause = vec(any::<bool>(), 10).prop_map(|held| {
            let options = |from: usize, to: usize| -> Vec<usize> {
                (from..to).filter(|&at| held[at]).map(|at| at - from).collect()
            };
            let literals = [(0, 0, 5), (1, 5, 8), (2, 8, 10)];
            let literal = |(f, from, to)| literal(f, &options(from, to));
            Rule::any_of("clause", literals.map(literal).to_vec())
        });
        prop_oneof![sum, clause]
    }

    proptest! {
        #![proptest_config(ProptestConfig {
            cases: 2000, failure_persistence: None, rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default()
        })]

        #[test]
        fn no_choice_that_holds_is_lost(
            rules in vec(any_rule(), 1..4),
            limit in 1..4usize,
            corners in vec((0..5u64, 0..5u64), 3),
        ) {
            let read: Instance = read_instances(INSTANCE, "narrow").unwrap().remove(0);
            let instance = read.edited(|parts| {
                parts.max_changes = limit;
                // Two ways to keep a value.
                let rows = [-2.0, 0.0, 0.0, 1.0, 2.0].map(|value| vec![value]);
                parts.features[0].options = Options::listed(rows.to_vec());
                let Distance::Table { costs } = &mut parts.cost.distance else { unreachable!() };
                costs[0] = vec![1.0, 0.0, 0.0, 1.0, 1.0].into();
                parts.rules = rules;
            });
            let instance = instance.unwrap();
            let space = Space::new(&instance);
            let mut before = Region::whole(&space);
            for (f, (a, b)) in corners.into_iter().enumerate() {
                let last = space.features[f].last();
                let (a, b) = (a.min(last), b.min(last));
                before.spans[f] = (a.min(b), a.max(b));
            }
            let mut after = before.clone();
            let alive = after.settle(&space);
            let inside = |region: &Region, at: &[ValueIndex; 3]| {
                region.spans.iter().zip(at).all(|(span, at)| span.0 <= *at && at <= &span.1)
            };
            let indices = (0..5).flat_map(|a| (0..3).flat_map(move |b| [[a, b, 0], [a, b, 1]]));
            for at in indices.filter(|at| inside(&before, at)) {
                let choice = space.choice(&at);
                let kept: Vec<bool> = (0..3).map(|f| space.features[f].is_keep(at[f])).collect();
                let changes = kept.iter().filter(|kept| !**kept).count();
                if changes <= limit && instance.broken_rules(&choice).is_empty() {
                    prop_assert!(alive && inside(&after, &at), "{:?} is lost", at);
                    prop_assert!((0..3).all(|f| !(after.counted[f] && kept[f])), "{:?}", at);
                }
            }
        }
    }
}
