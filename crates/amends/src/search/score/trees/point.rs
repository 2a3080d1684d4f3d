//! The scores of an ensemble around a point, by the profiles of single numbers.

use super::profile::Profile;
use crate::model::TreeEnsemble;
use crate::search::layout::space::{Move, Space};
use crate::search::layout::values::ValueIndex;
use crate::search::score::PointScore;

/// The point is where the profiles start from; each is computed when it is first needed.
#[derive(Debug)]
pub(super) struct TreePoint<'s> {
    space: &'s Space<'s>,
    ensemble: &'s TreeEnsemble,
    profiles: Vec<Option<Profile>>,
    row: Vec<f64>,
}

impl<'s> TreePoint<'s> {
    pub(super) fn new(space: &'s Space<'s>, ensemble: &'s TreeEnsemble) -> Self {
        Self { space, ensemble, profiles: Vec::new(), row: Vec::new() }
    }

    fn profile(&mut self, indices: &[ValueIndex], f: usize) -> Option<&Profile> {
        let features = &self.space.features;
        // A number's state shares its column.
        if f > 0 && features[f - 1].is_state() {
            return None;
        }
        let numeric = features[f].numeric()?;
        if self.profiles.is_empty() {
            self.profiles.resize_with(features.len(), || None);
        }
        if self.profiles[f].is_none() {
            self.space.write_row(indices, &[], &mut self.row);
            let profile = Profile::new(&features[f], numeric, self.ensemble, &self.row);
            self.profiles[f] = Some(profile);
        }
        self.profiles[f].as_ref()
    }
}

impl PointScore for TreePoint<'_> {
    fn go_to(&mut self, _: &[ValueIndex]) {
        self.profiles.clear();
    }

    fn after(&mut self, indices: &[ValueIndex], moves: &[Move]) -> Option<f64> {
        let &[(f, index)] = moves else { return None };
        let cell = self.space.features[f].cells.of(index);
        self.profile(indices, f)?.score(cell)
    }

    fn about(&mut self, indices: &[ValueIndex], moves: &[Move]) -> Option<(f64, f64)> {
        let &[(f, index)] = moves else { return None };
        let cell = self.space.features[f].cells.of(index);
        Some(self.profile(indices, f)?.about(cell))
    }

    fn along(&mut self, indices: &[ValueIndex], f: usize) -> Option<&[f64]> {
        self.profile(indices, f).map(|profile| &profile.scores[..])
    }
}
