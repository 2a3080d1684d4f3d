//! A feature's losses in one tree: a few steps along its cells.

use crate::search::bound::losses::Step;

/// The cells that a leaf allows: an interval, or for features without an order a set of bits.
#[derive(Debug, Clone, Copy)]
pub(super) enum Allowed {
    Interval(u32, u32),
    Set(Bits),
}

/// A set of up to 128 values. In two words, for as one it would make every condition of a leaf half as large again.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bits([u64; 2]);

impl Bits {
    /// How many values fit in.
    pub(super) const ROOM: usize = 128;

    pub(super) fn set(self) -> u128 {
        u128::from(self.0[1]) << 64 | u128::from(self.0[0])
    }
}

impl From<u128> for Bits {
    fn from(set: u128) -> Self {
        Self([set as u64, (set >> 64) as u64])
    }
}

impl Allowed {
    /// Whether any value of an interval is allowed.
    pub(super) fn meets(self, span: (u32, u32)) -> bool {
        match self {
            Self::Interval(low, high) => low <= span.1 && span.0 <= high,
            Self::Set(indices) => indices.set() & bits(span) != 0,
        }
    }
}

/// An interval of values as bits.
pub(super) fn bits((low, high): (u32, u32)) -> u128 {
    (u128::MAX >> (127 - high)) & (u128::MAX << low)
}

/// Steps in the making: leaves from the best down give their loss to the values that are left.
#[derive(Debug, Default)]
pub(super) struct Steps {
    /// The steps, of one feature after the other.
    pub list: Vec<Step>,
    gaps: Vec<(u32, u32)>,
    spare: Vec<(u32, u32)>,
}

impl Steps {
    /// Begins a feature: nothing in the interval has a loss yet.
    pub(super) fn begin(&mut self, span: (u32, u32)) {
        self.gaps.clear();
        self.gaps.push(span);
    }

    /// Whether every value has its loss.
    pub(super) fn complete(&self) -> bool {
        self.gaps.is_empty()
    }

    /// Gives a loss to the values that a leaf allows and that have none yet.
    pub(super) fn give(&mut self, allowed: Allowed, loss: f64) {
        std::mem::swap(&mut self.gaps, &mut self.spare);
        self.gaps.clear();
        for at in 0..self.spare.len() {
            let (low, high) = self.spare[at];
            match allowed {
                Allowed::Interval(first, last) => {
                    let (first, last) = (first.max(low), last.min(high));
                    if first > last {
                        self.gaps.push((low, high));
                        continue;
                    }
                    self.list.push((first, last, loss));
                    if low < first {
                        self.gaps.push((low, first - 1));
                    }
                    if last < high {
                        self.gaps.push((last + 1, high));
                    }
                }
                Allowed::Set(indices) => {
                    let set = indices.set();
                    for index in low..=high {
                        if set >> index & 1 == 1 {
                            self.list.push((index, index, loss));
                        } else {
                            self.gaps.push((index, index));
                        }
                    }
                }
            }
        }
    }

    /// Gives a loss to all values that have none yet.
    pub(super) fn give_rest(&mut self, loss: f64) {
        self.list.extend(self.gaps.drain(..).map(|(low, high)| (low, high, loss)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_gets_the_loss_of_the_best_leaf_that_allows_it() {
        let mut steps = Steps::default();
        steps.begin((2, 9));
        steps.give(Allowed::Interval(4, 5), 0.0);
        steps.give(Allowed::Interval(0, 6), 1.0);
        steps.give_rest(3.0);
        assert!(steps.complete());
        steps.list.sort_by_key(|step| step.0);
        assert_eq!(steps.list, [(2, 3, 1.0), (4, 5, 0.0), (6, 6, 1.0), (7, 9, 3.0)]);
    }

    #[test]
    fn sets_reach_beyond_a_word() {
        let indices = Allowed::Set((1_u128 << 100 | 1).into());
        assert!(indices.meets((0, 3)) && indices.meets((70, 127)) && indices.meets((100, 100)));
        assert!(!indices.meets((1, 99)) && !indices.meets((101, 127)));
    }

    #[test]
    fn sets_are_taken_value_by_value() {
        let mut steps = Steps::default();
        steps.begin((0, 3));
        steps.give(Allowed::Set(0b0101.into()), 0.5);
        steps.give_rest(2.0);
        steps.list.sort_by_key(|step| step.0);
        assert_eq!(steps.list, [(0, 0, 0.5), (1, 1, 2.0), (2, 2, 0.5), (3, 3, 2.0)]);
    }
}
