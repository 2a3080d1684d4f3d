//! Which rows break which rules.

use std::fmt::Write as _;
use std::io::Write;

use amends::data::{Dataset, RowTally, TalliedRule};
use serde_json::{Map, Value, json};

/// Rows that are named as examples.
const SHOWN: usize = 5;

/// From this share of the rows on, the rule is more likely wrong than the rows.
const SUSPICIOUS: f64 = 0.1;

const WARNING: &str = "a rule that this many real people break is usually wrong";

/// One rule's figures, ready to be written in any form.
struct Line<'a> {
    rule: String,
    name: Option<&'a str>,
    /// How many rows break it; none for a rule about changes.
    broken: Option<usize>,
    share: f64,
    first_rows: Vec<usize>,
    /// The named features of the first row: name, title, value as the table writes it.
    first: Vec<(&'a str, &'a str, String)>,
}

impl<'a> Line<'a> {
    fn of(dataset: &'a Dataset, tally: &RowTally) -> Self {
        let schema = &dataset.schema;
        let (rule, name) = match tally.rule {
            TalliedRule::Rule(index) => {
                let rule = &schema.rules[index];
                (rule.text.trim().replace('\n', " "), rule.name.as_deref())
            }
            TalliedRule::Range(index) => {
                let feature = &schema.features[index];
                let [low, high] = feature.limits.range.unwrap_or_default();
                (format!("{}: range = [{low}, {high}]", feature.name), None)
            }
        };
        let rows = tally.broken_by.as_deref().unwrap_or_default();
        let first = rows.first().map_or_else(Vec::new, |&row| {
            let named = tally.rule.features(schema).into_iter().map(|index| {
                let feature = &schema.features[index];
                let shown = feature.show(dataset.records[row][index]);
                (feature.name.as_str(), feature.title(), shown)
            });
            named.collect()
        });
        Self {
            rule,
            name,
            broken: tally.broken_by.as_ref().map(Vec::len),
            share: rows.len() as f64 / dataset.len().max(1) as f64,
            first_rows: rows.iter().take(SHOWN).map(|&row| dataset.row_numbers[row]).collect(),
            first,
        }
    }

    fn warning(&self) -> Option<&'static str> {
        (self.share >= SUSPICIOUS).then_some(WARNING)
    }
}

/// All rules, for people.
pub fn rules_text(dataset: &Dataset, tallies: &[RowTally]) -> String {
    let about_changes = tallies.iter().filter(|tally| tally.broken_by.is_none()).count();
    let mut text = format!(
        "{}: {} rows; {} about values, {} about changes.",
        dataset.schema.name,
        dataset.len(),
        counted(tallies.len() - about_changes, "rule"),
        about_changes
    );
    if tallies.is_empty() {
        text.push_str("\nThe schema has no [[rule]] and no range: there is nothing to check.");
    }
    for tally in tallies {
        let line = Line::of(dataset, tally);
        text.push_str("\n\n");
        text.push_str(&line.rule);
        if let Some(name) = line.name {
            let _ = write!(text, "  ({name})");
        }
        let verdict = match line.broken {
            None => "About changes: rows can't break it.".to_owned(),
            Some(0) => "No row breaks it.".to_owned(),
            Some(count) => {
                let rows: Vec<String> = line.first_rows.iter().map(ToString::to_string).collect();
                let more = if count > rows.len() { " and more" } else { "" };
                format!(
                    "Broken by {} ({:.1} %): {}{more}.",
                    counted(count, "row"),
                    100.0 * line.share,
                    rows.join(", ")
                )
            }
        };
        let _ = write!(text, "\n  {verdict}");
        if let Some(row) = line.first_rows.first() {
            let values: Vec<String> =
                line.first.iter().map(|(_, title, shown)| format!("{title} {shown}")).collect();
            let _ = write!(text, "\n  Row {row}: {}.", values.join(", "));
        }
        if let Some(warning) = line.warning() {
            let _ = write!(text, "\n  Warning: {warning}.");
        }
    }
    text
}

fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// One rule, for programs.
pub fn rules_json(dataset: &Dataset, tally: &RowTally) -> Value {
    let line = Line::of(dataset, tally);
    let values: Map<String, Value> =
        line.first.iter().map(|(name, _, shown)| ((*name).to_owned(), json!(shown))).collect();
    json!({
        "rule": line.rule,
        "name": line.name,
        "about": if line.broken.is_some() { "values" } else { "changes" },
        "rows": dataset.len(),
        "broken": line.broken,
        "share": line.broken.map(|_| line.share),
        "first_rows": line.first_rows,
        "first_values": values,
        "warning": line.warning(),
    })
}

/// All rules as a table.
pub fn rules_csv(
    output: &mut impl Write,
    dataset: &Dataset,
    tallies: &[RowTally],
) -> Result<(), csv::Error> {
    let mut writer = csv::Writer::from_writer(output);
    writer.write_record([
        "rule",
        "name",
        "about",
        "rows",
        "broken",
        "share",
        "first_rows",
        "first_values",
        "warning",
    ])?;
    for tally in tallies {
        let line = Line::of(dataset, tally);
        let rows: Vec<String> = line.first_rows.iter().map(ToString::to_string).collect();
        let values: Vec<String> =
            line.first.iter().map(|(name, _, shown)| format!("{name}: {shown}")).collect();
        let about = if line.broken.is_some() { "values" } else { "changes" };
        writer.write_record([
            line.rule.as_str(),
            line.name.unwrap_or_default(),
            about,
            &dataset.len().to_string(),
            &line.broken.map_or_else(String::new, |count| count.to_string()),
            &line.broken.map_or_else(String::new, |_| line.share.to_string()),
            &rows.join(" "),
            &values.join("; "),
            line.warning().unwrap_or_default(),
        ])?;
    }
    writer.flush()?;
    Ok(())
}
