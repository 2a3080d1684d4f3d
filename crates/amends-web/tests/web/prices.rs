//! What a wish costs is what asking again without it says.

use serde_json::{Value, json};

use crate::support::german;

#[test]
fn prices_are_those_of_asking_again_without_the_wish() {
    let server = german();
    let wishes = json!({
        "max_changes": 2,
        "features": {
            "duration": {"locked": true},
            "credit_amount": {"range": [1000, 20000], "effort": 3.0},
            "checking_account": {"levels": ["0 to 200 DM"]},
        },
        "rules": ["telephone stays", "savings stays"],
    });
    let mut saved = 0;
    for row in server.rejected(6) {
        let answer = server.post("prices", &json!({"row": row, "wishes": wishes})).ok();
        let base = server.explain(row, &wishes);
        assert_eq!(answer["objective"], base["plans"][0]["objective"]);
        let prices = answer["prices"].as_array().unwrap();
        assert_eq!(prices.len(), 7, "{answer}");
        for price in prices {
            let mut rest = wishes.clone();
            let wish = &price["wish"];
            if wish["key"] == "max_changes" {
                rest["max_changes"] = Value::Null;
            } else if let Some(rule) = wish["rule"].as_u64() {
                rest["rules"].as_array_mut().unwrap().remove(rule as usize);
            } else {
                let feature = wish["feature"].as_str().unwrap();
                rest["features"][feature][wish["key"].as_str().unwrap()] = Value::Null;
            }
            let without = server.explain(row, &rest);
            let objective = &without["plans"][0]["objective"];
            assert_eq!(&price["objective"], objective, "{price}");
            assert_eq!((&price["status"], &price["proven"]), (&without["status"], &json!(true)));
            let comparable = wish["key"] != "effort";
            match (answer["objective"].as_f64(), objective.as_f64(), comparable) {
                (Some(with), Some(without), true) => {
                    let saves = price["saves"].as_f64().unwrap();
                    assert_eq!(saves, with - without);
                    assert!(saves >= -1e-5 * with, "{price}");
                    saved += usize::from(saves > 1e-6);
                }
                _ => assert_eq!(price["saves"], Value::Null),
            }
        }
    }
    assert!(saved > 0);
}

#[test]
fn nothing_is_solved_once_the_time_is_over() {
    let server = german();
    let features = ["duration", "credit_amount", "savings", "telephone", "housing", "purpose"];
    let rules: Vec<String> = features.iter().map(|name| format!("{name} stays")).collect();
    let wishes = json!({"max_changes": 2, "rules": rules});
    let row = server.rejected(1)[0];
    let body = json!({"row": row, "wishes": wishes, "time_limit": 1e-9});
    let answer = server.post("prices", &body).ok();
    let prices = answer["prices"].as_array().unwrap();
    assert_eq!(prices.len(), 7);
    // A nanosecond is over before the first of them.
    for price in prices {
        assert_eq!((&price["status"], &price["proven"]), (&json!("timeout"), &json!(false)));
        assert_eq!((&price["objective"], &price["saves"]), (&Value::Null, &Value::Null));
    }
}
