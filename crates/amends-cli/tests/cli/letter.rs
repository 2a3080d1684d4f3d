//! `amends letter`, as lenders meet it.

use std::fmt::Write as _;

use serde_json::Value;

use crate::support::{Folder, Run};

const LENDER: &str = r#"
[creditor]
name = "Test Bank"
address = ["1 Test Road", "Testville"]
contact = "Call 555-0100."

[applicant]

[plan]
valid_days = 30
promise = false

[us]
ecoa_notice = "The notice that counsel has approved."

[eu]
procedure = "A program computed a score."
review_contact = "Review, Test Bank"
review_days = 14
data_protection_officer = "dpo@test.example"
supervisory_authority = "Test Authority"
"#;

fn folder() -> Folder {
    Folder::with_loans().with("lender.toml", LENDER)
}

/// The letter to the first rejected applicant, without line breaks.
fn letter(folder: &Folder, more: &[&str]) -> String {
    let one = ["--lender", "lender.toml", "--row", &first_rejected(folder)].map(str::to_owned);
    let args: Vec<&str> = one.iter().map(String::as_str).chain(more.iter().copied()).collect();
    let text = folder.answers_on_loans("letter", &args).out;
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn first_rejected(folder: &Folder) -> String {
    explained(folder, &["--rejected", "1"])[0]["row"].to_string()
}

fn explained(folder: &Folder, more: &[&str]) -> Vec<Value> {
    let args = [&["--format", "json", "--reasons"], more].concat();
    folder.answers_on_loans("explain", &args).json()
}

#[test]
fn a_letter_says_what_explain_says() {
    let folder = folder();
    let text = letter(&folder, &[]);
    let answer = &explained(&folder, &["--rejected", "1"])[0];
    let table = letter(&folder, &["--format", "markdown"]);
    for change in answer["changes"].as_array().unwrap() {
        let part = |name: &str| change[name].as_str().unwrap_or_default();
        let value = |name: &str| format!("{} {}", part(name), part("unit")).trim().to_owned();
        let (before, after) = (value("before_text"), value("after_text"));
        let line = format!("| {} | {before} | {after} |", part("title"));
        assert!(table.contains(&line), "{line}: {table}");
    }
    let reasons = answer["reasons"].as_array().unwrap();
    for (index, reason) in reasons.iter().enumerate() {
        let title = reason["title"].as_str().unwrap();
        assert!(text.contains(&format!("{}. {title}: ", index + 1)), "{text}");
    }
    assert!(!text.contains(&format!("{}. ", reasons.len() + 1)), "{text}");
    for part in [
        "Test Bank 1 Test Road Testville ",
        "November 18, 2026",
        "Of the changes that our rules regard as open to you, up to 4 at a time and each of them needed, no smaller one would have been enough",
        "until December 18, 2026. It is not an offer and not a promise",
        "The notice that counsel has approved.",
        "at most 4 changes",
        answer["provenance"]["model_sha256"].as_str().unwrap(),
        answer["provenance"]["data_sha256"].as_str().unwrap(),
    ] {
        assert!(text.contains(part), "{part:?} is not in {text}");
    }
}

/// Smaller changes may exist among those that plans must not have.
#[test]
fn a_letter_names_the_changes_that_were_left_out() {
    let folder = folder();
    let english = letter(&folder, &["--harmless"]);
    let part = "up to 4 at a time, each of them needed and none of them lowering the score by itself, no smaller one would";
    assert!(english.contains(part), "{english}");
    let german = letter(&folder, &["--harmless", "--language", "de"]);
    let part = "bis zu 4 gleichzeitig, jede davon nötig und keine davon für sich allein nachteilig, hätte keine kleinere";
    assert!(german.contains(part), "{german}");
    let alone = letter(&folder, &["--harmless", "--max-changes", "1"]);
    assert!(!alone.contains("lowering the score"), "{alone}");
}

#[test]
fn a_promise_is_made_only_where_the_lender_makes_it() {
    let folder = folder().with("lender.toml", LENDER.replace("promise = false", "promise = true"));
    let text = letter(&folder, &[]);
    assert!(text.contains("we will approve your application") && !text.contains("not a promise"));
}

#[test]
fn german_letters_have_the_lenders_translations_and_german_numbers() {
    let words = "\n[translations]\n\"Monthly income\" = \"Monatseinkommen\"\n\"debt\" = \"Schulden\"\n\
                 \"housing: rent\" = \"Miete\"\n";
    let folder = folder().with("lender.toml", [LENDER, words].concat());
    let text = letter(&folder, &["--language", "de", "--law", "eu", "--plans", "3"]);
    for part in ["18. November 2026", "lehnen ihn ab", "Test Authority", "bis zum 2. Dezember 2026"]
    {
        assert!(text.contains(part), "{part:?} is not in {text}");
    }
    assert!(!text.contains("Monthly income") && !text.contains("debt"), "{text}");
    assert!(text.contains("Monatseinkommen") || text.contains("Schulden"), "{text}");
}

#[test]
fn german_letters_have_the_schemas_german_texts_unless_the_lender_has_others() {
    let args = ["letter", "--model", "lr", "--lender", "lender.toml", "--row", "60"];
    let german = [&args[..], &["--language", "de", "--law", "eu"]].concat();
    let folder = folder();
    let text =
        |args: &[&str]| folder.answers(args).out.split_whitespace().collect::<Vec<_>>().join(" ");
    let letter = text(&german);
    for part in ["Laufzeit des Kredits", "36 Monate", "10 Monate", "Girokonto", "unter 0 DM"] {
        assert!(letter.contains(part), "{part:?} is not in {letter}");
    }
    let english = ["Duration of the credit", "months", "Checking account", "< 0 DM"];
    for part in english {
        assert!(!letter.contains(part), "{part:?} is in {letter}");
        assert!(text(&args).contains(part), "{part:?}");
    }
    let words = "\n[translations]\n\"Duration of the credit\" = \"Dauer\"\n";
    let own = folder.with("lender.toml", [LENDER, words].concat());
    let letter = own.answers(&german).out;
    assert!(letter.contains("Dauer") && !letter.contains("Laufzeit"), "{letter}");
    assert!(letter.contains("Girokonto"), "{letter}");
}

#[test]
fn where_there_is_no_plan_the_letter_says_so() {
    let folder = folder();
    let none = letter(&folder, &["--rule", "at most 0 of income, debt, housing, guarantor change"]);
    assert!(none.contains("None of them would have led to approval"), "{none}");
    let unknown = letter(&folder, &["--time-limit", "1e-9"]);
    assert!(
        unknown.contains("could not establish") || unknown.contains("Smaller changes may exist"),
        "{unknown}"
    );
}

/// A letter claims no more than was proven: not within a wide gap, and not where plans need something to spare.
#[test]
fn a_letter_claims_what_was_proven() {
    let folder = folder();
    for more in [&["--gap", "0.5"][..], &["--margin", "0.2"], &["--margin-step"]] {
        let text = letter(&folder, more);
        assert!(!text.contains("no smaller one"), "{more:?}: {text}");
    }
    let none =
        letter(&folder, &["--rule", "income stays", "--rule", "debt stays", "--margin", "99"]);
    assert!(none.contains("None of them would have led to approval with the margin"), "{none}");
    let args = ["--gap", "0.5", "--rejected", "3"];
    let text = folder.answers_on_loans("explain", &args).out;
    let exact = text.matches("Optimal: no cheaper plan exists").count();
    let within =
        text.matches("Optimal within the gap that was asked for: no plan costs less").count();
    assert_eq!((exact + within, exact < 3), (3, true), "{text}");
}

#[test]
fn a_day_in_the_past_is_refused() {
    let past = LENDER.replace("valid_days = 30", "valid_until = \"2026-11-17\"");
    let folder = folder().with("lender.toml", past);
    let args = ["--lender", "lender.toml", "--row", "1"];
    folder.refuses_on_loans("letter", &args, &["lender.toml, plan.valid_until: is in the past"]);
}

#[test]
fn scores_must_be_scores() {
    let score_slots = "\n[us.score]\ncolumn = \"score\"\ndate_column = \"day\"\nfactors_column = \"why\"\nlowest = 300\n\
                 highest = 850\n";
    let table = |score: &str, why: &str| {
        format!(
            "score,day,why,income,debt,housing,guarantor,age\n{score},2026-11-01,{why},20,20,rent,no,30\n"
        )
    };
    let folder = Folder::with_loans().with("lender.toml", [LENDER, score_slots].concat());
    let args = ["--lender", "lender.toml", "--applicants", "new.csv"];
    let folder = folder.with("new.csv", table("512", "late payments; ;many inquiries"));
    let text = folder.answers_on_loans("letter", &args).out;
    assert!(text.contains("Your score was 512 on") && text.contains("- many inquiries"), "{text}");
    for (score, why, part) in [
        ("9999", "late payments", "`9999` is not a score within the range"),
        ("512", ";;", "names 0 key factors, not 1 to 4"),
        ("512", "a;b;c;d;e", "names 5 key factors, not 1 to 4"),
    ] {
        let folder = Folder::with_loans().with("new.csv", table(score, why));
        let lender = [LENDER, score_slots].concat();
        let run = folder.with("lender.toml", lender).run(
            &[&["letter", "--data", "loans.csv", "--schema", "loans.toml"], &args[..]].concat(),
        );
        assert!(run.code != Some(0) && run.err.contains(part), "{}", run.err);
    }
}

#[test]
fn a_folder_holds_a_letter_per_rejected_applicant() {
    let folder = folder();
    let rows = (1..=60).map(|row| row.to_string()).collect::<Vec<_>>().join(",");
    let args = ["--lender", "lender.toml", "--row", rows.as_str(), "-o", "letters"];
    let run = folder.answers_on_loans("letter", &args);
    let rejected: Vec<String> = explained(&folder, &["--row", rows.as_str()])
        .iter()
        .filter(|answer| answer["status"] != "already-accepted")
        .map(|answer| format!("letter-{}.html", answer["row"]))
        .collect();
    let mut written: Vec<String> = std::fs::read_dir(folder.path().join("letters"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    written
        .sort_by_key(|name| name.chars().filter_map(|c| c.to_digit(10)).fold(0, |n, d| 10 * n + d));
    assert_eq!(written, rejected);
    assert!(run.err.contains("accepted already and get no letter"), "{}", run.err);
}

/// A table whose first applicant has a name that is not harmless in HTML.
fn with_names() -> Folder {
    let table = "key,name,income,debt,housing,guarantor,age\n\
                 A/1,<script>alert(1)</script>,20,20,rent,no,30\nA/2,Ann | Bob *star*,21,21.5,rent,no,30\n";
    let named = LENDER.replace("[applicant]", "[applicant]\nname = \"name\"\nreference = \"key\"");
    Folder::with_loans().with("new.csv", table).with("lender.toml", named)
}

fn written_letters(folder: &Folder, more: &[&str]) -> Run {
    let args = ["--lender", "lender.toml", "--applicants", "new.csv", "-o", "out"];
    folder.answers_on_loans("letter", &[&args[..], more].concat())
}

#[test]
fn letters_are_addressed_by_the_columns_that_the_lender_names() {
    let folder = with_names();
    written_letters(&folder, &["--key", "key"]);
    let first = folder.read("out/letter-A_1.html");
    assert!(
        first.contains("&lt;script&gt;alert(1)") && !first.contains("<script>alert"),
        "{first}"
    );
    assert!(first.contains("Reference: A/1"), "{first}");
    assert!(folder.read("out/letter-A_2.html").contains("Dear Ann | Bob *star*,"));
    let missing =
        ["--lender", "lender.toml", "--applicants", "new.csv", "-o", "other", "--key", "id"];
    folder.refuses_on_loans("letter", &missing, &["`id`", "new.csv"]);
}

#[test]
fn a_stopped_run_goes_on_and_writes_the_same_letters() {
    let folder = with_names();
    let journal = ["--journal", "letters.jsonl"];
    written_letters(&folder, &journal);
    let name = "out/letter-1.html";
    let (letter, kept) = (folder.read(name), folder.read("letters.jsonl"));
    // The conditions and the first letter.
    let first_two: Vec<&str> = kept.lines().take(2).collect();
    std::fs::write(folder.path().join("letters.jsonl"), first_two.join("\n") + "\n").unwrap();
    std::fs::remove_file(folder.path().join(name)).unwrap();
    written_letters(&folder, &journal);
    assert_eq!(folder.read(name), letter);
    let other = [&journal[..], &["--language", "de"]].concat();
    let args = ["--lender", "lender.toml", "--applicants", "new.csv", "-o", "out"];
    let run = folder.run(
        &[&["letter", "--data", "loans.csv", "--schema", "loans.toml"], &args[..], &other].concat(),
    );
    assert!(run.code != Some(0) && run.err.contains("letters of 2026-11-18 in"), "{}", run.err);
}

#[test]
fn empty_slots_are_refused_before_anything_is_solved() {
    let folder = Folder::with_loans();
    folder.answers(&["letter", "--write-lender", "empty.toml"]);
    let parts = [
        "these slots are empty: creditor.name, creditor.address, creditor.contact, us.ecoa_notice",
    ];
    folder.refuses_on_loans("letter", &["--lender", "empty.toml", "--row", "1"], &parts);
    let one = LENDER.replace("Call 555-0100.", " ");
    let folder = folder.with("lender.toml", one);
    let args = ["--lender", "lender.toml", "--row", "1"];
    folder.refuses_on_loans("letter", &args, &["lender.toml, creditor.contact: is empty"]);
    folder.refuses_on_loans("letter", &["--row", "1"], &["--lender", "--write-lender"]);
    let unknown = LENDER.replace("promise", "promises");
    let folder = folder.with("lender.toml", unknown);
    folder.refuses_on_loans(
        "letter",
        &args,
        &["`promises` is not a known key; did you mean `promise`?"],
    );
}

#[test]
fn several_letters_need_a_folder() {
    let parts = ["letters can't be separated on standard output"];
    let args = ["--lender", "lender.toml", "--rejected", "60"];
    folder().refuses_on_loans("letter", &args, &parts);
    let folder = folder().with("file", "x");
    let args = ["--lender", "lender.toml", "--rejected", "60", "-o", "file"];
    folder.refuses_on_loans("letter", &args, &["--output: `file` is a file"]);
}

#[test]
fn templates_can_be_edited() {
    let folder = folder();
    folder.answers(&["letter", "--write-templates", "templates"]);
    let built_in = letter(&folder, &[]);
    assert_eq!(letter(&folder, &["--template", "templates/us.en.md"]), built_in);
    let other = folder.read("templates/us.en.md").replace("Thank you for", "We thank you for");
    let folder = folder.with("other.md", other);
    assert!(letter(&folder, &["--template", "other.md"]).contains("We thank you for applying"));
    let folder = folder.with("wrong.md", "# A letter\n\n{{ lender.creditor.nmae }}\n");
    let args = ["--lender", "lender.toml", "--row", "1", "--template", "wrong.md"];
    folder.refuses_on_loans("letter", &args, &["wrong.md, line 3"]);
}

/// The lender is told in which rows a protected attribute is a reason; the applicants' letters say no more than before.
#[test]
fn the_lender_is_told_of_protected_attributes_among_reasons() {
    let folder = folder();
    let args = ["--rejected", "8", "--max-reasons", "6"];
    let asked = [&["explain", "--reasons", "--format", "json"], &args[..]].concat();
    let answers = folder.answers(&asked).json();
    let letters = [&["letter", "--lender", "lender.toml", "-o", "letters"], &args[..]].concat();
    let run = folder.answers(&letters);
    let mut noted = 0;
    for feature in ["age", "personal_status_sex", "foreign_worker", "duration"] {
        let has = |answer: &&Value| {
            let reasons = answer["reasons"].as_array().unwrap();
            reasons.iter().any(|reason| reason["feature"] == feature)
        };
        let rows: Vec<String> =
            answers.iter().filter(has).map(|answer| answer["row"].to_string()).collect();
        let note = run.err.lines().find(|line| line.contains(&format!("note: `{feature}`")));
        if rows.is_empty() || feature == "duration" {
            assert_eq!(note, None, "{}", run.err);
            continue;
        }
        let words = note.unwrap().split([' ', ',']);
        let named: Vec<&str> = words.filter(|word| word.parse::<usize>().is_ok()).collect();
        assert_eq!(named, rows, "{}", run.err);
        noted += 1;
    }
    assert!(noted > 0, "{}", run.err);
    assert!(run.err.contains("have counsel look at them"), "{}", run.err);
    for answer in &answers {
        let letter = folder.read(&format!("letters/letter-{}.html", answer["row"]));
        assert!(
            !letter.contains("protected attribute") && !letter.contains("look at them"),
            "{letter}"
        );
    }
}

#[test]
fn the_record_of_a_german_letter_is_german() {
    let text = letter(&folder(), &["--language", "de", "--law", "eu"]);
    let record = text.split("Vorgang: amends").nth(1).unwrap();
    assert!(record.contains("Mahalanobis-Abstand + 1 x lokaler Ausreißerfaktor"), "{record}");
    for english in ["distance", "per change", "at most", "every value", "changed", "seed"] {
        assert!(!record.contains(english), "{english:?} is in {record}");
    }
}

/// However the table writes numbers, a letter writes them as its language does, with their unit, and money with two decimals.
#[test]
fn numbers_are_written_as_the_language_does() {
    let mut table = String::from("income;amount;outcome\n");
    for n in 0..60 {
        let (income, outcome) = (1000 + 37 * n, if n < 25 { "bad" } else { "good" });
        let _ = writeln!(
            table,
            "1.{:03},5 \u{20ac};$1{},{:03}.25;{outcome}",
            income % 1000,
            n % 7,
            n * 13
        );
    }
    let folder = folder().with("table.csv", table);
    folder.answers(&["init", "table.csv", "--target", "outcome", "-o", "table.toml"]);
    let schema = folder.read("table.toml");
    assert!(schema.contains("decimal = \",\"") && schema.contains("thousands = \".\""), "{schema}");
    let on = ["--data", "table.csv", "--schema", "table.toml", "--lender", "lender.toml"];
    let letter = |more: &[&str]| {
        let args = [&["letter"], &on[..], &["--rejected", "1", "--model", "lr"], more].concat();
        folder.answers(&args).out
    };
    for (language, point, thousands) in [("en", '.', ','), ("de", ',', '.')] {
        let text = letter(&["--language", language]);
        let words: Vec<&str> = text.split_whitespace().collect();
        // English has the sign of dollars before the amount, as the table does.
        let amount = |pair: &[&str]| -> Option<String> {
            let word = pair[1].trim_matches(['(', ')']);
            match word.strip_prefix('$').filter(|digits| !digits.is_empty()) {
                Some(digits) => Some(digits.to_owned()),
                None => word.starts_with(['$', '\u{20ac}']).then(|| pair[0].to_owned()),
            }
        };
        assert_eq!(text.contains(" $1"), language == "en", "{text}");
        let amounts: Vec<String> = words.windows(2).filter_map(amount).collect();
        assert!(amounts.len() > 1, "{text}");
        for amount in amounts {
            let amount = amount.trim_start_matches('(');
            let (whole, cents) = amount.rsplit_once(point).unwrap();
            let groups: Vec<&str> = whole.split(thousands).collect();
            assert!(
                groups.len() == 2 && groups[1].len() == 3 && cents.len() == 2,
                "{amount}: {text}"
            );
        }
    }
}
