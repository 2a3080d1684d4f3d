//! Decimal numbers as people write them, in exact arithmetic.
//!
//! A table holds 0.1 and 0.3; their difference is 0.2 and not 0.19999999999999998. A binary number stands here for the
//! shortest decimal that reads back as it, which is a whole number of units of a power of ten.

use std::cmp::Ordering;
use std::iter::Sum;

use num_bigint::BigInt;

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

/// The smallest binary number has about so many decimals.
const MOST_PLACES: i64 = 1100;

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
    match (Decimal::of(to), Decimal::of(from)) {
        (Some(to), Some(from)) => to.minus(&from).to_f64(),
        _ => to - from,
    }
}

/// The sum of two decimals, as on paper.
pub(crate) fn sum(a: f64, b: f64) -> f64 {
    difference(a, -b)
}

/// Whether a number is a multiple of a step, as on paper.
pub(crate) fn is_multiple(number: f64, step: f64) -> bool {
    match (Decimal::of(number), Decimal::of(step)) {
        (Some(number), Some(step)) if !step.is_zero() => {
            let (number, step) = number.aligned(&step);
            number % step == BigInt::ZERO
        }
        _ => false,
    }
}

/// Whether a sum of products is at most a limit, as on paper. Digits behind the fifteenth come out of binary arithmetic and
/// do not count.
pub(crate) fn is_at_most(products: &[(f64, f64)], most: f64) -> bool {
    if most.is_infinite() {
        return most > 0.0;
    }
    let written = Decimal::as_written;
    let product = |&(a, b): &(f64, f64)| Some(written(a)?.times(&written(b)?));
    let total: Option<Decimal> = products.iter().map(product).sum();
    total.is_some_and(|total| written(most).is_some_and(|most| total <= most))
}

/// Whether a number is a multiple of a step, with the same regard to numbers of too many digits.
pub(crate) fn is_on_step(number: f64, step: f64) -> bool {
    if !is_noisy(number) && !is_noisy(step) {
        return is_multiple(number, step);
    }
    let off = (number - (number / step).round() * step).abs();
    // Among very large numbers noise must not pass for steps.
    off <= (NOISE * number.abs()).min(step / 1000.0)
}

/// The largest binary number whose decimal fits, where all smaller ones do: one that is close to `near`.
pub(crate) fn largest_fitting(near: f64, fits: impl Fn(&Decimal) -> bool) -> f64 {
    let fits = |number: f64| Decimal::of(number).is_some_and(|number| fits(&number));
    let mut number = near + 0.0;
    while number.is_finite() && !fits(number) {
        number = number.next_down();
    }
    while fits(number.next_up()) {
        number = number.next_up();
    }
    number
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

/// A decimal number, exactly: a whole number of units of a power of ten.
#[derive(Debug, Clone, Default)]
pub struct Decimal {
    units: BigInt,
    decimals: u32,
}

impl Decimal {
    /// The shortest decimal that reads back as this number; `None` where it is not finite.
    pub fn of(number: f64) -> Option<Self> {
        if !number.is_finite() {
            return None;
        }
        if number.fract() == 0.0 && number.abs() < 1e15 {
            return Some(Self { units: BigInt::from(number as i64), decimals: 0 });
        }
        Self::parse(&format!("{number:e}"))
    }

    /// The number as people write it, without [noise](without_noise).
    pub(crate) fn as_written(number: f64) -> Option<Self> {
        Self::of(without_noise(number))
    }

    /// Reads digits with or without a decimal point and an exponent, all of them. `None` for anything else, and for exponents
    /// beyond those of binary numbers.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (digits, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let units: BigInt = format!("{whole}{fraction}").parse().ok()?;
        let decimals = i64::try_from(fraction.len()).ok()? - exponent.parse::<i64>().ok()?;
        if decimals.abs() > MOST_PLACES {
            return None;
        }
        let places = u32::try_from(decimals.abs()).ok()?;
        if decimals >= 0 {
            return Some(Self { units, decimals: places });
        }
        Some(Self { units: units * power_of_ten(places), decimals: 0 })
    }

    /// The nearest binary number.
    pub fn to_f64(&self) -> f64 {
        match i64::try_from(&self.units) {
            Ok(units) if units.abs() <= MOST_UNITS && self.decimals <= MOST_DECIMALS => {
                value(units, self.decimals)
            }
            // Digits always make a number.
            _ => format!("{}e-{}", self.units, self.decimals).parse().unwrap_or(f64::NAN),
        }
    }

    /// Whether it is a whole number.
    pub(crate) fn is_whole(&self) -> bool {
        &self.units % power_of_ten(self.decimals) == BigInt::ZERO
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.units == BigInt::ZERO
    }

    pub(crate) fn is_negative(&self) -> bool {
        self.units < BigInt::ZERO
    }

    pub(crate) fn negative(&self) -> Self {
        Self { units: -&self.units, decimals: self.decimals }
    }

    pub(crate) fn plus(&self, other: &Self) -> Self {
        let (a, b) = self.aligned(other);
        Self { units: a + b, decimals: self.decimals.max(other.decimals) }
    }

    pub(crate) fn minus(&self, other: &Self) -> Self {
        self.plus(&other.negative())
    }

    pub(crate) fn times(&self, other: &Self) -> Self {
        Self { units: &self.units * &other.units, decimals: self.decimals + other.decimals }
    }

    /// How many decimals it is kept with.
    pub(crate) fn decimals(&self) -> u32 {
        self.decimals
    }

    /// As a number of units of at least as many decimals as it has.
    ///
    /// # Panics
    /// If it has more.
    pub(crate) fn units(&self, decimals: u32) -> BigInt {
        &self.units * power_of_ten(decimals - self.decimals)
    }

    /// Both in the units of the finer one.
    fn aligned(&self, other: &Self) -> (BigInt, BigInt) {
        let finer = self.decimals.max(other.decimals);
        (self.units(finer), other.units(finer))
    }
}

