//! The options of one applicant: per feature, the own value and what it may become.

use super::Ranges;
use super::cells::nearest_in_cells;
use super::grid::grid;
use super::ranges::Range;
use crate::data::{Change, Encoder, Feature, Kind, Schema, Value};
use crate::{InputError, Result};

/// What one feature of one applicant may become.
#[derive(Debug, Clone, PartialEq)]
pub struct FeatureOptions {
    /// The allowed values in rising order, the applicant's own among them.
    pub values: Vec<Value>,
    /// Where the applicant's own value stands.
    pub keep: usize,
}

/// The options of an applicant, per feature.
///
/// New values lie in the data's range; only the applicant's own may lie outside. Without `cut_points`, numbers get a
/// grid of about `limit` other values (100 is usual). With the split thresholds of a tree ensemble, one list per encoded
/// column, each cell between thresholds gets the one value that is closest to the applicant's own, however many
/// those are.
pub fn options(
    schema: &Schema,
    ranges: &Ranges,
    applicant: &[Value],
    cut_points: Option<&[Vec<f64>]>,
    limit: usize,
) -> Result<Vec<FeatureOptions>> {
    schema.check_record(applicant)?;
    if ranges.len() != schema.features.len() {
        return Err(InputError::new(format!(
            "the ranges are of {} features, but the schema `{}` has {}",
            ranges.len(),
            schema.name,
            schema.features.len()
        ))
        .remedy("fit the ranges with the same schema")
        .into());
    }
    let encoder = Encoder::new(schema);
    if let Some(cut_points) = cut_points
        && cut_points.len() != encoder.width()
    {
        return Err(InputError::new(format!(
            "there are thresholds for {} columns, but the encoding has {}",
            cut_points.len(),
            encoder.width()
        ))
        .remedy("give one list of thresholds per encoded column")
        .into());
    }
    let per_feature =
        schema.features.iter().zip(applicant).enumerate().map(|(index, (feature, &own))| {
            let cuts = cut_points.map(|cuts| cuts[encoder.feature_columns(index).start].as_slice());
            match own {
                Value::Number(own) => {
                    number_options(feature, ranges.feature(index), cuts, own, limit)
                }
                Value::Level(own) => level_options(feature, cuts, own),
            }
        });
    Ok(per_feature.collect())
}

fn number_options(
    feature: &Feature,
    range: Option<Range>,
    cuts: Option<&[f64]>,
    own: f64,
    limit: usize,
) -> FeatureOptions {
    let mut values = match range.map(|range| allowed(feature.change, range, own)) {
        Some(range) if range.min <= range.max => match cuts {
            Some(cuts) => nearest_in_cells(&feature.kind, range, feature.step, cuts, own),
            None => grid(&feature.kind, range, feature.step, own, limit),
        },
        _ => Vec::new(),
    };
    values.retain(|&value| value != own);
    let keep = values.partition_point(|&value| value < own);
    values.insert(keep, own);
    FeatureOptions { values: values.into_iter().map(Value::Number).collect(), keep }
}

/// The side of the range that the rule allows, so that all of a grid's values fall there.
fn allowed(change: Change, range: Range, own: f64) -> Range {
    let Range { min, max, .. } = range;
    match change {
        Change::Free => range,
        Change::Immutable => Range { min: own, max: own, ..range },
        Change::Increase => Range { min: min.max(own), ..range },
        Change::Decrease => Range { max: max.min(own), ..range },
    }
}

fn level_options(feature: &Feature, cuts: Option<&[f64]>, own: usize) -> FeatureOptions {
    let count = feature.levels().len();
    let mut levels: Vec<usize> = match (&feature.kind, cuts) {
        (Kind::Ordinal { .. }, Some(cuts)) => {
            // Ranks are whole numbers to a tree.
            let ranks = Range { min: 0.0, max: (count - 1) as f64, decimals: 0 };
            let nearest = nearest_in_cells(&Kind::Integer, ranks, None, cuts, own as f64);
            nearest.into_iter().map(|rank| rank as usize).collect()
        }
        _ => (0..count).collect(),
    };
    levels.retain(|&level| feature.change.allows(own as f64, level as f64));
    let keep = levels.partition_point(|&level| level < own);
    FeatureOptions { values: levels.into_iter().map(Value::Level).collect(), keep }
}
