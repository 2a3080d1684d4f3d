//! Weighted sums over several moves, as rules of an instance that rounding can't decide.

use super::clauses::Claim;
use crate::action::Move;
use crate::data::{Addend, Atom, Quantity, Record, Value};
use crate::decimal::{decimals, difference, is_noisy, total, without_noise};
use crate::instance::{Coefficients, Literal, Term};

/// Where numbers have more digits than people write, "more than" begins this far beyond a limit, times the sizes that are
/// added up: farther than their noise reaches.
const BEYOND: f64 = 4e-14;

/// More decimals than this are beyond all numbers.
const MOST_DECIMALS: u32 = 300;

/// What the options of every move add to a sum, and what it may be at most.
///
/// Sums are counted from the applicant's own numbers, so that large ones do not swallow the decimals of small moves.
/// Decimals add up to whole numbers of a unit: a limit half a unit higher lets the same sums pass, and no rounding reaches
/// it.
pub(super) struct Weighed {
    coefficients: Vec<Coefficients>,
    most: f64,
}

impl Weighed {
    /// A comparison of a sum, or its opposite.
    pub(super) fn of(claim: Claim, moves: &[Move], applicant: &Record) -> Self {
        let Atom::Sum { terms, most } = claim.atom else {
            unreachable!("only sums name features of several moves")
        };
        let sign = if claim.holds { 1.0 } else { -1.0 };
        let mut coefficients: Vec<Coefficients> =
            moves.iter().map(|its| Coefficients::constant(0.0, its.len())).collect();
        let mut limit = vec![(1.0, *most)];
        let mut unit = Unit { decimals: decimals(*most), noisy: is_noisy(*most) };
        for term in terms {
            let found = moves.iter().enumerate().find_map(|(place, its)| {
                let member = its.members.iter().position(|&member| member == term.feature)?;
                Some((place, member))
            });
            let Some((place, member)) = found else { continue };
            let from = match applicant[term.feature] {
                Value::Number(own) => without_noise(own),
                Value::Level(_) | Value::Code(_) => 0.0,
            };
            limit.push((-term.factor, from));
            if let (Quantity::Change, Value::Number(own)) = (term.quantity, applicant[term.feature])
            {
                limit.push((term.factor, own));
                unit.see(term.factor, own);
            }
            let added = added(&moves[place], member, term, from, sign, &mut unit);
            coefficients[place] = coefficients[place].plus(&added);
        }
        let limit = total(&limit).unwrap_or_else(|| limit.iter().map(|(a, b)| a * b).sum());
        let size = coefficients.iter().map(Coefficients::largest).sum::<f64>() + limit.abs();
        let half = unit.half();
        let beyond = if unit.noisy { half.max(BEYOND * size) } else { half };
        let most = if claim.holds { limit + half } else { -limit - beyond };
        Self { coefficients, most }
    }

    /// The terms and the limit of a rule that says so unless one of the other ways holds.
    pub(super) fn unless(mut self, ways: &[Literal]) -> (Vec<Term>, f64) {
        let largest: f64 = self.coefficients.iter().map(|list| list.extremes().1).sum();
        // Taking one of the ways makes up for the largest sum there is.
        let relief = (largest - self.most).max(0.0);
        for way in ways {
            for &interval in way.options.intervals() {
                self.coefficients[way.feature].raise(interval, -relief);
            }
        }
        let terms = self.coefficients.into_iter().enumerate();
        let terms = terms.filter(|(_, coefficients)| !coefficients.is_zero());
        let terms = terms.map(|(feature, coefficients)| Term { feature, coefficients });
        (terms.collect(), self.most)
    }
}

/// What the options of a move add through one of its members, counted from a number.
fn added(
    its: &Move,
    member: usize,
    term: &Addend,
    from: f64,
    sign: f64,
    unit: &mut Unit,
) -> Coefficients {
    let factor = sign * term.factor;
    let mut list = Coefficients::default();
    unit.see(factor, from);
    for (_, range) in its.options.ranges() {
        let step = if range.moves(member) { factor * range.step() } else { 0.0 };
        list.push(factor * difference(range.value(0, member), from), step, range.len());
        unit.decimals = unit.decimals.max(decimals(factor) + range.decimals());
    }
    for (_, row) in its.options.listed_values() {
        // A code adds nothing: the rule is silent then, which is one of the ways.
        let number = match row[member] {
            Value::Number(number) => {
                unit.see(factor, number);
                factor * difference(number, from)
            }
            Value::Level(_) | Value::Code(_) => 0.0,
        };
        list.push(number, 0.0, 1);
    }
    list
}

/// How fine the numbers of a sum are.
struct Unit {
    decimals: u32,
    /// Whether one has more digits than people write.
    noisy: bool,
}

impl Unit {
    fn see(&mut self, factor: f64, number: f64) {
        self.noisy |= is_noisy(factor) || is_noisy(number);
        let own = decimals(factor) + decimals(without_noise(number));
        self.decimals = self.decimals.max(own);
    }

    fn half(&self) -> f64 {
        format!("5e-{}", self.decimals.min(MOST_DECIMALS) + 1).parse().unwrap_or(0.0)
    }
}
