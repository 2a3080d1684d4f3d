//! What each address answers.

use serde_json::{Value, json};

use crate::support::german;

#[test]
fn about_says_what_is_served() {
    let server = german();
    let about = server.get("about").ok();
    assert_eq!((&about["name"], &about["data"]), (&json!("amends"), &json!("german")));
    assert_eq!(about["applicants"]["rows"], 1000);
    assert_eq!(about["applicants"]["held_out"], 0);
    assert_eq!((&about["max_changes"], &about["features"]), (&json!(4), &json!(20)));
    assert_eq!((&about["cut"], &about["cut_probability"]), (&json!(0.0), &json!(0.5)));
    assert_eq!(about["target"]["favourable"], "good");
    let rejected = server.get("applicants?decision=rejected&limit=1").ok()["total"].clone();
    assert_eq!(about["applicants"]["rejected"], rejected);
    assert!(about["header"][0].as_str().unwrap().contains("Logistic regression"), "{about}");
    let rows = about["provenance"].as_array().unwrap();
    assert!(rows.contains(&json!(["model sha256", "m"])), "{rows:?}");
    assert_eq!(server.get("health").ok(), json!({"status": "ok"}));
}

#[test]
fn the_schema_has_every_feature_with_its_range_and_distribution() {
    let server = german();
    let schema = server.get("schema").ok();
    let features = schema["features"].as_array().unwrap();
    assert_eq!(features.len(), 20);
    let find = |name: &str| features.iter().find(|one| one["name"] == name).unwrap();
    let duration = find("duration");
    assert_eq!((&duration["kind"], &duration["unit"]), (&json!("integer"), &json!("months")));
    assert_eq!(duration["number"], json!({"least": 4.0, "most": 60.0, "step": 1.0, "decimals": 0}));
    let protected: Vec<&str> = features
        .iter()
        .filter(|one| one["protected"] == true)
        .map(|one| one["name"].as_str().unwrap())
        .collect();
    assert_eq!(protected, ["age", "personal_status_sex", "foreign_worker"]);
    assert_eq!(find("age")["change"], "immutable");
    let housing = find("housing");
    assert_eq!(housing["number"], Value::Null);
    assert!(housing["levels"].as_array().unwrap().len() >= 3);
    for feature in features {
        let distribution = &feature["distribution"];
        assert_eq!(distribution["rows"], json!({"accepted": 525, "rejected": 225}));
        assert_eq!(distribution["bins"].is_null(), feature["number"].is_null(), "{feature}");
        let german = &feature["translations"]["de"];
        assert!(german["label"].is_string(), "{feature}");
        let levels = german["levels"].as_object().unwrap();
        assert_eq!(levels.len(), feature["levels"].as_array().unwrap().len(), "{feature}");
    }
    assert_eq!(housing["translations"]["de"]["levels"]["own"], "Eigentum");
    assert_eq!(duration["translations"]["de"]["unit"], "Monate");
}

#[test]
fn applicants_are_listed_in_pages_and_one_by_one() {
    let server = german();
    let all = server.get("applicants?decision=all&limit=1000").ok();
    assert_eq!(all["total"], 1000);
    let all = all["applicants"].as_array().unwrap();
    let accepted = server.get("applicants?decision=accepted&limit=1000").ok();
    let rejected = server.get("applicants?decision=rejected&limit=1000").ok();
    for (list, is) in [(&accepted, true), (&rejected, false)] {
        let expected: Vec<&Value> = all.iter().filter(|one| one["accepted"] == is).collect();
        assert_eq!(list["applicants"].as_array().unwrap().iter().collect::<Vec<_>>(), expected);
        assert_eq!(list["total"], expected.len());
    }
    let page = server.get("applicants?decision=rejected&offset=3&limit=2").ok();
    assert_eq!(page["applicants"][0], rejected["applicants"][3]);
    assert_eq!(page["applicants"].as_array().unwrap().len(), 2);
    let one = &all[4];
    let row = one["row"].as_u64().unwrap();
    let whole = server.get(&format!("applicants/{row}")).ok();
    assert_eq!((&whole["score"], &whole["accepted"]), (&one["score"], &one["accepted"]));
    let scored = server.post("score", &json!({"application": whole["application"]})).ok();
    for key in ["score", "probability", "accepted"] {
        assert_eq!(scored[key], one[key], "{key}");
    }
    for nobody in ["0", "1001", "-1", "x", "1.5", "18446744073709551616"] {
        server.get(&format!("applicants/{nobody}")).refused(404);
    }
    server.get("applicants/%ff").refused(400);
}

