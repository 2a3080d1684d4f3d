//! Plans that need time to pass: facts that only grow as months go by.

use chrono::{Days, Months, NaiveDate};

use crate::data::{Change, Feature};

/// What is counted in such units, but chosen rather than waited for.
const CHOSEN: [&str; 8] =
    ["term", "duration", "maturity", "tenor", "period", "laufzeit", "dauer", "frist"];

/// A unit of time.
#[derive(Debug, Clone, Copy)]
enum Unit {
    Days(f64),
    Months(u32),
}

fn unit_of_time(unit: &str) -> Option<Unit> {
    match unit.to_lowercase().as_str() {
        "day" | "days" | "tag" | "tage" => Some(Unit::Days(1.0)),
        "week" | "weeks" | "woche" | "wochen" => Some(Unit::Days(7.0)),
        "month" | "months" | "monat" | "monate" => Some(Unit::Months(1)),
        "year" | "years" | "jahr" | "jahre" => Some(Unit::Months(12)),
        _ => None,
    }
}

/// The day on which a fact that grows with time will have grown by so much; none of a fact that need not wait.
///
/// The schema has no word for it. A number that counts time and may only increase grows with time, unless it is the term of something.
pub(super) fn ready(feature: &Feature, growth: f64, from: NaiveDate) -> Option<NaiveDate> {
    let unit = unit_of_time(feature.unit.as_deref()?)?;
    if feature.change != Change::Increase
        || !feature.is_numeric()
        || growth <= 0.0
        || is_chosen(feature)
    {
        return None;
    }
    let (whole, rest) = (growth.floor(), growth.fract());
    // What overflows the calendar is later than anything.
    let days = |count: f64| Days::new(count.ceil().min(4e6) as u64);
    let day = match unit {
        Unit::Days(length) => from.checked_add_days(days(growth * length)),
        Unit::Months(length) => {
            let months = Months::new((whole.min(1e6) as u32).saturating_mul(length));
            let month = 30.44 * f64::from(length);
            from.checked_add_months(months).and_then(|day| day.checked_add_days(days(rest * month)))
        }
    };
    Some(day.unwrap_or(NaiveDate::MAX))
}

fn is_chosen(feature: &Feature) -> bool {
    let names = [Some(&feature.name), feature.label.as_ref()].into_iter().flatten();
    let mut words = names.flat_map(|name| name.split(|letter: char| !letter.is_alphabetic()));
    words.any(|word| CHOSEN.iter().any(|chosen| word.to_lowercase().ends_with(chosen)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Schema;

    fn day(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    #[test]
    fn only_what_counts_time_and_only_grows_needs_time() {
        let schema = Schema::german();
        let mut months = schema.features[schema.feature_index("duration").unwrap()].clone();
        months.change = Change::Increase;
        months.label = None;
        assert_eq!(ready(&months, 6.0, day("2026-08-31")), None, "a term is chosen");
        months.name = "months_in_job".to_owned();
        assert_eq!(ready(&months, 6.0, day("2026-08-31")), Some(day("2027-02-28")));
        assert_eq!(ready(&months, 0.5, day("2026-08-01")), Some(day("2026-08-17")));
        assert_eq!(ready(&months, -6.0, day("2026-08-31")), None);
        months.unit = Some("Jahre".to_owned());
        assert_eq!(ready(&months, 2.0, day("2026-08-31")), Some(day("2028-08-31")));
        assert_eq!(ready(&months, 1e300, day("2026-08-31")), Some(NaiveDate::MAX));
        months.change = Change::Free;
        assert_eq!(ready(&months, 2.0, day("2026-08-31")), None);
        (months.change, months.unit) = (Change::Increase, Some("DM".to_owned()));
        assert_eq!(ready(&months, 2.0, day("2026-08-31")), None);
    }
}
