//! Trees of XGBoost, LightGBM and CatBoost decide here as they do there: on thresholds, beside them, on zeros and missing values.

use std::path::{Path, PathBuf};

use amends::data::{Encoder, Record, Schema};
use amends::import::{Asked, ImportSettings, Library, Tie, load_model, read_library_model};
use amends::model::{Link, Model, Origin};
use serde::Deserialize;

const FILES: [(&str, Library); 18] = [
    ("xgboost.json", Library::XgBoost),
    ("xgboost-categories.json", Library::XgBoost),
    ("xgboost-dart.json", Library::XgBoost),
    ("xgboost-encoded.json", Library::XgBoost),
    ("xgboost-1.7.json", Library::XgBoost),
    ("lightgbm.txt", Library::LightGbm),
    ("lightgbm-categories.txt", Library::LightGbm),
    ("lightgbm-zero.txt", Library::LightGbm),
    ("lightgbm-plain.txt", Library::LightGbm),
    ("lightgbm-forest.txt", Library::LightGbm),
    ("lightgbm-dart.txt", Library::LightGbm),
    ("lightgbm-3.3.txt", Library::LightGbm),
    ("catboost.json", Library::CatBoost),
    ("catboost-max.json", Library::CatBoost),
    ("catboost-ctr.json", Library::CatBoost),
    ("catboost-pairs.json", Library::CatBoost),
    ("catboost-lossguide.json", Library::CatBoost),
    ("catboost-encoded.json", Library::CatBoost),
];

/// Rows as a table has them, and the library's scores and classes.
#[derive(Deserialize)]
struct Golden {
    rows: Vec<Vec<String>>,
    /// The log-odds of class 1.
    margins: Vec<f64>,
    /// The class.
    ones: Vec<u8>,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/trees")
}

