//! The shapes of the files that people write, to say what is wrong with a file in the words of its format.
//!
//! Files are read straight into types. Only where that fails, the text is read again as plain JSON and held against the
//! format's shape: the types' own messages name types of this program and, inside of alternatives, no place.

use serde_json::{Map, Value};

use crate::InputError;
use crate::names::nearest;

/// More of a wrong value than this is not shown.
const SHOWN: usize = 40;

/// What may stand in a place of a file.
#[derive(Debug)]
pub(crate) enum Shape {
    /// A number.
    Number,
    /// A whole number of 0 or more.
    Count,
    /// A whole number.
    Whole,
    /// A text.
    Text,
    /// `true` or `false`.
    Flag,
    /// One of these texts.
    OneOf(&'static [&'static str]),
    /// `null`.
    Null,
    /// Any number of these.
    List(&'static Shape),
    /// Any keys, each with one of these.
    Map(&'static Shape),
    /// Two whole numbers of 0 or more.
    Interval,
    /// These keys and no others.
    Object(&'static [Field]),
    /// These keys, and others that are not looked at.
    Open(&'static [Field]),
    /// The key `kind` says which other keys there are.
    Kinds(&'static [(&'static str, &'static [Field])]),
    /// A shape that this one is part of.
    Inner(fn() -> &'static Shape),
    /// One of two, and what both together are called.
    Either(&'static Shape, &'static Shape, &'static str),
}

/// A key of an object.
#[derive(Debug)]
pub(crate) struct Field {
    key: &'static str,
    shape: &'static Shape,
    need: Need,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Need {
    /// The key must be there.
    Required,
    /// The key may be left out.
    Optional,
    /// The key may be left out, or hold `null`.
    Nullable,
}

/// A key that must be there.
pub(crate) const fn required(key: &'static str, shape: &'static Shape) -> Field {
    Field { key, shape, need: Need::Required }
}

/// A key that may be left out.
pub(crate) const fn optional(key: &'static str, shape: &'static Shape) -> Field {
    Field { key, shape, need: Need::Optional }
}

/// A key that may be left out or hold `null`.
pub(crate) const fn nullable(key: &'static str, shape: &'static Shape) -> Field {
    Field { key, shape, need: Need::Nullable }
}

impl Shape {
    /// What keeps a text from being read: broken JSON, the first place that does not have this shape, or what the types said.
    pub(crate) fn explain(&self, text: &str, error: &serde_json::Error) -> InputError {
        // The types may stop before the text does: whether it is JSON at all comes first.
        let value = match serde_json::from_str(text) {
            Ok(value) => value,
            Err(error) => return InputError::new(format!("is not valid JSON ({error})")),
        };
        self.flaw(&value)
            .unwrap_or_else(|| in_plain_words(&error.to_string(), error.line(), error.column()))
    }

    /// The first place of a file that does not have this shape.
    pub(crate) fn flaw(&self, value: &Value) -> Option<InputError> {
        self.flaw_at(value, "")
    }

    fn flaw_at(&self, value: &Value, path: &str) -> Option<InputError> {
        match (self, value) {
            (Self::Number, Value::Number(_))
            | (Self::Text, Value::String(_))
            | (Self::Flag, Value::Bool(_))
            | (Self::Null, Value::Null) => None,
            (Self::Count, Value::Number(number)) if number.is_u64() => None,
            (Self::Whole, Value::Number(number)) if number.is_i64() => None,
            (Self::OneOf(names), Value::String(name)) if names.contains(&name.as_str()) => None,
            (Self::List(each), Value::Array(values)) => {
                let mut places = values.iter().enumerate();
                places.find_map(|(place, value)| each.flaw_at(value, &format!("{path}[{place}]")))
            }
            (Self::Map(each), Value::Object(object)) => {
                let mut entries = object.iter();
                entries.find_map(|(key, value)| each.flaw_at(value, &join(path, key)))
            }
            (Self::Interval, Value::Array(ends))
                if ends.len() == 2 && ends.iter().all(Value::is_u64) =>
            {
                None
            }
            (Self::Object(fields), Value::Object(object)) => {
                unknown_key(object, fields, &[], path).or_else(|| wrong_field(object, fields, path))
            }
            (Self::Open(fields), Value::Object(object)) => wrong_field(object, fields, path),
            (Self::Kinds(kinds), Value::Object(object)) => {
                let names: Vec<&str> = kinds.iter().map(|(name, _)| *name).collect();
                let at = join(path, "kind");
                let Some(kind) = object.get("kind") else {
                    return Some(placed(InputError::new("has no `kind`"), path).remedy(format!(
                        "give one of the kinds {}",
                        quoted(names.iter().copied())
                    )));
                };
                let found = kinds.iter().find(|(name, _)| kind.as_str() == Some(name));
                let Some((_, fields)) = found else {
                    return Some(not_one_of(kind, &names, &at));
                };
                unknown_key(object, fields, &["kind"], path)
                    .or_else(|| wrong_field(object, fields, path))
            }
            // The one that the value resembles says more than "neither".
            (Self::Either(one, other, _), Value::Array(_)) if matches!(other, Self::List(_)) => {
                other.flaw_at(value, path).filter(|_| one.flaw_at(value, path).is_some())
            }
            (Self::Either(one, other, _), Value::Object(_)) if matches!(other, Self::Object(_)) => {
                other.flaw_at(value, path).filter(|_| one.flaw_at(value, path).is_some())
            }
            (Self::Either(one, other, _), _)
                if one.flaw_at(value, path).is_none() || other.flaw_at(value, path).is_none() =>
            {
                None
            }
            (Self::OneOf(names), _) => Some(not_one_of(value, names, path)),
            (Self::Inner(shape), _) => shape().flaw_at(value, path),
            _ => Some(misplaced(value, &self.wanted(), path)),
        }
    }

    /// What belongs in a place, for people.
    fn wanted(&self) -> String {
        match self {
            Self::Number => "a number".into(),
            Self::Count => "a whole number of 0 or more (without a decimal point)".into(),
            Self::Whole => "a whole number (without a decimal point)".into(),
            Self::Text => "a text in double quotes".into(),
            Self::Flag => "true or false".into(),
            Self::Null => "null".into(),
            Self::OneOf(names) => format!("one of {}", quoted(names.iter().copied())),
            Self::List(_) => "a list [...]".into(),
            Self::Interval => "a pair [first, last] of whole numbers".into(),
            Self::Object(_) | Self::Open(_) | Self::Map(_) | Self::Kinds(_) => {
                "an object {...}".into()
            }
            Self::Inner(shape) => shape().wanted(),
            Self::Either(_, _, words) => (*words).into(),
        }
    }
}

/// What the types said where no shape explains it: a key twice, a number that is too large, or a sentence of this program.
fn in_plain_words(said: &str, line: usize, column: usize) -> InputError {
    const OF_TYPES: [&str; 6] =
        ["invalid ", "unknown variant", "unknown field", "missing field", "untagged", "expected "];
    InputError::new(if let Some(key) = said.strip_prefix("duplicate field ") {
        format!("has a key twice: {key}")
    } else if OF_TYPES.iter().any(|words| said.contains(words)) {
        format!("holds a value of the wrong kind or size at line {line} column {column}")
    } else {
        said.to_owned()
    })
}

fn unknown_key(
    object: &Map<String, Value>,
    fields: &[Field],
    besides: &[&'static str],
    path: &str,
) -> Option<InputError> {
    let known = || besides.iter().copied().chain(fields.iter().map(|field| field.key));
    let stray = object.keys().find(|key| known().all(|known| known != key.as_str()))?;
    // A key that is there already is not the one that was meant.
    let free = known().filter(|known| !object.contains_key(*known));
    let remedy = match nearest(stray, free) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("the keys here are {}", quoted(known())),
    };
    Some(placed(InputError::new("is not a known key").value(shown(stray)), path).remedy(remedy))
}

fn wrong_field(object: &Map<String, Value>, fields: &[Field], path: &str) -> Option<InputError> {
    fields.iter().find_map(|field| match object.get(field.key) {
        None if field.need == Need::Required => {
            let missing = InputError::new(format!("has no `{}`", field.key));
            Some(placed(missing, path).remedy(format!("give {}", field.shape.wanted())))
        }
        None => None,
        Some(Value::Null) if field.need == Need::Nullable => None,
        Some(value) => field.shape.flaw_at(value, &join(path, field.key)),
    })
}

fn not_one_of(value: &Value, names: &[&str], path: &str) -> InputError {
    let Value::String(name) = value else {
        let wanted = format!("one of {}", quoted(names.iter().copied()));
        return misplaced(value, &wanted, path);
    };
    let remedy = match nearest(name, names.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("use one of {}", quoted(names.iter().copied())),
    };
    placed(InputError::new("is not known here").value(shown(name)), path).remedy(remedy)
}

/// A value of the wrong kind.
fn misplaced(value: &Value, wanted: &str, path: &str) -> InputError {
    let problem = match value {
        Value::Null => format!("is null, not {wanted}"),
        Value::Array(_) => format!("is a list, not {wanted}"),
        Value::Object(_) => format!("is an object, not {wanted}"),
        Value::String(_) => format!("is a text, not {wanted}"),
        Value::Bool(_) | Value::Number(_) => format!("is not {wanted}"),
    };
    let error = InputError::new(problem);
    let error = match value {
        Value::String(text) => error.value(shown(text)),
        Value::Bool(_) | Value::Number(_) => error.value(value),
        Value::Null | Value::Array(_) | Value::Object(_) => error,
    };
    placed(error, path)
}

fn placed(error: InputError, path: &str) -> InputError {
    if path.is_empty() { error } else { error.at(path) }
}

fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

fn quoted<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// The start of a text, and a sign that it goes on.
pub(crate) fn shown(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Every value that differs from a good one in a single place: another value there, a key left out, a key too many.
    pub(crate) fn spoilt(good: &Value) -> Vec<Value> {
        let mut all = Vec::new();
        let others = ["null", "true", "-1", "1.5", "7", "\"odd\"", "[]", "[3]", "{}", "{\"a\": 1}"];
        for other in others {
            all.push(serde_json::from_str(other).unwrap());
        }
        match good {
            Value::Array(values) => {
                for (place, value) in values.iter().enumerate() {
                    for other in spoilt(value) {
                        let mut values = values.clone();
                        values[place] = other;
                        all.push(values.into());
                    }
                }
            }
            Value::Object(object) => {
                let mut more = object.clone();
                more.insert("odd".into(), 1.into());
                all.push(more.into());
                for (key, value) in object {
                    let mut less = object.clone();
                    less.remove(key);
                    all.push(less.into());
                    for other in spoilt(value) {
                        let mut object = object.clone();
                        object.insert(key.clone(), other);
                        all.push(object.into());
                    }
                }
            }
            _ => {}
        }
        all
    }

    /// Messages must not name types of this program.
    pub(crate) fn assert_plain(message: &str) {
        let words = [
            "struct", "enum", "variant", "usize", "f64", "i64", "u64", "u32", "expected",
            "untagged", "field `",
        ];
        for word in words {
            assert!(!message.contains(word), "`{word}` in: {message}");
        }
    }

    const SMALL: Shape = Shape::Object(&[
        required("name", &Shape::Text),
        optional("count", &Shape::Count),
        nullable("list", &Shape::List(&Shape::Either(&Shape::Number, &Shape::Interval, "this"))),
        optional("form", &Shape::Kinds(&[("round", &[required("radius", &Shape::Number)])])),
        optional("metric", &Shape::OneOf(&["euclidean", "manhattan"])),
    ]);

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        for (text, said) in [
            ("[]", "is a list, not an object {...}"),
            ("{}", "has no `name`; give a text in double quotes"),
            (r#"{"name": "a", "counts": 1}"#, "`counts` is not a known key; did you mean `count`?"),
            (r#"{"name": "a", "zzz": 1}"#, "`zzz` is not a known key; the keys here are `name`"),
            (r#"{"name": "a", "names": 1}"#, "`names` is not a known key; the keys here are"),
            (r#"{"name": 3}"#, "name: `3` is not a text in double quotes"),
            (r#"{"name": "a", "count": 2.0}"#, "count: `2.0` is not a whole number of 0 or more"),
            (r#"{"name": "a", "count": null}"#, "count: is null, not a whole number"),
            (r#"{"name": "a", "list": [1, "x"]}"#, "list[1]: `x` is a text, not this"),
            (r#"{"name": "a", "list": [[1, 2, 3]]}"#, "list[0]: is a list, not this"),
            (r#"{"name": "a", "form": {}}"#, "form: has no `kind`; give one of the kinds `round`"),
            (
                r#"{"name": "a", "form": {"kind": "rond"}}"#,
                "form.kind: `rond` is not known here; did",
            ),
            (r#"{"name": "a", "form": {"kind": "round"}}"#, "form: has no `radius`; give a number"),
            (
                r#"{"name": "a", "metric": "cosine"}"#,
                "metric: `cosine` is not known here; use one of",
            ),
        ] {
            let flaw = SMALL.flaw(&serde_json::from_str(text).unwrap()).unwrap().to_string();
            assert!(flaw.starts_with(said), "{text}: {flaw}");
        }
        for good in [r#"{"name": "a", "list": null}"#, r#"{"list": [1, [2, 3]], "name": "a"}"#] {
            assert_eq!(SMALL.flaw(&serde_json::from_str(good).unwrap()), None);
        }
    }
}
