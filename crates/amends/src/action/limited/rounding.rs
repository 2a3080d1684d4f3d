//! Numbers that people can read: rounded to as few decimals as the data has.

/// More decimals than this are noise of binary numbers.
pub(super) const MOST_DECIMALS: u32 = 12;

/// How many decimals the shortest text of a number has.
pub(super) fn decimals(number: f64) -> u32 {
    let text = number.to_string();
    text.split_once('.').map_or(0, |(_, decimals)| (decimals.len() as u32).min(MOST_DECIMALS))
}

/// The number with this many decimals that is nearest to `number`.
pub(super) fn round(number: f64, decimals: u32) -> f64 {
    // The text's own rounding gives 0.3 where arithmetic gives 0.30000000000000004.
    let text = format!("{number:.*}", decimals as usize);
    text.parse::<f64>().map_or(number, |rounded| rounded + 0.0)
}

/// Multiples of a step, as floats that print short.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lattice {
    step: f64,
    decimals: u32,
}

impl Lattice {
    /// The multiples of a positive step.
    pub fn of_step(step: f64) -> Self {
        Self { step, decimals: decimals(step) }
    }

    /// The numbers with at most this many decimals.
    pub fn of_decimals(decimals: u32) -> Self {
        let step = round(0.1_f64.powf(f64::from(decimals)), decimals);
        Self { step, decimals }
    }

    /// The largest multiple at or below `bound`.
    pub fn at_most(self, bound: f64) -> f64 {
        self.near(bound, |value| value <= bound, -1.0)
    }

    /// The smallest multiple at or above `bound`.
    pub fn at_least(self, bound: f64) -> f64 {
        self.near(bound, |value| value >= bound, 1.0)
    }

    /// The smallest multiple above `bound`.
    pub fn above(self, bound: f64) -> f64 {
        self.near(bound, |value| value > bound, 1.0)
    }

    /// How many steps `number` is from 0.
    pub fn index(self, number: f64) -> f64 {
        (number / self.step).round()
    }

    /// The multiple with this index.
    pub fn multiple(self, index: f64) -> f64 {
        round(index * self.step, self.decimals)
    }

    /// Walks from the wrong side of the bound to the first multiple that is right, so that a rounded quotient can't
    /// skip one.
    fn near(self, bound: f64, right: impl Fn(f64) -> bool, direction: f64) -> f64 {
        let mut index = self.index(bound) - 2.0 * direction;
        for _ in 0..5 {
            let value = self.multiple(index);
            if right(value) {
                return value;
            }
            index += direction;
        }
        // Beyond 2^53 steps neighbouring multiples are the same float: the bound itself is as good.
        bound
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_those_of_the_shortest_text() {
        for (number, expected) in [(3.0, 0), (0.1, 1), (4.8598, 4), (-12.25, 2), (0.1 + 0.2, 12)] {
            assert_eq!(decimals(number), expected, "{number}");
        }
        assert_eq!(round(0.1 + 0.2, 1), 0.3);
        assert_eq!(round(-0.04, 1).to_string(), "0");
    }

    #[test]
    fn multiples_lie_where_they_are_asked() {
        let tenths = Lattice::of_step(0.1);
        assert_eq!(tenths.at_most(0.3), 0.3);
        assert_eq!(tenths.at_most(0.299), 0.2);
        assert_eq!(tenths.at_least(0.3), 0.3);
        assert_eq!(tenths.above(0.3), 0.4);
        assert_eq!(tenths.at_most(-0.31), -0.4);
        let cents = Lattice::of_decimals(2);
        assert_eq!(cents.above(1.005), 1.01);
        let odd = Lattice::of_step(250.0);
        assert_eq!((odd.at_least(1.0), odd.at_most(1169.0)), (250.0, 1000.0));
    }
}
