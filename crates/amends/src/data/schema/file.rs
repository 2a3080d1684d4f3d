//! Reading the schema file: TOML that people edit.

use std::ops::Range;

use serde::Deserialize;
use toml::Spanned;

use super::check::{Flaw, Location, Problem};
use super::entry::{FeatureEntry, FeatureLines, RuleEntry};
use super::shape::SCHEMA;
use super::{Rule, Schema, Target};
use crate::toml_text::{explain, line_of};
use crate::{InputError, Result};

/// The file format that this version reads and writes.
pub(super) const VERSION: u32 = 1;

/// The remedy where the problem says enough.
pub(crate) const CORRECT_FILE: &str = "correct the schema file";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    version: Spanned<u64>,
    name: String,
    reference_date: Option<String>,
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
        let line = |span: Range<usize>| line_of(text, &span);
        let file = read_file(text, source)?;
        let lines: Vec<FeatureLines> = file.feature.iter().map(|entry| entry.lines(line)).collect();
        let mut features = Vec::with_capacity(file.feature.len());
        for (entry, lines) in file.feature.into_iter().zip(&lines) {
            let name = entry.name.get_ref().clone();
            features.push(entry.into_feature(file.reference_date.as_deref()).map_err(|error| {
                error.file(source).at(lines.of("kind")).at(format!("feature `{name}`"))
            })?);
        }
        let TargetEntry { column, favourable, unfavourable } = file.target;
        let target = Target { column, favourable, unfavourable };
        let mut schema = Self { name: file.name, target, features, rules: Vec::new() };
        schema.find_feature_problem().map_err(|problem| {
            let Problem { location, flaw: Flaw { key, error } } = problem;
            let error = error.file(source);
            let Location::Feature(index) = location else { return error };
            let name = &schema.features[index].name;
            let line = lines[index].of(key.unwrap_or("name"));
            key.into_iter().fold(error.at(line).at(format!("feature `{name}`")), InputError::at)
        })?;
        schema.add_rules(file.rule, line, source)?;
        Ok(schema)
    }

    /// Reads the rules between features, and checks them.
    fn add_rules(
        &mut self,
        entries: Vec<RuleEntry>,
        line: impl Fn(Range<usize>) -> String,
        source: &str,
    ) -> Result<()> {
        let mut lines = Vec::with_capacity(entries.len());
        for RuleEntry { rule, name } in entries {
            let line = line(rule.span());
            let target = Some(self.target.column.as_str());
            let rule = Rule::parse_beside(rule.get_ref(), &self.features, target)
                .map_err(|error| error.inside(&line).file(source))?;
            self.rules.push(Rule { name, ..rule });
            lines.push(line);
        }
        self.find_rule_problem()
            .map_err(|(index, error)| error.inside(&lines[index]).file(source))?;
        Ok(())
    }
}

