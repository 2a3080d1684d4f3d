//! Any trees of another library, over any columns of a schema, end in the same leaves here: on random trees and random
//! applications, with numbers on thresholds and next to them.

use std::path::Path;

use amends::data::{Encoder, Record, Schema, Value};
use amends::import::{
    CodesAs, Content, ImportSettings, Library, Precision, RawColumn, RawEnsemble, RawNode,
    RawSplit, RawTree, Side, Sums, Test, Tie, Unseen,
};
use amends::model::Link;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use rand::seq::IndexedRandom;
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Where numbers are compared: small ones that many splits share, and one that 32 bits can't hold.
const EDGES: [f64; 9] = [-7.0, -0.5, 0.0, 1e-35, 0.1, 1.0, 2.0, 16_777_217.0, 1e-46];

/// What the library sees of an application in a column, written apart from the code that is tested.
type View = fn(&Record, CodesAs) -> Option<f64>;

const COLUMNS: [(&str, View); 11] = [
    ("amount", |record, _| number(record[0])),
    ("months", |record, codes| match (record[1], codes) {
        (Value::Code(0), CodesAs::Written) => Some(-7.0),
        (value, _) => number(value),
    }),
    ("months: -7", |record, _| Some(f64::from(u8::from(record[1] == Value::Code(0))))),
    ("age", |record, _| number(record[2])),
    ("savings", |record, _| level(record[3])),
    ("savings=some", |record, _| Some(f64::from(u8::from(record[3] == Value::Level(1))))),
    ("phone", |record, _| level(record[4])),
    ("cat__phone_yes", |record, _| level(record[4])),
    ("housing_with_family", |record, _| Some(f64::from(u8::from(record[5] == Value::Level(2))))),
    // Categories in another order, without the schema's second level.
    ("housing", |record, _| match record[5] {
        Value::Level(0) => Some(2.0),
        Value::Level(2) => Some(0.0),
        _ => None,
    }),
    ("score", |record, _| number(record[6])),
];
const CATEGORIES: usize = 9;

fn number(value: Value) -> Option<f64> {
    match value {
        Value::Number(number) => Some(number),
        _ => None,
    }
}

fn level(value: Value) -> Option<f64> {
    match value {
        Value::Level(level) => Some(level as f64),
        _ => None,
    }
}

fn schema() -> Schema {
    Schema::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/trees/loans.toml"))
        .unwrap()
}

fn grow(rng: &mut impl Rng, tree: &mut RawTree, depth: usize) -> usize {
    let node = tree.nodes.len();
    tree.nodes.push(RawNode::Leaf(f64::from(rng.random_range(-8_i32..8))));
    if depth > 0 && rng.random_bool(0.85) {
        let column = rng.random_range(0..COLUMNS.len());
        let edge = *EDGES.choose(rng).unwrap();
        let test = if column == CATEGORIES {
            Test::OneOf((0..4).filter(|_| rng.random_bool(0.4)).collect())
        } else if rng.random_bool(0.5) {
            Test::AtMost(edge)
        } else {
            Test::Below(edge)
        };
        let split = RawSplit {
            column,
            test,
            missing: Side::left_if(rng.random_bool(0.5)),
            missing_within: (column != CATEGORIES && rng.random_bool(0.2)).then_some(1e-35),
            missing_at: (column != CATEGORIES && rng.random_bool(0.1)).then_some(edge),
            left: grow(rng, tree, depth - 1),
            right: grow(rng, tree, depth - 1),
        };
        tree.nodes[node] = RawNode::Split(split);
    }
    node
}

