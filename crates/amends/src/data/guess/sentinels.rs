//! Numbers that stand for something else: 999999 or -9 for a value that is not known.

use super::cells::rows_in_words;
use crate::data::Code;
use crate::data::schema::spelt;

/// Codes among the numbers of a column.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Sentinels {
    /// Numbers that are certainly codes.
    pub codes: Vec<Code>,
    /// What should be checked.
    pub checks: Vec<String>,
}

/// At most this many different numbers are taken for codes.
const MOST: usize = 5;

/// Different cells with their numbers from the least to the largest, and the number of rows of each.
pub(super) fn find(read: &[(&str, f64)], rows: impl Fn(&str) -> usize) -> Sentinels {
    let mut found = Sentinels::default();
    if read.len() < 6 {
        return found;
    }
    let (negative, others) = read.split_at(read.partition_point(|(_, number)| *number < 0.0));
    let mut ordinary = others;
    // 9999 far above everything else.
    if let Some((&(text, number), below)) = others.split_last() {
        let next = below.last().map_or(0.0, |(_, number)| *number);
        // Written in two ways, it would not be far above itself.
        if is_nines(number) && number >= 5.0 * next.max(1.0) && below.len() >= 5 {
            ordinary = below;
            if rows(text) >= 2 {
                found.codes.push(code(text));
                found.checks.push(format!(
                    "`{text}` is far above all other numbers, so it is read as a code. Correct its label, or remove it from \
                     `codes` if it is a number."
                ));
            } else {
                found.checks.push(format!(
                    "`{text}` in one row is far above all other numbers (up to {next}). If it means something else, write {}",
                    declared(&[text])
                ));
            }
        }
    }
    if let Some(text) = above_negatives(negative, others, &rows) {
        ordinary = &others[..others.len() - 1];
        found.codes.push(code(text));
        found.checks.push(format!(
            "`{text}` in {} is far above all other numbers, which are negative, so it is read as a code. Correct its label, or \
             remove it from `codes` if it is a number.",
            rows_in_words(rows(text))
        ));
    }
    negatives(negative, ordinary, &mut found);
    if let Some(check) = zeros(negative, ordinary, rows) {
        found.checks.push(check);
    }
    found
}

/// A positive number that occurs again and again far from many negative ones, such as 365243 among days before the application.
fn above_negatives<'a>(
    negative: &[(&str, f64)],
    others: &[(&'a str, f64)],
    rows: impl Fn(&str) -> usize,
) -> Option<&'a str> {
    let (&(text, number), below) = others.split_last()?;
    let farthest = -negative.first()?.1;
    let alone = below.iter().all(|(_, other)| *other == 0.0);
    (alone && negative.len() >= 5 && number >= 5.0 * farthest && rows(text) >= 2).then_some(text)
}

/// A few negative numbers below many others.
fn negatives(negative: &[(&str, f64)], ordinary: &[(&str, f64)], found: &mut Sentinels) {
    if negative.is_empty() || negative.len() > MOST.min(ordinary.len() / 2) {
        return;
    }
    let whole = negative.iter().all(|(_, number)| number.fract() == 0.0);
    let nearest = negative.last().map_or(0.0, |(_, number)| -number);
    let largest = ordinary.last().map_or(0.0, |(_, number)| *number);
    let typical = typical_step(ordinary);
    // -9, -8 and -7 below 0, 1, 2, ...; -999 below numbers of any size, where no other is negative.
    let apart = whole
        && nearest >= 7.0
        && nearest >= 5.0 * typical
        && negative.iter().all(|(_, number)| is_code_like(*number));
    let nines = negative.iter().all(|(_, number)| is_nines(-number)) && nearest >= 0.01 * largest;
    let texts: Vec<&str> = negative.iter().map(|(text, _)| *text).collect();
    let shown: Vec<String> = texts.iter().map(|text| format!("`{text}`")).collect();
    if apart || nines {
        found.codes.extend(texts.iter().map(|text| code(text)));
        // "-9.0" is read as "-9" is.
        found.codes.dedup_by(|b, a| a.number().is_some() && a.number() == b.number());
        let (are, they) = if texts.len() == 1 {
            ("is read as a code", "it is a number")
        } else {
            ("are read as codes", "they are numbers")
        };
        found.checks.push(format!(
            "{} {are}, apart from all other numbers. Say in `label` what each means, or remove `codes` if {they}.",
            shown.join(", ")
        ));
    } else if whole {
        found.checks.push(format!(
            "If its few negative numbers are codes beside the numbers, say what they mean: {}",
            declared(&texts)
        ));
    }
}

