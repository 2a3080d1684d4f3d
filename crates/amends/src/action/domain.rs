//! The options of a move: ranges of numbers, and values that are listed one by one.

use crate::data::Value;
use crate::instance::{OptionList, Position};

/// What the features of a move may become: per option, one value per feature.
pub type Domain = OptionList<Value>;

/// Options that follow each other and are alike.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Piece<T> {
    pub first: usize,
    pub last: usize,
    /// What is so of all of them.
    pub is: T,
}

/// Around a number at which something may change, this many options on both sides are looked at one by one: where it
/// changes exactly is for the exact test to say.
const AROUND: usize = 3;

impl OptionList<Value> {
    /// The value of one feature of the move at an option.
    ///
    /// # Panics
    /// If there is no such option or feature.
    pub fn value(&self, option: usize, member: usize) -> Value {
        match self.position(option) {
            Position::Listed(index) => self.listed[index][member],
            Position::Range(range, index) => Value::Number(self.ranges[range].value(index, member)),
        }
    }

    /// The values of all features of the move at an option.
    pub fn values(&self, option: usize) -> Vec<Value> {
        match self.position(option) {
            Position::Listed(index) => self.listed[index].clone(),
            Position::Range(range, index) => {
                self.ranges[range].row(index).into_iter().map(Value::Number).collect()
            }
        }
    }

    /// The first option with exactly these values.
    pub fn find(&self, values: &[Value]) -> Option<usize> {
        let number = |value: &Value| match *value {
            Value::Number(number) => Some(number),
            Value::Level(_) | Value::Code(_) => None,
        };
        let numbers: Option<Vec<f64>> = values.iter().map(number).collect();
        let in_ranges = numbers.and_then(|numbers| {
            self.ranges().find_map(|(start, range)| Some(start + range.find(&numbers)?))
        });
        in_ranges.or_else(|| {
            self.listed_values().find(|(_, row)| *row == values).map(|(option, _)| option)
        })
    }

    /// The options as pieces on which a test has one result. The test may change its result along a range only where a
    /// feature of the move, given by its index, comes near one of these numbers. No piece goes beyond a range.
    pub(crate) fn pieces<T: PartialEq>(
        &self,
        breaks: &[(usize, f64)],
        test: impl Fn(&[Value]) -> T,
    ) -> Vec<Piece<T>> {
        let mut pieces: Vec<Piece<T>> = Vec::new();
        for (start, range) in self.ranges() {
            let mut alone: Vec<usize> = vec![0, range.len() - 1];
            for &(member, number) in breaks.iter().filter(|(member, _)| range.moves(*member)) {
                let at = range.count_at_most(member, number);
                alone.extend(at.saturating_sub(AROUND)..(at + AROUND).min(range.len()));
            }
            alone.sort_unstable();
            alone.dedup();
            let mut cuts: Vec<(usize, usize)> = Vec::with_capacity(2 * alone.len());
            let mut next = 0;
            for index in alone {
                if next < index {
                    cuts.push((next, index - 1));
                }
                cuts.push((index, index));
                next = index + 1;
            }
            for (first, last) in cuts {
                let (first, last) = (start + first, start + last);
                let is = test(&self.values(first));
                match pieces.last_mut() {
                    Some(before) if before.first >= start && before.is == is => before.last = last,
                    _ => pieces.push(Piece { first, last, is }),
                }
            }
        }
        for (option, row) in self.listed_values() {
            pieces.push(Piece { first: option, last: option, is: test(row) });
        }
        pieces
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instance::ValueRange;

    fn numbers(values: &[f64]) -> Vec<Value> {
        values.iter().map(|&value| Value::Number(value)).collect()
    }

    fn domain() -> Domain {
        let range = |first: f64, last: f64| {
            ValueRange::new(&[first, first + 1.0], &[last, last + 1.0], 0.5).unwrap()
        };
        Domain::new(vec![range(0.0, 20.0), range(30.0, 34.0)], vec![numbers(&[9.9, 8.0])])
    }

    #[test]
    fn options_count_through_ranges_and_listed_values() {
        let domain = domain();
        assert_eq!((domain.len(), domain.values(3)), (41 + 9 + 1, numbers(&[1.5, 2.5])));
        assert_eq!(domain.values(41), numbers(&[30.0, 31.0]));
        assert_eq!(domain.values(50), numbers(&[9.9, 8.0]));
        for option in 0..domain.len() {
            let values = domain.values(option);
            assert_eq!(domain.find(&values), Some(option));
            assert_eq!(domain.value(option, 1), values[1]);
        }
        assert_eq!(domain.find(&numbers(&[0.0, 2.0])), None);
        assert_eq!(domain.find(&[Value::Code(0), Value::Number(1.0)]), None);
    }

    #[test]
    fn pieces_say_what_every_option_is() {
        let domain = domain();
        let above = |limit: f64| move |row: &[Value]| matches!(row[1], Value::Number(number) if number > limit);
        for limit in [-3.0, 1.0, 1.2, 7.5, 20.9, 21.0, 22.0, 31.0, 33.2, 99.0] {
            let pieces = domain.pieces(&[(1, limit)], above(limit));
            let mut next = 0;
            for piece in &pieces {
                assert_eq!(piece.first, next);
                for option in piece.first..=piece.last {
                    assert_eq!(above(limit)(&domain.values(option)), piece.is);
                }
                next = piece.last + 1;
            }
            assert_eq!(next, domain.len());
            assert!(pieces.len() <= 4, "{pieces:?}");
        }
    }
}
