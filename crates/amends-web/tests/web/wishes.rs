//! Wishes bind: compared with every application that differs in one feature, scored one by one.

use amends::model::ModelKind;
use amends_web::Settings;
use serde_json::{Map, Value, json};

use crate::support::{Running, german, service, start};

/// The values that a feature may take by the schema as the API shows it, for an applicant.
fn values(feature: &Value, own: &Value) -> Vec<Value> {
    let change = feature["change"].as_str().unwrap();
    if change == "immutable" {
        return Vec::new();
    }
    let number = &feature["number"];
    if number.is_null() {
        let levels: Vec<Value> = feature["levels"]
            .as_array()
            .unwrap()
            .iter()
            .map(|level| level["value"].clone())
            .collect();
        let own = levels.iter().position(|level| level == own).unwrap();
        let moves = feature["moves"].as_array().unwrap();
        let leads = |from: usize, to: usize| {
            moves.is_empty()
                || moves.iter().any(|one| {
                    one["from"] == levels[from]
                        && one["to"].as_array().unwrap().contains(&levels[to])
                })
        };
        let allowed: Vec<bool> = (0..levels.len())
            .map(|index| match change {
                "increase" => index > own && leads(own, index),
                "decrease" => index < own && leads(own, index),
                _ => index != own && leads(own, index),
            })
            .collect();
        return levels
            .into_iter()
            .zip(allowed)
            .filter(|(_, allowed)| *allowed)
            .map(|(level, _)| level)
            .collect();
    }
    let (least, most) = (number["least"].as_f64().unwrap(), number["most"].as_f64().unwrap());
    let own = own.as_f64().unwrap();
    let (low, high) = match change {
        "increase" => (own.max(least), most),
        "decrease" => (least, own.min(most)),
        _ => (least, most),
    };
    let all = (low.ceil() as i64..=high.floor() as i64).filter(|&value| value as f64 != own);
    all.map(|value| json!(value)).collect()
}

/// Which features can be changed alone to be accepted, where only values with `allowed` count: by `/score` alone. Large ranges
/// are scanned in steps, their ends included.
fn ways_alone(
    server: &Running,
    application: &Map<String, Value>,
    allowed: impl Fn(&str, &Value) -> bool,
) -> Vec<String> {
    let schema = server.get("schema").ok();
    let mut found = Vec::new();
    for feature in schema["features"].as_array().unwrap() {
        let name = feature["name"].as_str().unwrap();
        let all: Vec<Value> = values(feature, &application[name])
            .into_iter()
            .filter(|value| allowed(name, value))
            .collect();
        // A linear model is monotonic in a number: its ends decide.
        let tried =
            if all.len() > 80 { vec![all[0].clone(), all[all.len() - 1].clone()] } else { all };
        let accepted = tried.into_iter().any(|value| {
            let mut changed = application.clone();
            changed.insert(name.to_owned(), value);
            server.post("score", &json!({"application": changed})).ok()["accepted"] == true
        });
        if accepted {
            found.push(name.to_owned());
        }
    }
    found
}

#[test]
fn with_one_change_there_is_a_plan_exactly_where_some_value_is_accepted() {
    let server = german();
    let (mut some, mut none) = (0, 0);
    for row in server.rejected(40).into_iter().step_by(5) {
        let application = server.application(row);
        let application = application.as_object().unwrap();
        for (wishes, locked) in [
            (json!({"max_changes": 1}), vec![]),
            (
                json!({"max_changes": 1, "features": {"duration": {"locked": true}, "checking_account": {"locked": true}}}),
                vec!["duration", "checking_account"],
            ),
        ] {
            let alone = ways_alone(&server, application, |name, _| !locked.contains(&name));
            let asked = json!({"row": row, "wishes": wishes, "plans": 10, "why_none": false});
            let answer = server.post("explain", &asked).ok();
            let mut changed: Vec<&str> = answer["plans"]
                .as_array()
                .unwrap()
                .iter()
                .map(|plan| {
                    let changes = plan["changes"].as_array().unwrap();
                    assert_eq!(changes.len(), 1);
                    changes[0]["feature"].as_str().unwrap()
                })
                .collect();
            changed.sort_unstable();
            let mut expected: Vec<&str> = alone.iter().map(String::as_str).collect();
            expected.sort_unstable();
            assert_eq!(changed, expected, "row {row}, {wishes}");
            assert_eq!(answer["status"] == "infeasible", alone.is_empty());
            if alone.is_empty() { none += 1 } else { some += 1 }
        }
    }
    assert!(some > 2 && none > 2, "{some} with a plan, {none} without");
}

