//! Empty cells of every kind of column, in the table and in applicants, with a model as the Python package saves it.

use std::fmt::Write as _;

use amends::data::{Dataset, Schema, Table, Value};
use amends::engine::Control;
use amends::engine::{Engine, SolveSettings};
use amends::explain::{ExplainSettings, Explainer, Preset};
use amends::import::{Feed, ImportSettings, Library, Link, RawLinear, Step};
use amends::model::{Model, holdout};

use crate::support::{Folder, SCHEMA, loans};

/// The loans' schema with a code for empty cells in every feature but the age.
fn schema() -> String {
    let code = "codes = [{ value = \"\", label = \"missing\" }]";
    let mut text = String::new();
    for part in SCHEMA.split_inclusive("[[feature]]\n") {
        let part = part.trim_end_matches("[[feature]]\n");
        let coded = part.starts_with("name") && !part.contains("\"age\"");
        let _ = write!(text, "{part}{}", if coded { format!("{code}\n") } else { String::new() });
        text.push_str(if part.contains("\"age\"") { "" } else { "[[feature]]\n" });
    }
    text
}

/// The loans with holes.
fn table() -> String {
    let mut text = String::new();
    for (row, line) in loans().lines().enumerate() {
        let cells = line.split(',').enumerate().map(|(column, cell)| {
            let hole = column < 4 && row > 0 && (row + 2 * column) % (5 + column) == 0;
            if hole { "" } else { cell }
        });
        let _ = writeln!(text, "{}", cells.collect::<Vec<_>>().join(","));
    }
    text
}

/// A logistic model behind imputers, scalers and encoders.
fn model(schema: &Schema) -> Model {
    let number = |feature: &str, steps: Vec<Step>, imputed: f64| Feed::Number {
        feature: feature.into(),
        steps,
        constant: None,
        codes: Some(vec![Some(imputed)]),
    };
    let levels = |feature: &str, numbers: &[f64]| Feed::Levels {
        feature: feature.into(),
        numbers: numbers.iter().map(|&number| Some(number)).collect(),
    };
    let lacks_income = Feed::Number {
        feature: "income".into(),
        steps: Vec::new(),
        constant: Some(0.0),
        codes: Some(vec![Some(1.0)]),
    };
    let raw = RawLinear {
        library: Library::ScikitLearn,
        feeds: vec![
            number("income", vec![Step::Subtract(50.0), Step::Divide(17.5)], 0.125),
            lacks_income,
            number("debt", vec![Step::Divide(6.0)], 1.75),
            levels("housing", &[1.0, 0.0, 0.0, 0.0]),
            levels("guarantor", &[0.0, 1.0, 1.0]),
        ],
        weights: vec![1.5, -0.5, -1.0, 0.5, 0.75],
        intercept: 1.0,
        link: Link::LogOdds,
    };
    let settings = ImportSettings { class_one: Some("paid".into()), ..Default::default() };
    Model::imported_linear(&raw, schema, &settings).unwrap()
}

#[test]
fn empty_cells_are_explained_by_a_saved_model_as_by_the_library() {
    let schema_text = schema();
    let schema = Schema::parse(&schema_text, "loans.toml").unwrap();
    let folder = Folder::new().with("loans.csv", table()).with("loans.toml", &schema_text);
    let model = model(&schema);
    model.save(folder.path().join("model.json")).unwrap();
    let data = Table::read(folder.path().join("loans.csv")).unwrap();
    let data = Dataset::from_table(&data, &schema).unwrap();
    let training = data.part(&holdout(data.len(), 0.25, 0).train);
    let settings = ExplainSettings::preset(Preset::Standard, &schema.name);
    let explainer = Explainer::fit(&training, &model, &settings).unwrap();

    let more = ["--model", "model.json", "--applicants", "loans.csv", "--format", "json"];
    let answers = folder.answers_on_loans("explain", &more).json();
    assert_eq!(answers.len(), data.records.len());
    let mut holes = 0;
    for (answer, record) in answers.iter().zip(&data.records) {
        let explanation = explainer
            .explain(record, &Engine::Search, &SolveSettings::default(), &Control::default())
            .unwrap();
        assert_eq!(answer["score_before"], explanation.score_before);
        let Some(plan) = explanation.plan else { continue };
        assert_eq!(answer["status"], "optimal");
        assert!((answer["objective"].as_f64().unwrap() - plan.costs.objective).abs() < 1e-9);
        for (feature, value) in schema.features.iter().zip(record) {
            if matches!(value, Value::Code(_)) {
                holes += 1;
                assert_eq!(answer["application"][&feature.name], "", "{answer}");
            } else {
                assert_ne!(answer["application"][&feature.name], "", "{answer}");
            }
        }
    }
    assert!(holes > 10, "{holes}");
}

#[test]
fn empty_cells_are_trained_on_shown_and_left_alone() {
    let supplied = schema().replace("\"missing\" }", "\"missing\", leave = true }");
    let folder = Folder::new().with("loans.csv", table()).with("loans.toml", supplied);
    let more = ["--model", "lr", "--applicants", "loans.csv"];
    let must = ["--rule", "must housing is not missing"];
    let run = folder.answers_on_loans("explain", &[&more[..], &must].concat());
    assert!(run.out.contains("missing -> "), "{}", run.out);
    let fixed = Folder::new().with("loans.csv", table()).with("loans.toml", schema());
    let run = fixed.answers_on_loans("explain", &[&more[..], &["--format", "json"]].concat());
    let answers = run.json();
    assert!(answers.len() > 5);
    for answer in answers {
        let changes = answer["changes"].as_array().unwrap().iter();
        for side in ["before", "after"] {
            assert!(changes.clone().all(|change| change[side] != "missing"), "{answer}");
        }
    }
    let applicants =
        "income,debt,housing,guarantor,age\n30,,,yes,40\n,2.5,rent,,30\n30,1,rent,no,\n";
    let folder = fixed.with("new.csv", applicants);
    let args = ["--model", "lr", "--applicants", "new.csv", "--strict"];
    folder.refuses_on_loans("explain", &args, &["row 3, column `age`: the cell is empty"]);
}
