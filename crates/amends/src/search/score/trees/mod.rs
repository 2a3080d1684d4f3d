//! Ensembles of trees: the score is constant in every cell between thresholds.

mod bound;
mod leaves;
mod point;
mod profile;
mod steps;
mod table;

pub(super) use self::leaves::TreeScore;
use self::point::TreePoint;
use super::{ClassifierScore, MemberBound, MemberScore, PointScore, ScoreBound};
use crate::model::TreeEnsemble;
use crate::search::layout::space::Space;

/// The leaves are only listed for the bound: that takes long for a large ensemble, and a first plan can be found without.
impl ClassifierScore for TreeEnsemble {
    fn point<'s>(&'s self, space: &'s Space<'s>) -> Box<dyn PointScore + 's> {
        Box::new(TreePoint::new(space, self))
    }

    fn bound<'s>(&'s self, space: &'s Space<'s>) -> Result<Box<dyn ScoreBound + 's>, usize> {
        Ok(Box::new(TreeScore::new(space, self)?))
    }
}

impl MemberScore for TreeEnsemble {
    fn member<'s>(&'s self, space: &'s Space<'s>) -> Result<Box<dyn MemberBound + 's>, usize> {
        Ok(Box::new(TreeScore::new(space, self)?))
    }
}
