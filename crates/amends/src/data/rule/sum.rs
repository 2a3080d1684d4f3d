//! Weighted sums, and what comparing two of them means.

use super::cursor::Cursor;
use super::token::What;
use super::{Addend, Atom, Formula, Quantity};
use crate::InputError;
use crate::data::{Feature, Kind};
use crate::decimal::{Decimal, largest_fitting};

/// Numbers times features, and a number.
#[derive(Debug, Default)]
pub(super) struct Sum {
    terms: Vec<Addend>,
    constant: Decimal,
}

impl Cursor<'_> {
    pub(super) fn sum(&mut self) -> Result<Sum, InputError> {
        let mut sum = Sum::default();
        let mut negative = self.take_sign(&["+", "-"]) == Some("-");
        loop {
            let signed = |number: Decimal| if negative { number.negative() } else { number };
            match self.take_decimal() {
                Some(number) if self.take_sign(&["*"]).is_none() => {
                    sum.constant = sum.constant.plus(&signed(number));
                }
                number => {
                    let (feature, quantity) = self.quantity()?;
                    let behind = number.is_none() && self.take_sign(&["*"]).is_some();
                    let factor =
                        if behind { self.expect_factor()? } else { number.unwrap_or(1.into()) };
                    sum.add(Addend { factor: signed(factor), feature, quantity });
                }
            }
            match self.take_sign(&["+", "-"]) {
                Some(next) => negative = next == "-",
                None => return Ok(sum),
            }
        }
    }

    /// Takes a number, to its last digit.
    fn take_decimal(&mut self) -> Option<Decimal> {
        let Some(&What::Number(number)) = self.ahead(0) else { return None };
        self.next += 1;
        Decimal::parse(self.tokens[self.next - 1].piece).or_else(|| Decimal::of(number))
    }

    /// Takes a number behind a feature, with its sign.
    fn expect_factor(&mut self) -> Result<Decimal, InputError> {
        let negative =
            matches!(self.ahead(1), Some(What::Number(_))) && self.take_sign(&["-"]).is_some();
        match self.take_decimal() {
            Some(factor) if negative => Ok(factor.negative()),
            Some(factor) => Ok(factor),
            None => Err(self.unexpected("a number: only weighted sums are compared")),
        }
    }

    /// A feature, or the change of one.
    fn quantity(&mut self) -> Result<(usize, Quantity), InputError> {
        let change = self.take_word(&["change"]).is_some();
        let bracket = change && self.take_sign(&["("]).is_some();
        if change && !bracket {
            self.expect_word(&["of"])?;
        }
        let start = self.next;
        let feature = self.expect_feature()?;
        let named = &self.features[feature];
        if !named.is_numeric() {
            return Err(InputError::new(format!(
                "is of kind {}, but only numbers are added up",
                named.kind.name()
            ))
            .value(self.tokens[start].piece)
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
            Some(other) => other.factor = other.factor.plus(&term.factor),
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
            self.add(Addend { factor: term.factor.negative(), ..term });
        }
        self.terms.retain(|term| !term.factor.is_zero());
        let limit = right.constant.minus(&self.constant);
        match &self.terms[..] {
            [] => Err(InputError::new("is the same for everybody")
                .remedy("compare features with each other or with numbers")),
            [Addend { factor, feature, quantity: Quantity::Value }] => {
                let named = &features[*feature];
                if factor.is_negative() {
                    let (factor, limit) = (factor.negative(), limit.negative());
                    compare_one(*feature, named, mirrored(sign), &factor, &limit)
                } else {
                    compare_one(*feature, named, sign, factor, &limit)
                }
            }
            terms => compare_several(terms, sign, &limit, features),
        }
    }
}

/// A feature's own number, times a factor above 0, against a constant.
///
/// Quotients are not rounded: the ends are the last numbers of a table for which the products compare so on paper.
fn compare_one(
    feature: usize,
    named: &Feature,
    sign: &str,
    factor: &Decimal,
    limit: &Decimal,
) -> Result<Formula, InputError> {
    let lies = |low, high| Formula::Atom(Atom::Lies { feature, low, high });
    let (down, up) = (f64::NEG_INFINITY, f64::INFINITY);
    let at_most = |limit: &Decimal| {
        largest_fitting(limit.to_f64() / factor.to_f64(), |number| number.times(factor) <= *limit)
    };
    let below = |limit: &Decimal| {
        let near = limit.to_f64() / factor.to_f64();
        let number = largest_fitting(near, |number| number.times(factor) < *limit);
        if named.kind == Kind::Integer { number.floor() } else { number }
    };
    let opposite = limit.negative();
    Ok(match sign {
        "<=" => lies(down, at_most(limit)),
        ">=" => lies(0.0 - at_most(&opposite), up),
        "<" => lies(down, below(limit)),
        ">" => lies(0.0 - below(&opposite), up),
        _ => {
            let number = at_most(limit);
            let value = named.parse_cell(&number.to_string())?;
            // The quotient need not be a number that a table can hold: no decimal equals a third.
            let exact = Decimal::of(number).is_some_and(|number| number.times(factor) == *limit);
            let values = if exact { vec![value] } else { Vec::new() };
            let is = Formula::Atom(Atom::Is { feature, values });
            if sign == "=" { is } else { Formula::Not(Box::new(is)) }
        }
    })
}

fn compare_several(
    terms: &[Addend],
    sign: &str,
    limit: &Decimal,
    features: &[Feature],
) -> Result<Formula, InputError> {
    let at_most = |most: Decimal| Formula::Atom(Atom::Sum { terms: terms.to_vec(), most });
    let at_least = |least: Decimal| {
        let opposite = |term: &Addend| Addend { factor: term.factor.negative(), ..term.clone() };
        let terms = terms.iter().map(opposite).collect();
        Formula::Atom(Atom::Sum { terms, most: least.negative() })
    };
    let whole = limit.is_whole()
        && terms
            .iter()
            .all(|term| term.factor.is_whole() && features[term.feature].kind == Kind::Integer);
    let one = Decimal::from(1);
    match sign {
        "<=" => Ok(at_most(limit.clone())),
        ">=" => Ok(at_least(limit.clone())),
        "=" => Ok(Formula::All(vec![at_most(limit.clone()), at_least(limit.clone())])),
        "<" if whole => Ok(at_most(limit.minus(&one))),
        ">" if whole => Ok(at_least(limit.plus(&one))),
        "!=" => Err(InputError::new("asks sums to differ without saying by how much").remedy(
            "say how far apart they must be at least, such as `a <= b - 1 or a >= b + 1`",
        )),
        _ => Err(InputError::new(format!(
            "can't be distinguished from equality: `{sign}` between sums needs integer features and whole numbers"
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
