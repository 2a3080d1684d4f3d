//! A linear score: every feature's largest gain, as many as may change.

use super::{Losses, Reach, ScoreBound};
use crate::search::bound::ball::Ball;
use crate::search::bound::relax::Mix;
use crate::search::layout::region::{Region, Stand};
use crate::search::layout::space::Space;

/// A linear score needs nothing but the gains that the space holds.
pub(super) struct LinearScore;

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

    fn losses(&self, _: &Space, _: &mut Region, _: &Reach, _: &[Mix]) -> Option<Losses> {
        None
    }
}
