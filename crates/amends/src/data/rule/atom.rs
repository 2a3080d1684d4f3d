//! The single statements that rules are made of.

use crate::data::Value;
use crate::decimal::{Decimal, is_at_most};

/// A statement about an application as it is and as it would become.
#[derive(Debug, Clone, PartialEq)]
pub enum Atom {
    /// The feature takes another value.
    Changes {
        /// Which feature.
        feature: usize,
    },
    /// The number, or the rank of the level, goes this way.
    Moves {
        /// Which feature.
        feature: usize,
        /// Which way.
        direction: Direction,
        /// By at least this, where given.
        least: Option<f64>,
        /// By at most this, where given.
        most: Option<f64>,
    },
    /// The new value is one of these.
    Is {
        /// Which feature.
        feature: usize,
        /// Levels, codes or numbers.
        values: Vec<Value>,
    },
    /// The new number, or the rank of the new level, lies between these two, the ends included.
    Lies {
        /// Which feature.
        feature: usize,
        /// The lower end; may be infinite.
        low: f64,
        /// The upper end; may be infinite.
        high: f64,
    },
    /// A weighted sum of numbers is at most this.
    Sum {
        /// What is added up.
        terms: Vec<Addend>,
        /// The limit.
        most: Decimal,
    },
}

/// Which way a feature moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// To more.
    Up,
    /// To less.
    Down,
}

/// One term of a sum.
#[derive(Debug, Clone, PartialEq)]
pub struct Addend {
    /// Its weight.
    pub factor: Decimal,
    /// Which feature, a numeric one.
    pub feature: usize,
    /// What of it.
    pub quantity: Quantity,
}

/// What of a feature is added up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantity {
    /// The new number.
    Value,
    /// The new number minus the old.
    Change,
}

impl Atom {
    /// The features that it names; some may come twice.
    pub fn features(&self) -> Vec<usize> {
        match self {
            Self::Changes { feature }
            | Self::Moves { feature, .. }
            | Self::Is { feature, .. }
            | Self::Lies { feature, .. } => vec![*feature],
            Self::Sum { terms, .. } => terms.iter().map(|term| term.feature).collect(),
        }
    }

    /// Whether it does not ask what the value was before.
    pub fn is_about_values(&self) -> bool {
        match self {
            Self::Changes { .. } | Self::Moves { .. } => false,
            Self::Is { .. } | Self::Lies { .. } => true,
            Self::Sum { terms, .. } => terms.iter().all(|term| term.quantity == Quantity::Value),
        }
    }

    /// Whether it asks for a number where a code stands: a rule says nothing then.
    pub fn is_silent(&self, before: &[Value], after: &[Value]) -> bool {
        let code = |value: Value| matches!(value, Value::Code(_));
        match self {
            Self::Changes { .. } => false,
            // `x is 0` asks for a number, `x is "never late"` for a state.
            Self::Is { feature, values } => {
                let number = |value: &Value| matches!(value, Value::Number(_));
                code(after[*feature]) && values.iter().all(number)
            }
            Self::Lies { feature, .. } => code(after[*feature]),
            Self::Moves { feature, .. } => code(before[*feature]) || code(after[*feature]),
            Self::Sum { terms, .. } => terms.iter().any(|term| {
                code(after[term.feature])
                    || term.quantity == Quantity::Change && code(before[term.feature])
            }),
        }
    }

    /// Whether it is true. Where it [asks for a number that is a code](Atom::is_silent) it is not.
    pub fn holds(&self, before: &[Value], after: &[Value]) -> bool {
        match self {
            Self::Changes { feature } => before[*feature] != after[*feature],
            Self::Moves { feature, direction, least, most } => {
                let ranks = (rank(before[*feature]), rank(after[*feature]));
                let (Some(from), Some(to)) = ranks else { return false };
                let (low, high) = match direction {
                    Direction::Up => (from, to),
                    Direction::Down => (to, from),
                };
                let at_least = |least: f64| is_at_most(&[(1.0, low), (-1.0, high)], -least);
                let at_most = |most: f64| is_at_most(&[(1.0, high), (-1.0, low)], most);
                low < high && least.is_none_or(at_least) && most.is_none_or(at_most)
            }
            Self::Is { feature, values } => values.contains(&after[*feature]),
            Self::Lies { feature, low, high } => {
                rank(after[*feature]).is_some_and(|value| (*low..=*high).contains(&value))
            }
            Self::Sum { terms, most } => {
                let parts = terms.iter().map(|term| term.part(before, after));
                let total = parts.sum::<Option<Decimal>>();
                total.is_some_and(|total| total <= *most)
            }
        }
    }
}

impl Addend {
    /// What it adds to a sum, as on paper; `None` where a code stands instead of a number.
    fn part(&self, before: &[Value], after: &[Value]) -> Option<Decimal> {
        let written = |value: Value| match value {
            Value::Number(number) => Decimal::as_written(number),
            Value::Level(_) | Value::Code(_) => None,
        };
        let new = written(after[self.feature])?;
        let number = match self.quantity {
            Quantity::Value => new,
            Quantity::Change => new.minus(&written(before[self.feature])?),
        };
        Some(self.factor.times(&number))
    }
}

