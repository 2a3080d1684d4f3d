//! Writing the schema file, with comments for the people who edit it.

use std::fmt::Write as _;

use super::file::VERSION;
use super::{Change, Code, Feature, LevelMoves, Schema, Translation};
use crate::data::value::is_whole;
use crate::data::{CellFormat, DateFormat, Grouping, NumberFormat};

impl Schema {
    /// The schema as a file for people to edit.
    pub fn to_toml(&self) -> String {
        self.to_commented_toml(&[], &[])
    }

    /// The same with comment lines at the top and above features.
    pub(in crate::data) fn to_commented_toml(
        &self,
        top: &[String],
        notes: &[Vec<String>],
    ) -> String {
        let mut text = String::from(
            "# What the columns of the table mean. Keys of a [[feature]]:\n\
             #   name    the column's name in the table\n\
             #   kind    integer, continuous, binary, categorical (levels without an order), ordinal (in rising order)\n\
             #   levels  what binary, categorical and ordinal features may say, spelt as in the table\n\
             #   change  free (default), immutable, increase, decrease: how an applicant may change it\n\
             #   decimal, thousands, sign   how the table writes numbers: \",\", \".\", \"EUR\" for 1.234,50 EUR (optional)\n\
             #   grouping   \"indian\" where the table groups digits as in 12,34,567 (optional)\n\
             #   date    how the table writes dates: \"%d.%m.%Y\" (optional)\n\
             #   step    new values of a number are multiples of this (optional)\n\
             #   label   its name for people (optional)\n\
             #   unit    what its numbers count (optional)\n\
             #   [feature.de]   below a feature: label, unit, levels and codes in German (optional)\n\
             # Optional rules: range, relative_range, max_change, least_change, one_step, effort; states beside numbers and levels: codes.\n\
             # Rules between features: [[rule]] with rule = \"at most 1 of a, b changes\", \"if a rises then b falls\", \"a <= b\" and so on.\n\
             # Columns of the table that are not listed here are ignored.\n",
        );
        comment(&mut text, top);
        // Writing to a String can't fail.
        let _ = write!(
            text,
            "version = {VERSION}\nname = {}\n{}\n\
             # The column to predict; the favourable outcome is the one that applicants want.\n\
             [target]\ncolumn = {}\nfavourable = {}\nunfavourable = {}\n",
            quoted(&self.name),
            self.common_reference_date().map_or_else(String::new, |date| {
                format!(
                    "# Dates become the time before this day.\nreference_date = {}\n",
                    quoted(date)
                )
            }),
            quoted(&self.target.column),
            quoted(&self.target.favourable),
            quoted(&self.target.unfavourable),
        );
        for (index, feature) in self.features.iter().enumerate() {
            text.push('\n');
            comment(&mut text, notes.get(index).map_or(&[], Vec::as_slice));
            write_feature(&mut text, feature, self.common_reference_date());
        }
        for rule in &self.rules {
            let _ = writeln!(text, "\n[[rule]]\nrule = {}", quoted(&rule.text));
            if let Some(name) = &rule.name {
                let _ = writeln!(text, "name = {}", quoted(name));
            }
        }
        text
    }

    /// The day that the first date is counted from: others that differ are written with the feature.
    fn common_reference_date(&self) -> Option<&str> {
        self.features.iter().find_map(|feature| match &feature.format {
            CellFormat::Date(date) => Some(date.reference.as_str()),
            CellFormat::Number(_) => None,
        })
    }
}

fn comment(text: &mut String, lines: &[String]) {
    for line in lines {
        // A line break inside a name must not end the comment.
        let _ = writeln!(text, "# {}", line.replace(|c: char| c.is_control(), " "));
    }
}

fn write_feature(text: &mut String, feature: &Feature, reference_date: Option<&str>) {
    let _ = writeln!(text, "[[feature]]\nname = {}", quoted(&feature.name));
    let _ = writeln!(text, "kind = \"{}\"", feature.kind.name());
    if !feature.is_numeric() {
        let levels: Vec<String> = feature.levels().iter().map(|level| quoted(level)).collect();
        let _ = writeln!(text, "levels = [{}]", levels.join(", "));
    }
    write_format(text, &feature.format, reference_date);
    if feature.change != Change::Free {
        let _ = writeln!(text, "change = \"{}\"", feature.change.name());
    }
    if let Some(step) = feature.step {
        // 10000 rather than 10000.0; very large numbers need their exponent.
        let _ = if is_whole(step) {
            writeln!(text, "step = {step:.0}")
        } else {
            writeln!(text, "step = {step:?}")
        };
    }
    write_limits(text, feature);
    if !feature.codes.is_empty() {
        let codes: Vec<String> = feature.codes.iter().map(spelt).collect();
        let _ = writeln!(text, "codes = [\n  {},\n]", codes.join(",\n  "));
    }
    for (key, value) in [("label", &feature.label), ("unit", &feature.unit)] {
        if let Some(value) = value {
            let _ = writeln!(text, "{key} = {}", quoted(value));
        }
    }
    for (language, texts) in &feature.translations {
        write_translation(text, language, texts);
    }
}

