//! Which wishes and which rules of the schema would have to give way for a plan that there is not.

use amends::answer::Answer;
use amends::data::{Feature, Value};
use amends::explain::{Relaxed, Way};
use serde_json::{Value as Json, json};

use super::answering::Answering;
use crate::request::{Key, WishList, levels_rule, narrowed};
use crate::service::Service;

/// Adds to each way, in `why_none`, what would have to be dropped for it.
pub fn add_drops(why_none: &mut Json, answering: &Answering<'_>, answer: &Answer) {
    let Some(ways) = why_none.get_mut("ways").and_then(Json::as_array_mut) else { return };
    let Some(why) = &answer.first().why_none else { return };
    for (json, way) in ways.iter_mut().zip(&why.ways) {
        json["drops"] = drops(answering, way).into();
    }
}

fn drops(answering: &Answering<'_>, way: &Way) -> Vec<Json> {
    let (service, list) = (&answering.app.service, &answering.question.list);
    let mut drops = Vec::new();
    for relaxed in &way.relaxed {
        let found = match relaxed {
            Relaxed::MaxChanges { needed, .. } => vec![json!({"max_changes": needed})],
            Relaxed::Harmless => vec![json!({"schema": {"key": "harmless"}})],
            Relaxed::Rule { rule } => vec![rule_drop(service, list, rule)],
            Relaxed::Feature { feature, .. } => {
                let index = service.schema.feature_index(feature);
                index.map_or_else(Vec::new, |index| feature_drops(answering, way, index))
            }
        };
        for drop in found {
            if !drops.contains(&drop) {
                drops.push(drop);
            }
        }
    }
    drops
}

/// A rule between features: the client's own, what their wish about levels became, or one for everybody.
fn rule_drop(service: &Service, list: &WishList, title: &str) -> Json {
    if list.rules.iter().any(|rule| rule.title() == title) {
        return json!({"rule": title});
    }
    let features = &service.schema.features;
    let wish = list.keys.iter().find(|(index, key)| match key {
        Key::Levels(values) => levels_rule(*index, &features[*index], values).title() == title,
        _ => false,
    });
    match wish {
        Some((index, key)) => {
            json!({"wish": {"feature": features[*index].name, "key": key.name()}})
        }
        None => json!({"schema": {"rule": title}}),
    }
}

/// What the change of a feature breaks: the client's wishes, each by itself, and the schema.
fn feature_drops(answering: &Answering<'_>, way: &Way, index: usize) -> Vec<Json> {
    let (service, list) = (&answering.app.service, &answering.question.list);
    let feature = &service.schema.features[index];
    let Some(plan) = &way.explanation.plan else { return Vec::new() };
    let (before, after) = (answering.question.applicant[index], plan.record[index]);
    let own = keys_broken(feature, before, after);
    let mut drops = Vec::new();
    for (_, key) in list.keys.iter().filter(|(of, _)| *of == index) {
        let broken = keys_broken(&narrowed(feature, [key]), before, after);
        if broken.iter().any(|broken| !own.contains(broken)) || broken.len() > own.len() {
            drops.push(json!({"wish": {"feature": feature.name, "key": key.name()}}));
        }
    }
    drops.extend(own.iter().map(|key| json!({"schema": {"feature": feature.name, "key": key}})));
    drops
}

/// The keys of the schema that going from one value to another breaks.
fn keys_broken(feature: &Feature, before: Value, after: Value) -> Vec<&'static str> {
    let mut keys: Vec<&str> = feature.broken(before, after).iter().map(|rule| rule.key()).collect();
    keys.dedup();
    keys
}
