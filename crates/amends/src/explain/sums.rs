//! Weighted sums over several moves, as rules of an instance that rounding can't falsify.

use num_bigint::BigInt;

use super::clauses::Claim;
use crate::action::Move;
use crate::data::{Atom, Decimal, Quantity, Record, Value};
use crate::instance::{Coefficients, Literal, OptionSet, RuleKind, Term};

/// Whole numbers up to this add up to whole numbers that 64 bits hold exactly, whatever else is added on the way.
const MOST_WHOLE: i64 = 1 << 49;

/// What the options of every move add to a sum, exactly, and what it may be at most.
///
/// Sums are counted from the applicant's own numbers, so that large ones do not swallow the decimals of small moves.
pub(super) struct Weighed {
    /// Per move, what action options add; nothing where the sum does not name it.
    moves: Vec<Vec<Line>>,
    /// Per move, how many options it has.
    options: Vec<usize>,
    /// What the sum is compared with.
    limit: Decimal,
    /// Whether the sum must stay below the limit.
    strict: bool,
}

/// What options that follow each other add: evenly more, or less, from one to the next.
#[derive(Debug, Clone)]
struct Line {
    first: Decimal,
    step: Decimal,
    count: usize,
}

impl Line {
    fn at(&self, index: usize) -> Decimal {
        let index = Decimal::of(index as f64).unwrap_or_default();
        self.first.plus(&self.step.times(&index))
    }

    fn last(&self) -> Decimal {
        self.at(self.count - 1)
    }

    /// How many of action first numbers are on the same side of a limit as the first.
    fn before_crossing(&self, fits: impl Fn(&Decimal) -> bool) -> usize {
        let side = fits(&self.first);
        let (mut from, mut to) = (1, self.count);
        while from < to {
            let middle = usize::midpoint(from, to);
            if fits(&self.at(middle)) == side { from = middle + 1 } else { to = middle }
        }
        from
    }
}

impl Weighed {
    /// A comparison of a sum, or action opposite.
    pub(super) fn of(claim: Claim, moves: &[Move], applicant: &Record) -> Self {
        let Atom::Sum { terms, most } = claim.atom else {
            unreachable!("only sums name features of several moves")
        };
        let signed =
            |number: &Decimal| if claim.holds { number.clone() } else { number.negative() };
        let mut weighed = Self {
            moves: vec![Vec::new(); moves.len()],
            options: moves.iter().map(Move::len).collect(),
            limit: signed(most),
            // The opposite of "at most" is "more than".
            strict: !claim.holds,
        };
        for term in terms {
            let found = moves.iter().enumerate().find_map(|(move_index, action)| {
                let member = action.members.iter().position(|&member| member == term.feature)?;
                Some((move_index, member))
            });
            let Some((move_index, member)) = found else { continue };
            let factor = signed(&term.factor);
            let from = written(applicant[term.feature]).unwrap_or_default();
            if term.quantity == Quantity::Value {
                weighed.limit = weighed.limit.minus(&factor.times(&from));
            }
            let added = added(&moves[move_index], member, &factor, &from);
            let known = &mut weighed.moves[move_index];
            if known.is_empty() {
                *known = added;
            } else {
                for (known, more) in known.iter_mut().zip(added) {
                    known.first = known.first.plus(&more.first);
                    known.step = known.step.plus(&more.step);
                }
            }
        }
        weighed
    }

    fn holds(&self, sum: &Decimal) -> bool {
        if self.strict { *sum < self.limit } else { *sum <= self.limit }
    }

    /// The least and the largest that the sum can be.
    fn extremes(&self) -> (Decimal, Decimal) {
        let ends = |lines: &Vec<Line>| -> Vec<Decimal> {
            lines.iter().flat_map(|line| [line.first.clone(), line.last()]).collect()
        };
        let named: Vec<Vec<Decimal>> = self.moves.iter().map(ends).collect();
        let least = named.iter().filter_map(|ends| ends.iter().min().cloned()).sum();
        let largest = named.iter().filter_map(|ends| ends.iter().max().cloned()).sum();
        (least, largest)
    }