/// The table of a language, which ends the feature's own keys.
fn write_translation(text: &mut String, language: &str, texts: &Translation) {
    let _ = writeln!(text, "[feature.{language}]");
    for (key, value) in [("label", &texts.label), ("unit", &texts.unit)] {
        if let Some(value) = value {
            let _ = writeln!(text, "{key} = {}", quoted(value));
        }
    }
    for (key, list) in [("levels", &texts.levels), ("codes", &texts.codes)] {
        let line = |(value, words): &(String, String)| {
            format!("{key}.{} = {}", quoted_key(value), quoted(words))
        };
        for line in list.iter().map(line) {
            let _ = writeln!(text, "{line}");
        }
    }
}

fn write_format(text: &mut String, format: &CellFormat, reference_date: Option<&str>) {
    match format {
        CellFormat::Number(NumberFormat { decimal, thousands, grouping, signs }) => {
            if *decimal != NumberFormat::default().decimal {
                let _ = writeln!(text, "decimal = {}", quoted(&decimal.to_string()));
            }
            if let Some(thousands) = thousands {
                let _ = writeln!(text, "thousands = {}", quoted(&thousands.to_string()));
            }
            if *grouping != Grouping::default() {
                let _ = writeln!(text, "grouping = {}", quoted(grouping.name()));
            }
            let signs: Vec<String> = signs.iter().map(|sign| quoted(sign)).collect();
            let _ = match signs.as_slice() {
                [] => Ok(()),
                [sign] => writeln!(text, "sign = {sign}"),
                several => writeln!(text, "sign = [{}]", several.join(", ")),
            };
        }
        CellFormat::Date(DateFormat { pattern, reference, .. }) => {
            let _ = writeln!(text, "date = {}", quoted(pattern));
            if reference_date != Some(reference) {
                let _ = writeln!(text, "reference_date = {}", quoted(reference));
            }
        }
    }
}

fn write_limits(text: &mut String, feature: &Feature) {
    let limits = &feature.limits;
    for (key, pair) in [("range", limits.range), ("relative_range", limits.relative_range)] {
        if let Some([low, high]) = pair {
            let _ = writeln!(text, "{key} = [{low:?}, {high:?}]");
        }
    }
    let effort = (feature.effort != 1.0).then_some(feature.effort);
    for (key, number) in [
        ("max_change", limits.max_change),
        ("least_change", limits.least_change),
        ("effort", effort),
    ] {
        if let Some(number) = number {
            let _ = writeln!(text, "{key} = {number:?}");
        }
    }
    if limits.one_step {
        text.push_str("one_step = true\n");
    }
    if !feature.moves.is_empty() {
        let line = |LevelMoves { from, to }: &LevelMoves| {
            let to: Vec<String> = to.iter().map(|level| quoted(level)).collect();
            format!("{{ from = {}, to = [{}] }}", quoted(from), to.join(", "))
        };
        let lines: Vec<String> = feature.moves.iter().map(line).collect();
        let _ = writeln!(text, "moves = [\n  {},\n]", lines.join(",\n  "));
    }
}

/// A code as an inline table; a number without quotes where that reads back as the same text.
pub(in crate::data) fn spelt(code: &Code) -> String {
    let cell = |text: &String| {
        let whole: Option<i64> = text.parse().ok();
        let bare = whole.is_some_and(|number| number.to_string() == *text);
        if bare { text.clone() } else { quoted(text) }
    };
    let cells: Vec<String> = code.texts().map(cell).collect();
    let value = if cells.len() == 1 { cells.concat() } else { format!("[{}]", cells.join(", ")) };
    let mut text = format!("{{ value = {value}, label = {}", quoted(&code.label));
    for (key, allowed) in [("leave", code.leave), ("enter", code.enter)] {
        if allowed {
            let _ = write!(text, ", {key} = true");
        }
    }
    text + " }"
}

fn quoted(text: &str) -> String {
    toml::Value::from(text).to_string()
}

/// A key in quotes, which may not go over several lines as a text may. JSON escapes as TOML does, but leaves DEL as it is.
fn quoted_key(text: &str) -> String {
    serde_json::Value::from(text).to_string().replace('\u{7f}', "\\u007F")
}
