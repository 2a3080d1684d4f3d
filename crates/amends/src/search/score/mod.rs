//! Everything that the search does differently for each kind of classifier.
//!
//! Another kind is one more file here, and one more arm in [`lay_out`]. It computes scores around a point for the
//! heuristics, says where no plan can be accepted, and may pass on to smaller regions a list of what still matters there.

mod combined;
mod linear;
mod mlp;
mod trees;

use std::fmt::Debug;
use std::sync::Arc;

use self::combined::Combination;
use self::linear::LinearScore;
use self::mlp::Network;
use crate::instance::Instance;

use crate::model::{Classifier, Layer, Mlp};
use crate::search::bound::ball::Ball;
use crate::search::bound::losses::Losses;
use crate::search::bound::relax::Mix;
use crate::search::layout::feature::Feature;
use crate::search::layout::region::Region;
use crate::search::layout::space::{Move, Space};
use crate::search::layout::values::ValueIndex;

/// A classifier, laid out for one instance's movable features.
pub(super) trait ClassifierScore: Debug + Send + Sync {
    /// The rounding error of a score that is put together from features; 0 if it never is.
    fn error(&self) -> f64 {
        0.0
    }

    /// Scores around a point; `go_to` says which.
    fn point<'s>(&'s self, space: &'s Space<'s>) -> Box<dyn PointScore + 's>;

    /// Bounds of the score in regions; if memory is short, the error is the number of bytes that were needed.
    fn bound<'s>(&'s self, space: &'s Space<'s>) -> Result<Box<dyn ScoreBound + 's>, usize>;
}

/// Lays out an instance's classifier.
pub(super) fn lay_out<'a>(
    instance: &'a Instance,
    features: &[Feature],
) -> Box<dyn ClassifierScore + 'a> {
    match instance.classifier() {
        Classifier::Linear(linear) => Box::new(LinearScore::new(linear, instance.x(), features)),
        Classifier::Trees(ensemble) => Box::new(ensemble.clone()),
        Classifier::Mlp(mlp) => Box::new(Network::new(instance, features, mlp)),
        Classifier::Combined(combined) => Box::new(Combination::new(instance, features, combined)),
    }
}

/// A classifier whose score is part of another one's, laid out.
trait MemberScore: ClassifierScore {
    /// Bounds of its score in regions, as for [`ClassifierScore::bound`].
    fn member<'s>(&'s self, space: &'s Space<'s>) -> Result<Box<dyn MemberBound + 's>, usize>;
}

/// Lays out a member of a combination.
fn lay_out_member(
    instance: &Instance,
    features: &[Feature],
    classifier: &Classifier,
) -> Box<dyn MemberScore> {
    match classifier {
        // The features' gains are those of a model that is linear as a whole: a member is a network without hidden units.
        Classifier::Linear(linear) => {
            let weights = vec![linear.weights.clone()];
            let layer = Layer { weights, bias: vec![linear.intercept] };
            Box::new(Network::new(instance, features, &Mlp { layers: vec![layer] }))
        }
        Classifier::Trees(ensemble) => Box::new(ensemble.clone()),
        Classifier::Mlp(mlp) => Box::new(Network::new(instance, features, mlp)),
        Classifier::Combined(combined) => Box::new(Combination::new(instance, features, combined)),
    }
}

/// Scores around a point, for heuristics that try many small moves from it.
pub(super) trait PointScore: Debug {
    /// Goes to a point.
    fn go_to(&mut self, indices: &[ValueIndex]);

    /// The score after a move away from the point, which is at `indices`; `None` where it is not known without computing it
    /// from scratch, or where rounding could decide.
    fn after(&mut self, indices: &[ValueIndex], moves: &[Move]) -> Option<f64>;

    /// The score after a move, as [`Self::after`], and what rounding may have done to it; `None` where it is not known at once.
    fn about(&mut self, _indices: &[ValueIndex], _moves: &[Move]) -> Option<(f64, f64)> {
        None
    }

    /// The scores in the cells of a number, up to rounding, where everything else stays as at the point; `None` if they
    /// are not known at once.
    fn along(&mut self, _indices: &[ValueIndex], _f: usize) -> Option<&[f64]> {
        None
    }
}

/// What still matters in a region: for trees, the leaves that can be reached; for networks, what is known of
/// the hidden units; for combinations, what is known of every member.
#[derive(Debug, Clone)]
pub(super) struct Reach {
    pub leaves: Arc<[u32]>,
    /// The cells of the region that the leaves were found for: smaller regions only ask about
    /// features that have lost cells since.
    pub spans: Arc<[(u32, u32)]>,
    /// Between which numbers the sums of hidden units lie.
    pub units: Arc<[(f64, f64)]>,
    pub members: Arc<[MemberReach]>,
}

/// What is known of a member of a combination in a region.
#[derive(Debug, Clone)]
pub(super) struct MemberReach {
    reach: Reach,
    /// Between which numbers its score lies.
    range: (f64, f64),
    /// How much it counts where every member must accept.
    share: f64,
}

impl Reach {
    /// Nothing is known.
    fn nothing() -> Self {
        Self {
            leaves: Arc::from([]),
            spans: Arc::from([]),
            units: Arc::from([]),
            members: Arc::from([]),
        }
    }

    /// About the bytes it takes.
    pub(super) fn size(&self) -> usize {
        let lists = [
            size_of_val(&self.leaves[..]),
            size_of_val(&self.spans[..]),
            size_of_val(&self.units[..]),
            size_of_val(&self.members[..]),
        ];
        let members = self.members.iter().map(|member| member.reach.size());
        lists.into_iter().chain(members).sum()
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

    /// Whether a sum above the score is better once a region's own relaxed point is known.
    fn depends_on_point(&self) -> bool {
        self.gradual()
    }

    /// Where the score is no sum over features: a sum that bounds it from above in a region, which loses
    /// values that can't be part of a plan. It is best near the point. `None` where no plan is left. What it learns about
    /// the region it notes in `reach`.
    fn losses(
        &self,
        space: &Space,
        region: &mut Region,
        reach: &mut Reach,
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
        _price: &dyn Fn(usize, (ValueIndex, ValueIndex)) -> f64,
        _room: f64,
    ) -> Counted {
        Counted::Unknown
    }
}

/// Bounds the score of a member of a combination, whose sign means nothing.
trait MemberBound: ScoreBound {
    /// Between which numbers all scores of a region lie, rounding included, and what matters there; `None` where it holds no plan.
    fn range(
        &self,
        space: &Space,
        region: &Region,
        reach: &Reach,
        ball: Option<&Ball>,
    ) -> Option<((f64, f64), Reach)>;

    /// A sum that bounds the score from above in a region: the score is at most its slack less what is lost. It is best near
    /// the point.
    fn above(&self, space: &Space, region: &Region, reach: &Reach, point: &[Mix])
    -> Option<Losses>;

    /// The same as [`ScoreBound::last_changes`], for scores above a cut.
    fn last_changes_above(&self, _: &Space, _: &Region, _: &Reach, _cut: f64) -> Option<Vec<bool>> {
        None
    }

    /// The same as [`ScoreBound::count_cells`], for scores above a cut.
    fn count_cells_above(
        &self,
        _space: &Space,
        _region: &Region,
        _reach: &Reach,
        _price: &dyn Fn(usize, (ValueIndex, ValueIndex)) -> f64,
        (_cut, _room): (f64, f64),
    ) -> Counted {
        Counted::Unknown
    }
}
