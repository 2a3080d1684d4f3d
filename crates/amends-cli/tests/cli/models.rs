//! `amends train` and `amends evaluate`.

use crate::support::{Folder, PROVEN, model_of_few_trees};

#[test]
fn a_saved_model_explains_as_one_trained_now() {
    let folder = Folder::with_loans();
    for kind in ["lr", "svm", "rf", "gb"] {
        let model = model_of_few_trees(kind);
        let trained =
            folder.answers_on_loans("train", &[&model[..], &["-o", "model.json"]].concat());
        assert!(trained.out.contains("trained on 45 rows of loans, saved as model.json"));
        assert!(trained.out.contains("on 15 held-out rows: accuracy "), "{}", trained.out);
        let explain = |model: &[&str]| {
            let more = ["--format", "json", "--row", "13,18,30"];
            let run = folder.answers_on_loans("explain", &[model, &more, &PROVEN].concat());
            let mut plans = run.json();
            for plan in &mut plans {
                plan["seconds"] = 0.into();
            }
            plans
        };
        assert_eq!(explain(&["--model", "model.json"]), explain(&model), "{kind}");
    }
    assert_eq!(folder.files().len(), 3, "{:?}", folder.files());
}

#[test]
fn training_twice_gives_the_same_file() {
    let folder = Folder::with_loans();
    for kind in ["lr", "svm", "rf", "gb"] {
        for name in ["first.json", "second.json"] {
            let more = ["--seed", "7", "-o", name];
            folder.answers_on_loans("train", &[&model_of_few_trees(kind)[..], &more].concat());
        }
        assert_eq!(folder.read("first.json"), folder.read("second.json"), "{kind}");
    }
}

#[test]
fn evaluation_comes_as_text_json_and_csv() {
    let folder = Folder::with_loans();
    let evaluate = |format: &str| {
        let more = ["--splits", "3", "--trees", "5", "--format", format];
        folder.answers_on_loans("evaluate", &more).out
    };
    let text = evaluate("text");
    assert!(
        text.starts_with("loans: 60 rows, 3 splits of 75:25, favourable is `paid`\n"),
        "{text}"
    );
    let models = ["logistic regression", "linear SVM", "random forest", "gradient boosting"];
    for part in ["| model", "accuracy %", "F1 %"].into_iter().chain(models) {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
    let csv = evaluate("csv");
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!((lines[0], lines.len()), ("model,measure,mean,deviation", 17));
    let json = evaluate("json");
    for (line, model) in json.lines().zip(["lr", "svm", "rf", "gb"]) {
        let object: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!(object["model"], model);
        let accuracy = object["quality"]["accuracy"]["mean"].as_f64().unwrap();
        assert!((0.5..=1.0).contains(&accuracy), "{object}");
        assert!(csv.contains(&format!("{model},accuracy,{accuracy},")), "{csv}");
    }
}

#[test]
fn seeds_go_round_at_the_end_of_their_range() {
    let more = ["--splits", "2", "--models", "lr", "--seed", "18446744073709551615"];
    Folder::with_loans().answers_on_loans("evaluate", &more);
}
