//! Upper bounds of a classifier's score over a region.
//!
//! A new classifier is one more file here: it says where no plan can be accepted, and may hand down
//! a list of what still matters to smaller regions.

mod linear;
mod mlp;
mod steps;
mod table;
mod trees;

use std::sync::Arc;

use crate::model::Classifier;
use crate::search::bound::ball::Ball;
use crate::search::bound::losses::Losses;
use crate::search::bound::relax::Mix;
use crate::search::layout::region::Region;
use crate::search::layout::space::Space;
use crate::search::layout::values::Place;

/// What still matters in a region: for trees, the leaves that can be reached; for networks, what is known of
/// the hidden units.
#[derive(Debug, Clone)]
pub(super) struct Reach {
    pub leaves: Arc<[u32]>,
    /// The cells of the region that the leaves were found for: smaller regions only ask about
    /// features that have lost cells since.
    pub spans: Arc<[(u32, u32)]>,
    /// Between which numbers the sums of hidden units lie.
    pub units: Arc<[(f64, f64)]>,
}

impl Reach {
    /// Nothing is known.
    fn nothing() -> Self {
        Self { leaves: Arc::from([]), spans: Arc::from([]), units: Arc::from([]) }
    }

    /// About the bytes it takes.
    pub(super) fn size(&self) -> usize {
        size_of_val(&self.leaves[..]) + size_of_val(&self.spans[..]) + size_of_val(&self.units[..])
    }
}

/// What counting the cells of a region says.
#[derive(Debug)]
pub(super) enum Counted {
    /// Nothing, for there are too many, or plans are accepted in all of them.
    Unknown,
    /// Plans that matter are in a smaller region.
    Within(Region),
    /// Plans that matter are in these parts, which may be none.
    Parts(Vec<Region>),
}

/// Bounds a classifier's score from above.
pub(super) trait ScoreBound: Sync {
    /// What matters in the whole space.
    fn whole(&self) -> Reach;

    /// About how many bytes a thread needs while it works on a region.
    fn work(&self) -> usize {
        0
    }

    /// What matters in a region; `None` where no plan in it can be accepted. `reach` belongs to a
    /// region around it; plans outside the ball are of no interest.
    fn narrow(
        &self,
        space: &Space,
        region: &Region,
        reach: &Reach,
        ball: Option<&Ball>,
    ) -> Option<Reach>;

    /// Whether the score is a sum over features, as the space's gains say.
    fn additive(&self) -> bool;

    /// Whether the score changes little by little, so that sums above it depend on where they are to be tight, and
    /// relaxed points are worth rounding.
    fn gradual(&self) -> bool;

    /// Where the score is no sum over features: a sum that bounds it from above in a region, which loses
    /// places that can't be part of a plan. It is best near the point. `None` where no plan is left.
    fn losses(
        &self,
        space: &Space,
        region: &mut Region,
        reach: &Reach,
        point: &[Mix],
    ) -> Option<Losses>;

    /// Where one undecided feature may still change: for every feature, whether plans can be accepted that change it and no other
    /// undecided one. `None` where that is not known.
    fn last_changes(&self, _: &Space, _: &Region, _: &Reach) -> Option<Vec<bool>> {
        None
    }

    /// Where the score can be computed all over a region: the parts in which plans are accepted and cost at most `room` more than
    /// the region's least. `price` says by how much more than the least an interval of a feature costs at least.
    fn count_cells(
        &self,
        _space: &Space,
        _region: &Region,
        _reach: &Reach,
        _price: &dyn Fn(usize, (Place, Place)) -> f64,
        _room: f64,
    ) -> Counted {
        Counted::Unknown
    }
}

/// The bound that fits the instance's classifier, or the bytes that were too many to lay it out.
pub(super) fn score_bound<'a>(space: &'a Space<'a>) -> Result<Box<dyn ScoreBound + 'a>, usize> {
    Ok(match &space.instance.classifier {
        Classifier::Linear(_) => Box::new(linear::LinearScore),
        Classifier::Trees(ensemble) => Box::new(trees::TreeScore::new(space, ensemble)?),
        Classifier::Mlp(_) => match &space.network {
            Some(network) => Box::new(mlp::MlpScore { network }),
            None => Box::new(linear::LinearScore),
        },
    })
}
