//! Who belongs together: people in groups by the values of a column.

use crate::data::{Feature, Value};
use crate::{InputError, Result, Setting};

/// A number that takes at most so many values is grouped by each of them.
const FEW_VALUES: usize = 8;

/// The group of people whose cell is empty.
const EMPTY: &str = "(empty)";

/// A column to group people by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupColumn {
    /// Its name in the table.
    pub name: String,
    /// Its title for people.
    pub title: String,
    /// The order of its groups; those that are not in here come after, the largest first.
    pub order: Vec<String>,
}

/// A column, and each applicant's group in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grouping {
    /// The column.
    pub column: GroupColumn,
    /// The group of every applicant.
    pub groups: Vec<String>,
}

/// What assigns an applicant to a group.
enum Mark {
    Number(f64),
    Word(String),
}

impl Grouping {
    /// By a feature: its levels in the schema's order; numbers cut at `cuts`, or at their quartiles where there are
    /// none (each value by itself where there are only a few); codes by their label.
    pub fn by_feature(feature: &Feature, values: &[Value], cuts: Option<&[f64]>) -> Result<Self> {
        let mark = |&value: &Value| match value {
            Value::Number(number) => Mark::Number(number),
            Value::Level(_) | Value::Code(_) => Mark::Word(feature.describe(value)),
        };
        let unit = feature.unit.as_ref().map_or_else(String::new, |unit| format!(" ({unit})"));
        let codes = feature.codes.iter().map(|code| code.label.clone());
        let words = feature.levels().iter().cloned().chain(codes).collect();
        let column = GroupColumn {
            name: feature.name.clone(),
            title: format!("{}{unit}", feature.title()),
            order: words,
        };
        Self::of(column, values.iter().map(mark).collect(), cuts)
    }

    /// By the cells of any column: numbers as in [`Grouping::by_feature`] where every cell is one or empty, else texts.
    pub fn by_cells(name: &str, cells: &[&str], cuts: Option<&[f64]>) -> Result<Self> {
        let number = |cell: &str| cell.parse::<f64>().ok().filter(|number| number.is_finite());
        let numeric = cells.iter().all(|cell| cell.is_empty() || number(cell).is_some());
        let mark = |cell: &&str| match number(cell).filter(|_| numeric) {
            Some(number) => Mark::Number(number),
            None if cell.is_empty() => Mark::Word(EMPTY.to_owned()),
            None => Mark::Word((*cell).to_owned()),
        };
        let column =
            GroupColumn { name: name.to_owned(), title: name.to_owned(), order: Vec::new() };
        Self::of(column, cells.iter().map(mark).collect(), cuts)
    }

    fn of(mut column: GroupColumn, marks: Vec<Mark>, cuts: Option<&[f64]>) -> Result<Self> {
        let mut numbers: Vec<f64> = marks
            .iter()
            .filter_map(|mark| match mark {
                Mark::Number(number) => Some(*number),
                Mark::Word(_) => None,
            })
            .collect();
        numbers.sort_by(f64::total_cmp);
        let cuts = match cuts {
            Some(cuts) => Some(checked(cuts, &column.name, &numbers)?),
            None => quartiles(&numbers),
        };
        let label = |number: f64| match &cuts {
            Some(cuts) => between(cuts, number),
            None => number.to_string(),
        };
        // Numbers rise, and go before words such as codes.
        let mut order: Vec<String> = numbers.iter().map(|&number| label(number)).collect();
        order.dedup();
        order.append(&mut column.order);
        column.order = order;
        let groups = marks.into_iter().map(|mark| match mark {
            Mark::Number(number) => label(number),
            Mark::Word(word) => word,
        });
        Ok(Self { groups: groups.collect(), column })
    }
}

fn checked(cuts: &[f64], column: &str, numbers: &[f64]) -> Result<Vec<f64>> {
    let wrong = |problem: &str, remedy: &str| {
        let error = InputError::new(problem).setting(Setting::GroupBy).column(column);
        Err(error.remedy(remedy).into())
    };
    if numbers.is_empty() {
        return wrong("holds no numbers to cut", "leave the cut points out");
    }
    let rising = cuts.windows(2).all(|pair| pair[0] < pair[1]);
    if cuts.is_empty() || !rising || cuts.iter().any(|cut| !cut.is_finite()) {
        return wrong(
            "its cut points are not in rising order",
            "give rising numbers, such as 30,50",
        );
    }
    Ok(cuts.to_vec())
}

