//! What the lender hands out: letters, and receipts that hold.

use amends::letter::{Law, Lender};
use amends::model::ModelKind;
use amends::provenance::Provenance;
use amends_receipt::{SignedReceipt, SigningKey};
use amends_web::{Letters, Receipts, Settings};
use chrono::{TimeDelta, Utc};
use serde_json::{Value, json};

use crate::support::{Running, german, provenance, service, start};

const LENDER: &str = include_str!("../../../../docs/samples/lender.toml");

fn letters(provenance: &Provenance) -> Letters {
    let lender = Lender::parse(
        &LENDER.replace("[applicant]\n", "[applicant]\nname = \"name\"\n"),
        "lender.toml",
    )
    .unwrap();
    Letters::new((lender, "lender.toml"), Law::UnitedStates, None, None, provenance).unwrap()
}

fn lending(key: SigningKey) -> Running {
    let service = service(ModelKind::LogisticRegression, 4, &[])
        .with_letters(letters(&provenance()))
        .with_receipts(Receipts::new(key, 30).unwrap());
    start(service, Settings::default())
}

#[test]
fn nothing_is_handed_out_unless_the_lender_set_it_up() {
    let server = german();
    let about = server.get("about").ok();
    assert_eq!((&about["letters"], &about["receipts"]), (&json!(false), &json!(false)));
    for (path, option) in [("letter", "--lender"), ("receipt", "--receipt-key")] {
        let error = server.post(path, &json!({"row": 1})).refused(409);
        assert!(error["remedy"].as_str().unwrap().contains(option), "{error}");
    }
}

#[test]
fn a_receipt_holds_what_the_model_accepts() {
    let key = SigningKey::generate().unwrap();
    let public = key.public_key();
    let server = lending(key);
    assert_eq!(server.get("about").ok()["public_key"], public.to_string());
    let mut confirmed = 0;
    for row in server.rejected(5) {
        let question = json!({"row": row, "wishes": {"max_changes": 2}});
        let plan = server.post("explain", &question).ok()["plans"][0].clone();
        let answered = server.post("receipt", &question);
        if plan.is_null() {
            answered.refused(422);
            continue;
        }
        answered.ok();
        let signed = SignedReceipt::parse(&answered.text, "receipt").unwrap();
        let receipt = signed.verify(&public, Utc::now() + TimeDelta::seconds(1)).unwrap();
        assert_eq!(Value::Object(receipt.plan.application.clone()), plan["application"]);
        assert_eq!(receipt.application["duration"], server.application(row)["duration"]);
        assert_eq!(receipt.valid_until - receipt.issued, TimeDelta::days(30));
        let decided = server.post("score", &json!({"application": receipt.plan.application})).ok();
        assert_eq!(
            (&decided["accepted"], &decided["score"]),
            (&json!(true), &json!(receipt.plan.score))
        );
        assert!(signed.verify(&public, Utc::now() + TimeDelta::days(31)).is_err());
        let again = server.post("receipt", &question);
        assert_ne!(again.text, answered.text, "every receipt has its own number");
        confirmed += 1;
    }
    assert!(confirmed > 0);
}

#[test]
fn letters_are_in_both_languages_and_all_formats() {
    let server = lending(SigningKey::generate().unwrap());
    let row = server.rejected(1)[0];
    let columns = server.get("about").ok()["letter_columns"].clone();
    let recipient: serde_json::Map<String, Value> = columns
        .as_array()
        .unwrap()
        .iter()
        .map(|column| (column.as_str().unwrap().to_owned(), json!("Maria <b>Muster</b>")))
        .collect();
    for (language, word) in [("en", "Dear"), ("de", "Guten Tag")] {
        for (format, kind) in
            [("html", "text/html"), ("text", "text/plain"), ("markdown", "text/markdown")]
        {
            let question =
                json!({"row": row, "language": language, "format": format, "recipient": recipient});
            let letter = server.post("letter", &question);
            assert_eq!(letter.status, 200, "{}", letter.text);
            assert!(letter.headers["content-type"].to_str().unwrap().starts_with(kind));
            assert!(
                letter.headers["content-disposition"].to_str().unwrap().starts_with("attachment")
            );
            assert!(letter.text.contains(word), "{}", letter.text);
            assert!(!(format == "html" && letter.text.contains("<b>Muster")), "{}", letter.text);
        }
    }
    for (wrong, part) in [
        (json!({"row": row, "language": "fr"}), "en or de"),
        (json!({"row": row, "format": "pdf"}), "html or text or markdown"),
        (json!({"row": row, "recipient": {"shoe size": "42"}}), "shoe size"),
        (json!({"row": row, "recipient": []}), "an object"),
    ] {
        let error = server.post("letter", &wrong).refused(422);
        assert!(error["message"].as_str().unwrap().contains(part), "{error}");
    }
    let accepted = server.get("applicants?decision=accepted&limit=1").ok();
    let question = json!({"row": accepted["applicants"][0]["row"]});
    let error = server.post("letter", &question).refused(422);
    assert!(error["message"].as_str().unwrap().contains("accepted as it is"), "{error}");
    server.post("receipt", &question).refused(422);
}

