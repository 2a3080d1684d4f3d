//! Whatever a client sends is answered soon, with a reason, and never by a failure of the server.

use std::time::{Duration, Instant};

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::{Map, Value, json};

use crate::support::{Answered, Running, german};

const ROUTES: [&str; 5] = ["score", "explain", "prices", "tradeoff", "audits"];

/// Texts that may mean something to somebody.
const TEXTS: [&str; 24] = [
    "",
    " ",
    "duration",
    "duration stays",
    "duration <= 1e308",
    "duration <= -1e-308",
    "if duration changes then housing is own",
    "not not not not duration stays",
    "((((((((duration stays",
    "at most 99999999999999999999 of duration, age change",
    "duration, credit_amount, age change together",
    "`duration`.range = [0, 1]",
    "null",
    "NaN",
    "-1e400",
    "\u{0}",
    "\u{202e}\u{1f4a3}",
    "../../etc/passwd",
    "<script>alert(1)</script>",
    "'; drop table applicants; --",
    "own",
    "decrease",
    "immutable",
    "0 to 200 DM",
];

const NUMBERS: [f64; 14] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    2.0,
    4.0,
    1e-308,
    5e-324,
    1e15,
    1e16,
    1e308,
    -1e308,
    9_007_199_254_740_993.0,
];

const KEYS: [&str; 25] = [
    "row",
    "application",
    "wishes",
    "features",
    "max_changes",
    "rules",
    "plans",
    "reasons",
    "why_none",
    "time_limit",
    "at_most",
    "locked",
    "range",
    "change",
    "effort",
    "levels",
    "rows",
    "rejected",
    "by",
    "small_group",
    "age:30,50",
    "duration",
    "housing",
    "age",
    "",
];

struct Chaos(ChaCha8Rng);

impl Chaos {
    fn below(&mut self, count: usize) -> usize {
        self.0.random_range(0..count)
    }

    /// Any JSON value, not too deep.
    fn value(&mut self, depth: usize) -> Value {
        match self.below(if depth == 0 { 5 } else { 7 }) {
            0 => Value::Null,
            1 => json!(self.below(2) == 0),
            2 => json!(NUMBERS[self.below(NUMBERS.len())]),
            3 => json!(self.below(70)),
            4 => json!(TEXTS[self.below(TEXTS.len())]),
            5 => (0..self.below(4)).map(|_| self.value(depth - 1)).collect(),
            _ => {
                let mut object = Map::new();
                for _ in 0..self.below(5) {
                    let key = KEYS[self.below(KEYS.len())].to_owned();
                    object.insert(key, self.value(depth - 1));
                }
                Value::Object(object)
            }
        }
    }

    /// A sensible question with something in it replaced.
    fn nearly_sensible(&mut self, server: &Running) -> Value {
        let row = 1 + self.below(1000) as u64;
        let mut question = json!({
            "row": row,
            "time_limit": 0.2,
            "wishes": {
                "max_changes": 1 + self.below(4),
                "features": {"duration": {"range": [4, 30]}, "housing": {"locked": true}},
                "rules": ["telephone stays"],
            },
        });
        if self.below(3) == 0 {
            question["wishes"]["rules"][0] = json!(TEXTS[self.below(TEXTS.len())]);
        }
        if self.below(2) == 0 {
            question["application"] = server.application(row);
            question.as_object_mut().unwrap().remove("row");
        }
        for _ in 0..self.below(3) {
            self.replace(&mut question);
        }
        question
    }

    fn replace(&mut self, value: &mut Value) {
        let leave = self.below(4) == 0;
        match value {
            Value::Object(object) if !object.is_empty() && !leave => {
                let index = self.below(object.len());
                if let Some((_, inner)) = object.iter_mut().nth(index) {
                    self.replace(inner);
                }
            }
            Value::Array(list) if !list.is_empty() && !leave => {
                let index = self.below(list.len());
                self.replace(&mut list[index]);
            }
            other => *other = self.value(3),
        }
    }
}

/// Neither a failure nor a riddle.
fn check(answer: &Answered, asked: &str) -> bool {
    assert!(
        matches!(answer.status, 200 | 202 | 400..500),
        "{} for {asked}: {}",
        answer.status,
        answer.text
    );
    if answer.status >= 400 {
        let error = &answer.json()["error"];
        assert!(!error["message"].as_str().unwrap().is_empty(), "{asked}: {error}");
        for inside in ["panicked", ".rs:", "src/", "unwrap"] {
            assert!(!answer.text.contains(inside), "{asked}: {}", answer.text);
        }
    }
    answer.status < 300
}

