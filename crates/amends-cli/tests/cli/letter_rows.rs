//! Letters that can't be written, and letters whose plans take time: the others are written all the same.

use std::fmt::Write as _;

use crate::support::{Folder, Run};

const LENDER: &str = r#"
[creditor]
name = "Test Bank"
address = ["1 Test Road", "Testville"]
contact = "Call 555-0100."

[plan]
valid_days = 30
promise = true

[us]
ecoa_notice = "The notice that counsel has approved."
"#;

/// Applicants who are accepted after two years in their job: rejected ones can only wait.
const JOBS: &str = r#"
version = 1
name = "jobs"
[target]
column = "paid"
favourable = "yes"
unfavourable = "no"
[[feature]]
name = "months_in_job"
kind = "integer"
change = "increase"
unit = "months"
"#;

fn jobs() -> Folder {
    let mut rows = String::from("months_in_job,paid\n");
    for month in 0..120 {
        let paid = if month % 60 >= 24 { "yes" } else { "no" };
        let _ = writeln!(rows, "{},{paid}", month % 60);
    }
    Folder::new().with("jobs.csv", rows).with("jobs.toml", JOBS).with("lender.toml", LENDER)
}

fn letters(folder: &Folder, more: &[&str]) -> Run {
    let args = ["letter", "--data", "jobs.csv", "--schema", "jobs.toml", "--model", "lr"];
    let args = [&args[..], &["--lender", "lender.toml", "--format", "text"], more].concat();
    folder.run(&args)
}

/// Applicants who have their jobs for 0, 1, 2 and so on months.
fn people(count: usize) -> String {
    let rows: Vec<String> = (0..count).map(|months| months.to_string()).collect();
    format!("months_in_job\n{}\n", rows.join("\n"))
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn what_takes_longer_than_the_letter_holds_is_not_promised() {
    let folder = jobs();
    let run = letters(&folder, &["--row", "3"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let text = one_line(&run.out);
    assert!(text.contains("This takes about ") && text.contains(" months at least"), "{text}");
    assert!(text.contains(", which is before enough time has passed for these changes."), "{text}");
    assert!(!text.contains("we will approve"), "{text}");
    assert!(
        run.err.contains("the plan of row 3 takes longer than the letter holds"),
        "{}",
        run.err
    );

    let patient =
        folder.with("lender.toml", LENDER.replace("valid_days = 30", "valid_days = 3650"));
    let run = letters(&patient, &["--row", "3"]);
    let text = one_line(&run.out);
    assert!(text.contains("we will approve") && text.contains("This takes about "), "{text}");
    assert!(!text.contains("before enough time") && !run.err.contains("takes longer"), "{text}");
}

#[test]
fn a_letter_that_fails_is_an_error_in_its_place() {
    let folder = jobs().with(
        "odd.md",
        "{{ reasons[0].title }}\n{% if applicant.row == 5 %}{{ reasons[7].title }}{% endif %}\n",
    );
    let folder = folder.with("new.csv", people(10));
    let run = letters(&folder, &["--applicants", "new.csv", "-o", "out", "--template", "odd.md"]);
    assert_eq!(run.code, Some(4), "{}", run.err);
    for part in ["1 of 10 rows could not be written", "row 5: odd.md, line 2: ", "reasons[7]"] {
        assert!(run.err.contains(part), "{part}: {}", run.err);
    }
    assert!(folder.read("out/letter-6.txt").contains("months_in_job"));
    assert!(!folder.path().join("out/letter-5.txt").exists());
}

#[test]
fn unknown_names_are_refused_in_branches_that_no_trial_reaches() {
    for branch in [
        "{% if not applicant.name %}{{ outcom }}{% endif %}",
        "{% if plans | length == 17 %}{{ outcom }}{% endif %}",
        "{% if not reasons[0].actionable %}{{ outcom }}{% endif %}",
        "{% if margin and values_offered and max_changes == 1 %}{{ outcom }}{% endif %}",
        "{% if reason_group == \"all\" and proven %}{{ outcom }}{% endif %}",
    ] {
        let folder = jobs().with("t.md", format!("a\n{branch}"));
        let run = letters(&folder, &["--rejected", "5", "-o", "out", "--template", "t.md"]);
        assert_eq!(run.code, Some(2), "{branch}: {}", run.err);
        for part in ["t.md, line 2: `outcom` is a name that letters don't know", "`outcome`"] {
            assert!(run.err.contains(part), "{branch}: {}", run.err);
        }
        assert!(!folder.path().join("out").exists(), "{branch}");
    }
}

#[test]
fn an_applicant_without_principal_reasons_does_not_stop_the_others() {
    // Most people of the table are far from the cut, on the rejected side: some rejected ones are above all others.
    let mut rows = String::from("months_in_job,paid\n");
    for row in 0..200 {
        let months = if row < 150 { row % 10 } else { row % 60 };
        let paid = if months >= 24 { "yes" } else { "no" };
        let _ = writeln!(rows, "{months},{paid}");
    }
    let folder = jobs().with("jobs.csv", rows).with("new.csv", people(20));
    let run = letters(&folder, &["--applicants", "new.csv", "--reason-group", "all", "-o", "out"]);
    assert_eq!(run.code, Some(4), "{}", run.err);
    for part in ["rows could not be written", "no feature pulls the score", "--reason-group"] {
        assert!(run.err.contains(part), "{part}: {}", run.err);
    }
    assert!(std::fs::read_dir(folder.path().join("out")).unwrap().count() > 2);
}

#[test]
fn long_keys_are_shortened() {
    let mut rows = String::from("months_in_job,key\n");
    for (months, end) in [(3, "a"), (4, "b")] {
        let _ = writeln!(rows, "{months},{}{end}", "k".repeat(300));
    }
    let folder = jobs().with("new.csv", rows);
    let run = letters(&folder, &["--applicants", "new.csv", "--key", "key", "-o", "out"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert_eq!(std::fs::read_dir(folder.path().join("out")).unwrap().count(), 2);
}

#[test]
fn own_rules_are_wishes_and_german_letters_say_where_texts_are_missing() {
    let folder = jobs().with("new.csv", "months_in_job,own\n3,months_in_job <= 20\n");
    let more = ["--applicants", "new.csv", "--rules-column", "own"];
    let text = one_line(&letters(&folder, &more).out);
    assert!(text.contains("respect your wishes: - rule: months_in_job <= 20"), "{text}");
    assert!(text.contains("and that respects your wishes, up to 4 at a time. None"), "{text}");
    let run = letters(&folder, &[&more[..], &["--language", "de"]].concat());
    assert!(run.err.contains("[feature.de]"), "{}", run.err);
}
