//! Rules as people write them: what they mean, and how wrong ones are refused.

use amends::data::Direction::{Down, Up};
use amends::data::{
    Addend, Atom, Code, Demand, Feature, Formula, Kind, Quantity, Rule, Schema, Value,
};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// amount, duration (integers), income (continuous), housing (categorical), savings (ordinal), delay (coded), `odd name`,
/// `of`.
fn features() -> Vec<Feature> {
    let levels = |names: &[&str]| names.iter().map(ToString::to_string).collect::<Vec<_>>();
    let mut delay = Feature::new("delay", Kind::Integer);
    delay.codes =
        vec![Code::new("-7", "never late"), Code::new("", "missing"), Code::new("-8", "unusable")];
    vec![
        Feature::new("amount", Kind::Integer),
        Feature::new("duration", Kind::Integer),
        Feature::new("income", Kind::Continuous),
        Feature::new(
            "housing",
            Kind::Categorical { levels: levels(&["own", "rent", "for free", "of"]) },
        ),
        Feature::new("savings", Kind::Ordinal { levels: levels(&["none", "some", "much"]) }),
        delay,
        Feature::new("odd name", Kind::Integer),
        Feature::new("of", Kind::Binary { levels: ["0".into(), "1".into()] }),
    ]
}

const AMOUNT: usize = 0;
const DURATION: usize = 1;
const INCOME: usize = 2;
const HOUSING: usize = 3;
const SAVINGS: usize = 4;
const DELAY: usize = 5;
const ODD: usize = 6;
const OF: usize = 7;
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

fn sum(terms: &[(f64, usize)], most: f64) -> Formula {
    let term = |&(factor, feature)| Addend { factor, feature, quantity: Quantity::Value };
    Formula::Atom(Atom::Sum { terms: terms.iter().map(term).collect(), most })
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
    let change = |factor, feature| Addend { factor, feature, quantity: Quantity::Change };
    for text in
        ["change of amount <= 2 * change(income) + 5", "change(amount) - 2 * change of income <= 5"]
    {
        let terms = vec![change(1.0, AMOUNT), change(-2.0, INCOME)];
        assert_eq!(formula(text), Formula::Atom(Atom::Sum { terms, most: 5.0 }), "{text}");
    }
    assert_eq!(
        formula("change of duration < 6"),
        Formula::Atom(Atom::Sum { terms: vec![change(1.0, DURATION)], most: 5.0 })
    );
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
        error.to_string().starts_with("rule `amuont stays`: `amuont` is no feature"),
        "{error}"
    );
}

#[test]
fn wrong_rules_are_refused_with_piece_and_remedy() {
    for (text, expected) in [
        ("", "rule ``: is empty; write a rule"),
        ("must", "rule `must`: ends too early; go on with a feature"),
        ("amuont stays", "`amuont` is no feature; did you mean `amount`?"),
        ("wealth stays", "`wealth` is no feature; the features are `amount`, `duration`"),
        ("Amount stays", "did you mean `amount`?"),
        ("`odd nam` stays", "`odd nam` is no feature; did you mean `odd name`?"),
        ("of is 1", "`of` is a word of the rules' own; write `of` for the feature"),
        (
            "\"amount\" stays",
            "is a feature in double quotes, which are for levels; put features in",
        ),
        (
            "housing is sold",
            "`sold` is no level of `housing`; use one of `own`, `rent`, `for free`",
        ),
        ("housing is 3", "`3` is no level of `housing`; use one of"),
        ("housing is of", "`of` is a word of the rules' own; write \"of\" for the value"),
        ("housing is own or rent", "`rent` is no feature but a level of `housing`; for several"),
        ("housing is for free", "`for` is no level"),
        (
            "savings is much more",
            "`more` does not fit here; write `and`, `or`, or nothing (a level",
        ),
        ("housing is one of own, own", "`own` is named twice"),
        (
            "amount is own",
            "`own` is neither a number nor a code of `amount`, which is of kind integer; it holds",
        ),
        (
            "delay is late",
            "is neither a number nor a code of `delay`, which is of kind integer; write a number, or a code: `never late`",
        ),
        ("amount is 2.5", "`2.5` is not a whole number"),
        ("amount = 2.5", "`amount = 2.5` is not a whole number"),
        ("housing rises", "`housing` has levels without an order"),
        ("housing >= own", "`housing >=` compares levels without an order"),
        (
            "housing + amount <= 3",
            "`housing` is of kind categorical, but only numbers are added up",
        ),
        ("savings >= 2", "`2` is no level of `savings`"),
        ("amount rises by 0", "`0` is no size of a move"),
        ("amount rises by -2", "`-2` is no size of a move"),
        ("amount rises by 2.5", "`2.5` is no move between whole numbers"),
        ("savings rises by at least 1.5", "`1.5` is no count of levels"),
        ("amount rises by nothing", "`nothing` does not fit here; write a number, `at least`"),
        ("amount <= nan", "`nan` is no feature"),
        ("amount <= 1e16", "`1e16` is too large"),
        (
            "amount < income",
            "`amount < income` can't be told from equality: `<` between sums needs integer features and whole numbers; write `<=`",
        ),
        ("0.5 * amount < duration", "can't be told from equality"),
        ("amount != duration", "`amount != duration` asks sums to differ"),
        ("1 <= amount <= 5", "`<=` does not fit here; write `and` and a second comparison"),
        ("amount - amount <= 5", "`amount - amount <= 5` is the same for everybody"),
        ("3 <= 5", "is the same for everybody"),
        ("amount * duration <= 5", "`duration` does not fit here; write a number: only weighted"),
        ("2 amount <= 5", "`amount` does not fit here; write one of <="),
        ("amount", "ends too early; go on with what the feature does"),
        ("(amount + duration) <= 5", "`)` does not fit here; write one of <="),
        (
            "amount stays housing stays",
            "`housing` does not fit here; write `and`, `or`, or nothing",
        ),
        ("(amount stays", "ends too early; go on with `)`"),
        ("if amount stays", "ends too early; go on with `then`"),
        ("if amount stays then if amount stays then amount stays", "`if` does not fit here"),
        ("at most one of amount, duration changes", "`one` does not fit here; write how many"),
        ("at most 1.5 of amount, duration changes", "`1.5` is no count"),
        ("at most -1 of amount, duration changes", "`-1` is no count"),
        ("at least 1 of amount, duration changes", "`least` does not fit here; write `most`"),
        ("at most 1 of amount, amount changes", "`amount` is named twice"),
        ("at most 1 of amount, duration", "ends too early; go on with `change` or `changes`"),
        ("amount, duration change", "ends too early; go on with `together`"),
        ("amount changes together", "names one feature that changes together"),
        (
            "amount, housing change together",
            "`housing` is of kind categorical, but only numbers move",
        ),
        ("amount does change", "`change` does not fit here; write `not`"),
    ] {
        let message = match Rule::parse(text, &features()) {
            Ok(rule) => panic!("{text} was read as {rule:?}"),
            Err(error) => error.to_string(),
        };
        assert!(
            message.starts_with("rule `") && message.contains(expected),
            "{message}\nfor {text}"
        );
        assert!(message.contains("; ") && !message.contains('\n'), "{message}");
    }
}

