//! Checking the rules of a schema, each by itself and against the others.

use super::Schema;
use crate::InputError;

impl Schema {
    /// The first rule with a problem, so that a file's line can be named.
    pub(super) fn find_rule_problem(&self) -> Result<(), (usize, Box<InputError>)> {
        for (index, rule) in self.rules.iter().enumerate() {
            let check = || {
                rule.check(&self.features)?;
                let earlier = &self.rules[..index];
                earlier.iter().try_for_each(|other| rule.check_beside(other, &self.features))
            };
            check().map_err(|error: InputError| (index, Box::new(error)))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Demand, Rule};

    const FEATURES: &str = r#"
version = 1
name = "t"
[target]
column = "y"
favourable = "1"
unfavourable = "0"
[[feature]]
name = "a"
kind = "integer"
range = [0, 100]
step = 5
[[feature]]
name = "b"
kind = "continuous"
change = "increase"
max_change = 3
[[feature]]
name = "age"
kind = "integer"
change = "immutable"
[[feature]]
name = "h"
kind = "categorical"
levels = ["own", "rent"]
[[feature]]
name = "s"
kind = "ordinal"
levels = ["none", "some", "much"]
change = "decrease"
one_step = true
[[feature]]
name = "c"
kind = "integer"
codes = [{ value = -7, label = "absent" }, { value = -8, label = "gone", leave = true }]
"#;

    fn read(rules: &[&str]) -> crate::Result<Schema> {
        let rules = rules.iter().map(|rule| format!("[[rule]]\nrule = '''{rule}'''\n"));
        Schema::parse(&format!("{FEATURES}{}", rules.collect::<String>()), "s.toml")
    }

    fn message(rules: &[&str]) -> Option<String> {
        read(rules).err().map(|error| error.to_string())
    }

    #[test]
    fn rules_that_can_hold_and_fail_are_fine() {
        for rule in [
            "a <= 50",
            "must age <= 60",
            "must a >= 0",
            "a rises by at least 2",
            "if h changes then a falls",
            "b rises by at most 2",
            "never h is own and s is none",
            "a <= c",
            "a + b <= 10",
            "at most 0 of a, b changes",
            "at most 1 of a, b, age changes",
            "a, b change together",
            "c is absent",
            "must c is not -8",
            "c >= 5",
            "if c is \"gone\" then a stays",
            "s is not some",
            "a < 0 or a > 50",
            "change of a <= 3",
            "a - 2 * change of a <= 3",
        ] {
            assert_eq!(message(&[rule]), None, "{rule}");
        }
    }

    #[test]
    fn rules_with_too_much_to_try_are_left_undecided() {
        let many = |feature: &str| -> Vec<String> {
            (0..150).map(|number| format!("{feature} = {}", 5 * number)).collect()
        };
        let rule = format!("{} or {}", many("a").join(" or "), many("c").join(" or "));
        assert_eq!(message(&[&rule]), None);
    }

    #[test]
    fn rules_that_never_hold_are_refused() {
        for rule in [
            "never a changes or a stays",
            "a >= 5 and a < 5",
            "must age rises",
            "if age changes or age stays then age changes",
            "b falls",
            "b rises by at least 4",
            "s rises",
            "s falls by 2",
            "h is own and h is rent",
            "c <= 3 and c >= 4",
            "2 * a >= 7 and a <= 3",
            "c changes and c is absent",
            "change of b >= 4",
            "a changes and a > 100",
            "a rises and a is 7",
        ] {
            let message = message(&[rule]).unwrap_or_else(|| panic!("{rule} was read"));
            let expected = format!("s.toml, line 37, rule `{rule}`: holds for no values and moves");
            assert!(message.starts_with(&expected), "{message}");
        }
        assert!(message(&["age falls"]).unwrap().ends_with("`age` may not change"));
    }

    #[test]
    fn rules_that_say_nothing_are_refused() {
        for rule in [
            "a changes or a stays",
            "age stays",
            "age <= 60",
            "if age changes then a falls",
            "b does not fall",
            "b does not rise by at least 4",
            "a <= 100",
            "s does not fall by at least 2",
            "h is one of own, rent",
            "never c changes and c is absent",
        ] {
            let message = message(&[rule]).unwrap_or_else(|| panic!("{rule} was read"));
            assert!(message.contains("says nothing: it allows every move"), "{message}");
        }
        assert!(message(&["age <= 60"]).unwrap().contains("write `must` in front"));
        let group = message(&["at most 2 of a, b, age changes"]).unwrap();
        assert!(group.contains("says nothing: 2 of the features may change at all"), "{group}");
    }

    #[test]
    fn groups_that_can_t_move_are_refused() {
        let message = |rules: &[&str]| message(rules).unwrap();
        assert!(message(&["a, age change together"]).contains("`age` may not change, so none"));
        let turned = FEATURES.replace("range = [0, 100]", "change = \"decrease\"");
        let toml = format!("{turned}[[rule]]\nrule = \"a, b change together\"");
        let opposed = Schema::parse(&toml, "s.toml").unwrap_err().to_string();
        assert!(opposed.contains("`b` may only rise and `a` only fall"), "{opposed}");
        let twice = message(&["a, b change together", "c, a change together"]);
        assert!(
            twice.starts_with("s.toml, line 39, rule `c, a change together`: `a` moves with two"),
            "{twice}"
        );
    }

    #[test]
    fn rules_are_compared_with_each_other() {
        let message = |rules: &[&str]| message(rules).unwrap();
        let pair = message(&["a >= 5", "h stays", "a <= 3"]);
        assert!(
            pair.starts_with("s.toml, line 41, rule `a <= 3`: contradicts rule `a >= 5`; loosen"),
            "{pair}"
        );
        let same = message(&["a  stays", "a does not change"]);
        assert!(same.contains("says the same as rule `a  stays`"), "{same}");
        assert!(read(&["a >= 5", "a <= 8", "h stays", "b >= 5"]).is_ok());
    }

    #[test]
    fn rules_made_in_code_are_checked_too() {
        let mut schema = read(&["a <= 50"]).unwrap();
        let refused = |schema: &Schema| schema.check().unwrap_err().to_string();
        schema.rules[0].name = Some(" ".into());
        assert!(refused(&schema).contains("has an empty name"));
        schema.rules[0].name = None;
        schema.rules[0].demand = Demand::AtMost { most: 1, features: vec![0, 99] };
        assert!(refused(&schema).starts_with("rule `a <= 50`: names a feature that the schema"));
        schema.rules[0].demand = Demand::Together(vec![0, 3]);
        assert!(refused(&schema).contains("does not fit `h`, which is of kind categorical"));
        let named = |text: &str| Rule {
            name: Some("n".into()),
            ..Rule::parse(text, &schema.features).unwrap()
        };
        schema.rules = vec![named("a stays"), named("h stays")];
        assert!(refused(&schema).contains("`n` is the name of two rules"));
    }

    #[test]
    fn rules_survive_writing_and_reading_and_leave_the_fingerprint() {
        let mut schema = read(&["a <= 50", " if h is \"own\"\nthen a stays"]).unwrap();
        schema.rules[0].name = Some("quo\"te".into());
        let again = Schema::parse(&schema.to_toml(), "again").unwrap();
        assert_eq!(again, schema);
        assert_eq!(schema.fingerprint(), read(&[]).unwrap().fingerprint());
    }
}
