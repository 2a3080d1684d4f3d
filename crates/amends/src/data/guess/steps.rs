//! Round steps that the numbers of a column are multiples of: credit lines in 10,000, shares in 0.5.

use super::names::Words;
use crate::decimal::{MOST_UNITS, decimals, is_noisy, units, value};

/// A step of a column's numbers.
#[derive(Debug, PartialEq)]
pub(super) struct Step<'a> {
    pub size: f64,
    /// The few cells that are not multiples of it, from the least to the largest.
    pub off: Vec<&'a str>,
    /// How many rows have one of those.
    pub off_rows: usize,
}

/// Round numbers up to a power of ten.
const ROUND: [i64; 4] = [1, 2, 5, 25];
/// Terms come in quarters, half years and years, too.
const MONTHS: [i64; 3] = [3, 6, 12];

/// In fewer rows, or with fewer different numbers, multiples may be an accident.
const LEAST_ROWS: usize = 20;
const LEAST_VALUES: usize = 5;
/// The probability, as a power of ten, below which it is not by accident that different numbers are multiples of the step.
const UNLIKELY: f64 = 5.0;
/// One in this many rows, and one in this many different numbers, may be off the step.
const ROWS_PER_EXCEPTION: usize = 200;
const VALUES_PER_EXCEPTION: usize = 10;

/// The largest round step that nearly all numbers are multiples of. `read` has each different cell with its number, `rows` says how many rows have a
/// cell.
///
/// A step says where *new* values lie, and applicants may keep the value that they have. So a few rows that are off the step do not make
/// it wrong, as long as nearly all keep it. Zeros say nothing: they are a multiple of everything.
pub(super) fn find<'a>(
    name: &Words,
    read: &[(&'a str, f64)],
    rows: impl Fn(&str) -> usize,
) -> Option<Step<'a>> {
    if read.iter().any(|&(_, number)| is_noisy(number)) {
        return None;
    }
    let finest = read.iter().map(|&(_, number)| decimals(number)).max()?;
    let numbers: Vec<Number<'a>> = read
        .iter()
        .filter(|(_, number)| *number != 0.0)
        .map(|&(text, number)| {
            Some(Number { text, units: units(number, finest)?, rows: rows(text) })
        })
        .collect::<Option<_>>()?;
    let all_rows: usize = numbers.iter().map(|number| number.rows).sum();
    let mut sizes = sizes(name, finest);
    sizes.sort_unstable_by(|a, b| b.cmp(a));
    sizes.into_iter().find_map(|size| {
        let (mut on, mut off) = (Distinct::default(), Vec::new());
        let (most_off, mut off_rows) = (all_rows / ROWS_PER_EXCEPTION, 0);
        for number in &numbers {
            if number.units % size == 0 {
                on.add(number);
            } else {
                off_rows += number.rows;
                off.push(number.text);
                if off_rows > most_off {
                    return None;
                }
            }
        }
        let unlikely = on.count as f64 * (size as f64).log10() >= UNLIKELY;
        let enough = on.count >= LEAST_VALUES && on.rows >= LEAST_ROWS;
        let few_off = off.len() * VALUES_PER_EXCEPTION <= numbers.len();
        (unlikely && enough && few_off).then(|| Step { size: value(size, finest), off, off_rows })
    })
}

/// A different number of a column, in units of its last decimal.
struct Number<'a> {
    text: &'a str,
    units: i64,
    rows: usize,
}

/// Different numbers in rising order; two cells may be spellings of one.
#[derive(Default)]
struct Distinct {
    count: usize,
    rows: usize,
    last: Option<i64>,
}

impl Distinct {
    fn add(&mut self, number: &Number) {
        self.count += usize::from(self.last != Some(number.units));
        self.rows += number.rows;
        self.last = Some(number.units);
    }
}

/// The candidate steps, in units of the last decimal: those that are coarser than the decimals.
fn sizes(name: &Words, finest: u32) -> Vec<i64> {
    let powers = std::iter::successors(Some(1_i64), |power| power.checked_mul(10));
    let powers = powers.take_while(|&power| power <= MOST_UNITS / 100);
    let mut sizes: Vec<i64> = powers
        .flat_map(|power| ROUND.map(|round| round * power))
        .filter(|&size| size > 1)
        .collect();
    if finest == 0 && is_term(name) {
        sizes.extend(MONTHS);
    }
    sizes
}

