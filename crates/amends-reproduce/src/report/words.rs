//! Numbers and names as the report writes them.

use amends::model::{MeanDeviation, ModelKind};

/// Printed in place of a missing number.
pub const NONE: &str = "–";

/// The papers' short name of a model.
pub fn short(model: ModelKind) -> String {
    model.short_name().to_uppercase()
}

pub fn mean_deviation(value: Option<MeanDeviation>) -> String {
    value.map_or_else(|| NONE.into(), |value| format!("{:.2} ± {:.2}", value.mean, value.deviation))
}

/// Mean and deviation of shares, in percent.
pub fn percent(value: MeanDeviation) -> String {
    format!("{:.1} ± {:.1}", 100.0 * value.mean, 100.0 * value.deviation)
}

pub fn number(value: Option<f64>) -> String {
    value.map_or_else(|| NONE.into(), |value| format!("{value:.2}"))
}

/// Seconds with as many digits as they are worth.
pub fn seconds(value: Option<f64>) -> String {
    value.map_or_else(|| NONE.into(), |value| digits(value, value))
}

pub fn seconds_deviation(value: Option<MeanDeviation>) -> String {
    value.map_or_else(
        || NONE.into(),
        |value| {
            format!("{} ± {}", digits(value.mean, value.mean), digits(value.deviation, value.mean))
        },
    )
}

/// A number with the digits that fit a mean.
fn digits(value: f64, mean: f64) -> String {
    match mean {
        mean if mean < 0.1 => format!("{value:.3}"),
        mean if mean < 10.0 => format!("{value:.2}"),
        _ => format!("{value:.1}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_have_the_digits_they_are_worth() {
        let texts = [0.0314, 0.5, 9.99, 60.04].map(|value| seconds(Some(value)));
        assert_eq!(texts, ["0.031", "0.50", "9.99", "60.0"]);
        let spread = MeanDeviation { mean: 60.04, deviation: 0.0123 };
        assert_eq!(seconds_deviation(Some(spread)), "60.0 ± 0.0");
        assert_eq!(seconds(None), NONE);
    }
}
