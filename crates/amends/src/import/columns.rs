//! What a library sees of an application in each of its input columns.

use super::feed::Step;
use super::names::{Names, Subject};
use super::settings::zero_or_one;
use super::{CodesAs, Content, RawColumn, RawEnsemble, RawNode, Unseen, category_hash};
use crate::data::{Code, Encoder, Feature, Kind, Schema, some_of, stands_for_missing};
use crate::{InputError, Result, Setting};

/// What a column holds, for every value of the one feature that it is about; `None` is a missing value.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Input {
    pub(super) feature: usize,
    pub(super) seen: Seen,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Seen {
    /// Of a numeric feature: the number after some steps, or always the same; and the number of each code.
    Number { constant: Option<f64>, steps: Vec<Step>, codes: Vec<Option<f64>> },
    /// Of a numeric feature: a number per bin, whose ends are given but for the last, and per code.
    Bins { ends: Vec<f64>, values: Vec<Option<f64>>, codes: Vec<Option<f64>> },
    /// The number of each level, then of each code.
    Levels(Vec<Option<f64>>),
}

/// Finds out what every column stands for that some tree uses; the others may be anything.
pub(super) fn inputs(
    raw: &RawEnsemble,
    schema: &Schema,
    codes: CodesAs,
) -> Result<Vec<Option<Input>>> {
    let mut asked = vec![false; raw.columns.len()];
    for node in raw.trees.iter().flat_map(|tree| &tree.nodes) {
        match node {
            RawNode::Leaf(_) => {}
            RawNode::Split(split) => asked[split.column] = true,
            RawNode::Combination(split) => {
                split.parts.iter().for_each(|part| asked[part.column()] = true);
            }
        }
    }
    let names = Names::new(schema);
    let by_place = if raw.columns.iter().all(|column| column.name.is_none()) {
        Some(by_position(raw.columns.len(), schema)?)
    } else {
        None
    };
    let matched = raw.columns.iter().zip(asked).enumerate().map(|(index, (column, asked))| {
        if !asked {
            return Ok(None);
        }
        let name = column.name.clone().unwrap_or_else(|| index.to_string());
        let subject = match &by_place {
            Some(subjects) => subjects[index],
            None => names.find(&name)?,
        };
        let input = input(subject, column, schema, codes, raw.unseen);
        input.map(Some).map_err(|error| error.inside(format!("column `{name}`")).into())
    });
    matched.collect()
}

/// Columns without names are the features in the schema's order, or its encoded columns.
fn by_position(width: usize, schema: &Schema) -> Result<Vec<Subject>> {
    let features = &schema.features;
    if width == features.len() {
        return Ok((0..width).map(Subject::Feature).collect());
    }
    let encoder = Encoder::new(schema);
    if width != encoder.width() {
        return Err(InputError::new(format!(
            "has {width} columns without names, but schema `{}` has {} features in {} encoded columns",
            schema.name,
            features.len(),
            encoder.width()
        ))
        .remedy("fit the model on a table with column names")
        .into());
    }
    let subjects = features.iter().enumerate().flat_map(|(f, feature)| {
        let own = match &feature.kind {
            Kind::Categorical { levels } => {
                (0..levels.len()).map(|l| Subject::Level(f, l)).collect()
            }
            _ => vec![Subject::Encoded(f)],
        };
        own.into_iter().chain((0..feature.codes.len()).map(move |c| Subject::Code(f, c)))
    });
    Ok(subjects.collect())
}

/// A column that holds a feature as a table has it.
pub(super) fn whole(
    feature: usize,
    column: &RawColumn,
    schema: &Schema,
    codes: CodesAs,
    unseen: Unseen,
) -> Result<Input, InputError> {
    input(Subject::Feature(feature), column, schema, codes, unseen)
}

