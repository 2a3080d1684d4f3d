//! What applicants are offered and what the schema's own checker forbids, found by two codes that know nothing of each
//! other.

use crate::action::Ranges;
use crate::action::limited::options::options;
use crate::action::moves;
use crate::data::{Change, Code, Dataset, FeatureLimits, Kind, LocalRule, Schema, Value};

/// German credit with some of every rule, and codes in the numbers of every third row.
fn ruled() -> Dataset {
    let mut german = Dataset::german_free();
    let place = |name: &str| Schema::german_free().feature_index(name).unwrap();
    let feature = |german: &mut Dataset, name: &str, limits: FeatureLimits, change: Change| {
        let feature = &mut german.schema.features[place(name)];
        (feature.limits, feature.change) = (limits, change);
    };
    let none = FeatureLimits::default();
    feature(
        &mut german,
        "duration",
        FeatureLimits { range: Some([6.0, 36.5]), least_change: Some(2.5), ..none },
        Change::Decrease,
    );
    feature(
        &mut german,
        "credit_amount",
        FeatureLimits { relative_range: Some([-3000.0, 500.0]), ..none },
        Change::Free,
    );
    german.schema.features[place("credit_amount")].step = Some(250.0);
    feature(
        &mut german,
        "residence_since",
        FeatureLimits { max_change: Some(2.0), ..none },
        Change::Increase,
    );
    let savings = &mut german.schema.features[place("savings")];
    savings.kind = Kind::Ordinal { levels: savings.levels().to_vec() };
    (savings.limits.one_step, savings.change) = (true, Change::Increase);
    let rate = place("installment_rate");
    german.schema.features[rate].codes = vec![
        Code { leave: true, ..Code::new("2", "left") },
        Code { enter: true, ..Code::new("", "entered") },
        Code::new("NA", "kept"),
    ];
    for (row, record) in german.records.iter_mut().enumerate() {
        if record[rate] == Value::Number(2.0) {
            record[rate] = Value::Code(row % 3);
        }
    }
    german.schema.check().unwrap();
    german
}

#[test]
fn what_is_offered_breaks_no_rule() {
    let german = ruled();
    let ranges = Ranges::fit(&german.schema, &german.records).unwrap();
    let mut offered = 0;
    for record in german.records.iter().step_by(7) {
        let options = options(&german.schema, &ranges, record, None, 100).unwrap();
        for ((feature, options), &own) in german.schema.features.iter().zip(options).zip(record) {
            for &value in &options.values {
                assert_eq!(feature.broken(own, value), [], "{} {own:?} {value:?}", feature.name);
                offered += 1;
            }
        }
    }
    assert!(offered > 10_000, "{offered}");
}

#[test]
fn what_breaks_no_rule_is_offered() {
    let german = ruled();
    let ranges = Ranges::fit(&german.schema, &german.records).unwrap();
    let place = |name: &str| german.schema.feature_index(name).unwrap();
    for record in german.records.iter().step_by(7) {
        let options = options(&german.schema, &ranges, record, None, 100).unwrap();
        let check = |name: &str, all: &[Value]| {
            let (feature, own) = (&german.schema.features[place(name)], record[place(name)]);
            for &value in all {
                let allowed = feature.broken(own, value).is_empty();
                let offered = options[place(name)].values.contains(&value);
                assert_eq!(offered, allowed, "{name}: {own:?} to {value:?}");
            }
        };
        // Whole numbers of the data's own range, all of them offered because they are few.
        let numbers = |low: i32, high: i32| -> Vec<Value> {
            (low..=high).map(|number| Value::Number(f64::from(number))).collect()
        };
        check("duration", &numbers(4, 72));
        check("residence_since", &numbers(1, 4));
        check("installment_rate", &[numbers(1, 4), (0..3).map(Value::Code).collect()].concat());
        check("savings", &(0..5).map(Value::Level).collect::<Vec<_>>());
        check("age", &numbers(19, 75));
        check(
            "credit_amount",
            &numbers(1, 72)
                .iter()
                .map(|&value| match value {
                    Value::Number(number) => {
                        Value::Number(number * 250.0 + f64::from(number as i32 % 2))
                    }
                    other => other,
                })
                .collect::<Vec<_>>(),
        );
    }
}

#[test]
fn every_value_that_breaks_no_rule_is_offered_without_a_limit() {
    let german = ruled();
    let ranges = Ranges::fit(&german.schema, &german.records).unwrap();
    for record in german.records.iter().step_by(31) {
        let moves = moves(&german.schema, &ranges, record, &[], None).unwrap();
        for ((its, feature), (index, &own)) in
            moves.iter().zip(&german.schema.features).zip(record.iter().enumerate())
        {
            let seen =
                ranges.feature(index).map_or(0..0, |seen| seen.min as i32..seen.max as i32 + 1);
            let numbers = seen.map(|number| Value::Number(f64::from(number)));
            let levels = (0..feature.levels().len()).map(Value::Level);
            let codes = (0..feature.codes.len()).filter(|&code| ranges.has_code(index, code));
            let all = numbers.chain(levels).chain(codes.map(Value::Code));
            let allowed: Vec<Value> = all
                .filter(|&value| value != own && feature.broken(own, value).is_empty())
                .collect();
            let missing = allowed.iter().find(|&&value| its.options.find(&[value]).is_none());
            assert_eq!(missing, None, "{} {own:?}", feature.name);
            assert_eq!(its.len(), allowed.len() + 1, "{} {own:?}", feature.name);
            assert_eq!(its.values(its.keep), [own]);
        }
    }
}

#[test]
fn the_rule_that_forbids_a_value_is_named() {
    let german = ruled();
    let broken = |name: &str, from: f64, to: f64| {
        let feature = &german.schema.features[german.schema.feature_index(name).unwrap()];
        feature.broken(Value::Number(from), Value::Number(to))
    };
    assert_eq!(broken("age", 30.0, 31.0), [LocalRule::Immutable]);
    assert_eq!(broken("duration", 24.0, 5.0), [LocalRule::Range]);
    assert_eq!(broken("duration", 24.0, 25.0), [LocalRule::Direction, LocalRule::LeastChange]);
    assert_eq!(
        broken("credit_amount", 5000.0, 1999.0),
        [LocalRule::RelativeRange, LocalRule::Step]
    );
    assert_eq!(broken("installment_rate", 3.0, 2.0), [LocalRule::ReadsAsCode]);
}
