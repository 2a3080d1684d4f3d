//! The columns that people are grouped by, as somebody writes them: `housing`, or `age:30,50` with cut points.

use std::collections::{HashMap, HashSet};

use super::{GroupColumn, Grouping};
use crate::data::{Record, Schema, Value};
use crate::{InputError, Result, Setting};

/// More groups than this say nothing: the column is a name or a number of its own for all applicants.
const MOST_GROUPS: usize = 1000;
/// Column names in a message.
const SHOWN: usize = 40;

/// A column to group people by, checked against the table's header, and each applicant's value in that column.
#[derive(Debug, Clone)]
pub struct GroupBy {
    /// The index of the column in the table.
    column: usize,
    name: String,
    cuts: Option<Vec<f64>>,
    seen: Seen,
}

/// A feature is taken as the model saw it, any other column as the table has it.
#[derive(Debug, Clone)]
enum Seen {
    Feature { index: usize, values: Vec<Value> },
    Cells(Vec<String>),
}

/// Everybody's group in a column, in little memory: a number per applicant.
#[derive(Debug, Clone)]
pub struct Groups {
    /// The column.
    pub column: GroupColumn,
    names: Vec<String>,
    members: Vec<u16>,
}

impl Groups {
    /// The group of the applicant at this position.
    pub fn name(&self, position: usize) -> &str {
        &self.names[usize::from(self.members[position])]
    }

    /// The groups that have anybody in them: in the column's order, then by the alphabet.
    pub fn names(&self) -> &[String] {
        &self.names
    }
}

impl GroupBy {
    /// Each of them once, with columns of this header; `source` names the table in errors.
    pub fn parse(
        texts: &[String],
        header: &[String],
        source: &str,
        schema: &Schema,
    ) -> Result<Vec<Self>> {
        let mut seen = HashSet::new();
        let one = |text: &String| {
            let by = Self::parse_one(text, header, source, schema)?;
            if seen.insert(by.column) {
                return Ok(by);
            }
            Err(InputError::new("names a column for the second time")
                .setting(Setting::GroupBy)
                .value(text)
                .remedy("name each column once")
                .into())
        };
        texts.iter().map(one).collect()
    }

    /// A column may have a colon in its name, so the whole text is tried first.
    fn parse_one(text: &str, header: &[String], source: &str, schema: &Schema) -> Result<Self> {
        let found = |name: &str| {
            let column = header.iter().position(|column| column == name)?;
            let seen = schema.feature_index(name).map_or(Seen::Cells(Vec::new()), |index| {
                Seen::Feature { index, values: Vec::new() }
            });
            Some(Self { column, name: name.to_owned(), cuts: None, seen })
        };
        if let Some(by) = found(text) {
            return Ok(by);
        }
        let split = text.rsplit_once(':');
        if let Some((by, cuts)) =
            split.and_then(|(name, cuts)| found(name).map(|found| (found, cuts)))
        {
            let numbers = cuts.split(',').map(|cut| cut.trim().parse()).collect::<Result<_, _>>();
            let cuts = numbers.map_err(|_| {
                InputError::new("has cut points that are not numbers")
                    .setting(Setting::GroupBy)
                    .value(text)
                    .remedy(format!("write {0}:30,50, or {0} alone", by.name))
            })?;
            return Ok(Self { cuts: Some(cuts), ..by });
        }
        let mut names: Vec<&str> = header.iter().take(SHOWN).map(String::as_str).collect();
        let more = header.len().saturating_sub(SHOWN);
        let and_more = format!("{more} more");
        names.extend((more > 0).then_some(and_more.as_str()));
        Err(InputError::new("is not a column of the table")
            .file(source)
            .setting(Setting::GroupBy)
            .value(text)
            .remedy(format!("use one of: {}", names.join(", ")))
            .into())
    }

    /// Notes the next applicant; `cell` gives the cell of their row in the column of that index of the header.
    pub fn add<'a>(&mut self, record: &Record, cell: impl FnOnce(usize) -> &'a str) {
        match &mut self.seen {
            Seen::Feature { index, values } => values.push(record[*index]),
            Seen::Cells(seen) => seen.push(cell(self.column).to_owned()),
        }
    }

    /// The groups of all applicants who were noted.
    pub fn groups(self, schema: &Schema) -> Result<Groups> {
        let cuts = self.cuts.as_deref();
        let grouping = match &self.seen {
            Seen::Feature { index, values } => {
                Grouping::by_feature(&schema.features[*index], values, cuts)
            }
            Seen::Cells(cells) => {
                let cells: Vec<&str> = cells.iter().map(String::as_str).collect();
                Grouping::by_cells(&self.name, &cells, cuts)
            }
        };
        let Grouping { column, groups } = grouping?;
        let mut names: Vec<String> =
            groups.iter().collect::<HashSet<_>>().into_iter().cloned().collect();
        if names.len() <= MOST_GROUPS {
            names.sort_by_cached_key(|name| {
                let known = column.order.iter().position(|known| known == name);
                (known.unwrap_or(column.order.len()), name.clone())
            });
            let numbers: HashMap<&str, u16> = names.iter().map(String::as_str).zip(0..).collect();
            let members = groups.iter().map(|group| numbers[group.as_str()]).collect();
            return Ok(Groups { column, names, members });
        }
        Err(InputError::new(format!("makes {} groups of {} people", names.len(), groups.len()))
            .setting(Setting::GroupBy)
            .value(&self.name)
            .remedy("name a column with fewer different values")
            .into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<GroupBy> {
        let header = ["age", "a:b", "region"].map(str::to_owned);
        let schema = Schema::german();
        GroupBy::parse(&[text.to_owned()], &header, "t.csv", &schema).map(|mut all| all.remove(0))
    }

    #[test]
    fn colons_in_names_and_before_cut_points_are_distinguished() {
        let by = parse("age:30, 50").unwrap();
        assert_eq!((by.column, by.cuts), (0, Some(vec![30.0, 50.0])));
        let by = parse("a:b").unwrap();
        assert_eq!((by.column, by.cuts), (1, None));
        let by = parse("a:b:3").unwrap();
        assert_eq!((by.column, by.cuts), (1, Some(vec![3.0])));
    }

    #[test]
    fn an_unknown_column_is_refused_with_a_list_of_the_columns() {
        for (text, part) in [
            ("sex", "t.csv, by: `sex` is not a column of the table; use one of: age, a:b, region"),
            ("age:", "`age:` has cut points that are not numbers; write age:30,50, or age alone"),
            ("age:x", "`age:x` has cut points that are not numbers"),
            ("", "`` is not a column"),
        ] {
            let message = parse(text).err().unwrap().to_string();
            assert!(message.contains(part), "{message}");
        }
    }
}
