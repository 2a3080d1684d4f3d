//! FICO's HELOC data, read from the user's own copy in either of the two forms in circulation.

mod applicants;

use std::path::Path;

use super::{Dataset, Schema, Table};
use crate::{InputError, Result};

pub(super) use applicants::is_without_record;

/// What is wrong with a code that the schema does not list for its column: it would be read as a number.
const UNKNOWN_CODE: &str = "is a code that FICO's file does not have here";
const UNKNOWN_CODE_REMEDY: &str =
    "correct the cell, or give a schema of your own that lists the code";

/// What to do with the codes -7 (condition not met), -8 (no usable accounts) and -9 (no record) beside the numbers.
///
/// Rows of nothing but -9 say nothing about the applicant: they are always dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum HelocCodes {
    /// Replace them by 0, as in DACE's experiments. Note that -7 often means something good: never late.
    #[default]
    Zero,
    /// Drop the rows that have any.
    Drop,
    /// Keep them as states beside the numbers, and follow the rules of [`Schema::heloc_codes`].
    State,
}

impl HelocCodes {
    /// The schema that the data then has.
    pub fn schema(self) -> Schema {
        match self {
            Self::Zero | Self::Drop => Schema::heloc(),
            Self::State => Schema::heloc_codes(),
        }
    }
}

/// The schema of the papers' experiments, as its file has it.
pub(super) const HELOC: &str = include_str!("heloc.toml");
/// The schema for advice, as its file has it.
pub(super) const HELOC_CODES: &str = include_str!("heloc-codes.toml");

impl Schema {
    /// The schema of FICO's HELOC data as in the papers' experiments: no codes, and every feature may change.
    pub fn heloc() -> Self {
        Self::parse(HELOC, "heloc.toml").expect("the embedded schema is sound")
    }

    /// The schema of FICO's HELOC data for advice: codes are states, and only what an applicant can act on may change.
    pub fn heloc_codes() -> Self {
        Self::parse(HELOC_CODES, "heloc-codes.toml").expect("the embedded schema is sound")
    }
}

impl Dataset {
    /// Reads FICO's HELOC file: the raw form (`RiskPerformance` is Good or Bad, codes intact) or DACE's
    /// (1 for bad and 0 for good, codes already replaced by 0).
    pub fn heloc(path: impl AsRef<Path>, codes: HelocCodes) -> Result<Self> {
        Self::heloc_from_table(Table::read(path)?, codes)
    }

    /// The same from a table that has been read already.
    pub fn heloc_from_table(table: Table, codes: HelocCodes) -> Result<Self> {
        from_table(table, codes)
    }
}

fn from_table(mut table: Table, codes: HelocCodes) -> Result<Dataset> {
    let schema = codes.schema();
    let Some(target) = table.column(&schema.target.column) else {
        return Err(InputError::new("is missing")
            .file(&table.source)
            .column(&schema.target.column)
            .remedy("give FICO's HELOC file with its original column names")
            .into());
    };
    let mut numbers: Vec<usize> = (1..=table.rows.len()).collect();
    if has_numbered_outcomes(&table, target) {
        let lost = match codes {
            HelocCodes::Zero => None,
            HelocCodes::Drop => Some("so their rows can't be dropped"),
            HelocCodes::State => Some("so they can't be distinguished from numbers"),
        };
        if let Some(lost) = lost {
            return Err(InputError::new(format!(
                "has 0 in place of the codes -7, -8 and -9, {lost}"
            ))
            .file(&table.source)
            .remedy("keep the zeros, or give FICO's raw file")
            .into());
        }
        for row in &mut table.rows {
            let outcome = if row[target] == "1" { "Bad" } else { "Good" };
            row[target] = outcome.into();
        }
    } else {
        let columns: Vec<usize> =
            schema.features.iter().filter_map(|feature| table.column(&feature.name)).collect();
        // Where a column is missing, reading the table will say so.
        if columns.len() == schema.features.len() {
            settle_codes(&mut table, &mut numbers, &columns, codes)?;
            if codes == HelocCodes::State {
                check_known(&table, &numbers, &columns, &schema)?;
            }
        }
    }
    Dataset::from_numbered_rows(&table, &numbers, &schema)
}

