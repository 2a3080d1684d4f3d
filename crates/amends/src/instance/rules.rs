//! Rules that tie features together, in the two shapes that every engine understands.
//!
//! "At most one of these changes", "if this changes then that must be so", "this plus that stays below a
//! limit": for one applicant, whose options are listed, each is a clause over options or a weighted sum.

use serde::{Deserialize, Serialize};

use super::{Coefficients, Instance, OptionSet};

/// Sums may exceed their limit by this, times the sizes that were added up: rounding must not decide whether a rule holds.
/// More than that would let rules between large numbers be broken.
pub(crate) const SUM_TOLERANCE: f64 = 1e-14;

/// Sums of whole numbers, which are not rounded, may exceed their limit by no more than this.
const WHOLE_TOLERANCE: f64 = 0.25;

/// Whole numbers up to this are exact: 2^53.
const LARGEST_WHOLE: f64 = 9_007_199_254_740_992.0;

/// A rule that ties features together. Plans hold every rule of their instance; the applicant as they
/// are need not.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "RuleFile", into = "RuleFile")]
pub struct OptionRule {
    /// What people call it.
    pub name: String,
    /// What it demands.
    pub kind: RuleKind,
}

/// What a rule demands.
#[derive(Debug, Clone, PartialEq)]
pub enum RuleKind {
    /// At least one of these holds. An empty list never does.
    AnyOf(Vec<Literal>),
    /// The coefficients of the taken options add up to at most `most`.
    AtMost {
        /// What is added up; terms of the same feature all count.
        terms: Vec<Term>,
        /// The limit.
        most: f64,
    },
}

/// Holds where a feature takes one of the listed options.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Literal {
    /// The feature's index in the instance.
    pub feature: usize,
    /// The options. Without any it never holds.
    pub options: OptionSet,
}

/// What a feature adds to a sum.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Term {
    /// The feature's index in the instance.
    pub feature: usize,
    /// One per option of the feature.
    pub coefficients: Coefficients,
}

/// A rule as the file holds it: the name and one of two fields.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RuleFile {
    name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    any_of: Option<Vec<Literal>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    at_most: Option<SumFile>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SumFile {
    terms: Vec<Term>,
    most: f64,
}

impl TryFrom<RuleFile> for OptionRule {
    type Error = String;

    fn try_from(file: RuleFile) -> Result<Self, String> {
        let kind = match (file.any_of, file.at_most) {
            (Some(literals), None) => RuleKind::AnyOf(literals),
            (None, Some(SumFile { terms, most })) => RuleKind::AtMost { terms, most },
            _ => return Err(format!("rule `{}` needs either `any_of` or `at_most`", file.name)),
        };
        Ok(Self { name: file.name, kind })
    }
}

impl From<OptionRule> for RuleFile {
    fn from(rule: OptionRule) -> Self {
        let (any_of, at_most) = match rule.kind {
            RuleKind::AnyOf(literals) => (Some(literals), None),
            RuleKind::AtMost { terms, most } => (None, Some(SumFile { terms, most })),
        };
        Self { name: rule.name, any_of, at_most }
    }
}

impl OptionRule {
    /// At least one of the literals holds.
    pub fn any_of(name: impl Into<String>, literals: Vec<Literal>) -> Self {
        Self { name: name.into(), kind: RuleKind::AnyOf(literals) }
    }

    /// The coefficients of the taken options add up to at most `most`.
    pub fn at_most(name: impl Into<String>, terms: Vec<Term>, most: f64) -> Self {
        Self { name: name.into(), kind: RuleKind::AtMost { terms, most } }
    }

    /// The same rule where features have only some of their options.
    pub(crate) fn keep_options(&mut self, kept: &[OptionSet]) {
        match &mut self.kind {
            RuleKind::AnyOf(literals) => {
                for literal in literals {
                    let mut before = 0;
                    let mut named = Vec::new();
                    for &(first, last) in kept[literal.feature].intervals() {
                        let part = std::iter::once((first, last)).collect();
                        let both = literal.options.intersection(&part);
                        let moved = |&(from, to)| (from - first + before, to - first + before);
                        named.extend(both.intervals().iter().map(moved));
                        before += last - first + 1;
                    }
                    literal.options = named.into_iter().collect();
                }
            }
            RuleKind::AtMost { terms, .. } => {
                for term in terms {
                    term.coefficients = term.coefficients.only(&kept[term.feature]);
                }
            }
        }
    }

