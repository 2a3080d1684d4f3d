//! An application as JSON: numbers for numbers, texts for levels and codes, as answers have them.

use amends::answer::value_as_json;
use amends::data::{Record, Schema};
use amends::nearest_name;
use serde_json::{Map, Value as Json};

use super::fields::{MOST_PROBLEMS, cut, shown};
use crate::refusal::Problem;

/// Reads an application: one value per feature. Everything that is wrong with it is reported, not only the first.
pub fn read_application(
    object: &Map<String, Json>,
    schema: &Schema,
) -> Result<Record, Vec<Problem>> {
    let mut problems = Vec::new();
    let mut record = Record::with_capacity(schema.features.len());
    let missing = || {
        schema
            .features
            .iter()
            .map(|feature| feature.name.as_str())
            .filter(|name| !object.contains_key(*name))
    };
    for feature in &schema.features {
        let value = match object.get(&feature.name) {
            Some(Json::Number(number)) => match number.as_f64() {
                Some(number) => feature.value_of_number(number),
                None => feature.value_of_number(f64::INFINITY),
            },
            Some(Json::String(text)) => feature.value_of_text(text),
            other => {
                let wanted =
                    if feature.is_numeric() { "a number" } else { "one of its levels in quotes" };
                let message = match other {
                    None => format!("`{}` is missing", feature.name),
                    Some(other) => format!("`{}` is {}, not {wanted}", feature.name, shown(other)),
                };
                let remedy = format!("give {wanted}");
                problems.push(Problem::new(message, remedy).of_feature(&feature.name));
                continue;
            }
        };
        match value {
            Ok(value) => record.push(value),
            Err(error) => problems.push(Problem::of_input(&error.column(&feature.name))),
        }
    }
    let unknown = object.keys().filter(|name| schema.feature_index(name).is_none());
    for name in unknown.take(MOST_PROBLEMS) {
        let remedy = match nearest_name(name, missing()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "leave it out".to_owned(),
        };
        problems.push(Problem::new(format!("`{}` is not a feature", cut(name)), remedy));
    }
    if problems.is_empty() { Ok(record) } else { Err(problems) }
}

/// An application as JSON, which [`read_application`] reads back.
pub fn application_json(record: &Record, schema: &Schema) -> Map<String, Json> {
    let pairs = schema.features.iter().zip(record);
    pairs.map(|(feature, &value)| (feature.name.clone(), value_as_json(feature, value))).collect()
}
