//! Decimal numbers as people write them, in exact arithmetic.
//!
//! A table holds 0.1 and 0.3; their difference is 0.2 and not 0.19999999999999998. A binary number stands here for the
//! shortest decimal that reads back as it, which is a whole number of units of a power of ten.

use std::cmp::Ordering;

/// Powers of ten that a binary number holds exactly.
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
];

/// The most decimals of a lattice: beyond it powers of ten are rounded themselves.
pub(crate) const MOST_DECIMALS: u32 = 22;

/// Up to this many units, different decimals are different binary numbers: 15 digits always survive.
pub(crate) const MOST_UNITS: i64 = 1_000_000_000_000_000;

/// More significant digits than this are not what people write: they come out of binary arithmetic.
const MOST_DIGITS: usize = 15;

/// What binary arithmetic may add to numbers with too many digits, relatively.
const NOISE: f64 = 1e-14;

/// The number of units that a decimal has, as the nearest binary number: what reading its text would give.
///
/// # Panics
/// If there are more than [`MOST_DECIMALS`].
pub(crate) fn value(units: i64, decimals: u32) -> f64 {
    // Both are exact, so that the one division rounds once. Adding 0 turns -0 into 0.
    units as f64 / POWERS[decimals as usize] + 0.0
}

/// How many decimals the shortest text of a number has.
pub(crate) fn decimals(number: f64) -> u32 {
    Decimal::of(number).map_or(0, |decimal| decimal.decimals)
}

/// The largest number of units, of this many decimals, that is at or below a number; within [`MOST_UNITS`].
pub(crate) fn units_at_most(number: f64, decimals: u32) -> i64 {
    let limit = MOST_UNITS as f64;
    let mut units = (number * POWERS[decimals as usize]).floor().clamp(-limit, limit) as i64 + 2;
    while units > -MOST_UNITS && value(units, decimals) > number {
        units -= 1;
    }
    units.min(MOST_UNITS)
}

/// The least number of units that is at or above a number; within [`MOST_UNITS`].
pub(crate) fn units_at_least(number: f64, decimals: u32) -> i64 {
    -units_at_most(-number, decimals)
}

/// The units of a number that has at most this many decimals, and at most [`MOST_UNITS`].
pub(crate) fn units(number: f64, decimals: u32) -> Option<i64> {
    let units = units_at_most(number, decimals);
    (value(units, decimals) == number).then_some(units)
}

/// The difference of two decimals, as on paper.
pub(crate) fn difference(to: f64, from: f64) -> f64 {
    let exact = || Decimal::of(to)?.plus(Decimal::of(from)?.negative())?.to_f64();
    exact().unwrap_or(to - from)
}

/// The sum of two decimals, as on paper.
pub(crate) fn sum(a: f64, b: f64) -> f64 {
    difference(a, -b)
}

/// Whether a sum of products of decimals is at most a limit, as on paper; `None` where the numbers have too many digits.
pub(crate) fn sum_is_at_most(products: &[(f64, f64)], most: f64) -> Option<bool> {
    Some(exact_total(products)?.compare(Decimal::of(most)?)? != Ordering::Greater)
}

/// Whether a number is a multiple of a step, as on paper; `None` where they have too many digits.
pub(crate) fn is_multiple(number: f64, step: f64) -> Option<bool> {
    let (number, step) = Decimal::of(number)?.aligned(Decimal::of(step)?)?;
    (step != 0).then(|| number % step == 0)
}

/// The sum of products of decimals, as on paper; `None` where the numbers have too many digits.
pub(crate) fn total(products: &[(f64, f64)]) -> Option<f64> {
    exact_total(products)?.to_f64()
}

