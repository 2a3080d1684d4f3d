//! What became of every column, on the screen.

use std::fmt::Write as _;
use std::path::Path;

use amends::data::{About, Change, Draft, Feature, TextEncoding};
use comfy_table::{ContentArrangement, Table, presets};

use super::args::InitCommand;

/// Terminals with fewer columns get lines instead of a table.
const NARROW: u16 = 76;
/// The width where there is no terminal.
const USUAL: u16 = 120;

/// What is reported.
pub struct Reported<'a> {
    pub command: &'a InitCommand,
    pub draft: &'a Draft,
    pub rows: usize,
    /// The encoding of a text file.
    pub encoding: Option<TextEncoding>,
}

/// A question about one or more columns.
struct Check<'a> {
    columns: Vec<&'a str>,
    text: &'a str,
}

/// Writes the summary to standard error: standard output may be the schema.
pub fn print(reported: &Reported) {
    let width = empty_table().width().unwrap_or(USUAL);
    eprint!("{}", summary(reported, width));
}

/// The summary for a terminal with so many columns.
fn summary(reported: &Reported, width: u16) -> String {
    let Reported { command, draft, rows, encoding } = reported;
    let mut text = String::new();
    let read_as = match encoding {
        None | Some(TextEncoding::Utf8) => String::new(),
        Some(other) => format!(" (read as {})", other.name()),
    };
    let target = &draft.schema.target;
    // Writing to a String can't fail.
    let _ = writeln!(
        text,
        "{}{read_as}: {}; {} became features, {} left out.\n\
         `{}` in column `{}` is taken as what applicants want ({}; --favourable names another).\n",
        command.data.display(),
        counted(*rows, "row"),
        counted(draft.schema.features.len(), "column"),
        draft.left_out.len(),
        target.favourable,
        target.column,
        draft.favourable_because,
    );
    let checks = checks(draft);
    text.push_str(&columns(draft, &checks, width));
    if !draft.left_out.is_empty() {
        let lines = draft.left_out.iter().map(|(column, reason)| [column.clone(), reason.clone()]);
        text.push_str(&list("Left out", lines, width));
    }
    if !checks.is_empty() {
        let name = |check: &Check| match check.columns.as_slice() {
            [first, second, third, _, ..] => {
                format!("{first}, {second}, {third} and {} more", check.columns.len() - 3)
            }
            few => few.join(", "),
        };
        let lines = checks.iter().enumerate().map(|(index, check)| {
            [format!("{}. {}", index + 1, name(check)), check.text.to_owned()]
        });
        text.push_str(&list("Check", lines, width));
    }
    text.push_str(&next(command, draft));
    text
}

fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// Everything that should be checked, in the order of the columns; what is the same for several is said once.
fn checks(draft: &Draft) -> Vec<Check<'_>> {
    let mut checks: Vec<Check> = Vec::new();
    for (feature, about) in draft.schema.features.iter().zip(&draft.about) {
        for text in &about.checks {
            match checks.iter_mut().find(|check| check.text == text) {
                Some(known) => known.columns.push(&feature.name),
                None => checks.push(Check { columns: vec![&feature.name], text }),
            }
        }
    }
    checks
}

/// What became of the columns: a table, or lines where it would be too narrow.
fn columns(draft: &Draft, checks: &[Check], width: u16) -> String {
    let features = draft.schema.features.iter().zip(&draft.about);
    let numbers = |feature: &Feature| {
        let own = checks
            .iter()
            .enumerate()
            .filter(|(_, check)| check.columns.contains(&feature.name.as_str()));
        own.map(|(index, _)| (index + 1).to_string()).collect::<Vec<_>>().join(", ")
    };
    if width < NARROW {
        let mut text = String::new();
        for (feature, about) in features {
            let _ = writeln!(
                text,
                "{}: {}, {}\n  {}",
                feature.name,
                feature.kind.name(),
                change(feature, about),
                cells(about)
            );
            let numbers = numbers(feature);
            if !numbers.is_empty() {
                let _ = writeln!(text, "  check {numbers}");
            }
        }
        return text + "\n";
    }
    let mut table = empty_table();
    table.load_style(presets::ASCII_MARKDOWN).set_width(width);
    table.set_header(["column", "kind", "cells", "change", "check"]);
    for (feature, about) in features {
        table.add_row([
            feature.name.clone(),
            feature.kind.name().to_owned(),
            cells(about),
            change(feature, about),
            numbers(feature),
        ]);
    }
    format!("{table}\n\n")
}

fn cells(about: &About) -> String {
    let missing = about.missing.iter().map(String::as_str);
    [about.cells.as_str()].into_iter().chain(missing).collect::<Vec<_>>().join("; ")
}

