//! Codes beside numbers, from the table through models and plans back to the table's own text.

use crate::common::real_data::real_data;
use std::fmt::Write as _;

use crate::common::brute_force;
use crate::common::read_applicants;
use amends::data::{Dataset, Encoder, HelocCodes, Record, Schema, Table, Value};
use amends::engine::Control;
use amends::explain::{DistanceKind, ExplainSettings, Explainer, OutlierKind, Preset};
use amends::milp::{Formulation, default_solver};
use amends::model::{Classifier, Model, ModelKind, TrainSettings, holdout};
use amends::plausibility::{Covariance, FactorKind, factor, mahalanobis};
use amends::{Engine, Instance, SolveSettings, Status};

/// Months since the last late payment, with a code for "never" that speaks for an applicant and one for unknown.
const SCHEMA: &str = r#"version = 1
name = "loans"
[target]
column = "outcome"
favourable = "paid"
unfavourable = "lost"
[[feature]]
name = "months"
kind = "integer"
unit = "months"
codes = [
  { value = -7, label = "never late" },
  { value = "", label = "not asked" },
]
[[feature]]
name = "income"
kind = "continuous"
"#;

/// Many months and never being late are good, an unknown record is not; income helps a little.
fn csv() -> String {
    let mut text = String::from("months,income,outcome\n");
    for row in 0..240_i32 {
        let (months, income) = (row * 37 % 60, f64::from(row * 53 % 40) / 2.0);
        let (cell, good) = match row % 4 {
            0 => ("-7".to_owned(), 45),
            1 if row % 3 == 0 => (String::new(), 5),
            _ => (months.to_string(), months),
        };
        let paid = f64::from(good) + income + f64::from(row * 7 % 5) > 38.0;
        let _ = writeln!(text, "{cell},{income},{}", if paid { "paid" } else { "lost" });
    }
    text
}

fn loans(schema: &str) -> Dataset {
    let schema = Schema::parse(schema, "loans.toml").unwrap();
    Dataset::from_table(&Table::parse(&csv(), "loans.csv").unwrap(), &schema).unwrap()
}

fn with_codes(never: &str, unknown: &str) -> String {
    let never = format!("\"never late\"{never} }}");
    let unknown = format!("\"not asked\"{unknown} }}");
    SCHEMA.replace("\"never late\" }", &never).replace("\"not asked\" }", &unknown)
}

fn fit(data: &Dataset, kind: ModelKind) -> Model {
    let settings = TrainSettings { trees: 20, ..TrainSettings::default() };
    Model::fit(data, kind, &settings).unwrap()
}

fn explainer(data: &Dataset, model: &Model) -> Explainer {
    let costs = ExplainSettings::preset(Preset::Standard, &data.schema.name);
    Explainer::fit(data, model, &costs).unwrap()
}

fn solved(explainer: &Explainer, applicant: &Record) -> amends::Explanation {
    let settings = SolveSettings { threads: 1, ..SolveSettings::default() };
    explainer.explain(applicant, &Engine::Search, &settings, &Control::default()).unwrap()
}

const BOTH: [ModelKind; 2] = [ModelKind::LogisticRegression, ModelKind::RandomForest];

#[test]
fn a_table_comes_back_cell_by_cell() {
    let data = loans(SCHEMA);
    assert_eq!(data.to_table().rows, Table::parse(&csv(), "loans.csv").unwrap().rows);
    assert_eq!(read_applicants(&data.to_table(), &data.schema).unwrap(), data.records);
    // Without the codes the empty cells are refused, as ever.
    let plain = Schema { features: vec![data.schema.features[1].clone()], ..data.schema.clone() };
    assert!(Dataset::from_table(&data.to_table(), &plain).is_ok());
    let mut codeless = data.schema.clone();
    codeless.features[0].codes.pop();
    let message = Dataset::from_table(&data.to_table(), &codeless).unwrap_err().to_string();
    assert!(
        message.starts_with("loans, row 10, column `months`: the cell is empty")
            && message.ends_with("declare a code for missing values in the schema"),
        "{message}"
    );
}

