//! Scorecards of PMML, the predictive model markup language of the Data Mining Group.

use super::condition::Condition;
use super::xml::Element;
use super::{Card, Characteristic};
use crate::import::Library;
use crate::{InputError, Result};

/// Reads a document with a scorecard.
pub(in crate::import) fn parse(text: &str) -> Result<Card> {
    let document = Element::parse(text)?;
    let wrong = |problem: &str, remedy: &str| InputError::new(problem).at("PMML").remedy(remedy);
    let pmml = document
        .child("PMML")
        .ok_or_else(|| wrong("is XML without a PMML element", "export the scorecard as PMML"))?;
    let Some(card) = pmml.child("Scorecard") else {
        let has = pmml.children.iter().find(|child| child.name.ends_with("Model"));
        let has = has.map_or("no model", |model| model.name.as_str());
        return Err(InputError::new(format!("has {has}, but no Scorecard"))
            .at("PMML")
            .remedy("export a scorecard; trees are read from XGBoost, LightGBM and CatBoost, or saved from Python")
            .into());
    };
    if card.attribute("isScorable") == Some("false") {
        return Err(
            wrong("says that it is not to be used (isScorable)", "export it for scoring").into()
        );
    }
    let initial = match card.attribute("initialScore") {
        Some(text) => number(text).map_err(|error| error.at("Scorecard.initialScore"))?,
        None => 0.0,
    };
    let schema = card.child("MiningSchema");
    let listed =
        card.child("Characteristics").into_iter().flat_map(|list| list.all("Characteristic"));
    let characteristics = listed.enumerate().map(|(index, one)| {
        let name = one.attribute("name").map_or_else(|| (index + 1).to_string(), str::to_owned);
        characteristic(one, &name, pmml, schema)
            .map_err(|error| error.inside(format!("Characteristic `{name}`")).into())
    });
    let characteristics = characteristics.collect::<Result<Vec<_>>>()?;
    if characteristics.is_empty() {
        return Err(wrong(
            "has a Scorecard without characteristics",
            "export the fitted scorecard",
        )
        .into());
    }
    Ok(Card { library: Library::Pmml, initial, characteristics, notes: Vec::new() })
}

fn characteristic(
    one: &Element,
    name: &str,
    pmml: &Element,
    schema: Option<&Element>,
) -> Result<Characteristic, InputError> {
    let mut fields: Vec<String> = Vec::new();
    let mut attributes = Vec::new();
    for (index, attribute) in one.all("Attribute").enumerate() {
        let inside = |error: InputError| error.inside(format!("Attribute {}", index + 1));
        if attribute.child("ComplexPartialScore").is_some() {
            return Err(inside(
                InputError::new("computes its points from a formula (ComplexPartialScore)")
                    .remedy("give every attribute a partialScore"),
            ));
        }
        let points = attribute.attribute("partialScore").unwrap_or_default();
        let points = number(points).map_err(|error| inside(error.at("partialScore")))?;
        let predicate =
            attribute.children.iter().find_map(|child| predicate(child, &mut fields).transpose());
        let condition = predicate.ok_or_else(|| {
            inside(InputError::new("has no predicate").remedy("say when the attribute holds"))
        })?;
        attributes.push((condition.map_err(inside)?, points));
    }
    let (field, replacement) = only_field(fields, name, pmml, schema)?;
    Ok(Characteristic { name: name.to_owned(), field, replacement, special: false, attributes })
}

/// The one field that a characteristic asks, and what stands for a missing value there.
fn only_field(
    mut fields: Vec<String>,
    name: &str,
    pmml: &Element,
    schema: Option<&Element>,
) -> Result<(String, Option<String>), InputError> {
    fields.sort();
    fields.dedup();
    let [field] = fields.as_slice() else {
        let count = fields.len();
        return Err(InputError::new(format!("asks {count} fields, where one is read"))
            .value(if count == 0 { name.to_owned() } else { fields.join(", ") })
            .remedy("write a characteristic per field"));
    };
    let dictionary = pmml.child("DataDictionary");
    let declared = |list: Option<&Element>, tag: &str| {
        list.is_none_or(|list| list.all(tag).any(|one| one.attribute("name") == Some(field)))
    };
    if !declared(dictionary, "DataField") {
        return Err(InputError::new(
            "is not in the DataDictionary: fields that are computed are not read",
        )
        .value(field)
        .remedy("compute the column in the table, and name it in the scorecard"));
    }
    let mining = schema
        .and_then(|list| list.all("MiningField").find(|one| one.attribute("name") == Some(field)));
    let replacement = mining.and_then(|one| one.attribute("missingValueReplacement"));
    if mining.is_some_and(|one| one.attribute("outliers").is_some_and(|how| how != "asIs")) {
        return Err(InputError::new("has its outliers replaced, which is not read")
            .value(field)
            .remedy("give outliers points by an attribute of their own"));
    }
    Ok((field.clone(), replacement.map(str::to_owned)))
}

