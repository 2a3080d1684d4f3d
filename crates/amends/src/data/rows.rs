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
        let mut declared = None;
        loop {
            let before = start.len();
            let read = reader.read_until(b'\n', &mut start);
            let read = read.map_err(|error| Error::file(source, error))?;
            if start.starts_with(BYTE_ORDER_MARK) {
                start.drain(..BYTE_ORDER_MARK.len());
            }
            let line = before.min(start.len());
            if declared.is_none() {
                declared = declared_separator(&start[line..], source)?;
                if declared.is_some() {
                    // An empty line in its place, so that lines are counted as in the file.
                    start.drain(line..start.len() - line_end(&start).len());
                    continue;
                }
            }
            if read == 0 || !start[line..].trim_ascii().is_empty() {
                break;
            }
        }
        let crlf = start.ends_with(b"\r\n");
        let separator = declared.unwrap_or_else(|| delimiter(&String::from_utf8_lossy(&start)));
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

    /// The row, unless a cell has a NUL character: nobody sees it, so a text with one would be another level.
    fn without_nul(&self, cells: Vec<String>) -> Result<Vec<String>> {
        let Some(column) = cells.iter().position(|cell| cell.contains('\0')) else {
            return Ok(cells);
        };
        Err(InputError::new("has a NUL character (a byte that is zero), which is no text")
            .file(&self.source)
            .row(self.rows)
            .column(&self.header[column])
            .value(cells[column].replace('\0', "\u{2400}"))
            .remedy("remove it from the cell, or export the table again")
            .into())
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
            return Some(self.without_nul(cells));
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

/// The separator that a first line such as `sep=;`, which is written for Excel, says.
fn declared_separator(line: &[u8], source: &str) -> Result<Option<u8>> {
    let line = line.strip_suffix(line_end(line)).unwrap_or(line);
    // A tab may be what it says.
    let line = line.trim_ascii_start();
    let bare =
        line.strip_prefix(b"\"").map_or(line, |line| line.strip_suffix(b"\"").unwrap_or(line));
    let Some((word, separator)) = bare.split_at_checked(4) else { return Ok(None) };
    if !word.eq_ignore_ascii_case(b"sep=") || separator.len() > 2 {
        return Ok(None);
    }
    match separator {
        [b'\t', ..] => Ok(Some(b'\t')),
        _ => match separator.trim_ascii() {
            [separator @ (b',' | b';')] => Ok(Some(*separator)),
            _ => Err(InputError::new(
                "says that cells are separated otherwise than by commas, semicolons or tabs",
            )
            .file(source)
            .at("line 1")
            .value(String::from_utf8_lossy(bare))
            .remedy("separate the cells by one of these, and remove this line")
            .into()),
        },
    }
}

/// The end of a line.
fn line_end(line: &[u8]) -> &[u8] {
    let end = if line.ends_with(b"\r\n") { 2 } else { usize::from(line.ends_with(b"\n")) };
    &line[line.len() - end..]
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
    fn the_line_that_names_the_separator_for_excel_is_none_of_the_table() {
        for (text, line) in [
            ("sep=,\na,b\n1,x y\n", 3),
            ("\u{feff}SEP=;\r\na;b\r\n1;x y\r\n", 3),
            ("\"sep=;\"\na;b\n1;x y\n", 3),
            ("sep=\t\na\tb\n1\tx y\n", 3),
            // It says more than what the header has most of.
            ("sep=;\n\n\"a\";b\n1;x y\n", 4),
        ] {
            let mut rows = TableRows::new(text.as_bytes(), "t.csv").unwrap();
            assert_eq!(rows.header(), ["a", "b"], "{text:?}");
            assert_eq!(rows.next().unwrap().unwrap(), ["1", "x y"], "{text:?}");
            assert_eq!(rows.line(), line, "{text:?}");
            assert_eq!(Table::parse(text, "t.csv").unwrap().header, ["a", "b"]);
        }
        let header = TableRows::new(&b"sep=;\na,1;b,2;c,3;d\n"[..], "t.csv").unwrap();
        assert_eq!(header.header(), ["a,1", "b,2", "c,3", "d"]);
        let message = Table::parse("sep=|\na|b\n1|2\n", "t.csv").unwrap_err().to_string();
        assert!(message.starts_with("t.csv, line 1: `sep=|` says that cells are"), "{message}");
        // Columns may be called so.
        assert_eq!(Table::parse("sep=x,b\n1,2\n", "t.csv").unwrap().header, ["sep=x", "b"]);
    }

    #[test]
    fn cells_with_nul_characters_are_refused() {
        let message = Table::parse("a,b\n1,x\n2,O\0WN\n", "t.csv").unwrap_err().to_string();
        assert!(
            message.starts_with("t.csv, row 2, column `b`: `O\u{2400}WN` has a NUL"),
            "{message}"
        );
        let message = Table::parse("a,b\0\n1,x\n", "t.csv").unwrap_err().to_string();
        assert!(message.contains("header, column 2"), "{message}");
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
