//! Rules of single features: no option of any applicant ever breaks one.

use super::repeatable::repeatable;
use crate::action::Ranges;
use crate::action::limited::options::{LimitedOptions, options};
use crate::data::{
    Change, Code, Encoder, Feature, FeatureLimits, Kind, Record, Schema, Target, Value,
};
use proptest::prelude::*;

const CODES: [&str; 3] = ["-7", "40", ""];

/// Any limits, sensible or not.
fn any_limits() -> impl Strategy<Value = FeatureLimits> {
    let tenths = || (-600i32..600).prop_map(|tenths| f64::from(tenths) / 10.0);
    let end = |open: f64| prop_oneof![4 => tenths(), 1 => Just(open)];
    let pair = || (end(f64::NEG_INFINITY), end(f64::INFINITY)).prop_map(|(low, high)| [low, high]);
    let around = (0i32..400, 0i32..400)
        .prop_map(|(down, up)| [-f64::from(down) / 10.0, f64::from(up) / 10.0]);
    let size = || (1i32..300).prop_map(|tenths| f64::from(tenths) / 10.0);
    let some = |share: f64| prop::option::weighted(share, size());
    (prop::option::weighted(0.4, pair()), prop::option::weighted(0.3, around), some(0.3), some(0.3))
        .prop_map(|(range, relative_range, max_change, least_change)| FeatureLimits {
            range,
            relative_range,
            max_change,
            least_change,
            one_step: false,
        })
}

fn any_codes() -> impl Strategy<Value = Vec<Code>> {
    let code = |text: &'static str| {
        (any::<bool>(), any::<bool>()).prop_map(move |(leave, enter)| Code {
            leave,
            enter,
            ..Code::new(text, format!("state {text}."))
        })
    };
    CODES.map(code).to_vec()
}

/// A whole number, a decimal and a rank, with any rules that the schema's check lets pass.
fn any_schema() -> impl Strategy<Value = Schema> {
    let change = prop::sample::select(vec![
        Change::Free,
        Change::Free,
        Change::Increase,
        Change::Decrease,
        Change::Immutable,
    ]);
    let rules = prop::collection::vec((change, any_limits(), any_codes()), 3);
    let steps = (prop::option::weighted(0.2, 1u32..9), prop::option::weighted(0.2, Just(0.25)));
    (rules, steps, any::<bool>())
        .prop_map(|(rules, (whole, decimal), one_step)| {
            let levels = ["none", "low", "middle", "high", "top"].map(String::from).to_vec();
            let kinds = [Kind::Integer, Kind::Continuous, Kind::Ordinal { levels }];
            let mut features: Vec<Feature> = kinds
                .into_iter()
                .zip(rules)
                .map(|(kind, (change, limits, codes))| Feature {
                    change,
                    limits,
                    codes,
                    ..Feature::new(kind.name(), kind)
                })
                .collect();
            features[0].step = whole.map(f64::from);
            features[1].step = decimal;
            features[2].codes.clear();
            features[2].limits = FeatureLimits { one_step, ..FeatureLimits::default() };
            for feature in &mut features {
                if feature.change == Change::Immutable {
                    feature.limits = FeatureLimits::default();
                    for code in &mut feature.codes {
                        (code.leave, code.enter) = (false, false);
                    }
                }
            }
            let target =
                Target { column: "y".into(), favourable: "1".into(), unfavourable: "0".into() };
            Schema { name: "any".into(), target, features, rules: Vec::new() }
        })
        .prop_filter("the rules leave moves", |schema| schema.check().is_ok())
}

fn any_record() -> impl Strategy<Value = Record> {
    let code = || prop::option::weighted(0.25, 0..CODES.len());
    let number = |number: f64, code: Option<usize>| {
        let reads_as_code = [-7.0, 40.0].contains(&number);
        code.map_or(Value::Number(if reads_as_code { number + 1.0 } else { number }), Value::Code)
    };
    (-60i32..60, -600i32..600, code(), code(), 0usize..5).prop_map(
        move |(whole, tenths, first, second, level)| {
            vec![
                number(f64::from(whole), first),
                number(f64::from(tenths) / 10.0, second),
                Value::Level(level),
            ]
        },
    )
}

/// Decimals are binary fractions: sizes agree but for their last digits.
const ROUNDING: f64 = 1e-9;

fn check_number(feature: &Feature, own: Value, new: f64) {
    let FeatureLimits { range, relative_range, max_change, least_change, .. } = feature.limits;
    let inside = |[low, high]: [f64; 2], number: f64| {
        assert!(low - ROUNDING <= number && number <= high + ROUNDING, "{number} in {feature:?}");
    };
    inside(range.unwrap_or([f64::NEG_INFINITY, f64::INFINITY]), new);
    if let Some(step) = feature.step {
        let steps = new / step;
        assert!((steps - steps.round()).abs() < ROUNDING, "{new} is not a multiple of {step}");
    }
    match own {
        Value::Number(own) => {
            assert!(feature.change.allows(own, new), "{own} to {new} in {feature:?}");
            let size = (new - own).abs();
            inside(relative_range.unwrap_or([f64::NEG_INFINITY, f64::INFINITY]), new - own);
            inside([least_change.unwrap_or(0.0), max_change.unwrap_or(f64::INFINITY)], size);
        }
        Value::Code(own) => {
            assert!(feature.codes[own].leave && feature.change != Change::Immutable);
        }
        Value::Level(_) => unreachable!("numbers and levels don't mix"),
    }
}

