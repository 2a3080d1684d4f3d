//! Accepted rows that are equal: once by default, as often as they are there in the papers' presets.

use std::fmt::Write as _;

use amends::data::{Dataset, Schema, Table, Value};
use amends::engine::Control;
use amends::explain::{ExplainSettings, Explainer, OutlierKind, Preset};
use amends::model::{Model, ModelKind, TrainSettings};
use amends::plausibility::{LocalOutlierFactor, Metric};
use amends::{Engine, Explanation, SolveSettings, Status};

const SCHEMA: &str = r#"version = 1
name = "loans"
[target]
column = "outcome"
favourable = "paid"
unfavourable = "lost"
[[feature]]
name = "income"
kind = "integer"
[[feature]]
name = "years"
kind = "integer"
change = "immutable"
"#;

/// Every row `copies` times; nobody has an odd number of years.
fn loans(copies: usize, incomes: i32) -> Dataset {
    let mut text = String::from("income,years,outcome\n");
    for income in 0..incomes {
        for years in 0..4 {
            let paid = 2 * income + 3 * years + income * years % 3 > incomes + 3;
            let outcome = if paid { "paid" } else { "lost" };
            for _ in 0..copies {
                writeln!(text, "{income},{},{outcome}", 2 * years).unwrap();
            }
        }
    }
    let schema = Schema::parse(SCHEMA, "loans.toml").unwrap();
    Dataset::from_table(&Table::parse(&text, "loans.csv").unwrap(), &schema).unwrap()
}

fn explained(data: &Dataset, change: impl Fn(&mut ExplainSettings)) -> (Explainer, Explanation) {
    let model = Model::fit(data, ModelKind::LogisticRegression, &TrainSettings::default()).unwrap();
    let mut costs = ExplainSettings::preset(Preset::Standard, "loans");
    change(&mut costs);
    let explainer = Explainer::fit(data, &model, &costs).unwrap();
    let applicant = vec![Value::Number(1.0), Value::Number(1.0)];
    let (settings, control) = (SolveSettings::default(), Control::default());
    let explanation = explainer.explain(&applicant, &Engine::Search, &settings, &control).unwrap();
    assert_eq!(explanation.status, Status::Optimal);
    (explainer, explanation)
}

#[test]
fn copies_of_rows_leave_costs_ordinary() {
    let figures = |e: &Explanation| {
        let plan = e.plan.as_ref().unwrap();
        (plan.costs.objective, plan.costs.outlier, plan.costs.lof)
    };
    let data = loans(12, 15);
    let (explainer, distinct) = explained(&data, |_| {});
    let facts = explainer.facts();
    assert_eq!(facts.accepted, data.favourable.iter().filter(|&&paid| paid).count());
    assert_eq!(facts.reference * 12, facts.accepted);
    assert_eq!(facts.points, facts.reference);
    let (objective, outlier, lof) = figures(&distinct);
    assert!(objective < 10.0 && outlier < 3.0 && lof < 3.0, "{objective}, {outlier}, {lof}");
    // The reported factor is that of the term, which has the same k, metric and scale.
    assert!((outlier - lof).abs() < 1e-9 * lof);

    let (explainer, copies) = explained(&data, |costs| costs.distinct = false);
    assert_eq!(explainer.facts().reference, explainer.facts().accepted);
    let (objective, _, lof) = figures(&copies);
    // Between the rows everybody is endlessly lonelier than on them.
    assert!(objective > 1e8 && lof > 1e8, "{objective}, {lof}");
}

#[test]
fn without_copies_both_ways_are_one() {
    let data = loans(1, 15);
    let (one, other) = (explained(&data, |_| {}), explained(&data, |costs| costs.distinct = false));
    let (a, b) = (one.1.plan.unwrap(), other.1.plan.unwrap());
    assert_eq!(
        (a.record, a.costs.objective, a.costs.lof),
        (b.record, b.costs.objective, b.costs.lof)
    );
    assert_eq!(one.0.facts(), other.0.facts());
}

#[test]
fn the_papers_presets_count_copies() {
    for (preset, distinct) in
        [(Preset::Standard, true), (Preset::Paper, false), (Preset::Dace, false)]
    {
        assert_eq!(ExplainSettings::preset(preset, "german").distinct, distinct);
    }
}

#[test]
fn too_few_distinct_rows_are_named() {
    let data = loans(30, 3);
    let model =
        Model::fit(&data, ModelKind::LogisticRegression, &TrainSettings::default()).unwrap();
    let costs = ExplainSettings::preset(Preset::Standard, "loans");
    let fit = |costs: &ExplainSettings| Explainer::fit(&data, &model, costs);
    let message = fit(&costs).err().unwrap().to_string();
    let expected = "k: `10` neighbours for each row can't be had from 6 different rows among 180 \
                    accepted ones; lower it to at most 5, or give more accepted rows that differ";
    assert_eq!(message, expected);
    // What is reported takes the neighbours that there are.
    for costs in [
        ExplainSettings { k: 5, ..costs.clone() },
        ExplainSettings { outlier: OutlierKind::None, ..costs.clone() },
        ExplainSettings { distinct: false, ..costs },
    ] {
        fit(&costs).unwrap();
    }
}

#[test]
fn distinct_neighbours_are_those_of_a_table_without_copies() {
    let rows: Vec<Vec<f64>> =
        (0..40).map(|i| vec![f64::from(i * i % 17), f64::from(i % 5)]).collect();
    let kept = super::every_distance::each_once(&rows);
    assert!(kept.len() < rows.len());
    let lof = LocalOutlierFactor::fit(kept.clone(), 3, Metric::Euclidean, None).unwrap();
    // By the definition of the k-distinct-distance: the least radius that holds k other places.
    for (row, k_distance) in kept.iter().zip(lof.k_distance()) {
        let mut places: Vec<f64> = kept
            .iter()
            .filter(|other| *other != row)
            .map(|other| Metric::Euclidean.distance(row, other, None))
            .collect();
        places.sort_by(f64::total_cmp);
        assert_eq!(*k_distance, places[2]);
    }
}