    /// A rule that says so unless one of the other ways holds; `None` where it always holds.
    pub(super) fn unless(self, ways: Vec<Literal>) -> Option<RuleKind> {
        let (least, largest) = self.extremes();
        if self.holds(&largest) {
            return None;
        }
        if !self.holds(&least) {
            return Some(RuleKind::AnyOf(ways));
        }
        let Numbers { mut coefficients, most, relief } =
            self.in_whole_numbers(&largest).unwrap_or_else(|| self.rounded(&largest));
        // Taking one of the ways makes up for the largest sum there is.
        for way in &ways {
            for &interval in way.options.intervals() {
                coefficients[way.feature].raise(interval, -relief);
            }
        }
        let terms = coefficients.into_iter().enumerate();
        let terms = terms.filter(|(_, coefficients)| !coefficients.is_zero());
        let terms = terms.map(|(feature, coefficients)| Term { feature, coefficients });
        Some(RuleKind::AtMost { terms: terms.collect(), most })
    }

    /// The sum counted in the largest unit that everything in it is a multiple of. Whole numbers add up without rounding, and a
    /// limit between two of them is reached by none. `None` where the numbers are too large for that.
    fn in_whole_numbers(&self, largest: &Decimal) -> Option<Numbers> {
        let lines = || self.moves.iter().flatten();
        let numbers = || lines().flat_map(|line| [&line.first, &line.step]);
        let decimals = numbers().map(Decimal::decimals).max()?.max(self.limit.decimals());
        let unit = numbers()
            .map(|number| number.units(decimals))
            .fold(BigInt::ZERO, greatest_common_divisor);
        if unit == BigInt::ZERO {
            return None;
        }
        let whole = |number: &Decimal| i64::try_from(number.units(decimals) / &unit).ok();
        let mut size = 0_i64;
        for lines in &self.moves {
            let mut most = 0;
            for line in lines {
                most = most.max(whole(&line.first)?.checked_abs()?);
                most = most.max(whole(&line.last())?.checked_abs()?);
            }
            size = size.checked_add(most)?;
        }
        if size > MOST_WHOLE {
            return None;
        }
        let limit = self.limit.units(decimals);
        let below = if self.strict { limit - 1 } else { limit };
        let most = i64::try_from(floor_of_quotient(&below, &unit)).ok()?;
        let coefficients = self.coefficients(|number| whole(number).unwrap_or(0) as f64);
        let relief = (whole(largest)? - most) as f64;
        Some(Numbers { coefficients, most: most as f64 + 0.5, relief })
    }

    /// The sum in binary numbers, with a limit that no rounding puts below the exact one. What passes although it does not hold
    /// is found by the check of plans, and taken away by [`Weighed::cuts`].
    fn rounded(&self, largest: &Decimal) -> Numbers {
        let coefficients = self.coefficients(Decimal::to_f64);
        let size: f64 = coefficients.iter().map(Coefficients::largest).sum();
        let operations = 16.0 * (self.moves.len() as f64 + 4.0);
        let slack = operations * f64::EPSILON * (size + self.limit.to_f64().abs());
        let most = self.limit.to_f64() + slack;
        Numbers { coefficients, most, relief: (largest.to_f64() - most).max(0.0) + slack }
    }

    fn coefficients(&self, number: impl Fn(&Decimal) -> f64) -> Vec<Coefficients> {
        let coefficients = |(lines, &options): (&Vec<Line>, &usize)| {
            if lines.is_empty() {
                return Coefficients::constant(0.0, options);
            }
            let mut list = Coefficients::default();
            for line in lines {
                list.push(number(&line.first), number(&line.step), line.count);
            }
            list
        };
        self.moves.iter().zip(&self.options).map(coefficients).collect()
    }

