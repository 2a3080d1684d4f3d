//! What becomes of columns.

use super::*;
use crate::data::{DateUnit, Grouping, NumberFormat};

fn guessed(name: &str, cells: &[&str]) -> Guess {
    let cells = Cells::of(cells.iter().copied());
    let mut conventions = Conventions::default();
    conventions.add(&cells);
    conventions.add_dates(&cells);
    guess(
        name,
        &cells,
        &Context {
            conventions,
            reference_date: chrono::NaiveDate::from_ymd_opt(2025, 12, 31),
            counted_from_today: false,
        },
    )
}

pub(super) fn feature(name: &str, cells: &[&str]) -> (Feature, About) {
    match guessed(name, cells) {
        Guess::Feature(feature, about) => (*feature, about),
        Guess::LeaveOut(reason) => panic!("left out: {reason}"),
    }
}

fn kind_of(cells: &[&str]) -> Kind {
    feature("f", cells).0.kind
}

/// Whether every cell can be read with the guess.
fn reads_itself(name: &str, cells: &[&str]) -> bool {
    let (feature, _) = feature(name, cells);
    cells.iter().all(|cell| feature.parse(cell).is_ok())
}

fn numbers(count: i32, text: impl Fn(i32) -> String) -> Vec<String> {
    (0..count).map(text).collect()
}

fn texts(cells: &[String]) -> Vec<&str> {
    cells.iter().map(String::as_str).collect()
}

#[test]
fn kinds_follow_the_cells() {
    let words = |texts: &[&str]| texts.iter().map(ToString::to_string).collect::<Vec<_>>();
    let binary = |a: &str, b: &str| Kind::Binary { levels: [a.into(), b.into()] };
    assert_eq!(kind_of(&["3", "1", "2", "", "1"]), Kind::Integer);
    assert_eq!(kind_of(&["3.0", "1", "2.0"]), Kind::Integer);
    assert_eq!(kind_of(&["3.5", "1", "2"]), Kind::Continuous);
    assert_eq!(kind_of(&["1", "0", "1"]), binary("0", "1"));
    assert_eq!(kind_of(&["10", "9"]), binary("9", "10"));
    assert_eq!(kind_of(&["yes", "no"]), binary("no", "yes"));
    assert_eq!(kind_of(&["nein", "ja"]), binary("nein", "ja"));
    assert_eq!(kind_of(&["3+", "1", "0", "1"]), Kind::Ordinal { levels: words(&["0", "1", "3+"]) });
    assert_eq!(
        kind_of(&["none", "much", "some", "NA"]),
        Kind::Ordinal { levels: words(&["none", "some", "much"]) }
    );
    assert_eq!(
        kind_of(&["rent", "own", "free"]),
        Kind::Categorical { levels: words(&["free", "own", "rent"]) }
    );
}

#[test]
fn numbers_are_read_as_they_are_written() {
    for (cells, decimal, thousands, signs, kind) in [
        (&["$1,234.50", "$999.00", "-$5"][..], '.', Some(','), &["$"][..], Kind::Continuous),
        (&["1.234,50 EUR", "12,00 EUR", "7 EUR"], ',', Some('.'), &["EUR"], Kind::Continuous),
        (&["1 234,50", "12,5", "1\u{a0}000,00"], ',', Some(' '), &[], Kind::Continuous),
        (&["1'234", "12'345'678", "900"], '.', Some('\''), &[], Kind::Integer),
        (&["12.5 %", "7 %", "100 %"], '.', None, &["%"], Kind::Continuous),
        (&["0,25", "1,5", "3"], ',', None, &[], Kind::Continuous),
        (&["(1,200)", "3,400", "15"], '.', Some(','), &[], Kind::Integer),
        (&["1 year", "2 years", "3 years"], '.', None, &["years", "year"], Kind::Integer),
    ] {
        let (feature, _) = feature("f", cells);
        let signs = signs.iter().map(ToString::to_string).collect();
        let format = NumberFormat { decimal, thousands, signs, ..NumberFormat::default() };
        assert_eq!(feature.format, CellFormat::Number(format), "{cells:?}");
        assert_eq!(feature.kind, kind, "{cells:?}");
        assert!(reads_itself("f", cells), "{cells:?}");
    }
}