/// Zeros far below everything else, such as an age of 0 among adults.
fn zeros(
    negative: &[(&str, f64)],
    ordinary: &[(&str, f64)],
    rows: impl Fn(&str) -> usize,
) -> Option<String> {
    let ((text, zero), others) = ordinary.split_first()?;
    if *zero != 0.0 || !negative.is_empty() || others.len() < 10 {
        return None;
    }
    let (next, largest) = (others[0].1, others[others.len() - 1].1);
    let middle = others[others.len() / 2].1;
    let apart = next >= 0.3 * middle && next >= 5.0 * typical_step(others) && next > 0.05 * largest;
    apart.then(|| {
        format!(
            "0 in {} is far below all other numbers (from {next}). If it stands for a missing value, write {}",
            rows_in_words(rows(text)),
            declared(&[text])
        )
    })
}

/// The median difference of neighbouring numbers.
fn typical_step(numbers: &[(&str, f64)]) -> f64 {
    let mut steps: Vec<f64> = numbers.windows(2).map(|pair| pair[1].1 - pair[0].1).collect();
    steps.sort_by(f64::total_cmp);
    steps.get(steps.len() / 2).copied().unwrap_or(1.0)
}

/// 999 and more nines; two are an ordinary number.
fn is_nines(number: f64) -> bool {
    number >= 999.0 && number.fract() == 0.0 && number.to_string().chars().all(|c| c == '9')
}

/// -7, -8, -9, -77, -99 and the like, which people choose as codes.
fn is_code_like(number: f64) -> bool {
    let digits = (-number).to_string();
    ["7", "8", "9"].iter().any(|digit| digits.chars().all(|c| digit.starts_with(c)))
        || ["96", "97", "98", "996", "997", "998", "9996", "9997", "9998"]
            .contains(&digits.as_str())
}

fn code(text: &str) -> Code {
    Code::new(text, format!("no number ({text})"))
}

fn declared(texts: &[&str]) -> String {
    let codes: Vec<String> = texts.iter().map(|text| spelt(&Code::new(*text, "..."))).collect();
    format!("codes = [{}]", codes.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find_in(numbers: &[f64], rows: usize) -> Sentinels {
        let mut sorted = numbers.to_vec();
        sorted.sort_by(f64::total_cmp);
        let texts: Vec<String> = sorted.iter().map(ToString::to_string).collect();
        let read: Vec<(&str, f64)> = texts.iter().map(String::as_str).zip(sorted).collect();
        find(&read, |_| rows)
    }

    fn codes(numbers: &[f64]) -> Vec<String> {
        find_in(numbers, 3).codes.into_iter().map(|code| code.text).collect()
    }

    #[test]
    fn numbers_far_from_all_others_are_codes() {
        let amounts = [1200.0, 1500.0, 1700.0, 2500.0, 3000.0, 4100.0, 5000.0];
        let with = |more: &[f64]| [&amounts[..], more].concat();
        assert_eq!(codes(&with(&[999_999.0])), ["999999"]);
        assert_eq!(codes(&with(&[-999.0])), ["-999"]);
        assert_eq!(codes(&with(&[9999.0])), [""; 0]);
        assert_eq!(codes(&with(&[-200.0])), [""; 0]);
        let counts: Vec<f64> = (0..20).map(f64::from).collect();
        assert_eq!(codes(&[&counts[..], &[-9.0, -8.0, -7.0]].concat()), ["-9", "-8", "-7"]);
        assert_eq!(codes(&[&counts[..], &[-2.0, -1.0]].concat()), [""; 0]);
        assert_eq!(codes(&amounts), [""; 0]);
        let days: Vec<f64> = (1..30).map(|day| f64::from(-410 * day)).collect();
        assert_eq!(codes(&[&days[..], &[365_243.0]].concat()), ["365243"]);
        assert_eq!(codes(&[&days[..], &[0.0, 365_243.0]].concat()), ["365243"]);
        assert_eq!(codes(&[&days[..], &[20_000.0]].concat()), [""; 0]);
        assert_eq!(codes(&[&days[..], &[12.0, 365_243.0]].concat()), [""; 0]);
        assert_eq!(find_in(&[&days[..], &[365_243.0]].concat(), 1).codes, []);
        // Once is a note.
        let once = find_in(&with(&[999_999.0]), 1);
        assert!(
            once.codes.is_empty() && once.checks[0].contains("{ value = 999999, label"),
            "{once:?}"
        );
    }

    #[test]
    fn doubtful_numbers_are_pointed_out() {
        let counts: Vec<f64> = (0..20).map(f64::from).collect();
        let checks = |numbers: &[f64]| find_in(numbers, 3).checks.join("\n");
        let few = checks(&[&counts[..], &[-2.0, -1.0]].concat());
        assert!(few.contains("codes = [{ value = -2, label = \"...\" }, { value = -1,"), "{few}");
        let ages: Vec<f64> = (18..70).map(f64::from).collect();
        assert!(checks(&[&ages[..], &[0.0]].concat()).starts_with("0 in 3 rows is far below"));
        assert_eq!(checks(&counts), "");
        assert_eq!(checks(&[-9.0, -7.0, -5.0, -1.0, 0.0, 2.0, 3.0]), "");
    }
}
