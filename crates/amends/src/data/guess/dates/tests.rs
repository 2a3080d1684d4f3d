//! Which columns are dates, and how they are read.

use super::super::{Context, Guess, guess};
use super::*;
use crate::data::{About, DateFormat};
use crate::data::{CellFormat, Feature, Table, Value, draft};

fn guessed(cells: &[&str]) -> Guess {
    let cells = Cells::of(cells.iter().copied());
    let mut conventions = Conventions::default();
    conventions.add_dates(&cells);
    let reference_date = NaiveDate::from_ymd_opt(2025, 12, 31);
    guess("opened", &cells, &Context { conventions, reference_date, counted_from_today: false })
}

fn dates(cells: &[&str]) -> (Feature, About, String) {
    let Guess::Feature(feature, about) = guessed(cells) else { panic!("{cells:?} left out") };
    let CellFormat::Date(DateFormat { pattern, .. }) = &feature.format else {
        panic!("{cells:?} are {:?}", feature.kind)
    };
    let pattern = pattern.clone();
    (*feature, about, pattern)
}

#[test]
fn months_times_and_zones_are_read() {
    for (cells, pattern) in [
        (&["31 December 2015", "1 May 2016", "7 June 2017"][..], "%d %B %Y"),
        (&["December 31, 2015", "May 1, 2016", "June 7, 2017"], "%B %d, %Y"),
        (&["31. Dezember 2015", "1. Mai 2016", "7. M\u{e4}rz 2017"], "%d. %B %Y"),
        (&["31. Dez. 2015", "1. Okt. 2016", "7. Jan. 2017"], "%d. %b. %Y"),
        (&["Oktober 2015", "Mai 2016", "M\u{e4}rz 2017"], "%B %Y"),
        (&["31 Dec 2015", "1 May 2016", "7 Jun 2017"], "%d %b %Y"),
        (
            &["12/31/2015 11:59 PM", "05/01/2016 8:00 AM", "06/07/2017 01:30 PM"],
            "%m/%d/%Y %I:%M %p",
        ),
        (
            &["31/12/2015 11:59:00 PM", "01/05/2016 8:00:00 AM", "07/06/2017 01:30:00 PM"],
            "%d/%m/%Y %I:%M:%S %p",
        ),
        (
            &["2015-12-31T23:59:59Z", "2016-05-01T00:00:00Z", "2017-06-07T12:00:00Z"],
            "%Y-%m-%dT%H:%M:%S%.f%z",
        ),
        (
            &["2015-12-31T23:59:59+02:00", "2016-05-01T00:00:00Z", "2017-06-07T12:00:00.5-0500"],
            "%Y-%m-%dT%H:%M:%S%.f%z",
        ),
    ] {
        let (feature, _, found) = dates(cells);
        assert_eq!(found, pattern, "{cells:?}");
        // The day as it is written, whatever the time and the zone: in December ten years before, or in October.
        let Value::Number(before) = feature.parse(cells[0]).unwrap() else { panic!("{cells:?}") };
        let months = if feature.unit.as_deref() == Some("days") { before / 30.4 } else { before };
        assert!((120.0..=122.9).contains(&months), "{cells:?}: {before}");
        assert!(cells.iter().all(|cell| feature.parse(cell).is_ok()), "{cells:?}");
    }
}

#[test]
fn years_of_two_and_four_digits_are_one_column() {
    let cells = ["17.03.1996", "17.03.96", "01.02.2001", "05.06.58", "01.01.2031"];
    let (feature, about, pattern) = dates(&cells);
    assert_eq!((pattern.as_str(), feature.codes.len()), ("%d.%m.%y", 0));
    let months = |text: &str| feature.parse(text).unwrap();
    assert_eq!(months("17.03.1996"), months("17.03.96"));
    // Two digits never lie ahead, four mean what they say.
    assert_eq!(
        (months("05.06.58"), months("01.01.2031")),
        (Value::Number(810.0), Value::Number(-60.0))
    );
    let [check] = about.checks.as_slice() else { panic!("{:?}", about.checks) };
    assert!(
        check.contains("(1 date here)") && check.contains("3 of its 5 different dates have four"),
        "{check}"
    );
    // All with four are not.
    assert_eq!(dates(&["17.03.1996", "18.03.1996", "01.02.2001"]).2, "%d.%m.%Y");
}

#[test]
fn few_different_dates_are_dates_where_their_form_is_clear() {
    let [two, three] =
        [&["18-Mar-24", "02-Apr-24", "18-Mar-24"][..], &["18-Mar-24", "02-Apr-24", "03-Apr-24"]];
    assert_eq!((dates(two).2.as_str(), dates(three).2.as_str()), ("%d-%b-%y", "%d-%b-%y"));
    assert_eq!(dates(&["2024-03-18", "2024-04-02", "2024-04-02"]).2, "%Y-%m-%d");
    let unclear = guessed(&["03/24", "04/24", "03/24"]);
    assert!(matches!(unclear, Guess::Feature(feature, _) if !feature.is_numeric()));
}

#[test]
fn days_that_no_calendar_has_are_neither_levels_nor_codes() {
    let csv = "opened,amount,ok\n2023-02-28,5,yes\n2023-02-30,6,no\n2023-04-05,9,yes\n2023-05-06,11,no\n2023-02-30,7,no\n";
    let table = Table::parse(csv, "t.csv").unwrap();
    let draft = draft(&table, "t", "ok", None).unwrap();
    let (opened, about) = (&draft.schema.features[0], &draft.about[0]);
    assert!(matches!(opened.format, CellFormat::Date(_)), "{opened:?}");
    assert!(opened.codes.is_empty(), "{opened:?}");
    let [check] = about.checks.as_slice() else { panic!("{:?}", about.checks) };
    assert!(
        check.starts_with(
            "`2023-02-30` in row 2, `2023-02-30` in row 5: no calendar has such a day"
        ),
        "{check}"
    );
    let refused = crate::data::Dataset::from_table(&table, &draft.schema).unwrap_err().to_string();
    assert!(
        refused.contains("row 2") && refused.contains("is not a day of the calendar"),
        "{refused}"
    );
    assert!(draft.to_toml().contains("# Check: `2023-02-30` in row 2"));
    // No date at all stands for something.
    let mut cells = vec!["0000-00-00", "9999-99-99"];
    let days: Vec<String> = (1..=28).map(|day| format!("2020-02-{day:02}")).collect();
    cells.extend(days.iter().map(String::as_str));
    assert_eq!(dates(&cells).0.codes.len(), 2);
}

#[test]
fn columns_that_mix_the_order_of_day_and_month_are_left_out_with_one_reason() {
    let cells = ["31/12/2015", "12/31/2015", "01/02/2016", "25/12/2016", "11/25/2017"];
    let Guess::LeaveOut(reason) = guessed(&cells) else { panic!("read") };
    for part in [
        "only have the month first (`11/25/2017`, in 2 rows)",
        "others only the day (`25/12/2016`, in 2 rows)",
        "write them in one way",
    ] {
        assert!(reason.contains(part), "{part}: {reason}");
    }
    let cells = Cells::of(cells.into_iter());
    let mut conventions = Conventions::default();
    conventions.add_dates(&cells);
    assert_eq!((conventions.days_first, conventions.months_first), (0, 0));
    // One among many is a slip.
    let mut many: Vec<String> = (1..=28).map(|day| format!("02/{day:02}/2020")).collect();
    many.push("17/03/2020".to_owned());
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    let (_, about, pattern) = dates(&many);
    assert_eq!((pattern.as_str(), about.unreadable), ("%m/%d/%Y", vec!["17/03/2020".to_owned()]));
}