fn input(
    subject: Subject,
    column: &RawColumn,
    schema: &Schema,
    codes: CodesAs,
    unseen: Unseen,
) -> Result<Input, InputError> {
    let feature = subject.feature();
    let seen = seen(subject, &schema.features[feature], column, codes, unseen)?;
    let whole_levels = matches!((subject, &seen), (Subject::Feature(_), Seen::Levels(_)));
    if column.content != Content::Number && !whole_levels {
        return Err(InputError::new("has categories in the model, but not in the schema")
            .remedy("list its levels, and declare the feature as categorical in the schema")
            .remedy_setting(Setting::FeatureKind));
    }
    Ok(Input { feature, seen })
}

/// What a column holds for every value of its feature.
fn seen(
    subject: Subject,
    feature: &Feature,
    column: &RawColumn,
    codes: CodesAs,
    unseen: Unseen,
) -> Result<Seen, InputError> {
    let number = |constant, codes| Seen::Number { constant, steps: Vec::new(), codes };
    let indicator = |count: usize, which: usize| {
        (0..count).map(|index| Some(f64::from(u8::from(index == which)))).collect()
    };
    let values = feature.levels().len() + feature.codes.len();
    Ok(match subject {
        Subject::Level(_, level) => Seen::Levels(indicator(values, level)),
        Subject::Code(_, code) if feature.is_numeric() => {
            number(Some(0.0), indicator(feature.codes.len(), code))
        }
        Subject::Code(_, code) => Seen::Levels(indicator(values, feature.levels().len() + code)),
        Subject::Encoded(_) if feature.is_numeric() => {
            number(None, vec![Some(0.0); feature.codes.len()])
        }
        Subject::Encoded(_) => {
            let mut numbers = ranks(feature.levels());
            numbers.resize(values, Some(0.0));
            Seen::Levels(numbers)
        }
        Subject::Feature(_) if feature.is_numeric() => {
            number(None, numbers_of_codes(feature, codes)?)
        }
        Subject::Feature(_) if column.content == Content::HashedCategories => {
            Seen::Levels(hashes(feature)?)
        }
        Subject::Feature(_) => {
            let mut numbers = numbers_of_levels(feature, &column.content, unseen)?;
            let codes = numbers_of_codes(feature, codes)?;
            let coded = codes.iter().position(Option::is_some);
            if let Some(code) = coded.filter(|_| column.content != Content::Number) {
                return Err(InputError::new("is a code, but a category in the model")
                    .value(&feature.codes[code].text)
                    .remedy("list it among the feature's levels"));
            }
            numbers.extend(codes);
            Seen::Levels(numbers)
        }
    })
}

/// The hashes of levels, then of codes, which are categories like others.
fn hashes(feature: &Feature) -> Result<Vec<Option<f64>>, InputError> {
    let nothing = |text: &str| text.is_empty() || stands_for_missing(text);
    let missing = feature.codes.iter().find(|code| nothing(&code.text));
    if let Some(code) = missing {
        return Err(InputError::new("stands for a missing value, but categories are never missing in the model")
            .value(&code.text)
            .remedy("write the text that the model was fitted on into the table, and list it among the feature's levels"));
    }
    if let Some(word) = feature.levels().iter().find(|level| bool_of(level).is_some()) {
        return Err(InputError::new(
            "may be a text or a truth value, which CatBoost takes for different categories",
        )
        .value(word)
        .remedy("write 0 and 1 or other words, or save the model's explainer in Python"));
    }
    let codes = feature.codes.iter().map(|code| &code.text);
    let texts = feature.levels().iter().chain(codes);
    Ok(texts.map(|text| Some(f64::from(category_hash(text)))).collect())
}

pub(super) fn numbers_of_codes(
    feature: &Feature,
    codes: CodesAs,
) -> Result<Vec<Option<f64>>, InputError> {
    let number = |code: &Code| match (codes, code.number()) {
        (CodesAs::Missing, _) => Ok(None),
        (CodesAs::Written, Some(number)) => Ok(Some(number)),
        (CodesAs::Written, None) if code.text.is_empty() || stands_for_missing(&code.text) => {
            Ok(None)
        }
        (CodesAs::Written, None) => Err(InputError::new(
            "is a code of the schema, and nothing says what the model saw instead",
        )
        .value(&code.text)
        .remedy("write a number in the table, or read codes as missing values if they were that")
        .remedy_setting(Setting::CodesAs)),
    };
    feature.codes.iter().map(number).collect()
}

