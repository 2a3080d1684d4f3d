//! An explanation as JSON, for Python to show.

use amends::data::{Feature, Schema};
use amends::explain::{Explainer, Explanation, WhyNone};
use amends::model::Model;
use serde_json::{Map, Value, json as object};

/// One plan, or that there is none, with the keys that `amends explain --format json` has.
pub fn json(told: &Explanation, model: &Model, explainer: &Explainer) -> Value {
    let schema = explainer.schema();
    let link = model.origin.link();
    let plan = told.plan.as_ref();
    let application = plan.map(|plan| {
        let pairs = schema.features.iter().zip(&plan.record);
        pairs
            .map(|(feature, &value)| (feature.name.clone(), typed(feature, &feature.show(value))))
            .collect::<Map<String, Value>>()
    });
    object!({
        "status": told.status,
        "objective": plan.map(|plan| plan.objective),
        "bound": told.bound,
        "gap": told.gap,
        "distance": plan.map(|plan| plan.distance),
        "outlier": plan.map(|plan| plan.outlier),
        "mahalanobis": plan.map(|plan| plan.mahalanobis),
        "lof": plan.map(|plan| plan.lof),
        "score_before": told.score_before,
        "score_after": plan.map(|plan| plan.score),
        "probability_before": link.probability(told.score_before),
        "probability_after": plan.and_then(|plan| link.probability(plan.score)),
        "moves": told.moves,
        "changes": changes(told, schema),
        "application": application,
        "seconds": told.time.as_secs_f64(),
        "remark": told.remark,
        "notes": told.notes,
        "why_none": told.why_none.as_ref().map(|why| why_none(why, model, schema)),
    })
}

fn changes(told: &Explanation, schema: &Schema) -> Vec<Value> {
    let change = told.changes.iter().map(|change| {
        let of = |text: &str| match schema.feature_index(&change.feature) {
            Some(index) => typed(&schema.features[index], text),
            None => text.into(),
        };
        object!({
            "feature": change.feature,
            "title": change.title,
            "unit": change.unit,
            "before": of(&change.before),
            "after": of(&change.after),
            "together": change.together,
        })
    });
    change.collect()
}

fn why_none(why: &WhyNone, model: &Model, schema: &Schema) -> Value {
    let ways = why.ways.iter().map(|way| {
        let plan = way.explanation.plan.as_ref();
        object!({
            "text": way.in_words(),
            "objective": plan.map(|plan| plan.objective),
            "probability_after":
                plan.and_then(|plan| model.origin.link().probability(plan.score)),
            "changes": changes(&way.explanation, schema),
        })
    });
    object!({
        "text": why.in_words(),
        "at_least": why.at_least,
        "settled": why.settled,
        "ways": ways.collect::<Vec<Value>>(),
    })
}

/// Numbers as numbers (3, not 3.0), everything else as text.
fn typed(feature: &Feature, shown: &str) -> Value {
    let number = |shown: &str| serde_json::from_str(shown).ok().map(Value::Number);
    feature.is_numeric().then(|| number(shown)).flatten().unwrap_or_else(|| shown.into())
}
