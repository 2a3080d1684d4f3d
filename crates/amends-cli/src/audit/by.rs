//! `--by`: the columns that tell people apart.

use std::collections::HashSet;

use amends::audit::Grouping;
use amends::data::{Schema, Table, Value};
use amends::{InputError, Result};

use super::People;

/// More groups than this are no groups: a name or a number of its own for everybody.
const MOST_GROUPS: usize = 1000;
/// Column names in a message.
const SHOWN: usize = 40;

/// One `--by`, checked against the table.
pub struct By {
    /// Where the column stands in the table.
    column: usize,
    name: String,
    cuts: Option<Vec<f64>>,
}

impl By {
    /// Each of them once, with columns that the table has.
    pub fn parse(texts: &[String], table: &Table) -> Result<Vec<Self>> {
        let mut seen = HashSet::new();
        let one = |text: &String| {
            let by = Self::of(text, table)?;
            if seen.insert(by.column) {
                return Ok(by);
            }
            Err(InputError::new("names a column for the second time")
                .at("--by")
                .value(text)
                .remedy("name each column once")
                .into())
        };
        texts.iter().map(one).collect()
    }

    /// A column may have a colon in its name, so the whole text is tried first.
    fn of(text: &str, table: &Table) -> Result<Self> {
        let found = |name: &str| table.column(name).map(|column| (column, name.to_owned()));
        if let Some((column, name)) = found(text) {
            return Ok(Self { column, name, cuts: None });
        }
        let split = text.rsplit_once(':');
        if let Some(((column, name), cuts)) =
            split.and_then(|(name, cuts)| found(name).map(|found| (found, cuts)))
        {
            let numbers = cuts.split(',').map(|cut| cut.trim().parse()).collect::<Result<_, _>>();
            let cuts = numbers.map_err(|_| {
                InputError::new("has cut points that are no numbers")
                    .at("--by")
                    .value(text)
                    .remedy(format!("write {name}:30,50, or {name} alone"))
            })?;
            return Ok(Self { column, name, cuts: Some(cuts) });
        }
        let mut names: Vec<&str> = table.header.iter().take(SHOWN).map(String::as_str).collect();
        let more = table.header.len().saturating_sub(SHOWN);
        let and_more = format!("{more} more");
        names.extend((more > 0).then_some(and_more.as_str()));
        Err(InputError::new("is no column of the table")
            .file(&table.source)
            .at("--by")
            .value(text)
            .remedy(format!("use one of: {}", names.join(", ")))
            .into())
    }

    /// Everybody's group. A feature is taken as the model saw it, any other column as the table has it.
    pub fn group(&self, people: &People, schema: &Schema) -> Result<Grouping> {
        let cuts = self.cuts.as_deref();
        let grouping = if let Some(feature) = schema.feature_index(&self.name) {
            let own = people.applicants.iter().map(|applicant| applicant.record[feature]);
            let values: Vec<Value> = own.collect();
            Grouping::by_feature(&schema.features[feature], &values, cuts)
        } else {
            let rows =
                people.applicants.iter().map(|applicant| &people.table.rows[applicant.row - 1]);
            let cells: Vec<&str> = rows.map(|row| row[self.column].as_str()).collect();
            Grouping::by_cells(&self.name, &cells, cuts)
        };
        let grouping = grouping.map_err(|error| error.in_file("--by"))?;
        let groups: HashSet<&String> = grouping.groups.iter().collect();
        if groups.len() <= MOST_GROUPS {
            return Ok(grouping);
        }
        Err(InputError::new(format!(
            "makes {} groups of {} people",
            groups.len(),
            people.applicants.len()
        ))
        .at("--by")
        .value(&self.name)
        .remedy("name a column with fewer different values")
        .into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<By> {
        let table = Table::parse("age,a:b,region\n1,2,x\n", "t.csv")?;
        By::parse(&[text.to_owned()], &table).map(|mut all| all.remove(0))
    }

    #[test]
    fn colons_in_names_and_before_cut_points_are_told_apart() {
        let by = parse("age:30, 50").unwrap();
        assert_eq!((by.column, by.cuts), (0, Some(vec![30.0, 50.0])));
        let by = parse("a:b").unwrap();
        assert_eq!((by.column, by.cuts), (1, None));
        let by = parse("a:b:3").unwrap();
        assert_eq!((by.column, by.cuts), (1, Some(vec![3.0])));
    }

    #[test]
    fn what_is_no_column_is_refused_with_those_there_are() {
        for (text, part) in [
            ("sex", "t.csv, --by: `sex` is no column of the table; use one of: age, a:b, region"),
            ("age:", "`age:` has cut points that are no numbers; write age:30,50, or age alone"),
            ("age:x", "`age:x` has cut points that are no numbers"),
            ("", "`` is no column"),
        ] {
            let message = parse(text).err().unwrap().to_string();
            assert!(message.contains(part), "{message}");
        }
    }
}
