//! How an ensemble adds up its leaves: rounding can affect its decisions.

use serde::{Deserialize, Serialize};

use super::Tree;

/// Half the distance from 1 to the next number of 32 bits: the most that one addition is off by, relatively.
const UNIT: f64 = f32::EPSILON as f64 / 2.0;

/// How leaf values are added up, one tree after the other in their order, from 0 on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sums {
    /// In 64 bits.
    #[default]
    Double,
    /// In 32 bits, rounded after every tree, as XGBoost does.
    Single,
}

impl Sums {
    /// Whether sums are in 64 bits, which files need not say.
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands fields over by reference")]
    pub(crate) fn is_double(&self) -> bool {
        *self == Self::Double
    }

    /// The sum of numbers.
    pub(crate) fn add_up(self, values: impl Iterator<Item = f64>) -> f64 {
        match self {
            Self::Double => values.sum(),
            Self::Single => f64::from(values.fold(0.0_f32, |sum, value| sum + value as f32)),
        }
    }

    /// What the sum of one leaf per tree can differ by from the sum without any rounding; 0 for sums in 64 bits, whose
    /// rounding is that of the engines' own sums.
    ///
    /// After k trees let the exact sum be `t` and the rounded one off by at most `e`. With one leaf `v` more, the rounded sum
    /// is `(s + v)(1 + d)` with `|d| <= UNIT`, thus off by at most `e + UNIT (|t + v| + e)`; and `t + v` lies between the sums
    /// of the least and of the greatest leaves. (Additions don't underflow, and overflow is refused.)
    pub(crate) fn rounding(self, trees: &[Tree]) -> f64 {
        if self == Self::Double {
            return 0.0;
        }
        let (mut low, mut high, mut error) = (0.0_f64, 0.0_f64, 0.0_f64);
        for (index, tree) in trees.iter().enumerate() {
            let (least, most) = tree.value_range();
            (low, high) = (low + least, high + most);
            // The first leaf is added to 0.
            if index > 0 {
                error += UNIT * (low.abs().max(high.abs()) + error);
            }
        }
        // What the 64 bits of this bound itself round off.
        error * (1.0 + 1e-6)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_32_bits_round_after_every_tree() {
        let tiny = f64::from(f32::EPSILON) / 2.0;
        // Each half step is lost on its own, and ties go to the even neighbour.
        assert_eq!(Sums::Single.add_up([1.0, tiny, tiny].into_iter()), 1.0);
        assert_eq!(Sums::Single.add_up([tiny, tiny, 1.0].into_iter()), 1.0 + 2.0 * tiny);
        assert_eq!(Sums::Double.add_up([1.0, tiny, tiny].into_iter()), 1.0 + 2.0 * tiny);
    }

    #[test]
    fn the_bound_of_rounding_holds_and_is_reached_within_its_first_order() {
        // The worst there is: every addition to 1 loses half a step.
        let half = f64::from(f32::EPSILON) / 2.0;
        let values: Vec<f64> = [1.0].into_iter().chain([half; 100]).collect();
        let trees: Vec<Tree> = values.iter().copied().map(Tree::lone_leaf).collect();
        let exact: f64 = values.iter().sum();
        let lost = exact - Sums::Single.add_up(values.iter().copied());
        let bound = Sums::Single.rounding(&trees);
        assert!(lost <= bound && bound <= 1.001 * lost, "{lost:e}, {bound:e}");
        assert_eq!(Sums::Double.rounding(&trees), 0.0);
    }
}