#[test]
fn random_questions_are_answered_or_refused() {
    let server = german();
    let mut chaos = Chaos(ChaCha8Rng::seed_from_u64(7));
    let mut answered = 0;
    let began = Instant::now();
    for round in 0..600 {
        let body = match round % 3 {
            0 => chaos.value(4),
            _ => chaos.nearly_sensible(&server),
        };
        let route = ROUTES[chaos.below(ROUTES.len())];
        let asked = Instant::now();
        let answer = server.post(route, &body);
        assert!(asked.elapsed() < Duration::from_secs(20), "{route} {body}");
        answered += usize::from(check(&answer, &format!("{route} {body}")));
    }
    assert!((50..550).contains(&answered), "{answered} of 600 in {:?}", began.elapsed());
    server.get("health").ok();
}

#[test]
fn broken_json_is_refused() {
    let server = german();
    let mut chaos = Chaos(ChaCha8Rng::seed_from_u64(11));
    for _ in 0..200 {
        let mut bytes = chaos.nearly_sensible(&server).to_string().into_bytes();
        for _ in 0..=chaos.below(3) {
            let place = chaos.below(bytes.len());
            match chaos.below(3) {
                0 => bytes.truncate(place.max(1)),
                1 => bytes[place] = chaos.below(256) as u8,
                _ => bytes.insert(place, chaos.below(256) as u8),
            }
        }
        let route = ROUTES[chaos.below(ROUTES.len())];
        let answer = server.post_bytes(route, "application/json", &bytes);
        check(&answer, &format!("{route} {}", String::from_utf8_lossy(&bytes)));
    }
    server.get("health").ok();
}

#[test]
fn rules_as_deep_and_as_long_as_possible_are_answered() {
    let server = german();
    for rule in [
        "(".repeat(999),
        format!("{}duration stays", "not ".repeat(240)),
        format!("{}duration stays{}", "(".repeat(480), ")".repeat(480)),
        vec!["duration >= 4"; 60].join(" or "),
        vec!["duration stays"; 55].join(" and "),
        "9".repeat(1000),
    ] {
        let body =
            json!({"row": 2, "time_limit": 1.0, "wishes": {"rules": vec![rule.clone(); 50]}});
        check(&server.post("explain", &body), &rule);
    }
    let long = json!({"row": 2, "wishes": {"rules": ["x".repeat(1001)]}});
    server.post("explain", &long).refused(422);
    let many = json!({"row": 2, "wishes": {"rules": vec!["duration stays"; 51]}});
    server.post("explain", &many).refused(422);
}

#[test]
fn a_flood_of_mistakes_costs_neither_time_nor_an_answer_without_end() {
    let server = german();
    let many: Map<String, Value> =
        (0..40_000).map(|key| (format!("duratio{key}"), json!(key))).collect();
    let long: Map<String, Value> = [("d".repeat(900_000), json!(1))].into_iter().collect();
    for flood in [&many, &long] {
        for body in [
            json!(flood),
            json!({"application": flood}),
            json!({"row": 2, "wishes": flood}),
            json!({"row": 2, "wishes": {"features": flood}}),
            json!({"row": 2, "wishes": {"features": {"savings": flood}}}),
            json!({"row": 2, "wishes": {"features": {"savings": {"levels": flood.keys().collect::<Vec<_>>()}}}}),
        ] {
            let asked = Instant::now();
            let answer = server.post("explain", &body);
            answer.refused(422);
            assert!(asked.elapsed() < Duration::from_secs(3), "{:?}", asked.elapsed());
            assert!(answer.text.len() < 200_000, "{}", answer.text.len());
        }
    }
}

#[test]
fn odd_requests_do_not_disturb_others() {
    let server = german();
    let host = server.host();
    for bytes in [
        "\r\n\r\n".to_owned(),
        "GET\r\n\r\n".to_owned(),
        "\u{0}\u{1}\u{2}".repeat(100),
        format!("GET /api/v1/about HTTP/9.9\r\nHost: {host}\r\n\r\n"),
        format!("GET /{} HTTP/1.1\r\nHost: {host}\r\n\r\n", "a".repeat(200_000)),
        format!("GET / HTTP/1.1\r\nHost: {host}\r\n{}\r\n", "X: y\r\n".repeat(5000)),
        format!(
            "POST /api/v1/explain HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: -1\r\n\r\n"
        ),
        format!(
            "POST /api/v1/explain HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: 99999999999\r\n\r\n{{}}"
        ),
        format!(
            "POST /api/v1/explain HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"
        ),
        format!(
            "GET /api/v1/applicants?%zz=%ff HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
        ),
    ] {
        let answer = server.raw(bytes.as_bytes());
        assert!(
            answer.is_empty()
                || answer.starts_with("HTTP/1.1 4")
                || answer.starts_with("HTTP/1.0 4"),
            "{answer}"
        );
    }
    server.get("health").ok();
}
