//! Which feature, level or code of a schema a library's column is, by its name.

use std::collections::HashMap;

use crate::data::{Feature, Schema, some_of};
use crate::{InputError, Result};

/// Separators between a feature and its level in common names of one-hot columns.
const BETWEEN: [&str; 6] = ["_", "=", ": ", ":", "__", "."];

/// Common spellings of a name, the closest first.
const SPELLINGS: [fn(&str) -> String; 3] = [
    str::to_owned,
    |name| name.chars().map(|sign| if sign.is_alphanumeric() { sign } else { '_' }).collect(),
    |name| name.chars().filter(|sign| sign.is_alphanumeric()).collect(),
];

/// What a column is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Subject {
    /// A feature as a whole, as a table has it.
    Feature(usize),
    /// The number or rank of a feature, as it is encoded here.
    Encoded(usize),
    /// Whether a feature has this level.
    Level(usize, usize),
    /// Whether a feature has this code.
    Code(usize, usize),
}

impl Subject {
    /// The feature that it is about.
    pub(super) fn feature(self) -> usize {
        match self {
            Self::Feature(feature)
            | Self::Encoded(feature)
            | Self::Level(feature, _)
            | Self::Code(feature, _) => feature,
        }
    }
}

/// The names of a schema's features, levels and codes.
pub(super) struct Names<'a> {
    schema: &'a Schema,
    /// First features as they are written, then levels and codes; then both with every sign but letters and digits alike,
    /// then without them: libraries refuse brackets and colons, and people write underscores instead, or nothing.
    tables: [HashMap<String, Vec<Subject>>; 2 * SPELLINGS.len()],
}

impl<'a> Names<'a> {
    pub(super) fn new(schema: &'a Schema) -> Self {
        let mut tables: [HashMap<String, Vec<Subject>>; 2 * SPELLINGS.len()] = Default::default();
        let mut add = |table: usize, name: &str, subject: Subject| {
            for (spelling, spell) in SPELLINGS.iter().enumerate() {
                let subjects = tables[2 * spelling + table].entry(spell(name)).or_default();
                if !subjects.contains(&subject) {
                    subjects.push(subject);
                }
            }
        };
        for (f, feature) in schema.features.iter().enumerate() {
            add(0, &feature.name, Subject::Feature(f));
            for (part, subject) in parts(f, feature) {
                for between in BETWEEN {
                    add(1, &format!("{}{between}{part}", feature.name), subject);
                }
            }
        }
        Self { schema, tables }
    }

    /// What a column of this name is about.
    pub(super) fn find(&self, name: &str) -> Result<Subject, InputError> {
        // Pipelines put the name of a step in front: `cat__housing_own`.
        let short = name.split_once("__").map(|(_, short)| short);
        for name in [Some(name), short].into_iter().flatten() {
            for (index, table) in self.tables.iter().enumerate() {
                match table.get(&SPELLINGS[index / 2](name)).map(Vec::as_slice) {
                    None => {}
                    Some(&[subject]) => return Ok(subject),
                    Some(several) => return Err(self.ambiguous(name, several)),
                }
            }
        }
        Err(self.unknown(name))
    }

    fn ambiguous(&self, name: &str, several: &[Subject]) -> InputError {
        let all: Vec<String> = several.iter().map(|&subject| self.describe(subject)).collect();
        InputError::new(format!("may be any of {}", all.join(", ")))
            .column(name)
            .remedy("rename the column, as `feature=level` for a level, and fit the model again")
    }

    fn unknown(&self, name: &str) -> InputError {
        let features: Vec<String> =
            self.schema.features.iter().map(|feature| feature.name.clone()).collect();
        let example = self.schema.features.iter().find(|feature| !feature.levels().is_empty());
        let example = example.map_or_else(String::new, |feature| {
            let (name, level) = (&feature.name, &feature.levels()[0]);
            format!(", and levels such as `{name}_{level}` or `{name}={level}`")
        });
        InputError::new(format!("is not a feature or level of schema `{}`", self.schema.name))
            .column(name)
            .remedy(format!(
                "name the model's columns as the schema does: {}{example}",
                some_of(&features)
            ))
    }