#[test]
fn models_see_state_and_number_apart() {
    let data = loans(SCHEMA);
    for kind in BOTH {
        let model = fit(&data, kind);
        assert_eq!(model.columns, ["months", "months: -7", "months: (empty)", "income"]);
        let explainer = explainer(&data, &model);
        let score = |months| explainer.score(&vec![months, Value::Number(10.0)]);
        // Never late is as good as long ago, though its column of numbers holds what "this month" does.
        assert!(score(Value::Number(0.0)) < 0.0 && score(Value::Number(59.0)) > 0.0, "{kind}");
        assert!(score(Value::Code(0)) > 0.0, "{kind}");
        assert!(score(Value::Code(1)) < 0.0, "{kind}");
        if let Classifier::Linear(linear) = &model.classifier {
            assert!(linear.weights[1] > 0.0 && linear.weights[0] > 0.0, "{:?}", linear.weights);
        }
    }
}

#[test]
fn the_number_beside_a_code_makes_no_difference_to_distances() {
    let data = loans(SCHEMA);
    let encoder = Encoder::new(&data.schema);
    let with_number = |beside: f64, record: &Record| {
        let mut row = encoder.encode(record);
        row[0] += beside * (row[1] + row[2]);
        row
    };
    let distance = |beside: f64, from: Value, to: Value| {
        let rows: Vec<Vec<f64>> =
            data.records.iter().map(|record| with_number(beside, record)).collect();
        let factor = factor(&Covariance::fit(&rows).unwrap(), FactorKind::Cholesky).unwrap();
        let [from, to] =
            [from, to].map(|months| with_number(beside, &vec![months, Value::Number(1.0)]));
        let change: Vec<f64> = to.iter().zip(&from).map(|(to, from)| to - from).collect();
        mahalanobis(&factor, &change)
    };
    for (from, to) in [
        (Value::Number(3.0), Value::Number(40.0)),
        (Value::Code(1), Value::Number(40.0)),
        (Value::Number(40.0), Value::Code(0)),
    ] {
        let (zero, other) = (distance(0.0, from, to), distance(31.0, from, to));
        assert!((zero - other).abs() < 1e-9 * zero, "{zero} and {other}");
    }
}

#[test]
fn dates_cost_what_the_days_between_them_do() {
    let shifted = |origin: i64| {
        let mut text = String::new();
        for line in csv().lines() {
            let (months, rest) = line.split_once(',').unwrap();
            match months.parse::<i64>() {
                Ok(months) if months >= 0 => writeln!(text, "{},{rest}", origin + months),
                _ => writeln!(text, "{line}"),
            }
            .unwrap();
        }
        let schema = Schema::parse(SCHEMA, "loans.toml").unwrap();
        Dataset::from_table(&Table::parse(&text, "loans.csv").unwrap(), &schema).unwrap()
    };
    let cost = |origin: i64| {
        let data = shifted(origin);
        let model = fit(&data, ModelKind::RandomForest);
        let explainer = explainer(&data, &model);
        let applicant = vec![Value::Number((origin + 9) as f64), Value::Number(3.0)];
        let plan = solved(&explainer, &applicant).plan.unwrap();
        (explainer.facts().ridge, plan.costs.mahalanobis, plan.costs.lof)
    };
    let (ridge, mahalanobis, lof) = cost(0);
    // Nobody who was never late is rejected: that indicator is constant.
    assert_eq!(ridge, 1e-6);
    for origin in [2000, 20_260_100, 100_000_000_000] {
        let (same_ridge, same_mahalanobis, same_lof) = cost(origin);
        assert_eq!(same_ridge, ridge, "from {origin}");
        assert!((same_mahalanobis - mahalanobis).abs() <= 1e-12 * mahalanobis, "from {origin}");
        // Scaled by the spread of the numbers, however far from 0 they are.
        assert!((same_lof - lof).abs() <= 1e-9 * lof, "from {origin}: {same_lof}, not {lof}");
    }
}

#[test]
fn models_of_other_codes_are_refused() {
    let data = loans(SCHEMA);
    let model = fit(&data, ModelKind::LogisticRegression);
    let relabelled = loans(&SCHEMA.replace("never late", "always on time"));
    let costs = ExplainSettings::preset(Preset::Standard, "loans");
    assert!(Explainer::fit(&relabelled, &model, &costs).is_ok());
    let more =
        loans(&SCHEMA.replace("codes = [", "codes = [{ value = -8, label = \"unusable\" },"));
    let message = Explainer::fit(&more, &model, &costs).err().unwrap().to_string();
    assert!(message.contains("another state of schema `loans`"), "{message}");
}

/// How many columns the first feature has in an applicant's instance, and how many options.
fn shape(instance: &Instance) -> (usize, usize) {
    (instance.features()[0].columns.len(), instance.features()[0].options.len())
}