    /// Whether a choice of one option per feature holds the rule.
    pub fn holds(&self, choice: &[usize]) -> bool {
        match &self.kind {
            RuleKind::AnyOf(literals) => {
                literals.iter().any(|literal| literal.options.contains(choice[literal.feature]))
            }
            RuleKind::AtMost { terms, most } => {
                let (mut sum, mut size, mut whole) = (0.0, 0.0, true);
                for term in terms {
                    let taken = term.coefficients.at(choice[term.feature]);
                    sum += taken;
                    size += taken.abs();
                    whole &= taken.fract() == 0.0;
                }
                let tolerance = SUM_TOLERANCE * (most.abs() + size);
                // Whole numbers add up without rounding, so that only the limit may be off.
                let exact = whole && size <= LARGEST_WHOLE;
                sum <= most + if exact { tolerance.min(WHOLE_TOLERANCE) } else { tolerance }
            }
        }
    }
}

impl Instance {
    /// The rules that a choice of one option per feature breaks, by their index.
    pub fn broken_rules(&self, choice: &[usize]) -> Vec<usize> {
        (0..self.rules.len()).filter(|&rule| !self.rules[rule].holds(choice)).collect()
    }

    /// Demands another set of changed features than this one: one of the set keeps its value, or one
    /// outside it changes.
    pub fn forbid_set(&mut self, changed: &[usize]) {
        let literals = self.features.iter().enumerate().map(|(feature, feature_options)| {
            let kept = feature_options.keep_set(&self.x);
            let in_set = changed.contains(&feature);
            let options =
                if in_set { kept } else { kept.complement(feature_options.options.len()) };
            Literal { feature, options }
        });
        let rule = OptionRule::any_of("another set of changes", literals.collect());
        self.rules.push(rule);
    }

    /// Forbids plans that change all of these features, whatever else they change.
    pub fn forbid_supersets(&mut self, changed: &[usize]) {
        let literals = changed.iter().map(|&feature| {
            let options = self.features[feature].keep_set(&self.x);
            Literal { feature, options }
        });
        let rule = OptionRule::any_of("not all of these changes", literals.collect());
        self.rules.push(rule);
    }

    /// Demands a set of changed features that differs from this one in at least `apart` features.
    pub fn demand_apart(&mut self, changed: &[usize], apart: usize) {
        let terms = self.features.iter().enumerate().map(|(feature, feature_options)| {
            // Where it differs it counts -1.
            let (kept, changes) =
                if changed.contains(&feature) { (-1.0, 0.0) } else { (0.0, -1.0) };
            let mut coefficients = Coefficients::constant(changes, feature_options.options.len());
            for &interval in feature_options.keep_set(&self.x).intervals() {
                coefficients.raise(interval, kept - changes);
            }
            Term { feature, coefficients }
        });
        let rule =
            OptionRule::at_most("changes far enough apart", terms.collect(), -(apart as f64));
        self.rules.push(rule);
    }
}

#[cfg(test)]
mod tests {
    use super::super::file::tests::small;
    use super::super::read_instances;
    use super::*;

    fn literal(feature: usize, options: &[usize]) -> Literal {
        Literal { feature, options: options.iter().copied().collect() }
    }

    #[test]
    fn a_clause_holds_where_one_literal_does() {
        let rule = OptionRule::any_of("r", vec![literal(0, &[2]), literal(2, &[0, 1])]);
        assert!(rule.holds(&[2, 0, 5]) && rule.holds(&[0, 0, 1]));
        assert!(!rule.holds(&[1, 2, 2]));
        assert!(!OptionRule::any_of("never", Vec::new()).holds(&[0, 0, 0]));
    }

