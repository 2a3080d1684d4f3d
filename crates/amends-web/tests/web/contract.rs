//! The OpenAPI document holds for every answer of these tests: each is checked against it, and has no field that it does not
//! describe.

use std::collections::HashMap;
use std::sync::{Mutex, OnceLock, PoisonError};

use jsonschema::Validator;
use serde_json::{Value, json};

use crate::support::{Answered, german};

/// Checks an answer of a method and an address, the query included, against the document of the server that gave it.
pub fn check_answer(document: &Value, method: &str, path: &str, answer: &Answered) {
    let path = path.split('?').next().unwrap();
    let Some((route, operation)) = operation(document, method, path) else {
        assert!(matches!(answer.status, 401 | 403 | 404 | 405), "{method} {path} is not described");
        return;
    };
    let key = format!("{method} {route} {}", answer.status);
    let response = &operation["responses"][answer.status.to_string()];
    let response = match response["$ref"].as_str() {
        Some(reference) => document.pointer(reference.trim_start_matches('#')).unwrap(),
        None => response,
    };
    assert!(response.is_object(), "{key} is not described");
    if response["content"].is_null() {
        assert_eq!(answer.text, "", "{key}");
        return;
    }
    let kind = answer.headers["content-type"].to_str().unwrap();
    let kind = kind.split(';').next().unwrap();
    let schema = &response["content"][kind]["schema"];
    assert!(schema.is_object(), "{key}: {kind} is not described");
    if kind != "application/json" {
        return;
    }
    let found = answer.json();
    let mut errors = Vec::new();
    with_validator(document, &key, schema, |validator| {
        for error in validator.iter_errors(&found).take(5) {
            errors.push(format!("{}: {error}", error.instance_path()));
        }
    });
    assert!(errors.is_empty(), "{key}: {errors:#?}");
}

/// Checks a body that was understood.
pub fn check_question(document: &Value, path: &str, body: &Value) {
    let (route, operation) = operation(document, "post", path).unwrap();
    let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
    if !schema.is_null() {
        with_validator(document, &format!("question {route}"), schema, |validator| {
            let errors: Vec<String> = validator.iter_errors(body).map(|e| e.to_string()).collect();
            assert!(errors.is_empty(), "{route} {body}: {errors:#?}");
        });
    }
}

fn operation<'a>(document: &'a Value, method: &str, path: &str) -> Option<(&'a str, &'a Value)> {
    let address = format!("/api/v1/{path}");
    let parts: Vec<&str> = address.split('/').collect();
    let fits = |route: &str| {
        let names: Vec<&str> = route.split('/').collect();
        names.len() == parts.len()
            && names.iter().zip(&parts).all(|(name, part)| name.starts_with('{') || name == part)
    };
    let (route, item) =
        document["paths"].as_object().unwrap().iter().find(|(route, _)| fits(route))?;
    Some((route, item.get(method)?))
}

/// Runs something with the validator of a schema, which is made once.
fn with_validator(document: &Value, key: &str, schema: &Value, work: impl FnOnce(&Validator)) {
    static KNOWN: OnceLock<Mutex<HashMap<String, &'static Validator>>> = OnceLock::new();
    let mut known =
        KNOWN.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner);
    let validator = *known.entry(key.to_owned()).or_insert_with(|| {
        let mut root = schema.clone();
        let mut components = document["components"].clone();
        // What is not described would go unnoticed.
        refuse_unknown_fields(&mut components);
        refuse_unknown_fields(&mut root);
        root["components"] = components;
        root["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
        Box::leak(Box::new(jsonschema::validator_for(&root).unwrap()))
    });
    drop(known);
    work(validator);
}

fn refuse_unknown_fields(schema: &mut Value) {
    match schema {
        Value::Object(object) => {
            for value in object.values_mut() {
                refuse_unknown_fields(value);
            }
            if object.get("type") == Some(&json!("object")) && object.contains_key("properties") {
                object.entry("additionalProperties").or_insert(json!(false));
            }
        }
        Value::Array(list) => list.iter_mut().for_each(refuse_unknown_fields),
        _ => {}
    }
}

#[test]
fn the_document_is_open_api() {
    let server = german();
    let document = server.get("openapi.json").ok();
    assert_eq!(document["openapi"], "3.1.0");
    // Every schema is one.
    for (name, schema) in document["components"]["schemas"].as_object().unwrap() {
        assert!(jsonschema::meta::is_valid(schema), "{name}");
    }
}

#[test]
fn what_is_not_described_is_noticed() {
    let schema =
        json!({"type": "object", "required": ["a"], "properties": {"a": {"type": "number"}}});
    let mut strict = schema.clone();
    refuse_unknown_fields(&mut strict);
    assert!(jsonschema::is_valid(&schema, &json!({"a": 1, "b": 2})));
    assert!(!jsonschema::is_valid(&strict, &json!({"a": 1, "b": 2})));
    assert!(!jsonschema::is_valid(&strict, &json!({})));
}