#[test]
fn nesting_is_bounded() {
    let nested = |depth: usize| format!("{}amount stays{}", "(".repeat(depth), ")".repeat(depth));
    assert!(Rule::parse(&nested(30), &features()).is_ok());
    for text in [nested(1000), format!("{}amount stays", "not ".repeat(900))] {
        let message = Rule::parse(&text, &features()).unwrap_err().to_string();
        assert!(message.contains("is nested more than 32 deep"), "{message}");
    }
    let message = Rule::parse(&nested(10_000), &features()).unwrap_err().to_string();
    assert!(message.contains("is longer than 4000"), "{message}");
    let flat = vec!["amount stays"; 200].join(" or ");
    assert!(Rule::parse(&flat, &features()).is_ok());
}

/// Text made of the pieces that rules consist of, in any order.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "amount",
        "duration",
        "income",
        "housing",
        "savings",
        "delay",
        "`odd name`",
        "`of`",
        "of",
        "change",
        "change of",
        "change(",
        "changes",
        "stays",
        "rises",
        "falls",
        "by",
        "at most",
        "at least",
        "does not",
        "is",
        "is one of",
        "not",
        "never",
        "must",
        "if",
        "then",
        "and",
        "or",
        "(",
        ")",
        ",",
        "+",
        "-",
        "*",
        "<=",
        "<",
        ">=",
        "=",
        "!=",
        "1",
        "2.5",
        "0",
        "1e15",
        "own",
        "\"for free\"",
        "some",
        "\"\"",
        "\"",
        "`",
        "together",
        ";",
        "é",
        "\n",
        "nan",
        "1e400",
        "unusable",
    ]);
    prop::collection::vec(piece, 0..14).prop_map(|pieces| pieces.join(" "))
}

/// Values of the features above, codes among them.
fn record() -> impl Strategy<Value = Vec<Value>> {
    let number = || (-3_i32..4).prop_map(|n| Value::Number(f64::from(n)));
    let level = |count: usize| (0..count).prop_map(Value::Level);
    (
        number(),
        number(),
        number(),
        level(4),
        level(3),
        prop_oneof![number(), (0_usize..3).prop_map(Value::Code)],
        number(),
        level(2),
    )
        .prop_map(|(a, b, c, d, e, f, g, h)| vec![a, b, c, d, e, f, g, h])
}

/// The same cases in every run.
fn repeatable() -> ProptestConfig {
    ProptestConfig {
        rng_seed: RngSeed::Fixed(1),
        failure_persistence: None,
        cases: 3000,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(repeatable())]

    #[test]
    fn any_text_is_a_rule_or_an_error(
        text in prop_oneof![4 => pieces(), 1 => any::<String>()], before in record(), after in record(),
    ) {
        let features = features();
        match Rule::parse(&text, &features) {
            Ok(rule) => {
                prop_assert_eq!(&rule.text, &text);
                prop_assert!(rule.features().iter().all(|&f| f < features.len()));
                // Whatever was read can be asked about any application.
                let _ = (rule.allows(&before, &after), rule.holds(&before));
            }
            Err(error) => prop_assert!(!error.to_string().is_empty()),
        }
        if let Ok(rules) = Rule::parse_list(&text, &features) {
            for rule in rules {
                prop_assert_eq!(&Rule::parse(&rule.text, &features).unwrap(), &rule);
            }
        }
    }
}

#[test]
fn the_target_is_no_feature() {
    let toml = Schema::german().to_toml() + "\n[[rule]]\nrule = \"credit_risk is good\"\n";
    let message = Schema::parse(&toml, "s.toml").unwrap_err().to_string();
    assert!(
        message.contains("`credit_risk` is the target, which no application states"),
        "{message}"
    );
}
