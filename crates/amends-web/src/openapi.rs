//! The API as an OpenAPI document: written by hand in `openapi/`, and checked by tests against the router and against real answers.

use std::sync::OnceLock;

use serde_json::{Map, Value, json};

/// Title, security, and parts that several routes share.
const HEAD: &str = include_str!("openapi/head.json");
/// The routes.
const PATHS: &str = include_str!("openapi/paths.json");
/// What is asked, what is answered, and audits.
const SCHEMAS: [&str; 3] = [
    include_str!("openapi/questions.json"),
    include_str!("openapi/answers.json"),
    include_str!("openapi/audits.json"),
];

/// What may be wrong with every request.
const ALWAYS: [&str; 3] = ["400", "403", "500"];
/// What may be wrong with one that has a body.
const WITH_BODY: [&str; 5] = ["408", "413", "415", "422", "503"];

/// The document.
pub fn document() -> &'static Value {
    static DOCUMENT: OnceLock<Value> = OnceLock::new();
    DOCUMENT.get_or_init(|| {
        let mut document = parse(HEAD);
        document["info"]["version"] = env!("CARGO_PKG_VERSION").into();
        let mut paths = parse(PATHS);
        for path in paths.as_object_mut().into_iter().flat_map(Map::values_mut) {
            let has_parameters = path.get("parameters").is_some();
            for (_, operation) in path.as_object_mut().into_iter().flatten() {
                add_errors(operation, has_parameters);
            }
        }
        document["paths"] = paths;
        for schemas in SCHEMAS {
            let all = document["components"]["schemas"].as_object_mut();
            if let (Some(all), Value::Object(more)) = (all, parse(schemas)) {
                all.extend(more);
            }
        }
        document
    })
}

/// Adds the answers of requests that are refused, where they are not written down.
fn add_errors(operation: &mut Value, path_has_parameters: bool) {
    let has_body = operation.get("requestBody").is_some();
    let parameters = operation.get("parameters").and_then(Value::as_array);
    let place = |place: &str| {
        parameters.into_iter().flatten().any(|one| one["in"] == place || one.get("$ref").is_some())
    };
    let (in_path, in_query) = (place("path"), place("query"));
    let is_open = operation.get("security").is_some();
    let Some(responses) = operation.get_mut("responses").and_then(Value::as_object_mut) else {
        return;
    };
    let mut add = |status: &str, name: &str| {
        let reference = json!({"$ref": format!("#/components/responses/{name}")});
        responses.entry(status).or_insert(reference);
    };
    for status in ALWAYS {
        add(status, "Error");
    }
    if !is_open {
        add("401", "Error");
    }
    if path_has_parameters || in_path {
        add("404", "Error");
    }
    if in_query {
        add("422", "Error");
    }
    if has_body {
        for status in WITH_BODY {
            add(status, "Error");
        }
        add("429", "Busy");
    }
}

/// The parts are written here: a test reads all of them.
fn parse(part: &str) -> Value {
    serde_json::from_str(part).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_part_can_be_read_and_every_reference_leads_somewhere() {
        for part in [HEAD, PATHS].into_iter().chain(SCHEMAS) {
            assert!(serde_json::from_str::<Value>(part).is_ok());
        }
        let document = document();
        let text = document.to_string();
        let mut used = BTreeSet::new();
        for rest in text.split("\"$ref\":\"#").skip(1) {
            let pointer = rest.split('"').next().unwrap();
            assert!(document.pointer(pointer).is_some(), "{pointer}");
            used.insert(pointer);
        }
        for name in document["components"]["schemas"].as_object().unwrap().keys() {
            let pointer = format!("/components/schemas/{name}");
            assert!(used.contains(pointer.as_str()), "{name} is used by nothing");
        }
    }

    /// The router can't be asked for its routes, so its source is.
    #[test]
    fn every_route_is_described_with_its_methods() {
        let source = include_str!("routes/mod.rs");
        let mut routes = BTreeSet::new();
        for route in source.split(".route(\"").skip(1) {
            let (path, handlers) = route.split_once("\", ").unwrap();
            let handlers = handlers.lines().next().unwrap();
            for method in ["get", "post", "delete", "put", "patch"] {
                let names = [format!("{method}("), format!(".{method}(")];
                if handlers.starts_with(&names[0]) || handlers.contains(&names[1]) {
                    routes.insert(format!("{method} /api/v1{path}"));
                }
            }
        }
        assert!(routes.len() > 15 && routes.contains("delete /api/v1/audits/{id}"), "{routes:?}");
        let mut described = BTreeSet::new();
        let mut names = BTreeSet::new();
        for (path, item) in document()["paths"].as_object().unwrap() {
            for (method, operation) in item.as_object().unwrap() {
                if method != "parameters" {
                    described.insert(format!("{method} {path}"));
                    assert!(names.insert(operation["operationId"].to_string()), "{operation}");
                    assert!(operation["summary"].is_string(), "{operation}");
                }
            }
        }
        assert_eq!(routes, described);
    }
}
