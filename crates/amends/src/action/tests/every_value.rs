//! Without a limit, an applicant is offered every decimal that the schema's own checker allows and that lies in the data's
//! range, at any scale, and nothing else. What is allowed is found by going through all of them.

use crate::action::{Move, Ranges, moves};
use crate::data::{Change, Code, Feature, FeatureLimits, Kind, Record, Schema, Target, Value};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The number that a decimal's text reads as.
pub fn decimal(units: i64, places: u32) -> f64 {
    format!("{units}e-{places}").parse().unwrap()
}

/// How many decimals a number is written with.
pub fn places(number: f64) -> u32 {
    number.to_string().split_once('.').map_or(0, |(_, decimals)| decimals.len() as u32)
}

/// A numeric feature with random rules, whose numbers have this many decimals.
pub fn feature(rng: &mut ChaCha8Rng, name: &str, scale: u32) -> Feature {
    let kind = if scale == 0 && rng.random() { Kind::Integer } else { Kind::Continuous };
    let mut feature = Feature::new(name, kind);
    let size = |rng: &mut ChaCha8Rng, most: i64| decimal(rng.random_range(1..most), scale);
    feature.change =
        [Change::Free, Change::Free, Change::Increase, Change::Decrease][rng.random_range(0..4)];
    if rng.random_bool(0.3) {
        feature.step = Some(size(rng, 9));
    }
    let pair = |rng: &mut ChaCha8Rng| {
        let (a, b) = (rng.random_range(-60..60), rng.random_range(-60..60));
        [decimal(a.min(b), scale), decimal(a.max(b), scale)]
    };
    feature.limits = FeatureLimits {
        range: rng.random_bool(0.3).then(|| pair(rng)),
        relative_range: rng.random_bool(0.3).then(|| {
            [decimal(-rng.random_range(0..40), scale), decimal(rng.random_range(0..40), scale)]
        }),
        max_change: rng.random_bool(0.3).then(|| size(rng, 40)),
        // One more decimal than the numbers have.
        least_change: rng.random_bool(0.3).then(|| decimal(rng.random_range(1..90), scale + 1)),
        one_step: false,
    };
    if rng.random_bool(0.3) {
        let codes = [rng.random_range(-60..0), rng.random_range(0..60)];
        let code = |units: i64| {
            let text = decimal(units, scale).to_string();
            Code {
                enter: units % 2 == 0,
                leave: units % 3 == 0,
                ..Code::new(text.clone(), format!("state {text}."))
            }
        };
        feature.codes = codes.map(code).to_vec();
    }
    feature
}

pub fn schema(features: Vec<Feature>) -> Schema {
    let target = Target { column: "y".into(), favourable: "1".into(), unfavourable: "0".into() };
    Schema { name: "any".into(), target, features, rules: Vec::new() }
}

/// A number of the feature that is no code.
fn number(rng: &mut ChaCha8Rng, feature: &Feature, scale: u32) -> f64 {
    loop {
        let units = rng.random_range(-60..60);
        let number = match rng.random_range(0..8) {
            // Between two numbers of the table, and with the noise of binary arithmetic.
            0 if feature.kind == Kind::Continuous => decimal(10 * units + 5, scale + 1),
            1 if feature.kind == Kind::Continuous => decimal(units, scale) + decimal(2, scale),
            _ => decimal(units, scale),
        };
        if feature.parse(&number.to_string()) == Ok(Value::Number(number)) {
            return number;
        }
    }
}

/// A number that lies a few steps outside the range of the schema, or somewhere.
pub fn own_number(rng: &mut ChaCha8Rng, feature: &Feature, scale: u32) -> f64 {
    let Some([low, high]) = feature.limits.range.filter(|_| rng.random_bool(0.5)) else {
        return number(rng, feature, scale);
    };
    let units = |number: f64| (number * 10_f64.powi(scale as i32)).round() as i64;
    let step = feature.step.map_or(1, units);
    let away = rng.random_range(1..5) * step;
    let units = if rng.random() {
        -(-units(low)).div_euclid(step) * step - away
    } else {
        units(high).div_euclid(step) * step + away
    };
    let number = decimal(units, scale);
    let is_one = feature.parse(&number.to_string()) == Ok(Value::Number(number));
    if is_one { number } else { self::number(rng, feature, scale) }
}

