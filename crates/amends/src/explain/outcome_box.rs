//! Rejected applications around a rejected one, and accepted ones around an accepted one.

use super::Explainer;
use crate::data::{Encoder, Record, Value};
use crate::model::Classifier;

/// What rounding may do to a bound of a score, times one plus its size.
const ROUNDING: f64 = 1e-9;

/// How finely a side is moved: each halving needs a bound.
const HALVINGS: usize = 8;

/// An interval per encoded column, ends included: every application inside gets the same decision.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct OutcomeBox {
    sides: Vec<(f64, f64)>,
}

impl OutcomeBox {
    /// A box around a rejected application: where trees decide, the cell between thresholds, in which all scores are the
    /// same; otherwise as large as simple bounds can show.
    pub(super) fn around(explainer: &Explainer, outcome: &Record) -> Self {
        let row = explainer.encoder.encode(outcome);
        let goal = explainer.settings.goal.of_plans();
        match &explainer.cut_points {
            Some(cuts) => Self::of_cell(&row, cuts),
            None => Self::grown(&row, &extents(explainer, &row), |sides| {
                is_below(&explainer.classifier, sides, goal)
            }),
        }
    }

    /// A box around an accepted application in which only some columns vary: everything inside is accepted.
    pub(super) fn accepted(explainer: &Explainer, outcome: &Record, columns: &[usize]) -> Self {
        let row = explainer.encoder.encode(outcome);
        let goal = explainer.settings.goal.of_plans();
        let cell = explainer.cut_points.as_ref().map(|cuts| Self::of_cell(&row, cuts).sides);
        let extents = extents(explainer, &row);
        let point = |column: usize| (row[column], row[column]);
        let varying = |sides: &[(f64, f64)]| -> Vec<(f64, f64)> {
            let side =
                |column| if columns.contains(&column) { sides[column] } else { point(column) };
            (0..row.len()).map(side).collect()
        };
        let mut grown =
            Self { sides: varying(&cell.unwrap_or_else(|| (0..row.len()).map(point).collect())) };
        grown.widen(&varying(&extents), |sides| is_above(&explainer.classifier, sides, goal));
        grown
    }

    fn of_cell(row: &[f64], cuts: &[Vec<f64>]) -> Self {
        let side = |(&at, cuts): (&f64, &Vec<f64>)| {
            // `x <= t` goes left, so that a cell ends with its threshold.
            let below =
                cuts.iter().copied().filter(|&cut| cut < at).fold(f64::NEG_INFINITY, f64::max);
            let above = cuts.iter().copied().filter(|&cut| cut >= at).fold(f64::INFINITY, f64::min);
            (below.next_up(), above)
        };
        Self { sides: row.iter().zip(cuts).map(side).collect() }
    }

    /// As large as it can be shown that everything inside is rejected: evenly first, then side by side.
    fn grown(
        row: &[f64],
        extents: &[(f64, f64)],
        is_rejected: impl Fn(&[(f64, f64)]) -> bool,
    ) -> Self {
        let at = |share: f64| -> Vec<(f64, f64)> {
            let side = |(&at, &(low, high)): (&f64, &(f64, f64))| {
                (at - share * (at - low), at + share * (high - at))
            };
            row.iter().zip(extents).map(side).collect()
        };
        let mut sides = at(0.0);
        if !is_rejected(&sides) {
            return Self { sides: row.iter().map(|&at| (at, at)).collect() };
        }
        let (mut good, mut bad) = (0.0, 1.0);
        for _ in 0..3 * HALVINGS {
            let share = f64::midpoint(good, bad);
            if is_rejected(&at(share)) { good = share } else { bad = share }
        }
        if good > 0.0 {
            sides = at(good);
        }
        let mut grown = Self { sides };
        grown.widen(extents, is_rejected);
        grown
    }

    /// Moves side after side outwards, towards the extents, as far as everything inside still passes.
    fn widen(&mut self, extents: &[(f64, f64)], passes: impl Fn(&[(f64, f64)]) -> bool) {
        for (column, &(low, high)) in extents.iter().enumerate() {
            for (upper, end) in [(false, low), (true, high)] {
                let (from_low, from_high) = self.sides[column];
                let from = if upper { from_high } else { from_low };
                // A side may be farther out already: there are no applications beyond the extents.
                if (upper && from >= end) || (!upper && from <= end) {
                    continue;
                }
                let mut far = 1.0;
                for _ in 0..HALVINGS {
                    let mut wider = self.sides.clone();
                    let moved = from + far * (end - from);
                    wider[column] = if upper { (from_low, moved) } else { (moved, from_high) };
                    if passes(&wider) {
                        self.sides = wider;
                        break;
                    }
                    far /= 2.0;
                }
            }
        }
    }

