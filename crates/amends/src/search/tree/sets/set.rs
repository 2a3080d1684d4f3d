//! A set of features that a region was replaced by, and the least outlier term of its plans.

use std::collections::HashSet;

use super::ways::Ways;
use crate::search::layout::region::Region;
use crate::search::layout::values::ValueIndex;
use crate::search::outlier::around::{Around, Numbers};
use crate::search::tree::node::{Node, Task};

/// A set whose products can be inverted with this error, relatively, is known well.
const WELL_KNOWN: f64 = 1e-4;

/// A set that a region was replaced by.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Set {
    /// Features that change, and where to.
    pub fixed: Vec<(usize, ValueIndex)>,
    /// Features that may change.
    pub free: Vec<usize>,
}

#[derive(Debug, Default)]
pub(super) struct Taken {
    pub sets: Vec<Set>,
    /// The same.
    pub known: HashSet<Set>,
    /// Per feature, the sets in which it may change, in rising order.
    pub of_feature: Vec<Vec<u32>>,
}

impl Set {
    /// The least outlier term of plans of the set that may be the best, at this distance or beyond.
    pub(super) fn least_term(
        &self,
        task: &Task,
        ways: &Ways,
        around: &Around,
        from: &Node,
        floor: f64,
    ) -> f64 {
        let space = task.space;
        let weight = task.reference.map_or(0.0, |reference| reference.outlier.weight);
        let best = task.best.beside(from.change_cost);
        if !self.fixed.is_empty() || !self.free.iter().all(|&f| space.features[f].is_numeric()) {
            return 0.0;
        }
        let way = |f: &usize| ways.directions.groups.partition_point(|group| group < f);
        let directions: Vec<usize> = self.free.iter().map(way).collect();
        let (_, _, _, error) = ways.directions.squares(&directions, |_| (0.0, 0.0));
        if error >= WELL_KNOWN {
            return 0.0;
        }
        let size = directions.len();
        let mut inverse = Vec::with_capacity(size * size);
        for i in 0..size {
            let mut column = vec![0.0; size];
            column[i] = 1.0;
            ways.directions.divide(&directions, &mut [&mut column]);
            inverse.extend(column);
        }
        let scales: Vec<f64> = directions.iter().map(|&j| ways.directions.inverse[j]).collect();
        let numbers = Numbers { features: &self.free, scales: &scales, inverse: &inverse, error };
        let mut term = from.nearby.term;
        // A larger term leaves less room, in which the term is larger.
        for _ in 0..4 {
            let radius = space.cost_limits.distance.min(best.limit() - weight * term);
            if radius < floor {
                break;
            }
            match around.least_factor(&numbers, radius) {
                Some(factor) if factor > term + 1e-3 * (best.limit() - floor - term).abs() => {
                    term = factor;
                }
                _ => break,
            }
        }
        term
    }

    /// Whether all plans of a region in which these features may change are plans of the set.
    pub(super) fn covers(&self, open: &[usize], region: &Region) -> bool {
        let fixed = |&(f, index): &(usize, ValueIndex)| region.spans[f] == (index, index);
        self.fixed.iter().all(fixed)
            && open.iter().all(|f| self.free.contains(f) || self.fixed.iter().any(|p| p.0 == *f))
    }
}
