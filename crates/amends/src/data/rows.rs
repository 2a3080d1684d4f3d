//! The rows of a CSV table one after the other, for tables that need not fit into memory.

use std::io::{BufRead, Chain, Cursor, Read};

use super::table::{check_header, delimiter};
use crate::{Error, InputError, Result};

/// The mark that some programs put at the beginning of a UTF-8 file.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// A CSV table that is read row by row: its header, and an iterator over rows that are all as long as it.
pub struct TableRows<R> {
    source: String,
    header: Vec<String>,
    records: csv::StringRecordsIntoIter<Chain<Cursor<Vec<u8>>, R>>,
    rows: usize,
    line: u64,
    /// Whether lines end in two characters, the second of which is read with the next row.
    crlf: bool,
}

impl<R: BufRead> TableRows<R> {
    /// Reads the header; `source` is the table's name in messages. Separators are commas, semicolons or tabs, whichever
    /// the header has most.
    pub fn new(mut reader: R, source: &str) -> Result<Self> {
        // The separator has to be known before the first line is parsed.
        let mut start = Vec::new();
        loop {
            let before = start.len();
            let read = reader.read_until(b'\n', &mut start);
            let read = read.map_err(|error| Error::file(source, error))?;
            if start.starts_with(BYTE_ORDER_MARK) {
                start.drain(..BYTE_ORDER_MARK.len());
            }
            if read == 0 || !start[before.min(start.len())..].trim_ascii().is_empty() {
                break;
            }
        }
        let crlf = start.ends_with(b"\r\n");
        let separator = delimiter(&String::from_utf8_lossy(&start));
        let records = csv::ReaderBuilder::new()
            .delimiter(separator)
            .has_headers(false)
            .flexible(true)
            .trim(csv::Trim::All)
            .from_reader(Cursor::new(start).chain(reader))
            .into_records();
        let (source_name, header) = (source.to_owned(), Vec::new());
        let mut table = Self { source: source_name, header, records, rows: 0, line: 0, crlf };
        let Some(header) = table.cells().transpose()? else {
            return Err(InputError::new("is empty")
                .file(source)
                .remedy("give a table with a header line and one row per application")
                .into());
        };
        check_header(&header, source)?;
        table.header = header;
        Ok(table)
    }

    /// The names of the columns, all different.
    pub fn header(&self) -> &[String] {
        &self.header
    }

    /// The line of the file in which the last row that was read begins, counted from 1.
    pub fn line(&self) -> u64 {
        self.line
    }

    /// The next line's cells, without blanks around them.
    fn cells(&mut self) -> Option<Result<Vec<String>>> {
        let record = self.records.next()?;
        let (position, breaks) = match &record {
            Ok(record) => {
                let inside = |cell: &str| cell.bytes().filter(|&byte| byte == b'\n').count();
                (record.position(), record.iter().map(inside).sum::<usize>() as u64)
            }
            Err(error) => (error.position(), 0),
        };
        // Before a row, the reader may still have to skip line ends and empty lines: lines are counted from its end.
        let begun = position.map_or(0, csv::Position::line);
        let end = self.records.reader().position().line();
        let last = if self.crlf { end } else { end.saturating_sub(1).max(begun) };
        self.line = last.saturating_sub(breaks);
        Some(match record {
            Ok(record) => Ok(record.iter().map(str::to_owned).collect()),
            Err(error) => Err(unreadable(error, &self.source)),
        })
    }
}

impl<R: BufRead> Iterator for TableRows<R> {
    type Item = Result<Vec<String>>;

    fn next(&mut self) -> Option<Self::Item> {
        let cells = self.cells()?;
        self.rows += 1;
        let cells = match cells {
            Ok(cells) => cells,
            Err(error) => return Some(Err(error)),
        };
        if cells.len() == self.header.len() {
            return Some(Ok(cells));
        }
        Some(Err(InputError::new(format!(
            "has {} cells, but the header has {}",
            cells.len(),
            self.header.len()
        ))
        .file(&self.source)
        .row(self.rows)
        .remedy("give every row as many cells as the header; put texts with separators in quotes")
        .into()))
    }
}

fn unreadable(error: csv::Error, source: &str) -> Error {
    let problem = match error.kind() {
        csv::ErrorKind::Utf8 { pos, .. } => {
            let line = pos.as_ref().map_or(0, csv::Position::line);
            return InputError::new("is not UTF-8 text")
                .file(source)
                .at(format!("line {line}"))
                .remedy("save the table as CSV in UTF-8")
                .into();
        }
        _ => error.to_string(),
    };
    match error.into_kind() {
        csv::ErrorKind::Io(error) => Error::file(source, error),
        _ => InputError::new(problem).file(source).remedy("correct the CSV file").into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Table;

    #[test]
    fn rows_are_those_of_the_whole_table() {
        for text in [
            "a,b\n1,x y\n2,\"two\nlines\"\n",
            "\u{feff}\n\na;b\r\n1;x\r\n",
            "a\tb\n\n1\t2",
            "a , b\n 1, x y \n\n",
        ] {
            let table = Table::parse(text, "t.csv").unwrap();
            let rows = TableRows::new(text.as_bytes(), "t.csv").unwrap();
            assert_eq!(rows.header(), table.header, "{text:?}");
            assert_eq!(rows.collect::<Result<Vec<_>>>().unwrap(), table.rows, "{text:?}");
        }
    }

    #[test]
    fn rows_know_their_lines_and_bad_ones_do_not_end_them() {
        for text in [
            "a,b\n1,2\n\"two\nlines\",3\n\n4\n5,6\n",
            "a,b\r\n1,2\r\n\"two\r\nlines\",3\r\n\r\n4\r\n5,6\r\n",
        ] {
            let mut rows = TableRows::new(text.as_bytes(), "t.csv").unwrap();
            let mut lines = Vec::new();
            while let Some(row) = rows.next() {
                lines.push((rows.line(), row.is_ok()));
            }
            assert_eq!(lines, [(2, true), (3, true), (6, false), (7, true)], "{text:?}");
        }
        let mut rows = TableRows::new(&b"a,b\nM\xfcller,3\n1,2\n7\n"[..], "t.csv").unwrap();
        assert!(rows.next().unwrap().is_err());
        assert_eq!((rows.next().unwrap().unwrap(), rows.line()), (vec!["1".into(), "2".into()], 3));
        let message = rows.next().unwrap().unwrap_err().to_string();
        assert!(message.starts_with("t.csv, row 3: has 1 cells"), "{message}");
    }

    #[test]
    fn a_bad_row_is_named_and_those_before_it_are_read() {
        let mut rows = TableRows::new(&b"a,b\n1,2\n3\n"[..], "t.csv").unwrap();
        assert_eq!(rows.next().unwrap().unwrap(), ["1", "2"]);
        let message = rows.next().unwrap().unwrap_err().to_string();
        assert!(
            message.starts_with("t.csv, row 2: has 1 cells, but the header has 2"),
            "{message}"
        );
        let mut rows = TableRows::new(&b"a,b\n1,2\nM\xfcller,3\n"[..], "t.csv").unwrap();
        rows.next();
        let message = rows.next().unwrap().unwrap_err().to_string();
        assert!(message.starts_with("t.csv, line 3: is not UTF-8 text; save"), "{message}");
    }
}
