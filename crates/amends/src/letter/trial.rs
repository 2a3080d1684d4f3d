//! Templates are tried before the first letter: their names are checked, and letters are written to nobody.

use minijinja::Environment;
use serde_json::{Value as Json, json};

use super::facts::{Addressee, LetterFacts, PlanFacts, ReasonFacts, ScoreFacts, TogetherFacts};
use super::{Lender, Template};
use crate::letter::facts::ChangeFacts;
use crate::reasons::ReasonGroup;
use crate::{InputError, Result, nearest_name};

/// Refuses a template with a name that letters don't know, in whatever branch it is.
pub(super) fn check_names(
    template: &Template,
    templates: &Environment<'_>,
    known: &Json,
) -> Result<()> {
    let Ok(compiled) = templates.get_template(&template.name) else { return Ok(()) };
    let own = own_names(&template.text);
    let is_own = |root: &str| {
        own.iter().any(|name| name == root) || templates.globals().any(|(name, _)| name == root)
    };
    let mut paths: Vec<String> = compiled.undeclared_variables(true).into_iter().collect();
    paths.retain(|path| !is_own(path.split('.').next().unwrap_or_default()));
    paths.sort_by_key(|path| (line_of(path, &template.text), path.clone()));
    paths.iter().try_for_each(|path| check_path(path, template, known))
}

fn check_path(path: &str, template: &Template, known: &Json) -> Result<()> {
    let mut inside = known;
    let mut before = String::new();
    for name in path.split('.') {
        // Lists and texts have no names; a map without any may have all.
        let Some(object) = inside.as_object().filter(|object| !object.is_empty()) else {
            return Ok(());
        };
        let Some(next) = object.get(name) else {
            let near = nearest_name(name, object.keys().map(String::as_str));
            let near =
                near.map_or_else(String::new, |near| format!("did you mean `{before}{near}`? "));
            let mut error = InputError::new("is a name that letters don't know")
                .file(&template.name)
                .value(path)
                .remedy(format!("{near}docs/letters.md lists what templates know"));
            if let Some(line) = line_of(path, &template.text) {
                error = error.at(format!("line {line}"));
            }
            return Err(error.into());
        };
        inside = next;
        before = format!("{before}{name}.");
    }
    Ok(())
}

/// The line in which a name is first used, where it is written as one word.
fn line_of(path: &str, text: &str) -> Option<usize> {
    let is_part = |letter: Option<char>| letter.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let has = |line: &str| {
        line.match_indices(path).any(|(at, _)| {
            let (before, after) = (&line[..at], &line[at + path.len()..]);
            !is_part(before.chars().next_back()) && !is_part(after.chars().next())
        })
    };
    // Text outside of expressions may have the word, too.
    let line = |in_braces: bool| {
        text.lines().position(|line| has(line) && (!in_braces || line.contains('{')))
    };
    line(true).or_else(|| line(false)).map(|line| line + 1)
}

/// The names that the template sets by itself: those set in a branch are known behind it.
fn own_names(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    for part in text.split("{%").skip(1) {
        let statement = part.split("%}").next().unwrap_or_default();
        let statement = statement.trim_start_matches(['-', '+']).trim();
        let (word, rest) = statement.split_once(char::is_whitespace).unwrap_or((statement, ""));
        if ["set", "macro", "import", "from"].contains(&word) {
            let target = rest.split(['=', '|']).next().unwrap_or_default();
            let words = target.split(|letter: char| !(letter.is_alphanumeric() || letter == '_'));
            names.extend(words.filter(|word| !word.is_empty()).map(str::to_owned));
        }
    }
    names
}

/// All names that letters know: facts of which none is missing.
pub(super) fn letter_names(frame: &LetterFacts<'_>) -> Json {
    let facts = serde_json::to_value(LetterFacts { score: Some(score()), ..frame.clone() });
    let mut known = facts.unwrap_or_default();
    if let Ok(lender) = Lender::parse(Lender::TEMPLATE, "lender.toml") {
        known["lender"] = serde_json::to_value(lender).unwrap_or_default();
    }
    known
}