#[test]
fn doubtful_separators_follow_the_other_columns_and_are_pointed_out() {
    let cells = Cells::of(["1.234", "2.500", "900"].into_iter());
    let with = |conventions| match guess(
        "f",
        &cells,
        &Context { conventions, reference_date: None, counted_from_today: false },
    ) {
        Guess::Feature(feature, about) => (feature.kind, about.checks.join("\n")),
        Guess::LeaveOut(reason) => panic!("{reason}"),
    };
    let (kind, checks) = with(Conventions::default());
    assert_eq!(kind, Kind::Continuous);
    assert!(
        checks.contains("`1.234` could be 1.234 or 1234; it is read as 1.234, though no"),
        "{checks}"
    );
    let (kind, checks) = with(Conventions { commas: 1, ..Conventions::default() });
    assert_eq!(kind, Kind::Integer);
    assert!(checks.contains("it is read as 1234, as in other columns"), "{checks}");
    // Nobody writes 1234 without and 1.234 with a separator of thousands.
    assert!(feature("f", &["1.234", "2500", "900"]).1.checks.is_empty());
    // Thousands beside decimals leave no doubt.
    assert!(feature("f", &["1,234.5", "2,500", "900"]).1.checks.is_empty());
}

#[test]
fn numbers_that_can_not_be_compared_are_left_out_with_the_reason() {
    let reason = |cells: &[String]| match guessed("f", &texts(cells)) {
        Guess::LeaveOut(reason) => reason,
        Guess::Feature(feature, _) => panic!("{feature:?}"),
    };
    let mixed = numbers(20, |n| format!("{n} {}", if n % 3 == 0 { "USD" } else { "EUR" }));
    assert!(reason(&mixed).contains("different units (`EUR` in 13 rows, `USD` in 7 rows)"));
    let multiplied = numbers(20, |n| format!("{}{}", n + 1, if n % 3 == 0 { "" } else { "k" }));
    assert!(reason(&multiplied).starts_with("only some of its numbers are multiplied"));
    let typo = numbers(20, |n| if n == 7 { "1O5".into() } else { (n * n).to_string() });
    assert!(reason(&typo).contains("but these are not: `1O5`; correct them"));
    let huge = numbers(20, |n| format!("1{n:02}0000000000000000.5"));
    assert!(reason(&huge).contains("too large"));
}

/// A whole number in Indian groups.
fn lakhs(number: i32) -> String {
    let indian = NumberFormat {
        thousands: Some(','),
        grouping: Grouping::Indian,
        ..NumberFormat::default()
    };
    indian.write(f64::from(number))
}

#[test]
fn indian_groups_are_numbers_in_any_share_of_the_rows() {
    for share in [1, 3, 40] {
        let cells = numbers(40, |n| {
            format!("\u{20b9} {}", lakhs(5000 + 37 * n + if n < share { 1_500_000 } else { 0 }))
        });
        let (salary, about) = feature("salary", &texts(&cells));
        let CellFormat::Number(format) = &salary.format else { panic!() };
        assert_eq!((format.grouping, format.thousands), (Grouping::Indian, Some(',')));
        assert_eq!((salary.change, &salary.kind), (Change::Increase, &Kind::Integer));
        assert!(about.checks.is_empty() && reads_itself("salary", &texts(&cells)));
    }
    // Few different salaries are no levels.
    let few = ["1,50,000", "10,00,000", "2,50,000", "1,50,000"];
    assert_eq!(kind_of(&few), Kind::Integer);
    // Other columns show how a table groups amounts that have no lakhs yet.
    let conventions = Conventions { indian: 1, points: 1, ..Conventions::default() };
    let cells = Cells::of(["84,902", "19,505", "999"].into_iter());
    let context = Context { conventions, reference_date: None, counted_from_today: false };
    let Guess::Feature(emi, _) = guess("emi", &cells, &context) else { panic!() };
    assert!(
        matches!(emi.format, CellFormat::Number(format) if format.grouping == Grouping::Indian)
    );
}

