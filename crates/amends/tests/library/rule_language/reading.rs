//! What rules mean.

use amends::data::Direction::{Down, Up};
use amends::data::{Addend, Atom, Decimal, Demand, Formula, Quantity, Rule, Value};

use super::{AMOUNT, DELAY, DURATION, HOUSING, INCOME, ODD, OF, SAVINGS, features};

const ANY: (f64, f64) = (f64::NEG_INFINITY, f64::INFINITY);

fn demand(text: &str) -> Demand {
    let rule = Rule::parse(text, &features()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(rule.text, text);
    rule.demand
}

fn formula(text: &str) -> Formula {
    match demand(text) {
        Demand::Formula(formula) => formula,
        other => panic!("{text}: {other:?}"),
    }
}

fn changes(feature: usize) -> Formula {
    Formula::Atom(Atom::Changes { feature })
}

fn moves(feature: usize, up: bool, least: Option<f64>, most: Option<f64>) -> Formula {
    Formula::Atom(Atom::Moves { feature, direction: if up { Up } else { Down }, least, most })
}

fn is(feature: usize, values: &[Value]) -> Formula {
    Formula::Atom(Atom::Is { feature, values: values.to_vec() })
}

fn lies(feature: usize, low: f64, high: f64) -> Formula {
    Formula::Atom(Atom::Lies { feature, low, high })
}

fn exact(number: f64) -> Decimal {
    Decimal::of(number).unwrap()
}

fn sum(terms: &[(f64, usize)], most: f64) -> Formula {
    let term = |&(factor, feature): &(f64, usize)| Addend {
        factor: exact(factor),
        feature,
        quantity: Quantity::Value,
    };
    Formula::Atom(Atom::Sum { terms: terms.iter().map(term).collect(), most: exact(most) })
}

fn not(formula: Formula) -> Formula {
    Formula::Not(Box::new(formula))
}

#[test]
fn groups_of_features() {
    let one = Demand::AtMost { most: 1, features: vec![AMOUNT, DURATION] };
    for text in [
        "at most 1 of amount, duration changes",
        "At MOST 1 of amount and duration change",
        " at most 1.0 of `amount`, and\nduration changes ",
    ] {
        assert_eq!(demand(text), one);
    }
    let together = Demand::Together(vec![DURATION, DELAY, ODD]);
    for text in [
        "duration, delay, `odd name` change together",
        "duration and delay and `odd name` CHANGE together",
        "duration, delay, and `odd name` changes together",
    ] {
        assert_eq!(demand(text), together);
    }
}

#[test]
fn moves_and_their_sizes() {
    for (text, expected) in [
        ("amount changes", changes(AMOUNT)),
        ("housing change", changes(HOUSING)),
        ("housing stays", not(changes(HOUSING))),
        ("income does not change", not(changes(INCOME))),
        ("income rises", moves(INCOME, true, None, None)),
        ("savings falls", moves(SAVINGS, false, None, None)),
        ("income does not fall", not(moves(INCOME, false, None, None))),
        ("income rises by 2.5", moves(INCOME, true, Some(2.5), Some(2.5))),
        ("duration falls by at least 2", moves(DURATION, false, Some(2.0), None)),
        ("savings rises by at most 1", moves(SAVINGS, true, None, Some(1.0))),
        ("duration does not rise by at least 1.5", not(moves(DURATION, true, Some(1.5), None))),
    ] {
        assert_eq!(formula(text), expected, "{text}");
    }
}

#[test]
fn values_by_level_code_and_number() {
    let level = Value::Level;
    for (text, expected) in [
        ("housing is own", is(HOUSING, &[level(0)])),
        ("housing is not \"for free\"", not(is(HOUSING, &[level(2)]))),
        ("housing is one of own, \"of\"", is(HOUSING, &[level(0), level(3)])),
        ("housing is not one of own, rent", not(is(HOUSING, &[level(0), level(1)]))),
        ("housing = rent", is(HOUSING, &[level(1)])),
        ("housing != \"rent\"", not(is(HOUSING, &[level(1)]))),
        ("`of` is 1", is(OF, &[level(1)])),
        ("delay is \"never late\"", is(DELAY, &[Value::Code(0)])),
        ("delay is unusable", is(DELAY, &[Value::Code(2)])),
        ("delay is -7", is(DELAY, &[Value::Code(0)])),
        ("delay is \"\"", is(DELAY, &[Value::Code(1)])),
        ("delay = unusable", is(DELAY, &[Value::Code(2)])),
        ("delay != \"missing\"", not(is(DELAY, &[Value::Code(1)]))),
        ("delay = -7", is(DELAY, &[Value::Code(0)])),
        ("delay is one of 3, -8", is(DELAY, &[Value::Number(3.0), Value::Code(2)])),
        ("income is -0.5", is(INCOME, &[Value::Number(-0.5)])),
        ("income = 1e3", is(INCOME, &[Value::Number(1000.0)])),
    ] {
        assert_eq!(formula(text), expected, "{text}");
    }
}

#[test]
fn one_feature_against_a_constant() {
    for (text, expected) in [
        ("amount <= 5000", lies(AMOUNT, ANY.0, 5000.0)),
        ("5000 >= amount", lies(AMOUNT, ANY.0, 5000.0)),
        ("amount < 5000", lies(AMOUNT, ANY.0, 4999.0)),
        ("amount > 0.5", lies(AMOUNT, 1.0, ANY.1)),
        ("income < 5", lies(INCOME, ANY.0, 5.0_f64.next_down())),
        ("income > -5", lies(INCOME, (-5.0_f64).next_up(), ANY.1)),
        ("-0.2 * income >= -0.6", lies(INCOME, ANY.0, 3.0)),
        ("income + 0.1 <= 0.3", lies(INCOME, ANY.0, 0.2)),
        ("3 * amount <= amount + 8", lies(AMOUNT, ANY.0, 4.0)),
        ("income != 5", not(is(INCOME, &[Value::Number(5.0)]))),
        ("savings >= some", lies(SAVINGS, 1.0, ANY.1)),
        ("savings < much", lies(SAVINGS, ANY.0, 1.0)),
        ("savings > none", lies(SAVINGS, 1.0, ANY.1)),
    ] {
        assert_eq!(formula(text), expected, "{text}");
    }
}

#[test]
fn sums_of_several() {
    for (text, expected) in [
        ("amount <= duration", sum(&[(1.0, AMOUNT), (-1.0, DURATION)], 0.0)),
        ("amount < duration", sum(&[(1.0, AMOUNT), (-1.0, DURATION)], -1.0)),
        ("amount > duration + 3", sum(&[(-1.0, AMOUNT), (1.0, DURATION)], -4.0)),
        (
            "2*income + amount*3 - 1 <= 0.5 * duration + 10",
            sum(&[(2.0, INCOME), (3.0, AMOUNT), (-0.5, DURATION)], 11.0),
        ),
        (
            "amount = duration",
            Formula::All(vec![
                sum(&[(1.0, AMOUNT), (-1.0, DURATION)], 0.0),
                sum(&[(-1.0, AMOUNT), (1.0, DURATION)], 0.0),
            ]),
        ),
    ] {
        assert_eq!(formula(text), expected, "{text}");
    }
    let change =
        |factor, feature| Addend { factor: exact(factor), feature, quantity: Quantity::Change };
    for text in
        ["change of amount <= 2 * change(income) + 5", "change(amount) - 2 * change of income <= 5"]
    {
        let terms = vec![change(1.0, AMOUNT), change(-2.0, INCOME)];
        assert_eq!(formula(text), Formula::Atom(Atom::Sum { terms, most: exact(5.0) }), "{text}");
    }
    assert_eq!(
        formula("change of duration < 6"),
        Formula::Atom(Atom::Sum { terms: vec![change(1.0, DURATION)], most: exact(5.0) })
    );
}

#[test]
fn numbers_of_many_digits_keep_them_all() {
    // Written as one number or as two, on either side: 18 digits.
    for text in [
        "amount + duration <= 300000000294.000009",
        "amount + duration - 300000000294 <= 0.000009",
        "amount <= 0.000009 - duration + 3.00000000294e11",
    ] {
        let Formula::Atom(Atom::Sum { most, .. }) = formula(text) else { panic!("{text}") };
        assert!(most > exact(300_000_000_294.0) && most < exact(300_000_000_294.000_1), "{most:?}");
    }
    let factors = |text: &str| {
        let Formula::Atom(Atom::Sum { terms, .. }) = formula(text) else { panic!("{text}") };
        terms.into_iter().map(|term| term.factor).collect::<Vec<_>>()
    };
    assert_ne!(
        factors("1e9 * amount + 1e-9 * amount <= duration"),
        factors("1e9 * amount <= duration")
    );
    // Quotients are not rounded over a number for which the comparison does not hold.
    let Formula::Atom(Atom::Lies { high, .. }) =
        formula("3 * amount <= 1e15 - 0.5 + 999999999999999.5")
    else {
        panic!()
    };
    assert!(high < 666_666_666_666_667.0, "{high}");
    let Formula::Atom(Atom::Lies { high, .. }) = formula("income <= 300000000293.99999") else {
        panic!()
    };
    assert!(high < 300_000_000_294.0, "{high}");
    assert_eq!(formula("3 * income = 1"), is(INCOME, &[]));
    assert_eq!(formula("4 * income = 1"), is(INCOME, &[Value::Number(0.25)]));
}

#[test]
fn statements_are_joined() {
    let (a, d, h) = (changes(AMOUNT), changes(DURATION), changes(HOUSING));
    let all = |parts: &[&Formula]| Formula::All(parts.iter().map(|&part| part.clone()).collect());
    let any = |parts: &[&Formula]| Formula::Any(parts.iter().map(|&part| part.clone()).collect());
    for (text, expected) in [
        ("amount changes or duration changes and housing changes", any(&[&a, &all(&[&d, &h])])),
        ("(amount changes or duration changes) and housing changes", all(&[&any(&[&a, &d]), &h])),
        ("not amount changes and duration changes", all(&[&not(a.clone()), &d])),
        ("not (amount changes and duration changes)", not(all(&[&a, &d]))),
        ("never amount changes and duration changes", not(all(&[&a, &d]))),
        ("never amount changes or duration changes", not(any(&[&a, &d]))),
        ("IF amount changes THEN duration changes", any(&[&not(a.clone()), &d])),
        (
            "if amount changes and duration changes then housing changes or amount changes",
            any(&[&not(all(&[&a, &d])), &any(&[&h, &a])]),
        ),
    ] {
        assert_eq!(formula(text), expected, "{text}");
    }
    let rule = Rule::parse("must amount <= 5", &features()).unwrap();
    assert!(rule.must && rule.is_about_values());
    assert!(!Rule::parse("amount <= 5", &features()).unwrap().must);
}

#[test]
fn lists_are_cut_outside_quotes() {
    let rules =
        Rule::parse_list("amount stays; housing is \"for free\" ;\n;", &features()).unwrap();
    let texts: Vec<&str> = rules.iter().map(|rule| rule.text.as_str()).collect();
    assert_eq!(texts, ["amount stays", "housing is \"for free\""]);
    assert_eq!(Rule::parse_list(" ", &features()).unwrap(), []);
    let mut odd = features();
    odd[0].name = "a;`b".into();
    let rules = Rule::parse_list("`a;``b` stays;housing stays", &odd).unwrap();
    assert_eq!(rules.len(), 2);
    let error = Rule::parse_list("amount stays; amuont stays", &features()).unwrap_err();
    assert!(
        error.to_string().starts_with("rule `amuont stays`: `amuont` is not a feature"),
        "{error}"
    );
}
