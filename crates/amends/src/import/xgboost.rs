//! XGBoost's JSON models, as `Booster.save_model("model.json")` writes them.

use super::raw::SAVE_AGAIN;
use super::xgboost_file::{Category, Head, Learner, Trees, read};
use super::{
    Asked, Content, Library, Link, Precision, RawColumn, RawEnsemble, RawNode, RawSplit, RawTree,
    Reading, Side, Sums, Test, Tie, Unseen,
};
use crate::{InputError, Result};

/// Files that claim more columns than this are damaged.
const MOST_COLUMNS: usize = 1_000_000;

/// Reads a model that decides between two classes by trees.
pub(super) fn parse(text: &str, asked: Asked) -> Result<Reading> {
    let head: Head = read(text)?;
    let objective = head.check()?;
    let learner: Learner = read(text)?;
    let booster = learner.gradient_booster;
    let weights = booster.weight_drop;
    let model = booster.model.or(booster.gbtree.map(|inner| inner.model)).ok_or_else(|| {
        InputError::new("has no trees").at("learner.gradient_booster.model").remedy(SAVE_AGAIN)
    })?;
    if let Some(weights) = &weights
        && weights.len() != model.trees.len()
    {
        return Err(InputError::new(format!(
            "has {} entries for {} trees",
            weights.len(),
            model.trees.len()
        ))
        .at("weight_drop")
        .remedy(SAVE_AGAIN)
        .into());
    }
    let columns =
        columns(head.width()?, learner.feature_names, &learner.feature_types, &model.cats.enc)?;
    let base = objective.margin(head.base_score()?);
    let trees = model.trees.iter().enumerate().map(|(index, tree)| {
        let leaf = |value: f32| match (&weights, asked) {
            (None, _) => value,
            (Some(weights), Asked::ByMatrix) => weights[index] * value,
            // Each tree's value includes the base score, which is subtracted before the tree is weighted.
            (Some(weights), Asked::InPlace) => weights[index] * ((base + value) - base),
        };
        tree_of(tree, &leaf).map_err(|error| error.inside(format!("tree {index}")).into())
    });
    let raw = RawEnsemble {
        library: Library::XgBoost,
        trees: trees.collect::<Result<_>>()?,
        columns,
        precision: Precision::Single,
        unseen: Unseen::Refused,
        factor: 1.0,
        intercept: f64::from(base),
        sums: Sums::Single,
        link: Link::LogOdds,
        // Its class is 1 where the probability is greater than one half.
        cut: objective.cut(),
        tie: Tie::Zero,
    };
    let best = learner.attributes.get("best_iteration").and_then(|text| text.parse().ok());
    let parallel = model.gbtree_model_param.num_parallel_tree.parse().unwrap_or(1_usize).max(1);
    let rounds = raw.trees.len() / parallel;
    let notes = best.filter(|best: &usize| best.saturating_add(1) < rounds).map(|best| {
        format!(
            "the model stopped early: its best round is {best} of {rounds}, counted from 0. All rounds are used, as \
             Booster.predict does; XGBClassifier.predict uses those up to the best, which \
             booster[: booster.best_iteration + 1].save_model(..) saves"
        )
    });
    Ok(Reading { raw, notes: notes.into_iter().collect(), class_one: None })
}

/// How a base score is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Objective {
    /// As a probability.
    Logistic,
    /// As a score.
    LogitRaw,
}

impl Objective {
    /// The score that the trees are added to, in the library's own precision.
    fn margin(self, base: f32) -> f32 {
        match self {
            // The C library's logarithm of 32 bits is that of 64 bits, rounded.
            Self::Logistic => -(libm::log(f64::from(1.0 / base - 1.0)) as f32),
            Self::LogitRaw => base,
        }
    }

    /// The greatest score that is not class 1.
    ///
    /// Probabilities are `1 / (1 + exp(-score))` in 32 bits. Of numbers below 1 these have steps of 2^-24, below 2 of 2^-23. Up
    /// to a score of 1.5 * 2^-24, `exp(-score)` is rounded to 1 - 2^-24 or more, the sum to 2 and the probability to one half.
    /// Above, it is rounded to 1 - 2^-23 or less, which no sum loses.
    fn cut(self) -> f64 {
        match self {
            Self::Logistic => 1.5 / f64::from(1 << 24),
            Self::LogitRaw => 0.0,
        }
    }
}

fn columns(
    width: usize,
    names: Vec<String>,
    types: &[String],
    categories: &[Category],
) -> Result<Vec<RawColumn>> {
    if width > MOST_COLUMNS {
        return Err(InputError::new(format!("is more than {MOST_COLUMNS} columns"))
            .at("num_feature")
            .value(width)
            .remedy(SAVE_AGAIN)
            .into());
    }
    for (field, length) in [("feature_names", names.len()), ("feature_types", types.len())] {
        if length != 0 && length != width {
            return Err(InputError::new(format!("has {length} entries for {width} columns"))
                .at(field)
                .remedy(SAVE_AGAIN)
                .into());
        }
    }
    let mut names = names.into_iter();
    let column = |index: usize| {
        let content = if types.get(index).is_some_and(|kind| kind == "c") {
            match categories.get(index).map(Category::labels).transpose()? {
                Some(labels) if !labels.is_empty() => Content::Categories(labels),
                _ => Content::NumberedCategories,
            }
        } else {
            Content::Number
        };
        Ok(RawColumn { name: names.next(), content })
    };
    (0..width).map(column).collect()
}

fn tree_of(tree: &Trees, leaf: &dyn Fn(f32) -> f32) -> Result<RawTree, InputError> {
    tree.check()?;
    let nodes = (0..tree.left_children.len()).map(|node| {
        // A threshold or a leaf that is not a number is refused later; splits by categories need none.
        let condition = tree.split_conditions[node].unwrap_or(f32::NAN);
        if tree.left_children[node] < 0 {
            return Ok(RawNode::Leaf(f64::from(leaf(condition))));
        }
        let index = |number: i64, field: &str| {
            usize::try_from(number).map_err(|_| {
                InputError::new("is not a index of a node or column")
                    .at(format!("{field}, node {node}"))
                    .value(number)
                    .remedy(SAVE_AGAIN)
            })
        };
        let missing = Side::left_if(tree.default_left[node].is_set());
        let mut split = RawSplit {
            column: index(tree.split_indices[node], "split_indices")?,
            test: Test::Below(f64::from(condition)),
            missing,
            missing_within: None,
            missing_at: None,
            left: index(tree.left_children[node], "left_children")?,
            right: index(tree.right_children[node], "right_children")?,
        };
        if tree.split_type.get(node).is_some_and(|&kind| kind == 1) {
            // The listed categories go right.
            split.test = Test::OneOf(tree.categories_of(node)?);
            split.missing = missing.other();
            std::mem::swap(&mut split.left, &mut split.right);
        }
        Ok(RawNode::Split(split))
    });
    Ok(RawTree { nodes: nodes.collect::<Result<_, _>>()? })
}
