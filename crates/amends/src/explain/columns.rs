//! What features mean for the columns of numbers: which ones move, what they weigh, how they are scaled.

use crate::data::{Dataset, Encoder, Feature, Kind, Schema, Value};
use crate::plausibility::{CodedColumn, standard_scale};

/// The columns of a feature that an instance has to know, counted from the feature's first. An applicant who can't leave
/// the numbers has nothing to do with the columns of codes, and a feature of one column is what engines handle best.
pub(super) fn instance_columns(feature: &Feature, own: &[f64], options: &[Vec<f64>]) -> Vec<usize> {
    if feature.codes.is_empty() {
        return (0..own.len()).collect();
    }
    let moves = |&column: &usize| options.iter().any(|to| to[column] != own[column]);
    let moving: Vec<usize> = (0..own.len()).filter(moves).collect();
    if moving.is_empty() { vec![0] } else { moving }
}

/// Every feature's columns multiplied by its effort.
pub(super) fn with_efforts(
    factor: &[Vec<f64>],
    schema: &Schema,
    encoder: &Encoder,
) -> Vec<Vec<f64>> {
    let efforts: Vec<f64> =
        encoder.columns().iter().map(|column| schema.features[column.feature].effort).collect();
    let weighted =
        |row: &Vec<f64>| row.iter().zip(&efforts).map(|(u, effort)| u * effort).collect();
    factor.iter().map(weighted).collect()
}

/// Whether a number or a rank may give way to a code.
fn is_coded_number(feature: &Feature) -> bool {
    !feature.codes.is_empty() && !matches!(feature.kind, Kind::Categorical { .. })
}

/// The columns of numbers and ranks that codes may stand in for. Where one stands for a level, all columns of levels
/// hold 0, as most of them do anyway.
pub(super) fn coded_columns(schema: &Schema, encoder: &Encoder) -> Vec<CodedColumn> {
    let features = schema.features.iter().enumerate();
    let coded = features.filter(|(_, feature)| is_coded_number(feature));
    coded
        .map(|(f, _)| {
            let columns = encoder.feature_columns(f);
            CodedColumn { number: columns.start, codes: columns.start + 1..columns.end }
        })
        .collect()
}

/// The divisor of each column. Where codes stand in for numbers or ranks, their zeros say nothing about the spread of those:
/// such rows are left out.
pub(super) fn column_scale(training: &Dataset, encoder: &Encoder, rows: &[Vec<f64>]) -> Vec<f64> {
    let mut scale = standard_scale(rows);
    for (f, feature) in training.schema.features.iter().enumerate() {
        if !is_coded_number(feature) {
            continue;
        }
        let column = encoder.feature_columns(f).start;
        let numbers: Vec<Vec<f64>> = training
            .records
            .iter()
            .filter_map(|record| match record[f] {
                Value::Number(number) => Some(vec![number]),
                Value::Level(rank) => Some(vec![rank as f64]),
                Value::Code(_) => None,
            })
            .collect();
        scale[column] = standard_scale(&numbers).first().copied().unwrap_or(1.0);
    }
    scale
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Code, Target};

    fn feature() -> Feature {
        let codes = vec![Code::new("-7", "never"), Code::new("-8", "unusable")];
        Feature { codes, effort: 3.0, ..Feature::new("a", Kind::Integer) }
    }

    fn training(values: &[Value]) -> Dataset {
        let target =
            Target { column: "y".into(), favourable: "1".into(), unfavourable: "0".into() };
        let features = vec![feature(), Feature::new("b", Kind::Continuous)];
        let records = values.iter().map(|&value| vec![value, Value::Number(1.0)]).collect();
        Dataset {
            schema: Schema { name: "t".into(), target, features, rules: Vec::new() },
            records,
            favourable: vec![true; values.len()],
            row_numbers: (1..=values.len()).collect(),
        }
    }

    #[test]
    fn only_columns_that_move_are_in_the_instance() {
        let numbers = [vec![3.0, 0.0, 0.0], vec![5.0, 0.0, 0.0]];
        assert_eq!(instance_columns(&feature(), &[3.0, 0.0, 0.0], &numbers), [0]);
        let kept = [vec![0.0, 1.0, 0.0]];
        assert_eq!(instance_columns(&feature(), &[0.0, 1.0, 0.0], &kept), [0]);
        let left = [vec![0.0, 1.0, 0.0], vec![5.0, 0.0, 0.0]];
        assert_eq!(instance_columns(&feature(), &[0.0, 1.0, 0.0], &left), [0, 1]);
        let levels = Feature::new("c", Kind::Categorical { levels: vec!["x".into(), "y".into()] });
        assert_eq!(instance_columns(&levels, &[1.0, 0.0], &[vec![1.0, 0.0]]), [0, 1]);
    }

    #[test]
    fn efforts_weigh_all_columns_of_their_feature() {
        let schema = training(&[]).schema;
        let factor = [vec![1.0, 2.0, 4.0, 8.0]];
        let weighted = with_efforts(&factor, &schema, &Encoder::new(&schema));
        assert_eq!(weighted, [[3.0, 6.0, 12.0, 8.0]]);
    }

    #[test]
    fn codes_do_not_widen_the_numbers() {
        let data = training(&[Value::Number(90.0), Value::Code(0), Value::Number(110.0)]);
        let encoder = Encoder::new(&data.schema);
        let rows: Vec<Vec<f64>> =
            data.records.iter().map(|record| encoder.encode(record)).collect();
        let scale = column_scale(&data, &encoder, &rows);
        assert_eq!(scale[0], 10.0);
        // Nobody has the second code, and everybody the same second number.
        assert_eq!(scale[2..], [1.0, 1.0]);
        let codes_only = training(&[Value::Code(0), Value::Code(1)]);
        let rows: Vec<Vec<f64>> =
            codes_only.records.iter().map(|record| encoder.encode(record)).collect();
        assert_eq!(column_scale(&codes_only, &encoder, &rows), [1.0, 0.5, 0.5, 1.0]);
    }
}
