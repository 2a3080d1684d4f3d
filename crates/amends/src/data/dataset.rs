//! Tables read with a schema: records in raw units, with their outcome.

use std::path::Path;

use super::applicant_reader::find_column;
use super::value::level_of;
use super::{ApplicantReader, Record, Schema, Table, first_line};
use crate::{InputError, Result, memory};

/// Applications with a known outcome.
#[derive(Debug, Clone, PartialEq)]
pub struct Dataset {
    /// What the values mean.
    pub schema: Schema,
    /// One record per application.
    pub records: Vec<Record>,
    /// Whether the outcome was favourable, one per record.
    pub favourable: Vec<bool>,
    /// The row number of each record in its table, counted from 1, in rising order. Rows may have been left out.
    pub row_numbers: Vec<usize>,
}

impl Dataset {
    /// Reads a CSV file to train with.
    pub fn read(path: impl AsRef<Path>, schema: &Schema) -> Result<Self> {
        Self::from_table(&Table::read(path)?, schema)
    }

    /// Reads a table to train with: both outcomes must occur, and every feature must vary.
    pub fn from_table(table: &Table, schema: &Schema) -> Result<Self> {
        let numbers: Vec<usize> = (1..=table.rows.len()).collect();
        Self::from_numbered_rows(table, &numbers, schema)
    }

    /// The same for a table whose rows had other numbers in the user's file.
    pub(super) fn from_numbered_rows(
        table: &Table,
        numbers: &[usize],
        schema: &Schema,
    ) -> Result<Self> {
        schema.check()?;
        // A value takes as much as two numbers.
        let bytes = memory::of_rows(table.rows.len(), 2 * schema.features.len());
        memory::check_table(|| format!("reading {} rows", table.rows.len()), bytes)?;
        let columns = schema.features.iter().map(|feature| &feature.name);
        if columns.chain([&schema.target.column]).any(|name| table.column(name).is_none()) {
            first_line::check(table)?;
        }
        let target = find_column(&table.header, &table.source, &schema.target.column)?;
        let records = read_records(table, numbers, schema)?;
        let outcomes = [schema.target.favourable.clone(), schema.target.unfavourable.clone()];
        let mut favourable = Vec::with_capacity(records.len());
        for (row, number) in table.rows.iter().zip(numbers) {
            let Some(outcome) = level_of(&outcomes, &row[target]) else {
                return Err(InputError::new(format!(
                    "is neither `{}` (favourable) nor `{}` (unfavourable)",
                    outcomes[0], outcomes[1]
                ))
                .file(&table.source)
                .row(*number)
                .column(&schema.target.column)
                .value(&row[target])
                .remedy(
                    "correct the cell, or the [target] of the schema: it has exactly two outcomes",
                )
                .into());
            };
            favourable.push(outcome == 0);
        }
        let data =
            Self { schema: schema.clone(), records, favourable, row_numbers: numbers.to_vec() };
        data.check_outcomes().map_err(|error| error.file(&table.source))?;
        Ok(data)
    }

    /// Refuses a table of this size if it doesn't fit into memory, as columns of numbers (8 bytes each) and as
    /// records made of those.
    pub fn check_memory(rows: usize, features: usize) -> Result<()> {
        let bytes = memory::of_rows(rows, 3 * features);
        memory::check_table(|| format!("reading {rows} rows"), bytes)
    }

    /// How many records there are.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// Some rows as a data set of their own.
    ///
    /// # Panics
    /// If a row is not in the table.
    #[must_use]
    pub fn part(&self, rows: &[usize]) -> Self {
        Self {
            schema: self.schema.clone(),
            records: rows.iter().map(|&row| self.records[row].clone()).collect(),
            favourable: rows.iter().map(|&row| self.favourable[row]).collect(),
            row_numbers: rows.iter().map(|&row| self.row_numbers[row]).collect(),
        }
    }

    /// The data as a table again: the features in the schema's order, then the target. Numbers are plain, whatever the format of
    /// the table was, and dates are the numbers that they became.
    pub fn to_table(&self) -> Table {
        Table {
            source: self.schema.name.clone(),
            header: self.header(),
            rows: self.rows().collect(),
        }
    }

    /// The column names of [`Dataset::to_table`].
    pub(crate) fn header(&self) -> Vec<String> {
        let Schema { target, features, .. } = &self.schema;
        let names = features.iter().map(|feature| feature.name.clone());
        names.chain([target.column.clone()]).collect()
    }

    /// The rows of [`Dataset::to_table`], one by one.
    pub(crate) fn rows(&self) -> impl Iterator<Item = Vec<String>> {
        let Schema { target, features, .. } = &self.schema;
        let row = move |(record, &favourable): (&Record, &bool)| {
            let shown = features.iter().zip(record).map(|(feature, &value)| feature.show(value));
            let outcome = if favourable { &target.favourable } else { &target.unfavourable };
            shown.chain([outcome.clone()]).collect()
        };
        self.records.iter().zip(&self.favourable).map(row)
    }

