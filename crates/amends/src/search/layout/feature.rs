//! A movable feature of the search: what every one has, and what depends on whether its values have an order.

use crate::search::layout::values::{CellEnds, Cells, Cuts, Runs, ValueIndex, Values};

/// A feature with at least two options.
#[derive(Debug)]
pub(in crate::search) struct Feature {
    /// The columns that it moves.
    pub columns: Vec<usize>,
    /// Its values in their order.
    pub values: Values,
    /// The values of the options that change nothing.
    pub keep: (ValueIndex, ValueIndex),
    /// The table's cost at each value; empty without a table.
    pub costs: Runs,
    /// The largest absolute gain in score.
    pub largest_gain: f64,
    /// The largest distance that this feature can move `U a`, as a sum of absolute values.
    pub largest_move: f64,
    /// Within a cell, prices are linear in the change.
    pub cells: Cells,
    pub kind: FeatureKind,
}

/// Whether the values of a feature have an order, with what follows from that.
#[derive(Debug)]
pub(in crate::search) enum FeatureKind {
    Numeric(Numeric),
    Categorical(Categorical),
}

/// One column, or several that move in step: values are ordered by the change, and effects are proportional to it.
#[derive(Debug)]
pub(in crate::search) struct Numeric {
    /// `U` times a change of one.
    pub image: Vec<f64>,
    /// A linear model's gain in score for a change of one; 0 for other models.
    pub gain: f64,
    /// The changes at both ends of each cell.
    pub cell_ends: CellEnds,
    /// Per column, the thresholds of trees; empty for other models.
    pub cuts: Vec<Cuts>,
}

/// Values without an order: effects are listed per value.
#[derive(Debug)]
pub(in crate::search) struct Categorical {
    /// `U` times the change at each value, one after the other.
    pub images: Vec<f64>,
    /// A linear model's gain in score at each value; zeros for other models.
    pub gains: Vec<f64>,
    /// For the state of a number.
    pub state: Option<State>,
}

/// Per value of a state, the values of its number that it allows. The change of a state is counted with the number's.
#[derive(Debug)]
pub(in crate::search) struct State {
    pub numbers: Vec<Vec<(ValueIndex, ValueIndex)>>,
}

impl Categorical {
    /// `U` times the change at a value, where `U` has `rows` rows.
    #[inline]
    pub(in crate::search) fn image(&self, index: ValueIndex, rows: usize) -> &[f64] {
        &self.images[index as usize * rows..][..rows]
    }

    /// A linear model's gain in score at a value.
    #[inline]
    pub(in crate::search) fn gain(&self, index: ValueIndex) -> f64 {
        self.gains[index as usize]
    }
}

impl Feature {
    pub(in crate::search) fn last(&self) -> ValueIndex {
        self.values.count() - 1
    }

    #[inline]
    pub(in crate::search) fn is_numeric(&self) -> bool {
        matches!(self.kind, FeatureKind::Numeric(_))
    }

    #[inline]
    pub(in crate::search) fn numeric(&self) -> Option<&Numeric> {
        match &self.kind {
            FeatureKind::Numeric(numeric) => Some(numeric),
            FeatureKind::Categorical(_) => None,
        }
    }

    /// The state of a number, if it is one.
    #[inline]
    pub(in crate::search) fn state(&self) -> Option<&State> {
        match &self.kind {
            FeatureKind::Categorical(categorical) => categorical.state.as_ref(),
            FeatureKind::Numeric(_) => None,
        }
    }

    #[inline]
    pub(in crate::search) fn is_state(&self) -> bool {
        self.state().is_some()
    }

    #[inline]
    pub(in crate::search) fn is_keep(&self, index: ValueIndex) -> bool {
        self.keep.0 <= index && index <= self.keep.1
    }

    /// The change of the first column at a value; that of every column of a numeric feature.
    #[inline]
    pub(in crate::search) fn change(&self, index: ValueIndex) -> f64 {
        self.values.change(index)
    }

    /// A linear model's gain in score at a value.
    #[inline]
    pub(in crate::search) fn gain(&self, index: ValueIndex) -> f64 {
        match &self.kind {
            FeatureKind::Numeric(numeric) => numeric.gain * self.change(index),
            FeatureKind::Categorical(categorical) => categorical.gain(index),
        }
    }

    /// The value of an interval at which a linear model gains most, and the gain.
    pub(in crate::search) fn largest_gain_in(
        &self,
        (low, high): (ValueIndex, ValueIndex),
    ) -> (ValueIndex, f64) {
        let index = match &self.kind {
            FeatureKind::Numeric(numeric) if numeric.gain > 0.0 => high,
            FeatureKind::Numeric(_) => low,
            FeatureKind::Categorical(categorical) => (low..=high)
                .max_by(|&a, &b| categorical.gain(a).total_cmp(&categorical.gain(b)))
                .unwrap_or(low),
        };
        (index, self.gain(index))
    }

    /// The table's cost at a value.
    #[inline]
    pub(in crate::search) fn cost(&self, index: ValueIndex) -> f64 {
        if self.costs.is_empty() { 0.0 } else { self.costs.at(index) }
    }

    /// The first value of an interval whose change is above `t`, or the one after the interval.
    pub(in crate::search) fn first_above(
        &self,
        span: (ValueIndex, ValueIndex),
        t: f64,
    ) -> ValueIndex {
        Values::first_index(span, |index| self.change(index) > t)
    }

    /// Adds `U` times the change at a value, `times` over, to `position`.
    pub(in crate::search) fn add_image(&self, index: ValueIndex, times: f64, position: &mut [f64]) {
        let (image, factor) = match &self.kind {
            FeatureKind::Numeric(numeric) => (&numeric.image[..], self.change(index) * times),
            FeatureKind::Categorical(categorical) => {
                (categorical.image(index, position.len()), times)
            }
        };
        for (position, image) in position.iter_mut().zip(image) {
            *position += factor * image;
        }
    }
}