fn numbers_of_levels(
    feature: &Feature,
    content: &Content,
    unseen: Unseen,
) -> Result<Vec<Option<f64>>, InputError> {
    let levels = feature.levels();
    let written = written_numbers(levels);
    match content {
        Content::Categories(labels) => {
            let same = |label: &str, level: &str| {
                label == level
                    || matches!((label.parse::<f64>(), level.parse::<f64>()), (Ok(a), Ok(b)) if a == b)
                    || matches!((bool_of(label), bool_of(level)), (Some(a), Some(b)) if a == b)
            };
            let category = |level: &String| {
                let index = labels.iter().position(|label| same(label, level));
                if index.is_none() && unseen == Unseen::Refused {
                    return Err(InputError::new("is a level that the model does not know")
                        .value(level)
                        .remedy(format!(
                            "it knows {}: remove the level from the schema, or fit the model again",
                            some_of(labels)
                        )));
                }
                Ok(index.map(|index| index as f64))
            };
            levels.iter().map(category).collect()
        }
        // They have numbers of their own, whatever the order.
        Content::HashedCategories => hashes(feature),
        Content::NumberedCategories => match written {
            Some(numbers) if numbers != ranks(levels) => Err(InputError::new(
                "has categories of which the file has only numbers, and the schema's levels are other numbers",
            )
            .remedy(
                "fit the model on a data frame with a category column and a version of the library that keeps \
                 its texts (XGBoost 3.1 or later, LightGBM), or on one-hot columns",
            )),
            _ => Ok(ranks(levels)),
        },
        Content::Number => match (written, &feature.kind) {
            (Some(numbers), _) => Ok(numbers),
            (None, Kind::Categorical { .. }) => Err(InputError::new(
                "is a number in the model, but the schema has texts without an order",
            )
            .remedy(
                "fit the model on one-hot columns or categories, or declare the feature as ordinal, \
                 with the level of number 0 first",
            )),
            (None, _) => Ok(ranks(levels)),
        },
    }
}

fn ranks(levels: &[String]) -> Vec<Option<f64>> {
    (0..levels.len()).map(|index| Some(index as f64)).collect()
}

/// The numbers that the table itself has for levels, where they all are numbers, or false and true.
fn written_numbers(levels: &[String]) -> Option<Vec<Option<f64>>> {
    let number = |level: &String| {
        let number = level.parse::<f64>().ok().filter(|number| number.is_finite());
        number.or_else(|| bool_of(level)).map(Some)
    };
    levels.iter().map(number).collect()
}

