//! Raw tables: CSV text with a header, nothing interpreted yet.

use std::collections::HashSet;
use std::io::Read as _;
use std::path::Path;

use super::{TableRows, TextFile};
use crate::error::Large;
use crate::{Error, InputError, Result, memory};

/// The memory of a cell: its text, and the least that the allocator reserves.
const PER_CELL: usize = size_of::<String>() + 32;

/// A table as text: a header, and rows that are all as long as it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// The file or other origin, as named in messages.
    pub source: String,
    /// The names of the columns, all different.
    pub header: Vec<String>,
    /// The cells, without blanks around them.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// Reads a CSV file: separated by commas, semicolons or tabs (whichever the header has most), in UTF-8, UTF-16 or
    /// Windows-1252.
    pub fn read(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let source = path.display().to_string();
        memory::check_file(path, 0, Large::Table)?;
        let mut bytes = Vec::new();
        TextFile::open(path)
            .and_then(|mut file| file.read_to_end(&mut bytes))
            .map_err(|source| Error::file(path, source))?;
        let text = String::from_utf8(bytes).map_err(|error| {
            let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
            let line = before.split(|&byte| byte == b'\n').count();
            InputError::new("is not UTF-8 text")
                .file(&source)
                .at(format!("line {line}"))
                .remedy("save the table as CSV in UTF-8")
        })?;
        Self::parse(&text, &source)
    }

    /// Reads CSV text; `source` is its name in messages.
    pub fn parse(text: &str, source: &str) -> Result<Self> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let separator = delimiter(text);
        let bytes = |byte: u8| text.bytes().filter(|&other| other == byte).count();
        Self::check_memory(bytes(b'\n'), bytes(separator) + bytes(b'\n') + 1)?;
        let reader = TableRows::new(text.as_bytes(), source)?;
        let header = reader.header().to_vec();
        let rows = reader.collect::<Result<Vec<Vec<String>>>>()?;
        if rows.is_empty() {
            return Err(InputError::new("has a header but no rows")
                .file(source)
                .remedy("add one row per application")
                .into());
        }
        Ok(Self { source: source.to_owned(), header, rows })
    }

    /// Refuses tables of this many rows and cells if they don't fit into memory.
    pub fn check_memory(rows: usize, cells: usize) -> Result<()> {
        let bytes = memory::of_rows(rows, 0).saturating_add(cells.saturating_mul(PER_CELL));
        memory::check_table(|| format!("reading {rows} rows"), bytes)
    }

    /// The index of a column.
    pub fn column(&self, name: &str) -> Option<usize> {
        self.header.iter().position(|column| column == name)
    }

    /// The table as CSV text with commas.
    pub fn to_csv(&self) -> String {
        let line = |cells: &Vec<String>| {
            let cells: Vec<String> = cells.iter().map(|cell| escaped(cell)).collect();
            cells.join(",") + "\n"
        };
        std::iter::once(&self.header).chain(&self.rows).map(line).collect()
    }
}

pub(super) fn check_header(header: &[String], source: &str) -> Result<()> {
    let mut seen = HashSet::new();
    for (index, name) in header.iter().enumerate() {
        let error = if name.is_empty() {
            InputError::new("has no name").remedy(
                "name every column in the header, or add a header line where the file has none",
            )
        } else if name.contains('\0') {
            InputError::new("has a NUL character (a byte that is zero), which is no text")
                .remedy("remove it from the name, or export the table again")
        } else if name.contains('\n') {
            InputError::new("goes on over the line's end")
                .remedy("close the quotation mark in the header")
        } else if !seen.insert(name) {
            InputError::new("is a column name that occurs twice")
                .value(name)
                .remedy("rename one of the two, or add a header line where the file has none")
        } else {
            continue;
        };
        return Err(error.file(source).at(format!("header, column {}", index + 1)).into());
    }
    Ok(())
}

/// The separator that the header line has most of outside quotation marks; the comma where it has none.
pub(super) fn delimiter(text: &str) -> u8 {
    let header = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let outside: String = header.split('"').step_by(2).collect();
    let count = |separator: u8| outside.bytes().filter(|&byte| byte == separator).count();
    // The last of equals wins.
    [b'\t', b';', b','].into_iter().max_by_key(|&separator| count(separator)).unwrap_or(b',')
}

fn escaped(cell: &str) -> String {
    if cell.is_empty() || cell.contains([',', ';', '\t', '"', '\n', '\r']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> String {
        Table::parse(text, "t.csv").unwrap_err().to_string()
    }

    #[test]
    fn separators_marks_and_blanks_are_understood() {
        for text in
            ["a,b\n1,x y\n", "a;b\r\n1;x y\r\n", "\u{feff}a\tb\n1\tx y", "a , b\n\n 1, x y \n\n"]
        {
            let table = Table::parse(text, "t.csv").unwrap();
            assert_eq!(table.header, ["a", "b"], "{text:?}");
            assert_eq!(table.rows, [["1", "x y"]], "{text:?}");
        }
        let quoted = Table::parse("\"a,b;c\",d\n\"1,5\",2\n", "t.csv").unwrap();
        assert_eq!(quoted.header, ["a,b;c", "d"]);
        assert_eq!(quoted.rows, [["1,5", "2"]]);
    }

    #[test]
    fn csv_text_comes_back() {
        let table = Table::parse("a,b\n\"x, \"\"y\"\"\",\n;,\"two\nlines\"\n", "t.csv").unwrap();
        assert_eq!(table.rows, [["x, \"y\"", ""], [";", "two\nlines"]]);
        assert_eq!(Table::parse(&table.to_csv(), "t.csv").unwrap(), table);
    }

    #[test]
    fn damaged_text_is_named_with_its_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("latin1.csv");
        std::fs::write(&path, b"a,b\n\xc3\xa4,2\nM\xfcller,3\n").unwrap();
        let message = Table::read(&path).unwrap_err().to_string();
        std::fs::remove_file(&path).unwrap();
        assert!(message.contains("line 3: is not UTF-8 text"), "{message}");
        assert!(Table::read(&path).unwrap_err().to_string().contains("latin1.csv"));
    }

    #[test]
    fn bad_tables_are_refused_with_their_place() {
        for (text, start) in [
            ("", "t.csv: is empty; give a table"),
            ("\n\n", "t.csv: is empty"),
            ("a,b\n", "t.csv: has a header but no rows"),
            ("a,,b\n1,2,3\n", "t.csv, header, column 2: has no name"),
            ("a,b,a\n1,2,3\n", "t.csv, header, column 3: `a` is a column name that occurs twice"),
            ("a,b\n1,2\n1,2,3\n", "t.csv, row 2: has 3 cells, but the header has 2"),
            ("a,\"b\n1,2\n", "t.csv, header, column 2: goes on over the line's end"),
        ] {
            let message = message(text);
            assert!(message.starts_with(start), "{message}");
        }
    }
}
