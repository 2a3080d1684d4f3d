//! Neural networks: their first layer is a sum over features, and their score is bounded by sums over features.

mod bound;
mod network;
mod plane;
mod point;
mod units;
mod view;

use self::bound::MlpScore;
pub(super) use self::network::Network;
use self::point::NetworkPoint;
use super::{ClassifierScore, MemberBound, MemberScore, PointScore, ScoreBound};
use crate::search::layout::space::Space;

impl ClassifierScore for Network {
    fn error(&self) -> f64 {
        Network::error(self)
    }

    fn point<'s>(&'s self, space: &'s Space<'s>) -> Box<dyn PointScore + 's> {
        Box::new(NetworkPoint::new(space, self))
    }

    fn bound<'s>(&'s self, _: &'s Space<'s>) -> Result<Box<dyn ScoreBound + 's>, usize> {
        Ok(Box::new(MlpScore { network: self }))
    }
}

impl MemberScore for Network {
    fn member<'s>(&'s self, _: &'s Space<'s>) -> Result<Box<dyn MemberBound + 's>, usize> {
        Ok(Box::new(MlpScore { network: self }))
    }
}
