//! Limited options of whole applicants: rules, ranges and cells hold for every feature at once.

use super::repeatable::repeatable;
use crate::action::Ranges;
use crate::action::limited::options::{LimitedOptions, options};
use crate::data::{Change, Code, Dataset, Encoder, Feature, Kind, Record, Schema, Target, Value};
use proptest::prelude::*;

fn german() -> (Dataset, Ranges) {
    let data = Dataset::german_free();
    let ranges = Ranges::fit(&data.schema, &data.records).unwrap();
    (data, ranges)
}

fn rank(value: Value) -> f64 {
    match value {
        Value::Number(number) => number,
        Value::Level(level) => level as f64,
        // Codes come after every number.
        Value::Code(code) => 1e300 * (1.0 + code as f64),
    }
}

#[test]
fn german_applicants_get_the_papers_options() {
    let (data, ranges) = german();
    for applicant in &data.records {
        let found = options(&data.schema, &ranges, applicant, None, 100).unwrap();
        for (feature, options) in found.iter().enumerate() {
            let entry = &data.schema.features[feature];
            assert_eq!(options.values[options.keep], applicant[feature]);
            let expected = match entry.name.as_str() {
                "age" | "personal_status_sex" | "foreign_worker" => 1..=1,
                // A hundred others and the own.
                "credit_amount" => 101..=101,
                "duration" => 69..=69,
                _ if entry.is_numeric() => 2..=4,
                _ => entry.levels().len()..=entry.levels().len(),
            };
            assert!(
                expected.contains(&options.values.len()),
                "{}: {}",
                entry.name,
                options.values.len()
            );
        }
    }
}

#[test]
fn codes_beside_levels_are_left_and_entered_where_the_schema_says_so() {
    let (mut data, _) = german();
    let housing = data.schema.feature_index("housing").unwrap();
    let savings = data.schema.feature_index("savings").unwrap();
    let code = |leave, enter| Code { leave, enter, ..Code::new("", "missing") };
    for (index, record) in data.records.iter_mut().enumerate().filter(|(index, _)| index % 3 == 0) {
        record[if index % 2 == 0 { housing } else { savings }] = Value::Code(0);
    }
    let levels = |feature: usize| data.schema.features[feature].levels().len();
    let counts = [housing, savings].map(levels);
    for (leave, enter) in [(false, false), (true, false), (false, true), (true, true)] {
        for feature in [housing, savings] {
            data.schema.features[feature].codes = vec![code(leave, enter)];
        }
        let ranges = Ranges::fit(&data.schema, &data.records).unwrap();
        for applicant in &data.records[..4] {
            let found = options(&data.schema, &ranges, applicant, None, 100).unwrap();
            for (feature, count) in [housing, savings].into_iter().zip(counts) {
                let expected = match applicant[feature] {
                    Value::Code(_) if leave => count + 1,
                    Value::Code(_) => 1,
                    _ => count + usize::from(enter),
                };
                assert_eq!(found[feature].values.len(), expected);
                assert_eq!(found[feature].values[found[feature].keep], applicant[feature]);
                let rules = &data.schema.features[feature];
                for &value in &found[feature].values {
                    assert_eq!(rules.broken(applicant[feature], value), []);
                }
            }
        }
    }
}

#[test]
fn directions_keep_one_side() {
    let (mut data, ranges) = german();
    let duration = data.schema.feature_index("duration").unwrap();
    let applicant = data.records[0].clone();
    let mut values = |change| {
        data.schema.features[duration].change = change;
        let found = options(&data.schema, &ranges, &applicant, None, 100).unwrap();
        found[duration].values.clone()
    };
    assert_eq!(values(Change::Decrease), [4.0, 5.0, 6.0].map(Value::Number));
    assert_eq!(values(Change::Increase).len(), 67);
    assert_eq!(values(Change::Immutable), [Value::Number(6.0)]);
}

#[test]
fn cuts_decide_for_trees() {
    let (data, ranges) = german();
    let encoder = Encoder::new(&data.schema);
    let amount = data.schema.feature_index("credit_amount").unwrap();
    let mut cuts = vec![Vec::new(); encoder.width()];
    cuts[encoder.feature_columns(amount).start] = vec![999.5, 3000.0];
    let found = options(&data.schema, &ranges, &data.records[0], Some(&cuts), 100).unwrap();
    assert_eq!(found[amount].values, [999.0, 1169.0, 3001.0].map(Value::Number));
    assert_eq!(found[amount].keep, 1);
    // Without a split there is no reason to change a number, but levels stay: they share one-hot columns.
    assert_eq!(found[data.schema.feature_index("duration").unwrap()].values.len(), 1);
    assert_eq!(found[data.schema.feature_index("purpose").unwrap()].values.len(), 10);
}

#[test]
fn mismatched_inputs_are_refused() {
    let (data, ranges) = german();
    let applicant = &data.records[0];
    let heloc = Schema::heloc();
    assert!(options(&heloc, &ranges, applicant, None, 100).is_err());
    let numbers: Record = heloc.features.iter().map(|_| Value::Number(1.0)).collect();
    let message = options(&heloc, &ranges, &numbers, None, 100).unwrap_err().to_string();
    assert!(
        message.contains("ranges are of 20 features, but the schema `heloc` has 23"),
        "{message}"
    );
    let message =
        options(&data.schema, &ranges, applicant, Some(&[vec![]]), 100).unwrap_err().to_string();
    assert!(message.contains("thresholds for 1 columns, but the encoding has 61"), "{message}");
}