/// A number, or the rank of a level; codes have none.
fn rank(value: Value) -> Option<f64> {
    match value {
        Value::Number(number) => Some(number),
        Value::Level(level) => Some(level as f64),
        Value::Code(_) => None,
    }
}

/// The old and the new number, where there is one before and after.
pub(super) fn number_move(before: Value, after: Value) -> Option<(f64, f64)> {
    match (before, after) {
        (Value::Number(from), Value::Number(to)) => Some((from, to)),
        _ => None,
    }
}

/// Whether two numbers, each given before and after, move by the same amount.
pub(super) fn same_move(a: (f64, f64), b: (f64, f64)) -> bool {
    let more = [(1.0, a.1), (-1.0, a.0), (-1.0, b.1), (1.0, b.0)];
    let less = more.map(|(sign, number)| (-sign, number));
    is_at_most(&more, 0.0) && is_at_most(&less, 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(direction: Direction, least: Option<f64>, most: Option<f64>) -> Atom {
        Atom::Moves { feature: 0, direction, least, most }
    }

    #[test]
    fn moves_are_measured_as_on_paper() {
        let up = moves(Direction::Up, Some(0.2), Some(0.2));
        let holds = |atom: &Atom, from: f64, to: f64| {
            atom.holds(&[Value::Number(from)], &[Value::Number(to)])
        };
        assert!(holds(&up, 0.1, 0.3) && !holds(&up, 0.1, 0.31) && !holds(&up, 0.3, 0.1));
        let down = moves(Direction::Down, None, None);
        assert!(holds(&down, 0.3, 0.1) && !holds(&down, 0.3, 0.3) && !holds(&down, 0.1, 0.3));
        assert!(down.holds(&[Value::Level(2)], &[Value::Level(1)]));
        assert!(!down.holds(&[Value::Code(0)], &[Value::Number(1.0)]));
        assert!(down.is_silent(&[Value::Code(0)], &[Value::Number(1.0)]));
        let tiny = moves(Direction::Up, Some(2e-13), Some(3e-13));
        assert!(holds(&tiny, 1e-13, 3e-13) && holds(&tiny, 1e-13, 4e-13));
        assert!(!holds(&tiny, 1e-13, 2e-13) && !holds(&tiny, 1e-13, 5e-13));
    }

    #[test]
    fn amounts_are_the_same_at_any_scale() {
        assert!(same_move((0.1, 0.3), (10.0, 10.2)) && same_move((5.0, 5.0), (1.0, 1.0)));
        assert!(!same_move((1e-13, 2e-13), (1e-13, 3e-13)));
        assert!(!same_move((1e12, 1e12 + 1.0), (1.0, 2.01)));
        // Digits that come from rounding don't count as a move.
        assert!(same_move((0.1 + 0.2, 0.5), (1.0, 1.2)));
    }

    #[test]
    fn sums_take_values_and_changes() {
        let exact = |number| Decimal::of(number).unwrap();
        let term = |factor, feature, quantity| Addend { factor: exact(factor), feature, quantity };
        let total = Atom::Sum {
            terms: vec![term(1.0, 0, Quantity::Change), term(-2.0, 1, Quantity::Value)],
            most: exact(-1.0),
        };
        let before = [Value::Number(10.0), Value::Number(0.0)];
        let holds = |a, b| total.holds(&before, &[Value::Number(a), Value::Number(b)]);
        assert!(holds(13.0, 2.0) && !holds(13.5, 2.0) && holds(10.0, 0.5) && !holds(10.0, 0.4));
        assert!(!total.is_about_values());
        let tiny = Atom::Sum {
            terms: vec![term(1.0, 0, Quantity::Value), term(2.0, 1, Quantity::Value)],
            most: exact(7e-13),
        };
        let holds = |a, b| tiny.holds(&before, &[Value::Number(a), Value::Number(b)]);
        assert!(holds(1e-13, 3e-13) && !holds(2e-13, 3e-13));
    }

    #[test]
    fn values_are_named_or_ranked() {
        let is = Atom::Is { feature: 0, values: vec![Value::Level(1), Value::Code(0)] };
        assert!(is.holds(&[Value::Level(0)], &[Value::Level(1)]));
        assert!(
            is.holds(&[Value::Level(0)], &[Value::Code(0)])
                && !is.holds(&[Value::Level(1)], &[Value::Level(0)])
        );
        let lies = Atom::Lies { feature: 0, low: f64::NEG_INFINITY, high: 5.0_f64.next_down() };
        assert!(lies.holds(&[Value::Number(9.0)], &[Value::Number(4.9)]));
        assert!(!lies.holds(&[Value::Number(1.0)], &[Value::Number(5.0)]));
        assert!(lies.is_silent(&[Value::Number(1.0)], &[Value::Code(1)]));
    }
}
