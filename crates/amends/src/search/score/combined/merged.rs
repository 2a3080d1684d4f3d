//! Ensembles of trees whose scores are added up as they are: for bounds they are one ensemble.

use crate::model::{Classifier, Combine, Combined, Member, Sums, Tree, TreeEnsemble};
use crate::search::layout::space::Space;
use crate::search::score::trees::TreeScore;
use crate::search::score::{ClassifierScore, MemberBound, MemberScore, PointScore, ScoreBound};

/// The trees of several members, leaves times weights.
#[derive(Debug)]
pub(super) struct MergedTrees {
    ensemble: TreeEnsemble,
    /// What the members' scores may differ by from sums in 64 bits.
    rounding: f64,
}

/// Whether a member of a combination is an ensemble whose score is added up with others.
pub(super) fn joins(combined: &Combined, member: &Member) -> bool {
    let trees = matches!(member.classifier, Classifier::Trees(_));
    trees && combined.combine == Combine::Sum && member.transform.is_identity()
}

impl MergedTrees {
    /// Of members that are ensembles. Their thresholds become trees of one leaf, so that they count for rounding as trees do.
    pub(super) fn new(members: &[&Member]) -> Self {
        let mut trees: Vec<Tree> = Vec::new();
        let mut rounding = 0.0;
        for member in members {
            let Classifier::Trees(ensemble) = &member.classifier else { continue };
            rounding += member.weight.abs() * ensemble.sums.rounding(&ensemble.trees);
            trees.extend(ensemble.trees.iter().map(|tree| Tree {
                value: tree.value.iter().map(|value| member.weight * value).collect(),
                ..tree.clone()
            }));
            trees.push(Tree {
                feature: vec![-1],
                threshold: vec![0.0],
                left: vec![-1],
                right: vec![-1],
                value: vec![-member.weight * ensemble.threshold],
            });
        }
        let ensemble = TreeEnsemble { threshold: 0.0, sums: Sums::Double, trees: trees.into() };
        Self { ensemble, rounding }
    }
}

impl ClassifierScore for MergedTrees {
    fn point<'s>(&'s self, space: &'s Space<'s>) -> Box<dyn PointScore + 's> {
        self.ensemble.point(space)
    }

    fn bound<'s>(&'s self, space: &'s Space<'s>) -> Result<Box<dyn ScoreBound + 's>, usize> {
        Ok(Box::new(TreeScore::new(space, &self.ensemble)?.widened(self.rounding)))
    }
}

impl MemberScore for MergedTrees {
    fn member<'s>(&'s self, space: &'s Space<'s>) -> Result<Box<dyn MemberBound + 's>, usize> {
        Ok(Box::new(TreeScore::new(space, &self.ensemble)?.widened(self.rounding)))
    }
}