#[test]
fn numbers_in_an_unknown_format_are_pointed_out() {
    let left_out = |cells: &[String]| match guessed("salary", &texts(cells)) {
        Guess::LeaveOut(reason) => reason,
        Guess::Feature(feature, _) => panic!("{feature:?}"),
    };
    let pairs = numbers(40, |n| format!("{},{},{}", 10 + n, 50 - n, 20 + n));
    let reason = left_out(&pairs);
    assert!(reason.contains("no format of numbers reads `10,50,20`"), "{reason}");
    let two_signs = numbers(40, |n| format!("${}k", 10 + n));
    assert!(left_out(&two_signs).contains("no format of numbers reads `$10k`"));
    let zeros = numbers(200, |n| format!("000{}", 14_010 + n % 120));
    let reason = left_out(&zeros);
    assert!(reason.contains("begin with zeros, such as `00014010`"), "{reason}");
    // A few may be levels, but nobody should be advised to change them.
    for cells in [["1,2,3", "99,9,9", "1,2,3"], ["5 EUR", "5 USD", "7 USD"]] {
        let (few, about) = feature("salary", &cells);
        assert_eq!(few.change, Change::Immutable, "{cells:?}");
        assert!(
            about.checks[0].starts_with("its cells are taken for levels"),
            "{:?}",
            about.checks
        );
    }
}

#[test]
fn dashes_and_multipliers_are_read() {
    let prices = numbers(30, |n| format!("{}.862,- \u{20ac}", 10 + n));
    let (price, about) = feature("price", &texts(&prices));
    assert_eq!(price.kind, Kind::Integer);
    assert!(about.cells.starts_with("10862 to 39862") && !about.cells.contains("negative"));
    assert!(reads_itself("price", &texts(&prices)));
    for (sign, factor) in [("k", "thousands"), ("M", "millions"), ("Mio. \u{20ac}", "millions")] {
        let cells = numbers(30, |n| format!("{}.7{sign}", 10 + n));
        let checks = feature("income", &texts(&cells)).1.checks.join("\n");
        let expected = format!("the unit `{sign}` may mean {factor}: `39.7{sign}` is read as 39.7");
        assert!(checks.contains(&expected), "{checks}");
    }
}

#[test]
fn missing_cells_and_states_become_codes() {
    let mut cells = numbers(30, |n| (n * n).to_string());
    cells.extend(["", "NA", "", "none", "never", "n/a"].map(str::to_owned));
    let (feature, about) = feature("f", &texts(&cells));
    assert_eq!(feature.codes.len(), 2);
    let missing: Vec<&String> = feature.codes[0].texts().collect();
    assert_eq!(missing, ["", "NA", "n/a", "none"]);
    assert_eq!(
        (feature.codes[1].text.as_str(), feature.codes[1].label.as_str()),
        ("never", "never")
    );
    assert_eq!(about.missing.as_deref(), Some("5 missing (empty, NA, n/a, none)"));
    assert!(reads_itself("f", &texts(&cells)));
    // One level and a missing one distinguish applicants, too.
    let mut alone = vec!["yes"; 30];
    alone.extend(["", "?"]);
    assert!(reads_itself("f", &[&alone[..], &["", ""]].concat()));
}

#[test]
fn sentinels_become_codes_where_they_are_clear() {
    let mut cells = numbers(40, |n| (1000 + 37 * n).to_string());
    cells.extend(["999999", "999999", "-999"].map(str::to_owned));
    let (feature, about) = feature("income", &texts(&cells));
    let codes: Vec<&str> = feature.codes.iter().map(|code| code.text.as_str()).collect();
    assert_eq!(codes, ["999999", "-999"]);
    assert_eq!(feature.change, Change::Increase);
    assert_eq!(about.checks.len(), 2);
    assert!(about.cells.starts_with("1000 to 2443"), "{}", about.cells);
}

