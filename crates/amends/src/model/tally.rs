//! Sums over the rows of a node, by which cuts are compared and leaves get their values.

/// A sum over rows. Sums are of whole numbers: exact, in any order, so that cuts which part the rows alike
/// are exactly equally good.
pub(super) trait Tally: Copy + Default {
    /// The sum of both.
    fn and(self, other: Self) -> Self;

    /// The difference: the sum without a part.
    fn without(self, part: Self) -> Self;

    /// Whether two rows have the same target; a node of such rows has nothing to split.
    fn is_like(self, other: Self) -> bool;

    /// How alike the targets are, times the number of rows and up to a constant: two sides' purities are
    /// added up, and more is better.
    fn purity(self) -> f64;

    /// The value of a leaf with these rows.
    fn answer(self) -> f64;
}

/// Draws counted by outcome.
#[derive(Clone, Copy, Default)]
pub(super) struct Votes {
    all: u64,
    favourable: u64,
}

impl Votes {
    /// One row, drawn this many times.
    pub(super) fn of(draws: u32, favourable: bool) -> Self {
        let all = u64::from(draws);
        Self { all, favourable: all * u64::from(favourable) }
    }
}

impl Tally for Votes {
    fn and(self, other: Self) -> Self {
        Self { all: self.all + other.all, favourable: self.favourable + other.favourable }
    }

    fn without(self, part: Self) -> Self {
        Self { all: self.all - part.all, favourable: self.favourable - part.favourable }
    }

    fn is_like(self, other: Self) -> bool {
        (self.favourable > 0) == (other.favourable > 0)
    }

    /// Gini impurity times the number of draws, less a constant and with its sign turned.
    fn purity(self) -> f64 {
        let (good, bad) = (self.favourable as f64, (self.all - self.favourable) as f64);
        (good * good + bad * bad) / self.all as f64
    }

    /// The share of favourable draws.
    fn answer(self) -> f64 {
        self.favourable as f64 / self.all as f64
    }
}

/// A unit of 2^-64: fine enough for the curvature of a row whose probability is almost 0 or 1, and 2^63 rows can be
/// added up.
const UNITS: f64 = (1_u128 << 64) as f64;

/// How the logistic loss of rows changes with their score, in whole units.
#[derive(Clone, Copy, Default)]
pub(super) struct Slope {
    rows: u64,
    /// Outcome (1 or 0) minus probability: the loss's fall.
    residual: i128,
    /// Probability times its complement: the loss's second derivative.
    curvature: i128,
}

impl Slope {
    /// One row with its score, which is its log-odds.
    pub(super) fn of(score: f64, favourable: bool) -> Self {
        // libm's exponential, because the system's differs from machine to machine in the last digit.
        let sigmoid = |score: f64| (1.0 + libm::exp(-score)).recip();
        let (good, bad) = (sigmoid(score), sigmoid(-score));
        let whole = |number: f64| (number * UNITS).round() as i128;
        Self {
            rows: 1,
            residual: if favourable { whole(bad) } else { -whole(good) },
            curvature: whole(good * bad),
        }
    }
}

impl Tally for Slope {
    fn and(self, other: Self) -> Self {
        Self {
            rows: self.rows + other.rows,
            residual: self.residual + other.residual,
            curvature: self.curvature + other.curvature,
        }
    }

    fn without(self, part: Self) -> Self {
        Self {
            rows: self.rows - part.rows,
            residual: self.residual - part.residual,
            curvature: self.curvature - part.curvature,
        }
    }

    fn is_like(self, other: Self) -> bool {
        self.residual == other.residual
    }

    /// The squared error of the residuals, less a constant and with its sign turned. Two sides of a node are
    /// ranked by it as by Friedman's improvement.
    fn purity(self) -> f64 {
        let residual = self.residual as f64 / UNITS;
        residual * residual / self.rows as f64
    }

    /// Newton's step; none where the probabilities of all rows are almost 0 or 1.
    fn answer(self) -> f64 {
        if self.curvature == 0 { 0.0 } else { self.residual as f64 / self.curvature as f64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slopes_are_the_derivatives_of_the_logistic_loss() {
        let loss = |score: f64, good: bool| (if good { -score } else { score }).exp().ln_1p();
        for (score, good) in [(0.3, true), (0.3, false), (-4.0, true), (2.5, false)] {
            let slope = Slope::of(score, good);
            let step = 1e-4;
            let (below, at, above) =
                (loss(score - step, good), loss(score, good), loss(score + step, good));
            let fall = (below - above) / (2.0 * step);
            assert!((slope.residual as f64 / UNITS - fall).abs() < 1e-7);
            let curvature = (below - 2.0 * at + above) / (step * step);
            assert!((slope.curvature as f64 / UNITS - curvature).abs() < 1e-6);
        }
    }

    #[test]
    fn rows_beyond_doubt_give_a_finite_step() {
        for score in [-1e300, -800.0, -40.0, 0.0, 40.0, 800.0, 1e300] {
            for good in [false, true] {
                let step = Slope::of(score, good).answer();
                assert!(step.is_finite(), "{score}: {step}");
                assert!(step == 0.0 || (step > 0.0) == good, "{score}: {step}");
            }
        }
        // Almost certain: a step of at most 1, without noise from rounding.
        assert!((Slope::of(30.0, true).answer() - 1.0).abs() < 1e-6);
    }

    #[test]
    fn what_is_taken_away_was_there() {
        let rows: Vec<Slope> = (0..9).map(|i| Slope::of(f64::from(i) - 4.3, i % 2 == 0)).collect();
        let sum = |rows: &[Slope]| rows.iter().fold(Slope::default(), |sum, &row| sum.and(row));
        let rest = sum(&rows).without(sum(&rows[..4]));
        assert_eq!(rest.answer(), sum(&rows[4..]).answer());
        assert_eq!(rest.purity(), sum(&rows[4..]).purity());
    }
}
