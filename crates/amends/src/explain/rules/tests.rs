//! Rules over options against the rules themselves.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::action::Domain;
use crate::data::{Addend, Atom, Decimal, Direction, Quantity};
use crate::instance::RuleKind;
use crate::instance::ValueRange;

/// Four features: two numbers (one with a code to go to), a level, and two numbers that move together.
fn moves() -> (Vec<Move>, Record) {
    let one = |name: &str, member, values: &[Value], keep| Move {
        name: name.into(),
        members: vec![member],
        options: Domain::listed(values.iter().map(|&value| vec![value]).collect()),
        keep,
    };
    let number = Value::Number;
    let pair = |a: f64, b: f64| vec![number(a), number(b)];
    let joint = Move {
        name: "time".into(),
        members: vec![3, 4],
        options: Domain::listed(vec![pair(1.0, 7.0), pair(2.0, 8.0), pair(4.0, 10.0)]),
        keep: 0,
    };
    let list = vec![
        one("a", 0, &[number(0.5), number(1.0), number(2.5)], 1),
        one("b", 1, &[number(-1.0), number(3.0), Value::Code(0)], 1),
        one("c", 2, &[Value::Level(0), Value::Level(1), Value::Level(2)], 2),
        joint,
    ];
    (list, vec![number(1.0), number(3.0), Value::Level(2), number(1.0), number(7.0)])
}

fn atom(rng: &mut ChaCha8Rng) -> Atom {
    let feature = rng.random_range(0..5);
    let number = |rng: &mut ChaCha8Rng| f64::from(rng.random_range(-2..9)) / 2.0;
    match rng.random_range(0..5) {
        0 => Atom::Changes { feature },
        1 => Atom::Moves {
            feature,
            direction: if rng.random() { Direction::Up } else { Direction::Down },
            least: rng.random_bool(0.4).then_some(1.0),
            most: rng.random_bool(0.4).then_some(1.5),
        },
        2 => Atom::Is {
            feature,
            values: match feature {
                2 => vec![Value::Level(rng.random_range(0..3))],
                1 => vec![Value::Code(0)],
                _ => vec![Value::Number(number(rng)), Value::Number(1.0)],
            },
        },
        3 => Atom::Lies { feature, low: f64::NEG_INFINITY, high: number(rng) },
        _ => {
            let term = |rng: &mut ChaCha8Rng| Addend {
                factor: Decimal::of(number(rng)).unwrap(),
                feature: [0, 1, 3, 4][rng.random_range(0..4)],
                quantity: if rng.random() { Quantity::Value } else { Quantity::Change },
            };
            let count = rng.random_range(1..4);
            Atom::Sum {
                terms: (0..count).map(|_| term(rng)).collect(),
                most: Decimal::of(3.0 * number(rng)).unwrap(),
            }
        }
    }
}

fn formula(rng: &mut ChaCha8Rng, depth: usize) -> Formula {
    let parts = |rng: &mut ChaCha8Rng| (0..2).map(|_| formula(rng, depth - 1)).collect();
    match rng.random_range(0..if depth == 0 { 1 } else { 4 }) {
        0 => Formula::Atom(atom(rng)),
        1 => Formula::Not(Box::new(formula(rng, depth - 1))),
        2 => Formula::All(parts(rng)),
        _ => Formula::Any(parts(rng)),
    }
}

fn rule(rng: &mut ChaCha8Rng) -> Rule {
    let demand = if rng.random_bool(0.1) {
        let features = (0..5).filter(|_| rng.random()).collect();
        Demand::AtMost { most: rng.random_range(0..3), features }
    } else {
        let depth = rng.random_range(0..3);
        Demand::Formula(formula(rng, depth))
    };
    Rule { text: "r".into(), name: None, must: rng.random_bool(0.3), demand }
}

