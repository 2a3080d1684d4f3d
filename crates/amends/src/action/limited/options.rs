//! The options of one applicant: per feature, the own value and what it may become.

use super::cells::nearest_in_cells;
use super::grid::grid;
use crate::action::room::Room;
use crate::action::single::enterable;
use crate::action::{Range, Ranges};
use crate::data::{Change, Encoder, Feature, Kind, Schema, Value};
use crate::{InputError, Result};

/// What one feature of one applicant may become.
#[derive(Debug, Clone, PartialEq)]
pub struct LimitedOptions {
    /// The allowed values, the applicant's own among them: numbers or levels in rising order, then codes.
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
///
/// Who has a number or a level keeps to those, and who has a code keeps it, unless the schema lets the code be entered or
/// left. Who leaves a code has no own number that others could be near to, and gets the grid with every model, or all levels.
pub fn options(
    schema: &Schema,
    ranges: &Ranges,
    applicant: &[Value],
    cut_points: Option<&[Vec<f64>]>,
    limit: usize,
) -> Result<Vec<LimitedOptions>> {
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
            let seen = ranges.feature(index);
            match own {
                Value::Number(own) => {
                    let mut options = number_options(feature, seen, cuts, own, limit);
                    options.values.extend(enterable(feature, index, ranges));
                    options
                }
                Value::Level(own) => {
                    let mut options = level_options(feature, cuts, own);
                    options.values.extend(enterable(feature, index, ranges));
                    options
                }
                Value::Code(own) => code_options(feature, index, ranges, own, limit),
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
) -> LimitedOptions {
    let room = range.map(|seen| Room::around(feature, seen, own));
    let mut values = match room.filter(|room| !room.is_empty()) {
        Some(room) => match cuts {
            Some(cuts) => nearest_in_cells(&feature.kind, &room, feature.step, cuts, own),
            None => numbers_of(feature, &room, Some(own), limit),
        },
        None => Vec::new(),
    };
    values.retain(|&value| value != own);
    let keep = values.partition_point(|&value| value < own);
    values.insert(keep, own);
    LimitedOptions { values: values.into_iter().map(Value::Number).collect(), keep }
}

fn numbers_of(feature: &Feature, room: &Room, own: Option<f64>, limit: usize) -> Vec<f64> {
    let mut values = grid(&feature.kind, room.whole, feature.step, own, limit);
    values.retain(|&value| room.allows(value));
    values
}

fn code_options(
    feature: &Feature,
    index: usize,
    ranges: &Ranges,
    own: usize,
    limit: usize,
) -> LimitedOptions {
    let mut values = Vec::new();
    if feature.codes[own].leave && feature.change != Change::Immutable {
        values.extend((0..feature.levels().len()).map(Value::Level));
        let room = ranges.feature(index).map(|seen| Room::anywhere(feature, seen));
        if let Some(room) = room.filter(|room| !room.is_empty()) {
            values.extend(numbers_of(feature, &room, None, limit).into_iter().map(Value::Number));
        }
        values.extend(enterable(feature, index, ranges).filter(|&code| code != Value::Code(own)));
    }
    let keep = values.len();
    values.push(Value::Code(own));
    LimitedOptions { values, keep }
}

fn level_options(feature: &Feature, cuts: Option<&[f64]>, own: usize) -> LimitedOptions {
    let count = feature.levels().len();
    let mut levels: Vec<usize> = match (&feature.kind, cuts) {
        (Kind::Ordinal { .. }, Some(cuts)) => {
            // Ranks are whole numbers to a tree.
            let ranks = Feature::new("", Kind::Integer);
            let all = Range { min: 0.0, max: (count - 1) as f64, decimals: 0 };
            let room = Room::around(&ranks, all, own as f64);
            let nearest = nearest_in_cells(&ranks.kind, &room, None, cuts, own as f64);
            nearest.into_iter().map(|rank| rank as usize).collect()
        }
        _ => (0..count).collect(),
    };
    let near = |level: usize| !feature.limits.one_step || level.abs_diff(own) <= 1;
    let listed = |level: usize| level == own || feature.lists_move(own, level);
    levels.retain(|&level| {
        near(level) && listed(level) && feature.change.allows(own as f64, level as f64)
    });
    let keep = levels.partition_point(|&level| level < own);
    LimitedOptions { values: levels.into_iter().map(Value::Level).collect(), keep }
}
