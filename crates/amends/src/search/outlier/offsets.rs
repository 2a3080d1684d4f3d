//! Where the reference points lie, seen from the applicant, and how far rounding can put them off.

use super::order::Order;
use super::reference::{Spread, term};
use crate::instance::{Instance, Outlier};
use crate::plausibility::Metric;
use crate::search::layout::space::Space;

/// Points whose sums are added up column by column, so that they stay in the cache.
const SUMS_AT_ONCE: usize = 2048;

/// What differences in a column are multiplied by.
pub(super) fn inverse_scale(outlier: &Outlier, column: usize) -> f64 {
    outlier.scale.as_ref().map_or(1.0, |scale| 1.0 / scale[column])
}

/// Per column that may change, where each point lies, seen from the applicant.
pub(super) fn offsets(
    space: &Space,
    outlier: &Outlier,
    order: &Order,
    users: &[usize],
) -> Vec<Vec<f64>> {
    let x = space.instance.x();
    let columns = outlier.points.columns().iter().enumerate();
    let offsets = columns.map(|(c, column)| {
        if users[c] == 0 {
            return Vec::new();
        }
        let inverse = inverse_scale(outlier, c);
        let mut offsets = vec![0.0; column.len()];
        for (value, &position) in column.iter().zip(&order.positions) {
            offsets[position as usize] = (value - x[c]) * inverse;
        }
        offsets
    });
    offsets.collect()
}

/// What the rounding errors of sums of terms are in proportion to. A difference is off by a rounding error of the coordinates,
/// which may be much larger than itself (years, or account numbers in the billions), and its square by that error times the
/// difference, not times the coordinates.
pub(super) fn scale_of_errors(instance: &Instance, outlier: &Outlier, relative_error: f64) -> f64 {
    let x = instance.x();
    // Instances are checked, so that there are ranges.
    let Some(ranges) = outlier.points.ranges() else { return f64::INFINITY };
    let farthest = |c: usize| (x[c] - ranges[c].0).abs().max((x[c] - ranges[c].1).abs());
    let mut coordinate: Vec<f64> = x.iter().map(|x| x.abs()).collect();
    let mut moved = vec![0.0; x.len()];
    for feature in instance.features() {
        for (position, &column) in feature.columns.iter().enumerate() {
            coordinate[column] += feature.options.largest(position);
            moved[column] = feature.options.farthest(position, x[column]);
        }
    }
    let of_column = |c: usize| {
        let inverse = inverse_scale(outlier, c);
        let difference = (moved[c] + farthest(c)) * inverse;
        let coordinate = (coordinate[c] + x[c].abs() + farthest(c)) * inverse;
        match outlier.metric {
            Metric::Manhattan => difference + coordinate,
            Metric::SquaredEuclidean | Metric::Euclidean => {
                difference * (difference + coordinate) + relative_error * coordinate * coordinate
            }
        }
    };
    (0..x.len()).map(of_column).sum()
}

/// Every point's sum of some columns' terms with the applicant.
pub(super) fn from_applicant(
    instance: &Instance,
    outlier: &Outlier,
    takes: impl Fn(usize) -> bool,
) -> Vec<f64> {
    let mut sums = vec![0.0; outlier.points.len()];
    let columns = outlier.points.columns();
    for (block, sums) in sums.chunks_mut(SUMS_AT_ONCE).enumerate() {
        for c in (0..columns.len()).filter(|&c| takes(c)) {
            let x = instance.x()[c];
            let inverse = inverse_scale(outlier, c);
            let column = &columns[c][block * SUMS_AT_ONCE..][..sums.len()];
            for (sum, value) in sums.iter_mut().zip(column) {
                *sum += term(outlier.metric, (x - value) * inverse);
            }
        }
    }
    sums
}

/// Squares of columns that move in step, as one square of the change: `sum (i t - o)^2` is `(I t - O)^2` plus what does not
/// depend on `t`, with `I^2 = sum i^2` and `I O = sum i o`; that is added to `rest`.
pub(super) fn in_step(columns: &[(f64, Vec<f64>)], rest: &mut [f64]) -> Spread {
    let inverse = columns.iter().map(|(inverse, _)| inverse * inverse).sum::<f64>().sqrt();
    let joined = |n: usize| columns.iter().map(|(i, offset)| i * offset[n]).sum::<f64>() / inverse;
    let offset: Vec<f64> = (0..rest.len()).map(joined).collect();
    for (n, (rest, joined)) in rest.iter_mut().zip(&offset).enumerate() {
        let squares = columns.iter().map(|(_, offset)| offset[n] * offset[n]).sum::<f64>();
        *rest += squares - joined * joined;
    }
    Spread::Numeric { inverse, offset }
}
