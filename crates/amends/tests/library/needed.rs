//! Plans in which every change is needed, in tables of numbers that rise and fall together: there a plan is cheaper with changes that
//! it could do without.

use std::fmt::Write;
use std::time::Duration;

use amends::data::{Dataset, Schema, Table};
use amends::engine::Control;
use amends::explain::Goal;
use amends::model::{Classifier, Library, Linear, Link, Model, Origin};
use amends::{Engine, ExplainSettings, Explainer, Explanation, Preset, SolveSettings, Status};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// What a month brings and costs, in cents, for people of different means.
fn months() -> (Schema, Dataset) {
    let rng = &mut ChaCha8Rng::seed_from_u64(4);
    let mut rows = "salary,spending,rent,deposit,ok\n".to_owned();
    for _ in 0..300 {
        let means = rng.random_range(-1.2_f64..1.2).exp();
        let mut amount = |usual: f64, spread: f64| {
            let part = rng.random_range(1.0 - spread..1.0 + spread);
            (usual * means * part * 100.0).round() / 100.0
        };
        let (salary, spending) = (amount(2500.0, 0.15), amount(1200.0, 0.2));
        let (rent, deposit) = (amount(800.0, 0.2), amount(4000.0, 0.5));
        let ok = u8::from(score(&[salary, spending, rent, deposit]) > 0.0);
        writeln!(rows, "{salary},{spending},{rent},{deposit},{ok}").unwrap();
    }
    let mut text = "version = 1\nname = \"months\"\n[target]\ncolumn = \"ok\"\nfavourable = \"1\"\nunfavourable = \"0\"\n".to_owned();
    for (name, least) in [("salary", 15.0), ("spending", 8.0), ("rent", 5.0), ("deposit", 30.0)] {
        writeln!(
            text,
            "[[feature]]\nname = \"{name}\"\nkind = \"continuous\"\nleast_change = {least:.1}"
        )
        .unwrap();
    }
    let schema = Schema::parse(&text, "months.toml").unwrap();
    let table = Table::parse(&rows, "months.csv").unwrap();
    let dataset = Dataset::from_table(&table, &schema).unwrap();
    (schema, dataset)
}

const WEIGHTS: [f64; 4] = [1.0 / 900.0, -1.0 / 700.0, -1.0 / 700.0, 1.0 / 4000.0];

fn score(row: &[f64]) -> f64 {
    row.iter().zip(WEIGHTS).map(|(number, weight)| weight * number).sum::<f64>() - 1.0
}

fn explainer(schema: &Schema, dataset: &Dataset, goal: Goal) -> Explainer {
    let model = Model {
        origin: Origin::Imported { library: Library::ScikitLearn, link: Link::None },
        schema_name: schema.name.clone(),
        schema_fingerprint: schema.fingerprint(),
        columns: schema.features.iter().map(|feature| feature.name.clone()).collect(),
        quality: None,
        classifier: Classifier::Linear(Linear { weights: WEIGHTS.to_vec(), intercept: -1.0 }),
    };
    let settings = ExplainSettings { goal, ..ExplainSettings::preset(Preset::Standard, "months") };
    Explainer::fit(dataset, &model, &settings).unwrap()
}

fn explained(goal: Goal, seconds: f64) -> Vec<Explanation> {
    let (schema, dataset) = months();
    let explainer = explainer(&schema, &dataset, goal);
    let rejected = dataset.records.iter().filter(|record| !explainer.accepts(record));
    let settings = SolveSettings {
        time_limit: Some(Duration::from_secs_f64(seconds)),
        ..SolveSettings::default()
    };
    let explain =
        |record| explainer.explain(record, &Engine::Search, &settings, &Control::default());
    rejected.take(25).map(|record| explain(record).unwrap()).collect()
}

/// Every change of these plans raises the score: what gains nothing is not needed.
#[test]
fn linear_models_need_no_change_that_gains_nothing() {
    let needed = Goal { needed: true, ..Goal::default() };
    let both = Goal { harmless: true, ..needed };
    let (needed, both) = (explained(needed, 20.0), explained(both, 20.0));
    assert!(needed.len() > 20);
    for (needed, both) in needed.iter().zip(&both) {
        assert_eq!((needed.status, both.status), (Status::Optimal, Status::Optimal));
        let [cost, other] = [needed, both].map(|one| one.plan.as_ref().unwrap().costs.objective);
        assert!((cost - other).abs() <= 3e-6 * other, "{cost} {other}");
    }
}

/// What time cuts short is a plan in which every change is needed, too.
#[test]
fn no_time_limit_lets_a_change_through_that_is_not_needed() {
    for step_to_spare in [false, true] {
        let goal = Goal { needed: true, step_to_spare, ..Goal::default() };
        for seconds in [1e-6, 1e-3, 1e-2] {
            for one in explained(goal, seconds) {
                assert!(one.not_needed.is_empty(), "{:?}", one.not_needed);
                assert_eq!(one.plan.is_some(), one.status != Status::Timeout);
            }
        }
    }
}
