//! CatBoost's JSON models, as `CatBoostClassifier.save_model("model.json", format="json")` writes them.

use super::catboost_ctr::Statistics;
use super::catboost_file::{Features, File, Leaf, Node, Split, Symmetric};
use super::raw::SAVE_AGAIN;
use super::{
    Content, Library, Link, Part, Precision, RawColumn, RawCombination, RawEnsemble, RawNode,
    RawSplit, RawTree, Reading, Side, Sums, Test, Tie, Unseen,
};
use crate::{InputError, Result};

/// Files that claim more columns than this are damaged.
const MOST_COLUMNS: usize = 1_000_000;

/// CatBoost itself has no deeper symmetric trees.
const DEEPEST_SYMMETRIC: usize = 16;

/// Reads a model that decides between two classes by trees.
pub(super) fn parse(text: &str) -> Result<Reading> {
    let file = File::read(text)?;
    file.check()?;
    let splits = Splits::new(&file)?;
    let trees: Vec<RawTree> = match (&file.oblivious_trees, &file.trees) {
        (Some(trees), _) => in_order(trees, |tree| splits.symmetric(tree))?,
        (None, Some(trees)) => in_order(trees, |tree| splits.tree(tree))?,
        (None, None) => {
            let none = InputError::new("has no trees").at("oblivious_trees").remedy(SAVE_AGAIN);
            return Err(none.into());
        }
    };
    let cut = file.cut()?;
    let raw = RawEnsemble {
        library: Library::CatBoost,
        trees,
        columns: splits.columns,
        precision: Precision::Single,
        unseen: Unseen::Missing,
        factor: file.scale(),
        intercept: file.bias().unwrap_or_default(),
        sums: Sums::Double,
        // Scores above another cut than 0 are not the log-odds.
        link: if cut == 0.0 { Link::LogOdds } else { Link::None },
        cut,
        tie: Tie::Zero,
    };
    Ok(Reading { raw, notes: Vec::new(), class_one: file.class_one() })
}

fn in_order<T>(
    trees: &[T],
    read: impl Fn(&T) -> Result<RawTree, InputError>,
) -> Result<Vec<RawTree>> {
    let numbered = trees.iter().enumerate();
    let read = |(index, tree)| {
        read(tree).map_err(|error: InputError| error.inside(format!("tree {index}")).into())
    };
    numbered.map(read).collect()
}

/// What splits of a file refer to.
struct Splits<'a> {
    columns: Vec<RawColumn>,
    /// Of each column of numbers: its index among all columns, and where a missing value goes.
    numbers: Vec<Option<(usize, Side)>>,
    /// Of each column of categories: its index among all columns.
    categories: Vec<Option<usize>>,
    statistics: Statistics<'a>,
}

/// A test of a row, without the nodes that it leads to.
enum Asked {
    One { column: usize, test: Test, missing: Side, turned: bool },
    Several(RawCombination),
}

impl Asked {
    fn node(self, left: usize, right: usize) -> RawNode {
        match self {
            Self::One { column, test, missing, turned } => {
                let (left, right) = if turned { (right, left) } else { (left, right) };
                let (missing_within, missing_at) = (None, None);
                RawNode::Split(RawSplit {
                    column,
                    test,
                    missing,
                    missing_within,
                    missing_at,
                    left,
                    right,
                })
            }
            Self::Several(combination) => {
                RawNode::Combination(RawCombination { left, right, ..combination })
            }
        }
    }
}

impl<'a> Splits<'a> {
    fn new(file: &'a File) -> Result<Self> {
        let (mut columns, mut numbers, mut categories) = (Vec::new(), Vec::new(), Vec::new());
        let Features { float_features, categorical_features, .. } = &file.features_info;
        for float in float_features.iter().flatten() {
            let at = float.flat_feature_index;
            put(&mut columns, at, Some(column(&float.feature_id, Content::Number)))?;
            let goes_right = float.has_nans && float.nan_value_treatment == "AsTrue";
            put(&mut numbers, float.feature_index, Some((at, Side::left_if(!goes_right))))?;
        }
        for category in categorical_features.iter().flatten() {
            let at = category.flat_feature_index;
            put(&mut columns, at, Some(column(&category.feature_id, Content::HashedCategories)))?;
            put(&mut categories, category.feature_index, Some(at))?;
        }
        let columns: Vec<RawColumn> = columns
            .into_iter()
            .map(|found| found.unwrap_or(RawColumn { name: None, content: Content::Number }))
            .collect();
        Ok(Self { columns, numbers, categories, statistics: Statistics::new(file) })
    }

    fn number(&self, index: usize) -> Result<(usize, Side), InputError> {
        let found = self.numbers.get(index).copied().flatten();
        found.ok_or_else(|| unknown("float_feature_index", index))
    }