/// The same features with every value between two ends, in halves and at a scale.
fn ranged(scale: f64) -> (Vec<Move>, Record) {
    let sized = |number: f64| (number * scale * 1e15).round() / 1e15;
    let range = |first: &[f64], last: &[f64]| {
        let all = |row: &[f64]| row.iter().map(|&n| sized(n)).collect::<Vec<f64>>();
        ValueRange::new(&all(first), &all(last), sized(0.5)).unwrap()
    };
    let number = |value: f64| Value::Number(sized(value));
    let action = |name: &str, members: Vec<usize>, options: Domain, own: &[Value]| {
        let keep = options.find(own).unwrap();
        Move { name: name.into(), members, options, keep }
    };
    let (a, b) = (number(1.0), number(0.75));
    let gap = vec![range(&[-1.0], &[-0.5]), range(&[2.0], &[2.5])];
    let levels = (0..2).map(|level| vec![Value::Level(level)]).collect();
    let list = vec![
        action("a", vec![0], Domain::new(vec![range(&[0.5], &[2.5])], Vec::new()), &[a]),
        action("b", vec![1], Domain::new(gap, vec![vec![b], vec![Value::Code(0)]]), &[b]),
        action("c", vec![2], Domain::listed(levels), &[Value::Level(1)]),
        action(
            "time",
            vec![3, 4],
            Domain::new(vec![range(&[-0.5, 2.0], &[1.0, 3.5])], Vec::new()),
            &[number(0.5), number(3.0)],
        ),
    ];
    (list, vec![a, b, Value::Level(1), number(0.5), number(3.0)])
}

/// A statement with its numbers at another scale.
fn at_scale(formula: &Formula, scale: f64) -> Formula {
    let sized = |number: f64| {
        if number.is_finite() { (number * scale * 1e15).round() / 1e15 } else { number }
    };
    let all = |parts: &[Formula]| parts.iter().map(|part| at_scale(part, scale)).collect();
    match formula {
        Formula::Not(inner) => Formula::Not(Box::new(at_scale(inner, scale))),
        Formula::All(parts) => Formula::All(all(parts)),
        Formula::Any(parts) => Formula::Any(all(parts)),
        Formula::Atom(atom) => Formula::Atom(match atom.clone() {
            Atom::Moves { feature, direction, least, most } if feature != 2 => {
                Atom::Moves { feature, direction, least: least.map(sized), most: most.map(sized) }
            }
            Atom::Is { feature, values } => {
                let value = |value: &Value| match *value {
                    Value::Number(number) => Value::Number(sized(number)),
                    other => other,
                };
                Atom::Is { feature, values: values.iter().map(value).collect() }
            }
            Atom::Lies { feature, low, high } if feature != 2 => {
                Atom::Lies { feature, low: sized(low), high: sized(high) }
            }
            Atom::Sum { terms, most } => {
                Atom::Sum { terms, most: Decimal::of(sized(most.to_f64())).unwrap() }
            }
            other => other,
        }),
    }
}

#[test]
fn options_are_allowed_just_where_the_rule_itself_allows_them() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let worlds = [(moves(), 1.0), (ranged(1.0), 1.0), (ranged(1e-13), 1e-13), (ranged(1e6), 1e6)];
    for ((moves, applicant), scale) in worlds {
        let context = RuleContext { moves: &moves, applicant: &applicant };
        let (mut refused, mut allowed, mut forbidden) = (0, 0, 0);
        for _ in 0..1500 {
            let mut rule = rule(&mut rng);
            if let Demand::Formula(formula) = &rule.demand {
                rule.demand = Demand::Formula(at_scale(formula, scale));
            }
            let Ok(made) = instance_rules(&[&rule], &moves, &applicant) else {
                refused += 1;
                continue;
            };
            let count: usize = moves.iter().map(Move::len).product();
            for number in 0..count {
                let mut rest = number;
                let mut after = applicant.clone();
                let choice: Vec<usize> = moves
                    .iter()
                    .map(|action| {
                        let option = rest % action.len();
                        rest /= action.len();
                        option
                    })
                    .collect();
                for (move_index, &option) in choice.iter().enumerate() {
                    let one = context.after(move_index, &moves[move_index].values(option));
                    moves[move_index].members.iter().for_each(|&f| after[f] = one[f]);
                }
                let expected = rule.allows(&applicant, &after);
                let holds = made.iter().all(|rule| rule.holds(&choice));
                assert_eq!(holds, expected, "{rule:?}\n{made:?}\n{after:?}");
                *(if expected { &mut allowed } else { &mut forbidden }) += 1;
            }
        }
        // Choices between two sums are the only ones that are refused.
        assert!(refused < 200, "{refused}");
        assert!(allowed > 10_000 && forbidden > 10_000, "{allowed} {forbidden}");
    }
}

