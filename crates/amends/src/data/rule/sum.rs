//! Weighted sums, and what comparing two of them means.

use super::cursor::Cursor;
use super::token::What;
use super::{Addend, Atom, Formula, Quantity};
use crate::InputError;
use crate::data::value::is_whole;
use crate::data::{Feature, Kind};

/// Numbers times features, and a number.
#[derive(Debug, Default)]
pub(super) struct Sum {
    terms: Vec<Addend>,
    constant: f64,
}

impl Cursor<'_> {
    pub(super) fn sum(&mut self) -> Result<Sum, InputError> {
        let mut sum = Sum::default();
        let mut negative = self.take_sign(&["+", "-"]) == Some("-");
        loop {
            let sign = if negative { -1.0 } else { 1.0 };
            let number = match self.ahead(0) {
                Some(&What::Number(number)) => {
                    self.next += 1;
                    Some(number)
                }
                _ => None,
            };
            match number {
                Some(number) if self.take_sign(&["*"]).is_none() => sum.constant += sign * number,
                _ => {
                    let mut factor = sign * number.unwrap_or(1.0);
                    let (feature, quantity) = self.quantity()?;
                    if number.is_none() && self.take_sign(&["*"]).is_some() {
                        factor *=
                            self.expect_number("a number: only weighted sums are compared")?;
                    }
                    sum.add(Addend { factor, feature, quantity });
                }
            }
            match self.take_sign(&["+", "-"]) {
                Some(next) => negative = next == "-",
                None => return Ok(sum),
            }
        }
    }

    /// A feature, or the change of one.
    fn quantity(&mut self) -> Result<(usize, Quantity), InputError> {
        let change = self.take_word(&["change"]).is_some();
        let bracket = change && self.take_sign(&["("]).is_some();
        if change && !bracket {
            self.expect_word(&["of"])?;
        }
        let place = self.next;
        let feature = self.expect_feature()?;
        let named = &self.features[feature];
        if !named.is_numeric() {
            return Err(InputError::new(format!(
                "is of kind {}, but only numbers are added up",
                named.kind.name()
            ))
            .value(self.tokens[place].piece)
            .remedy("compare it with one of its levels alone, or say what it `is`"));
        }
        if bracket && self.take_sign(&[")"]).is_none() {
            return Err(self.unexpected("`)`"));
        }
        Ok((feature, if change { Quantity::Change } else { Quantity::Value }))
    }
}

impl Sum {
    /// Adds a term to the one of the same quantity, where there is one.
    fn add(&mut self, term: Addend) {
        let same =
            |other: &&mut Addend| (other.feature, other.quantity) == (term.feature, term.quantity);
        match self.terms.iter_mut().find(same) {
            Some(other) => other.factor = tidy(other.factor + term.factor),
            None => self.terms.push(term),
        }
    }

    /// What `self sign right` demands.
    pub fn compare(
        mut self,
        sign: &str,
        right: Self,
        features: &[Feature],
    ) -> Result<Formula, InputError> {
        for term in right.terms {
            self.add(Addend { factor: -term.factor, ..term });
        }
        self.terms.retain(|term| term.factor != 0.0);
        let limit = match self.constant {
            0.0 => right.constant,
            constant => tidy(right.constant - constant),
        };
        match self.terms[..] {
            [] => Err(InputError::new("is the same for everybody")
                .remedy("compare features with each other or with numbers")),
            [Addend { factor, feature, quantity: Quantity::Value }] => {
                let sign = if factor < 0.0 { mirrored(sign) } else { sign };
                let limit = if factor == 1.0 { limit } else { tidy(limit / factor) };
                compare_one(feature, &features[feature], sign, limit)
            }
            _ => compare_several(&self.terms, sign, limit, features),
        }
    }
}

/// A feature's own number against a constant.
fn compare_one(
    feature: usize,
    named: &Feature,
    sign: &str,
    limit: f64,
) -> Result<Formula, InputError> {
    let lies = |low, high| Formula::Atom(Atom::Lies { feature, low, high });
    let (down, up) = (f64::NEG_INFINITY, f64::INFINITY);
    let whole = named.kind == Kind::Integer;
    Ok(match sign {
        "<=" => lies(down, limit),
        ">=" => lies(limit, up),
        "<" => lies(down, if whole { limit.ceil() - 1.0 } else { limit.next_down() }),
        ">" => lies(if whole { limit.floor() + 1.0 } else { limit.next_up() }, up),
        _ => {
            let value = named.parse_cell(&limit.to_string())?;
            let is = Formula::Atom(Atom::Is { feature, values: vec![value] });
            if sign == "=" { is } else { Formula::Not(Box::new(is)) }
        }
    })
}

fn compare_several(
    terms: &[Addend],
    sign: &str,
    limit: f64,
    features: &[Feature],
) -> Result<Formula, InputError> {
    let at_most = |most: f64| Formula::Atom(Atom::Sum { terms: terms.to_vec(), most });
    let at_least = |least: f64| {
        let terms = terms.iter().map(|term| Addend { factor: -term.factor, ..*term }).collect();
        Formula::Atom(Atom::Sum { terms, most: 0.0 - least })
    };
    let whole = is_whole(limit)
        && terms
            .iter()
            .all(|term| is_whole(term.factor) && features[term.feature].kind == Kind::Integer);
    match sign {
        "<=" => Ok(at_most(limit)),
        ">=" => Ok(at_least(limit)),
        "=" => Ok(Formula::All(vec![at_most(limit), at_least(limit)])),
        "<" if whole => Ok(at_most(limit - 1.0)),
        ">" if whole => Ok(at_least(limit + 1.0)),
        "!=" => Err(InputError::new("asks sums to differ without saying by how much").remedy(
            "say how far apart they must be at least, such as `a <= b - 1 or a >= b + 1`",
        )),
        _ => Err(InputError::new(format!(
            "can't be told from equality: `{sign}` between sums needs integer features and whole numbers"
        ))
        .remedy(format!("write `{sign}=`, with a margin where one is meant"))),
    }
}

/// The sign after both sides were multiplied by a negative number.
fn mirrored(sign: &str) -> &str {
    match sign {
        "<=" => ">=",
        ">=" => "<=",
        "<" => ">",
        ">" => "<",
        other => other,
    }
}

/// A computed number as on paper: 0.3 - 0.1 is 0.2, and not 0.19999999999999998.
fn tidy(number: f64) -> f64 {
    // Fifteen digits are what decimals keep on their way through a binary number.
    format!("{number:.14e}").parse::<f64>().map_or(number, |tidied| tidied + 0.0)
}