fn bool_of(text: &str) -> Option<f64> {
    text.parse::<f64>()
        .is_err()
        .then(|| zero_or_one(text))
        .flatten()
        .map(|one| f64::from(u8::from(one)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(levels: &[&str]) -> Vec<String> {
        levels.iter().map(|&level| level.to_owned()).collect()
    }

    fn ordinal(levels: &[&str]) -> Feature {
        Feature::new("f", Kind::Ordinal { levels: texts(levels) })
    }

    fn categorical(levels: &[&str]) -> Feature {
        Feature::new("f", Kind::Categorical { levels: texts(levels) })
    }

    fn numbers(feature: &Feature, content: &Content) -> Result<Vec<f64>, String> {
        let seen = numbers_of_levels(feature, content, Unseen::Missing);
        let seen = seen.map_err(|error| error.to_string())?;
        Ok(seen.into_iter().map(|number| number.unwrap_or(f64::INFINITY)).collect())
    }

    #[test]
    fn levels_are_the_numbers_of_the_table_or_their_places() {
        let plain = |feature: &Feature| numbers(feature, &Content::Number).unwrap();
        assert_eq!(plain(&ordinal(&["1", "2", "4.5"])), [1.0, 2.0, 4.5]);
        assert_eq!(plain(&categorical(&["3", "-1"])), [3.0, -1.0]);
        assert_eq!(plain(&ordinal(&["True", "False"])), [1.0, 0.0]);
        assert_eq!(plain(&ordinal(&["none", "some", "2"])), [0.0, 1.0, 2.0]);
        let refusal = numbers(&categorical(&["own", "rent"]), &Content::Number).unwrap_err();
        assert!(refusal.contains("declare the feature as ordinal"), "{refusal}");
    }

    #[test]
    fn categories_are_found_by_text_or_by_place() {
        let labels = Content::Categories(texts(&["2.0", "own", "true"]));
        let infinite = f64::INFINITY;
        assert_eq!(numbers(&categorical(&["own", "2"]), &labels).unwrap(), [1.0, 0.0]);
        assert_eq!(numbers(&categorical(&["True", "rent"]), &labels).unwrap(), [2.0, infinite]);
        let refused = numbers_of_levels(&categorical(&["rent"]), &labels, Unseen::Refused);
        assert!(refused.unwrap_err().to_string().contains("it knows `2.0`, `own`, `true`"));

        let numbered = Content::NumberedCategories;
        assert_eq!(numbers(&categorical(&["own", "rent"]), &numbered).unwrap(), [0.0, 1.0]);
        assert_eq!(numbers(&categorical(&["0", "1"]), &numbered).unwrap(), [0.0, 1.0]);
        let refusal = numbers(&categorical(&["1", "2"]), &numbered).unwrap_err();
        assert!(refusal.contains("XGBoost 3.1 or later"), "{refusal}");
    }

    #[test]
    fn hashes_are_those_of_texts() {
        let hash = |text: &str| Some(f64::from(category_hash(text)));
        assert_eq!(hashes(&ordinal(&["own", "1"])).unwrap(), [hash("own"), hash("1")]);
        let refusal = hashes(&categorical(&["True", "False"])).unwrap_err().to_string();
        assert!(refusal.contains("`True` may be a text or a truth value"), "{refusal}");
        let coded = Feature { codes: vec![Code::new("", "not asked")], ..ordinal(&["a", "b"]) };
        assert!(hashes(&coded).unwrap_err().to_string().contains("never missing in the model"));
    }

    #[test]
    fn codes_are_what_the_library_can_have_seen() {
        let coded = |codes: &[&str]| Feature {
            codes: codes.iter().map(|&text| Code::new(text, "label")).collect(),
            ..Feature::new("f", Kind::Integer)
        };
        let feature = coded(&["-7", "", "NA"]);
        let written = numbers_of_codes(&feature, CodesAs::Written);
        assert_eq!(written.unwrap(), [Some(-7.0), None, None]);
        assert_eq!(numbers_of_codes(&feature, CodesAs::Missing).unwrap(), [None; 3]);
        let refusal = numbers_of_codes(&coded(&["never"]), CodesAs::Written).unwrap_err();
        assert!(refusal.to_string().contains("`never` is a code"), "{refusal}");
    }

    #[test]
    fn columns_without_names_are_features_or_encoded_columns() {
        let schema = Schema::german();
        let all = (0..20).map(Subject::Feature).collect::<Vec<_>>();
        assert_eq!(by_position(20, &schema).unwrap(), all);
        let encoded = by_position(61, &schema).unwrap();
        assert_eq!(encoded[..2], [Subject::Encoded(0), Subject::Encoded(1)]);
        assert_eq!(encoded[7..9], [Subject::Level(7, 0), Subject::Level(7, 1)]);
        let refusal = by_position(21, &schema).unwrap_err().to_string();
        assert!(refusal.contains("20 features in 61 encoded columns"), "{refusal}");
    }
}