    /// What every plan holds and a choice of options breaks, where the choice's exact sum is too large: of the moves in the sum,
    /// one adds less than in this choice, or a certain one adds no more than the others leave it.
    pub(super) fn cuts(&self, choice: &[usize]) -> Vec<Vec<Literal>> {
        let named: Vec<usize> = (0..self.moves.len())
            .filter(|&move_index| !self.moves[move_index].is_empty())
            .collect();
        let taken: Vec<Decimal> =
            named.iter().map(|&move_index| self.at(move_index, choice[move_index])).collect();
        let total: Decimal = taken.iter().cloned().sum();
        if self.holds(&total) {
            return Vec::new();
        }
        let cut = |last: usize| {
            let literal = |(index, &move_index): (usize, &usize)| {
                let own = &taken[index];
                let options = if index == last {
                    let rest = total.minus(own);
                    self.fitting(move_index, |number| self.holds(&rest.plus(number)))
                } else {
                    self.fitting(move_index, |number| number < own)
                };
                Literal { feature: move_index, options }
            };
            named.iter().enumerate().map(literal).collect()
        };
        (0..named.len()).map(cut).collect()
    }

    fn at(&self, move_index: usize, option: usize) -> Decimal {
        let mut rest = option;
        for line in &self.moves[move_index] {
            if rest < line.count {
                return line.at(rest);
            }
            rest -= line.count;
        }
        unreachable!("every option is on a line")
    }

    /// The options of a move whose numbers fit; along a line they begin or cease to do so at most once.
    fn fitting(&self, move_index: usize, fits: impl Fn(&Decimal) -> bool) -> OptionSet {
        let mut intervals = Vec::new();
        let mut start = 0;
        for line in &self.moves[move_index] {
            let (end, turn) = (start + line.count, start + line.before_crossing(&fits));
            let (from, to) = if fits(&line.first) { (start, turn) } else { (turn, end) };
            if from < to {
                intervals.push((from, to - 1));
            }
            start = end;
        }
        intervals.into_iter().collect()
    }
}

/// A sum as an instance has it: what options add, the limit, and what one of the other ways takes off.
struct Numbers {
    coefficients: Vec<Coefficients>,
    most: f64,
    relief: f64,
}

/// What the options of a move add through one of action members, counted from a number.
fn added(action: &Move, member: usize, factor: &Decimal, from: &Decimal) -> Vec<Line> {
    let amount = |number: f64| {
        let number = Decimal::as_written(number).unwrap_or_default();
        factor.times(&number.minus(from))
    };
    let mut lines = Vec::new();
    for (_, range) in action.options.ranges() {
        let step = Decimal::of(range.step()).filter(|_| range.moves(member)).unwrap_or_default();
        let first = amount(range.value(0, member));
        lines.push(Line { first, step: factor.times(&step), count: range.len() });
    }
    for (_, row) in action.options.listed_values() {
        // A code adds nothing: the rule is silent then, which is one of the ways.
        let first = match row[member] {
            Value::Number(number) => amount(number),
            Value::Level(_) | Value::Code(_) => Decimal::default(),
        };
        lines.push(Line { first, step: Decimal::default(), count: 1 });
    }
    lines
}

fn written(value: Value) -> Option<Decimal> {
    match value {
        Value::Number(number) => Decimal::as_written(number),
        Value::Level(_) | Value::Code(_) => None,
    }
}

fn greatest_common_divisor(a: BigInt, b: BigInt) -> BigInt {
    let (mut a, mut b) = (a, b);
    while b != BigInt::ZERO {
        let rest = &a % &b;
        (a, b) = (b, rest);
    }
    if a < BigInt::ZERO { -a } else { a }
}

/// The largest whole number at or below a quotient; the divisor is above 0.
fn floor_of_quotient(number: &BigInt, divisor: &BigInt) -> BigInt {
    let (quotient, rest) = (number / divisor, number % divisor);
    if rest < BigInt::ZERO { quotient - 1 } else { quotient }
}
