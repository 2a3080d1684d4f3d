//! Audits over HTTP: the figures of the library, one at a time, and never in anybody's way.

use std::time::{Duration, Instant};

use amends::answer::Ask;
use amends::audit::{AuditRow, GroupBy, Summary};
use amends::data::{Dataset, Table};
use amends::engine::{Control, SolveSettings, Solving};
use amends::explain::{ExplainSettings, Explainer, Preset, Wishes};
use amends::model::{ModelKind, TrainSettings};
use amends::reasons::{MAX_REASONS, ReasonGroup};
use amends_run::SplitTable;
use amends_web::{Service, Settings};
use serde_json::{Value, json};

use crate::support::{Running, provenance, service, start};

/// German credit with a column that is no feature: every row is of one of three branches.
fn with_branches(kind: ModelKind) -> Service {
    let split = SplitTable::new(Dataset::german(), "german", 0.25, 0).unwrap();
    let rows = (1..=1000).map(|row| vec![branch(row).to_owned()]).collect();
    let table = Table { source: "german.csv".to_owned(), header: vec!["branch".to_owned()], rows };
    service(kind, 4, &[]).with_table(&table).unwrap().with_held_out(split.split.test)
}

fn branch(row: usize) -> &'static str {
    ["north", "south", "coast"][row % 3]
}

fn auditing(kind: ModelKind, threads: usize) -> Running {
    start(with_branches(kind), Settings { threads, ..Settings::default() })
}

impl Running {
    fn begin(&self, asked: &Value) -> String {
        let begun = self.post("audits", asked);
        assert_eq!(begun.status, 202, "{}", begun.text);
        let id = begun.json()["id"].as_str().unwrap().to_owned();
        assert_eq!(begun.headers["location"], format!("/api/v1/audits/{id}"));
        id
    }

    fn audit(&self, id: &str) -> Value {
        self.get(&format!("audits/{id}")).ok()
    }