/// A letter as text, without line breaks.
fn letter_text(server: &Running, question: &Value) -> String {
    let letter = server.post("letter", question);
    assert_eq!(letter.status, 200, "{}", letter.text);
    letter.text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn has_plan(server: &Running, row: u64, wishes: &Value) -> bool {
    let question = json!({"row": row, "wishes": wishes});
    !server.post("explain", &question).ok()["plans"][0]["changes"].is_null()
}

fn assert_parts(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn a_letter_without_a_plan_states_the_wishes_that_leave_none() {
    let server = lending(SigningKey::generate().unwrap());
    let schema = server.get("schema").ok();
    let names = schema["features"].as_array().unwrap().iter().map(|f| f["name"].as_str().unwrap());
    let locked: serde_json::Map<String, Value> = names
        .filter(|name| *name != "housing")
        .map(|name| (name.to_owned(), json!({"locked": true})))
        .collect();
    let wishes = json!({"max_changes": 1, "features": locked});
    let mut rows = server.rejected(20).into_iter();
    let row = rows
        .find(|&row| has_plan(&server, row, &json!({})) && !has_plan(&server, row, &wishes))
        .unwrap();
    let free = letter_text(&server, &json!({"row": row, "format": "text"}));
    assert!(!free.contains("wishes"), "{free}");
    let text = letter_text(&server, &json!({"row": row, "format": "text", "wishes": wishes}));
    assert_parts(
        &text,
        &[
            "We looked only for changes that respect your wishes: - at most 1 change - ",
            "open to you and that respects your wishes, one at a time. None of them would",
            "Without your wishes, there may be changes that would have.",
            ", at most 1 change,",
            "the applicant's wishes: at most 1 change; ",
            "Duration of the credit stays as it is",
        ],
    );
}

#[test]
fn a_letter_with_a_plan_claims_what_is_proven_under_the_wishes() {
    let server = lending(SigningKey::generate().unwrap());
    let wishes = json!({
        "max_changes": 2,
        "features": {"telephone": {"locked": true}, "duration": {"effort": 2, "range": [6, 60]}},
        "rules": ["housing stays"]
    });
    let row = server.rejected(20).into_iter().find(|&row| has_plan(&server, row, &wishes)).unwrap();
    let question = |language: &str| json!({"row": row, "format": "text", "language": language, "wishes": wishes});
    assert_parts(
        &letter_text(&server, &question("en")),
        &[
            "open to you and that respect your wishes, up to 2 at a time, no smaller one would",
            "Without your wishes, a smaller one may have been enough.",
            "- Duration of the credit: a new value between 6 months and 60 months",
            "- Duration of the credit is hard to change: a change counts times 2",
            "- rule: housing stays",
        ],
    );
    assert_parts(
        &letter_text(&server, &question("de")),
        &[
            "die Ihren Wünschen entsprechen: - höchstens 2 Änderungen",
            "offenstehen und Ihren Wünschen entsprechen, bis zu 2 gleichzeitig, hätte keine",
            "- Laufzeit des Kredits: ein neuer Wert ist mindestens 6 Monate und höchstens 60 Monate",
            "Wünsche der antragstellenden Person: höchstens 2 Änderungen; ",
        ],
    );
}
