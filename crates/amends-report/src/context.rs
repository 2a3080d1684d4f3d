//! What all answers of an explainer have in common: the model, the cost, the distributions of features, and where it all comes from.

use amends::answer::header;
use amends::data::{Feature, Kind, Value};
use amends::explain::{Bins, Distribution, Explainer};
use amends::model::Link;
use amends::model::Model;
use amends::provenance::Provenance;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

/// Labels on the axis of a histogram, at most.
const TICKS: f64 = 5.0;

/// What all answers have in common. Like a [`Card`](crate::Card), it can be stored and read back.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Context {
    /// The name of the data.
    pub data: String,
    /// What was explained and how, in sentences.
    pub header: Vec<String>,
    /// The score from which the model accepts.
    pub cut: f64,
    /// How a score becomes a probability.
    link: Link,
    /// The features in the schema's order.
    pub features: Vec<FeatureContext>,
    /// Where the answers come from and what they were computed with, as names and values.
    pub provenance: Vec<(String, String)>,
}

/// A feature as pictures need it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FeatureContext {
    /// Its title for people.
    pub title: String,
    /// What its numbers count.
    pub unit: Option<String>,
    /// Whether its numbers are whole: each then stands for an interval of its own.
    pub whole: bool,
    /// Its levels in words.
    pub levels: Vec<String>,
    /// Its codes in words.
    pub codes: Vec<String>,
    /// The numbers that are named on its axis, and their names.
    pub ticks: Vec<(f64, String)>,
    /// How its values are distributed among the training rows.
    pub distribution: Distribution,
}

impl Context {
    /// Of a model and what is fitted on it.
    pub fn of(model: &Model, explainer: &Explainer, provenance: &Provenance) -> Self {
        let features = explainer.schema().features.iter().zip(explainer.distributions());
        Self {
            data: explainer.schema().name.clone(),
            header: header(model, explainer).lines().map(str::to_owned).collect(),
            cut: explainer.settings().goal.score,
            link: explainer.link(),
            features: features.map(|(one, found)| FeatureContext::of(one, found)).collect(),
            provenance: provenance_rows(explainer, provenance),
        }
    }

    /// The probability of approval that a score stands for, where the model has one.
    pub fn probability(&self, score: f64) -> Option<f64> {
        self.link.probability(score)
    }
}

impl FeatureContext {
    fn of(feature: &Feature, distribution: &Distribution) -> Self {
        let whole = feature.kind == Kind::Integer;
        let number = |tick: f64| (tick, feature.describe(Value::Number(tick)));
        let ticks = distribution.bins.as_ref().map(|bins| ticks(bins, whole)).unwrap_or_default();
        Self {
            title: feature.title().to_owned(),
            unit: feature.unit.clone(),
            whole,
            levels: feature.levels().to_vec(),
            codes: feature.codes.iter().map(|code| code.label.clone()).collect(),
            ticks: ticks.into_iter().map(number).collect(),
            distribution: distribution.clone(),
        }
    }
}

/// Multiples of a width of the intervals, few enough to be read.
fn ticks(bins: &Bins, whole: bool) -> Vec<f64> {
    let steps = (bins.counts.len() as f64 / TICKS).ceil().max(1.0);
    // 3 intervals are not a step that people count in.
    let steps = [1.0, 2.0, 4.0, 5.0, 10.0].into_iter().find(|&of| of >= steps).unwrap_or(steps);
    let step = steps * bins.width;
    let first = (bins.first / step - 1e-9).ceil() * step;
    let ticks = (0..20).map(|index| first + f64::from(index) * step);
    // Minus zero would be written as "-0".
    // The end of whole numbers is not in the last interval.
    let end = if whole { bins.end() - 0.5 } else { bins.end() + 1e-9 * step };
    ticks.take_while(|&tick| tick <= end).map(|tick| tick + 0.0).collect()
}

/// Where the answers come from and the settings that they really depend on, as names and values.
pub(crate) fn provenance_rows(
    explainer: &Explainer,
    provenance: &Provenance,
) -> Vec<(String, String)> {
    let mut rows = Vec::new();
    let parts = [
        serde_json::to_value(provenance),
        serde_json::to_value(explainer.used_settings()),
        serde_json::to_value(explainer.facts()),
    ];
    for (part, prefix) in parts.into_iter().zip(["", "", "fitted: "]) {
        if let Ok(Json::Object(fields)) = part {
            for (name, value) in fields {
                add_rows(&mut rows, &format!("{prefix}{}", name.replace('_', " ")), &value);
            }
        }
    }
    rows
}

/// A value as one row, an object as a row per field; what has no effect is left out.
fn add_rows(rows: &mut Vec<(String, String)>, name: &str, value: &Json) {
    match value {
        Json::Null => {}
        Json::Array(items) => {
            for item in items {
                add_rows(rows, name, item);
            }
        }
        Json::Object(fields) => {
            for (field, value) in fields {
                add_rows(rows, &format!("{name}: {}", field.replace('_', " ")), value);
            }
        }
        Json::String(text) => rows.push((name.to_owned(), text.clone())),
        other => rows.push((name.to_owned(), other.to_string())),
    }
}
