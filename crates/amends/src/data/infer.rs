//! A first schema for a table, for people to read and correct.

use chrono::Utc;

use super::guess::{
    Cells, Context, Conventions, Guess, Words, guess, read_dates, reference_date, target,
};
use super::{Schema, Table, first_line};
use crate::{InputError, Result};

/// A guessed schema, with what its reader should consider.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    /// The guess.
    pub schema: Schema,
    /// What was guessed about each feature, in the schema's order.
    pub about: Vec<About>,
    /// Columns of the table that are not features, each with the reason.
    pub left_out: Vec<(String, String)>,
    /// How the favourable outcome was identified.
    pub favourable_because: String,
}

/// What was guessed about a feature, in words for people.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct About {
    /// What its cells are and how they are read, in a few words.
    pub cells: String,
    /// How many cells are missing, and how those are spelt.
    pub missing: Option<String>,
    /// What was found in the column.
    pub found: Vec<String>,
    /// What its direction was guessed from, and why it is this one; none where it may change freely.
    pub direction: Option<[String; 2]>,
    /// What should be checked, because the guess may be wrong.
    pub checks: Vec<String>,
    /// Cells that can't be read: days that don't exist.
    pub unreadable: Vec<String>,
}

impl Draft {
    /// The schema file, with what was guessed as comments.
    pub fn to_toml(&self) -> String {
        let mut top = vec![
            "This file was guessed from the table: read it through before training.".to_owned(),
            format!(
                "`{}` is taken for what applicants want: {}.",
                self.schema.target.favourable, self.favourable_because
            ),
        ];
        for (column, reason) in &self.left_out {
            top.push(format!("Left out: column `{column}`, because {reason}."));
        }
        let features = self.schema.features.iter().zip(&self.about);
        let notes: Vec<Vec<String>> = features
            .map(|(feature, about)| {
                let direction = about.direction.as_ref().map(|[from, reason]| {
                    let change = feature.change.name();
                    format!("Guessed: change = \"{change}\", because {from}: {reason}.")
                });
                let checks = about.checks.iter().map(|check| format!("Check: {check}"));
                about.found.iter().cloned().chain(direction).chain(checks).collect()
            })
            .collect();
        self.schema.to_commented_toml(&top, &notes)
    }
}

/// Guesses the schema of a table: `target` is the column with the outcome, `favourable` the outcome that applicants
/// want (guessed where the table's words leave no doubt).
pub fn draft(table: &Table, name: &str, target: &str, favourable: Option<&str>) -> Result<Draft> {
    first_line::check(table)?;
    let (target, favourable_because) =
        target::guess(table, target, favourable).map_err(|error| error.file(&table.source))?;
    let columns: Vec<(&String, Cells)> = table
        .header
        .iter()
        .enumerate()
        .filter(|(_, column)| **column != target.column)
        .map(|(index, column)| {
            (column, Cells::of(table.rows.iter().map(|row| row[index].as_str())))
        })
        .collect();
    let context = context(&columns);
    let (mut features, mut notes, mut left_out) = (Vec::new(), Vec::new(), Vec::new());
    for (column, cells) in &columns {
        match guess(column, cells, &context) {
            Guess::Feature(feature, mut about) => {
                report_unreadable(table, column, &mut about);
                features.push(*feature);
                notes.push(about);
            }
            Guess::LeaveOut(reason) => left_out.push(((*column).clone(), reason)),
        }
    }
    if features.is_empty() {
        return Err(InputError::new("no column besides the target could be a feature")
            .file(&table.source)
            .remedy("give a table with columns that distinguish applicants")
            .into());
    }
    let schema = Schema { name: name.to_owned(), target, features, rules: Vec::new() };
    schema.check().map_err(|error| error.in_file(&table.source))?;
    Ok(Draft { schema, about: notes, left_out, favourable_because })
}

/// Says in which rows cells can't be read: they are mistakes, not states, so the schema doesn't declare them.
fn report_unreadable(table: &Table, column: &str, about: &mut About) {
    const SHOWN: usize = 5;
    let Some(index) = table.column(column).filter(|_| !about.unreadable.is_empty()) else { return };
    let unreadable = |row: &(usize, &Vec<String>)| about.unreadable.contains(&row.1[index]);
    let rows: Vec<(usize, &Vec<String>)> =
        table.rows.iter().enumerate().filter(unreadable).collect();
    let shown = rows
        .iter()
        .take(SHOWN)
        .map(|(row, cells)| format!("`{}` in row {}", cells[index], row + 1));
    let shown = shown.collect::<Vec<_>>().join(", ");
    let more = match rows.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    about.checks.push(format!(
        "{shown}{more}: no calendar has such a day. Correct it in the table: until then the cell is refused."
    ));
}

