//! FICO's HELOC data, read from the user's own copy in either of the forms that go around.

use std::path::Path;

use super::{Dataset, Schema, Table};
use crate::{InputError, Result};

/// What to do with the codes -7 (condition not met), -8 (no usable accounts) and -9 (no record) beside the numbers.
///
/// Rows of nothing but -9 say nothing about the applicant: they are always dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum HelocCodes {
    /// Replace them by 0, as in DACE's experiments. Mind that -7 often means something good: never late.
    #[default]
    Zero,
    /// Drop the rows that have any.
    Drop,
}

impl Schema {
    /// The schema of FICO's HELOC data.
    pub fn heloc() -> Self {
        Self::parse(include_str!("heloc.toml"), "heloc.toml").expect("the embedded schema is sound")
    }
}

impl Dataset {
    /// Reads FICO's HELOC file: the raw form (`RiskPerformance` is Good or Bad, codes intact) or DACE's
    /// (1 for bad and 0 for good, codes already replaced by 0).
    pub fn heloc(path: impl AsRef<Path>, codes: HelocCodes) -> Result<Self> {
        from_table(Table::read(path)?, codes)
    }
}

fn from_table(mut table: Table, codes: HelocCodes) -> Result<Dataset> {
    let schema = Schema::heloc();
    let Some(target) = table.column(&schema.target.column) else {
        return Err(InputError::new("is missing")
            .file(&table.source)
            .column(&schema.target.column)
            .remedy("give FICO's HELOC file with its original column names")
            .into());
    };
    let mut numbers: Vec<usize> = (1..=table.rows.len()).collect();
    if table.rows.iter().all(|row| row[target] == "0" || row[target] == "1") {
        if codes == HelocCodes::Drop {
            return Err(InputError::new(
                "has 0 in place of the codes -7, -8 and -9, so their rows can't be dropped",
            )
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
        }
    }
    Dataset::from_numbered_rows(&table, &numbers, &schema)
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
        for &column in columns {
            if code(&row[column]).is_some() {
                row[column] = "0".into();
            }
        }
        kept_rows.push(row);
        kept_numbers.push(number);
    }
    if kept_rows.is_empty() {
        return Err(InputError::new("has no row without codes -7, -8 or -9")
            .file(&table.source)
            .remedy("replace the codes by 0 instead of dropping their rows")
            .into());
    }
    table.rows = kept_rows;
    *numbers = kept_numbers;
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