    #[test]
    fn a_sum_holds_up_to_its_limit_whatever_rounding_does() {
        let tenths = |feature| Term { feature, coefficients: vec![0.0, 0.1].into() };
        let sum = |most| OptionRule::at_most("r", vec![tenths(0), tenths(1), tenths(2)], most);
        // 0.1 + 0.1 + 0.1 is more than 0.3 in binary digits.
        assert!(sum(0.3).holds(&[1, 1, 1]) && !sum(0.299_999).holds(&[1, 1, 1]));
        let twice = OptionRule::at_most("r", vec![tenths(0), tenths(0)], 0.15);
        assert!(!twice.holds(&[1]) && twice.holds(&[0]));
    }

    #[test]
    fn sums_of_whole_numbers_are_exact() {
        let term = |feature, taken| Term { feature, coefficients: vec![0.0, taken].into() };
        let large = 400_000_000_000_000.0;
        let rule = |most| OptionRule::at_most("r", vec![term(0, large), term(1, 1.0)], most);
        assert!(rule(large + 1.5).holds(&[1, 1]) && !rule(large + 0.5).holds(&[1, 1]));
        assert!(rule(large).holds(&[1, 0]) && !rule(large).holds(&[1, 1]));
        // The limit may still be a rounded number.
        let tenths =
            OptionRule::at_most("r", vec![term(0, 2.0), term(1, 1.0)], 3.0_f64.next_down());
        assert!(tenths.holds(&[1, 1]));
    }

    #[test]
    fn a_plan_that_breaks_a_rule_is_none() {
        let mut instance = small();
        assert!(crate::Plan::judge(&instance, vec![2, 0, 1]).is_some());
        instance.rules.push(OptionRule::any_of("age stays", vec![literal(0, &[1])]));
        instance.rules.push(OptionRule::any_of("housing changes", vec![literal(2, &[1])]));
        assert!(crate::Plan::judge(&instance, vec![2, 0, 1]).is_none());
        assert_eq!(instance.evaluate(&[2, 0, 1]).broken_rules, [0]);
        assert_eq!(instance.broken_rules(&[2, 0, 0]), [0, 1]);
    }

    #[test]
    fn rules_read_back_equal_and_are_only_written_where_there_are_any() {
        let mut instance = small();
        assert!(!instance.to_json().contains("rules"));
        let coefficients = vec![0.0, 1.0].into();
        instance.rules = vec![
            OptionRule::any_of("one", vec![literal(0, &[1, 2]), literal(2, &[])]),
            OptionRule::at_most("two", vec![Term { feature: 2, coefficients }], 0.5),
        ];
        let text = instance.to_json();
        assert!(text.contains(
            r#""rules":[{"name":"one","any_of":[{"feature":0,"options":[[1,2]]},{"feature":2,"options":[]}]},{"name":"two","at_most":{"terms":[{"feature":2,"coefficients":[0.0,1.0]}],"most":0.5}}]"#
        ), "{text}");
        assert_eq!(read_instances(&text, "copy").unwrap(), vec![instance]);
    }

    #[test]
    fn a_rule_without_a_demand_or_with_two_is_refused() {
        let text = small().to_json();
        for (rule, expected) in [
            (r#"{"name": "r"}"#, "either `any_of` or `at_most`"),
            (r#"{"name": "r", "any_of": [], "at_most": {"terms": [], "most": 0}}"#, "either"),
            (r#"{"name": "r", "anyof": []}"#, "did you mean `any_of`?"),
        ] {
            let text = text.replacen('{', &format!(r#"{{"rules": [{rule}], "#), 1);
            let message = read_instances(&text, "rules.json").unwrap_err().to_string();
            assert!(message.contains(expected), "{message}");
        }
    }

    #[test]
    fn sets_of_changes_are_kept_apart() {
        let mut instance = small();
        instance.forbid_set(&[0, 2]);
        instance.demand_apart(&[0], 2);
        instance.check().unwrap();
        let (other, apart) = (&instance.rules[0], &instance.rules[1]);
        // Age -1 and age +2 both change; amount has one option.
        assert!(!other.holds(&[0, 0, 1]) && !other.holds(&[2, 0, 1]));
        assert!(other.holds(&[1, 0, 1]) && other.holds(&[2, 0, 0]) && other.holds(&[1, 0, 0]));
        assert!(apart.holds(&[1, 0, 1]));
        assert!(!apart.holds(&[2, 0, 1]) && !apart.holds(&[1, 0, 0]) && !apart.holds(&[0, 0, 0]));
    }
}