impl Sum for Decimal {
    fn sum<I: Iterator<Item = Self>>(numbers: I) -> Self {
        numbers.fold(Self::default(), |total, number| total.plus(&number))
    }
}

impl From<u32> for Decimal {
    fn from(number: u32) -> Self {
        Self { units: BigInt::from(number), decimals: 0 }
    }
}

impl PartialEq for Decimal {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Decimal {}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        if self.decimals == other.decimals {
            return self.units.cmp(&other.units);
        }
        let (a, b) = self.aligned(other);
        a.cmp(&b)
    }
}

fn power_of_ten(exponent: u32) -> BigInt {
    match 10_u64.checked_pow(exponent) {
        Some(power) => BigInt::from(power),
        None => BigInt::from(10).pow(exponent),
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
        assert!(is_at_most(&[(1.0, 0.1), (1.0, 0.1), (1.0, 0.1)], 0.3));
        assert!(!is_at_most(&[(1.0, 0.1), (1.0, 0.2)], 0.299_999_999_999));
        assert!(!is_at_most(&[(3.0, 1e12), (-3.0, 1e12)], -1e-9));
        assert!(is_multiple(0.3, 0.1) && !is_multiple(0.35, 0.1) && is_multiple(5e-13, 1e-13));
    }

    #[test]
    fn sums_keep_every_digit() {
        let ends = [(1e15, -1e-15), (123_456_789_012.0, 1e-300), (1e-14, 999_999_999_999_999.0)];
        for (a, b) in ends {
            let exact = Decimal::of(a).unwrap().plus(&Decimal::of(b).unwrap());
            assert_eq!(exact.minus(&Decimal::of(a).unwrap()).to_f64(), b);
            assert!(is_at_most(&[(1.0, a), (1.0, b), (-1.0, a)], b));
            assert!(!is_at_most(&[(1.0, a), (1.0, b), (-1.0, a)], b - b.abs() / 4.0));
        }
        // Another number, which is known by 16 digits, does not blur the others.
        let noisy = 0.1 + 0.2;
        assert!(!is_at_most(&[(1.0, 1e12), (1.0, 0.01), (1.0, noisy)], 1e12 + 0.3));
    }

    #[test]
    fn texts_are_read_to_the_last_digit() {
        let long = Decimal::parse("300000000294.000009").unwrap();
        let parts = [300_000_000_294.0, 0.000_009].map(|part| Decimal::of(part).unwrap());
        assert_eq!(long, parts[0].plus(&parts[1]));
        assert_eq!(Decimal::parse("1.50E+2"), Decimal::of(150.0));
        assert_eq!(Decimal::parse(".5"), Decimal::of(0.5));
        assert!(Decimal::parse("2.0").unwrap().is_whole() && !long.is_whole());
        assert_eq!((Decimal::parse("1e-99999"), Decimal::parse("x")), (None, None));
    }

    #[test]
    fn the_largest_fitting_number_is_found() {
        let third = |number: &Decimal| number.times(&Decimal::from(3)) <= Decimal::from(1);
        assert_eq!(largest_fitting(1.0 / 3.0, third), 0.333_333_333_333_333_3);
        let below = |number: &Decimal| *number < Decimal::from(5);
        assert_eq!(largest_fitting(5.0, below), 5.0_f64.next_down());
        assert_eq!(largest_fitting(0.0, Decimal::is_negative), 0.0_f64.next_down());
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
        assert!(is_at_most(&[(3.0, 0.1), (-2.0, 0.15)], 0.0));
        assert!(is_at_most(&[(1.0, 5.0)], f64::INFINITY));
    }
}