/// What a predicate asks; `None` for other elements.
fn predicate(element: &Element, fields: &mut Vec<String>) -> Result<Option<Condition>, InputError> {
    Ok(Some(match element.name.as_str() {
        "True" => Condition::Always,
        "False" => Condition::Never,
        "SimplePredicate" => simple(element, fields)?,
        "SimpleSetPredicate" => set(element, fields)?,
        "CompoundPredicate" => compound(element, fields)?,
        _ => return Ok(None),
    }))
}

fn field(element: &Element, fields: &mut Vec<String>) -> Result<(), InputError> {
    let name = needed(element, "field")?;
    fields.push(name.to_owned());
    Ok(())
}

fn needed<'a>(element: &'a Element, name: &str) -> Result<&'a str, InputError> {
    element.attribute(name).ok_or_else(|| {
        InputError::new(format!("has no {name}"))
            .at(&element.name)
            .remedy("export the scorecard again")
    })
}

fn simple(element: &Element, fields: &mut Vec<String>) -> Result<Condition, InputError> {
    field(element, fields)?;
    let operator = needed(element, "operator")?;
    let value = || needed(element, "value");
    let limit = || number(value()?).map_err(|error| error.at("SimplePredicate.value"));
    Ok(match operator {
        "isMissing" => Condition::Missing,
        "isNotMissing" => Condition::Present,
        "equal" => Condition::Among(vec![value()?.to_owned()]),
        "notEqual" => Condition::NotAmong(vec![value()?.to_owned()]),
        "lessThan" => Condition::Below(limit()?),
        "lessOrEqual" => Condition::AtMost(limit()?),
        "greaterThan" => Condition::Above(limit()?),
        "greaterOrEqual" => Condition::AtLeast(limit()?),
        other => {
            return Err(InputError::new("is not an operator of PMML")
                .at("SimplePredicate.operator")
                .value(other)
                .remedy(
                    "use equal, notEqual, lessThan, lessOrEqual, greaterThan or greaterOrEqual",
                ));
        }
    })
}

fn set(element: &Element, fields: &mut Vec<String>) -> Result<Condition, InputError> {
    field(element, fields)?;
    let array = element.child("Array").ok_or_else(|| {
        InputError::new("has no Array").at("SimpleSetPredicate").remedy("list its values")
    })?;
    let values = words(&array.text);
    match needed(element, "booleanOperator")? {
        "isIn" => Ok(Condition::Among(values)),
        "isNotIn" => Ok(Condition::NotAmong(values)),
        other => Err(InputError::new("is not an operator of sets")
            .at("SimpleSetPredicate.booleanOperator")
            .value(other)
            .remedy("use isIn or isNotIn")),
    }
}

fn compound(element: &Element, fields: &mut Vec<String>) -> Result<Condition, InputError> {
    let mut parts = Vec::new();
    for child in &element.children {
        parts.extend(predicate(child, fields)?);
    }
    match needed(element, "booleanOperator")? {
        "and" => Ok(Condition::All(parts)),
        "or" => Ok(Condition::Any(parts)),
        "xor" => Ok(Condition::Odd(parts)),
        other => Err(InputError::new("is not read between predicates")
            .at("CompoundPredicate.booleanOperator")
            .value(other)
            .remedy("use and, or, xor; write surrogates as attributes of their own")),
    }
}

/// The values of an array: separated by blanks, in quotes where they hold some.
fn words(text: &str) -> Vec<String> {
    let (mut words, mut word, mut quoted, mut some) = (Vec::new(), String::new(), false, false);
    let mut signs = text.chars().peekable();
    while let Some(sign) = signs.next() {
        match sign {
            '\\' if signs.peek() == Some(&'"') => word.extend(signs.next()),
            '"' => (quoted, some) = (!quoted, true),
            sign if sign.is_whitespace() && !quoted => {
                if some || !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
                some = false;
            }
            sign => word.push(sign),
        }
    }
    if some || !word.is_empty() {
        words.push(word);
    }
    words
}

fn number(text: &str) -> Result<f64, InputError> {
    text.trim().parse().ok().filter(|number: &f64| number.is_finite()).ok_or_else(|| {
        InputError::new("is not a number").value(text).remedy("export the scorecard again")
    })
}