fn check(its: &Move, feature: &Feature, seen: &[f64], own: Value) -> usize {
    let (low, high) =
        seen.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &number| {
            (low.min(number), high.max(number))
        });
    let data = seen.iter().map(|&number| places(number)).max().unwrap();
    let fine = data.max(feature.step.map_or(0, places));
    let first = (low * 10_f64.powi(fine as i32)).floor() as i64 - 1;
    let last = (high * 10_f64.powi(fine as i32)).ceil() as i64 + 1;
    let mut allowed = 0;
    for units in first..=last {
        let number = decimal(units, fine);
        // Steps say themselves how fine numbers are.
        let written = places(number) <= data || feature.step.is_some();
        let inside = low <= number && number <= high && written;
        let may = inside && feature.broken(own, Value::Number(number)).is_empty();
        let offered = its.options.find(&[Value::Number(number)]).is_some();
        let is_own = own == Value::Number(number);
        assert_eq!(offered, may || is_own, "{own:?} to {number} in {low} to {high}, {feature:?}");
        allowed += usize::from(may && !is_own);
    }
    let options: Vec<Value> = (0..its.len()).map(|option| its.values(option)[0]).collect();
    let numbers =
        options.iter().filter(|&&value| value != own && matches!(value, Value::Number(_)));
    assert_eq!(numbers.count(), allowed, "{own:?} in {options:?}, {feature:?}");
    assert_eq!(its.values(its.keep), [own]);
    allowed
}

#[test]
fn every_decimal_that_the_rules_allow_is_offered_and_no_other() {
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    let (mut tried, mut offered) = (0, 0);
    while tried < 4000 {
        let scale = [0, 0, 1, 2, 6, 12, 13][rng.random_range(0..7)];
        let feature = feature(&mut rng, "f", scale);
        let schema = schema(vec![feature.clone()]);
        if schema.check().is_err() {
            continue;
        }
        tried += 1;
        let count = rng.random_range(1..6);
        let clean = |rng: &mut ChaCha8Rng| loop {
            let number = number(rng, &feature, scale);
            // How fine the data is, must be for the eye to see.
            if places(number) <= scale + 1 {
                return number;
            }
        };
        let seen: Vec<f64> = (0..count).map(|_| clean(&mut rng)).collect();
        let mut records: Vec<Record> = seen.iter().map(|&n| vec![Value::Number(n)]).collect();
        records.extend((0..feature.codes.len()).map(|code| vec![Value::Code(code)]));
        let ranges = Ranges::fit(&schema, &records).unwrap();
        let own = match feature.codes.len() {
            0 => Value::Number(own_number(&mut rng, &feature, scale)),
            _ if rng.random_bool(0.3) => Value::Code(rng.random_range(0..2)),
            _ => Value::Number(own_number(&mut rng, &feature, scale)),
        };
        let found = moves(&schema, &ranges, &vec![own], &[], None).unwrap();
        offered += check(&found[0], &feature, &seen, own);
    }
    assert!(offered > 50_000, "{offered}");
}

#[test]
fn long_ranges_take_no_room() {
    let cents = Feature::new("cents", Kind::Continuous);
    let schema = schema(vec![cents]);
    let record = |number: f64| vec![Value::Number(number)];
    let ranges = Ranges::fit(&schema, &[record(0.01), record(9_999_999_999_999.99)]).unwrap();
    let found = moves(&schema, &ranges, &record(1234.56), &[], None).unwrap();
    assert_eq!(found[0].len(), 999_999_999_999_999);
    assert_eq!(found[0].values(found[0].keep), record(1234.56));
}