#[test]
fn codes_are_kept_unless_the_schema_lets_them_go() {
    let months = |schema: &str, own: Value| {
        let data = loans(schema);
        let model = fit(&data, ModelKind::LogisticRegression);
        shape(&explainer(&data, &model).instance(&vec![own, Value::Number(3.0)]).unwrap())
    };
    let (number, never, unknown) = (Value::Number(9.0), Value::Code(0), Value::Code(1));
    let numbers = months(SCHEMA, number).1;
    assert_eq!(months(SCHEMA, number), (1, numbers));
    assert_eq!(months(SCHEMA, never), (1, 1));
    assert_eq!(months(SCHEMA, unknown), (1, 1));
    let leave = with_codes("", ", leave = true");
    assert_eq!(months(&leave, number), (1, numbers));
    assert_eq!(months(&leave, never), (1, 1));
    assert_eq!(months(&leave, unknown), (2, numbers + 1));
    let enter = with_codes(", enter = true", ", leave = true");
    assert_eq!(months(&enter, number), (2, numbers + 1));
    assert_eq!(months(&enter, never), (1, 1));
    assert_eq!(months(&enter, unknown), (3, numbers + 2));
}

#[test]
fn leaving_and_entering_a_code_is_one_change_and_proven_best() {
    for kind in BOTH {
        for (schema, own) in [
            (with_codes("", ", leave = true"), Value::Code(1)),
            (with_codes(", enter = true", ", leave = true"), Value::Code(1)),
            (with_codes(", enter = true", ""), Value::Number(20.0)),
        ] {
            let data = loans(&schema);
            let model = fit(&data, kind);
            let mut costs = ExplainSettings::preset(Preset::Standard, "loans");
            costs.max_changes = 1;
            let explainer = Explainer::fit(&data, &model, &costs).unwrap();
            let applicant = vec![own, Value::Number(8.0)];
            assert!(explainer.score(&applicant) < 0.0);
            let explanation = solved(&explainer, &applicant);
            assert_eq!(explanation.status, Status::Optimal, "{kind}");
            assert_eq!(explanation.changes.len(), 1);
            let best = brute_force::best(&explainer.instance(&applicant).unwrap()).unwrap();
            let found = explanation.plan.unwrap();
            assert!((found.costs.objective - best.evaluation.objective).abs() < 1e-9, "{kind}");
            assert!(found.score >= 0.0);
        }
    }
}

#[test]
fn both_engines_agree_on_leaving_a_code() {
    let data = loans(&with_codes(", enter = true", ", leave = true"));
    let model = fit(&data, ModelKind::LogisticRegression);
    let costs = ExplainSettings::preset(Preset::Dace, "loans");
    let explainer = Explainer::fit(&data, &model, &costs).unwrap();
    let applicant = vec![Value::Code(1), Value::Number(8.0)];
    let instance = explainer.instance(&applicant).unwrap();
    let best = brute_force::best(&instance).unwrap().evaluation.objective;
    let settings = SolveSettings { threads: 1, ..SolveSettings::default() };
    for &formulation in Formulation::ALL {
        let engine = Engine::Milp { formulation, solver: default_solver() };
        let explanation =
            explainer.explain(&applicant, &engine, &settings, &Control::default()).unwrap();
        assert_eq!(explanation.status, Status::Optimal, "{}", formulation.name());
        assert!((explanation.plan.unwrap().costs.objective - best).abs() < 1e-6 * best);
    }
}

#[test]
fn plans_say_what_a_code_means() {
    let schema = with_codes(", enter = true", ", leave = true");
    let mut data = loans(&schema);
    // Only the states are left to choose from.
    data.schema.features[0].limits.range = Some([0.0, 1.0]);
    data.schema.features[1].change = amends::data::Change::Immutable;
    let model = fit(&data, ModelKind::LogisticRegression);
    let explanation = solved(&explainer(&data, &model), &vec![Value::Code(1), Value::Number(10.0)]);
    let change = &explanation.changes[0];
    assert_eq!((change.before.as_str(), change.after.as_str()), ("not asked", "never late"));
    assert_eq!(change.unit, None);
    assert_eq!(data.schema.features[0].show(explanation.plan.unwrap().record[0]), "-7");
}

