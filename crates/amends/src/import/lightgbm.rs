//! LightGBM's text models, as `Booster.save_model("model.txt")` writes them.

use super::lightgbm_file::{Section, Sections};
use super::raw::SAVE_AGAIN;
use super::{
    Content, Library, Link, Precision, RawColumn, RawEnsemble, RawNode, RawSplit, RawTree, Reading,
    Side, Sums, Test, Tie, Unseen,
};
use crate::{InputError, Result};

/// Numbers this close to 0 are 0 to LightGBM, a constant of 32 bits.
const ZERO: f32 = 1e-35;

/// The greatest score whose probability `1 / (1 + exp(-score))` is rounded to one half: `exp` to 1 - 2^-53, the sum to 2.
const CUT: f64 = 0.75 * f64::EPSILON;

/// Reads a model that decides between two classes.
pub(super) fn parse(text: &str) -> Result<Reading> {
    let Sections { head, trees, pandas_categorical } = Sections::cut(text)?;
    let sigmoid = check(&head)?;
    let sizes = head.text("tree_sizes")?.split_ascii_whitespace().count();
    if sizes != trees.len() {
        return Err(InputError::new(format!("has {} of its {sizes} trees", trees.len()))
            .remedy(SAVE_AGAIN)
            .into());
    }
    let parsed = trees.iter().enumerate().map(|(index, section)| {
        tree_of(section).map_err(|error| error.inside(format!("tree {index}")).into())
    });
    let parsed = parsed.collect::<Result<Vec<RawTree>>>()?;
    // Forests average their trees before the probability is taken.
    let share = if head.has("average_output") { parsed.len().max(1) as f64 } else { 1.0 };
    let raw = RawEnsemble {
        library: Library::LightGbm,
        columns: columns(&head, &parsed, pandas_categorical)?,
        precision: Precision::Double,
        unseen: Unseen::Missing,
        trees: parsed,
        factor: sigmoid / share,
        intercept: 0.0,
        sums: Sums::Double,
        link: Link::LogOdds,
        // Its class is 1 where the probability is greater than one half.
        cut: CUT,
        tie: Tie::Zero,
    };
    Ok(Reading { raw, notes: Vec::new(), class_one: None })
}

/// Refuses other versions and objectives; returns the factor of scores.
fn check(head: &Section<'_>) -> Result<f64> {
    let refused = |key: &str, value: &str, problem: &str, remedy: &str| {
        Err(InputError::new(problem).at(key).value(value).remedy(remedy).into())
    };
    let version = head.text("version")?;
    if version != "v3" && version != "v4" {
        return refused(
            "version",
            version,
            "is a version that is not known here",
            "save it with LightGBM 3 or 4",
        );
    }
    let per_round = head.text("num_tree_per_iteration")?;
    if per_round != "1" {
        return refused(
            "num_tree_per_iteration",
            per_round,
            "trees a round decide between more than two classes",
            "fit two classes",
        );
    }
    let objective = if head.has("objective") { head.text("objective")? } else { "(none)" };
    let mut words = objective.split_ascii_whitespace();
    if words.next() != Some("binary") {
        return refused(
            "objective",
            objective,
            "does not decide between two classes by log-odds",
            "fit with the objective binary",
        );
    }
    let sigmoid = words.find_map(|word| word.strip_prefix("sigmoid:")).unwrap_or("1");
    match sigmoid.parse::<f64>() {
        Ok(number) if number > 0.0 && number.is_finite() => Ok(number),
        _ => refused("sigmoid", sigmoid, "is not a number above 0", SAVE_AGAIN),
    }
}

fn columns(
    head: &Section<'_>,
    trees: &[RawTree],
    pandas_categorical: Option<&str>,
) -> Result<Vec<RawColumn>> {
    let names: Vec<&str> = head.text("feature_names")?.split_ascii_whitespace().collect();
    let infos: Vec<&str> = head.text("feature_infos")?.split_ascii_whitespace().collect();
    let last: usize = head.number("max_feature_idx")?;
    for (field, length) in [("feature_names", names.len()), ("feature_infos", infos.len())] {
        if Some(length) != last.checked_add(1) {
            return Err(InputError::new(format!(
                "has {length} entries, and the last column is {last}"
            ))
            .at(field)
            .remedy(SAVE_AGAIN)
            .into());
        }
    }
    let mut asked = vec![false; names.len()];
    for node in trees.iter().flat_map(|tree| &tree.nodes) {
        if let RawNode::Split(RawSplit { column, test: Test::OneOf(_), .. }) = node
            && let Some(asked) = asked.get_mut(*column)
        {
            *asked = true;
        }
    }
    let mut labels = labels(&infos, pandas_categorical)?;
    // LightGBM's own names for columns that have none.
    let unnamed = names.iter().enumerate().all(|(i, &name)| name == format!("Column_{i}"));
    let column = |index: usize| {
        let content = match labels[index].take() {
            Some(labels) => Content::Categories(labels),
            None if asked[index] => Content::NumberedCategories,
            None => Content::Number,
        };
        RawColumn { name: (!unnamed).then(|| names[index].to_owned()), content }
    };
    Ok((0..names.len()).map(column).collect())
}