#[test]
fn ranges_directions_and_levels_are_kept() {
    let server = german();
    let mut seen = 0;
    for row in server.rejected(12) {
        let application = server.application(row);
        let own = application["duration"].as_i64().unwrap();
        let low = (own - 6).max(4);
        let wishes = json!({"features": {
            "duration": {"range": [low, own], "change": "decrease"},
            "checking_account": {"levels": ["0 to 200 DM"]},
            "credit_amount": {"locked": true},
        }});
        let answer = server.explain(row, &wishes);
        for plan in answer["plans"].as_array().unwrap() {
            let after = &plan["application"];
            let duration = after["duration"].as_i64().unwrap();
            assert!((low..=own).contains(&duration), "{duration}");
            let account = &after["checking_account"];
            assert!(*account == application["checking_account"] || account == "0 to 200 DM");
            assert_eq!(after["credit_amount"], application["credit_amount"]);
            seen += usize::from(*account == "0 to 200 DM");
        }
    }
    assert!(seen > 0);
}

#[test]
fn more_than_one_plan_and_every_point_of_the_tradeoff_respect_the_limit_on_changes() {
    let server = german();
    for row in server.rejected(4) {
        for (route, asked) in [
            ("explain", json!({"row": row, "wishes": {"max_changes": 2}, "plans": 5})),
            ("tradeoff", json!({"row": row, "wishes": {"max_changes": 2}, "at_most": 4})),
        ] {
            let answer = server.post(route, &asked).ok();
            for plan in answer["plans"].as_array().unwrap() {
                assert!(plan["moves"].as_u64().unwrap() <= 2, "{plan}");
            }
        }
    }
}

#[test]
fn effort_multiplies_the_distance_and_rules_hold() {
    let server = german();
    let row = server.rejected(1)[0];
    let only = |effort: f64| {
        let mut features = Map::new();
        for feature in server.get("schema").ok()["features"].as_array().unwrap() {
            let name = feature["name"].as_str().unwrap().to_owned();
            let wish = if name == "duration" {
                json!({"effort": effort})
            } else {
                json!({"locked": true})
            };
            features.insert(name, wish);
        }
        let answer = server.explain(row, &json!({"features": features}));
        answer["plans"][0]["distance"].as_f64().unwrap()
    };
    let (plain, twice) = (only(1.0), only(2.0));
    assert!((twice - 2.0 * plain).abs() < 1e-9, "{plain} and {twice}");
    let answer = server.explain(
        row,
        &json!({"rules": ["duration stays", "if checking_account changes then savings changes"]}),
    );
    let before = server.application(row);
    for plan in answer["plans"].as_array().unwrap() {
        let after = &plan["application"];
        assert_eq!(after["duration"], before["duration"]);
        let changes = |name: &str| after[name] != before[name];
        assert!(!changes("checking_account") || changes("savings"));
    }
}

#[test]
fn rules_for_everybody_bind_everybody() {
    let common = ["duration stays", "savings.change = \"immutable\""];
    let server = start(service(ModelKind::LogisticRegression, 4, &common), Settings::default());
    let schema = server.get("schema").ok();
    assert!(schema["rules"].as_array().unwrap().contains(&json!("duration stays")), "{schema}");
    let row = server.rejected(1)[0];
    let before = server.application(row);
    let answer = server.explain(row, &json!({}));
    let after = &answer["plans"][0]["application"];
    assert_eq!((&after["duration"], &after["savings"]), (&before["duration"], &before["savings"]));
    let widened = json!({"row": row, "wishes": {"features": {"savings": {"change": "free"}}}});
    let error = server.post("explain", &widened).refused(422);
    assert_eq!(error["problems"][0]["feature"], "savings");
}