fn golden(file: &str) -> Golden {
    let path = folder().join(file).with_extension("rows.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn schema() -> Schema {
    Schema::read(folder().join("loans.toml")).unwrap()
}

fn record(schema: &Schema, cells: &[String]) -> Record {
    let cells = schema.features.iter().zip(cells);
    cells.map(|(feature, cell)| feature.parse(cell).unwrap()).collect()
}

fn load(file: &str, schema: &Schema, class_one: Option<&str>) -> Model {
    let settings =
        ImportSettings { class_one: class_one.map(str::to_owned), ..ImportSettings::default() };
    load_model(folder().join(file), schema, &settings)
        .unwrap_or_else(|error| panic!("{error}"))
        .model
}

/// The largest difference in score, after every decision was found alike.
fn compare(file: &str, schema: &Schema, model: &Model, one_is_good: bool) -> f64 {
    let golden = golden(file);
    let encoder = Encoder::new(schema);
    let mut largest: f64 = 0.0;
    for ((cells, &margin), &one) in golden.rows.iter().zip(&golden.margins).zip(&golden.ones) {
        let x = encoder.encode(&record(schema, cells));
        let score = model.classifier.score(&x);
        let expected = if one_is_good { margin } else { -margin };
        let difference = (score - expected).abs() / expected.abs().max(1.0);
        assert!(difference <= 1e-6, "{file}, {cells:?}: {score}, but the library says {expected}");
        assert_eq!(model.classifier.accepts(&x), (one == 1) == one_is_good, "{file}, {cells:?}");
        largest = largest.max(difference);
    }
    largest
}

#[test]
fn scores_and_decisions_are_the_libraries_own() {
    let schema = schema();
    for (file, library) in FILES {
        let model = load(file, &schema, None);
        assert_eq!(model.origin, Origin::Imported { library, link: Link::LogOdds });
        let largest = compare(file, &schema, &model, false);
        println!("{file}: {largest:e}");
        // Both libraries' sums are bit for bit the same here; XGBoost's cut is at 8.9e-8, from where its probability of 32 bits
        // is greater than one half.
        let most = if library == Library::XgBoost { 9e-8 } else { 1e-15 };
        assert!(largest < most, "{file}: {largest:e}");
    }
}

#[test]
fn a_probability_threshold_of_catboost_moves_the_cut() {
    let (schema, file) = (schema(), "catboost-threshold.json");
    let model = load(file, &schema, None);
    // Scores above another cut than 0 are not the log-odds.
    assert_eq!(model.origin, Origin::Imported { library: Library::CatBoost, link: Link::None });
    let (golden, encoder) = (golden(file), Encoder::new(&schema));
    let cut = (0.3_f64 / 0.7).ln();
    let mut moved = 0;
    for ((cells, &margin), &one) in golden.rows.iter().zip(&golden.margins).zip(&golden.ones) {
        let x = encoder.encode(&record(&schema, cells));
        assert!((model.classifier.score(&x) + margin - cut).abs() < 1e-12, "{cells:?}");
        assert_eq!(model.classifier.accepts(&x), one == 0, "{cells:?}");
        moved += usize::from((margin > 0.0) != (one == 1));
    }
    assert!(moved > 0, "some rows are between both cuts");
}

#[test]
fn what_a_catboost_file_says_of_its_classes_is_believed() {
    let mut schema = schema();
    schema.target.favourable = "paid".into();
    schema.target.unfavourable = "not paid".into();
    let text = std::fs::read_to_string(folder().join("catboost.json")).unwrap();
    let text = text.replacen(r#""class_names":[0,1]"#, r#""class_names":["not paid","paid"]"#, 1);
    let path = std::env::temp_dir().join(format!("amends-catboost-{}.json", std::process::id()));
    std::fs::write(&path, text).unwrap();
    let read = |class_one: Option<&str>| {
        let class_one = class_one.map(str::to_owned);
        load_model(&path, &schema, &ImportSettings { class_one, ..ImportSettings::default() })
    };
    compare("catboost.json", &schema, &read(None).unwrap().model, true);
    compare("catboost.json", &schema, &read(Some("paid")).unwrap().model, true);
    let refusal = read(Some("not paid")).unwrap_err().to_string();
    std::fs::remove_file(&path).unwrap();
    assert!(refusal.contains("its class 1 is `paid`; leave it out"), "{refusal}");
}

#[test]
fn class_one_may_be_what_the_applicant_wants() {
    let mut schema = schema();
    schema.target.favourable = "paid".into();
    schema.target.unfavourable = "not paid".into();
    for (file, _) in FILES {
        let refusal = load_model(folder().join(file), &schema, &ImportSettings::default());
        let refusal = refusal.unwrap_err().to_string();
        assert!(refusal.contains("`paid` or `not paid`; name it, since"), "{refusal}");
        compare(file, &schema, &load(file, &schema, Some("paid")), true);
        compare(file, &schema, &load(file, &schema, Some("not paid")), false);
    }
}

#[test]
fn a_score_of_exactly_0_is_the_class_that_the_library_gives() {
    let schema = schema();
    let text = std::fs::read_to_string(folder().join("lightgbm.txt")).unwrap();
    let mut raw = read_library_model(&text, Asked::default()).unwrap().raw;
    let golden = golden("lightgbm.txt");
    let x = Encoder::new(&schema).encode(&record(&schema, &golden.rows[0]));
    // The margin of this row becomes 0 exactly: sums are in the library's own order.
    (raw.intercept, raw.cut) = (-golden.margins[0], 0.0);
    for (tie, class_one, accepted) in [
        (Tie::Zero, "1", true),
        (Tie::One, "1", false),
        (Tie::Zero, "0", false),
        (Tie::One, "0", true),
    ] {
        raw.tie = tie;
        let settings =
            ImportSettings { class_one: Some(class_one.into()), ..ImportSettings::default() };
        let model = Model::imported(&raw, &schema, &settings).unwrap();
        assert!(model.classifier.score(&x).abs() < 1e-15);
        assert_eq!(model.classifier.accepts(&x), accepted, "{tie:?}, 1 is {class_one}");
    }
}