/// How an applicant may change a feature, and what that was guessed from.
fn change(feature: &Feature, about: &About) -> String {
    match (&about.direction, feature.change) {
        (Some([from, _]), change) => format!("{}: {from}", change.name()),
        (None, Change::Free) => "free".to_owned(),
        (None, change) => change.name().to_owned(),
    }
}

/// Lines of a name and a text each.
fn list(title: &str, lines: impl Iterator<Item = [String; 2]>, width: u16) -> String {
    if width < NARROW {
        let lines = lines.map(|[name, text]| format!("  {name}: {text}\n"));
        return format!("{title}:\n{}\n", lines.collect::<String>());
    }
    let mut table = empty_table();
    table.load_style(presets::NOTHING).set_width(width);
    table.add_rows(lines);
    let shown = table.to_string();
    let lines: Vec<&str> = shown.lines().map(str::trim_end).collect();
    format!("{title}:\n{}\n\n", lines.join("\n"))
}

fn empty_table() -> Table {
    let mut table = Table::new();
    table.use_stderr().set_content_arrangement(ContentArrangement::Dynamic);
    table
}

/// What to do next.
fn next(command: &InitCommand, draft: &Draft) -> String {
    let data = quoted(&command.data);
    let Some(schema) = &command.output else {
        let schema = command.data.with_extension("toml");
        let schema = schema.file_name().map_or_else(|| schema.clone(), Into::into);
        return format!(
            "Write the schema to a file, review and correct it, then try\n  \
             amends init {data} --target {} --output {}\n",
            quoted(Path::new(&command.target)),
            quoted(&schema)
        );
    };
    let schema = quoted(schema);
    if draft.schema.features.iter().all(|feature| feature.change == Change::Immutable) {
        return format!(
            "No feature may change, so there can be no plans: in {schema}, correct `change` for the features that applicants can \
             change, then try\n  amends explain --data {data} --schema {schema} --rejected 2\n"
        );
    }
    format!(
        "Review and correct {schema}, then try\n  \
         amends explain --data {data} --schema {schema} --rejected 2\n  \
         amends train --data {data} --schema {schema} --model rf --output model.json\n"
    )
}

/// A path as a shell takes it.
fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |c: char| c.is_alphanumeric() || "/._-+:=@%,".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        return text;
    }
    format!("'{}'", text.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use amends::data::{Table as Data, draft};

    use super::*;

    fn shown(width: u16) -> String {
        let mut rows = String::new();
        for row in 0..60 {
            let housing = ["own", "rent", "-"][row % 3];
            let _ = writeln!(rows, "{row},{row}.{},{housing},{}", row % 7, row % 2);
        }
        summary_of(&format!("id,income,housing,paid\n{rows}"), width)
    }

    fn summary_of(csv: &str, width: u16) -> String {
        let table = Data::parse(csv, "t.csv").unwrap();
        let draft = draft(&table, "t", "paid", None).unwrap();
        let command = InitCommand {
            data: PathBuf::from("my loans.csv"),
            target: "paid".into(),
            favourable: None,
            name: "t".into(),
            output: Some(PathBuf::from("t.toml")),
        };
        let encoding = Some(TextEncoding::Windows1252);
        summary(
            &Reported { command: &command, draft: &draft, rows: table.rows.len(), encoding },
            width,
        )
    }

    #[test]
    fn the_summary_fits_the_terminal() {
        for width in [40, 80, 120] {
            let text = shown(width);
            for part in [
                "read as Windows-1252",
                "increase",
                "its name says `income`",
                "20 missing (-)",
                "it counts the rows",
            ] {
                let flat: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
                let parts = part.split(' ').all(|word| flat.contains(word));
                assert!(parts, "{part}: {text}");
            }
            assert!(
                text.contains("amends explain --data 'my loans.csv' --schema t.toml --rejected 2"),
                "{text}"
            );
            let table = text.lines().filter(|line| line.starts_with('|'));
            let widest = table.map(|line| line.chars().count()).max().unwrap_or(0);
            assert!(widest <= usize::from(width), "{widest}: {text}");
            assert_eq!(widest == 0, width < NARROW);
        }
    }

    #[test]
    fn no_command_is_proposed_that_must_fail() {
        let text = summary_of("age,sex,paid\n30,f,1\n40,m,0\n50,f,1\n", 120);
        assert!(text.contains("No feature may change"), "{text}");
        assert!(text.contains("correct `change`") && !text.contains("amends train"), "{text}");
        let text = summary_of("age,income,paid\n30,2,1\n40,3,0\n50,4,1\n", 120);
        assert!(!text.contains("No feature") && text.contains("amends train"), "{text}");
    }

    #[test]
    fn paths_are_quoted_for_a_shell() {
        assert_eq!(quoted(Path::new("a/b-1.csv")), "a/b-1.csv");
        assert_eq!(quoted(Path::new("my loans.csv")), "'my loans.csv'");
        assert_eq!(quoted(Path::new("it's.csv")), "'it'\\''s.csv'");
    }
}
