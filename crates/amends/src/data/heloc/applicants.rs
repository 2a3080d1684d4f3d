//! New applicants in FICO's form, their codes read as those of the training rows were.

use super::{HelocCodes, check_known, code};
use crate::data::{Record, Schema, Table, read_applicants};
use crate::{InputError, Result};

/// Reads applicants to explain from a table in FICO's form. Where [`Dataset::heloc`](crate::data::Dataset::heloc) drops a row, the applicant is
/// refused: an answer to every row but one would be given to the wrong people.
pub fn read_heloc_applicants(mut table: Table, codes: HelocCodes) -> Result<Vec<Record>> {
    let schema = codes.schema();
    let columns: Vec<usize> =
        schema.features.iter().filter_map(|feature| table.column(&feature.name)).collect();
    // Where a column is missing, reading the table will say so.
    if columns.len() == schema.features.len() {
        settle(&mut table, &columns, &schema, codes)?;
    }
    read_applicants(&table, &schema)
}

fn settle(table: &mut Table, columns: &[usize], schema: &Schema, codes: HelocCodes) -> Result<()> {
    for (index, row) in table.rows.iter_mut().enumerate() {
        if columns.iter().all(|&column| code(&row[column]) == Some(9)) {
            return Err(InputError::new("has no record: every cell is -9")
                .file(&table.source)
                .row(index + 1)
                .remedy("leave the applicant out: there is nothing to go by")
                .into());
        }
        for (feature, &column) in schema.features.iter().zip(columns) {
            if code(&row[column]).is_none() {
                continue;
            }
            match codes {
                HelocCodes::Zero => row[column] = "0".into(),
                HelocCodes::Drop => {
                    return Err(InputError::new("is a code, and rows with codes were dropped")
                        .file(&table.source)
                        .row(index + 1)
                        .column(&feature.name)
                        .value(&row[column])
                        .remedy("leave the applicant out, or keep the codes as zeros or states")
                        .into());
                }
                HelocCodes::State => {}
            }
        }
    }
    if codes == HelocCodes::State {
        let numbers: Vec<usize> = (1..=table.rows.len()).collect();
        check_known(table, &numbers, columns, schema)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Value;

    /// Two applicants without outcome: the same number everywhere, but for one cell of the second.
    fn table(number: &str, feature: &str, cell: &str) -> Table {
        let features = Schema::heloc().features;
        let header: Vec<String> = features.iter().map(|feature| feature.name.clone()).collect();
        let first = vec!["3".to_owned(); header.len()];
        let mut second = vec![number.to_owned(); header.len()];
        second[header.iter().position(|name| name == feature).unwrap()] = cell.to_owned();
        Table { source: "new.csv".into(), header, rows: vec![first, second] }
    }

    #[test]
    fn codes_are_read_as_in_training() {
        let months = Schema::heloc().feature_index("MSinceMostRecentDelq").unwrap();
        let never = || table("5", "MSinceMostRecentDelq", "-7");
        let read = |codes| read_heloc_applicants(never(), codes).map(|found| found[1][months]);
        assert_eq!(read(HelocCodes::Zero).unwrap(), Value::Number(0.0));
        assert_eq!(read(HelocCodes::State).unwrap(), Value::Code(0));
        let message = read(HelocCodes::Drop).unwrap_err().to_string();
        assert!(
            message.starts_with("new.csv, row 2, column `MSinceMostRecentDelq`: `-7` is a code"),
            "{message}"
        );
    }

    #[test]
    fn applicants_without_a_record_and_unknown_codes_are_refused() {
        for codes in [HelocCodes::Zero, HelocCodes::Drop, HelocCodes::State] {
            let nothing = table("-9", "AverageMInFile", "-9");
            let message = read_heloc_applicants(nothing, codes).unwrap_err().to_string();
            assert!(message.starts_with("new.csv, row 2: has no record"), "{message}");
        }
        let unknown = table("5", "AverageMInFile", "-8");
        let message = read_heloc_applicants(unknown, HelocCodes::State).unwrap_err().to_string();
        assert!(
            message.contains("row 2, column `AverageMInFile`: `-8` is a code that"),
            "{message}"
        );
    }
}