/// Where numbers in rising order are cut into four; `None` where they are few enough to stand for themselves.
fn quartiles(sorted: &[f64]) -> Option<Vec<f64>> {
    let mut values = sorted.to_vec();
    values.dedup();
    if values.len() <= FEW_VALUES {
        return None;
    }
    // The number at that position, not one between two: people know their numbers.
    let mut cuts: Vec<f64> = [1, 2, 3].map(|quarter| sorted[quarter * sorted.len() / 4]).into();
    cuts.dedup();
    Some(cuts)
}

/// Between which cut points a number is; a cut point belongs to the group above it.
fn between(cuts: &[f64], number: f64) -> String {
    let above = cuts.partition_point(|&cut| cut <= number);
    match (above.checked_sub(1).map(|below| cuts[below]), cuts.get(above)) {
        (None, None) => number.to_string(),
        (None, Some(high)) => format!("under {high}"),
        (Some(low), Some(high)) => format!("{low} to under {high}"),
        (Some(low), None) => format!("{low} and over"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Code, Kind};

    fn cells(cells: &[&str], cuts: Option<&[f64]>) -> Grouping {
        Grouping::by_cells("c", cells, cuts).unwrap()
    }

    #[test]
    fn cut_points_belong_to_the_group_above() {
        let grouping = cells(&["29", "30", "49.5", "50", "90", ""], Some(&[30.0, 50.0]));
        let groups =
            ["under 30", "30 to under 50", "30 to under 50", "50 and over", "50 and over", EMPTY];
        assert_eq!(grouping.groups, groups);
        assert_eq!(grouping.column.order, ["under 30", "30 to under 50", "50 and over"]);
    }

    #[test]
    fn many_numbers_are_cut_into_quarters_and_few_stand_for_themselves() {
        let many: Vec<String> = (0..40).map(|number| number.to_string()).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        let quarters = cells(&many, None);
        assert_eq!(
            quarters.column.order,
            ["under 10", "10 to under 20", "20 to under 30", "30 and over"]
        );
        for group in &quarters.column.order {
            assert_eq!(quarters.groups.iter().filter(|own| *own == group).count(), 10);
        }
        assert_eq!(cells(&["10", "2", "10", "1.50"], None).column.order, ["1.5", "2", "10"]);
    }

    #[test]
    fn quarters_of_numbers_that_pile_up_are_fewer() {
        let mut piled = vec!["0"; 30];
        piled.extend(["1", "2", "3", "4", "5", "6", "7", "8", "9", "10"]);
        let grouping = cells(&piled, None);
        assert_eq!(grouping.column.order, ["0 to under 1", "1 and over"]);
    }

    #[test]
    fn a_single_word_makes_a_column_one_of_words() {
        let grouping = cells(&["1", "x", ""], None);
        assert_eq!(grouping.groups, ["1", "x", EMPTY]);
        assert!(grouping.column.order.is_empty());
        let refusal = Grouping::by_cells("c", &["x"], Some(&[1.0])).unwrap_err().to_string();
        assert!(refusal.starts_with("by, column `c`: holds no numbers to cut; leave"), "{refusal}");
        let refusal = Grouping::by_cells("c", &["1"], Some(&[2.0, 1.0])).unwrap_err().to_string();
        assert!(refusal.contains("are not in rising order; give rising numbers"), "{refusal}");
    }

    #[test]
    fn features_have_the_schema_s_order_titles_and_codes() {
        let levels = vec!["own".to_owned(), "rent".to_owned()];
        let housing = Feature::new("housing", Kind::Categorical { levels });
        let values = [Value::Level(1), Value::Level(0), Value::Level(1)];
        let grouping = Grouping::by_feature(&housing, &values, None).unwrap();
        assert_eq!(grouping.groups, ["rent", "own", "rent"]);
        assert_eq!(grouping.column.order, ["own", "rent"]);
        let months = Feature {
            label: Some("Time since".into()),
            unit: Some("months".into()),
            codes: vec![Code::new("-7", "never late")],
            ..Feature::new("m", Kind::Integer)
        };
        let values = [Value::Code(0), Value::Number(3.0), Value::Number(14.0)];
        let grouping = Grouping::by_feature(&months, &values, Some(&[12.0])).unwrap();
        assert_eq!(grouping.groups, ["never late", "under 12", "12 and over"]);
        assert_eq!(grouping.column.order, ["under 12", "12 and over", "never late"]);
        assert_eq!(grouping.column.title, "Time since (months)");
    }
}