/// Whether a table is in DACE's form, with 0 in place of every code: what the codes said is lost.
pub fn is_heloc_without_codes(table: &Table) -> bool {
    let target = table.column(&Schema::heloc().target.column);
    target.is_some_and(|target| has_numbered_outcomes(table, target))
}

fn has_numbered_outcomes(table: &Table, target: usize) -> bool {
    table.rows.iter().all(|row| row[target] == "0" || row[target] == "1")
}

/// Drops rows and replaces codes; `numbers` keeps the numbers that the rows had in the file.
fn settle_codes(
    table: &mut Table,
    numbers: &mut Vec<usize>,
    columns: &[usize],
    codes: HelocCodes,
) -> Result<()> {
    let mut kept_rows = Vec::with_capacity(table.rows.len());
    let mut kept_numbers = Vec::with_capacity(table.rows.len());
    for (mut row, &number) in std::mem::take(&mut table.rows).into_iter().zip(numbers.iter()) {
        let without_record = columns.iter().all(|&column| code(&row[column]) == Some(9));
        let has_code = columns.iter().any(|&column| code(&row[column]).is_some());
        if without_record || (has_code && codes == HelocCodes::Drop) {
            continue;
        }
        if codes == HelocCodes::Zero {
            for &column in columns {
                if code(&row[column]).is_some() {
                    row[column] = "0".into();
                }
            }
        }
        kept_rows.push(row);
        kept_numbers.push(number);
    }
    if kept_rows.is_empty() {
        let (problem, remedy) = match codes {
            HelocCodes::Drop => (
                "has no row without codes -7, -8 or -9",
                "replace the codes by 0 instead of dropping their rows",
            ),
            HelocCodes::Zero | HelocCodes::State => {
                ("has nothing but -9 in every row", "give FICO's HELOC file with its numbers")
            }
        };
        return Err(InputError::new(problem).file(&table.source).remedy(remedy).into());
    }
    table.rows = kept_rows;
    *numbers = kept_numbers;
    Ok(())
}

/// Refuses a code that the schema does not list for its column: it would be read as a number.
fn check_known(table: &Table, numbers: &[usize], columns: &[usize], schema: &Schema) -> Result<()> {
    for (row, &number) in table.rows.iter().zip(numbers) {
        for (feature, &column) in schema.features.iter().zip(columns) {
            let cell = &row[column];
            if code(cell).is_some() && feature.code_of(cell).is_none() {
                return Err(InputError::new(UNKNOWN_CODE)
                    .file(&table.source)
                    .row(number)
                    .column(&feature.name)
                    .value(cell)
                    .remedy(UNKNOWN_CODE_REMEDY)
                    .into());
            }
        }
    }
    Ok(())
}

