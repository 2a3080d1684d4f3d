//! A movable feature of the search: what every one has, and what depends on whether its values have an order.

use crate::search::layout::values::{CellEnds, Cells, Cuts, Place, Runs, Values};

/// A feature with at least two options.
#[derive(Debug)]
pub(in crate::search) struct Feature {
    /// The columns that it moves.
    pub columns: Vec<usize>,
    /// Its values in their order.
    pub values: Values,
    /// The places of the options that change nothing.
    pub keep: (Place, Place),
    /// The table's cost at each place; empty without a table.
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

/// One column, or several that move in step: places are ordered by the change, and effects are proportional to it.
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

/// Values without an order: effects are listed place by place.
#[derive(Debug)]
pub(in crate::search) struct Categorical {
    /// `U` times the change at each place, one after the other.
    pub images: Vec<f64>,
    /// A linear model's gain in score at each place; zeros for other models.
    pub gains: Vec<f64>,
    /// For the state of a number.
    pub state: Option<State>,
}

/// Per place of a state, the places of its number that it allows. The change of a state is counted with the number's.
#[derive(Debug)]
pub(in crate::search) struct State {
    pub numbers: Vec<Vec<(Place, Place)>>,
}

impl Categorical {
    /// `U` times the change at a place, where `U` has `rows` rows.
    #[inline]
    pub(in crate::search) fn image(&self, place: Place, rows: usize) -> &[f64] {
        &self.images[place as usize * rows..][..rows]
    }

    /// A linear model's gain in score at a place.
    #[inline]
    pub(in crate::search) fn gain(&self, place: Place) -> f64 {
        self.gains[place as usize]
    }
}

impl Feature {
    pub(in crate::search) fn last(&self) -> Place {
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
    pub(in crate::search) fn is_keep(&self, place: Place) -> bool {
        self.keep.0 <= place && place <= self.keep.1
    }

    /// The change of the first column at a place; that of every column of a numeric feature.
    #[inline]
    pub(in crate::search) fn change(&self, place: Place) -> f64 {
        self.values.change(place)
    }

    /// A linear model's gain in score at a place.
    #[inline]
    pub(in crate::search) fn gain(&self, place: Place) -> f64 {
        match &self.kind {
            FeatureKind::Numeric(numeric) => numeric.gain * self.change(place),
            FeatureKind::Categorical(categorical) => categorical.gain(place),
        }
    }

    /// The place of an interval at which a linear model gains most, and the gain.
    pub(in crate::search) fn largest_gain_in(&self, (low, high): (Place, Place)) -> (Place, f64) {
        let place = match &self.kind {
            FeatureKind::Numeric(numeric) if numeric.gain > 0.0 => high,
            FeatureKind::Numeric(_) => low,
            FeatureKind::Categorical(categorical) => (low..=high)
                .max_by(|&a, &b| categorical.gain(a).total_cmp(&categorical.gain(b)))
                .unwrap_or(low),
        };
        (place, self.gain(place))
    }

    /// The table's cost at a place.
    #[inline]
    pub(in crate::search) fn cost(&self, place: Place) -> f64 {
        if self.costs.is_empty() { 0.0 } else { self.costs.at(place) }
    }

    /// The first place of an interval whose change is above `t`, or the one after the interval.
    pub(in crate::search) fn places_up_to(&self, span: (Place, Place), t: f64) -> Place {
        Values::first_place(span, |place| self.change(place) > t)
    }

    /// Adds `U` times the change at a place, `times` over, to `position`.
    pub(in crate::search) fn add_image(&self, place: Place, times: f64, position: &mut [f64]) {
        let (image, factor) = match &self.kind {
            FeatureKind::Numeric(numeric) => (&numeric.image[..], self.change(place) * times),
            FeatureKind::Categorical(categorical) => {
                (categorical.image(place, position.len()), times)
            }
        };
        for (position, image) in position.iter_mut().zip(image) {
            *position += factor * image;
        }
    }
}
