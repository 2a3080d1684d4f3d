//! The program prints the records and the sentences of the library.

use amends::Solving;
use amends::answer::{Ask, PlanRecord};
use amends::data::{Dataset, Schema, Table};
use amends::engine::Control;
use amends::engine::{Engine, SolveSettings};
use amends::explain::{ExplainSettings, Explainer, Preset, Wishes};
use amends::model::{Model, ModelKind, TrainSettings, holdout};
use amends::plans::SeveralSettings;
use serde_json::{Value, to_value};

use crate::support::{Folder, SCHEMA};

/// Times differ from run to run.
fn without_seconds(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.remove("seconds");
            fields.values_mut().for_each(without_seconds);
        }
        Value::Array(values) => values.iter_mut().for_each(without_seconds),
        _ => {}
    }
}

/// Asks program and library the same of all rows of the table, and compares every field of every plan. Returns their statuses.
fn compare(more: &[&str], ask: &Ask, wishes: &[&str]) -> Vec<Value> {
    let folder = Folder::with_loans();
    let schema = Schema::parse(SCHEMA, "loans.toml").unwrap();
    let table = Table::read(folder.path().join("loans.csv")).unwrap();
    let data = Dataset::from_table(&table, &schema).unwrap();
    let training = data.part(&holdout(data.len(), 0.25, 0).train);
    let kind = ModelKind::LogisticRegression;
    let model = Model::fit(&training, kind, &TrainSettings::default()).unwrap();
    let costs = ExplainSettings::preset(Preset::Standard, &schema.name);
    let explainer = Explainer::fit(&training, &model, &costs).unwrap();
    let wishes = Wishes::parse(wishes.iter().copied(), &schema).unwrap();
    let (settings, control) = (SolveSettings::default(), Control::default());
    let solving = Solving { engine: &Engine::Search, settings: &settings, control: &control };

    let common =
        ["--model", "lr", "--applicants", "loans.csv", "--format", "json", "--threads", "1"];
    let printed = folder.answers_on_loans("explain", &[&common[..], more].concat()).json();
    let mut printed = printed.into_iter();
    let mut statuses = Vec::new();
    for record in &data.records {
        let answer = ask.answer(&explainer, record, &wishes, &solving).unwrap();
        for expected in PlanRecord::of_answer(&answer, &explainer) {
            let mut line = printed.next().unwrap();
            for own in ["row", "plan", "model", "schema", "settings", "fit", "provenance"] {
                assert!(!line.as_object_mut().unwrap().remove(own).unwrap().is_null(), "{own}");
            }
            let mut expected = to_value(expected).unwrap();
            without_seconds(&mut line);
            without_seconds(&mut expected);
            assert_eq!(line, expected);
            statuses.push(line["status"].clone());
        }
    }
    assert_eq!(printed.next(), None);
    statuses
}

#[test]
fn plans_are_printed_as_the_library_serialises_them() {
    let statuses = compare(&[], &Ask::best(), &[]);
    assert!(statuses.contains(&"optimal".into()) && statuses.contains(&"already-accepted".into()));
}

#[test]
fn several_plans_are_printed_as_the_library_serialises_them() {
    let three = SeveralSettings::new(3);
    compare(&["--plans", "3"], &Ask::several(three).unwrap(), &[]);
}

#[test]
fn reasons_are_printed_as_the_library_serialises_them() {
    let rule = "at most 0 of income, debt, housing, guarantor change";
    let statuses = compare(&["--rule", rule], &Ask::best(), &[rule]);
    assert!(statuses.contains(&"infeasible".into()));
}

#[test]
fn a_row_that_cannot_be_read_has_the_same_fields() {
    let applicants = "income,debt,housing,guarantor,age\n30,1,rent,no,40\n30,1,palace,no,40\n";
    let folder = Folder::with_loans().with("new.csv", applicants);
    let args = ["--model", "lr", "--applicants", "new.csv", "--format", "json"];
    let data = ["explain", "--data", "loans.csv", "--schema", "loans.toml"];
    let lines = folder.run(&[&data[..], &args].concat()).json();
    let keys = |line: &Value| line.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(lines[1]["status"], "error");
    assert_eq!(keys(&lines[0]), keys(&lines[1]));
}
