//! `amends init`: a schema that people can edit and every other command reads.

use crate::support::{Folder, loans};

const INIT: [&str; 4] = ["init", "loans.csv", "--target", "outcome"];

#[test]
fn from_a_bare_table_to_a_plan() {
    let folder = Folder::new().with("loans.csv", loans());
    let run = folder.answers(&[&INIT[..], &["-o", "loans.toml"]].concat());
    assert!(run.err.contains("`paid` in column `outcome` is taken as what applicants want"));
    assert!(run.err.contains("amends explain --data loans.csv --schema loans.toml"));
    folder.answers_on_loans("train", &["--model", "svm", "-o", "model.json"]);
    let plans = folder.answers_on_loans("explain", &["--model", "model.json", "--format", "json"]);
    assert_eq!(plans.json().len(), 3);
    assert_eq!(plans.json()[0]["schema"], "loans");
}

#[test]
fn the_file_says_what_was_guessed() {
    let folder = Folder::new().with("loans.csv", loans());
    let schema = folder.answers(&INIT).out;
    for part in [
        "favourable = \"paid\"",
        "name = \"housing\"\nkind = \"categorical\"\nlevels = [\"free\", \"own\", \"rent\"]",
        "name = \"guarantor\"\nkind = \"binary\"",
        "name = \"debt\"\nkind = \"continuous\"",
        "# Guessed: change = \"immutable\", because its name says `age`",
    ] {
        assert!(schema.contains(part), "{part} is not in\n{schema}");
    }
    let run = folder.answers(&[&INIT[..], &["-o", "loans.toml"]].concat());
    assert_eq!((folder.read("loans.toml"), run.out), (schema, String::new()));
}

#[test]
fn an_edited_schema_is_not_overwritten() {
    let folder = Folder::with_loans();
    let edited = folder.read("loans.toml");
    let to_file = [&INIT[..], &["-o", "loans.toml"]].concat();
    folder.refuses(&to_file, &["loans.toml: exists already", "--force"]);
    assert_eq!(folder.read("loans.toml"), edited);
    folder.answers(&[&to_file[..], &["--force"]].concat());
    assert!(folder.read("loans.toml").contains("guessed from the table"));
}

#[test]
fn what_applicants_want_can_be_named() {
    let folder = Folder::new().with("loans.csv", loans().replace("paid", "B").replace("lost", "A"));
    folder.refuses(&INIT, &["column `outcome`: it is not clear", "`A`, `B`", "--favourable"]);
    let schema = folder.answers(&[&INIT[..], &["--favourable", "B"]].concat()).out;
    assert!(schema.contains("favourable = \"B\"\nunfavourable = \"A\""), "{schema}");
    let wrong = [&INIT[..], &["--favourable", "C"]].concat();
    folder.refuses(&wrong, &["column `outcome`: `C` is not an outcome in the table", "`A`, `B`"]);
}

#[test]
fn the_target_must_be_a_column() {
    let folder = Folder::new().with("loans.csv", loans());
    let args = ["init", "loans.csv", "--target", "result", "-o", "loans.toml"];
    folder.refuses(&args, &["loans.csv, column `result`: is not in the table", "`outcome`"]);
}
