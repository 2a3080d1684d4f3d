//! New applicants in FICO's form, with their codes read as those of the training rows.

use super::{HelocCodes, UNKNOWN_CODE, UNKNOWN_CODE_REMEDY, code};
use crate::InputError;
use crate::data::Feature;

/// Whether an applicant's features are nothing but -9.
pub(in crate::data) fn is_without_record<'a>(mut cells: impl Iterator<Item = &'a String>) -> bool {
    cells.all(|cell| code(cell) == Some(9))
}

impl HelocCodes {
    /// An applicant's cell as the training rows have it.
    pub(in crate::data) fn read_cell<'a>(
        self,
        feature: &Feature,
        cell: &'a str,
    ) -> Result<&'a str, InputError> {
        if code(cell).is_none() {
            return Ok(cell);
        }
        match self {
            Self::Zero => Ok("0"),
            Self::Drop => Err(InputError::new("is a code, and rows with codes were dropped")
                .value(cell)
                .remedy("leave the applicant out, or keep the codes as zeros or states")),
            Self::State if feature.code_of(cell).is_none() => {
                Err(InputError::new(UNKNOWN_CODE).value(cell).remedy(UNKNOWN_CODE_REMEDY))
            }
            Self::State => Ok(cell),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Result;
    use crate::data::{ApplicantReader, Record, Schema, Table, Value};

    fn read_heloc_applicants(table: &Table, codes: HelocCodes) -> Result<Vec<Record>> {
        let schema = codes.schema();
        let reader = ApplicantReader::new(&schema, &table.header, &table.source)?;
        let reader = reader.with_heloc_codes(codes);
        table.rows.iter().enumerate().map(|(row, cells)| reader.read(row + 1, cells)).collect()
    }

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
        let read = |codes| read_heloc_applicants(&never(), codes).map(|found| found[1][months]);
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
            let message = read_heloc_applicants(&nothing, codes).unwrap_err().to_string();
            assert!(message.starts_with("new.csv, row 2: has no record"), "{message}");
        }
        let unknown = table("5", "AverageMInFile", "-8");
        let message = read_heloc_applicants(&unknown, HelocCodes::State).unwrap_err().to_string();
        assert!(
            message.contains("row 2, column `AverageMInFile`: `-8` is a code that"),
            "{message}"
        );
    }
}