/// The texts of every column with categories, where the model was fitted on a data frame: they are kept in the order of
/// the columns, without names. A column of numbers is described as `[least:most]`, an unused one as `none`.
fn labels(infos: &[&str], pandas: Option<&str>) -> Result<Vec<Option<Vec<String>>>> {
    let none = vec![None; infos.len()];
    let Some(json) = pandas else { return Ok(none) };
    let lists: Option<Vec<Vec<serde_json::Value>>> = serde_json::from_str(json).map_err(|_| {
        InputError::new("is not a list of lists").at("pandas_categorical").remedy(SAVE_AGAIN)
    })?;
    let lists = lists.unwrap_or_default();
    if lists.is_empty() {
        return Ok(none);
    }
    let some_unused = |with_unused: bool| -> Vec<usize> {
        let fits = |info: &str| !info.starts_with('[') && (with_unused || info != "none");
        (0..infos.len()).filter(|&index| fits(infos[index])).collect()
    };
    let indices = [false, true].map(some_unused).into_iter().find(|p| p.len() == lists.len());
    let Some(indices) = indices else {
        return Err(InputError::new(format!(
            "has the texts of {} columns, and it is unclear which",
            lists.len()
        ))
        .at("pandas_categorical")
        .remedy("fit the model without columns that hold nothing but one value")
        .into());
    };
    let text = |value: serde_json::Value| match value {
        serde_json::Value::String(text) => text,
        other => other.to_string(),
    };
    let mut labels = none;
    for (index, list) in indices.into_iter().zip(lists) {
        labels[index] = Some(list.into_iter().map(text).collect());
    }
    Ok(labels)
}

fn tree_of(section: &Section<'_>) -> Result<RawTree, InputError> {
    if section.has("is_linear") && section.number::<i64>("is_linear")? != 0 {
        return Err(
            InputError::new("has linear models in its leaves").remedy("fit without linear_tree")
        );
    }
    let leaves: usize = section.number("num_leaves")?;
    let values: Vec<f64> = section.numbers("leaf_value", leaves)?;
    let values = values.into_iter().map(RawNode::Leaf);
    let Some(splits) = leaves.checked_sub(1).filter(|&splits| splits > 0) else {
        return Ok(RawTree { nodes: values.collect() });
    };
    let columns: Vec<usize> = section.numbers("split_feature", splits)?;
    let thresholds: Vec<f64> = section.numbers("threshold", splits)?;
    let decisions: Vec<u8> = section.numbers("decision_type", splits)?;
    let left: Vec<i64> = section.numbers("left_child", splits)?;
    let right: Vec<i64> = section.numbers("right_child", splits)?;
    let sets = if section.number::<usize>("num_cat")? > 0 { sets(section)? } else { Vec::new() };
    let nodes = (0..splits).map(|node| {
        let (test, missing, missing_within) = question(decisions[node], thresholds[node], &sets)
            .map_err(|error| error.at(format!("node {node}")))?;
        Ok(RawNode::Split(RawSplit {
            column: columns[node],
            test,
            missing,
            missing_within,
            missing_at: None,
            left: child_index(left[node], splits),
            right: child_index(right[node], splits),
        }))
    });
    Ok(RawTree { nodes: nodes.chain(values.map(Ok)).collect::<Result<_, InputError>>()? })
}

/// Leaves are numbered -1, -2, .. and stand behind the splits here.
fn child_index(child: i64, splits: usize) -> usize {
    let index =
        if child < 0 { (splits as u64).checked_add(!child as u64) } else { Some(child as u64) };
    index.and_then(|index| usize::try_from(index).ok()).unwrap_or(usize::MAX)
}

/// The sets of categories that go left: bits of words of 32.
fn sets(section: &Section<'_>) -> Result<Vec<Vec<u32>>, InputError> {
    let bounds: Vec<usize> = section.all_numbers("cat_boundaries")?;
    let words: Vec<u32> = section.all_numbers("cat_threshold")?;
    let set = |ends: &[usize]| {
        let words = words.get(ends[0]..ends[1]).ok_or_else(|| {
            InputError::new("leads beyond cat_threshold").at("cat_boundaries").remedy(SAVE_AGAIN)
        })?;
        let numbers = (0_u32..).step_by(32).zip(words).flat_map(|(first, word)| {
            (0..32).filter(move |bit| word >> bit & 1 == 1).map(move |bit| first + bit)
        });
        Ok(numbers.collect())
    };
    bounds.windows(2).map(set).collect()
}

/// LightGBM turns numbers that are nearly 0 into 0 before it compares, so that all of them go where 0 goes.
fn beside_zero(threshold: f64) -> Test {
    let zero = f64::from(ZERO);
    if threshold.abs() > zero {
        Test::AtMost(threshold)
    } else if threshold < 0.0 {
        Test::Below(-zero)
    } else {
        Test::AtMost(zero)
    }
}

/// The split of a node. The bits of the decision: categories, missing values to the left, and how a value is missing.
fn question(
    decision: u8,
    threshold: f64,
    sets: &[Vec<u32>],
) -> Result<(Test, Side, Option<f64>), InputError> {
    if decision & 1 == 1 {
        let index = (threshold >= 0.0 && threshold.fract() == 0.0).then_some(threshold as usize);
        let set = index.and_then(|index| sets.get(index)).ok_or_else(|| {
            InputError::new("is not a set of categories").value(threshold).remedy(SAVE_AGAIN)
        })?;
        // A missing category is in no set.
        return Ok((Test::OneOf(set.clone()), Side::Right, None));
    }
    let usual = Side::left_if(decision & 2 == 2);
    let (missing, within) = match decision >> 2 & 3 {
        // A missing value counts as 0.
        0 => (Side::left_if(0.0 <= threshold), None),
        1 => (usual, Some(f64::from(ZERO))),
        2 => (usual, None),
        _ => {
            return Err(InputError::new("is not a type of decision")
                .value(decision)
                .remedy(SAVE_AGAIN));
        }
    };
    Ok((beside_zero(threshold), missing, within))
}