fn ensemble(rng: &mut impl Rng) -> RawEnsemble {
    let column = |(place, (name, _)): (usize, &(&str, View))| RawColumn {
        name: Some((*name).to_owned()),
        content: if place == CATEGORIES {
            Content::Categories(["with family", "castle", "rent"].map(str::to_owned).to_vec())
        } else {
            Content::Number
        },
    };
    let trees = (0..3).map(|_| {
        let mut tree = RawTree::default();
        grow(rng, &mut tree, 5);
        tree
    });
    RawEnsemble {
        trees: trees.collect(),
        library: Library::ScikitLearn,
        columns: COLUMNS.iter().enumerate().map(column).collect(),
        precision: if rng.random_bool(0.5) { Precision::Single } else { Precision::Double },
        unseen: Unseen::Missing,
        factor: 1.0,
        // Leaves are whole numbers, so that scores of exactly 0 are common.
        intercept: f64::from(rng.random_range(-3_i32..3)),
        sums: if rng.random_bool(0.5) { Sums::Single } else { Sums::Double },
        cut: f64::from(rng.random_range(-1_i32..2)),
        link: Link::LogOdds,
        tie: if rng.random_bool(0.5) { Tie::One } else { Tie::Zero },
    }
}

/// A number on an edge, next to it in 32 or 64 bits, or half way to its neighbour.
fn near(rng: &mut impl Rng) -> f64 {
    let edge = *EDGES.choose(rng).unwrap();
    let single = edge as f32;
    let neighbour = if rng.random_bool(0.5) { single.next_up() } else { single.next_down() };
    let near = match rng.random_range(0..4) {
        0 => edge,
        1 => f64::from(single),
        2 => f64::from(neighbour),
        _ => f64::midpoint(f64::from(single), f64::from(neighbour)),
    };
    match rng.random_range(0..3) {
        0 => near,
        1 => near.next_up(),
        _ => near.next_down(),
    }
}

fn application(rng: &mut impl Rng) -> Record {
    let whole = |rng: &mut ChaCha8Rng| f64::from(rng.random_range(-3_i32..4));
    let mut own = ChaCha8Rng::seed_from_u64(rng.random());
    vec![
        Value::Number(near(rng)),
        match rng.random_range(0..4) {
            code @ 0..2 => Value::Code(code),
            _ => Value::Number(whole(&mut own)),
        },
        Value::Number(whole(&mut own)),
        Value::Level(rng.random_range(0..3)),
        Value::Level(rng.random_range(0..2)),
        Value::Level(rng.random_range(0..3)),
        if rng.random_bool(0.3) { Value::Code(0) } else { Value::Number(near(rng)) },
    ]
}

proptest! {
    #![proptest_config(ProptestConfig {
        rng_seed: RngSeed::Fixed(1),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn every_application_ends_in_the_librarys_leaves(seed in any::<u64>()) {
        let rng = &mut ChaCha8Rng::seed_from_u64(seed);
        let (schema, raw) = (schema(), ensemble(rng));
        let codes = if rng.random_bool(0.5) { CodesAs::Written } else { CodesAs::Missing };
        let encoder = Encoder::new(&schema);
        for one_is_good in [true, false] {
            let one = if one_is_good { &schema.target.favourable } else { &schema.target.unfavourable };
            let settings = ImportSettings { class_one: Some(one.clone()), codes, ..ImportSettings::default() };
            let lowered = raw.lower(&schema, &settings).unwrap();
            for _ in 0..50 {
                let record = application(rng);
                let row: Vec<Option<f64>> = COLUMNS.iter().map(|(_, view)| view(&record, codes)).collect();
                let margin = raw.score(&row) - raw.cut;
                let one = if raw.tie == Tie::One { margin >= 0.0 } else { margin > 0.0 };
                let score = lowered.score(&encoder.encode(&record));
                let expected = if one_is_good { margin } else { -margin };
                prop_assert!((score - expected).abs() < 1e-12, "{record:?}: {score}, not {expected}");
                prop_assert_eq!(score >= 0.0, one == one_is_good, "{:?}", record);
            }
        }
    }
}

#[test]
fn a_raw_ensemble_survives_its_json() {
    let raw = ensemble(&mut ChaCha8Rng::seed_from_u64(4));
    let text = serde_json::to_string(&raw).unwrap();
    assert_eq!(serde_json::from_str::<RawEnsemble>(&text).unwrap(), raw);
}
