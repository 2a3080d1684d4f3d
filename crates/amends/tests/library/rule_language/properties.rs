//! Any text, any application.

use crate::common::repeatable::repeatable;
use amends::data::{Change, Demand, Feature, Rule, Value};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use super::{AMOUNT, DELAY, DURATION, INCOME, SAVINGS, features};

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

/// Rules that can be parsed, most of them meaningless.
fn sentence() -> impl Strategy<Value = String> {
    let statement = prop::sample::select(vec![
        "amount changes",
        "amount stays",
        "amount rises",
        "amount falls",
        "amount rises by at least 2",
        "amount <= 1",
        "amount >= 2",
        "amount > 2",
        "amount = -1",
        "amount is one of 1, 2",
        "2 * amount < 3",
        "change of amount <= -1",
        "duration changes",
        "duration <= 0",
        "duration is 2",
        "income rises",
        "income falls by at most 1",
        "income < 0",
        "income >= 0.5",
        "housing is own",
        "housing stays",
        "savings falls",
        "savings rises",
        "savings >= some",
        "savings is much",
        "delay is unusable",
        "delay changes",
        "delay <= 1",
        "delay falls",
        "delay is \"never late\"",
        "amount <= duration",
        "income + delay <= 1",
    ]);
    let part = (statement, any::<bool>())
        .prop_map(|(text, negated)| if negated { format!("not {text}") } else { text.to_owned() });
    let parts = prop::collection::vec((part, prop::sample::select(vec![" and ", " or "])), 1..5);
    (parts, prop::sample::select(vec!["", "", "must ", "never "])).prop_map(|(parts, start)| {
        let joined: String = parts.iter().flat_map(|(part, join)| [part.as_str(), *join]).collect();
        format!("{start}{}", joined.trim_end_matches(" and ").trim_end_matches(" or "))
    })
}

/// The features above with rules of their own.
fn restricted() -> Vec<Feature> {
    let mut features = features();
    features[AMOUNT].change = Change::Increase;
    features[AMOUNT].limits.range = Some([-2.0, 2.0]);
    features[DURATION].change = Change::Immutable;
    features[INCOME].limits.max_change = Some(1.0);
    features[SAVINGS].limits.one_step = true;
    features[DELAY].codes[0].leave = true;
    features[DELAY].codes[2].enter = true;
    features
}

#[test]
fn half_of_the_sentences_are_fit_for_use() {
    let mut runner = TestRunner::new(repeatable(3000));
    let features = restricted();
    let (mut fine, mut never, mut nothing) = (0, 0, 0);
    for _ in 0..1000 {
        let text = sentence().new_tree(&mut runner).unwrap().current();
        match Rule::parse(&text, &features).unwrap().check(&features) {
            Ok(()) => fine += 1,
            Err(error) if error.to_string().contains("holds for no values") => never += 1,
            Err(_) => nothing += 1,
        }
    }
    assert!(fine > 400 && never > 20 && nothing > 20, "{fine} {never} {nothing}");
}

proptest! {
    #![proptest_config(repeatable(3000))]

    /// No application and no change of it refutes the reason that a rule was refused for.
    #[test]
    fn refused_rules_deserve_it(
        text in sentence(), pairs in prop::collection::vec((record(), record()), 100),
    ) {
        let features = restricted();
        let rule = Rule::parse(&text, &features).unwrap();
        let Err(error) = rule.check(&features) else { return Ok(()) };
        let Demand::Formula(formula) = &rule.demand else { return Ok(()) };
        let never = error.to_string().contains("holds for no values");
        prop_assert!(never || error.to_string().contains("says nothing"));
        for (before, wanted) in pairs {
            // What the features' own rules forbid stays as it was.
            let after: Vec<Value> = features.iter().zip(before.iter().zip(wanted))
                .map(|(feature, (&old, new))| if feature.broken(old, new).is_empty() { new } else { old })
                .collect();
            let mut silent = false;
            formula.visit(&mut |atom| silent |= atom.is_silent(&before, &after));
            let strict = Rule { must: true, ..rule.clone() };
            if never && !silent {
                prop_assert!(!strict.allows(&before, &after), "{} {:?} {:?}", text, before, after);
            } else if !never {
                prop_assert!(rule.allows(&before, &after), "{} {:?} {:?}", text, before, after);
            }
        }
    }

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
