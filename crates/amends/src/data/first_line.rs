//! Tables without a header: their first line is a row, and its cells would become the names of columns.

use std::collections::HashSet;

use super::Table;
use super::value::stands_for_missing;
use crate::{InputError, Result};

/// How many rows are examined.
const SAMPLE: usize = 1000;

/// A column with at most this many different texts repeats them, so a first line that is a row has one of them, too.
const FEW_TEXTS: usize = 20;

/// The proposed header names every column up to this many.
const MOST_NAMED: usize = 30;

/// What a column says about the first line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Evidence {
    Row,
    Names,
    Nothing,
}

/// Refuses a table whose first line must be a row: it has a number in every column of numbers, and in every column of few texts one
/// of these.
pub(super) fn check(table: &Table) -> Result<()> {
    if !is_a_row(table) {
        return Ok(());
    }
    let columns = table.header.len();
    let shown: Vec<String> = table.header.iter().take(5).map(|cell| format!("`{cell}`")).collect();
    let more = if columns > shown.len() { ", ..." } else { "" };
    let names: Vec<String> = (1..=columns.min(MOST_NAMED)).map(|n| format!("column_{n}")).collect();
    let rest =
        if columns > MOST_NAMED { format!(",... up to column_{columns}") } else { String::new() };
    let problem = format!(
        "the first line looks like a row, not like the names of columns: {}{more}",
        shown.join(", ")
    );
    Err(InputError::new(problem)
        .file(&table.source)
        .remedy(format!(
            "add a line above it that names the {columns} columns, separated as the cells are: {}{rest}, or better names, \
             which say what the columns mean",
            names.join(",")
        ))
        .into())
}

fn is_a_row(table: &Table) -> bool {
    if table.rows.len() < 2 || are_counted(&table.header) {
        return false;
    }
    let evidence = |column: usize| {
        let cells = table.rows.iter().take(SAMPLE).map(|row| row[column].as_str());
        evidence(&table.header[column], cells)
    };
    let all: Vec<Evidence> = (0..table.header.len()).map(evidence).collect();
    all.contains(&Evidence::Row) && !all.contains(&Evidence::Names)
}

fn evidence<'a>(name: &str, cells: impl Iterator<Item = &'a str>) -> Evidence {
    let there: Vec<&str> =
        cells.filter(|cell| !cell.is_empty() && !stands_for_missing(cell)).collect();
    if there.is_empty() || stands_for_missing(name) {
        return Evidence::Nothing;
    }
    let numbers = there.iter().filter(|cell| is_number(cell)).count();
    if 10 * numbers >= 9 * there.len() {
        return if is_number(name) { Evidence::Row } else { Evidence::Names };
    }
    let texts: HashSet<&str> = there.iter().copied().collect();
    if texts.contains(name) {
        return Evidence::Row;
    }
    if texts.len() <= FEW_TEXTS && 2 * texts.len() <= there.len() {
        return Evidence::Names;
    }
    Evidence::Nothing
}

/// Whether a cell is a number, an amount with a sign, or a date in digits.
fn is_number(cell: &str) -> bool {
    let number = |c: char| c.is_ascii_digit() || " .,'/:%$€£()+-".contains(c);
    cell.parse::<f64>().is_ok()
        || (cell.contains(|c: char| c.is_ascii_digit()) && cell.chars().all(number))
}

/// Whether names are consecutive numbers: 0, 1, 2, as programs name columns without names, or years: 2019, 2020.
fn are_counted(header: &[String]) -> bool {
    let numbers: Option<Vec<i64>> = header.iter().map(|name| name.parse().ok()).collect();
    numbers.is_some_and(|numbers| numbers.windows(2).all(|pair| pair[1] - pair[0] == 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(csv: &str) -> Option<String> {
        check(&Table::parse(csv, "t.csv").unwrap()).err().map(|error| error.to_string())
    }

    #[test]
    fn a_first_line_that_is_a_row_is_refused_with_what_to_add() {
        for csv in [
            "20,2.5,own,yes\n30,1.5,rent,no\n40,7.5,own,yes\n25,3.5,rent,no\n45,3,own,yes\n",
            "5,700\n6,800\n7,900\n",
            "A11;6;A34;2023-05-01\nA12;48;A32;2023-06-02\nA11;12;A34;2023-07-01\nA12;9;A32;2023-07-09\nA11;9;A34;2023-07-09\n",
            "1.200 €;yes\n900 €;no\n800 €;yes\n700 €;no\n",
        ] {
            let message = message(csv).unwrap_or_else(|| panic!("{csv}"));
            assert!(message.starts_with("t.csv: the first line looks like a row"), "{message}");
            assert!(message.contains("column_1,column_2"), "{message}");
        }
        let wide: Vec<String> = (0..40).map(|n| (n * n).to_string()).collect();
        let wide = format!("{0}\n1{0}\n2{0}\n", wide.join(","));
        let message = message(&wide).unwrap();
        assert!(message.contains("column_30,... up to column_40"), "{message}");
    }

    #[test]
    fn names_are_names() {
        for csv in [
            "age,income,housing,ok\n20,2.5,own,yes\n30,1.5,rent,no\n40,1,own,yes\n",
            // One name among numbers is enough.
            "2019,2020,ok\n1,2,yes\n3,4,no\n5,6,yes\n7,8,no\n",
            "0,1,2\n5,6,7\n8,9,10\n",
            "2019,2020,2021\n5,6,7\n8,9,10\n",
            "own,rent\nyes,no\nno,no\nyes,yes\nno,yes\n",
            // Free text says nothing.
            "name,note\nAnn,a\nBob,b\n",
            "5,6\n7,8\n",
        ] {
            assert_eq!(message(csv), None, "{csv}");
        }
    }
}
