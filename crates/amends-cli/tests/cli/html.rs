//! Answers and audits as pages with pictures.

use super::support::{Folder, SCHEMA};

/// What every page has to be: whole, without scripts, and without anything that is fetched from elsewhere.
fn check(page: &str) {
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"), "{page}");
    for tag in ["section", "table", "tr", "svg", "figure", "div", "p", "dl", "ol", "text"] {
        let opened =
            page.matches(&format!("<{tag}>")).count() + page.matches(&format!("<{tag} ")).count();
        assert_eq!(opened, page.matches(&format!("</{tag}>")).count(), "{tag}");
    }
    for fetching in
        ["<script", "<link", "<img", "<iframe", "http://", "https://", "url(", "@import"]
    {
        assert!(!page.contains(fetching), "{fetching}");
    }
    for one in ["prefers-color-scheme: dark", "@media print", "name=\"viewport\"", "lang=\"en\""] {
        assert!(page.contains(one), "{one}");
    }
    for picture in page.split("<svg ").skip(1) {
        let tag = picture.split('>').next().unwrap();
        assert!(
            tag.contains("role=\"img\" aria-label=\"") || tag.contains("aria-hidden=\"true\""),
            "{tag}"
        );
    }
    // Every link and every shared part leads somewhere on the page.
    for target in page.split("href=\"#").skip(1) {
        let name = target.split('"').next().unwrap();
        assert_eq!(page.matches(&format!("id=\"{name}\"")).count(), 1, "{name}");
    }
}

#[test]
fn answers_are_a_page_with_an_index_and_pictures() {
    let folder = Folder::new();
    let args = ["explain", "--rejected", "5", "--plans", "2", "--reasons", "-o", "page.html"];
    assert_eq!(folder.answers(&args).out, "");
    let page = folder.read("page.html");
    check(&page);
    assert_eq!(page.matches("<section class=\"card\"").count(), 5);
    assert_eq!(page.matches("<td><a href=\"#a").count(), 5, "the index");
    // The sentences are those of the text, and the figures those of the JSON.
    let text = folder.answers(&["explain", "--rejected", "5", "--plans", "2", "--reasons"]).out;
    for line in text.lines().map(str::trim).filter(|line| line.starts_with("Optimal: ")) {
        let sentence = line.split(").").next().unwrap();
        assert!(page.contains(sentence), "{sentence}");
    }
    let json = ["explain", "--rejected", "5", "--plans", "2", "--format", "json"];
    let plans = folder.answers(&json).json();
    let changes: usize = plans.iter().map(|plan| plan["changes"].as_array().unwrap().len()).sum();
    assert_eq!(page.matches("<figure class=\"picture\"").count(), changes);
    for plan in &plans {
        for change in plan["changes"].as_array().unwrap() {
            let [title, before, after] = ["title", "before_text", "after_text"]
                .map(|key| change[key].as_str().unwrap().replace('<', "&lt;").replace('>', "&gt;"));
            assert!(page.contains(&format!("aria-label=\"{title}: now {before}, ")), "{title}");
            assert!(page.contains(&format!("<b>{after}</b>")), "{after}");
        }
    }
    let hash = plans[0]["provenance"]["model_sha256"].as_str().unwrap();
    for fact in [
        hash,
        "2026-11-18T12:00:00Z",
        "<dt>seed</dt><dd>0</dd>",
        "<dt>change cost</dt><dd>0.1</dd>",
    ] {
        assert!(page.contains(fact), "{fact}");
    }
}

#[test]
fn a_journal_continues_to_the_same_page() {
    let folder = Folder::new();
    let args = ["explain", "--rejected", "3", "--format", "html", "--journal", "j.jsonl"];
    let whole = folder.answers(&args).out;
    check(&whole);
    let journal = folder.read("j.jsonl");
    let kept: Vec<&str> = journal.lines().take(2).collect();
    let folder = folder.with("j.jsonl", kept.join("\n") + "\n");
    assert_eq!(folder.answers(&args).out, whole);
}

#[test]
fn those_without_a_plan_and_bad_rows_are_on_the_page() {
    let folder = Folder::with_loans().with(
        "new.csv",
        "income,debt,housing,guarantor,age\n20,30,rent,no,30\n30,20,castle,no,30\n",
    );
    let args =
        ["explain", "--data", "loans.csv", "--schema", "loans.toml", "--applicants", "new.csv"];
    let run = folder.run(
        &[&args[..], &["--rule", "income stays", "--rule", "debt stays", "--format", "html"]]
            .concat(),
    );
    assert_eq!(run.code, Some(4), "{}", run.err);
    check(&run.out);
    assert!(run.out.contains("Could not be read.") && run.out.contains("castle"), "{}", run.out);
    assert!(run.out.contains("<dt>rules</dt><dd>income stays</dd>"), "{}", run.out);
    let nobody = folder.answers_on_loans("explain", &["--rejected", "0", "--format", "html"]).out;
    check(&nobody);
    assert!(nobody.contains("No applicants to explain."), "{nobody}");
}

#[test]
fn labels_are_text_and_never_markup() {
    let hostile = "<script>alert(1)</script>";
    let schema = SCHEMA
        .replacen("label = \"Monthly income\"", &format!("label = '\"{hostile}'"), 1)
        .replacen(
            "name = \"debt\"",
            &format!("name = \"debt\"\nlabel = '{hostile}'\nunit = '{hostile}'"),
            1,
        );
    assert_ne!(schema, SCHEMA);
    let folder = Folder::with_loans().with("loans.toml", schema);
    for args in
        [&["explain", "--rejected", "4"][..], &["audit", "--by", "income:50", "--by", "debt:20"]]
    {
        let more = ["--reasons", "--format", "html"];
        let page = folder.answers_on_loans(args[0], &[&args[1..], &more].concat()).out;
        check(&page);
        assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"), "{page}");
    }
}

#[test]
fn audits_are_a_page_with_intervals() {
    let folder = Folder::new();
    let args = ["audit", "--rejected", "8", "--reasons", "--by", "housing"];
    assert_eq!(folder.answers(&[&args[..], &["-o", "audit.html"]].concat()).out, "");
    let page = folder.read("audit.html");
    check(&page);
    let json = folder.answers(&[&args[..], &["--format", "json"]].concat()).json().remove(0);
    let groups = json["by"][0]["groups"].as_array().unwrap();
    assert!(groups.len() > 1);
    for group in groups {
        let [value, low, high] = ["value", "low", "high"]
            .map(|key| 100.0 * group["rejected_difference"][key].as_f64().unwrap());
        let text = format!("{value:+.1} points ({low:+.1}\u{a0}to\u{a0}{high:+.1})");
        assert!(page.contains(&text), "{text}");
    }
    let hash = json["provenance"]["data_sha256"].as_str().unwrap();
    assert!(page.contains(hash) && page.contains("Newcombe"), "{page}");
    let empty = folder.answers(&["audit", "--rejected", "0", "--format", "html"]).out;
    check(&empty);
}