/// A schema of one feature of each kind, with any rule.
fn any_schema() -> impl Strategy<Value = Schema> {
    let change = prop::sample::select(vec![
        Change::Free,
        Change::Increase,
        Change::Decrease,
        Change::Immutable,
    ]);
    let steps =
        (prop::option::of(1u32..9), prop::option::of(prop::sample::select(vec![0.1, 0.25, 3.0])));
    (prop::collection::vec(change, 4), steps).prop_map(|(changes, (whole, decimal))| {
        let levels = ["low", "middle", "high", "top"].map(String::from).to_vec();
        let kinds = [
            Kind::Integer,
            Kind::Continuous,
            Kind::Ordinal { levels },
            Kind::Binary { levels: ["no".into(), "yes".into()] },
        ];
        let mut features: Vec<Feature> = kinds
            .into_iter()
            .zip(changes)
            .map(|(kind, change)| Feature { change, ..Feature::new(kind.name(), kind) })
            .collect();
        features[0].step = whole.map(f64::from);
        features[1].step = decimal;
        let target =
            Target { column: "y".into(), favourable: "1".into(), unfavourable: "0".into() };
        Schema { name: "any".into(), target, features, rules: Vec::new() }
    })
}

fn any_record() -> impl Strategy<Value = Record> {
    (-500i32..500, -5000i32..5000, 0usize..4, 0usize..2).prop_map(
        |(whole, thousandths, rank, level)| {
            let number = f64::from(thousandths) / 1000.0;
            vec![
                Value::Number(f64::from(whole)),
                Value::Number(number),
                Value::Level(rank),
                Value::Level(level),
            ]
        },
    )
}

/// The cell of a value: how many thresholds it lies above.
fn cell(value: f64, cuts: &[f64]) -> usize {
    cuts.iter().filter(|&&cut| value > cut).count()
}

fn check(schema: &Schema, ranges: &Ranges, applicant: &Record, found: &[LimitedOptions]) {
    for (index, options) in found.iter().enumerate() {
        let feature = &schema.features[index];
        assert_eq!(options.values[options.keep], applicant[index]);
        assert!(options.values.is_sorted_by(|a, b| rank(*a) < rank(*b)), "{options:?}");
        for (place, &value) in options.values.iter().enumerate() {
            assert!(feature.change.allows(rank(applicant[index]), rank(value)));
            assert_eq!(feature.parse(&feature.show(value)).unwrap(), value);
            if place == options.keep {
                continue;
            }
            if let Some(range) = ranges.feature(index) {
                assert!(
                    (range.min..=range.max).contains(&rank(value)),
                    "{value:?} is outside {range:?}"
                );
            }
            if let Some(step) = feature.step {
                let steps = rank(value) / step;
                assert!(
                    (steps - steps.round()).abs() < 1e-9,
                    "{value:?} is not a multiple of {step}"
                );
            }
        }
    }
}

proptest! {
    #![proptest_config(repeatable(256))]

    #[test]
    fn grids_respect_rules_range_and_limit(
        schema in any_schema(),
        records in prop::collection::vec(any_record(), 1..20),
        applicant in any_record(),
        limit in 0usize..120,
    ) {
        let ranges = Ranges::fit(&schema, &records).unwrap();
        let found = options(&schema, &ranges, &applicant, None, limit).unwrap();
        check(&schema, &ranges, &applicant, &found);
        for options in &found[..2] {
            prop_assert!(options.values.len() <= limit.max(2) + 1);
        }
        // Short texts: no more decimals than the data has.
        for value in &found[1].values {
            prop_assert!(schema.features[1].show(*value).len() <= 7, "{value:?}");
        }
    }

    #[test]
    fn cells_hold_at_most_one_value_and_the_nearest(
        schema in any_schema(),
        records in prop::collection::vec(any_record(), 1..20),
        applicant in any_record(),
        mut cuts in prop::collection::vec(-6.0..6.0f64, 0..12),
    ) {
        cuts.sort_by(f64::total_cmp);
        let ranges = Ranges::fit(&schema, &records).unwrap();
        let per_column = vec![cuts.clone(); 4];
        let found = options(&schema, &ranges, &applicant, Some(&per_column), 100).unwrap();
        check(&schema, &ranges, &applicant, &found);
        for (index, options) in found[..3].iter().enumerate() {
            let own = rank(applicant[index]);
            let cells: Vec<usize> = options.values.iter().map(|value| cell(rank(*value), &cuts)).collect();
            prop_assert!(cells.is_sorted_by(|a, b| a < b), "{:?} in {cells:?}", options.values);
            // No record's value that the rules allow is nearer in its cell than the option there.
            for record in records.iter().filter(|_| schema.features[index].step.is_none()) {
                let seen = rank(record[index]);
                if schema.features[index].change.allows(own, seen) {
                    let place = cells.iter().position(|&c| c == cell(seen, &cuts));
                    let option = rank(options.values[place.expect("the cell has a value")]);
                    prop_assert!((option - own).abs() <= (seen - own).abs(), "{option} for {own}, not {seen}");
                }
            }
        }
    }
}
