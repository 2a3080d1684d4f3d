//! Trees behind scalers and encoders decide as the library does, on and beside every threshold.

use amends::data::{Encoder, Feature, Kind, Schema, Target, Value};
use amends::import::{
    Content, Feed, ImportSettings, Library, Link, Precision, RawColumn, RawEnsemble, RawNode,
    RawSplit, RawTree, Side, Step, Sums, Test, Tie, Unseen,
};
use amends::model::{Classifier, Model};
use proptest::prelude::*;

fn schema() -> Schema {
    let levels = ["own", "rent", "for free"].map(str::to_owned).to_vec();
    let features = vec![
        Feature::new("income", Kind::Continuous),
        Feature::new("housing", Kind::Categorical { levels }),
    ];
    let target = Target { column: "y".into(), favourable: "1".into(), unfavourable: "0".into() };
    Schema { name: "t".into(), target, features, rules: Vec::new() }
}

/// A tree that splits by the income, by the second input column, and by the income again.
fn ensemble(
    thresholds: [f64; 3],
    precision: Precision,
    zero_is_missing: bool,
    marker: Option<f64>,
) -> RawEnsemble {
    let split = |column, threshold, left, right| {
        RawNode::Split(RawSplit {
            column,
            test: Test::AtMost(threshold),
            missing: Side::Right,
            missing_within: zero_is_missing.then_some(0.0),
            missing_at: marker,
            left,
            right,
        })
    };
    let nodes = vec![
        split(0, thresholds[0], 1, 2),
        RawNode::Leaf(-3.0),
        split(1, thresholds[1], 3, 4),
        split(0, thresholds[2], 5, 6),
        RawNode::Leaf(2.0),
        RawNode::Leaf(-0.5),
        RawNode::Leaf(7.0),
    ];
    let column = RawColumn { name: None, content: Content::Number };
    RawEnsemble {
        library: Library::ScikitLearn,
        columns: vec![column; 2],
        precision,
        unseen: Unseen::Refused,
        trees: vec![RawTree { nodes }],
        factor: 1.0,
        intercept: 0.25,
        sums: Sums::Double,
        cut: 0.0,
        link: Link::Share,
        tie: Tie::One,
    }
}

fn scaled(steps: &[Step], x: f64) -> f64 {
    steps.iter().fold(x, |x, step| match *step {
        Step::Add(by) => x + by,
        Step::Subtract(by) => x - by,
        Step::Multiply(by) => x * by,
        Step::Divide(by) => x / by,
        Step::Clip(low, high) => x.max(low).min(high),
    })
}

fn feeds(steps: &[Step], numbers: [f64; 3]) -> Vec<Feed> {
    vec![
        Feed::number("income", steps.to_vec()),
        Feed::Levels { feature: "housing".into(), numbers: numbers.map(Some).to_vec() },
    ]
}

proptest! {
    #[test]
    fn thresholds_move_through_scalers_to_the_bit(
        centre in -50.0..50.0,
        scale in 0.01..300.0,
        thresholds in prop::array::uniform3(-2.0..2.0),
        numbers in prop::array::uniform3(-1.5..1.5),
        single: bool,
        clip: bool,
        zero_is_missing: bool,
        marker in prop::option::of(-2.0..2.0),
        x in -600.0..600.0,
    ) {
        let precision = if single { Precision::Single } else { Precision::Double };
        let mut steps = vec![Step::Subtract(centre), Step::Divide(scale)];
        if clip {
            steps = vec![Step::Multiply(1.0 / scale), Step::Add(-centre / scale), Step::Clip(-1.0, 1.5)];
        }
        let schema = schema();
        let raw = ensemble(thresholds, precision, zero_is_missing, marker);
        let feeds = feeds(&steps, numbers);
        let model = Model::imported_fed(&raw, &feeds, &schema, &ImportSettings::default()).unwrap();
        let encoder = Encoder::new(&schema);
        let mut near = vec![x, centre, 0.0];
        for threshold in thresholds.into_iter().chain(marker) {
            let mut at = threshold * scale + centre;
            near.push(at);
            let mut below = at;
            for _ in 0..4 {
                (at, below) = (at.next_up(), below.next_down());
                near.extend([at, below]);
            }
        }
        for income in near {
            for (level, &number) in numbers.iter().enumerate() {
                let record = vec![Value::Number(income), Value::Level(level)];
                let theirs = raw.score(&[Some(scaled(&steps, income)), Some(number)]);
                prop_assert_eq!(model.classifier.score(&encoder.encode(&record)), theirs);
            }
        }
    }
}

#[test]
fn feeds_that_do_not_fit_are_refused() {
    let (schema, raw) = (schema(), ensemble([0.0; 3], Precision::Single, false, None));
    let refusal = |feeds: &[Feed]| {
        let settings = ImportSettings::default();
        Model::imported_fed(&raw, feeds, &schema, &settings).unwrap_err().to_string()
    };
    let good = feeds(&[], [0.0, 1.0, 2.0]);
    assert!(refusal(&good[..1]).contains("has 2 columns, but 1 are fed"));
    let falling = feeds(&[Step::Multiply(-1.0)], [0.0; 3]);
    assert!(refusal(&falling).contains("not a step that keeps the order"));
    let short = Feed::Levels { feature: "housing".into(), numbers: vec![Some(1.0)] };
    assert!(refusal(&[good[0].clone(), short]).contains("1 levels and codes in the model and 3"));
    let unknown = Feed::number("Income", Vec::new());
    assert!(refusal(&[unknown, good[1].clone()]).contains("`Income` is not a feature"));
    let number = Feed::number("housing", Vec::new());
    assert!(refusal(&[good[0].clone(), number]).contains("has levels in the schema"));
    let settings = ImportSettings::default();
    let whole = Feed::Whole { feature: "income".into() };
    let model = Model::imported_fed(&raw, &[whole, good[1].clone()], &schema, &settings).unwrap();
    assert!(matches!(model.classifier, Classifier::Trees(_)));
}