#[test]
#[expect(clippy::too_many_lines, reason = "a list of cases")]
fn sums_of_large_and_small_numbers_are_exact() {
    let features =
        ["a", "b"].map(|name| crate::data::Feature::new(name, crate::data::Kind::Continuous));
    let action = |feature, first: f64, last: f64, step: f64| Move {
        name: format!("f{feature}"),
        members: vec![feature],
        options: Domain::new(vec![ValueRange::new(&[first], &[last], step).unwrap()], vec![]),
        keep: 7,
    };
    let mut rounded = 0;
    for (a, b, rules) in [
        (
            (100_000_000_000.0, 100_000_000_030.0, 1.0),
            (0.0, 3e-11, 1e-12),
            [
                "1.5 * a - 2 * b <= 150000000019.499999999988",
                "never a + b <= 100000000012.000000000005",
                "3 * a = 300000000036 + 1e12 * b",
                "a >= 100000000009 + 1000000000000 * b - 0.000000000001",
            ],
        ),
        (
            (899_999_999_999_970.0, 900_000_000_000_000.0, 1.0),
            (0.0, 0.3, 0.01),
            [
                "1.00000000000001 * a - b <= 899999999999988.8899999999999",
                "never 1.00000000000001 * a - b <= 899999999999988.8899999999999",
                "a + 1.23456789012345 * b >= 899999999999980.12345678901234",
                "if a >= 899999999999980 then 0.333333333333333 * a - b <= 3e14 - 3 - 0.3",
            ],
        ),
    ] {
        let moves = [action(0, a.0, a.1, a.2), action(1, b.0, b.1, b.2)];
        let own = |action: &Move| action.options.value(7, 0);
        let applicant: Record = moves.iter().map(own).collect();
        for text in rules {
            let rule = Rule::parse(text, &features).unwrap();
            let made = instance_rules(&[&rule], &moves, &applicant).unwrap();
            let whole = |rule: &instance::OptionRule| match &rule.kind {
                RuleKind::AtMost { terms, .. } => {
                    terms.iter().all(|term| term.coefficients.at(0).fract() == 0.0)
                }
                RuleKind::AnyOf(_) => true,
            };
            let exact = made.iter().all(whole);
            rounded += usize::from(!exact);
            let (mut held, mut broken) = (0, 0);
            for (x, y) in (0..31).flat_map(|x| (0..31).map(move |y| (x, y))) {
                let choice = [x, y];
                let after: Record = moves
                    .iter()
                    .zip(choice)
                    .map(|(action, o)| action.options.value(o, 0))
                    .collect();
                let expected = rule.allows(&applicant, &after);
                let mut holds = made.iter().all(|rule| rule.holds(&choice));
                // What rounding lets pass is cut off, and nothing else with it.
                let cuts = sum_cuts(&rule, &moves, &applicant, &choice).unwrap();
                assert_eq!(cuts.is_empty(), expected, "{text} {after:?}");
                if !exact {
                    assert!(holds || !expected, "{text} {after:?}");
                    holds &= cuts.is_empty();
                }
                assert_eq!(holds, expected, "{text} {after:?} {made:?}");
                *(if expected { &mut held } else { &mut broken }) += 1;
                for (cut, other) in
                    cuts.iter().flat_map(|cut| (0..961).step_by(13).map(move |o| (cut, o)))
                {
                    let other = [other / 31, other % 31];
                    let moved = moves.iter().zip(other);
                    let after: Record =
                        moved.map(|(action, o)| action.options.value(o, 0)).collect();
                    assert!(cut.holds(&other) || !rule.allows(&applicant, &after), "{text}");
                    assert!(!cut.holds(&choice));
                }
            }
            assert!(held > 10 && broken > 10, "{text}: {held} {broken}");
        }
    }
    assert!(rounded > 2, "{rounded}");
}

#[test]
fn rules_about_long_ranges_are_short() {
    let long = ValueRange::new(&[0.0], &[1e12], 0.01).unwrap();
    let number = Value::Number(5.25);
    let action = |feature| Move {
        name: format!("f{feature}"),
        members: vec![feature],
        options: Domain::new(vec![long.clone()], Vec::new()),
        keep: 525,
    };
    let (moves, applicant) = ([action(0), action(1)], vec![number, number]);
    let features =
        ["a", "b"].map(|name| crate::data::Feature::new(name, crate::data::Kind::Continuous));
    for (text, holds, breaks) in [
        ("a rises by at most 0.3 or a stays", [555, 0], [556, 0]),
        (
            "a + b <= 1e11",
            [5_000_000_000_000, 5_000_000_000_000],
            [5_000_000_000_000, 5_000_000_000_001],
        ),
        ("if a changes then b >= 7.77", [3, 777], [3, 776]),
    ] {
        let rule = Rule::parse(text, &features).unwrap();
        let made = instance_rules(&[&rule], &moves, &applicant).unwrap();
        assert_eq!(made.len(), 1);
        assert!(made[0].holds(&holds) && !made[0].holds(&breaks), "{text} {made:?}");
    }
}