fn check(schema: &Schema, ranges: &Ranges, applicant: &Record, found: &[LimitedOptions]) {
    for (index, (feature, options)) in schema.features.iter().zip(found).enumerate() {
        let own = applicant[index];
        assert_eq!(options.values[options.keep], own);
        for (place, &new) in options.values.iter().enumerate() {
            // What comes out is what a table would hold.
            assert_eq!(feature.parse(&feature.show(new)).unwrap(), new);
            assert_eq!(options.values.iter().filter(|&&other| other == new).count(), 1);
            if place == options.keep {
                continue;
            }
            match (own, new) {
                (_, Value::Number(number)) => {
                    check_number(feature, own, number);
                    let seen = ranges.feature(index).unwrap();
                    assert!((seen.min..=seen.max).contains(&number), "{number} was never seen");
                }
                (Value::Level(own), Value::Level(level)) => {
                    assert!(feature.change.allows(own as f64, level as f64));
                    assert!(!feature.limits.one_step || own.abs_diff(level) == 1);
                }
                (own, Value::Code(code)) => {
                    assert!(feature.codes[code].enter && feature.change != Change::Immutable);
                    assert!(ranges.has_code(index, code));
                    if let Value::Code(own) = own {
                        assert!(feature.codes[own].leave);
                    }
                }
                (own, new) => panic!("{own:?} became {new:?}"),
            }
        }
    }
}

proptest! {
    #![proptest_config(repeatable(2000))]

    #[test]
    fn no_option_breaks_a_rule(
        schema in any_schema(),
        records in prop::collection::vec(any_record(), 1..20),
        applicant in any_record(),
        cuts in prop::option::of(prop::collection::vec(-60.0..60.0f64, 0..12)),
        limit in 1usize..120,
    ) {
        let ranges = Ranges::fit(&schema, &records).unwrap();
        let cuts = cuts.map(|cuts| vec![cuts; Encoder::new(&schema).width()]);
        let found = options(&schema, &ranges, &applicant, cuts.as_deref(), limit).unwrap();
        check(&schema, &ranges, &applicant, &found);
    }

    #[test]
    fn every_whole_number_that_the_rules_allow_is_offered(
        schema in any_schema(),
        records in prop::collection::vec(any_record(), 1..20),
        applicant in any_record(),
    ) {
        let ranges = Ranges::fit(&schema, &records).unwrap();
        let found = options(&schema, &ranges, &applicant, None, 1000).unwrap();
        let feature = &schema.features[0];
        let (Value::Number(own), Some(seen)) = (applicant[0], ranges.feature(0)) else {
            return Ok(());
        };
        let FeatureLimits { range, relative_range, max_change, least_change, .. } = feature.limits;
        let inside = |pair: Option<[f64; 2]>, number: f64| {
            pair.is_none_or(|[low, high]| low <= number && number <= high)
        };
        for new in (seen.min as i32)..=(seen.max as i32) {
            let new = f64::from(new);
            let size = (new - own).abs();
            let allowed = feature.change.allows(own, new)
                && inside(range, new)
                && inside(relative_range, new - own)
                && max_change.is_none_or(|most| size <= most)
                && least_change.is_none_or(|least| size >= least)
                && feature.step.is_none_or(|step| new % step == 0.0)
                && ![-7.0, 40.0].contains(&new);
            let offered = found[0].values.contains(&Value::Number(new));
            prop_assert_eq!(offered, allowed || new == own, "{} from {}", new, own);
        }
    }
}

#[test]
fn neighbouring_levels_only() {
    let levels = ["none", "low", "middle", "high", "top"].map(String::from).to_vec();
    let mut feature = Feature::new("savings", Kind::Ordinal { levels });
    feature.limits.one_step = true;
    let target = Target { column: "y".into(), favourable: "1".into(), unfavourable: "0".into() };
    let mut schema =
        Schema { name: "any".into(), target, features: vec![feature], rules: Vec::new() };
    let records: Vec<Record> = (0..5).map(|level| vec![Value::Level(level)]).collect();
    let ranges = Ranges::fit(&schema, &records).unwrap();
    let values = |schema: &Schema, own: usize| {
        let found = options(schema, &ranges, &records[own], None, 100).unwrap();
        found[0].values.clone()
    };
    assert_eq!(values(&schema, 2), [1, 2, 3].map(Value::Level));
    assert_eq!(values(&schema, 4), [3, 4].map(Value::Level));
    schema.features[0].change = Change::Increase;
    assert_eq!(values(&schema, 2), [2, 3].map(Value::Level));
    // A tree that can't tell the neighbours apart has no use for them.
    let cuts = [vec![0.5, 3.5]];
    let found = options(&schema, &ranges, &records[2], Some(&cuts), 100).unwrap();
    assert_eq!(found[0].values, [Value::Level(2)]);
}
