//! The schema file: TOML that people read and edit.

use std::fmt::Write as _;
use std::ops::Range;

use serde::Deserialize;
use toml::Spanned;

use super::{Change, Feature, Kind, Schema, Target};
use crate::{InputError, Result};

/// The file format that this version reads and writes.
const VERSION: u32 = 1;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    version: Spanned<u32>,
    name: String,
    target: TargetEntry,
    #[serde(default)]
    feature: Vec<FeatureEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TargetEntry {
    column: String,
    favourable: String,
    unfavourable: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FeatureEntry {
    name: Spanned<String>,
    kind: Spanned<KindName>,
    #[serde(default)]
    change: ChangeName,
    levels: Option<Spanned<Vec<String>>>,
    label: Option<String>,
    unit: Option<String>,
    step: Option<f64>,
}

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum KindName {
    Integer,
    Continuous,
    Binary,
    Categorical,
    Ordinal,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "lowercase")]
enum ChangeName {
    #[default]
    Free,
    Immutable,
    Increase,
    Decrease,
}

impl Schema {
    /// Reads the text of a schema file; `source` is its name in messages.
    pub fn parse(text: &str, source: &str) -> Result<Self> {
        let line = |span: Range<usize>| {
            let before = text.get(..span.start).unwrap_or_default();
            format!("line {}", before.matches('\n').count() + 1)
        };
        let file: File = toml::from_str(text).map_err(|error| {
            let problem = InputError::new(error.message().replace('\n', ", ")).file(source);
            match error.span() {
                Some(span) => problem.at(line(span)),
                None => problem,
            }
            .remedy("correct the schema file")
        })?;
        if *file.version.get_ref() != VERSION {
            return Err(InputError::new(
                "is no version of the schema file that this program reads",
            )
            .file(source)
            .at(line(file.version.span()))
            .value(file.version.get_ref())
            .remedy(format!("write version = {VERSION}, or use a newer program"))
            .into());
        }
        let lines: Vec<String> = file.feature.iter().map(|entry| line(entry.name.span())).collect();
        let mut features = Vec::with_capacity(file.feature.len());
        for entry in file.feature {
            let (span, name) = (entry.kind.span(), entry.name.get_ref().clone());
            features.push(entry.into_feature().map_err(|error| {
                error.file(source).at(line(span)).at(format!("feature `{name}`"))
            })?);
        }
        let TargetEntry { column, favourable, unfavourable } = file.target;
        let target = Target { column, favourable, unfavourable };
        let schema = Self { name: file.name, target, features };
        schema.find_problem().map_err(|problem| match *problem {
            (None, error) => error.file(source),
            (Some(index), error) => error
                .file(source)
                .at(&lines[index])
                .at(format!("feature `{}`", schema.features[index].name)),
        })?;
        Ok(schema)
    }

    /// The schema as a file for people to edit.
    pub fn to_toml(&self) -> String {
        self.to_commented_toml(&[], &[])
    }

    /// The same with comment lines at the top and above features.
    pub(super) fn to_commented_toml(&self, top: &[String], notes: &[Vec<String>]) -> String {
        let mut text = String::from(
            "# What the columns of the table mean. Keys of a [[feature]]:\n\
             #   name    the column's name in the table\n\
             #   kind    integer, continuous, binary, categorical (levels without an order), ordinal (in rising order)\n\
             #   levels  what binary, categorical and ordinal features may say, spelt as in the table\n\
             #   change  free (default), immutable, increase, decrease: how an applicant may change it\n\
             #   step    new values of a number are multiples of this (optional)\n\
             #   label   its name for people (optional)\n\
             #   unit    what its numbers count (optional)\n\
             # Columns of the table that are not listed here are ignored.\n",
        );
        comment(&mut text, top);
        // Writing to a String can't fail.
        let _ = write!(
            text,
            "version = {VERSION}\nname = {}\n\n\
             # The column to predict; the favourable outcome is the one that applicants want.\n\
             [target]\ncolumn = {}\nfavourable = {}\nunfavourable = {}\n",
            quoted(&self.name),
            quoted(&self.target.column),
            quoted(&self.target.favourable),
            quoted(&self.target.unfavourable),
        );
        for (index, feature) in self.features.iter().enumerate() {
            text.push('\n');
            comment(&mut text, notes.get(index).map_or(&[], Vec::as_slice));
            write_feature(&mut text, feature);
        }
        text
    }
}

impl FeatureEntry {
    fn into_feature(self) -> Result<Feature, InputError> {
        let levels = self.levels.map(Spanned::into_inner);
        let kind = match (self.kind.into_inner(), levels) {
            (KindName::Integer, None) => Kind::Integer,
            (KindName::Continuous, None) => Kind::Continuous,
            (KindName::Integer | KindName::Continuous, Some(_)) => {
                return Err(InputError::new("levels don't fit a numeric kind")
                    .remedy("remove them, or choose kind categorical or ordinal"));
            }
            (KindName::Binary, None) => Kind::Binary { levels: ["0".into(), "1".into()] },
            (KindName::Binary, Some(levels)) => Kind::Binary {
                levels: levels.try_into().map_err(|levels: Vec<String>| {
                    InputError::new(format!("kind binary has 2 levels, not {}", levels.len()))
                        .remedy("list two, or choose kind categorical or ordinal")
                })?,
            },
            (KindName::Categorical | KindName::Ordinal, None) => {
                return Err(InputError::new("has no levels")
                    .remedy("add levels = [\"...\", \"...\"] with the texts of the table"));
            }
            (KindName::Categorical, Some(levels)) => Kind::Categorical { levels },
            (KindName::Ordinal, Some(levels)) => Kind::Ordinal { levels },
        };
        let change = match self.change {
            ChangeName::Free => Change::Free,
            ChangeName::Immutable => Change::Immutable,
            ChangeName::Increase => Change::Increase,
            ChangeName::Decrease => Change::Decrease,
        };
        let Self { label, unit, step, .. } = self;
        Ok(Feature { name: self.name.into_inner(), label, unit, kind, change, step })
    }
}

