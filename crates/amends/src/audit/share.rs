//! Shares of people, with their confidence intervals.

use serde::Serialize;

/// The 97.5 % point of the normal distribution: 95 % lie within this many deviations.
const Z: f64 = 1.959_963_984_540_054;

/// So many of so many, and the 95 % interval of the share behind it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Share {
    /// How many.
    pub count: usize,
    /// Of how many.
    pub of: usize,
    /// Their share, from 0 to 1; `None` of nobody.
    pub share: Option<f64>,
    /// The lower end of Wilson's interval; 0 of nobody.
    pub low: f64,
    /// Its upper end; 1 of nobody.
    pub high: f64,
}

impl Share {
    /// With Wilson's interval, which stays within 0 and 1 and makes sense for few people and for shares of 0 and 1.
    ///
    /// ```
    /// use amends::audit::Share;
    /// let share = Share::of(0, 10);
    /// assert_eq!(share.share, Some(0.0));
    /// assert!(share.low == 0.0 && (share.high - 0.2775).abs() < 1e-4);
    /// ```
    pub fn of(count: usize, of: usize) -> Self {
        if of == 0 {
            return Self { count, of, share: None, low: 0.0, high: 1.0 };
        }
        let (n, share) = (of as f64, count as f64 / of as f64);
        let spread = Z * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
        let (middle, scale) = (share + Z * Z / (2.0 * n), 1.0 + Z * Z / n);
        // The ends of 0 and 1 are exact; rounding would leave a trace.
        let low = if count == 0 { 0.0 } else { (middle - spread) / scale };
        let high = if count == of { 1.0 } else { (middle + spread) / scale };
        Self { count, of, share: Some(share), low, high }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_those_of_the_textbook() {
        // scipy.stats.binomtest(count, of).proportion_ci(method="wilson")
        for (count, of, low, high) in [
            (15, 100, 0.093_060, 0.232_836),
            (5, 10, 0.236_593, 0.763_407),
            (0, 10, 0.0, 0.277_533),
            (10, 10, 0.722_467, 1.0),
            (1, 1, 0.206_549, 1.0),
        ] {
            let share = Share::of(count, of);
            assert!((share.low - low).abs() < 1e-6, "{share:?}");
            assert!((share.high - high).abs() < 1e-6, "{share:?}");
            assert!(share.low <= share.share.unwrap() && share.share.unwrap() <= share.high);
        }
    }

    #[test]
    fn nothing_is_known_of_nobody() {
        let share = Share::of(0, 0);
        assert_eq!((share.share, share.low, share.high), (None, 0.0, 1.0));
    }
}