#[test]
fn dates_are_counted_back_from_the_reference_date() {
    for (name, cells, pattern, unit, change) in [
        (
            "birth_date",
            &["1980-01-31", "1990-12-01", "2001-05-05"][..],
            "%Y-%m-%d",
            DateUnit::Years,
            Change::Immutable,
        ),
        (
            "applied",
            &["31.12.2024", "1.2.2025", "15.06.2025"],
            "%d.%m.%Y",
            DateUnit::Days,
            Change::Immutable,
        ),
        (
            "employed_since",
            &["12/31/2004", "01/02/2015", "6/15/2020"],
            "%m/%d/%Y",
            DateUnit::Months,
            Change::Increase,
        ),
        (
            "opened",
            &["31/12/2004", "01/02/2015", "15/06/2020"],
            "%d/%m/%Y",
            DateUnit::Months,
            Change::Immutable,
        ),
        (
            "first_credit_line",
            &["Dec-2015", "Jan-1999", "May-2003"],
            "%b-%Y",
            DateUnit::Months,
            Change::Immutable,
        ),
    ] {
        let (feature, about) = feature(name, cells);
        let reference = "2025-12-31".to_owned();
        let expected = DateFormat { pattern: pattern.into(), reference, unit };
        assert_eq!(feature.format, CellFormat::Date(expected), "{name}");
        assert_eq!(feature.change, change, "{name}");
        assert!(about.checks.is_empty(), "{name}: {:?}", about.checks);
        assert!(reads_itself(name, cells), "{name}");
    }
    // Dates that are none are a state beside the others.
    let mut cells = numbers(40, |n| format!("{:02}.{:02}.2020", 1 + n % 28, 1 + n % 12));
    cells.extend(["00.00.0000", "", "never"].map(str::to_owned));
    assert!(reads_itself("f", &texts(&cells)));
    let codes = feature("f", &texts(&cells)).0.codes;
    let labels: Vec<&str> = codes.iter().map(|code| code.label.as_str()).collect();
    assert_eq!(labels, ["missing", "none (00.00.0000)", "never"]);
    let (feature, about) = feature("opened", &["01/02/2015", "03/04/2016", "05/06/2017"]);
    assert!(matches!(feature.format, CellFormat::Date(date) if date.pattern == "%m/%d/%Y"));
    assert!(about.checks[0].starts_with("`01/02/2015` could have the day or the month first"));
}

#[test]
fn numbers_whose_name_says_code_are_categories() {
    let cells = ["1", "2", "3", "1", "2", "6"];
    let levels = ["1", "2", "3", "6"].map(str::to_owned).to_vec();
    let (coded, about) = feature("education", &cells);
    assert_eq!(coded.kind, Kind::Categorical { levels });
    assert!(about.checks[0].contains("because its name says `education`"));
    // Nobody should be advised to go from a university back to school, and the codes don't say which is which.
    assert_eq!(coded.change, Change::Immutable);
    assert!(
        about.direction.is_some_and(|[_, reason]| reason.starts_with("an education is not lost"))
    );
    let unordered = ["uni", "school", "other"];
    assert_eq!(feature("education", &unordered).0.change, Change::Immutable);
    let known = ["high school", "bachelor", "master"];
    assert_eq!(feature("education", &known).0.change, Change::Increase);
    assert_eq!(feature("education", &["1", "2", "1"]).0.change, Change::Immutable);
    assert_eq!(feature("higher_education", &["0", "1", "1"]).0.change, Change::Increase);
    assert_eq!(feature("occupation", &cells).0.change, Change::Free);
    let income_type = feature("income_type", &cells).0;
    assert!(matches!(income_type.kind, Kind::Categorical { .. }), "a type of income is no income");
    assert_eq!(kind_of(&cells), Kind::Integer);
    let many = numbers(200, |n| (10_000 + 7 * (n % 150)).to_string());
    assert!(
        matches!(guessed("zip", &texts(&many)), Guess::LeaveOut(reason) if reason.contains("150 codes"))
    );
    let leading = numbers(200, |n| format!("0{}", 1000 + n % 20));
    assert!(matches!(feature_kind("PLZ", &leading), Kind::Categorical { .. }));
}

fn feature_kind(name: &str, cells: &[String]) -> Kind {
    feature(name, &texts(cells)).0.kind
}

#[test]
fn useless_columns_are_left_out() {
    let left_out =
        |name: &str, cells: &[String]| matches!(guessed(name, &texts(cells)), Guess::LeaveOut(_));
    let own = |n: i32| (n * 37 % 101).to_string();
    assert!(left_out("customer", &numbers(30, |row| format!("K{row}"))));
    assert!(left_out("loan_id", &numbers(30, own)));
    assert!(!left_out("amount", &numbers(30, own)));
    assert!(left_out("anything", &numbers(30, |row| row.to_string())));
    assert!(left_out("constant", &["7".to_owned(), "7".to_owned()]));
    assert!(left_out("empty", &[String::new(), "NA".to_owned()]));
}

