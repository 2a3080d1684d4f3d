//! What the options of a feature cost under a distance that adds up over columns.

use crate::instance::{Coefficients, FeatureOptions, ValueRange};
use crate::plausibility::{SeparableCost, Shape};
use crate::{InputError, Result, Setting};

/// A feature whose options need more single costs than this takes too much room.
const MOST_COSTS: usize = 1_000_000;

/// One cost per option of a feature. Straight and stepwise costs take no room for the length of a range.
pub(super) fn costs(
    separable: &SeparableCost,
    efforts: &[f64],
    x: &[f64],
    feature: &FeatureOptions,
) -> Result<Coefficients> {
    let cost = |row: &[f64]| -> f64 {
        let pairs = feature.columns.iter().zip(row);
        pairs.map(|(&column, &to)| efforts[column] * separable.of(column, x[column], to)).sum()
    };
    let mut costs = Coefficients::default();
    for (_, range) in feature.options.ranges() {
        let parts = parts(separable, x, feature, range);
        let single = parts.iter().filter(|part| part.alone).map(|part| part.last - part.first + 1);
        if single.sum::<usize>() > MOST_COSTS {
            return Err(InputError::new(format!(
                "`{}` may take more values than this distance can be worked out for",
                feature.name
            ))
            .at("distance")
            .remedy("choose another distance, or offer fewer values of every number, such as 1000")
            .remedy_setting(Setting::OptionLimit)
            .into());
        }
        for Part { first, last, alone } in parts {
            if alone {
                (first..=last).for_each(|index| costs.push(cost(&range.row(index)), 0.0, 1));
                continue;
            }
            let (from, to) = (cost(&range.row(first)), cost(&range.row(last)));
            let steps = last - first;
            let step = if steps == 0 { 0.0 } else { (to - from) / steps as f64 };
            costs.push(from, step, steps + 1);
        }
    }
    for (_, row) in feature.options.listed_values() {
        costs.push(cost(row), 0.0, 1);
    }
    Ok(costs)
}

/// Options of a range whose costs rise evenly, or that are looked at one by one.
struct Part {
    first: usize,
    last: usize,
    alone: bool,
}

fn parts(
    separable: &SeparableCost,
    x: &[f64],
    feature: &FeatureOptions,
    range: &ValueRange,
) -> Vec<Part> {
    let moving: Vec<usize> = (0..feature.columns.len()).filter(|&c| range.moves(c)).collect();
    let is_curve =
        |&member: &usize| matches!(separable.shape(feature.columns[member]), Shape::Curve);
    if moving.iter().any(is_curve) {
        return vec![Part { first: 0, last: range.len() - 1, alone: true }];
    }
    // A part begins where a cost may bend: after a value of the table, and at the own value, which costs nothing.
    let mut begins = vec![0];
    for member in moving {
        let column = feature.columns[member];
        let after = |number: f64| range.count_at_most(member, number);
        match separable.shape(column) {
            Shape::Steps(values) => begins.extend(values.iter().flat_map(|&value| {
                let at = after(value);
                // The value itself belongs to what follows it.
                [at, at.saturating_sub(usize::from(at > 0 && range.value(at - 1, member) == value))]
            })),
            Shape::Lines | Shape::Curve => {}
        }
        let own = after(x[column]);
        begins.extend([own.saturating_sub(1), own]);
    }
    begins.retain(|&begin| begin < range.len());
    begins.sort_unstable();
    begins.dedup();
    let ends = begins[1..].iter().copied().chain([range.len()]);
    begins
        .iter()
        .zip(ends)
        .map(|(&first, end)| Part { first, last: end - 1, alone: false })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instance::Options;
    use crate::plausibility::SeparableKind;

    fn fit(kind: SeparableKind) -> SeparableCost {
        let rows: Vec<Vec<f64>> =
            [0.5, 2.0, 2.0, 7.25, 11.0].iter().map(|&a| vec![a, 3.0 * a]).collect();
        let outcomes = [true, false, false, true, false];
        SeparableCost::fit(kind, &rows, &outcomes, &[false, false]).unwrap()
    }

    #[test]
    fn every_option_costs_what_the_distance_says() {
        let range = |first: &[f64], last: &[f64]| ValueRange::new(first, last, 0.25).unwrap();
        let features = [
            (vec![0], Options::new(vec![range(&[-1.0], &[12.0])], vec![vec![0.3]])),
            (vec![0], Options::new(vec![range(&[4.0], &[6.0])], vec![vec![2.25]])),
            (vec![0, 1], Options::new(vec![range(&[1.0, 20.0], &[9.0, 28.0])], Vec::new())),
        ];
        for kind in [SeparableKind::Tlps, SeparableKind::Mad, SeparableKind::Pcc] {
            let separable = fit(kind);
            for (columns, options) in &features {
                for x in [[2.25, 21.25], [7.25, 26.25], [-40.0, 0.1]] {
                    let name = "f".to_owned();
                    let (columns, options) = (columns.clone(), options.clone());
                    let feature = FeatureOptions { name, columns, options };
                    let found = costs(&separable, &[2.0, 0.5], &x, &feature).unwrap();
                    assert_eq!(found.len(), feature.options.len());
                    for option in 0..found.len() {
                        let row = feature.options.row(option);
                        let expected: f64 = feature
                            .columns
                            .iter()
                            .zip(&row)
                            .map(|(&c, &to)| [2.0, 0.5][c] * separable.of(c, x[c], to))
                            .sum();
                        let off = (found.at(option) - expected).abs();
                        assert!(off <= 1e-12 * expected, "{kind:?} {row:?} {expected}");
                    }
                }
            }
        }
    }

    #[test]
    fn long_ranges_take_no_room_unless_the_cost_is_curved() {
        let long = ValueRange::new(&[0.0], &[1e9], 0.25).unwrap();
        let options = Options::new(vec![long], Vec::new());
        let feature = FeatureOptions { name: "amount".into(), columns: vec![0], options };
        let costs_of = |kind| costs(&fit(kind), &[1.0], &[3.0], &feature);
        for kind in [SeparableKind::Tlps, SeparableKind::Mad] {
            assert!(costs_of(kind).unwrap().runs().len() < 20);
        }
        let error = costs_of(SeparableKind::Pcc).unwrap_err().to_string();
        assert!(error.contains("`amount`") && error.contains("fewer values"), "{error}");
    }
}