#[test]
fn an_applicant_outside_a_range_gets_a_note() {
    let data = loans(&SCHEMA.replace("unit = \"months\"", "range = [0, 30]\nlabel = \"Quiet\""));
    let model = fit(&data, ModelKind::LogisticRegression);
    let explainer = explainer(&data, &model);
    let inside = solved(&explainer, &vec![Value::Number(9.0), Value::Number(3.0)]);
    assert!(inside.notes.is_empty());
    let outside = vec![Value::Number(31.0), Value::Number(0.0)];
    let explanation = solved(&explainer, &outside);
    assert_eq!(explanation.notes.len(), 1);
    assert!(explanation.notes[0].starts_with("Quiet is 31, outside the schema's range of 0 to 30"));
    let instance = explainer.instance(&outside).unwrap();
    let options = &instance.features()[0].options;
    let values = (0..options.len()).map(|option| options.value(option, 0));
    assert_eq!(values.filter(|&value| value > 30.0).collect::<Vec<_>>(), [31.0]);
}

#[test]
fn effort_multiplies_what_a_move_costs() {
    let data = loans(SCHEMA);
    let model = fit(&data, ModelKind::LogisticRegression);
    let mut costs = ExplainSettings::preset(Preset::Standard, "loans");
    costs.outlier = OutlierKind::None;
    let applicant = vec![Value::Number(9.0), Value::Number(3.0)];
    for distance in [DistanceKind::Mahalanobis, DistanceKind::L1Mahalanobis] {
        costs.distance = distance;
        let of = |data: &Dataset| {
            let explainer = Explainer::fit(data, &model, &costs).unwrap();
            let instance = explainer.instance(&applicant).unwrap();
            let moved = |feature: usize, option: usize| {
                let mut choice = instance.keep_all();
                choice[feature] = option;
                instance.evaluate(&choice).distance
            };
            (moved(0, 0), moved(1, 0), solved(&explainer, &applicant).plan.unwrap())
        };
        let (months, income, _) = of(&data);
        let harder = loans(&SCHEMA.replace("unit = \"months\"", "effort = 3"));
        let (harder_months, same_income, plan) = of(&harder);
        assert!((harder_months - 3.0 * months).abs() < 1e-12 * months);
        assert_eq!(same_income, income);
        // What is reported beside the cost is the plain distance.
        assert!(plan.costs.mahalanobis <= plan.costs.distance + 1e-12);
    }
}

/// FICO's table.
fn heloc() -> Dataset {
    Dataset::heloc(real_data("heloc_raw.csv"), HelocCodes::State).unwrap()
}

#[test]
#[ignore = "needs the data sets: make test-data"]
fn heloc_comes_back_as_fico_wrote_it() {
    let data = heloc();
    assert_eq!(data.len(), 9871);
    let again = read_applicants(&data.to_table(), &data.schema).unwrap();
    assert!(again == data.records, "reading and writing changed a cell");
    let months = data.schema.feature_index("MSinceMostRecentDelq").unwrap();
    let never = data.to_table().rows.iter().filter(|row| row[months] == "-7").count();
    assert_eq!(never, 4664);
}

#[test]
#[ignore = "needs the data sets: make test-data"]
fn heloc_plans_are_valid_and_leave_codes_alone() {
    let data = heloc();
    let split = holdout(data.len(), 0.25, 0);
    // A part of the rows is enough to plan with, and quick.
    let training = data.part(&split.train[..2500]);
    for kind in BOTH {
        let model = fit(&training, kind);
        let explainer = explainer(&training, &model);
        let rejected = split.test.iter().map(|&row| &data.records[row]);
        let rejected = rejected.filter(|record| {
            explainer.score(record) < 0.0 && record.iter().any(|value| is_code(*value))
        });
        let mut plans = 0;
        for applicant in rejected.take(12) {
            let explanation = solved(&explainer, applicant);
            assert!(matches!(explanation.status, Status::Optimal | Status::Infeasible), "{kind}");
            let Some(plan) = explanation.plan else { continue };
            plans += 1;
            assert!(plan.score >= 0.0 && explainer.score(&plan.record) >= 0.0, "{kind}");
            assert!((1..=4).contains(&explanation.moves));
            assert_eq!(data.schema.broken(applicant, &plan.record), []);
            for (index, (&before, &after)) in applicant.iter().zip(&plan.record).enumerate() {
                let coded = is_code(before) || is_code(after);
                assert!(!coded || before == after, "{kind}: {}", data.schema.features[index].name);
            }
        }
        assert!(plans > 0, "{kind} found no plan at all");
    }
}

fn is_code(value: Value) -> bool {
    matches!(value, Value::Code(_))
}
