//! Parsing a rule: its form, and how its statements are joined.

use super::cursor::Cursor;
use super::token::{start_of, tokens};
use super::{Demand, Formula, Rule};
use crate::InputError;
use crate::data::Feature;

impl Rule {
    /// Reads a rule about these features.
    ///
    /// ```
    /// use amends::data::{Rule, Schema};
    /// let german = Schema::german();
    /// let rule = Rule::parse("at most 1 of credit_amount, duration changes", &german.features)?;
    /// assert_eq!(rule.text, "at most 1 of credit_amount, duration changes");
    /// let refusal = Rule::parse("if housing is sold then duration falls", &german.features).unwrap_err();
    /// assert!(refusal.to_string().contains("`sold` is not a level of `housing`"));
    /// # Ok::<(), amends::InputError>(())
    /// ```
    pub fn parse(text: &str, features: &[Feature]) -> Result<Self, InputError> {
        Self::parse_beside(text, features, None)
    }

    /// Reads several rules with semicolons between them; none from an empty text.
    pub fn parse_list(text: &str, features: &[Feature]) -> Result<Vec<Self>, InputError> {
        Self::split_list(text).map(|piece| Self::parse(piece, features)).collect()
    }

    /// The pieces of a list with semicolons between them, those in quotes aside; empty ones are left out.
    pub fn split_list(text: &str) -> impl Iterator<Item = &str> {
        split(text).into_iter().map(str::trim).filter(|piece| !piece.is_empty())
    }

    /// Reads a rule that must not name the target.
    pub(in crate::data) fn parse_beside(
        text: &str,
        features: &[Feature],
        target: Option<&str>,
    ) -> Result<Self, InputError> {
        let read = || {
            let mut cursor = Cursor::new(tokens(text)?, features, target);
            if cursor.tokens.is_empty() {
                return Err(InputError::new("is empty")
                    .remedy("write a rule, such as `at most 1 of a, b changes` or `a <= b`"));
            }
            let must = cursor.take_word(&["must"]).is_some();
            let demand = cursor.demand()?;
            if cursor.next < cursor.tokens.len() {
                return Err(cursor.unexpected("`and`, `or`, or nothing"));
            }
            Ok(Self { text: text.to_owned(), name: None, must, demand })
        };
        read().map_err(|error| error.at(place_of(text)))
    }
}

/// How messages call a rule.
pub(in crate::data) fn place_of(text: &str) -> String {
    format!("rule `{}`", start_of(text.trim_start()))
}

/// Cuts at semicolons outside quotes. A doubled quote closes and opens again, which is all the same here.
fn split(text: &str) -> Vec<&str> {
    let mut quote = None;
    text.split(|letter| {
        if let Some(open) = quote {
            quote = Some(open).filter(|&open| open != letter);
            return false;
        }
        quote = Some(letter).filter(|letter| ['"', '`'].contains(letter));
        letter == ';'
    })
    .collect()
}

impl Cursor<'_> {
    fn demand(&mut self) -> Result<Demand, InputError> {
        if self.take_word(&["at"]).is_some() {
            return self.at_most();
        }
        if self.is_list() {
            return self.together();
        }
        let formula = if self.take_word(&["if"]).is_some() {
            let condition = self.formula()?;
            self.expect_word(&["then"])?;
            Formula::Any(vec![Formula::Not(Box::new(condition)), self.formula()?])
        } else if self.take_word(&["never"]).is_some() {
            Formula::Not(Box::new(self.formula()?))
        } else {
            self.formula()?
        };
        Ok(Demand::Formula(formula))
    }

    fn at_most(&mut self) -> Result<Demand, InputError> {
        self.expect_word(&["most"])?;
        let most = self.expect_number("how many features may change")?;
        if most < 0.0 || most.fract() != 0.0 {
            return Err(InputError::new("is not a count of features")
                .value(most)
                .remedy("write a whole number, such as 1"));
        }
        self.expect_word(&["of"])?;
        let features = self.features_listed()?;
        self.expect_word(&["change", "changes"])?;
        Ok(Demand::AtMost { most: most as usize, features })
    }

    fn together(&mut self) -> Result<Demand, InputError> {
        let features = self.features_listed()?;
        self.expect_word(&["change", "changes"])?;
        self.expect_word(&["together"])?;
        if features.len() < 2 {
            return Err(InputError::new("names one feature that changes together")
                .remedy("name the others, too, with commas between them"));
        }
        if let Some(&other) = features.iter().find(|&&f| !self.features[f].is_numeric()) {
            let feature = &self.features[other];
            return Err(InputError::new(format!(
                "is of kind {}, but only numbers move by the same amount",
                feature.kind.name()
            ))
            .value(&feature.name)
            .remedy("leave it out, or tie it to the others with `if ... then ...`"));
        }
        Ok(Demand::Together(features))
    }

    /// Whether a list of features comes that is said to change together: nothing else has a comma or an `and` between
    /// bare features.
    fn is_list(&self) -> bool {
        use super::token::What::{Keyword, Name, Sign, Word};
        let mut offset = 0;
        while matches!(self.ahead(offset), Some(Word | Name(_))) {
            match self.ahead(offset + 1) {
                Some(Sign(",")) => return true,
                Some(Keyword("and")) => offset += 2,
                Some(Keyword("change" | "changes")) => {
                    return self.ahead(offset + 2) == Some(&Keyword("together"));
                }
                _ => return false,
            }
        }
        false
    }

    /// Features with commas or `and` between them, none twice.
    fn features_listed(&mut self) -> Result<Vec<usize>, InputError> {
        let mut features = Vec::new();
        loop {
            let feature = self.expect_feature()?;
            if features.contains(&feature) {
                return Err(InputError::new("is named twice")
                    .value(&self.features[feature].name)
                    .remedy("name each feature once"));
            }
            features.push(feature);
            let comma = self.take_sign(&[","]).is_some();
            if !(self.take_word(&["and"]).is_some() || comma) {
                return Ok(features);
            }
        }
    }

    /// Statements joined by `or`, and more tightly by `and`.
    fn formula(&mut self) -> Result<Formula, InputError> {
        self.nested(|cursor| {
            let mut parts = Vec::new();
            loop {
                parts.push(cursor.conjunction()?);
                if cursor.take_word(&["or"]).is_none() {
                    return Ok(joined(parts, Formula::Any));
                }
            }
        })
    }

    fn conjunction(&mut self) -> Result<Formula, InputError> {
        let mut parts = Vec::new();
        loop {
            parts.push(self.unit()?);
            if self.take_word(&["and"]).is_none() {
                return Ok(joined(parts, Formula::All));
            }
        }
    }

    fn unit(&mut self) -> Result<Formula, InputError> {
        if self.take_word(&["not"]).is_some() {
            return self.nested(|cursor| Ok(Formula::Not(Box::new(cursor.unit()?))));
        }
        if self.take_sign(&["("]).is_none() {
            return self.statement();
        }
        let inside = self.formula()?;
        if self.take_sign(&[")"]).is_none() {
            return Err(self.unexpected("`)`"));
        }
        Ok(inside)
    }
}

fn joined(mut parts: Vec<Formula>, join: fn(Vec<Formula>) -> Formula) -> Formula {
    if parts.len() == 1 { parts.remove(0) } else { join(parts) }
}
