//! Going through the tokens of a rule, and finding what their names stand for.

use super::token::{Token, What, start_of};
use crate::InputError;
use crate::data::{Feature, some_of};
use crate::decimal::Decimal;
use crate::names::nearest;

/// How deep statements may be nested. Nobody needs more, and without a limit the stack could overflow.
const DEEPEST: usize = 32;

/// A position in a rule's text.
pub(super) struct Cursor<'a> {
    pub tokens: Vec<Token<'a>>,
    pub next: usize,
    pub features: &'a [Feature],
    /// The column that no rule may name, where it is known.
    pub target: Option<&'a str>,
    depth: usize,
}

impl<'a> Cursor<'a> {
    pub fn new(tokens: Vec<Token<'a>>, features: &'a [Feature], target: Option<&'a str>) -> Self {
        Self { tokens, next: 0, features, target, depth: 0 }
    }

    /// The token that is `ahead` places further on, which is not taken.
    pub fn ahead(&self, ahead: usize) -> Option<&What> {
        self.tokens.get(self.next + ahead).map(|token| &token.what)
    }

    /// Takes one of the keywords where it comes next.
    pub fn take_word(&mut self, words: &[&str]) -> Option<&'static str> {
        match self.ahead(0) {
            Some(&What::Keyword(word)) if words.contains(&word) => {
                self.next += 1;
                Some(word)
            }
            _ => None,
        }
    }

    /// Takes one of the signs where it comes next.
    pub fn take_sign(&mut self, signs: &[&str]) -> Option<&'static str> {
        match self.ahead(0) {
            Some(&What::Sign(sign)) if signs.contains(&sign) => {
                self.next += 1;
                Some(sign)
            }
            _ => None,
        }
    }

    /// Takes a keyword that must come next.
    pub fn expect_word(&mut self, words: &[&str]) -> Result<&'static str, InputError> {
        let listed: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
        self.take_word(words).ok_or_else(|| self.unexpected(&listed.join(" or ")))
    }

    /// Takes a number that must come next, with its sign.
    pub fn expect_number(&mut self, what: &str) -> Result<f64, InputError> {
        let negative = matches!(
            (self.ahead(0), self.ahead(1)),
            (Some(What::Sign("-")), Some(What::Number(_)))
        );
        let offset = usize::from(negative);
        let Some(&What::Number(number)) = self.ahead(offset) else {
            return Err(self.unexpected(what));
        };
        let piece = self.tokens[self.next + offset].piece;
        // Sizes are compared exactly, so a digit that is lost here would matter.
        if Decimal::parse(piece) != Decimal::of(number) {
            return Err(InputError::new("has more digits than a number of a table")
                .value(start_of(piece))
                .remedy("write it with at most 15 digits"));
        }
        self.next += offset + 1;
        Ok(if negative { -number } else { number })
    }

    /// The error where something else should come next.
    pub fn unexpected(&self, expected: &str) -> InputError {
        match self.tokens.get(self.next) {
            Some(token) => InputError::new("does not fit here")
                .value(start_of(token.piece))
                .remedy(format!("write {expected} there")),
            None => InputError::new("ends too early").remedy(format!("go on with {expected}")),
        }
    }

    /// Goes one level deeper.
    pub fn nested<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, InputError>,
    ) -> Result<T, InputError> {
        if self.depth == DEEPEST {
            return Err(InputError::new(format!("is nested more than {DEEPEST} deep"))
                .remedy("split it into several rules"));
        }
        self.depth += 1;
        let found = read(self);
        self.depth -= 1;
        found
    }

    /// The feature that a token names, if it names one.
    pub fn feature_ahead(&self, ahead: usize) -> Option<usize> {
        let token = self.tokens.get(self.next + ahead)?;
        match &token.what {
            What::Word => self.place_of(token.piece),
            What::Name(name) => self.place_of(name),
            _ => None,
        }
    }

    /// Takes a feature that must come next.
    pub fn expect_feature(&mut self) -> Result<usize, InputError> {
        if let Some(feature) = self.feature_ahead(0) {
            self.next += 1;
            return Ok(feature);
        }
        let Some(token) = self.tokens.get(self.next) else {
            return Err(self.unexpected("a feature"));
        };
        match &token.what {
            What::Word => Err(self.unknown(token.piece)),
            What::Name(name) => Err(self.unknown(name)),
            What::Keyword(_) if self.place_of(token.piece).is_some() => {
                Err(InputError::new("is a word of the rules' own")
                    .value(token.piece)
                    .remedy(format!("write `{}` for the feature", token.piece)))
            }
            What::Text(text) if self.place_of(text).is_some() => {
                Err(InputError::new("is a feature in double quotes, which are for levels")
                    .value(start_of(token.piece))
                    .remedy("put features in backquotes"))
            }
            _ => Err(self.unexpected("a feature")),
        }
    }

    fn place_of(&self, name: &str) -> Option<usize> {
        self.features.iter().position(|feature| feature.name == name)
    }

    fn unknown(&self, name: &str) -> InputError {
        let error = |problem: &str| InputError::new(problem).value(start_of(name));
        if self.target == Some(name) {
            return error("is the target, which no application states")
                .remedy("name features alone");
        }
        // `housing is own or rent` is how people speak.
        let meant = self.tokens[..self.next].windows(2).find_map(|pair| match pair {
            [Token { piece, .. }, Token { what: What::Keyword("is"), .. }] => {
                let feature = &self.features[self.place_of(piece.trim_matches('`'))?];
                feature.levels().iter().any(|level| level == name).then_some(feature)
            }
            _ => None,
        });
        if let Some(feature) = meant {
            return error(&format!("is not a feature, but a level of `{}`", feature.name)).remedy(
                format!("for several levels write `{} is one of ..., {name}`", feature.name),
            );
        }
        let names: Vec<String> = self.features.iter().map(|f| f.name.clone()).collect();
        match nearest(name, names.iter().map(String::as_str)) {
            Some(near) => error("is not a feature").remedy(format!("did you mean `{near}`?")),
            None => {
                error("is not a feature").remedy(format!("the features are {}", some_of(&names)))
            }
        }
    }
}