/// Whether a name is about a time in months.
fn is_term(name: &Words) -> bool {
    let words = ["month", "months", "term", "duration", "tenor", "monate", "laufzeit"];
    name.one_of(&words).or_else(|| name.contains(&["laufzeit", "monat"])).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step_of(name: &str, cells: &[String], each: usize) -> Option<(f64, usize)> {
        let mut read: Vec<(&str, f64)> =
            cells.iter().map(|text| (text.as_str(), text.parse().unwrap())).collect();
        read.sort_by(|a, b| a.1.total_cmp(&b.1));
        let step = find(&Words::of(name), &read, |_| each)?;
        assert_eq!(step.off_rows, each * step.off.len());
        Some((step.size, step.off.len()))
    }

    fn cells(count: usize, text: impl Fn(usize) -> String) -> Vec<String> {
        (1..=count).map(text).collect()
    }

    #[test]
    fn the_largest_round_step_is_found() {
        for (name, each, size, expected) in [
            ("limit", 4, 10_000.0, Some(10_000.0)),
            ("amount", 4, 100.0, Some(100.0)),
            ("amount", 4, 250.0, Some(250.0)),
            ("share", 4, 0.5, Some(0.5)),
            ("share", 4, -0.05, Some(0.05)),
            ("count", 4, 1.0, None),
            ("age", 4, 3.0, None),
            ("term", 4, 12.0, Some(12.0)),
            ("count", 4, 12.0, None),
            ("Laufzeit_in_Monaten", 4, 6.0, Some(6.0)),
            // Too few rows.
            ("limit", 1, 10_000.0, None),
        ] {
            let cells = cells(9, |n| format!("{:.2}", n as f64 * size));
            assert_eq!(
                step_of(name, &cells, each),
                expected.map(|step| (step, 0)),
                "{name} {size}"
            );
        }
    }

    #[test]
    fn few_different_numbers_show_no_step() {
        let tens = |count| step_of("f", &cells(count, |n| (10 * n).to_string()), 50);
        assert_eq!((tens(4), tens(5)), (None, Some((10.0, 0))));
        let fives = |count| step_of("f", &cells(count, |n| (5 * n).to_string()), 50);
        assert_eq!((fives(7), fives(8)), (None, Some((5.0, 0))));
        // Zeros, and other spellings of the same number, are no evidence.
        let same = ["0", "0.0", "10", "10.0", "20", "20.0", "30", "40"].map(str::to_owned);
        assert_eq!(step_of("f", &same, 50), None);
    }

    #[test]
    fn a_few_exceptions_do_not_hide_a_step_and_more_do() {
        let with = |count: usize| {
            let mut all = cells(300, |n| (1000 * n).to_string());
            all.extend(cells(count, |n| (327_679 + 2 * n).to_string()));
            step_of("limit", &all, 10)
        };
        assert_eq!(with(0), Some((1000.0, 0)));
        assert_eq!(with(1), Some((1000.0, 1)));
        assert_eq!(with(2), None);
        // The finer digits of an exception don't make the step of the others finer.
        let mut all = cells(300, |n| (n as f64 / 2.0).to_string());
        all.push("0.125".into());
        assert_eq!(step_of("share", &all, 10), Some((0.5, 1)));
        // Few rows, but a great part of the different numbers.
        let read: Vec<(String, usize)> = (1..=6)
            .map(|n| (format!("{}", n * 10_000), 1000))
            .chain([("16000".to_owned(), 1), ("32768".to_owned(), 1)])
            .collect();
        let mut numbers: Vec<(&str, f64)> =
            read.iter().map(|(text, _)| (text.as_str(), text.parse().unwrap())).collect();
        numbers.sort_by(|a, b| a.1.total_cmp(&b.1));
        let rows = |text: &str| read.iter().find(|(own, _)| own == text).unwrap().1;
        assert_eq!(find(&Words::of("limit"), &numbers, rows), None);
    }

    #[test]
    fn measured_numbers_have_no_step() {
        let measured = cells(300, |n| (1.0 / n as f64).to_string());
        assert_eq!(step_of("ratio", &measured, 10), None);
        let odd = cells(300, |n| (37 * n + 1).to_string());
        assert_eq!(step_of("amount", &odd, 10), None);
    }
}
