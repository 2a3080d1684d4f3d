//! The columns that people can be grouped by: the features, and whatever else the table has.

use amends::audit::GroupBy;
use amends::data::{Dataset, Feature, Schema, Table};
use amends::{InputError, Result};
use serde_json::{Value, json};

/// So many groups of a column are named; the rest is counted.
const NAMED: usize = 50;

/// The columns that people can be grouped by.
#[derive(Debug, Clone)]
pub struct TableColumns {
    /// The names of the features, and after them those of the others.
    names: Vec<String>,
    features: usize,
    /// The cells of each of the others, per record.
    others: Vec<Vec<String>>,
}

impl TableColumns {
    /// The features alone.
    pub fn of_features(schema: &Schema) -> Self {
        let names = schema.features.iter().map(|feature| feature.name.clone()).collect();
        Self { names, features: schema.features.len(), others: Vec::new() }
    }

    /// With the other columns of the table that the data was read from.
    pub fn with_others(mut self, table: &Table, dataset: &Dataset) -> Result<Self> {
        let rows = dataset.row_numbers.iter().map(|&number| table.rows.get(number.checked_sub(1)?));
        let rows: Option<Vec<&Vec<String>>> = rows.collect();
        let rows = rows.ok_or_else(|| {
            InputError::new("has fewer rows than the data")
                .file(&table.source)
                .remedy("give the table that the data was read from")
        })?;
        for (index, name) in table.header.iter().enumerate() {
            if dataset.schema.feature_index(name).is_some() {
                continue;
            }
            let cell = |row: &&Vec<String>| row.get(index).cloned().unwrap_or_default();
            self.others.push(rows.iter().map(cell).collect());
            self.names.push(name.clone());
        }
        Ok(self)
    }

    /// Their names.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The groups of these records, noted for each of the columns.
    pub fn note(&self, by: &mut [GroupBy], dataset: &Dataset, records: &[usize]) {
        for &record in records {
            let cell = |column: usize| {
                let other = column.checked_sub(self.features).and_then(|at| self.others.get(at));
                other.map_or("", |cells| cells[record].as_str())
            };
            for by in by.iter_mut() {
                by.add(&dataset.records[record], cell);
            }
        }
    }

    /// Each column with the groups that all rows are put in where nothing else is said.
    pub fn describe(&self, dataset: &Dataset) -> Value {
        let all: Vec<usize> = (0..dataset.len()).collect();
        let columns = self.names.iter().enumerate().map(|(index, name)| {
            let feature = dataset.schema.feature_index(name).filter(|_| index < self.features);
            let feature = feature.map(|feature| &dataset.schema.features[feature]);
            let groups = self.groups_of(name, dataset, &all);
            let shown = groups.as_ref().map(|names| &names[..names.len().min(NAMED)]);
            json!({
                "name": name,
                "title": feature.map_or(name.as_str(), |feature| feature.title()),
                "unit": feature.and_then(|feature| feature.unit.as_deref()),
                "feature": feature.is_some(),
                "protected": feature.is_some_and(Feature::is_protected_by_name),
                "target": *name == dataset.schema.target.column,
                "groups": shown,
                "count": groups.as_ref().map(Vec::len),
            })
        });
        columns.collect()
    }

    /// The groups of all rows; `None` where there are too many of them.
    fn groups_of(&self, name: &str, dataset: &Dataset, all: &[usize]) -> Option<Vec<String>> {
        let schema = &dataset.schema;
        let mut by = GroupBy::parse(&[name.to_owned()], &self.names, &schema.name, schema).ok()?;
        self.note(&mut by, dataset, all);
        Some(by.pop()?.groups(schema).ok()?.names().to_vec())
    }
}
