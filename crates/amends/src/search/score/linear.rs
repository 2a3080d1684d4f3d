//! A linear score: every feature's largest gain, as many as may change.

use super::{ClassifierScore, Losses, PointScore, Reach, ScoreBound};
use crate::model::Linear;
use crate::search::bound::ball::Ball;
use crate::search::bound::relax::Mix;
use crate::search::layout::feature::Feature;
use crate::search::layout::region::{Region, Stand};
use crate::search::layout::space::{Move, Space};
use crate::search::layout::values::ValueIndex;

/// Beyond the gains of features, a linear score needs only its rounding error.
#[derive(Debug, Clone, Copy)]
pub(super) struct LinearScore {
    error: f64,
}

impl LinearScore {
    pub(super) fn new(linear: &Linear, x: &[f64], features: &[Feature]) -> Self {
        let fixed: f64 = linear.weights.iter().zip(x).map(|(w, x)| (w * x).abs()).sum();
        let moved: f64 = features.iter().map(|feature| feature.largest_gain).sum();
        let scale = fixed + moved + linear.intercept.abs();
        Self { error: 8.0 * (x.len() as f64 + 4.0) * f64::EPSILON * scale }
    }
}

impl ClassifierScore for LinearScore {
    fn error(&self) -> f64 {
        self.error
    }

    fn point<'s>(&'s self, space: &'s Space<'s>) -> Box<dyn PointScore + 's> {
        Box::new(LinearPoint { space, gain: 0.0 })
    }

    fn bound<'s>(&'s self, _: &'s Space<'s>) -> Result<Box<dyn ScoreBound + 's>, usize> {
        Ok(Box::new(*self))
    }
}

/// The gain of all features together at a point.
#[derive(Debug)]
struct LinearPoint<'s> {
    space: &'s Space<'s>,
    gain: f64,
}

impl PointScore for LinearPoint<'_> {
    fn go_to(&mut self, indices: &[ValueIndex]) {
        let gains = self.space.features.iter().zip(indices).map(|(f, &index)| f.gain(index));
        self.gain = gains.sum();
    }

    fn after(&mut self, indices: &[ValueIndex], moves: &[Move]) -> Option<f64> {
        let gains = moves.iter().map(|&(f, index)| {
            let feature = &self.space.features[f];
            feature.gain(index) - feature.gain(indices[f])
        });
        let score = self.space.score + self.gain + gains.sum::<f64>();
        (score.abs() > self.space.score_error).then_some(score)
    }
}

impl ScoreBound for LinearScore {
    fn whole(&self) -> Reach {
        Reach::nothing()
    }

    fn narrow(
        &self,
        space: &Space,
        region: &Region,
        reach: &Reach,
        _: Option<&Ball>,
    ) -> Option<Reach> {
        let mut score = space.score + space.score_error;
        let mut gains: Vec<f64> = Vec::new();
        for (f, feature) in space.features.iter().enumerate() {
            let (_, gain) = feature.largest_gain_in(region.spans[f]);
            match region.stand(space, f) {
                Stand::Decided => score += gain,
                Stand::Undecided => gains.push(gain.max(0.0)),
                Stand::Kept => {}
            }
        }
        gains.sort_unstable_by(|a, b| b.total_cmp(a));
        score += gains.iter().take(region.left).sum::<f64>();
        (score >= 0.0).then(|| reach.clone())
    }

    fn additive(&self) -> bool {
        true
    }

    fn gradual(&self) -> bool {
        true
    }

    fn losses(&self, _: &Space, _: &mut Region, _: &mut Reach, _: &[Mix]) -> Option<Losses> {
        None
    }
}