/// Whether a sum of products is at most a limit: as on paper, but where numbers have more digits than people write, what
/// binary arithmetic adds to them does not count.
pub(crate) fn is_at_most(products: &[(f64, f64)], most: f64) -> bool {
    if most.is_infinite() {
        return most > 0.0;
    }
    let noisy = products.iter().any(|&(a, b)| is_noisy(a) || is_noisy(b)) || is_noisy(most);
    let exact = if noisy { None } else { sum_is_at_most(products, most) };
    exact.unwrap_or_else(|| {
        let sum: f64 = products.iter().map(|(a, b)| a * b).sum();
        let size: f64 = products.iter().map(|(a, b)| (a * b).abs()).sum();
        sum <= most + NOISE * (size + most.abs())
    })
}

/// Whether a number is a multiple of a step, with the same regard to numbers of too many digits.
pub(crate) fn is_on_step(number: f64, step: f64) -> bool {
    let exact = if is_noisy(number) || is_noisy(step) { None } else { is_multiple(number, step) };
    exact.unwrap_or_else(|| {
        let off = (number - (number / step).round() * step).abs();
        // Among very large numbers noise must not pass for steps.
        off <= (NOISE * number.abs()).min(step / 1000.0)
    })
}

/// Whether a number has more digits than people write.
pub(crate) fn is_noisy(number: f64) -> bool {
    if number.fract() == 0.0 && number.abs() < 1e15 {
        return false;
    }
    let text = format!("{number:e}");
    let digits = text.split('e').next().unwrap_or("");
    digits.bytes().filter(u8::is_ascii_digit).count() > MOST_DIGITS
}

/// The number as people write it: the same, but without noise behind 15 digits.
pub(crate) fn without_noise(number: f64) -> f64 {
    if !number.is_finite() || !is_noisy(number) {
        return number;
    }
    format!("{number:.14e}").parse().unwrap_or(number)
}

fn exact_total(products: &[(f64, f64)]) -> Option<Decimal> {
    let mut sum = Decimal { units: 0, decimals: 0 };
    for &(factor, number) in products {
        sum = sum.plus(Decimal::of(factor)?.times(Decimal::of(number)?)?)?;
    }
    Some(sum)
}

/// A number of units of a power of ten.
#[derive(Debug, Clone, Copy)]
struct Decimal {
    units: i128,
    decimals: u32,
}

impl Decimal {
    /// The shortest decimal that reads back as this number.
    fn of(number: f64) -> Option<Self> {
        if !number.is_finite() {
            return None;
        }
        if number.fract() == 0.0 && number.abs() < 1e15 {
            return Some(Self { units: number as i128, decimals: 0 });
        }
        let text = format!("{number:e}");
        let (digits, exponent) = text.split_once('e')?;
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let units: i128 = format!("{whole}{fraction}").parse().ok()?;
        let decimals = i64::try_from(fraction.len()).ok()? - exponent.parse::<i64>().ok()?;
        if decimals >= 0 {
            return Some(Self { units, decimals: u32::try_from(decimals).ok()? });
        }
        let power = 10_i128.checked_pow(u32::try_from(-decimals).ok()?)?;
        Some(Self { units: units.checked_mul(power)?, decimals: 0 })
    }

    fn negative(self) -> Self {
        Self { units: -self.units, ..self }
    }

    /// Both in the units of the finer one.
    fn aligned(self, other: Self) -> Option<(i128, i128)> {
        let finer = self.decimals.max(other.decimals);
        let of =
            |number: Self| number.units.checked_mul(10_i128.checked_pow(finer - number.decimals)?);
        Some((of(self)?, of(other)?))
    }

    fn plus(self, other: Self) -> Option<Self> {
        let (a, b) = self.aligned(other)?;
        Some(Self { units: a.checked_add(b)?, decimals: self.decimals.max(other.decimals) })
    }

    fn times(self, other: Self) -> Option<Self> {
        let units = self.units.checked_mul(other.units)?;
        Some(Self { units, decimals: self.decimals.checked_add(other.decimals)? })
    }

