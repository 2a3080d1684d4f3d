//! Where a result comes from: the program, the day, and what it was computed from.

use std::io::{self, Read, Write};

use chrono::{DateTime, NaiveDate, Utc};
use serde::{Serialize, Serializer};
use sha2::{Digest, Sha256};

use crate::data::Dataset;

/// Where a result comes from. Hashes are SHA-256 in hexadecimal digits: of the bytes of a file where one was given, so that
/// `sha256sum` prints the same; of an embedded schema the file in the repository; otherwise of the file that this library would write.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Provenance {
    /// The version of amends.
    pub version: String,
    /// The commit that it was built from, where that is known.
    pub commit: String,
    /// When the result was computed, in UTC.
    #[serde(serialize_with = "to_the_second")]
    pub date: DateTime<Utc>,
    /// The seed of the split and of the training, or of a sample of rows that was drawn instead, where there were any.
    pub seed: Option<u64>,
    /// The share of rows that was held out, where the table was split.
    pub test_share: Option<f64>,
    /// The engine, with its formulation and solver where it has them.
    pub engine: String,
    /// The relative gap at which it stops.
    pub gap: f64,
    /// Seconds per applicant after which it stops.
    pub time_limit: Option<f64>,
    /// The rules for all applicants beside those of the schema.
    pub rules: Vec<String>,
    /// The hash of the model.
    pub model_sha256: String,
    /// The hash of the schema.
    pub schema_sha256: String,
    /// The hash of the whole table, held-out rows included.
    pub data_sha256: String,
}

impl Provenance {
    /// The day in UTC.
    pub fn day(&self) -> NaiveDate {
        self.date.date_naive()
    }

    /// The date as results have it: 2026-11-18T09:30:00Z.
    pub fn date_text(&self) -> String {
        date_text(self.date)
    }

    /// One line for people.
    pub fn line(&self) -> String {
        let seed = self.seed.map_or_else(String::new, |seed| format!(", seed {seed}"));
        format!(
            "amends {} (commit {}), {}{seed}; SHA-256 of the model {}, of the schema {}, of the data {}",
            self.version,
            self.commit,
            self.date_text(),
            self.model_sha256,
            self.schema_sha256,
            self.data_sha256
        )
    }
}

fn to_the_second<S: Serializer>(date: &DateTime<Utc>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&date_text(*date))
}

/// A date as results have it: 2026-11-18T09:30:00Z.
pub fn date_text(date: DateTime<Utc>) -> String {
    date.format("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// The SHA-256 hash of a text.
///
/// ```
/// let hash = amends::provenance::sha256("abc");
/// assert!(hash.starts_with("ba7816bf8f01cfea") && hash.len() == 64);
/// ```
pub fn sha256(text: &str) -> String {
    digits(Sha256::digest(text))
}

/// The SHA-256 hash of everything that can be read.
pub fn sha256_of(mut reader: impl Read) -> io::Result<String> {
    let mut hasher = Hasher(Sha256::new());
    io::copy(&mut reader, &mut hasher)?;
    Ok(digits(hasher.0.finalize()))
}

/// The SHA-256 hash of [`Dataset::to_table`] as a CSV file, without the table in memory.
pub fn sha256_of_dataset(dataset: &Dataset) -> String {
    sha256_of_rows(&dataset.header(), dataset.rows())
}

fn sha256_of_rows(header: &[String], rows: impl Iterator<Item = Vec<String>>) -> String {
    let mut writer = csv::Writer::from_writer(Hasher(Sha256::new()));
    // Only the writer below it can fail, or rows of unequal length: those of a table are equal.
    let _ = writer.write_record(header);
    for row in rows {
        let _ = writer.write_record(row);
    }
    writer.into_inner().map_or_else(|_| String::new(), |hasher| digits(hasher.0.finalize()))
}

struct Hasher(Sha256);

impl Write for Hasher {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn digits(hash: impl IntoIterator<Item = u8>) -> String {
    hash.into_iter()
        .flat_map(|byte| [byte >> 4, byte & 15])
        .filter_map(|digit| char::from_digit(u32::from(digit), 16))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Table;

    #[test]
    fn a_table_has_the_hash_of_its_file() {
        let cell = |text: &str| text.to_owned();
        let table = Table {
            source: cell("t"),
            header: vec![cell("a"), cell("b")],
            rows: vec![vec![cell("1"), cell("x, y")]],
        };
        let file = "a,b\n1,\"x, y\"\n";
        assert_eq!(sha256_of_rows(&table.header, table.rows.iter().cloned()), sha256(file));
        assert_eq!(sha256_of(file.as_bytes()).unwrap(), sha256(file));
        let german = Dataset::german();
        assert_eq!(sha256_of_dataset(&german), sha256(&german.to_table().to_csv()));
        // sha256sum of the empty file.
        assert_eq!(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    }
}
