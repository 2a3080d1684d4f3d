//! Codes beside numbers and levels reach models behind pipelines as what the pipeline makes of them.

use amends::data::{Code, Encoder, Feature, Kind, Record, Schema, Target, Value};
use amends::import::{
    Content, Feed, ImportSettings, Library, Link, Precision, RawColumn, RawEnsemble, RawLinear,
    RawNode, RawSplit, RawTree, Side, Step, Sums, Test, Tie, Unseen,
};
use amends::model::{Classifier, Model};
use proptest::prelude::*;

fn schema() -> Schema {
    let levels = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    let kinds = [
        ("income", Kind::Continuous),
        ("housing", Kind::Categorical { levels: levels(&["own", "rent", "for free"]) }),
        ("savings", Kind::Ordinal { levels: levels(&["none", "some", "much"]) }),
        ("phone", Kind::Binary { levels: ["no".into(), "yes".into()] }),
    ];
    let features = kinds.into_iter().map(|(name, kind)| Feature {
        codes: vec![Code::new("", "missing"), Code::new("-7", "never asked")],
        ..Feature::new(name, kind)
    });
    let target = Target { column: "y".into(), favourable: "1".into(), unfavourable: "0".into() };
    Schema { name: "t".into(), target, features: features.collect(), rules: Vec::new() }
}

/// What the pipeline makes of every level and code: levels are evenly spaced, for linear models to take them.
type Made = [Option<f64>; 2];

fn feeds(codes: &[Made; 5]) -> Vec<Feed> {
    let levels = |feature: &str, numbers: &[f64], codes: Made| Feed::Levels {
        feature: feature.into(),
        numbers: numbers.iter().map(|&number| Some(number)).chain(codes).collect(),
    };
    let number = |steps: Vec<Step>, constant, codes: Made| Feed::Number {
        feature: "income".into(),
        steps,
        constant,
        codes: Some(codes.to_vec()),
    };
    vec![
        number(vec![Step::Subtract(3.0), Step::Divide(2.0)], None, codes[0]),
        number(Vec::new(), Some(0.25), codes[1]),
        levels("housing", &[0.0, 1.0, -1.0], codes[2]),
        levels("savings", &[-1.0, 0.0, 1.0], codes[3]),
        levels("phone", &[0.0, 1.0], codes[4]),
    ]
}

/// The row that the model gets.
fn row(record: &[Value], codes: &[Made; 5]) -> Vec<Option<f64>> {
    let of = |place: usize, feature: usize, numbers: &[f64]| match record[feature] {
        Value::Code(code) => codes[place][code],
        Value::Level(level) => Some(numbers[level]),
        Value::Number(number) => Some(if numbers.is_empty() { (number - 3.0) / 2.0 } else { 0.25 }),
    };
    vec![
        of(0, 0, &[]),
        of(1, 0, &[0.0]),
        of(2, 1, &[0.0, 1.0, -1.0]),
        of(3, 2, &[-1.0, 0.0, 1.0]),
        of(4, 3, &[0.0, 1.0]),
    ]
}

/// A full tree of depth 4.
fn tree(splits: &[(usize, f64, bool)]) -> RawTree {
    let split = |(node, &(column, threshold, left)): (usize, &(usize, f64, bool))| {
        RawNode::Split(RawSplit {
            column,
            test: Test::AtMost(threshold),
            missing: Side::left_if(left),
            missing_within: None,
            missing_at: None,
            left: 2 * node + 1,
            right: 2 * node + 2,
        })
    };
    let leaves = (0..=splits.len()).map(|leaf| RawNode::Leaf(leaf as f64));
    RawTree { nodes: splits.iter().enumerate().map(split).chain(leaves).collect() }
}

fn ensemble(splits: &[(usize, f64, bool)]) -> RawEnsemble {
    RawEnsemble {
        library: Library::ScikitLearn,
        columns: vec![RawColumn { name: None, content: Content::Number }; 5],
        precision: Precision::Single,
        unseen: Unseen::Refused,
        trees: vec![tree(splits)],
        factor: 1.0,
        intercept: 0.0,
        sums: Sums::Double,
        cut: 0.0,
        link: Link::Share,
        tie: Tie::One,
    }
}

