//! Where there is no plan, dropping what the answer names gives one.

use serde_json::{Map, Value, json};

use crate::support::german;

/// Wishes without what a way says that would have to give way.
fn without(wishes: &Value, drops: &[Value]) -> Value {
    let mut rest = wishes.clone();
    for drop in drops {
        if let Some(needed) = drop.get("max_changes") {
            rest["max_changes"] = needed.clone();
        } else if let Some(wish) = drop.get("wish") {
            rest["features"][wish["feature"].as_str().unwrap()][wish["key"].as_str().unwrap()] =
                Value::Null;
        } else if let Some(rule) = drop.get("rule") {
            rest["rules"].as_array_mut().unwrap().retain(|text| text != rule);
        }
    }
    rest
}

#[test]
fn dropping_what_a_way_names_gives_its_plan() {
    let server = german();
    let mut all_but: Map<String, Value> = Map::new();
    for feature in server.get("schema").ok()["features"].as_array().unwrap() {
        if feature["change"] != "immutable" {
            all_but.insert(feature["name"].as_str().unwrap().to_owned(), json!({"locked": true}));
        }
    }
    let mut features = all_but.clone();
    features.insert("duration".to_owned(), json!({"range": [58, 60], "change": "increase"}));
    features.insert("checking_account".to_owned(), json!({"levels": ["0 to 200 DM"]}));
    let cases = [
        json!({"features": all_but}),
        json!({"features": features}),
        json!({"max_changes": 1, "rules": ["duration stays", "checking_account stays"]}),
    ];
    let (mut ways_tried, mut schema_ways) = (0, 0);
    for row in server.rejected(60).into_iter().step_by(6) {
        for wishes in &cases {
            let answer = server.explain(row, wishes);
            if answer["status"] != "infeasible" {
                continue;
            }
            let why = &answer["why_none"];
            assert_eq!(why["settled"], true, "{why}");
            for way in why["ways"].as_array().unwrap() {
                let drops = way["drops"].as_array().unwrap();
                assert!(!drops.is_empty(), "{way}");
                let of_schema = drops.iter().any(|drop| drop.get("schema").is_some());
                let needs_more = drops.iter().any(|drop| drop["max_changes"].as_u64() > Some(4));
                if of_schema || needs_more {
                    schema_ways += 1;
                    continue;
                }
                ways_tried += 1;
                let rest = without(wishes, drops);
                let again = server.explain(row, &rest);
                let plan = &again["plans"][0];
                assert!(plan.is_object(), "row {row}, {wishes}: {way}");
                let cost = |one: &Value| one["objective"].as_f64().unwrap();
                assert!(cost(plan) <= cost(way) * (1.0 + 1e-6), "{plan} for {way}");
            }
        }
    }
    assert!(ways_tried > 5, "{ways_tried} of the client's, {schema_ways} of the schema");
}

#[test]
fn the_limit_on_changes_is_among_what_gives_way() {
    let server = german();
    let mut named = 0;
    for row in server.rejected(60) {
        let answer = server.explain(row, &json!({"max_changes": 1}));
        for way in answer["why_none"]["ways"].as_array().into_iter().flatten() {
            for drop in way["drops"].as_array().unwrap() {
                let Some(needed) = drop["max_changes"].as_u64() else { continue };
                named += 1;
                assert!(needed >= 2);
                assert_eq!(way["relaxed"][0]["allowed"], 1);
            }
        }
    }
    assert!(named > 0);
}
