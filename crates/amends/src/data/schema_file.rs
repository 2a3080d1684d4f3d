//! Reading the schema file: TOML that people edit.

use std::ops::Range;

use serde::Deserialize;
use toml::Spanned;

use super::schema_check::{Flaw, Place, Problem};
use super::schema_entry::{FeatureEntry, FeatureLines, RuleEntry};
use super::{Rule, Schema, Target};
use crate::{InputError, Result};

/// The file format that this version reads and writes.
pub(super) const VERSION: u32 = 1;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    version: Spanned<u32>,
    name: String,
    target: TargetEntry,
    #[serde(default)]
    feature: Vec<FeatureEntry>,
    #[serde(default)]
    rule: Vec<RuleEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TargetEntry {
    column: String,
    favourable: String,
    unfavourable: String,
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
        let lines: Vec<FeatureLines> = file.feature.iter().map(|entry| entry.lines(line)).collect();
        let mut features = Vec::with_capacity(file.feature.len());
        for (entry, lines) in file.feature.into_iter().zip(&lines) {
            let name = entry.name.get_ref().clone();
            features.push(entry.into_feature().map_err(|error| {
                error.file(source).at(lines.of("kind")).at(format!("feature `{name}`"))
            })?);
        }
        let TargetEntry { column, favourable, unfavourable } = file.target;
        let target = Target { column, favourable, unfavourable };
        let mut schema = Self { name: file.name, target, features, rules: Vec::new() };
        schema.find_feature_problem().map_err(|problem| {
            let Problem { place, flaw: Flaw { key, error } } = problem;
            let error = error.file(source);
            let Place::Feature(index) = place else { return error };
            let name = &schema.features[index].name;
            let line = lines[index].of(key.unwrap_or("name"));
            key.into_iter().fold(error.at(line).at(format!("feature `{name}`")), InputError::at)
        })?;
        let mut lines = Vec::with_capacity(file.rule.len());
        for RuleEntry { rule, name } in file.rule {
            let line = line(rule.span());
            let target = Some(schema.target.column.as_str());
            let rule = Rule::parse_beside(rule.get_ref(), &schema.features, target)
                .map_err(|error| error.inside(&line).file(source))?;
            schema.rules.push(Rule { name, ..rule });
            lines.push(line);
        }
        schema
            .find_rule_problem()
            .map_err(|(index, error)| error.inside(&lines[index]).file(source))?;
        Ok(schema)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Change, Code, Kind, Limits};

    const HEAD: &str = "version = 1\nname = \"t\"\n[target]\ncolumn = \"y\"\nfavourable = \"1\"\nunfavourable = \"0\"\n";

    fn message(features: &str) -> String {
        Schema::parse(&format!("{HEAD}{features}"), "s.toml").unwrap_err().to_string()
    }

    #[test]
    fn files_survive_writing_and_reading() {
        for schema in [Schema::german(), Schema::heloc(), Schema::heloc_codes()] {
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
        schema.features[4].change = Change::Free;
        schema.features[4].codes = ["-7", "", "quo\"te", "-7.0e1"]
            .iter()
            .enumerate()
            .map(|(place, text)| Code {
                leave: place == 1,
                enter: place == 2,
                ..Code::new(*text, format!("code {place} \\"))
            })
            .collect();
        schema.features[4].effort = 2.5;
        schema.features[4].limits = Limits {
            range: Some([18.0, f64::INFINITY]),
            relative_range: Some([f64::NEG_INFINITY, 12.5]),
            max_change: Some(1e20),
            least_change: Some(2.0),
            one_step: false,
        };
        schema.features[3].limits.one_step = true;
        let again = Schema::parse(&schema.to_toml(), "again").unwrap();
        assert_eq!(again, schema, "{}", schema.to_toml());
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
            (
                "[[feature]]\nname = \"a\"\nkind = \"integer\"\nunit = \"m\"\nrange = [5, 1]",
                "s.toml, line 11, feature `a`, range: `[5, 1]` runs from high to low",
            ),
            (
                "[[feature]]\nname = \"a\"\nkind = \"integer\"\nrange = [5, 1, 7]",
                "s.toml, line 10: a range has two ends, [low, high], but 3 numbers are given",
            ),
            (
                "[[feature]]\nname = \"a\"\nkind = \"integer\"\ncodes = [\n  { value = -7, label = \"x\" },\n  { value = true, label = \"x\" }]",
                "s.toml, line 12: invalid type: boolean `true`, expected a finite number, or a text",
            ),
            (
                "[[feature]]\nname = \"a\"\nkind = \"integer\"\ncodes = [{ value = nan, label = \"x\" }]",
                "s.toml, line 10: invalid value: floating point `NaN`, expected a finite number",
            ),
            (
                "[[feature]]\nname = \"a\"\nkind = \"integer\"\ncodes = [{ value = -7 }]",
                "s.toml, line 10: missing field `label`",
            ),
            ("[[rule]]\nname = \"y\"", "s.toml, line 7: missing field `rule`"),
            (
                "[[feature]]\nname = \"a\"\nkind = \"integer\"\n[[rule]]\nrule = \"b stays\"",
                "s.toml, line 11, rule `b stays`: `b` is no feature",
            ),
            (
                "[[feature]]\nname = \"a\"\nkind = \"integer\"\n[[rule]]\nrule = \"\"\"\na stays\"\"\"\nnote = 1",
                "s.toml, line 13: unknown field `note`",
            ),
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
