//! Bins as scorecards in tables write them: `[12,24)`, `A%,%B`, `missing`.

use super::condition::Condition;
use crate::InputError;

/// What a bin asks.
pub(super) fn bin(text: &str) -> Result<Condition, InputError> {
    let parts = text.split("%,%").map(|part| one(part.trim()));
    let mut parts = parts.collect::<Result<Vec<_>, _>>()?;
    Ok(if parts.len() == 1 { parts.remove(0) } else { Condition::Any(parts) })
}

fn one(text: &str) -> Result<Condition, InputError> {
    if text.eq_ignore_ascii_case("missing") {
        return Ok(Condition::Missing);
    }
    if let Some(list) = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'))
        && list.contains('\'')
    {
        return Ok(Condition::Among(quoted(list)));
    }
    match interval(text) {
        Some(interval) => interval,
        None => Ok(Condition::Among(vec![text.to_owned()])),
    }
}

/// The texts of a list like `'a' 'b'`, as numpy and Python write it.
fn quoted(list: &str) -> Vec<String> {
    list.split('\'').skip(1).step_by(2).map(str::to_owned).collect()
}

fn interval(text: &str) -> Option<Result<Condition, InputError>> {
    let first = text.chars().next().filter(|sign| "[(".contains(*sign))?;
    let last = text.chars().last().filter(|sign| "])".contains(*sign))?;
    let (low, high) = text[1..text.len() - 1].split_once(',')?;
    let wrong = || {
        InputError::new("is not an interval of numbers")
            .value(text)
            .remedy("write bins like [12,24), or the values of the bin, separated by %,%")
    };
    let ends = (low.trim().parse::<f64>(), high.trim().parse::<f64>());
    let (Ok(low), Ok(high)) = ends else { return Some(Err(wrong())) };
    let ordered = low < high || (low == high && first == '[' && last == ']');
    if !ordered {
        return Some(Err(wrong()));
    }
    let mut parts = Vec::new();
    if low > f64::NEG_INFINITY {
        parts.push(if first == '[' { Condition::AtLeast(low) } else { Condition::Above(low) });
    }
    if high < f64::INFINITY {
        parts.push(if last == ']' { Condition::AtMost(high) } else { Condition::Below(high) });
    }
    // Of nothing but infinities: every number.
    parts.push(Condition::Present);
    Some(Ok(Condition::All(parts)))
}
