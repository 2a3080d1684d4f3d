//! What can't be answered is refused with everything that is wrong with it.

use serde_json::{Value, json};

use crate::support::{Running, german};

/// The messages and remedies of a refusal's problems.
fn problems(error: &Value) -> Vec<String> {
    let list = error["problems"].as_array().unwrap().iter();
    list.map(|one| format!("{} {}", one["message"].as_str().unwrap(), one["remedy"])).collect()
}

/// Refused with this status, naming this.
fn refuses(server: &Running, route: &str, body: &Value, part: &str) {
    let error = server.post(route, body).refused(422);
    assert!(error["message"].is_string() && error["remedy"].is_string(), "{error}");
    let all = problems(&error).join("\n");
    assert!(all.contains(part), "{body}: {all}");
}

#[test]
fn every_bad_value_of_an_application_is_named() {
    let server = german();
    let mut application = server.application(1);
    application["duration"] = json!("12");
    application["credit_amount"] = json!(1e300);
    application["age"] = json!(30.5);
    application["housing"] = json!("rentt");
    application["savings"] = json!(3);
    application["telephone"] = json!(true);
    application["purposee"] = application["purpose"].take();
    application.as_object_mut().unwrap().remove("purpose");
    for route in ["score", "explain", "prices", "tradeoff"] {
        let error = server.post(route, &json!({"application": application})).refused(422);
        let named: Vec<&Value> =
            error["problems"].as_array().unwrap().iter().map(|one| &one["feature"]).collect();
        for feature in
            ["duration", "credit_amount", "age", "housing", "savings", "telephone", "purpose"]
        {
            assert!(named.contains(&&json!(feature)), "{feature}: {error}");
        }
        assert_eq!(named.len(), 8, "{error}");
        let all = problems(&error).join("\n");
        for part in [
            "`12` is a text, where a number is needed",
            "is too large to compute with",
            "`30.5` is not a whole number",
            "`rentt` is not a level of this feature",
            "`3` is a number, where a level is needed",
            "`telephone` is `true`, not one of its levels in quotes",
            "`purpose` is missing",
            "`purposee` is not a feature \"did you mean `purpose`?\"",
        ] {
            assert!(all.contains(part), "{part}: {all}");
        }
    }
}

#[test]
fn questions_that_make_no_sense_are_refused() {
    let server = german();
    let application = server.application(1);
    for (body, part) in [
        (json!({}), "there is no applicant"),
        (json!({"row": 1, "application": application}), "both `application` and `row`"),
        (json!({"row": 0}), "`row` is `0`, not the number of a row"),
        (json!({"row": 1001}), "not the number of a row"),
        (json!({"row": "1"}), "the text `1`, not the number of a row"),
        (json!({"row": 1.5}), "not the number of a row"),
        (json!({"row": 1, "wihses": {}}), "did you mean `wishes`?"),
        (
            json!({"row": 1, "wishes": {"features": {"duration": {"range": [40, 10]}}}}),
            "`wishes.features.duration.range` begins with its higher number \"give [10, 40]\"",
        ),
        (
            json!({"row": 1, "wishes": {"features": {"duration": {"range": [1, 2, 3]}}}}),
            "range` is `[1,2,3]`, not a list of two numbers",
        ),
        (json!({"row": 1, "plans": 0}), "a whole number from 1 to 10"),
        (json!({"row": 1, "plans": 11}), "a whole number from 1 to 10"),
        (json!({"row": 1, "reasons": 1}), "`reasons` is `1`, not true or false"),
        (json!({"row": 1, "time_limit": 0}), "a number above 0 and up to 10"),
        (json!({"row": 1, "time_limit": 11}), "a number above 0 and up to 10"),
        (json!({"row": 1, "time_limit": 1e-300}), "too short"),
        (json!({"row": 1, "wishes": []}), "`wishes` is a list, not an object"),
        (json!({"row": 1, "wishes": {"rules": "a"}}), "`wishes.rules` is not a list"),
        (json!({"row": 1, "wishes": {"rules": [1]}}), "`wishes.rules[0]` is not a text"),
        (json!({"row": 1, "wishes": {"rules": ["housng stays"]}}), "did you mean `housing`?"),
    ] {
        refuses(&server, "explain", &body, part);
    }
    refuses(&server, "score", &json!({"row": 1}), "there is no application");
    refuses(&server, "score", &json!({"application": 1}), "`application` is `1`, not an object");
    refuses(&server, "tradeoff", &json!({"row": 1, "at_most": 1}), "a whole number from 2 to 30");
    refuses(&server, "prices", &json!({"row": 1, "plans": 2}), "`plans` is not a known key");
}