/// 7, 8 or 9 for a cell with that code.
fn code(cell: &str) -> Option<u8> {
    let number: f64 = cell.parse().ok()?;
    [7, 8, 9].into_iter().find(|&code| number == -f64::from(code))
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::*;
    use crate::data::{Change, Value};

    /// A small made-up table with HELOC's columns: the outcome and one number for all features.
    fn table(rows: &[(&str, &[i32])]) -> Table {
        let schema = Schema::heloc();
        let mut text = String::from("RiskPerformance");
        for feature in &schema.features {
            let _ = write!(text, ",{}", feature.name);
        }
        for (outcome, numbers) in rows {
            let _ = write!(text, "\n{outcome}");
            for index in 0..schema.features.len() {
                let _ = write!(text, ",{}", numbers[index % numbers.len()]);
            }
        }
        Table::parse(&text, "heloc.csv").unwrap()
    }

    #[test]
    fn raw_codes_become_zero_or_drop_their_row() {
        let raw = table(&[("Bad", &[-9]), ("Bad", &[1, 2]), ("Good", &[3, -7]), ("Good", &[5, 6])]);
        let zeroed = from_table(raw.clone(), HelocCodes::Zero).unwrap();
        assert_eq!(zeroed.favourable, [false, true, true]);
        let known = table(&[("1", &[1, 2]), ("0", &[3, 0]), ("0", &[5, 6])]);
        let known = from_table(known, HelocCodes::Zero).unwrap();
        assert_eq!((&zeroed.records, &zeroed.favourable), (&known.records, &known.favourable));
        assert_eq!(zeroed.row_numbers, [2, 3, 4]);
        let dropped = from_table(raw, HelocCodes::Drop).unwrap();
        assert_eq!(dropped.favourable, [false, true]);
        assert_eq!(dropped.row_numbers, [2, 4]);
    }

    #[test]
    fn codes_stay_as_states_where_fico_has_them() {
        let schema = Schema::heloc_codes();
        let risk = schema.feature_index("ExternalRiskEstimate").unwrap();
        let mut raw = table(&[("Bad", &[-9]), ("Bad", &[1]), ("Good", &[3]), ("Good", &[5])]);
        // The outcome comes first.
        raw.rows[2][risk + 1] = "-9".into();
        let data = from_table(raw.clone(), HelocCodes::State).unwrap();
        assert_eq!(
            (data.schema.name.as_str(), &data.row_numbers[..]),
            ("heloc-codes", &[2, 3, 4][..])
        );
        assert_eq!(data.records[1][risk], Value::Code(0));
        assert_eq!(data.to_table().rows[1][risk], "-9");
        let months = schema.feature_index("AverageMInFile").unwrap();
        raw.rows[3][months + 1] = "-8".into();
        let message = from_table(raw, HelocCodes::State).unwrap_err().to_string();
        assert!(
            message.starts_with("heloc.csv, row 4, column `AverageMInFile`: `-8` is a code"),
            "{message}"
        );
        let zeroed = table(&[("0", &[1]), ("1", &[2])]);
        let message = from_table(zeroed, HelocCodes::State).unwrap_err().to_string();
        assert!(
            message.contains("can't be distinguished from numbers; keep the zeros"),
            "{message}"
        );
    }

    #[test]
    fn only_what_an_applicant_can_act_on_may_change() {
        let schema = Schema::heloc_codes();
        let plain = Schema::heloc();
        let names = |schema: &Schema| -> Vec<String> {
            schema.features.iter().map(|feature| feature.name.clone()).collect()
        };
        assert_eq!(names(&schema), names(&plain));
        let fixed = schema.features.iter().filter(|feature| feature.change == Change::Immutable);
        assert_eq!(fixed.count(), 7);
        let codes = schema.features.iter().flat_map(|feature| &feature.codes);
        assert!(codes.clone().all(|code| !code.leave && !code.enter));
        assert_eq!(codes.count(), 12);
    }

    #[test]
    fn messages_count_the_rows_of_the_file() {
        let raw = table(&[("Bad", &[-9]), ("Bad", &[1]), ("Fair", &[3])]);
        let message = from_table(raw, HelocCodes::Zero).unwrap_err().to_string();
        assert!(
            message.starts_with("heloc.csv, row 3, column `RiskPerformance`: `Fair` is neither"),
            "{message}"
        );
        let zeroed = table(&[("0", &[1]), ("1", &[2])]);
        let message = from_table(zeroed, HelocCodes::Drop).unwrap_err().to_string();
        assert!(message.contains("give FICO's raw file"), "{message}");
        let codes = table(&[("Good", &[-8]), ("Bad", &[-8])]);
        let message = from_table(codes, HelocCodes::Drop).unwrap_err().to_string();
        assert!(message.contains("has no row without codes"), "{message}");
    }
}