#[test]
fn plans_are_accepted_by_the_model_and_change_what_they_say() {
    let server = german();
    for row in server.rejected(6) {
        let before = server.application(row);
        let asked = json!({"row": row, "plans": 3, "reasons": true});
        let answer = server.post("explain", &asked).ok();
        assert_eq!((&answer["accepted"], &answer["status"]), (&json!(false), &json!("optimal")));
        let plans = answer["plans"].as_array().unwrap();
        assert!(!plans.is_empty() && plans.len() <= 3);
        assert!(!answer["reasons"].as_array().unwrap().is_empty());
        assert_eq!(answer["reason_basis"]["group"], "near-cut");
        let mut costs: Vec<f64> = Vec::new();
        for plan in plans {
            let after = plan["application"].as_object().unwrap();
            let scored = server.post("score", &json!({"application": after})).ok();
            assert_eq!(scored["accepted"], true);
            assert_eq!(scored["score"], plan["score_after"]);
            let changed: Vec<&String> =
                after.keys().filter(|key| before[*key] != after[*key]).collect();
            let said: Vec<&str> = plan["changes"]
                .as_array()
                .unwrap()
                .iter()
                .map(|one| one["feature"].as_str().unwrap())
                .collect();
            assert_eq!(changed, said);
            assert!(changed.len() <= 4 && !changed.is_empty());
            costs.push(plan["objective"].as_f64().unwrap());
        }
        assert!(costs.is_sorted(), "{costs:?}");
        // The same by its values instead of its row.
        let by_value = json!({"application": before, "plans": 3, "reasons": true});
        let mut same = server.post("explain", &by_value).ok();
        let mut first = answer.clone();
        for answer in [&mut same, &mut first] {
            answer["seconds"] = Value::Null;
            for plan in answer["plans"].as_array_mut().unwrap() {
                plan["seconds"] = Value::Null;
            }
        }
        assert_eq!(same, first);
    }
}

#[test]
fn the_accepted_need_no_plan() {
    let server = german();
    let list = server.get("applicants?decision=accepted&limit=1").ok();
    let row = list["applicants"][0]["row"].as_u64().unwrap();
    let answer = server.explain(row, &json!({}));
    assert_eq!(
        (&answer["accepted"], &answer["status"]),
        (&json!(true), &json!("already-accepted"))
    );
    assert_eq!((&answer["plans"], &answer["why_none"]), (&json!([]), &Value::Null));
    let tradeoff = server.post("tradeoff", &json!({"row": row})).ok();
    assert_eq!((&tradeoff["status"], &tradeoff["plans"]), (&json!("already-accepted"), &json!([])));
}

#[test]
fn the_tradeoff_is_sorted_and_no_plan_beats_another() {
    let server = german();
    let row = server.rejected(2)[1];
    let answer = server.post("tradeoff", &json!({"row": row, "at_most": 5})).ok();
    let plans = answer["plans"].as_array().unwrap();
    assert!(plans.len() > 1 && plans.len() <= 5, "{answer}");
    let part = |plan: &Value, key: &str| plan[key].as_f64().unwrap();
    for pair in plans.windows(2) {
        assert!(part(&pair[0], "distance") < part(&pair[1], "distance"));
        assert!(part(&pair[0], "outlier") > part(&pair[1], "outlier"));
    }
    for plan in plans {
        let sum = part(plan, "distance") + part(plan, "outlier") + part(plan, "change_cost");
        assert!((sum - part(plan, "objective")).abs() < 1e-9 && part(plan, "change_cost") > 0.0);
    }
    assert!(answer["end"].is_string());
}

#[test]
fn the_end_of_a_search_for_several_plans_has_a_name() {
    let server = german();
    let mut seen = Vec::new();
    for row in server.rejected(60).into_iter().step_by(4) {
        let answer = server.post("explain", &json!({"row": row, "plans": 3})).ok();
        let all = answer["plans"].as_array().unwrap().len() == 3;
        assert_eq!(answer["values_offered"], answer["plans"][0]["values_offered"]);
        assert_eq!(answer["end_kind"], if all { "all-found" } else { "no-further" }, "row {row}");
        seen.push(all);
    }
    assert!(seen.contains(&true) && seen.contains(&false), "{seen:?}");
    let row = server.rejected(1)[0];
    assert_eq!(server.explain(row, &json!({}))["end_kind"], Value::Null);
    let mut ends = Vec::new();
    for row in server.rejected(20) {
        let answer = server.post("tradeoff", &json!({"row": row, "at_most": 2})).ok();
        let capped = answer["end"].as_str().unwrap().starts_with("as many as");
        assert_eq!(answer["end_kind"], if capped { "capped" } else { "complete" }, "row {row}");
        ends.push(capped);
    }
    assert!(ends.contains(&true) && ends.contains(&false), "{ends:?}");
}

#[test]
fn the_page_and_its_files_are_served_with_tags() {
    let server = german();
    for (path, kind) in [
        ("", "text/html"),
        ("app.js", "text/javascript"),
        ("app.css", "text/css"),
        ("icon.svg", "image/svg+xml"),
    ] {
        let url = format!("{}{path}", server.url);
        let first = crate::support::answered(server.agent.get(&url).call().unwrap());
        assert_eq!(first.status, 200);
        assert!(first.headers["content-type"].to_str().unwrap().starts_with(kind), "{path}");
        let tag = first.headers["etag"].to_str().unwrap().to_owned();
        let again = server.agent.get(&url).header("if-none-match", &tag).call().unwrap();
        let again = crate::support::answered(again);
        assert_eq!((again.status, again.text.as_str()), (304, ""));
    }
}
