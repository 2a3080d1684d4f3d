//! `amends explain` with neural networks, which only model files have.

use amends::data::Schema;
use amends::import::{Feed, ImportSettings, Library, Link, RawLinear, RawNetwork, Step};
use amends::model::{Layer, Model};
use serde_json::Value;

use crate::support::{Folder, SCHEMA};

/// Income and a guarantor speak for an applicant, debt against; both numbers are scaled, the income perhaps cut off.
fn linear(clip: bool) -> RawLinear {
    let number = |feature: &str, mean, deviation| {
        Feed::number(feature, vec![Step::Subtract(mean), Step::Divide(deviation)])
    };
    let mut income = number("income", 50.0, 18.0);
    if let Feed::Number { steps, .. } = &mut income {
        steps.extend(clip.then_some(Step::Clip(-1.0, 0.5)));
    }
    let guarantor =
        Feed::Levels { feature: "guarantor".into(), numbers: vec![Some(0.0), Some(1.0)] };
    RawLinear {
        library: Library::ScikitLearn,
        feeds: vec![income, number("debt", 11.0, 7.0), guarantor],
        weights: vec![1.5, -1.0, 0.75],
        intercept: -0.5,
        link: Link::LogOdds,
    }
}

/// The same decisions by two hidden layers: max(0, s) - max(0, -s) is s.
fn network(linear: &RawLinear) -> RawNetwork {
    let turned = linear.weights.iter().map(|weight| -weight).collect();
    RawNetwork {
        library: linear.library,
        feeds: linear.feeds.clone(),
        layers: vec![
            Layer {
                weights: vec![linear.weights.clone(), turned],
                bias: vec![linear.intercept, -linear.intercept],
            },
            Layer { weights: vec![vec![1.0, -1.0], vec![-1.0, 1.0]], bias: vec![0.0, 0.0] },
            Layer { weights: vec![vec![1.0, -1.0]], bias: vec![0.0] },
        ],
        link: linear.link,
    }
}

fn plans(folder: &Folder, model: &str, engine: &[&str]) -> Vec<Value> {
    let rows = ["--row", "1,13,18,30", "--format", "json", "--model", model];
    folder.answers_on_loans("explain", &[&rows[..], engine].concat()).json()
}

#[test]
fn a_network_that_is_a_weighted_sum_is_explained_as_one() {
    let folder = Folder::with_loans();
    let schema = Schema::parse(SCHEMA, "loans.toml").unwrap();
    let settings = ImportSettings { class_one: Some("paid".into()), ..ImportSettings::default() };
    for clip in [false, true] {
        let linear = linear(clip);
        let save = |model: Model, name: &str| model.save(folder.path().join(name)).unwrap();
        save(Model::imported_linear(&linear, &schema, &settings).unwrap(), "linear.json");
        let network = network(&linear);
        save(Model::imported_network(&network, &schema, &settings).unwrap(), "network.json");
        let kind = if clip { r#""kind":"mlp""# } else { r#""kind":"linear""# };
        assert!(folder.read("linear.json").contains(kind));
        assert!(folder.read("network.json").contains(r#""kind":"mlp""#));

        let engine = ["--engine", "search"];
        let (expected, found) =
            (plans(&folder, "linear.json", &engine), plans(&folder, "network.json", &engine));
        assert_eq!(found.len(), 4);
        assert!(found.iter().any(|plan| plan["status"] == "optimal"));
        for (expected, found) in expected.iter().zip(&found) {
            assert_eq!(found["status"], expected["status"]);
            assert_eq!(found["changes"], expected["changes"], "{found}");
            for number in ["objective", "score_before", "score_after", "probability_after"] {
                let [ours, theirs] = [found, expected].map(|plan| plan[number].as_f64());
                let close = |ours: f64| (ours - theirs.unwrap()).abs() < 1e-9;
                assert!(ours.is_none_or(close), "{number}: {ours:?}, not {theirs:?}");
            }
        }
    }
}

#[test]
fn a_damaged_network_is_refused() {
    let folder = Folder::with_loans();
    let schema = Schema::parse(SCHEMA, "loans.toml").unwrap();
    let settings = ImportSettings { class_one: Some("paid".into()), ..ImportSettings::default() };
    let model = Model::imported_network(&network(&linear(false)), &schema, &settings).unwrap();
    model.save(folder.path().join("network.json")).unwrap();
    let text = folder.read("network.json").replace(r#""bias":[0.0,0.0]"#, r#""bias":[0.0]"#);
    let folder = folder.with("network.json", text);
    let model = ["--model", "network.json"];
    folder.refuses_on_loans("explain", &model, &["layers[1].bias: has 1 numbers", "one bias per"]);
}