/// All names that pages know.
pub(super) fn page_names() -> Json {
    json!({"language": "", "law": "", "title": "", "body": ""})
}

/// Letters to nobody with every outcome, with everything that letters can have and with nothing of it.
pub(super) fn letters<'a>(frame: &LetterFacts<'a>) -> Vec<LetterFacts<'a>> {
    let mut letters = Vec::new();
    for (outcome, count) in [("plan", 1), ("plan", 2), ("plan", 3), ("none", 0), ("unknown", 0)] {
        for &reason_group in ReasonGroup::ALL {
            for full in [true, false] {
                letters.push(LetterFacts {
                    outcome,
                    reason_group,
                    plans: vec![plan(full); count],
                    ..some(frame, full)
                });
            }
        }
    }
    letters
}

fn some<'a>(frame: &LetterFacts<'a>, full: bool) -> LetterFacts<'a> {
    let word = || "x".to_owned();
    let none = Addressee::default();
    let count = if full { 2 } else { 1 };
    LetterFacts {
        applicant: if full { frame.applicant.clone() } else { none },
        reasons: vec![reason(full); count],
        wishes: if full { vec![word()] } else { Vec::new() },
        proven: full,
        needed: full,
        max_changes: if full { 4 } else { 1 },
        margin: full,
        values_offered: full.then_some(100),
        outlasts: !full,
        promise: full,
        record: vec![word()],
        ..frame.clone()
    }
}

fn reason(full: bool) -> ReasonFacts {
    let word = || "x".to_owned();
    ReasonFacts {
        feature: word(),
        title: word(),
        value: word(),
        typical: if full { "y".to_owned() } else { word() },
        share: 1.0,
        actionable: full.then_some(false),
    }
}

fn plan(full: bool) -> PlanFacts {
    let word = || "x".to_owned();
    let change = ChangeFacts {
        feature: word(),
        title: word(),
        before: word(),
        after: word(),
        together: full.then(word),
    };
    let together = TogetherFacts { name: word(), titles: vec![word(), word()] };
    PlanFacts {
        changes: vec![change; if full { 2 } else { 1 }],
        together: if full { vec![together] } else { Vec::new() },
        takes: full.then(word),
    }
}

fn score() -> ScoreFacts {
    let word = || "x".to_owned();
    ScoreFacts {
        value: word(),
        date: word(),
        lowest: word(),
        highest: word(),
        factors: vec![word()],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(text: &str) -> Option<String> {
        let template = Template { name: "t.md".to_owned(), text: text.to_owned() };
        let mut templates = Environment::new();
        templates.add_template("t.md", text).unwrap();
        let known = json!({
            "outcome": "plan", "plans": [], "margin": true, "lender": {"us": {"ecoa_notice": ""}, "translations": {}}
        });
        check_names(&template, &templates, &known).err().map(|error| error.to_string())
    }

    #[test]
    fn an_unknown_name_in_any_branch_is_refused_with_the_nearest_one() {
        let refused = refusal("a\n{% if margin %}\n{{ outcom }}{% endif %}").unwrap();
        assert_eq!(
            refused,
            "t.md, line 3: `outcom` is a name that letters don't know; did you mean `outcome`? docs/letters.md lists what \
             templates know"
        );
        let refused = refusal("{{ lender.us.ecoa_notise }}").unwrap();
        assert!(refused.contains("did you mean `lender.us.ecoa_notice`?"), "{refused}");
    }

    #[test]
    fn names_of_the_template_itself_are_known() {
        for text in [
            "{% for plan in plans %}{{ plan.x }}{{ loop.index }}{% endfor %}",
            "{% if margin %}{% set x = 1 %}{% else %}{%- set x = 2 %}{% endif %}{{ x }}",
            "{% macro m(a) %}{{ a }}{% endmacro %}{{ m(outcome) }}{% for i in range(3) %}{{ i }}{% endfor %}",
            "{{ lender.translations.anything }} {{ plans[0].changes | length }}",
        ] {
            assert_eq!(refusal(text), None, "{text}");
        }
    }
}
