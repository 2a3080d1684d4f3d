//! An explanation as JSON; Python puts its frame's own values beside the texts.

use amends::data::Feature;
use amends::explain::{Explainer, Explanation, WhyNone};
use amends::model::Model;
use serde_json::{Map, Value, json as object};

/// One plan, or that there is none.
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
        "values_offered": told.values_offered,
        "moves": told.moves,
        "changes": changes(told),
        "application": application,
        "seconds": told.time.as_secs_f64(),
        "remark": told.remark,
        "notes": told.notes,
        "why_none": told.why_none.as_ref().map(|why| why_none(why, model, explainer)),
    })
}

fn changes(told: &Explanation) -> Vec<Value> {
    let change = told.changes.iter().map(|change| {
        object!({
            "feature": change.feature,
            "title": change.title,
            "unit": change.unit,
            "before_text": change.before,
            "after_text": change.after,
            "together": change.together,
        })
    });
    change.collect()
}

fn why_none(why: &WhyNone, model: &Model, explainer: &Explainer) -> Value {
    let ways = why.ways.iter().map(|way| {
        let relaxed = way.relaxed.iter().map(ToString::to_string);
        object!({
            "text": way.in_words(),
            "relaxed": relaxed.collect::<Vec<String>>(),
            "plan": json(&way.explanation, model, explainer),
        })
    });
    object!({
        "text": why.in_words(),
        "at_least": why.at_least,
        "settled": why.settled,
        "all_ways": why.all_ways,
        "ways": ways.collect::<Vec<Value>>(),
    })
}

/// Numbers as numbers (3, not 3.0), nothing as null, everything else as text.
fn typed(feature: &Feature, shown: &str) -> Value {
    if shown.is_empty() {
        return Value::Null;
    }
    let number = |shown: &str| serde_json::from_str(shown).ok().map(Value::Number);
    feature.is_numeric().then(|| number(shown)).flatten().unwrap_or_else(|| shown.into())
}