    fn compare(self, other: Self) -> Option<Ordering> {
        let (a, b) = self.aligned(other)?;
        Some(a.cmp(&b))
    }

    /// The nearest binary number.
    fn to_f64(self) -> Option<f64> {
        match i64::try_from(self.units) {
            Ok(units) if units.abs() <= MOST_UNITS && self.decimals <= MOST_DECIMALS => {
                Some(value(units, self.decimals))
            }
            _ => format!("{}e-{}", self.units, self.decimals).parse().ok(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_those_of_the_shortest_text() {
        let cases =
            [(3.0, 0), (0.1, 1), (4.8598, 4), (-12.25, 2), (1e-13, 13), (1e12, 0), (2.5e-9, 10)];
        for (number, expected) in cases {
            assert_eq!(decimals(number), expected, "{number}");
        }
    }

    #[test]
    fn values_are_what_their_text_reads_as() {
        for units in [1, -3, 36, 299, 123_456_789, 999_999_999_999_999] {
            for decimals in 0..=MOST_DECIMALS {
                let text = format!("{units}e-{decimals}");
                assert_eq!(value(units, decimals), text.parse::<f64>().unwrap(), "{text}");
            }
        }
    }

    #[test]
    fn units_are_found_on_both_sides_of_a_number() {
        assert_eq!((units_at_most(0.3, 1), units_at_least(0.3, 1)), (3, 3));
        assert_eq!((units_at_most(0.29, 1), units_at_least(0.29, 1)), (2, 3));
        assert_eq!((units_at_most(-0.31, 1), units_at_least(-0.31, 1)), (-4, -3));
        assert_eq!((units_at_most(1e-13, 13), units_at_most(1e300, 0)), (1, MOST_UNITS));
        assert_eq!((units(0.25, 1), units(0.25, 2), units(0.1 + 0.2, 12)), (None, Some(25), None));
    }

    #[test]
    fn sums_are_as_on_paper() {
        assert_eq!(difference(0.3, 0.1), 0.2);
        assert_eq!(sum(0.1, 0.2), 0.3);
        assert_eq!(difference(1e12 + 2.0, 1e12), 2.0);
        assert_eq!(difference(3e-13, 1e-13), 2e-13);
        assert_eq!(sum_is_at_most(&[(1.0, 0.1), (1.0, 0.1), (1.0, 0.1)], 0.3), Some(true));
        assert_eq!(sum_is_at_most(&[(1.0, 0.1), (1.0, 0.2)], 0.299_999_999_999), Some(false));
        assert_eq!(sum_is_at_most(&[(3.0, 1e12), (-3.0, 1e12)], -1e-9), Some(false));
        assert_eq!((is_multiple(0.3, 0.1), is_multiple(0.35, 0.1)), (Some(true), Some(false)));
        assert_eq!(is_multiple(5e-13, 1e-13), Some(true));
    }

    #[test]
    fn noise_counts_only_where_people_would_see_it() {
        let noisy = 0.1 + 0.2;
        assert!(is_noisy(noisy) && !is_noisy(0.3) && !is_noisy(1e-13) && !is_noisy(123_456.0));
        assert_eq!((without_noise(noisy), without_noise(3.599_999_999_999_999_6)), (0.3, 3.6));
        assert!(
            is_at_most(&[(1.0, noisy)], 0.3) && !is_at_most(&[(1.0, 0.300_000_000_000_1)], 0.3)
        );
        assert!(!is_at_most(&[(1.0, 3e-13)], 2e-13) && is_at_most(&[(1.0, 2e-13)], 2e-13));
        assert!(is_on_step(noisy, 0.1) && !is_on_step(1.5e-13, 1e-13) && is_on_step(7e-13, 1e-13));
        assert_eq!(total(&[(3.0, 0.1), (-2.0, 0.15)]), Some(0.0));
        assert!(is_at_most(&[(1.0, 5.0)], f64::INFINITY));
    }
}
