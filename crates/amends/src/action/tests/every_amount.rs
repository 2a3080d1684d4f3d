//! Features that move together are offered every amount that all of them allow.

use crate::action::{Ranges, moves};
use crate::data::{Feature, Kind, Record, Rule, Value};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::every_value::{decimal, feature, own_number, places, schema};

#[test]
#[expect(clippy::too_many_lines, reason = "a list of cases")]
fn every_amount_that_all_members_allow_is_offered_and_no_other() {
    let mut rng = ChaCha8Rng::seed_from_u64(12);
    let (mut tried, mut offered, mut several) = (0, 0, 0);
    while tried < 1500 {
        let scale = [0, 1, 2, 12][rng.random_range(0..4)];
        let count = rng.random_range(2..4);
        let features: Vec<Feature> =
            (0..count).map(|index| feature(&mut rng, ["a", "b", "c"][index], scale)).collect();
        let schema = schema(features);
        let text = if count == 2 { "a, b change together" } else { "a, b, c change together" };
        let rule = Rule::parse(text, &schema.features).unwrap();
        let number = |rng: &mut ChaCha8Rng| decimal(rng.random_range(-60..60), scale);
        let mut records: Vec<Vec<f64>> =
            (0..6).map(|_| (0..count).map(|_| number(&mut rng)).collect()).collect();
        if rng.random() {
            let written = |number: f64| places(number) <= scale;
            let own = schema.features.iter().map(|its| own_number(&mut rng, its, scale)).collect();
            records[5] = Some(own)
                .filter(|own: &Vec<f64>| own.iter().copied().all(written))
                .unwrap_or_else(|| records[5].clone());
        }
        let is_code = |index: usize, number: f64| {
            schema.features[index].parse(&number.to_string()) != Ok(Value::Number(number))
        };
        let coded = records.iter().any(|row| row.iter().enumerate().any(|(f, &n)| is_code(f, n)));
        if coded || schema.check().is_err() {
            continue;
        }
        tried += 1;
        let (own, training) = records.split_last().unwrap();
        let record = |row: &Vec<f64>| -> Record { row.iter().map(|&n| Value::Number(n)).collect() };
        let training_records: Vec<Record> = training.iter().map(record).collect();
        let ranges = Ranges::fit(&schema, &training_records).unwrap();
        let own_record = record(own);
        let found = moves(&schema, &ranges, &own_record, &[&rule], None).unwrap();
        assert_eq!((found.len(), found[0].members.len()), (1, count));
        let seen = |f: usize| training.iter().map(move |row| row[f]);
        let resolution = |f: usize| seen(f).map(places).max().unwrap();
        let mut allowed = 0;
        for amount in -200..=200_i64 {
            let new: Vec<f64> = own
                .iter()
                .map(|&own| {
                    let units = (own * 10_f64.powi(scale as i32)).round() as i64;
                    decimal(units + amount, scale)
                })
                .collect();
            let may = amount != 0
                && new.iter().enumerate().all(|(f, &to)| {
                    let feature = &schema.features[f];
                    let (low, high) = (
                        seen(f).fold(f64::INFINITY, f64::min),
                        seen(f).fold(f64::NEG_INFINITY, f64::max),
                    );
                    let free = feature.kind == Kind::Continuous && feature.step.is_none();
                    let fine = places(decimal(amount, scale)) <= resolution(f) || !free;
                    let rules = feature.broken(Value::Number(own[f]), Value::Number(to));
                    low <= to && to <= high && fine && rules.is_empty()
                });
            let is_offered = found[0].options.find(&record(&new)).is_some();
            assert_eq!(is_offered, may || amount == 0, "{own:?} to {new:?}, {schema:?}");
            allowed += usize::from(may);
        }
        assert_eq!(found[0].len(), allowed + 1, "{own:?} {found:?} {schema:?}");
        assert_eq!(found[0].values(found[0].keep), own_record);
        offered += allowed;
        several += usize::from(allowed > 3);
    }
    assert!(offered > 3_000 && several > 200, "{offered} {several}");
}

#[test]
fn steps_meet_where_all_of_them_do() {
    let stepped =
        |name: &str, step: f64| Feature { step: Some(step), ..Feature::new(name, Kind::Integer) };
    let schema = schema(vec![stepped("a", 5.0), stepped("b", 3.0)]);
    let rule = Rule::parse("a, b change together", &schema.features).unwrap();
    let record = |a: f64, b: f64| vec![Value::Number(a), Value::Number(b)];
    let ranges = Ranges::fit(&schema, &[record(0.0, 0.0), record(100.0, 100.0)]).unwrap();
    let amounts = |own: &Record| -> Vec<Value> {
        let found = moves(&schema, &ranges, own, &[&rule], None).unwrap();
        (0..found[0].len()).map(|option| found[0].values(option)[0]).collect()
    };
    let numbers = |list: &[f64]| list.iter().map(|&n| Value::Number(n)).collect::<Vec<_>>();
    assert_eq!(amounts(&record(20.0, 30.0)), numbers(&[5.0, 20.0, 35.0, 50.0, 65.0, 80.0]));
    // From 21 and 30, only amounts of 9 more than a multiple of 15 lead to both steps.
    assert_eq!(
        amounts(&record(21.0, 30.0)),
        numbers(&[0.0, 15.0, 30.0, 45.0, 60.0, 75.0, 90.0, 21.0])
    );
}
