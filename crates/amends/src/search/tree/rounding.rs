//! Plans on the way: relaxed points rounded to options, and what the checker says of them.

use crate::search::guess::polish::polish;
use crate::search::guess::repair::repair;
use crate::search::layout::region::Region;
use crate::search::layout::values::ValueIndex;
use crate::search::tree::step::Worker;

/// Rounded points that are remembered, and tried, at most.
const ROUNDED: usize = 10_000;

impl Worker<'_> {
    /// Rounds the relaxed point to options, and improves what comes out; true where it is the best so far.
    pub(in crate::search) fn try_rounding(&mut self, region: &Region) -> bool {
        let space = self.task.space;
        let mut indices: Vec<ValueIndex> = region.spans.iter().map(|span| span.0).collect();
        let mut changed: Vec<usize> = Vec::new();
        for (f, index) in indices.iter_mut().enumerate() {
            let (low, high) = region.spans[f];
            *index = (self.relaxation.fractional[f].round() as ValueIndex).clamp(low, high);
            if !space.features[f].is_keep(*index) {
                changed.push(f);
            }
        }
        let usage = &self.relaxation.usage;
        changed.sort_by(|&a, &b| usage[b].total_cmp(&usage[a]));
        for &f in changed.iter().skip(region.wanted.1) {
            indices[f] = space.features[f].keep.0;
        }
        if !space.rules.hold(|f| indices[f]) {
            let Some(repaired) = repair(space, region.clone(), &indices) else { return false };
            indices = repaired;
        }
        // Neighbouring regions often round to the same point.
        if self.rounded.len() < ROUNDED
            && self.rounded.insert(indices.clone())
            && let Some(found) = polish(&mut self.probe, &indices, self.task.best.plan_limit())
        {
            return self.judge(&found);
        }
        false
    }

    /// Tries the plan at about some changes of a linear model, each rounded to where the score is higher.
    pub(in crate::search) fn try_changes(&mut self, region: &Region, changes: &[(usize, f64)]) {
        let space = self.task.space;
        let mut indices: Vec<ValueIndex> = region.spans.iter().map(|span| span.0).collect();
        for &(f, change) in changes {
            let feature = &space.features[f];
            let (low, high) = region.spans[f];
            let above = feature.first_above((low, high), change);
            let rises = feature.numeric().is_some_and(|numeric| numeric.gain > 0.0);
            let index = if rises { above } else { above.saturating_sub(1) };
            indices[f] = index.clamp(low, high);
        }
        self.judge(&indices);
    }

    /// Lets the checker decide on a plan; true where it is the best so far.
    pub(in crate::search) fn judge(&mut self, indices: &[ValueIndex]) -> bool {
        let space = self.task.space;
        self.probe.jump(indices);
        let (distance, term) = (self.probe.distance(&[]), self.probe.outlier_term(&[]));
        let terms = (space.instance.x().len() + space.features.len() + space.rows + 8) as f64;
        // At least what the checker will say.
        let distance = distance - 8.0 * terms * f64::EPSILON * space.distance_scale;
        let term = (term - self.probe.outlier_slack()).max(0.0);
        let weight = self.task.reference.map_or(0.0, |reference| reference.outlier.weight);
        let cost = distance + weight * term + self.probe.change_cost(&[]);
        let expensive = cost > self.task.best.plan_limit();
        if expensive || space.cost_limits.exclude(distance, term) {
            return false;
        }
        self.probe.judge().is_some_and(|plan| self.task.best.offer(plan))
    }
}
