//! The scores of a network around a point, from the sums of its first layer.

use super::Network;
use crate::search::layout::space::{Move, Space};
use crate::search::layout::values::ValueIndex;
use crate::search::score::PointScore;

/// The first layer's sums at the point, and buffers for those after a move.
#[derive(Debug)]
pub(super) struct NetworkPoint<'s> {
    space: &'s Space<'s>,
    network: &'s Network,
    sums: Vec<f64>,
    moved: Vec<f64>,
    next: Vec<f64>,
}

impl<'s> NetworkPoint<'s> {
    pub(super) fn new(space: &'s Space<'s>, network: &'s Network) -> Self {
        Self { space, network, sums: Vec::new(), moved: Vec::new(), next: Vec::new() }
    }
}

impl PointScore for NetworkPoint<'_> {
    fn go_to(&mut self, indices: &[ValueIndex]) {
        self.sums.clone_from(&self.network.base);
        for (f, (feature, &index)) in self.space.features.iter().zip(indices).enumerate() {
            if !feature.is_keep(index) {
                self.network.add(feature, f, index, 1.0, &mut self.sums);
            }
        }
    }

    fn after(&mut self, indices: &[ValueIndex], moves: &[Move]) -> Option<f64> {
        let score = self.score(indices, moves);
        (score.abs() > self.space.score_error).then_some(score)
    }

    fn about(&mut self, indices: &[ValueIndex], moves: &[Move]) -> Option<(f64, f64)> {
        Some((self.score(indices, moves), self.network.error()))
    }
}

impl NetworkPoint<'_> {
    fn score(&mut self, indices: &[ValueIndex], moves: &[Move]) -> f64 {
        self.moved.clone_from(&self.sums);
        for &(f, index) in moves {
            let feature = &self.space.features[f];
            self.network.add(feature, f, index, 1.0, &mut self.moved);
            self.network.add(feature, f, indices[f], -1.0, &mut self.moved);
        }
        self.network.score(&mut self.moved, &mut self.next)
    }
}
