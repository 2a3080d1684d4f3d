//! A first schema for a table, for people to read and correct.

use super::guess::{Cells, Guess, guess, words};
use super::value::level_of;
use super::{Schema, Table, Target, some_of};
use crate::{InputError, Result, Setting};

/// A guessed schema, with what its reader should consider.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    /// The guess.
    pub schema: Schema,
    /// Comment lines, one list per feature.
    pub notes: Vec<Vec<String>>,
    /// Columns of the table that became no feature, each with the reason.
    pub left_out: Vec<(String, String)>,
}

impl Draft {
    /// The schema file, with the notes as comments.
    pub fn to_toml(&self) -> String {
        let mut top = vec![
            "This file was guessed from the table: read it through before training.".to_owned(),
        ];
        for (column, reason) in &self.left_out {
            top.push(format!("Left out: column `{column}`, because {reason}."));
        }
        self.schema.to_commented_toml(&top, &self.notes)
    }
}

/// Guesses the schema of a table; see [`draft`] for the notes that belong to it.
pub fn infer(table: &Table, name: &str, target: &str, favourable: Option<&str>) -> Result<Schema> {
    Ok(draft(table, name, target, favourable)?.schema)
}

/// Guesses the schema of a table: `target` is the column with the outcome, `favourable` the outcome that applicants
/// want (guessed where the table's words leave no doubt).
pub fn draft(table: &Table, name: &str, target: &str, favourable: Option<&str>) -> Result<Draft> {
    let target =
        guess_target(table, target, favourable).map_err(|error| error.file(&table.source))?;
    let mut features = Vec::new();
    let mut notes = Vec::new();
    let mut left_out = Vec::new();
    for (index, column) in table.header.iter().enumerate() {
        if *column == target.column {
            continue;
        }
        let cells = Cells::of(table.rows.iter().map(|row| row[index].as_str()));
        match guess(column, &cells) {
            Guess::Feature(feature, about) => {
                features.push(*feature);
                notes.push(about);
            }
            Guess::LeaveOut(reason) => left_out.push((column.clone(), reason)),
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
    Ok(Draft { schema, notes, left_out })
}

fn guess_target(
    table: &Table,
    column: &str,
    favourable: Option<&str>,
) -> Result<Target, InputError> {
    let Some(index) = table.column(column) else {
        return Err(InputError::new("is not in the table").column(column).remedy(format!(
            "name the column with the outcome: one of {}",
            some_of(&table.header)
        )));
    };
    let cells = Cells::of(table.rows.iter().map(|row| row[index].as_str()));
    if let Some(row) = cells.first_missing {
        return Err(InputError::new("the outcome is missing")
            .row(row)
            .column(column)
            .remedy("remove the rows without an outcome"));
    }
    let mut outcomes = cells.sorted();
    if outcomes.len() != 2 {
        return Err(InputError::new(format!(
            "has {} different outcomes ({}), but the target needs exactly 2",
            outcomes.len(),
            some_of(&outcomes)
        ))
        .column(column)
        .remedy("name another target, or merge or remove rows until two outcomes are left"));
    }
    let chosen = match favourable {
        Some(wanted) => level_of(&outcomes, wanted).ok_or_else(|| {
            InputError::new("is not an outcome in the table")
                .column(column)
                .value(wanted)
                .remedy(format!("name one of {} as the favourable outcome", some_of(&outcomes)))
                .remedy_setting(Setting::FavourableOutcome)
        })?,
        None => guess_favourable(column, &outcomes).ok_or_else(|| {
            InputError::new(format!(
                "it is not clear which of {} applicants want",
                some_of(&outcomes)
            ))
            .column(column)
            .remedy("name the favourable outcome")
            .remedy_setting(Setting::FavourableOutcome)
        })?,
    };
    let favourable = outcomes.swap_remove(chosen);
    Ok(Target { column: column.to_owned(), favourable, unfavourable: outcomes.swap_remove(0) })
}

/// The outcome that is surely the good one. A wrong guess would turn every plan around, so doubt means none.
fn guess_favourable(column: &str, outcomes: &[String]) -> Option<usize> {
    const GOOD: [&str; 14] = [
        "good",
        "approved",
        "approve",
        "accepted",
        "accept",
        "granted",
        "paid",
        "fully paid",
        "repaid",
        "pass",
        "passed",
        "favourable",
        "favorable",
        "eligible",
    ];
    const AGREEING: [[&str; 2]; 4] = [["1", "0"], ["yes", "no"], ["y", "n"], ["true", "false"]];
    const ADVERSE: [&str; 18] = [
        "default",
        "bad",
        "risk",
        "delinq",
        "fraud",
        "arrear",
        "charge",
        "loss",
        "lost",
        "reject",
        "declin",
        "denied",
        "late",
        "fail",
        "disease",
        "death",
        "churn",
        "attrition",
    ];
    let only = |words: &[&str]| {
        let mut hits =
            (0..outcomes.len()).filter(|&i| words.contains(&outcomes[i].to_lowercase().as_str()));
        hits.next().filter(|_| hits.next().is_none())
    };
    only(&GOOD).or_else(|| {
        // "default: yes" is bad news.
        let adverse =
            words(column).iter().any(|word| ADVERSE.iter().any(|bad| word.starts_with(bad)));
        let pair = AGREEING.iter().find(|pair| pair.iter().all(|word| only(&[word]).is_some()))?;
        only(&pair[..1]).filter(|_| !adverse)
    })
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
            assert_eq!(guessed.change, known.change, "{}", known.name);
            assert_eq!(guessed.is_numeric(), known.is_numeric() && known.name != "people_liable");
        }
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
            "# Immutable because its name says `age`",
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
            ("Default", ["0", "1"], None),
            ("DiseaseProgression", ["0", "1"], None),
            // Which of two numbers is good is anyone's guess, unless they are 0 and 1.
            ("class", ["1", "2"], None),
            ("Quality", ["0.0", "1.0"], None),
            ("default_payment", ["no", "yes"], None),
            ("class", ["a", "b"], None),
        ] {
            let csv =
                format!("x,{header}\n1,{}\n2,{}\n3,{}\n", outcomes[0], outcomes[1], outcomes[0]);
            let schema = infer(&table(&csv), "t", header, None);
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
        let schema = infer(&table, "t", "Default", Some("0")).unwrap();
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
            let message = infer(&table(csv), "t", target, favourable).unwrap_err().to_string();
            assert!(message.starts_with(start), "{message}");
        }
    }
}
