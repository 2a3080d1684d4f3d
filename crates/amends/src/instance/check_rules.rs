//! What rules must satisfy before any engine sees them.

use super::check::{check_finite, same_length, wrong};
use super::{FeatureOptions, Instance, Literal, RuleKind, Term};
use crate::Result;

impl Instance {
    pub(super) fn check_rules(&self) -> Result<()> {
        for (index, rule) in self.rules.iter().enumerate() {
            let place = format!("rules[{index}] `{}`", rule.name);
            match &rule.kind {
                RuleKind::AnyOf(literals) => {
                    for (index, literal) in literals.iter().enumerate() {
                        self.check_literal(literal, &format!("{place}, any_of[{index}]"))?;
                    }
                }
                RuleKind::AtMost { terms, most } => self.check_sum(terms, *most, &place)?,
            }
        }
        Ok(())
    }

    fn check_literal(&self, literal: &Literal, place: &str) -> Result<()> {
        let feature = self.named_feature(literal.feature, place)?;
        let count = feature.options.len();
        if let Some(&(_, last)) = literal.options.intervals().last()
            && last >= count
        {
            return wrong(
                place,
                format!("names option {last}, but `{}` has {count} options", feature.name),
                "options are counted from 0",
            );
        }
        Ok(())
    }

    fn check_sum(&self, terms: &[Term], most: f64, place: &str) -> Result<()> {
        let mut size = 0.0;
        for (index, term) in terms.iter().enumerate() {
            let place = format!("{place}, at_most.terms[{index}]");
            let feature = self.named_feature(term.feature, &place)?;
            let place = format!("{place}.coefficients");
            same_length(
                term.coefficients.len(),
                feature.options.len(),
                &place,
                &format!("`{}` has options", feature.name),
            )?;
            check_finite(&term.coefficients, &place)?;
            size += term.coefficients.largest();
        }
        if !most.is_finite() {
            return wrong(
                &format!("{place}, at_most.most"),
                format!("is {most}, not a finite number"),
                "give a finite number",
            );
        }
        if !(size + most.abs()).is_finite() {
            return wrong(
                place,
                "holds numbers too large to add up",
                "divide the coefficients and `most` by a common factor",
            );
        }
        Ok(())
    }

    fn named_feature(&self, feature: usize, place: &str) -> Result<&FeatureOptions> {
        let count = self.features.len();
        match self.features.get(feature) {
            Some(feature) => Ok(feature),
            None => wrong(
                place,
                format!("names feature {feature}, but there are {count} features"),
                "features are counted from 0, in the order of `features`",
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::OptionRule;
    use super::super::file::tests::small;
    use super::*;

    fn message(rule: OptionRule) -> String {
        small().with_rules([rule]).unwrap_err().to_string()
    }

    #[test]
    fn rules_must_fit_the_instance() {
        let any_of = |feature, options: &[usize]| {
            let literal = Literal { feature, options: options.iter().copied().collect() };
            message(OptionRule::any_of("link", vec![literal]))
        };
        let at_most = |feature, coefficients: &[f64], most| {
            let term = Term { feature, coefficients: coefficients.to_vec().into() };
            message(OptionRule::at_most("cap", vec![term.clone(), term], most))
        };
        let cases = [
            (any_of(3, &[0]), "rules[0] `link`, any_of[0]: names feature 3, but there are 3"),
            (any_of(0, &[0, 3]), "any_of[0]: names option 3, but `age` has 3 options"),
            (at_most(7, &[0.0], 1.0), "rules[0] `cap`, at_most.terms[0]: names feature 7"),
            (at_most(2, &[0.0], 1.0), "at_most.terms[0].coefficients: has 1 entries"),
            (
                at_most(1, &[f64::NAN], 1.0),
                "at_most.terms[0].coefficients: holds a number that is not finite",
            ),
            (at_most(1, &[1.0], f64::INFINITY), "at_most.most: is inf"),
            (at_most(1, &[f64::MAX], 1.0), "too large to add up"),
        ];
        for (message, expected) in cases {
            assert!(message.contains(expected), "{message:?} should name {expected:?}");
        }
    }

    #[test]
    fn rules_that_never_or_always_hold_are_rules() {
        let never = OptionRule::any_of("never", Vec::new());
        let always = OptionRule::at_most("always", Vec::new(), 0.0);
        assert_eq!(small().with_rules([never, always]).unwrap().rules.len(), 2);
    }
}