/// The entries of a file of a version that this program reads.
fn read_file(text: &str, source: &str) -> Result<File> {
    let file: File = toml::from_str(text)
        .map_err(|error| explain(&SCHEMA, text, &error).file(source).or_remedy(CORRECT_FILE))?;
    if *file.version.get_ref() == u64::from(VERSION) {
        return Ok(file);
    }
    Err(InputError::new("is not a version of the schema file that this program reads")
        .file(source)
        .at(line_of(text, &file.version.span()))
        .value(file.version.get_ref())
        .remedy(format!("write version = {VERSION}, or use a newer program"))
        .into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{
        CellFormat, Change, Code, DateFormat, DateUnit, FeatureLimits, Grouping, Kind, LevelMoves,
        NumberFormat, Translation,
    };
    use crate::shape::tests::{assert_plain, spoilt};
    use crate::toml_text::as_json;

    const HEAD: &str = "version = 1\nname = \"t\"\n[target]\ncolumn = \"y\"\nfavourable = \"1\"\nunfavourable = \"0\"\n";

    fn message(features: &str) -> String {
        Schema::parse(&format!("{HEAD}{features}"), "s.toml").unwrap_err().to_string()
    }

    #[test]
    fn files_survive_writing_and_reading() {
        for schema in
            [Schema::german(), Schema::german_free(), Schema::heloc(), Schema::heloc_codes()]
        {
            let text = schema.to_toml();
            assert_eq!(Schema::parse(&text, "again").unwrap(), schema, "{text}");
        }
    }

    #[test]
    fn odd_texts_survive_too() {
        let mut schema = Schema::german_free();
        schema.name = "quo\"te 'and' \\ back\nline \u{1F4B6}".into();
        schema.features[0].label = Some("#not a comment".into());
        schema.features[1].step = Some(1e300);
        schema.features[2].kind = Kind::Binary { levels: ["'''".into(), "\"\"\"".into()] };
        schema.features[3].kind = Kind::Ordinal { levels: vec!["a\tb".into(), "c".into()] };
        schema.features[4].change = Change::Free;
        schema.features[4].codes = ["-7", "", "quo\"te", "-7.0e1"]
            .iter()
            .enumerate()
            .map(|(index, text)| Code {
                leave: index == 1,
                enter: index == 2,
                ..Code::new(*text, format!("code {index} \\"))
            })
            .collect();
        schema.features[4].codes[1].others = vec!["NA".into(), "-9".into()];
        schema.features[0].format = CellFormat::Number(NumberFormat {
            decimal: ',',
            thousands: Some('\''),
            grouping: Grouping::Indian,
            signs: vec!["\u{20ac}".into(), "EUR".into()],
        });
        for (index, reference) in [(5, "2024-12-31"), (6, "2020-02-29")] {
            schema.features[index].unit = Some("months".into());
            schema.features[index].format = CellFormat::Date(DateFormat {
                pattern: "%d.%m.%Y".into(),
                reference: reference.into(),
                unit: DateUnit::Months,
            });
        }
        schema.features[4].effort = 2.5;
        schema.features[4].limits = FeatureLimits {
            range: Some([18.0, f64::INFINITY]),
            relative_range: Some([f64::NEG_INFINITY, 12.5]),
            max_change: Some(1e20),
            least_change: Some(2.0),
            one_step: false,
        };
        schema.features[3].limits.one_step = true;
        let odd = "quo\"te '\\ \n\u{7f} = # [x].y \u{1F4B6}";
        schema.features[4].codes[0].text = odd.into();
        let german = Translation {
            label: Some("'a' \"b\"".into()),
            codes: vec![(odd.into(), odd.into()), (String::new(), "leer\tes".into())],
            ..Translation::default()
        };
        schema.features[4].translations.insert("de".into(), german);
        let german =
            Translation { levels: vec![("a\tb".into(), "x\ty".into())], ..Translation::default() };
        schema.features[3].translations = [("de".into(), german)].into();
        schema.features[3].moves = vec![LevelMoves { from: "a\tb".into(), to: vec!["c".into()] }];
        let again = Schema::parse(&schema.to_toml(), "again").unwrap();
        assert_eq!(again, schema, "{}", schema.to_toml());
    }

    #[test]
    fn whatever_is_wrong_with_a_file_is_said_in_the_words_of_the_format() {
        let text = format!(
            "{HEAD}[[feature]]\nname = \"a\"\nkind = \"integer\"\nchange = \"free\"\nlabel = \"A\"\nunit = \"m\"\n\
             step = 2\nrange = [0, 10]\nrelative_range = [-4, 4]\nmax_change = 4\nleast_change = 2\neffort = 2.5\n\
             codes = [{{ value = [-7, \"?\"], label = \"x\", leave = true, enter = false }}]\n\
             decimal = \",\"\nthousands = \".\"\ngrouping = \"indian\"\nsign = [\"EUR\", \"\u{20ac}\"]\n\
             [[feature]]\nname = \"b\"\nkind = \"ordinal\"\nlevels = [\"u\", \"v\"]\none_step = true\n\
             moves = [{{ from = \"u\", to = [\"v\"] }}]\n\
             [feature.de]\nlabel = \"B\"\nlevels = {{ u = \"U\", v = \"V\" }}\ncodes = {{}}\n\
             [[feature]]\nname = \"d\"\nkind = \"integer\"\ndate = \"%Y-%m-%d\"\nunit = \"days\"\nreference_date = \"2024-12-31\"\n\
             [[rule]]\nname = \"r\"\nrule = \"a rises or b stays\"\n"
        );
        Schema::parse(&text, "s.toml").unwrap();
        let good = as_json(toml::Value::Table(toml::from_str(&text).unwrap()));
        assert_eq!(SCHEMA.flaw(&good), None);
        let mut refused = 0;
        for bad in spoilt(&good) {
            let Ok(text) = toml::to_string(&bad) else { continue };
            if let Err(error) = Schema::parse(&text, "s.toml") {
                assert_plain(&error.to_string());
                refused += 1;
            }
        }
        assert!(refused > 200, "{refused}");
    }

    #[test]
    #[expect(clippy::too_many_lines, reason = "a list of cases")]
    fn problems_name_file_and_line() {
        for (features, start) in [
            (
                "[[feature]]\nname = \"a\"\nkind = \"integer\"\nlable = \"A\"",
                "s.toml, line 10, feature[0]: `lable` is not a known key; did you mean `label`?",
            ),
            (
                "[[feature]]\nname = \"a\"\nkind = \"real\"",
                "s.toml, line 9, feature[0].kind: `real` is not known here; use one of `integer`",
            ),
            (
                "[[feature]]\nname = \"a\"\nkind = \"integer\"\nchange = \"up\"",
                "s.toml, line 10, feature[0].change: `up` is not known here; use one of `free`",
            ),
            (
                "[[feature]]\nkind = \"integer\"",
                "s.toml, line 7, feature[0]: has no `name`; give a text",
            ),
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
                "s.toml, line 12, feature[0].codes[1].value: `true` is not a number, a text in quotes",
            ),
            (
                "[[feature]]\nname = \"a\"\nkind = \"integer\"\ncodes = [{ value = nan, label = \"x\" }]",
                "s.toml, line 10: `NaN` is not a finite number; correct the schema file",
            ),
            (
                "[[feature]]\nname = \"a\"\nkind = \"integer\"\ncodes = [{ value = -7 }]",
                "s.toml, line 10, feature[0].codes[0]: has no `label`",
            ),
            (
                "[[feature]]\nname = \"a\"\nkind = \"integer\"\ncodes = [{ value = [], label = \"x\" }]",
                "s.toml, line 9, feature `a`: the code `x` has no cells",
            ),
            (
                "[[feature]]\nname = \"a\"\nkind = \"integer\"\ndecimal = \",\"\nthousands = \",\"",
                "s.toml, line 11, feature `a`, thousands: `,` separates thousands and decimals alike",
            ),
            (
                "[[feature]]\nname = \"a\"\nkind = \"integer\"\ndecimal = \";;\"",
                "s.toml, line 10, feature[0].decimal: `;;` is not known here; use one of `.`, `,`",
            ),
            (
                "[[feature]]\nname = \"a\"\nkind = \"integer\"\ndate = \"%d.%m.%Y\"\nunit = \"months\"",
                "s.toml, line 9, feature `a`: is a date, but there is no day to count from",
            ),
            (
                "[[feature]]\nname = \"a\"\nkind = \"integer\"\ndate = \"%d.%m.%Y\"\nreference_date = \"2024-12-31\"",
                "s.toml, line 9, feature `a`: is a date without the unit",
            ),
            (
                "[[feature]]\nname = \"a\"\nkind = \"integer\"\ndate = \"%d\"\nunit = \"days\"\nreference_date = \"2024-12-31\"",
                "s.toml, line 10, feature `a`, date: `%d` is not the form of a date",
            ),
            (
                "[[feature]]\nname = \"a\"\nkind = \"binary\"\nsign = \"%\"",
                "s.toml, line 10, feature `a`, sign: does not fit kind binary",
            ),
            ("[[rule]]\nname = \"y\"", "s.toml, line 7, rule[0]: has no `rule`"),
            (
                "[[feature]]\nname = \"a\"\nkind = \"integer\"\n[[rule]]\nrule = \"b stays\"",
                "s.toml, line 11, rule `b stays`: `b` is not a feature",
            ),
            (
                "[[feature]]\nname = \"a\"\nkind = \"integer\"\n[[rule]]\nrule = \"\"\"\na stays\"\"\"\nnote = 1",
                "s.toml, line 13, rule[0]: `note` is not a known key",
            ),
            ("name = 3 3", "s.toml, line 7: "),
            ("", "s.toml: has no features"),
        ] {
            let message = message(features);
            assert!(message.starts_with(start), "{message}\nfor\n{features}");
        }
    }

    #[test]
    fn doubles_and_newer_files_name_file_and_line() {
        let twice = "[[feature]]\nname = \"a\"\nkind = \"integer\"\n";
        let message = message(&format!("{twice}{twice}"));
        assert!(message.starts_with("s.toml, line 11, feature `a`: is listed twice"), "{message}");
        let newer = Schema::parse(&HEAD.replace("= 1\n", "= 2\n"), "s.toml").unwrap_err();
        assert!(newer.to_string().starts_with("s.toml, line 1: `2` is not a version"), "{newer}");
    }
    #[test]
    fn problems_of_moves_name_file_and_line() {
        for (features, start) in [
            (
                "[[feature]]\nname = \"a\"\nkind = \"binary\"\nmoves = []",
                "s.toml, line 9, feature `a`: has moves, but lists none",
            ),
            (
                "[[feature]]\nname = \"a\"\nkind = \"binary\"\nunit = \"m\"\nmoves = [{ from = \"0\", to = [\"2\"] }]",
                "s.toml, line 11, feature `a`, moves: `2` is not one of the levels",
            ),
        ] {
            let message = message(features);
            assert!(message.starts_with(start), "{message}\nfor\n{features}");
        }
    }
}
