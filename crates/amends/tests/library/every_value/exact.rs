//! Decimal numbers without rounding, as a person computes on paper.

use std::fmt;
use std::ops::{Add, Neg, Sub};

/// Decimals that are kept: enough for the smallest worlds, with room for the largest in 128 bits.
const PLACES: u32 = 16;

/// A decimal number, as a count of units of 1e-16.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Exact(i128);

impl Exact {
    pub const ZERO: Self = Self(0);

    /// `digits * 10^exponent`.
    pub fn new(digits: i128, exponent: i32) -> Self {
        let places = u32::try_from(PLACES as i32 + exponent).expect("no more than 16 decimals");
        Self(digits * 10_i128.pow(places))
    }

    pub fn whole(number: i128) -> Self {
        Self::new(number, 0)
    }

    pub fn of_units(units: i128) -> Self {
        Self(units)
    }

    /// The count of units of 1e-16.
    pub fn units(self) -> i128 {
        self.0
    }

    pub fn times(self, count: i128) -> Self {
        Self(self.0 * count)
    }

    pub fn abs(self) -> Self {
        Self(self.0.abs())
    }

    pub fn is_multiple_of(self, unit: Self) -> bool {
        self.0 % unit.0 == 0
    }

    /// How often the unit fits below the number: the floor of the quotient.
    pub fn counted_in(self, unit: Self) -> i128 {
        self.0.div_euclid(unit.0)
    }

    /// How many decimals the number is written with.
    pub fn places(self) -> u32 {
        (0..PLACES).find(|&places| self.0 % 10_i128.pow(PLACES - places) == 0).unwrap_or(PLACES)
    }

    /// The number that a table with this text is read as.
    pub fn to_f64(self) -> f64 {
        self.to_string().parse().expect("digits make a number")
    }
}

impl Add for Exact {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Sub for Exact {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl Neg for Exact {
    type Output = Self;

    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl fmt::Display for Exact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let one = 10_i128.pow(PLACES);
        let (whole, rest) = (self.0.abs() / one, self.0.abs() % one);
        let sign = if self.0 < 0 { "-" } else { "" };
        let decimals = format!("{rest:016}");
        match decimals.trim_end_matches('0') {
            "" => write!(f, "{sign}{whole}"),
            decimals => write!(f, "{sign}{whole}.{decimals}"),
        }
    }
}

#[test]
fn decimals_are_written_and_counted_as_on_paper() {
    let number = |digits, exponent| Exact::new(digits, exponent);
    for (exact, text, places) in [
        (number(36, -1), "3.6", 1),
        (number(-25, -2), "-0.25", 2),
        (number(7, -13), "0.0000000000007", 13),
        (number(12, 9), "12000000000", 0),
        (Exact::ZERO, "0", 0),
    ] {
        assert_eq!((exact.to_string().as_str(), exact.places()), (text, places));
        assert_eq!(exact.to_f64().to_string(), text);
    }
    assert_eq!(number(1, -1) + number(2, -1), number(3, -1));
    assert_eq!(number(-7, 0).counted_in(number(5, 0)), -2);
    assert!(number(75, -2).is_multiple_of(number(25, -2)));
}
