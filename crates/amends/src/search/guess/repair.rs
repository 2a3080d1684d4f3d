//! Repairs points that break a rule, for heuristics, and splits regions by that rule, for the proof.

use std::borrow::Cow;

use crate::search::guess::probe::Probe;
use crate::search::layout::region::Region;
use crate::search::layout::rules::Rules;
use crate::search::layout::space::{Move, Space};
use crate::search::layout::values::ValueIndex;

impl Probe<'_> {
    /// Whether the point after a move holds every rule.
    pub(in crate::search) fn holds_rules(&self, moves: &[Move]) -> bool {
        self.space.rules.hold(|f| moves.iter().find(|m| m.0 == f).map_or(self.indices[f], |m| m.1))
    }

    /// A move together with what the rules then demand of other features; `None` where nothing that
    /// is easily found makes up for it.
    pub(in crate::search) fn lawful<'m>(&self, moves: &'m [Move]) -> Option<Cow<'m, [Move]>> {
        if self.holds_rules(moves) {
            return Some(Cow::Borrowed(moves));
        }
        let mut region = Region::whole(self.space);
        for &(f, index) in moves {
            region.spans[f] = (index, index);
        }
        let repaired = repair(self.space, region, &self.indices)?;
        let indices = repaired.iter().zip(&self.indices).enumerate();
        Some(indices.filter(|(_, (to, from))| to != from).map(|(f, (&to, _))| (f, to)).collect())
    }
}

/// A point of the region that holds every rule and differs little from the given one.
pub(in crate::search) fn repair(
    space: &Space,
    mut region: Region,
    indices: &[ValueIndex],
) -> Option<Vec<ValueIndex>> {
    if !region.settle(space) {
        return None;
    }
    let inside = |region: &Region, f: usize| {
        let (low, high) = region.spans[f];
        indices[f].clamp(low, high)
    };
    let nearest: Vec<ValueIndex> = (0..indices.len()).map(|f| inside(&region, f)).collect();
    let changes = nearest.iter().zip(&space.features).filter(|(p, f)| !f.is_keep(**p)).count();
    if changes <= space.instance.max_changes() && space.rules.hold(|f| nearest[f]) {
        return Some(nearest);
    }
    // One feature after the other, changed ones first: every decision narrows what is left to the others.
    let mut order: Vec<usize> = (0..indices.len()).collect();
    order.sort_by_key(|&f| space.features[f].is_keep(indices[f]));
    for f in order {
        let index = inside(&region, f);
        let mut decided = region.clone();
        decided.spans[f] = (index, index);
        if !decided.settle(space) {
            let (low, high) = region.spans[f];
            decided = region;
            decided.spans[f] = other_value(space, f, (low, high), index);
            if !decided.settle(space) {
                return None;
            }
        }
        region = decided;
    }
    region.single().filter(|indices| space.rules.hold(|f| indices[f]))
}

/// Where a feature goes instead: it keeps its value, or else goes to the end that is farther.
fn other_value(
    space: &Space,
    f: usize,
    (low, high): (ValueIndex, ValueIndex),
    not: ValueIndex,
) -> (ValueIndex, ValueIndex) {
    let keep = space.features[f].keep.0;
    let index = if keep != not && low <= keep && keep <= high {
        keep
    } else if not - low > high - not {
        low
    } else {
        high
    };
    (index, index)
}

impl Rules {
    /// A feature and an interval around its value without which the point would not break a rule, where
    /// it breaks one. Both the interval and what is outside it are parts of the region.
    pub(in crate::search) fn conflict(
        &self,
        region: &Region,
        indices: &[ValueIndex],
    ) -> Option<(usize, (ValueIndex, ValueIndex))> {
        let at = |f: usize| indices[f];
        if let Some(clause) = self.clauses.iter().find(|clause| !clause.holds(at)) {
            let open = clause.literals.iter().filter(|l| l.count(region.spans[l.f]) > 0);
            // The interval that is least of the feature's own: a holding value is near.
            return open
                .map(|literal| {
                    let span = region.spans[literal.f];
                    (literal.f, literal.gap(span, at(literal.f)))
                })
                .min_by_key(|(_, (low, high))| high - low);
        }
        let sum = self.sums.iter().find(|sum| sum.at(at) > sum.most)?;
        let excess = sum.at(at) - sum.most;
        let room = |part: &&crate::search::layout::rules::Part| {
            part.at(at(part.f)) - part.least(region.spans[part.f])
        };
        let open = sum.parts.iter().filter(|part| room(part) > 0.0).count().max(1);
        let part = sum.parts.iter().max_by(|a, b| room(a).total_cmp(&room(b)))?;
        let span = region.spans[part.f];
        // One of the features must give way by its share of the excess: this one does or does not.
        let share = (part.at(at(part.f)) - excess / open as f64).max(part.least(span));
        Some((part.f, part.run_above(span, at(part.f), share)))
    }
}
