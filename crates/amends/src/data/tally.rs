//! Which rows of real data break which rules: a rule that many real people break is usually wrong.

use super::{Dataset, Schema, Value};

/// How the rows of a table respect one rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowTally {
    /// Which rule.
    pub rule: TalliedRule,
    /// The indices of the records that break it; none where it is about changes, which a row can't break.
    pub broken_by: Option<Vec<usize>>,
}

/// What rows can be checked against.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TalliedRule {
    /// The schema's rule at this index.
    Rule(usize),
    /// The `range` of the feature at this index.
    Range(usize),
}

impl TalliedRule {
    /// The features that it names.
    pub fn features(self, schema: &Schema) -> Vec<usize> {
        match self {
            Self::Rule(rule) => schema.rules[rule].features(),
            Self::Range(feature) => vec![feature],
        }
    }
}

impl Dataset {
    /// Checks every row against every rule of the schema, then against every feature's `range`.
    ///
    /// A rule says nothing about a row with a code where it asks for a number, and neither does a range.
    pub fn tally_rules(&self) -> Vec<RowTally> {
        let rows_where = |breaks: &dyn Fn(&[Value]) -> bool| {
            let rows = self.records.iter().enumerate();
            rows.filter(|(_, record)| breaks(record)).map(|(row, _)| row).collect()
        };
        let rules = self.schema.rules.iter().enumerate().map(|(index, rule)| RowTally {
            rule: TalliedRule::Rule(index),
            broken_by: rule
                .is_about_values()
                .then(|| rows_where(&|record: &[Value]| !rule.holds(record))),
        });
        let ranges = self.schema.features.iter().enumerate().filter_map(|(index, feature)| {
            let [low, high] = feature.limits.range?;
            let outside = |record: &[Value]| {
                matches!(record[index], Value::Number(own) if !(low..=high).contains(&own))
            };
            let rule = TalliedRule::Range(index);
            Some(RowTally { rule, broken_by: Some(rows_where(&outside)) })
        });
        rules.chain(ranges).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Code, Rule};

    #[test]
    fn rows_are_counted_as_by_hand() {
        let mut german = Dataset::german();
        let age = german.schema.feature_index("age").unwrap();
        let duration = german.schema.feature_index("duration").unwrap();
        german.schema.features[duration].limits.range = Some([6.0, 48.0]);
        for text in ["age < 75", "duration falls", "must age >= 75 or duration <= 60"] {
            german.schema.rules.push(Rule::parse(text, &german.schema.features).unwrap());
        }
        let rows = |feature: usize, outside: fn(f64) -> bool| -> Vec<usize> {
            let breaks =
                |record: &[Value]| matches!(record[feature], Value::Number(n) if outside(n));
            (0..german.len()).filter(|&row| breaks(&german.records[row])).collect()
        };
        let old = rows(age, |age| age >= 75.0);
        let long = rows(duration, |months| !(6.0..=48.0).contains(&months));
        let longest = rows(duration, |months| months > 60.0);
        assert!(!old.is_empty() && !long.is_empty() && !longest.is_empty());
        let tally = |rule, broken_by| RowTally { rule, broken_by };
        let tallies = german.tally_rules();
        assert_eq!(
            tallies,
            [
                tally(TalliedRule::Rule(0), Some(old)),
                tally(TalliedRule::Rule(1), None),
                tally(TalliedRule::Rule(2), Some(longest)),
                tally(TalliedRule::Range(duration), Some(long)),
            ]
        );
        assert_eq!(tallies[2].rule.features(&german.schema).len(), 2);

        // A code is neither old nor young.
        german.schema.features[age].codes = vec![Code::new("", "missing")];
        for record in &mut german.records {
            record[age] = Value::Code(0);
        }
        assert_eq!(german.tally_rules()[0].broken_by, Some(Vec::new()));
    }
}
