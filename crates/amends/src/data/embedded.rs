//! The files of embedded schemas.

use super::Schema;
use super::german::{GERMAN, GERMAN_FREE};
use super::heloc::{HELOC, HELOC_CODES};

impl Schema {
    /// The text of the schema's file: of an embedded schema the file in the repository, of any other the file that
    /// [`Schema::to_toml`] writes.
    ///
    /// ```
    /// use amends::data::Schema;
    /// let german = Schema::german();
    /// assert_ne!(german.file_text(), german.to_toml());
    /// assert_eq!(Schema::parse(&german.file_text(), "german.toml")?, german);
    /// # Ok::<(), amends::Error>(())
    /// ```
    pub fn file_text(&self) -> String {
        let embedded = [GERMAN, GERMAN_FREE, HELOC, HELOC_CODES].into_iter();
        let mut own = embedded
            .filter(|text| Self::parse(text, &self.name).is_ok_and(|schema| schema == *self));
        own.next().map_or_else(|| self.to_toml(), str::to_owned)
    }
}