    /// Waits until it is in this state.
    fn ends(&self, id: &str, state: &str) -> Value {
        let began = Instant::now();
        loop {
            let audit = self.audit(id);
            if audit["state"] == state {
                return audit;
            }
            let may_come = matches!(audit["state"].as_str(), Some("queued" | "running"));
            assert!(may_come && began.elapsed() < Duration::from_secs(90), "{audit}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

/// Without times, which differ from run to run.
fn without_seconds(mut figures: Value) -> Value {
    match &mut figures {
        Value::Object(object) => {
            object.remove("seconds");
            for (_, value) in object.iter_mut() {
                *value = without_seconds(value.take());
            }
        }
        Value::Array(list) => {
            for value in list.iter_mut() {
                *value = without_seconds(value.take());
            }
        }
        _ => {}
    }
    figures
}

/// The library's own audit of these records.
fn by_hand(kind: ModelKind, records: &[usize], by: &[&str], reasons: bool) -> Summary {
    let table = SplitTable::new(Dataset::german(), "german", 0.25, 0).unwrap();
    let settings = TrainSettings { trees: 30, ..TrainSettings::default() };
    let model = table.train(kind, &settings).unwrap();
    let mut costs = ExplainSettings::preset(Preset::Standard, "german");
    costs.max_changes = 4;
    let explainer = table.explainer(&model, &costs).unwrap();
    let explainer = table.with_reason_group(explainer, ReasonGroup::default()).unwrap();
    let schema = &table.dataset.schema;
    let by: Vec<String> = by.iter().map(|&by| by.to_owned()).collect();
    let mut header: Vec<String> =
        schema.features.iter().map(|feature| feature.name.clone()).collect();
    header.push("branch".to_owned());
    let mut by = GroupBy::parse(&by, &header, "german", schema).unwrap();
    for &record in records {
        for by in &mut by {
            by.add(&table.dataset.records[record], |_| branch(record + 1));
        }
    }
    let groups: Vec<_> = by.into_iter().map(|by| by.groups(schema).unwrap()).collect();
    let mut ask = Ask::best();
    if reasons {
        ask = ask.with_principal_reasons(MAX_REASONS).unwrap();
    }
    let rows: Vec<AuditRow> = records
        .iter()
        .enumerate()
        .map(|(position, &record)| {
            let mut row = audit_row(&ask, &explainer, &table, record);
            let groups = groups.iter();
            row.groups =
                groups.map(|by| (by.column.name.clone(), by.name(position).to_owned())).collect();
            row
        })
        .collect();
    let columns: Vec<_> = groups.iter().map(|groups| groups.column.clone()).collect();
    Summary::of(&rows, &columns, 5)
}

fn audit_row(ask: &Ask, explainer: &Explainer, table: &SplitTable, record: usize) -> AuditRow {
    let solving = Solving {
        engine: &amends::Engine::Search,
        settings: &SolveSettings { threads: 1, ..SolveSettings::default() },
        control: &Control::default(),
    };
    let applicant = &table.dataset.records[record];
    let answer = ask.answer(explainer, applicant, &Wishes::default(), &solving).unwrap();
    AuditRow::of(table.dataset.row_numbers[record], &answer, explainer)
}

#[test]
fn the_figures_are_those_of_the_library() {
    let kind = ModelKind::RandomForest;
    let server = auditing(kind, 3);
    let by = ["age:30,50", "branch"];
    let asked = json!({"by": by, "reasons": true, "small_group": 5, "rejected": 20});
    let audit = server.ends(&server.begin(&asked), "finished");
    let mut held_out = SplitTable::new(Dataset::german(), "german", 0.25, 0).unwrap().split.test;
    held_out.sort_unstable();
    let summary = &audit["summary"];
    let asked_for = summary["asked"].as_u64().unwrap() as usize;
    assert!(asked_for < held_out.len());
    assert_eq!(summary["overall"]["rejected"]["count"], 20);
    assert_eq!((&summary["complete"], &summary["errors"]), (&json!(true), &json!(0)));
    let expected = by_hand(kind, &held_out[..asked_for], &by, true);
    let expected = without_seconds(serde_json::to_value(&expected).unwrap());
    let found = without_seconds(summary.clone());
    for (key, value) in expected.as_object().unwrap() {
        assert_eq!(&found[key], value, "{key}");
    }
    assert_eq!(summary["provenance"]["version"], provenance().version);
    assert_eq!(audit["progress"]["done"], asked_for);
    let who = "the held-out rows of german, up to the first 20 who are rejected";
    assert_eq!((&audit["who"], &summary["who"]), (&json!(who), &json!(who)));
}

#[test]
fn rows_lead_to_applicants_and_add_up_to_the_summary() {
    let server = auditing(ModelKind::LogisticRegression, 2);
    let asked = json!({"rows": "all", "by": ["housing", "branch"], "reasons": true});
    let id = server.begin(&asked);
    let audit = server.ends(&id, "finished");
    let overall = &audit["summary"]["overall"];
    let rows = |query: &str| server.get(&format!("audits/{id}/rows?limit=1000&{query}")).ok();
    let total = |query: &str| rows(query)["total"].clone();
    let count = |key: &str| overall[key]["count"].clone();
    assert_eq!(total(""), 1000);
    for (filter, key) in [
        ("accepted", "accepted"),
        ("rejected", "rejected"),
        ("with-plan", "with_plan"),
        ("no-plan", "infeasible"),
    ] {
        assert_eq!(total(&format!("filter={filter}")), count(key), "{filter}");
        assert_ne!(count("rejected"), 0);
    }
    let nobody = &overall["principal_reasons"]["none_actionable"]["count"];
    assert_eq!(&total("filter=no-reason-actionable"), nobody);
    assert_eq!((total("filter=unproven"), total("filter=error")), (json!(0), json!(0)));
    let own = rows("filter=rejected&column=housing&group=own");
    let groups = audit["summary"]["by"][0]["groups"].as_array().unwrap();
    let group = groups.iter().find(|group| group["group"] == "own").unwrap();
    assert_eq!(own["total"], group["figures"]["rejected"]["count"]);
    for row in own["rows"].as_array().unwrap() {
        assert_eq!(row["groups"]["housing"], "own");
        assert_eq!(row["groups"]["branch"], branch(row["row"].as_u64().unwrap() as usize));
    }
    // Each as somebody who asks about them alone sees them.
    for row in own["rows"].as_array().unwrap().iter().take(5) {
        let number = row["row"].as_u64().unwrap();
        let answer = server.post("explain", &json!({"row": number, "reasons": true})).ok();
        let plan = &answer["plans"][0];
        assert_eq!((&row["status"], &row["cost"]), (&answer["status"], &plan["objective"]));
        assert_eq!(row["score"], answer["score"]);
        let names: Vec<&Value> =
            answer["reasons"].as_array().unwrap().iter().map(|one| &one["feature"]).collect();
        let found: Vec<&Value> =
            row["reasons"].as_array().unwrap().iter().map(|one| &one["feature"]).collect();
        assert_eq!(found, names);
    }
    let page = server.get(&format!("audits/{id}/rows?filter=rejected&offset=3&limit=2")).ok();
    let whole = rows("filter=rejected");
    assert_eq!(page["rows"].as_array().unwrap()[..], whole["rows"].as_array().unwrap()[3..5]);
    for wrong in [
        "filter=none",
        "limit=0",
        "limit=1001",
        "offset=-1",
        "column=housing",
        "group=own",
        "column=age&group=own",
        "column=housing&group=castle",
        "filters=all",
    ] {
        server.get(&format!("audits/{id}/rows?{wrong}")).refused(422);
    }
}

#[test]
fn downloads_are_what_the_command_line_writes() {
    let server = auditing(ModelKind::LogisticRegression, 2);
    let id = server.begin(&json!({"rejected": 5, "by": ["branch"]}));
    let audit = server.ends(&id, "finished");
    let file = |format: &str| {
        let answer = server.get(&format!("audits/{id}/download?format={format}"));
        assert_eq!(answer.status, 200, "{}", answer.text);
        let disposition = answer.headers["content-disposition"].to_str().unwrap();
        assert!(disposition.starts_with("attachment; filename=\"") && disposition.contains('.'));
        answer.text
    };
    assert_eq!(serde_json::from_str::<Value>(&file("json")).unwrap(), audit["summary"]);
    assert!(file("csv").starts_with("group_column,group,measure,item,value,low,high,count,of\n"));
    assert!(file("html").starts_with("<!DOCTYPE html>"));
    let asked = audit["progress"]["asked"].as_u64().unwrap() as usize;
    assert_eq!(file("rows.csv").lines().count(), asked + 1);
    let lines = file("rows.jsonl");
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), asked);
    let rows = server.get(&format!("audits/{id}/rows?limit=1000")).ok();
    for (line, row) in lines.iter().zip(rows["rows"].as_array().unwrap()) {
        assert_eq!(line["row"], row["row"]);
        assert_eq!((&line["status"], &line["objective"]), (&row["status"], &row["cost"]));
        assert_eq!(line["by_branch"], row["groups"]["branch"]);
    }
    server.get(&format!("audits/{id}/download?format=pdf")).refused(422);
}

#[test]
fn columns_have_the_groups_that_audits_use() {
    let server = auditing(ModelKind::LogisticRegression, 2);
    let columns = server.get("columns").ok()["columns"].clone();
    let columns = columns.as_array().unwrap();
    assert_eq!(columns.len(), 21);
    let find = |name: &str| columns.iter().find(|one| one["name"] == name).unwrap();
    assert_eq!(find("branch")["groups"], json!(["coast", "north", "south"]));
    assert_eq!(
        (&find("branch")["feature"], &find("age")["feature"]),
        (&json!(false), &json!(true))
    );
    assert_eq!(find("housing")["count"], 3);
    assert_eq!(find("age")["count"], 4);
    assert_eq!(find("age")["protected"], true);
    for column in columns {
        let id = server.begin(&json!({"rows": "all", "rejected": 1, "by": [column["name"]]}));
        server.ends(&id, "finished");
        assert_eq!(server.delete(&format!("audits/{id}")).status, 204);
    }
}

#[test]
fn wrong_audits_are_refused() {
    let server = auditing(ModelKind::LogisticRegression, 2);
    for (wrong, part) in [
        (json!({"rows": "none"}), "`held-out` or `all`"),
        (json!({"rejected": 0}), "a whole number of at least 1"),
        (json!({"by": "housing"}), "a list of at most 20 columns"),
        (json!({"by": vec!["housing"; 21]}), "a list of at most 20 columns"),
        (json!({"by": ["hausing"]}), "is not a column of the table"),
        (json!({"by": ["housing", "housing"]}), "for the second time"),
        (json!({"by": ["age:50,30"]}), "not in rising order"),
        (json!({"by": ["housing:3"]}), "no numbers"),
        (json!({"time_limit": 11}), "up to 10"),
        (json!({"time_limit": 1e-30}), "too short"),
        (json!({"reasons": 1}), "true or false"),
        (json!({"small_group": -1}), "a whole number"),
        (json!({"wishes": {}}), "not a known key"),
    ] {
        let error = server.post("audits", &wrong).refused(422);
        assert!(error["message"].as_str().unwrap().contains(part), "{wrong}: {error}");
    }
    assert_eq!(server.get("audits").ok(), json!({"audits": []}));
    for nothing in ["audits/0", "audits/x/rows", "audits/x/download"] {
        server.get(nothing).refused(404);
    }
    server.post("audits/x/cancel", &json!({})).refused(404);
    assert_eq!(server.delete("audits/x").status, 404);
    // A table whose held-out rows are not known has all rows, and no others.
    let server = start(service(ModelKind::LogisticRegression, 4, &[]), Settings::default());
    server.post("audits", &json!({"rows": "held-out"})).refused(422);
    let begun = server.post("audit", &json!({}));
    assert_eq!((begun.status, &begun.json()["request"]["rows"]), (202, &json!("all")));
}

/// An audit that takes long.
fn long() -> Value {
    json!({"rows": "all", "reasons": true})
}

#[test]
fn one_audit_runs_some_wait_and_more_are_refused() {
    let server = auditing(ModelKind::RandomForest, 1);
    let ids: Vec<String> = (0..5).map(|_| server.begin(&long())).collect();
    let error = server.post("audits", &long());
    error.refused(429);
    assert!(error.headers.contains_key("retry-after"));
    let states = || -> Vec<String> {
        let list = server.get("audits").ok()["audits"].clone();
        let list = list.as_array().unwrap().iter();
        list.map(|one| one["state"].as_str().unwrap().to_owned()).collect()
    };
    while states()[0] == "queued" {
        std::thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(states(), ["running", "queued", "queued", "queued", "queued"]);
    // The one that runs keeps what it knows.
    while server.audit(&ids[0])["progress"]["done"] == 0 {
        std::thread::sleep(Duration::from_millis(5));
    }
    server.post(&format!("audits/{}/cancel", ids[0]), &json!({})).ok();
    let cancelled = server.ends(&ids[0], "cancelled");
    let summary = &cancelled["summary"];
    assert_eq!(summary["complete"], false);
    assert_eq!(summary["overall"]["applicants"], cancelled["progress"]["done"]);
    assert_ne!(summary["overall"]["applicants"], 0);
    assert_eq!(server.delete(&format!("audits/{}", ids[1])).status, 204);
    server.get(&format!("audits/{}", ids[1])).refused(404);
    server.post(&format!("audits/{}/cancel", ids[2]), &json!({})).ok();
    server.ends(&ids[2], "cancelled");
    let short = server.begin(&json!({"rejected": 1}));
    for id in &ids[3..] {
        assert_eq!(server.delete(&format!("audits/{id}")).status, 204);
    }
    server.ends(&short, "finished");
}

#[test]
fn whoever_asks_is_answered_while_an_audit_runs() {
    let server = auditing(ModelKind::RandomForest, 1);
    let id = server.begin(&long());
    server.wait_until("the audit begins", |stopper| stopper.counts().began > 0);
    let rows = server.rejected(12);
    for &row in &rows {
        assert_eq!(server.explain(row, &json!({}))["accepted"], false);
    }
    let audit = server.audit(&id);
    assert_eq!(audit["state"], "running", "all were answered long before it ended");
    let done = audit["progress"]["done"].as_u64().unwrap();
    while server.audit(&id)["progress"]["done"].as_u64().unwrap() == done {
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn an_audit_ends_with_the_server() {
    let mut server = auditing(ModelKind::RandomForest, 2);
    server.begin(&long());
    server.begin(&long());
    server.wait_until("the audit begins", |stopper| stopper.counts().began > 0);
    assert!(server.stop() < Duration::from_secs(5));
    let counts = server.stopper.counts();
    assert_eq!(counts.began, counts.ended);
}

#[test]
fn only_the_last_audits_are_kept() {
    let server = auditing(ModelKind::LogisticRegression, 2);
    let ids: Vec<String> = (0..13)
        .map(|_| {
            let id = server.begin(&json!({"rejected": 1}));
            server.ends(&id, "finished");
            id
        })
        .collect();
    let list = server.get("audits").ok()["audits"].clone();
    let kept: Vec<&str> =
        list.as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap()).collect();
    // The last one was added when ten others had ended.
    assert_eq!(kept, ids[2..].iter().map(String::as_str).collect::<Vec<_>>());
}
