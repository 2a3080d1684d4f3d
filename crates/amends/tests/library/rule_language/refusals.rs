//! Wrong rules, and their messages.

use amends::data::{Rule, Schema};

use super::features;

#[test]
#[expect(clippy::too_many_lines, reason = "a list of cases")]
fn wrong_rules_are_refused_with_piece_and_remedy() {
    for (text, expected) in [
        ("", "rule ``: is empty; write a rule"),
        ("must", "rule `must`: ends too early; go on with a feature"),
        ("amuont stays", "`amuont` is not a feature; did you mean `amount`?"),
        ("wealth stays", "`wealth` is not a feature; the features are `amount`, `duration`"),
        ("Amount stays", "did you mean `amount`?"),
        ("`odd nam` stays", "`odd nam` is not a feature; did you mean `odd name`?"),
        ("of is 1", "`of` is a word of the rules' own; write `of` for the feature"),
        (
            "\"amount\" stays",
            "is a feature in double quotes, which are for levels; put features in",
        ),
        (
            "housing is sold",
            "`sold` is not a level of `housing`; use one of `own`, `rent`, `for free`",
        ),
        ("housing is 3", "`3` is not a level of `housing`; use one of"),
        ("housing is of", "`of` is a word of the rules' own; write \"of\" for the value"),
        (
            "housing is own or rent",
            "`rent` is not a feature, but a level of `housing`; for several",
        ),
        ("housing is for free", "`for` is not a level"),
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
        ("savings >= 2", "`2` is not a level of `savings`"),
        ("amount rises by 0", "`0` is not a size of a move"),
        ("amount rises by -2", "`-2` is not a size of a move"),
        ("amount rises by 2.5", "`2.5` is not a move between whole numbers"),
        ("savings rises by at least 1.5", "`1.5` is not a count of levels"),
        ("amount rises by nothing", "`nothing` does not fit here; write a number, `at least`"),
        ("amount <= nan", "`nan` is not a feature"),
        ("amount <= 1e16", "`1e16` is too large"),
        (
            "amount < income",
            "`amount < income` can't be distinguished from equality: `<` between sums needs integer features and whole numbers; write `<=`",
        ),
        ("0.5 * amount < duration", "can't be distinguished from equality"),
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
        ("at most 1.5 of amount, duration changes", "`1.5` is not a count"),
        ("at most -1 of amount, duration changes", "`-1` is not a count"),
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

#[test]
fn the_target_is_no_feature() {
    let toml = Schema::german_free().to_toml() + "\n[[rule]]\nrule = \"credit_risk is good\"\n";
    let message = Schema::parse(&toml, "s.toml").unwrap_err().to_string();
    assert!(
        message.contains("`credit_risk` is the target, which no application states"),
        "{message}"
    );
}