fn records() -> Vec<Record> {
    let values = |levels: usize| {
        (0..levels).map(Value::Level).chain([Value::Code(0), Value::Code(1)]).collect::<Vec<_>>()
    };
    let numbers = [-9.0, 0.0, 1.0, 2.5, 3.0, 5.5].map(Value::Number);
    let incomes = numbers.into_iter().chain([Value::Code(0), Value::Code(1)]);
    let mut all = Vec::new();
    for income in incomes {
        for &housing in &values(3) {
            for &savings in &values(3) {
                all.extend(values(2).into_iter().map(|p| vec![income, housing, savings, p]));
            }
        }
    }
    all
}

fn made() -> impl Strategy<Value = Made> {
    prop::array::uniform2(prop::option::weighted(0.6, -1.5..1.5))
}

proptest! {
    #[test]
    fn trees_sort_codes_as_the_library_does(
        codes in prop::array::uniform5(made()),
        splits in prop::collection::vec((0usize..5, -1.2..1.2, any::<bool>()), 15),
    ) {
        let (schema, raw) = (schema(), ensemble(&splits));
        let settings = ImportSettings::default();
        let model = Model::imported_fed(&raw, &feeds(&codes), &schema, &settings).unwrap();
        let encoder = Encoder::new(&schema);
        for record in records() {
            let ours = model.classifier.score(&encoder.encode(&record));
            prop_assert_eq!(ours, raw.score(&row(&record, &codes)), "{:?}", record);
        }
    }

    #[test]
    fn weights_of_codes_are_what_they_became(
        codes in prop::array::uniform5(prop::array::uniform2(-1.5..1.5)),
        weights in prop::array::uniform5(-2.0..2.0),
    ) {
        let codes = codes.map(|codes| codes.map(Some));
        let raw = RawLinear {
            library: Library::ScikitLearn,
            feeds: feeds(&codes),
            weights: weights.to_vec(),
            intercept: 0.5,
            link: Link::LogOdds,
        };
        let schema = schema();
        let model = Model::imported_linear(&raw, &schema, &ImportSettings::default()).unwrap();
        let encoder = Encoder::new(&schema);
        for record in records() {
            let inputs = row(&record, &codes).into_iter().flatten();
            let theirs = inputs.zip(weights).fold(0.5, |sum, (input, weight)| sum + input * weight);
            let ours = model.classifier.score(&encoder.encode(&record));
            prop_assert!((ours - theirs).abs() < 1e-12, "{:?}: {} {}", record, ours, theirs);
        }
    }
}

#[test]
fn what_is_still_missing_has_no_weight() {
    let mut codes = [[Some(0.0); 2]; 5];
    codes[3][0] = None;
    let raw = RawLinear {
        library: Library::ScikitLearn,
        feeds: feeds(&codes),
        weights: vec![1.0; 5],
        intercept: 0.0,
        link: Link::LogOdds,
    };
    let refusal = raw.fold(&schema(), &ImportSettings::default()).unwrap_err().to_string();
    assert!(refusal.contains("`savings` may be missing"), "{refusal}");
    let trees = ensemble(&[(0, 0.0, true)]);
    let model = Model::imported_fed(&trees, &feeds(&codes), &schema(), &ImportSettings::default());
    assert!(matches!(model.unwrap().classifier, Classifier::Trees(_)));
    let short = Feed::Number {
        feature: "income".into(),
        steps: Vec::new(),
        constant: None,
        codes: Some(vec![None]),
    };
    let mut few = feeds(&codes);
    few[0] = short;
    let refusal = Model::imported_fed(&trees, &few, &schema(), &ImportSettings::default());
    let refusal = refusal.unwrap_err().to_string();
    assert!(refusal.contains("1 codes in the model and 2 in the schema"), "{refusal}");
}