#[test]
fn wishes_only_narrow_and_name_their_feature() {
    let server = german();
    for (feature, wish, part) in [
        ("age", json!({"change": "free"}), "may not change at all"),
        ("age", json!({"range": [20, 30]}), "may not change at all"),
        ("age", json!({"effort": 2}), "may not change at all"),
        ("credit_amount", json!({"change": "increase"}), "may only decrease"),
        ("credit_amount", json!({"change": "free"}), "may only decrease"),
        ("duration", json!({"change": "sideways"}), "`free`, `increase` or `decrease`"),
        ("duration", json!({"range": [24, 6]}), "begins with its higher number"),
        ("duration", json!({"range": [6]}), "a list of two numbers"),
        ("duration", json!({"range": [6, 12, 24]}), "a list of two numbers"),
        ("duration", json!({"range": [6.2, 6.8]}), "holds no whole number"),
        ("duration", json!({"levels": ["6"]}), "has numbers and no levels"),
        ("duration", json!({"effort": 0}), "a number above 0"),
        ("duration", json!({"effort": -1}), "a number above 0"),
        ("duration", json!({"effort": 1e-9}), "must be between 0.001 and 1000"),
        ("duration", json!({"locked": "yes"}), "not true or false"),
        ("duration", json!({"lokced": true}), "did you mean `locked`?"),
        ("duration", json!(true), "is not an object"),
        ("savings", json!({"range": [1, 2]}), "has levels and no range"),
        ("savings", json!({"levels": []}), "a list of 1 to 1000 levels"),
        ("savings", json!({"levels": ["much"]}), "is not a level of this feature"),
        ("savings", json!({"levels": [1]}), "a level in quotes"),
    ] {
        let mut wishes = json!({"features": {}});
        wishes["features"][feature] = wish.clone();
        let error = server.post("explain", &json!({"row": 2, "wishes": wishes})).refused(422);
        assert_eq!(error["problems"][0]["feature"], feature, "{error}");
        let all = problems(&error).join("\n");
        assert!(all.contains(part), "{wish}: {all}");
    }
    for (wishes, part) in [
        (json!({"max_changes": 5}), "a whole number from 1 to 4"),
        (json!({"max_changes": 0}), "a whole number from 1 to 4"),
        (json!({"features": {"durration": {"locked": true}}}), "did you mean `duration`?"),
        (json!({"rules": ["duration.max_change = 3"]}), "duration"),
    ] {
        refuses(&server, "explain", &json!({"row": 2, "wishes": wishes}), part);
    }
}

#[test]
fn a_lock_on_what_may_not_change_anyway_is_fine() {
    let server = german();
    let row = server.rejected(1)[0];
    let plain = server.explain(row, &json!({}));
    let locked = server.explain(row, &json!({"features": {"age": {"locked": true}}}));
    assert_eq!(plain["plans"][0]["objective"], locked["plans"][0]["objective"]);
}

#[test]
fn queries_are_read_strictly() {
    let server = german();
    for query in
        ["decision=maybe", "limit=0", "limit=1001", "limit=ten", "offset=-1", "page=2", "limt=3"]
    {
        let error = server.get(&format!("applicants?{query}")).refused(422);
        assert_eq!(error["code"], "refused", "{query}");
    }
    assert!(server.get("applicants?limt=3").text.contains("did you mean `limit`?"));
    assert_eq!(server.get("applicants?offset=99999999&limit=5").ok()["applicants"], json!([]));
}

#[test]
fn bodies_that_are_no_json_objects_are_refused() {
    let server = german();
    let json = "application/json";
    for (kind, body, status) in [
        (json, &b""[..], 400),
        (json, b"{", 400),
        (json, b"[]", 400),
        (json, b"\"row\"", 400),
        (json, b"{\"row\": 1e999}", 400),
        (json, b"{\"row\": NaN}", 400),
        (json, b"{\"row\": \"\xff\"}", 400),
        ("text/plain", b"{\"row\": 1}", 415),
        ("application/x-www-form-urlencoded", b"row=1", 415),
        ("application/json-patch+json", b"{\"row\": 1}", 415),
    ] {
        server.post_bytes("explain", kind, body).refused(status);
    }
    let mut nested = vec![b'['; 100_000];
    nested.extend(vec![b']'; 100_000]);
    server.post_bytes("explain", json, &nested).refused(400);
    let large = vec![b' '; (1 << 20) + 1];
    assert_eq!(server.post_bytes("explain", json, &large).refused(413)["code"], "too-large");
    let larger = vec![b' '; 8 << 20];
    server.post_bytes("explain", json, &larger).refused(413);
}

#[test]
fn unknown_addresses_and_methods_are_refused() {
    let server = german();
    assert_eq!(server.get("abuot").refused(404)["code"], "not-found");
    assert_eq!(server.get("explain").refused(405)["code"], "method");
    assert_eq!(server.post("about", &json!({})).refused(405)["code"], "method");
    for path in ["other.js", "../Cargo.toml", "%2e%2e/Cargo.toml", "api/v2/about"] {
        let answer = server.agent.get(format!("{}{path}", server.url)).call().unwrap();
        assert_eq!(answer.status().as_u16(), 404, "{path}");
    }
}

#[test]
fn the_known_keys_are_named_once_each() {
    let server = german();
    let error = server.post("explain", &json!({"row": 1, "zzz": 1})).refused(422);
    let all = problems(&error).join("\n");
    assert_eq!(all.matches("`row`").count(), 1, "{all}");
}

#[test]
fn whole_numbers_may_have_decimals_that_are_zero() {
    let server = german();
    let plain = json!({"row": 5, "plans": 2, "wishes": {"max_changes": 1}});
    let decimal = json!({"row": 5.0, "plans": 2.0, "wishes": {"max_changes": 1.0}});
    let [plain, decimal] = [plain, decimal].map(|body| server.post("explain", &body).ok());
    assert_eq!(plain["plans"][0]["changes"], decimal["plans"][0]["changes"]);
    let wishes = json!({"max_changes": 1.5});
    refuses(&server, "explain", &json!({"row": 5, "wishes": wishes}), "a whole number from 1");
}

#[test]
fn what_is_given_twice_is_refused() {
    let server = german();
    for body in [r#"{"row": 1, "row": 2}"#, r#"{"row": 1, "wishes": {"rules": [], "rules": []}}"#] {
        let error = server.post_bytes("explain", "application/json", body.as_bytes()).refused(400);
        assert!(error["message"].as_str().unwrap().contains("is given twice"), "{error}");
    }
    let error = server.get("applicants?limit=1&limit=2").refused(422);
    assert!(error.to_string().contains("`limit` is given twice"), "{error}");
}