#[test]
fn levels_that_may_be_wrong_are_pointed_out() {
    let checks = |name: &str, cells: &[&str]| feature(name, cells).1.checks.join("\n");
    assert!(
        checks("f", &["Yes", "yes", "no"]).starts_with("`Yes` and `yes` differ only in capitals")
    );
    assert!(checks("liable", &["1", "2"]).starts_with("its only numbers are 1 and 2"));
    assert_eq!(checks("sex", &["1", "2"]), "");
    assert_eq!(checks("f", &["1", "0"]), "");
    assert_eq!(checks("f", &["yes", "no"]), "");
    assert!(checks("since", &["unemployed", "< 1 year", "1-3 years"]).contains("lowest level"));
}

#[test]
fn directions_need_an_order() {
    let change = |name: &str, cells: &[&str]| feature(name, cells).0.change;
    assert_eq!(change("income", &["10", "20", "30"]), Change::Increase);
    assert_eq!(change("income", &["high", "low", "medium"]), Change::Increase);
    assert_eq!(change("income", &["salary", "rent", "none of these"]), Change::Free);
    assert_eq!(change("savings", &["salary", "rent"]), Change::Free);
    assert_eq!(change("savings", &["no", "yes"]), Change::Increase);
    // Days before today: -1000 is more than -100.
    assert_eq!(change("days_employed", &["-1000", "-200", "-30"]), Change::Decrease);
    let days = numbers(60, |n| if n < 5 { "365243".into() } else { (-200 * n).to_string() });
    let (employed, about) = feature("DAYS_EMPLOYED", &texts(&days));
    assert_eq!((employed.change, employed.codes[0].text.as_str()), (Change::Decrease, "365243"));
    assert!(
        about.cells.ends_with("-11800 to -1000, in steps of 200; 365243 in 5 rows"),
        "{}",
        about.cells
    );
    let mixed = ["-1000", "-200", "-30", "5"];
    assert_eq!(feature("days_employed", &mixed).0.change, Change::Free);
    let (_, about) = feature("income", &["10", "20", "30"]);
    assert!(about.direction.is_some_and(|[from, _]| from == "its name says `income`"));
}

#[test]
fn numbers_that_may_change_get_a_least_change() {
    let amounts = numbers(300, |n| (1000 + 37 * (n * 7919 % 2003)).to_string());
    let (amount, about) = feature("credit_amount", &texts(&amounts));
    // The standard deviation is about 21,000.
    assert_eq!(amount.limits.least_change, Some(250.0), "{}", about.cells);
    assert!(about.cells.ends_with("; changes of 250 or more"), "{}", about.cells);
    assert!(about.found.iter().any(|found| found.contains("Guessed: least_change = 250")));
    let ages = feature("age", &texts(&amounts)).0;
    assert_eq!(ages.limits.least_change, None, "ages don't change");
    let small = numbers(300, |n| (n % 40).to_string());
    assert_eq!(feature("inquiries", &texts(&small)).0.limits.least_change, None);
}

#[test]
fn steps_are_written_where_all_numbers_keep_them() {
    let lines = numbers(60, |n| (10_000 * (1 + n % 30)).to_string());
    let (line, about) = feature("credit_line", &texts(&lines));
    assert_eq!((line.kind, line.step), (Kind::Integer, Some(10_000.0)));
    assert_eq!(about.cells, "10000 to 300000, in steps of 10000");
    let guessed = about.found.iter().any(|found| {
        found.starts_with("Guessed: step = 10000, because all are multiples of 10000")
    });
    assert!(guessed, "{:?}", about.found);
    let shares = numbers(60, |n| format!("{},5 %", n % 40));
    let (share, _) = feature("share", &texts(&shares));
    assert_eq!((share.kind, share.step), (Kind::Continuous, Some(0.5)));
    let shares = numbers(60, |n| format!("{},{} %", n % 20, n % 7));
    assert_eq!(feature("share", &texts(&shares)).0.step, None);
    // A sentinel is a state of its own, and no exception.
    let mut coded = numbers(60, |n| (500 * (1 + n)).to_string());
    coded.extend(["9999999", "9999999", "9999999"].map(str::to_owned));
    let (coded, about) = feature("balance", &texts(&coded));
    assert_eq!((coded.step, coded.codes.len()), (Some(500.0), 1), "{}", about.cells);
}

