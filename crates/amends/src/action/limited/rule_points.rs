//! Values at which rules begin or cease to hold: a short list of values must contain them.
//!
//! Where trees decide, one value per cell stands for all others of the cell; where numbers are many, a grid does. Rules tell
//! apart what trees and grids don't, so a plan could be missed, and wrongly proven not to exist.

use super::grid::grid;
use super::rounding::{decimals, round};
use crate::action::Ranges;
use crate::action::room::Room;
use crate::data::{Atom, Demand, Direction, Record, Rule, Schema, Value};

/// Per feature, the numbers (or ranks) that rules name for one applicant.
pub(super) struct RulePoints {
    /// Where the truth of a rule may change.
    pub values: Vec<Vec<f64>>,
    /// Whether the feature is weighed against others, so that every value may matter.
    pub weighed: Vec<bool>,
}

impl RulePoints {
    pub(super) fn of(rules: &[&Rule], schema: &Schema, applicant: &Record) -> Self {
        let features = schema.features.len();
        let mut points =
            Self { values: vec![Vec::new(); features], weighed: vec![false; features] };
        for rule in rules {
            if let Demand::Formula(formula) = &rule.demand {
                formula.visit(&mut |atom| points.add(atom, applicant));
            }
        }
        points
    }

    fn add(&mut self, atom: &Atom, applicant: &Record) {
        let rank = |feature: usize| match applicant[feature] {
            Value::Number(own) => Some(own),
            Value::Level(own) => Some(own as f64),
            Value::Code(_) => None,
        };
        let mut note = |feature: usize, value: f64| {
            if value.is_finite() {
                self.values[feature].push(value);
            }
        };
        match atom {
            Atom::Changes { feature } => {
                if let Some(own) = rank(*feature) {
                    note(*feature, own);
                }
            }
            Atom::Moves { feature, direction, least, most } => {
                let Some(own) = rank(*feature) else { return };
                note(*feature, own);
                for size in [least, most].into_iter().copied().flatten() {
                    let by = if *direction == Direction::Up { size } else { -size };
                    note(*feature, round(own + by, decimals(own).max(decimals(by))));
                }
            }
            Atom::Is { feature, values } => {
                for value in values {
                    match value {
                        Value::Number(number) => note(*feature, *number),
                        Value::Level(level) => note(*feature, *level as f64),
                        Value::Code(_) => {}
                    }
                }
            }
            Atom::Lies { feature, low, high } => {
                note(*feature, *low);
                note(*feature, *high);
            }
            Atom::Sum { terms, .. } => {
                for term in terms {
                    self.weighed[term.feature] = true;
                }
            }
        }
    }

    /// Thresholds that part a feature's values as the rules do, for trees: `x <= t` goes one way.
    pub(super) fn thresholds(
        &self,
        schema: &Schema,
        ranges: &Ranges,
        applicant: &Record,
        feature: usize,
        limit: usize,
    ) -> Vec<f64> {
        let definition = &schema.features[feature];
        let mut values = self.values[feature].clone();
        if self.weighed[feature]
            && let (Value::Number(own), Some(seen)) = (applicant[feature], ranges.feature(feature))
        {
            let room = Room::around(definition, seen, own);
            if !room.is_empty() {
                values.extend(grid(
                    &definition.kind,
                    room.whole,
                    definition.step,
                    Some(own),
                    limit,
                ));
            }
        }
        values.iter().flat_map(|&value| [value.next_down(), value]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Feature, Kind, Target};

    #[test]
    fn rules_name_the_values_that_matter() {
        let target =
            Target { column: "y".into(), favourable: "1".into(), unfavourable: "0".into() };
        let levels = ["none", "some", "much"].map(String::from).to_vec();
        let features = vec![
            Feature::new("a", Kind::Integer),
            Feature::new("b", Kind::Continuous),
            Feature::new("c", Kind::Ordinal { levels }),
        ];
        let schema = Schema { name: "t".into(), target, features, rules: Vec::new() };
        let rules = [
            "if c rises then a rises by at least 2",
            "b >= 0.5",
            "never c is much and a falls by at most 3",
        ]
        .map(|text| Rule::parse(text, &schema.features).unwrap());
        let rules: Vec<&Rule> = rules.iter().collect();
        let own = vec![Value::Number(4.0), Value::Number(0.3), Value::Level(1)];
        let points = RulePoints::of(&rules, &schema, &own);
        assert_eq!(points.values, [vec![4.0, 6.0, 4.0, 1.0], vec![0.5], vec![1.0, 2.0]]);
        assert_eq!(points.weighed, [false; 3]);
        let sum = Rule::parse("a <= 2 * b", &schema.features).unwrap();
        let points = RulePoints::of(&[&sum], &schema, &own);
        assert_eq!(points.weighed, [true, true, false]);
        let seen = vec![Value::Number(0.0), Value::Number(0.0), Value::Level(0)];
        let top = vec![Value::Number(3.0), Value::Number(1.0), Value::Level(2)];
        let ranges = Ranges::fit(&schema, &[seen, top]).unwrap();
        let cuts = points.thresholds(&schema, &ranges, &own, 0, 100);
        assert_eq!(cuts.iter().filter(|cut| cut.fract() == 0.0).count(), 4, "{cuts:?}");
    }
}