    /// A model learns nothing from a single outcome.
    fn check_outcomes(&self) -> Result<(), InputError> {
        let target = &self.schema.target;
        let good = self.favourable.iter().filter(|&&favourable| favourable).count();
        if good == 0 || good == self.len() {
            let only = if good == 0 { &target.unfavourable } else { &target.favourable };
            return Err(InputError::new("is the outcome of every row")
                .column(&target.column)
                .value(only)
                .remedy("add rows with the other outcome: a model learns from both"));
        }
        Ok(())
    }

    /// Refuses features with the same value in every row: nothing can be learnt from them. A model that is already fitted may
    /// well use such features.
    pub fn check_features_vary(&self) -> Result<(), InputError> {
        let Some(example) = self.records.first() else { return Ok(()) };
        for (feature, (index, &first)) in
            self.schema.features.iter().zip(example.iter().enumerate())
        {
            if self.records.iter().all(|record| record[index] == first) {
                return Err(InputError::new("is the value of every row")
                    .column(&feature.name)
                    .value(feature.show(first))
                    .remedy("remove the feature from the schema, or add rows where it differs"));
            }
        }
        Ok(())
    }
}

fn read_records(table: &Table, numbers: &[usize], schema: &Schema) -> Result<Vec<Record>> {
    let reader = ApplicantReader::new(schema, &table.header, &table.source)?;
    table.rows.iter().zip(numbers).map(|(cells, &number)| reader.read(number, cells)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCHEMA: &str = r#"
version = 1
name = "loans"
[target]
column = "outcome"
favourable = "paid"
unfavourable = "lost"
[[feature]]
name = "age"
kind = "integer"
[[feature]]
name = "housing"
kind = "categorical"
levels = ["own", "rent", "free"]
"#;

    fn read(csv: &str) -> Result<Dataset> {
        let schema = Schema::parse(SCHEMA, "loans.toml")?;
        Dataset::from_table(&Table::parse(csv, "loans.csv")?, &schema)
    }

    #[test]
    fn columns_are_found_by_name_and_rows_may_repeat() {
        let data =
            read("housing,id,outcome,age\nrent,7,paid,30\nown,8,lost,41\nown,9,lost,41\n").unwrap();
        assert_eq!(data.favourable, [true, false, false]);
        assert_eq!(data.row_numbers, [1, 2, 3]);
        assert_eq!(data.records[1], data.records[2]);
        assert_eq!(
            data.to_table().to_csv(),
            "age,housing,outcome\n30,rent,paid\n41,own,lost\n41,own,lost\n"
        );
    }

    #[test]
    fn bad_tables_are_refused_with_their_place() {
        for (csv, start) in [
            (
                "age,outcome\n1,paid\n",
                "loans.csv, column `housing`: is in the schema but not in the table; add",
            ),
            ("age,housing\n1,own\n", "loans.csv, column `outcome`: is in the schema"),
            (
                "age,housing,outcome\n1,own,paid\n,own,paid\n",
                "loans.csv, row 2, column `age`: the cell is empty",
            ),
            (
                "age,housing,outcome\n1,flat,paid\n",
                "loans.csv, row 1, column `housing`: `flat` is not a level",
            ),
            (
                "age,housing,outcome\n1,own,paid\n2,rent,late\n",
                "loans.csv, row 2, column `outcome`: `late` is neither `paid` (favourable) nor `lost`",
            ),
            (
                "age,housing,outcome\n1,own,paid\n2,rent,paid\n",
                "loans.csv, column `outcome`: `paid` is the outcome of",
            ),
        ] {
            let message = read(csv).unwrap_err().to_string();
            assert!(message.starts_with(start), "{message}");
        }
    }

    #[test]
    fn features_that_do_not_vary_are_read_but_not_learnt_from() {
        for (csv, start) in [
            (
                "age,housing,outcome\n2,own,paid\n2,rent,lost\n",
                "column `age`: `2` is the value of every row",
            ),
            (
                "age,housing,outcome\n1,own,paid\n2,own,lost\n",
                "column `housing`: `own` is the value of",
            ),
        ] {
            let message = read(csv).unwrap().check_features_vary().unwrap_err().to_string();
            assert!(message.starts_with(start), "{message}");
        }
        assert!(Dataset::german().check_features_vary().is_ok());
        assert!(Dataset::german().part(&[]).check_features_vary().is_ok());
    }

    #[test]
    fn applicants_need_no_outcome() {
        let schema = Schema::parse(SCHEMA, "loans.toml").unwrap();
        let table = Table::parse("name,housing,age\nAda,free,36\n", "new.csv").unwrap();
        let applicants = read_records(&table, &[1], &schema).unwrap();
        assert_eq!(schema.features[1].show(applicants[0][1]), "free");
    }
}
