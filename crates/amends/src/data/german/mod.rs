//! The German credit data, embedded so that everything can be tried without a file.

use super::{Dataset, Schema, Table};

impl Schema {
    /// The schema of the embedded German credit data.
    pub fn german() -> Self {
        Self::parse(include_str!("german.toml"), "german.toml")
            .expect("the embedded schema is sound")
    }
}

impl Dataset {
    /// The embedded German credit data: 1,000 applications in UCI's order, 700 of them good.
    pub fn german() -> Self {
        Table::parse(include_str!("german.csv"), "german.csv")
            .and_then(|table| Self::from_table(&table, &Schema::german()))
            .expect("the embedded table is sound")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Change;

    #[test]
    fn has_a_thousand_rows_and_seven_hundred_good() {
        let data = Dataset::german();
        assert_eq!(data.len(), 1000);
        assert_eq!(data.favourable.iter().filter(|&&good| good).count(), 700);
        assert_eq!(data.schema.features.len(), 20);
        assert_eq!(data.schema.features.iter().filter(|feature| feature.is_numeric()).count(), 7);
    }

    #[test]
    fn protected_attributes_are_fixed() {
        let schema = Schema::german();
        let fixed: Vec<&str> = schema
            .features
            .iter()
            .filter(|feature| feature.change == Change::Immutable)
            .map(|feature| feature.name.as_str())
            .collect();
        assert_eq!(fixed, ["age", "personal_status_sex", "foreign_worker"]);
    }

    #[test]
    fn every_cell_is_shown_as_the_table_wrote_it() {
        let table = Table::parse(include_str!("german.csv"), "german.csv").unwrap();
        let again = Dataset::german().to_table();
        for (column, name) in again.header.iter().enumerate() {
            let original = table.column(name).unwrap();
            for (row, cells) in again.rows.iter().enumerate() {
                assert_eq!(cells[column], table.rows[row][original], "row {}, {name}", row + 1);
            }
        }
    }
}