#[test]
fn two_digit_years_do_not_lie_ahead() {
    let columns = [
        ("born", numbers(30, |n| format!("17.03.{:02}", (40 + 2 * n) % 100))),
        ("opened", numbers(30, |n| format!("17.03.{:02}", (90 + n) % 100))),
        ("checked", numbers(30, |n| format!("17.03.{}", 1995 + n % 25))),
        ("maturity", numbers(30, |n| format!("17.03.{}", 2020 + n))),
    ];
    let today = chrono::NaiveDate::from_ymd_opt(2025, 11, 18).unwrap();
    let reference = |chosen: &[&str]| {
        let chosen = columns.iter().filter(|(name, _)| chosen.contains(name));
        let chosen: Vec<(Words, Cells)> = chosen
            .map(|(name, cells)| (Words::of(name), Cells::of(cells.iter().map(String::as_str))))
            .collect();
        let dates = chosen
            .iter()
            .filter_map(|(name, cells)| Some((name, read_dates(cells, Conventions::default())?)));
        reference_date(dates, today).map(|(day, _)| super::written(day))
    };
    for (chosen, expected) in [
        (&["born", "opened", "checked", "maturity"][..], "2019-03-17"),
        (&["born", "opened", "maturity"], "2019-03-17"),
        (&["born", "maturity"], "2025-11-18"),
        (&["born"], "2025-11-18"),
        (&["maturity"], "2025-11-18"),
        (&["opened", "maturity"], "2019-03-17"),
    ] {
        assert_eq!(reference(chosen).as_deref(), Some(expected), "{chosen:?}");
    }
    // Births of 1940 to 1968 are no births of 2040 to 2068.
    let (feature, about) = feature("born", &texts(&columns[0].1));
    assert_eq!(feature.parse("17.03.58").unwrap(), crate::data::Value::Number(67.0));
    let [check] = about.checks.as_slice() else { panic!("{:?}", about.checks) };
    assert!(check.contains("after 2025-12-31 as a century earlier (15 dates here)"), "{check}");
    assert!(about.found[0].starts_with("Dates, 1940-03-17 to 1998-03-17"), "{:?}", about.found);
}

#[test]
fn dates_in_several_forms_are_left_out_with_that_reason() {
    let forms = ["2024-03-0", "17.03.199", "Mar 4, 202"];
    let mixed: Vec<String> =
        (0..30).map(|n| format!("{}{}", forms[n % 3], 1 + n / 3 % 9)).collect();
    for count in [3, 30] {
        let cells = Cells::of(mixed[..count].iter().map(String::as_str));
        let context = Context {
            conventions: Conventions::default(),
            reference_date: None,
            counted_from_today: false,
        };
        let Guess::LeaveOut(reason) = guess("opened", &cells, &context) else {
            panic!("{count} dates are no levels")
        };
        assert!(reason.contains("several forms"), "{reason}");
    }
}

#[test]
fn failed_divisions_among_numbers_are_missing() {
    for error in
        ["inf", "-inf", "Infinity", "#DIV/0!", "#VALUE!", "#REF!", "#NUM!", "#NAME?", "#N/A"]
    {
        for count in [4, 40] {
            let mut cells = numbers(count, |n| format!("0.{}", 100 + n));
            cells.insert(1, error.into());
            cells.push(String::new());
            let (ratio, about) = feature("debt_ratio", &texts(&cells));
            assert_eq!((ratio.kind.clone(), ratio.change), (Kind::Continuous, Change::Decrease));
            assert_eq!(ratio.codes.len(), 1, "{error}");
            assert!(reads_itself("debt_ratio", &texts(&cells)), "{error}");
            let missing = about.missing.unwrap();
            assert!(missing.starts_with("2 missing") && missing.contains(error), "{missing}");
            assert!(about.found.iter().any(|found| found.contains("the first in row 2")));
        }
    }
    let mut cells = numbers(20, |n| n.to_string());
    cells.extend(["inf", "-inf", "Infinity", "#DIV/0!", "#REF!"].map(str::to_owned));
    assert_eq!(feature_kind("f", &cells), Kind::Integer);
    assert!(reads_itself("f", &texts(&cells)));
    // Among words it is one of them.
    let levels = ["inf", "sup"].map(str::to_owned);
    assert_eq!(kind_of(&["inf", "sup", "inf"]), Kind::Binary { levels });
}