    /// A subject in words.
    fn describe(&self, subject: Subject) -> String {
        let feature = |f: usize| &self.schema.features[f];
        match subject {
            Subject::Feature(f) | Subject::Encoded(f) => format!("feature `{}`", feature(f).name),
            Subject::Level(f, l) => {
                format!("level `{}` of `{}`", feature(f).levels()[l], feature(f).name)
            }
            Subject::Code(f, c) => {
                format!("code `{}` of `{}`", feature(f).codes[c].text, feature(f).name)
            }
        }
    }
}

/// The levels and codes of a feature, as people may write them: 1 may be spelled 1.0.
fn parts(f: usize, feature: &Feature) -> impl Iterator<Item = (String, Subject)> {
    let levels =
        feature.levels().iter().enumerate().map(move |(l, text)| (text, Subject::Level(f, l)));
    let codes =
        feature.codes.iter().enumerate().map(move |(c, code)| (&code.text, Subject::Code(f, c)));
    levels.chain(codes).flat_map(|(text, subject)| {
        let number = text.parse::<f64>().ok().filter(|number| number.is_finite());
        let spelled =
            number.into_iter().flat_map(|number| [format!("{number}"), format!("{number:?}")]);
        spelled.chain([text.clone()]).map(move |text| (text, subject))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Code, Kind, Target};

    fn schema() -> Schema {
        let levels = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        let coded = Feature {
            codes: vec![Code::new("-7", "never late")],
            ..Feature::new("delay", Kind::Integer)
        };
        let features = vec![
            Feature::new("age", Kind::Integer),
            Feature::new("housing", Kind::Categorical { levels: levels(&["own", "for free"]) }),
            Feature::new("credit amount", Kind::Continuous),
            Feature::new("a", Kind::Categorical { levels: levels(&["b_c", "1"]) }),
            Feature::new("a_b", Kind::Ordinal { levels: levels(&["c", "d"]) }),
            coded,
        ];
        let target =
            Target { column: "y".into(), favourable: "1".into(), unfavourable: "0".into() };
        Schema { name: "t".into(), target, features, rules: Vec::new() }
    }

    #[test]
    fn names_are_found_as_people_and_libraries_write_them() {
        let schema = schema();
        let names = Names::new(&schema);
        for (name, subject) in [
            ("age", Subject::Feature(0)),
            ("num__age", Subject::Feature(0)),
            ("housing", Subject::Feature(1)),
            ("housing_own", Subject::Level(1, 0)),
            ("housing=for free", Subject::Level(1, 1)),
            ("housing: for free", Subject::Level(1, 1)),
            ("housing_for_free", Subject::Level(1, 1)),
            ("housing_forfree", Subject::Level(1, 1)),
            ("cat__housing_for free", Subject::Level(1, 1)),
            ("credit_amount", Subject::Feature(2)),
            ("a=b_c", Subject::Level(3, 0)),
            ("a_1.0", Subject::Level(3, 1)),
            ("a_b", Subject::Feature(4)),
            ("a_b_d", Subject::Level(4, 1)),
            ("delay: -7", Subject::Code(5, 0)),
            ("delay_-7.0", Subject::Code(5, 0)),
        ] {
            assert_eq!(names.find(name), Ok(subject), "{name}");
        }
    }

    #[test]
    fn unknown_and_ambiguous_names_are_refused_with_what_there_is() {
        let schema = schema();
        let names = Names::new(&schema);
        let unknown = names.find("Age").unwrap_err().to_string();
        assert!(unknown.starts_with("column `Age`: is not a feature or level of schema `t`"));
        assert!(unknown.contains("`age`, `housing`") && unknown.contains("`housing=own`"));
        let ambiguous = names.find("a_b_c").unwrap_err().to_string();
        assert!(ambiguous.contains("level `b_c` of `a`, level `c` of `a_b`"), "{ambiguous}");
    }
}
