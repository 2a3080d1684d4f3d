//! Reading a single statement: how a feature moves, what it is, how sums compare.

use super::cursor::Cursor;
use super::token::{What, start_of};
use super::{Atom, Direction, Formula};
use crate::InputError;
use crate::data::value::level_of;
use crate::data::{Feature, Kind, Value, some_of};

const COMPARISONS: [&str; 6] = ["<=", "<", ">=", ">", "=", "!="];

impl Cursor<'_> {
    pub(super) fn statement(&mut self) -> Result<Formula, InputError> {
        let Some(feature) = self.feature_ahead(0) else { return self.comparison() };
        match self.ahead(1) {
            Some(&What::Keyword(verb)) if !["and", "or", "then"].contains(&verb) => {
                self.next += 1;
                self.verb(feature)
            }
            Some(&What::Sign(sign)) if COMPARISONS.contains(&sign) => {
                if self.features[feature].is_numeric() && !self.is_code_ahead(feature, sign) {
                    return self.comparison();
                }
                self.next += 2;
                self.value_comparison(feature, sign)
            }
            Some(What::Sign("+" | "-" | "*")) => self.comparison(),
            _ => {
                self.next += 1;
                Err(self.unexpected(
                    "what the feature does (`changes`, `stays`, `rises`, `falls`, `is ...`) or a comparison such as `<= 5`",
                ))
            }
        }
    }

    fn verb(&mut self, feature: usize) -> Result<Formula, InputError> {
        let changes = Formula::Atom(Atom::Changes { feature });
        let expected =
            ["changes", "stays", "rises", "falls", "does", "is", "change", "stay", "rise", "fall"];
        match self.expect_word(&expected)? {
            "changes" | "change" => Ok(changes),
            "stays" | "stay" => Ok(not(changes)),
            "rises" | "rise" => self.moves(feature, Direction::Up),
            "falls" | "fall" => self.moves(feature, Direction::Down),
            "is" => self.is(feature),
            _ => {
                self.expect_word(&["not"])?;
                let statement = match self.expect_word(&["change", "rise", "fall"])? {
                    "rise" => self.moves(feature, Direction::Up)?,
                    "fall" => self.moves(feature, Direction::Down)?,
                    _ => changes,
                };
                Ok(not(statement))
            }
        }
    }

    fn moves(&mut self, feature: usize, direction: Direction) -> Result<Formula, InputError> {
        let named = &self.features[feature];
        if matches!(named.kind, Kind::Categorical { .. }) {
            return Err(InputError::new("has levels without an order, so it can't rise or fall")
                .value(&named.name)
                .remedy("say `changes`, name levels with `is`, or declare it as ordinal"));
        }
        let (mut least, mut most) = (None, None);
        if self.take_word(&["by"]).is_some() {
            let bound = if self.take_word(&["at"]).is_some() {
                Some(self.expect_word(&["least", "most"])?)
            } else {
                None
            };
            let size = self.expect_number("a number, `at least` or `at most`")?;
            self.check_size(feature, size, bound.is_none())?;
            least = (bound != Some("most")).then_some(size);
            most = (bound != Some("least")).then_some(size);
        }
        Ok(Formula::Atom(Atom::Moves { feature, direction, least, most }))
    }

    fn check_size(&self, feature: usize, size: f64, exact: bool) -> Result<(), InputError> {
        let feature = &self.features[feature];
        let problem = if size <= 0.0 {
            "is not a size of a move"
        } else if !feature.is_numeric() && size.fract() != 0.0 {
            "is not a count of levels"
        } else if feature.kind == Kind::Integer && exact && size.fract() != 0.0 {
            "is not a move between whole numbers"
        } else {
            return Ok(());
        };
        Err(InputError::new(problem).value(size).remedy(if size <= 0.0 {
            "give a number above 0, and say `rises` or `falls`"
        } else {
            "give a whole number"
        }))
    }

    /// `is own`, `is not own`, `is one of own, rent`.
    fn is(&mut self, feature: usize) -> Result<Formula, InputError> {
        let negated = self.take_word(&["not"]).is_some();
        let mut values = Vec::new();
        if self.take_word(&["one"]).is_some() {
            self.expect_word(&["of"])?;
            loop {
                let value = self.value(feature)?;
                if values.contains(&value) {
                    let named = &self.features[feature];
                    return Err(InputError::new("is named twice")
                        .value(named.show(value))
                        .remedy("name each value once"));
                }
                values.push(value);
                if self.take_sign(&[","]).is_none() {
                    break;
                }
            }
        } else {
            values.push(self.value(feature)?);
        }
        let is = Formula::Atom(Atom::Is { feature, values });
        Ok(if negated { not(is) } else { is })
    }

    /// Takes a level, a number, or a code by its label or text.
    fn value(&mut self, feature: usize) -> Result<Value, InputError> {
        let named = &self.features[feature];
        let expected = if named.is_numeric() { "a number or a code" } else { "a level" };
        let text = match (self.ahead(0), self.ahead(1)) {
            (Some(What::Word | What::Number(_)), _) => self.tokens[self.next].piece.to_owned(),
            (Some(What::Text(text)), _) => text.clone(),
            (Some(What::Sign("-")), Some(What::Number(_))) => {
                self.next += 1;
                format!("-{}", self.tokens[self.next].piece)
            }
            (Some(What::Keyword(_)), _)
                if value_of(named, self.tokens[self.next].piece).is_ok() =>
            {
                let word = self.tokens[self.next].piece;
                return Err(InputError::new("is a word of the rules' own")
                    .value(word)
                    .remedy(format!("write \"{word}\" for the value")));
            }
            _ => return Err(self.unexpected(expected)),
        };
        let value = value_of(named, &text)?;
        self.next += 1;
        if matches!(self.ahead(0), Some(What::Word)) {
            return Err(self.unexpected(
                "`and`, `or`, or nothing (a level of several words stands in double quotes)",
            ));
        }
        Ok(value)
    }

    /// Whether `=` or `!=` is followed by a code rather than by a sum.
    fn is_code_ahead(&self, feature: usize, sign: &str) -> bool {
        ["=", "!="].contains(&sign)
            && match self.ahead(2) {
                Some(What::Text(_)) => true,
                Some(What::Word) if self.feature_ahead(2).is_none() => {
                    let word = self.tokens[self.next + 2].piece;
                    self.features[feature].codes.iter().any(|c| c.label == word || c.text == word)
                }
                _ => false,
            }
    }

    /// A feature against one of its levels, by rank where it is more or less; or against a code.
    fn value_comparison(&mut self, feature: usize, sign: &str) -> Result<Formula, InputError> {
        let named = &self.features[feature];
        let ordered = !matches!(named.kind, Kind::Categorical { .. });
        if !ordered && !["=", "!="].contains(&sign) {
            return Err(InputError::new("compares levels without an order")
                .value(format!("{} {sign}", named.name))
                .remedy("name levels with `is one of`, or declare the feature as ordinal"));
        }
        let value = self.value(feature)?;
        if matches!(value, Value::Code(_)) && !["=", "!="].contains(&sign) {
            return Err(InputError::new("compares with a state, which has no rank")
                .value(format!("{} {sign}", named.name))
                .remedy("name states with `is` or `is not`"));
        }
        let rank = match value {
            Value::Level(level) => level as f64,
            Value::Number(_) | Value::Code(_) => 0.0,
        };
        let is = |values| Formula::Atom(Atom::Is { feature, values });
        let lies = |low, high| Formula::Atom(Atom::Lies { feature, low, high });
        let (down, up) = (f64::NEG_INFINITY, f64::INFINITY);
        Ok(match sign {
            "=" => is(vec![value]),
            "!=" => not(is(vec![value])),
            "<=" => lies(down, rank),
            "<" => lies(down, rank - 1.0),
            ">=" => lies(rank, up),
            _ => lies(rank + 1.0, up),
        })
    }

    /// Two sums and the sign between them.
    fn comparison(&mut self) -> Result<Formula, InputError> {
        let start = self.next;
        let left = self.sum()?;
        let Some(sign) = self.take_sign(&COMPARISONS) else {
            return Err(self.unexpected("one of <= < >= > = !="));
        };
        let right = self.sum()?;
        if matches!(self.ahead(0), Some(What::Sign(sign)) if COMPARISONS.contains(sign)) {
            return Err(self.unexpected("`and` and a second comparison"));
        }
        let pieces: Vec<&str> =
            self.tokens[start..self.next].iter().map(|token| token.piece).collect();
        left.compare(sign, right, self.features)
            .map_err(|error| error.value(start_of(&pieces.join(" "))))
    }
}

