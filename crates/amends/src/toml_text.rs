//! What is wrong with a TOML file, in the words of its format.

use std::ops::Range;

use serde_json::{Number, Value};

use crate::InputError;
use crate::shape::Shape;

/// What keeps a TOML text from being read, with its line. Text that is TOML but not of this shape is held against the shape,
/// which has better words than the types.
pub(crate) fn explain(shape: &Shape, text: &str, error: &toml::de::Error) -> InputError {
    let table = toml::from_str::<toml::Table>(text).ok();
    let flaw = table.and_then(|table| shape.flaw(&as_json(toml::Value::Table(table))));
    let problem = flaw.unwrap_or_else(|| InputError::new(error.message().replace('\n', ", ")));
    match error.span() {
        Some(span) => problem.inside(line_of(text, &span)),
        None => problem,
    }
}

/// The line in which a part of a text begins.
pub(crate) fn line_of(text: &str, span: &Range<usize>) -> String {
    let before = text.get(..span.start).unwrap_or_default();
    format!("line {}", before.matches('\n').count() + 1)
}

/// The same content as JSON. Numbers that JSON does not have are numbers all the same.
pub(crate) fn as_json(value: toml::Value) -> Value {
    match value {
        toml::Value::String(text) => text.into(),
        toml::Value::Integer(number) => number.into(),
        toml::Value::Float(number) => {
            Number::from_f64(number).map_or_else(|| 0.5.into(), Value::Number)
        }
        toml::Value::Boolean(flag) => flag.into(),
        toml::Value::Datetime(moment) => serde_json::json!({ "date": moment.to_string() }),
        toml::Value::Array(values) => values.into_iter().map(as_json).collect(),
        toml::Value::Table(table) => {
            Value::Object(table.into_iter().map(|(key, value)| (key, as_json(value))).collect())
        }
    }
}