    /// Whether a value of a feature lies inside.
    pub(super) fn holds(&self, encoder: &Encoder, feature: usize, value: Value) -> bool {
        let columns = encoder.feature_columns(feature);
        let encoded = encoder.encode_value(feature, value);
        self.sides[columns].iter().zip(encoded).all(|(&(low, high), at)| low <= at && at <= high)
    }

    /// Whether a whole application lies inside.
    pub(super) fn holds_all(&self, encoder: &Encoder, record: &Record) -> bool {
        let row = encoder.encode(record);
        self.sides.iter().zip(row).all(|(&(low, high), at)| low <= at && at <= high)
    }

    /// The ends of a column.
    pub(super) fn side(&self, column: usize) -> (f64, f64) {
        self.sides[column]
    }
}

/// How far a column may go: as far as the data and the encoding do, and where the application is.
fn extents(explainer: &Explainer, row: &[f64]) -> Vec<(f64, f64)> {
    let extent = |(column, &at): (usize, &f64)| {
        let it = &explainer.encoder.columns()[column];
        let number = column == explainer.encoder.feature_columns(it.feature).start;
        let levels = explainer.schema.features[it.feature].levels().len();
        let (low, high) = match explainer.ranges.feature(it.feature) {
            Some(seen) if number => (seen.min, seen.max),
            _ if it.binary => (0.0, 1.0),
            _ => (0.0, levels.saturating_sub(1) as f64),
        };
        (low.min(at), high.max(at))
    };
    row.iter().enumerate().map(extent).collect()
}

/// Whether a classifier's score is below a goal everywhere in a box.
fn is_below(classifier: &Classifier, sides: &[(f64, f64)], goal: f64) -> bool {
    let (highest, size) = classifier.highest_in(sides);
    highest < goal - ROUNDING * (1.0 + size + goal.abs())
}

/// Whether a classifier's score reaches a goal everywhere in a box.
fn is_above(classifier: &Classifier, sides: &[(f64, f64)], goal: f64) -> bool {
    let (lowest, size) = classifier.lowest_in(sides);
    lowest >= goal + ROUNDING * (1.0 + size + goal.abs())
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::model::{Layer, Linear, Mlp};

    #[test]
    fn cells_end_with_their_thresholds() {
        let cuts = [vec![1.0, 2.0, 5.0], vec![]];
        let area = OutcomeBox::of_cell(&[2.0, 7.0], &cuts);
        assert_eq!(area.side(0), (1.0_f64.next_up(), 2.0));
        let (low, high) = area.side(1);
        assert!(low < -1e300 && high == f64::INFINITY);
        assert_eq!(OutcomeBox::of_cell(&[2.5, 7.0], &cuts).side(0), (2.0_f64.next_up(), 5.0));
    }

    #[test]
    fn everything_in_a_grown_box_is_rejected() {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let mut grown = 0;
        for round in 0..100 {
            let mut layer = |units: usize, inputs: usize| Layer {
                weights: (0..units)
                    .map(|_| (0..inputs).map(|_| rng.random_range(-1.0..1.0)).collect())
                    .collect(),
                bias: (0..units).map(|_| rng.random_range(-1.0..1.0)).collect(),
            };
            let classifier = if round % 2 == 0 {
                Classifier::Mlp(Mlp { layers: vec![layer(4, 3), layer(1, 4)] })
            } else {
                let Layer { weights, bias } = layer(1, 3);
                Classifier::Linear(Linear { weights: weights.concat(), intercept: bias[0] })
            };
            let row = [0, 1, 2].map(|_| rng.random_range(-2.0..2.0));
            if classifier.score(&row) >= -0.01 {
                continue;
            }
            let area = OutcomeBox::grown(&row, &[(-3.0, 3.0); 3], |sides| {
                is_below(&classifier, sides, 0.0)
            });
            let mut wide = 0;
            for (column, at) in row.into_iter().enumerate() {
                let (low, high) = area.side(column);
                assert!(low <= at && at <= high);
                wide += usize::from(high - low > 0.01);
            }
            grown += usize::from(wide == 3);
            for _ in 0..200 {
                let point: Vec<f64> = (0..3)
                    .map(|column| {
                        let (low, high) = area.side(column);
                        low + rng.random_range(0.0..=1.0) * (high - low)
                    })
                    .collect();
                assert!(classifier.score(&point) < 0.0);
            }
        }
        assert!(grown > 20, "{grown}");
    }
}