fn not(formula: Formula) -> Formula {
    Formula::Not(Box::new(formula))
}

fn value_of(feature: &Feature, text: &str) -> Result<Value, InputError> {
    if let Some(code) = feature.codes.iter().position(|code| code.label == text) {
        return Ok(Value::Code(code));
    }
    if !feature.is_numeric() {
        let code = feature.code_of(text).map(Value::Code);
        let value = code.or_else(|| level_of(feature.levels(), text).map(Value::Level));
        return value.ok_or_else(|| {
            let codes = feature.codes.iter().map(|code| code.label.clone());
            let known: Vec<String> = feature.levels().iter().cloned().chain(codes).collect();
            InputError::new(format!("is not a level of `{}`", feature.name))
                .value(start_of(text))
                .remedy(format!("use one of {}", some_of(&known)))
        });
    }
    if feature.code_of(text).is_none() && text.parse::<f64>().is_err() {
        let labels: Vec<String> = feature.codes.iter().map(|code| code.label.clone()).collect();
        let remedy = if labels.is_empty() {
            "it holds numbers alone: compare it with one".to_owned()
        } else {
            format!("write a number, or a code: {}", some_of(&labels))
        };
        return Err(InputError::new(format!(
            "is neither a number nor a code of `{}`, which is of kind {}",
            feature.name,
            feature.kind.name()
        ))
        .value(start_of(text))
        .remedy(remedy));
    }
    feature.parse_cell(text)
}