/// What all columns together show: separators, the order of dates, and the last date.
fn context(columns: &[(&String, Cells)]) -> Context {
    let mut conventions = Conventions::default();
    for (_, cells) in columns {
        conventions.add(cells);
        conventions.add_dates(cells);
    }
    let names: Vec<Words> = columns.iter().map(|(name, _)| Words::of(name)).collect();
    let dates = names
        .iter()
        .zip(columns)
        .filter_map(|(name, (_, cells))| Some((name, read_dates(cells, conventions)?)));
    // Without a clock, two-digit years would put births of 1950 into 2050.
    let (reference_date, counted_from_today) = reference_date(dates, Utc::now().date_naive())
        .map_or((None, false), |(day, today)| (Some(day), today));
    Context { conventions, reference_date, counted_from_today }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Change, Dataset, Kind};

    fn table(csv: &str) -> Table {
        Table::parse(csv, "loans.csv").unwrap()
    }

    #[test]
    fn german_credit_is_understood() {
        let table = Dataset::german().to_table();
        let draft = draft(&table, "german", "credit_risk", None).unwrap();
        let known = Schema::german_free();
        assert_eq!(draft.schema.target, known.target);
        assert!(draft.left_out.is_empty());
        for (guessed, known) in draft.schema.features.iter().zip(&known.features) {
            assert_eq!(guessed.name, known.name);
            let levels = ["people_liable", "job"].contains(&known.name.as_str());
            assert_eq!(guessed.is_numeric(), known.is_numeric() && !levels, "{}", known.name);
        }
        let with = |change: Change| -> Vec<&str> {
            let features = draft.schema.features.iter();
            features.filter(|f| f.change == change).map(|f| f.name.as_str()).collect()
        };
        let fixed = [
            "residence_since",
            "age",
            "people_liable",
            "credit_history",
            "purpose",
            "personal_status_sex",
            "foreign_worker",
        ];
        assert_eq!(with(Change::Immutable), fixed);
        assert_eq!(with(Change::Increase), ["employment_since"]);
        assert_eq!(with(Change::Decrease), ["credit_amount"]);
        let employment =
            &draft.schema.features[draft.schema.feature_index("employment_since").unwrap()];
        let levels = ["unemployed", "< 1 year", "1 to 4 years", "4 to 7 years", ">= 7 years"];
        assert_eq!(employment.kind, Kind::Ordinal { levels: levels.map(str::to_owned).to_vec() });
        assert!(Dataset::from_table(&table, &draft.schema).is_ok());
    }

    #[test]
    fn the_file_explains_itself_and_reads_back() {
        let csv = "id,Age,income,ok,same\n1,30,10.5,yes,x\n2,40,8,no,x\n3,50,12,yes,x\n";
        let draft = draft(&table(csv), "loans", "ok", None).unwrap();
        let text = draft.to_toml();
        assert_eq!(Schema::parse(&text, "loans.toml").unwrap(), draft.schema);
        for part in [
            "# Left out: column `same`, because every row says `x`",
            "# 3 different values, 30 to 50.\n",
            "# Guessed: change = \"immutable\", because its name says `age`: nobody",
            "# 3 different values, 8 to 12.\n",
        ] {
            assert!(text.contains(part), "{part} is not in\n{text}");
        }
        let age = draft.schema.feature_index("Age").unwrap();
        assert_eq!(draft.schema.features[age].change, Change::Immutable);
        let income = draft.schema.feature_index("income").unwrap();
        assert_eq!(draft.schema.features[income].kind, Kind::Continuous);
    }

    #[test]
    fn the_favourable_outcome_is_guessed_only_without_doubt() {
        for (header, outcomes, expected) in [
            ("credit_risk", ["bad", "good"], Some("good")),
            ("approved", ["0", "1"], Some("1")),
            ("ok", ["No", "Yes"], Some("Yes")),
            ("loan_status", ["Charged Off", "Fully Paid"], Some("Fully Paid")),
            ("Default", ["0", "1"], Some("0")),
            ("abgelehnt", ["ja", "nein"], Some("nein")),
            ("SeriousDlqin2yrs", ["0", "1"], None),
            ("not_fully_paid", ["0", "1"], None),
            ("bewilligt", ["ja", "nein"], Some("ja")),
            ("DiseaseProgression", ["0", "1"], None),
            // Which of two numbers is good is anyone's guess, unless the name says what 1 means.
            ("outcome", ["0", "1"], None),
            ("class", ["1", "2"], None),
            ("Quality", ["0.0", "1.0"], None),
            ("default_payment", ["no", "yes"], Some("no")),
            ("class", ["a", "b"], None),
        ] {
            let csv =
                format!("x,{header}\n1,{}\n2,{}\n3,{}\n", outcomes[0], outcomes[1], outcomes[0]);
            let schema = draft(&table(&csv), "t", header, None).map(|draft| draft.schema);
            assert_eq!(
                schema.as_ref().ok().map(|s| s.target.favourable.as_str()),
                expected,
                "{header}"
            );
            if let Err(error) = schema {
                assert!(error.to_string().ends_with("name the favourable outcome"), "{error}");
            }
        }
    }

    #[test]
    fn the_favourable_outcome_may_be_named_as_a_number() {
        let table = table("x,Default\n1,0.0\n2,1.0\n3,0.0\n");
        let schema = draft(&table, "t", "Default", Some("0")).unwrap().schema;
        assert_eq!(schema.target.favourable, "0.0");
    }

    #[test]
    fn targets_that_are_none_are_refused() {
        for (csv, target, favourable, start) in [
            (
                "x,y\n1,2\n",
                "z",
                None,
                "loans.csv, column `z`: is not in the table; name the column",
            ),
            (
                "x,y\n1,a\n2,b\n3,c\n",
                "y",
                None,
                "loans.csv, column `y`: has 3 different outcomes (`a`, `b`, `c`)",
            ),
            ("x,y\n1,a\n2,a\n", "y", None, "loans.csv, column `y`: has 1 different outcomes"),
            ("x,y\n1,a\n2,\n", "y", None, "loans.csv, row 2, column `y`: the outcome is missing"),
            (
                "x,y\n1,a\n2,b\n",
                "y",
                Some("c"),
                "loans.csv, column `y`: `c` is not an outcome in the table",
            ),
            ("x,y\n1,a\n1,b\n", "y", Some("a"), "loans.csv: no column besides the target"),
        ] {
            let message = draft(&table(csv), "t", target, favourable).unwrap_err().to_string();
            assert!(message.starts_with(start), "{message}");
        }
    }
}