fn comment(text: &mut String, lines: &[String]) {
    for line in lines {
        // A line break inside a name must not end the comment.
        let _ = writeln!(text, "# {}", line.replace(|c: char| c.is_control(), " "));
    }
}

fn write_feature(text: &mut String, feature: &Feature) {
    let _ = writeln!(text, "[[feature]]\nname = {}", quoted(&feature.name));
    let _ = writeln!(text, "kind = \"{}\"", feature.kind.name());
    if !feature.is_numeric() {
        let levels: Vec<String> = feature.levels().iter().map(|level| quoted(level)).collect();
        let _ = writeln!(text, "levels = [{}]", levels.join(", "));
    }
    if feature.change != Change::Free {
        let _ = writeln!(text, "change = \"{}\"", feature.change.name());
    }
    if let Some(step) = feature.step {
        let _ = writeln!(text, "step = {step:?}");
    }
    for (key, value) in [("label", &feature.label), ("unit", &feature.unit)] {
        if let Some(value) = value {
            let _ = writeln!(text, "{key} = {}", quoted(value));
        }
    }
}

fn quoted(text: &str) -> String {
    toml::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "version = 1\nname = \"t\"\n[target]\ncolumn = \"y\"\nfavourable = \"1\"\nunfavourable = \"0\"\n";

    fn message(features: &str) -> String {
        Schema::parse(&format!("{HEAD}{features}"), "s.toml").unwrap_err().to_string()
    }

    #[test]
    fn files_survive_writing_and_reading() {
        for schema in [Schema::german(), Schema::heloc()] {
            let text = schema.to_toml();
            assert_eq!(Schema::parse(&text, "again").unwrap(), schema, "{text}");
        }
    }

    #[test]
    fn odd_texts_survive_too() {
        let mut schema = Schema::german();
        schema.name = "quo\"te 'and' \\ back\nline \u{1F4B6}".into();
        schema.features[0].label = Some("#not a comment".into());
        schema.features[1].step = Some(1e300);
        schema.features[2].kind = Kind::Binary { levels: ["'''".into(), "\"\"\"".into()] };
        schema.features[3].kind = Kind::Ordinal { levels: vec!["a\tb".into(), "c".into()] };
        assert_eq!(Schema::parse(&schema.to_toml(), "again").unwrap(), schema);
    }

    #[test]
    fn problems_name_file_and_line() {
        for (features, start) in [
            (
                "[[feature]]\nname = \"a\"\nkind = \"integer\"\nlable = \"A\"",
                "s.toml, line 10: unknown field `lable`",
            ),
            (
                "[[feature]]\nname = \"a\"\nkind = \"real\"",
                "s.toml, line 9: unknown variant `real`",
            ),
            (
                "[[feature]]\nname = \"a\"\nkind = \"integer\"\nchange = \"up\"",
                "s.toml, line 10: unknown variant `up`",
            ),
            ("[[feature]]\nkind = \"integer\"", "s.toml, line 7: missing field `name`"),
            (
                "[[feature]]\nname = \"a\"\nkind = \"categorical\"",
                "s.toml, line 9, feature `a`: has no levels",
            ),
            (
                "[[feature]]\nname = \"a\"\nkind = \"integer\"\nlevels = []",
                "s.toml, line 9, feature `a`: levels don't fit",
            ),
            (
                "[[feature]]\nname = \"a\"\nkind = \"binary\"\nlevels = [\"x\"]",
                "s.toml, line 9, feature `a`: kind binary has 2",
            ),
            (
                "[[feature]]\nname = \"y\"\nkind = \"integer\"",
                "s.toml, line 8, feature `y`: is the target",
            ),
            ("[[rule]]\nname = \"y\"", "s.toml, line 7: unknown field `rule`"),
            ("name = 3 3", "s.toml, line 7: "),
            ("", "s.toml: has no features"),
        ] {
            let message = message(features);
            assert!(message.starts_with(start), "{message}\nfor\n{features}");
        }
        let twice = "[[feature]]\nname = \"a\"\nkind = \"integer\"\n";
        let message = message(&format!("{twice}{twice}"));
        assert!(message.starts_with("s.toml, line 11, feature `a`: is listed twice"), "{message}");
        let newer = Schema::parse(&HEAD.replace("= 1\n", "= 2\n"), "s.toml").unwrap_err();
        assert!(newer.to_string().starts_with("s.toml, line 1: `2` is no version"), "{newer}");
    }
}