    fn category(&self, index: usize) -> Result<usize, InputError> {
        let found = self.categories.get(index).copied().flatten();
        found.ok_or_else(|| unknown("cat_feature_index", index))
    }

    fn asked(&self, split: &Split) -> Result<Asked, InputError> {
        Ok(match *split {
            Split::FloatFeature { float_feature_index, border } => {
                let (column, missing) = self.number(float_feature_index)?;
                let test = Test::AtMost(f64::from(border));
                Asked::One { column, test, missing, turned: false }
            }
            Split::OneHotFeature { cat_feature_index, value } => Asked::One {
                column: self.category(cat_feature_index)?,
                // The category goes right.
                test: Test::OneOf(vec![value.cast_unsigned()]),
                missing: Side::Right,
                turned: true,
            },
            Split::OnlineCtr { split_index, border } => {
                let statistic = self.statistics.find(split_index, border)?;
                let float = |index, border: f32| {
                    let (column, missing) = self.number(index)?;
                    Ok(Part::Above { column, border: f64::from(border), missing })
                };
                let category = |index| self.category(index);
                Asked::Several(statistic.combination(border, &float, &category)?)
            }
        })
    }

    fn symmetric(&self, tree: &Symmetric) -> Result<RawTree, InputError> {
        let splits = tree.splits.as_deref().unwrap_or_default();
        let leaves = &tree.leaf_values;
        if splits.len() > DEEPEST_SYMMETRIC || leaves.len() != 1 << splits.len() {
            let (leaves, splits) = (leaves.len(), splits.len());
            return Err(InputError::new(format!("has {leaves} leaves for {splits} splits"))
                .at("leaf_values")
                .remedy(
                    "fit two classes with loss_function=\"Logloss\", and save the model again",
                ));
        }
        let mut raw = RawTree::default();
        self.grow(splits, leaves, 0, 0, &mut raw)?;
        Ok(raw)
    }

    /// The branch below the first `depth` splits, with their answers in the bits of `index`.
    fn grow(
        &self,
        splits: &[Split],
        leaves: &[f64],
        depth: usize,
        index: usize,
        raw: &mut RawTree,
    ) -> Result<usize, InputError> {
        let node = raw.nodes.len();
        raw.nodes.push(RawNode::Leaf(leaves[index]));
        // Leaves that no row reached are all 0: they need no splits.
        let below = leaves.iter().skip(index).step_by(1 << depth);
        if depth == splits.len() || below.clone().all(|leaf| *leaf == leaves[index]) {
            return Ok(node);
        }
        let left = self.grow(splits, leaves, depth + 1, index, raw)?;
        let right = self.grow(splits, leaves, depth + 1, index | 1 << depth, raw)?;
        raw.nodes[node] = self.at(depth, &splits[depth])?.node(left, right);
        Ok(node)
    }

    fn at(&self, place: usize, split: &Split) -> Result<Asked, InputError> {
        self.asked(split).map_err(|error| error.inside(format!("split {place}")))
    }

    fn tree(&self, root: &Node) -> Result<RawTree, InputError> {
        let mut raw = RawTree::default();
        self.branch(root, &mut raw)?;
        Ok(raw)
    }

    fn branch(&self, branch: &Node, raw: &mut RawTree) -> Result<usize, InputError> {
        let node = raw.nodes.len();
        match branch {
            Node::Leaf { value: Leaf::One(value) } => raw.nodes.push(RawNode::Leaf(*value)),
            Node::Leaf { value: Leaf::Several(values) } => {
                return Err(InputError::new(format!("has {} values, one per class", values.len()))
                    .at(format!("node {node}"))
                    .remedy("fit two classes with loss_function=\"Logloss\""));
            }
            Node::Inner { split, left, right } => {
                raw.nodes.push(RawNode::Leaf(0.0));
                let left = self.branch(left, raw)?;
                let right = self.branch(right, raw)?;
                raw.nodes[node] = self.at(node, split)?.node(left, right);
            }
        }
        Ok(node)
    }
}

fn column(name: &str, content: Content) -> RawColumn {
    RawColumn { name: (!name.is_empty()).then(|| name.to_owned()), content }
}

/// Puts something in its index of a list, which grows with it.
fn put<T: Clone>(list: &mut Vec<Option<T>>, index: usize, one: Option<T>) -> Result<()> {
    if index >= MOST_COLUMNS {
        return Err(InputError::new(format!("is more than {MOST_COLUMNS} columns"))
            .at("features_info")
            .value(index)
            .remedy(SAVE_AGAIN)
            .into());
    }
    if list.len() <= index {
        list.resize(index + 1, None);
    }
    list[index] = one;
    Ok(())
}

pub(super) fn unknown(field: &str, index: usize) -> InputError {
    InputError::new("is not in the file's features_info").at(field).value(index).remedy(SAVE_AGAIN)
}
