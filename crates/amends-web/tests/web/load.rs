//! Many requests, clients that go away, and the end.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use amends::data::Dataset;
use amends::model::ModelKind;
use amends_web::Settings;
use serde_json::{Value, json};

use crate::support::{Running, german, service_on, start};

/// A server on which one solve at a time takes long: a forest, and many changes of nearly all features.
fn slow(waiting: usize) -> Running {
    let time_limit = Duration::from_secs(120);
    let settings = Settings { threads: 1, waiting, time_limit, ..Settings::default() };
    start(service_on(Dataset::german_free(), ModelKind::RandomForest, 12, &[]), settings)
}

/// A question that takes long.
fn long_question(server: &Running) -> Value {
    json!({"row": hardest(server), "at_most": 30})
}

/// The rejected applicant who is farthest from being accepted.
fn hardest(server: &Running) -> u64 {
    let list = server.get("applicants?decision=rejected&limit=1000").ok();
    let score = |one: &&Value| one["score"].as_f64().unwrap();
    let rows = list["applicants"].as_array().unwrap().iter();
    let worst = rows.min_by(|a, b| score(a).total_cmp(&score(b))).unwrap();
    worst["row"].as_u64().unwrap()
}

/// Sends a question and does not wait for the answer.
fn send(server: &Running, route: &str, body: &Value) -> TcpStream {
    let body = body.to_string();
    let mut stream = TcpStream::connect(server.host()).unwrap();
    let host = server.host();
    let length = body.len();
    write!(
        stream,
        "POST /api/v1/{route} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
    )
    .unwrap();
    stream
}

#[test]
fn a_solve_ends_when_its_client_goes_away() {
    let server = slow(4);
    let question = long_question(&server);
    let stream = send(&server, "tradeoff", &question);
    server.wait_until("the solve begins", |server| server.counts().began == 1);
    assert_eq!(server.stopper.counts().ended, 0);
    drop(stream);
    let gone = Instant::now();
    server.wait_until("the solve is cancelled", |server| server.counts().cancelled == 1);
    server.wait_until("the solve ends", |server| server.counts().ended == 1);
    assert!(gone.elapsed() < Duration::from_secs(10), "{:?}", gone.elapsed());
    // Its place is free again.
    server.post("score", &json!({"application": server.application(1)})).ok();
    server.post("explain", &json!({"row": 1, "time_limit": 1})).ok();
}

#[test]
fn more_than_may_wait_are_refused_for_a_while() {
    let server = slow(1);
    let question = long_question(&server);
    let first = send(&server, "tradeoff", &question);
    server.wait_until("the solve begins", |server| server.counts().began == 1);
    // There is room for one more: of two who ask now, one waits and the other is refused, whichever comes first.
    let mut others = [send(&server, "tradeoff", &question), send(&server, "tradeoff", &question)];
    let began = Instant::now();
    let refused = 'answered: loop {
        for other in &mut others {
            other.set_read_timeout(Some(Duration::from_millis(100))).unwrap();
            let mut text = [0; 2048];
            if let Ok(length) = other.read(&mut text) {
                break 'answered String::from_utf8_lossy(&text[..length]).into_owned();
            }
        }
        assert!(began.elapsed() < Duration::from_secs(20));
    };
    assert!(refused.starts_with("HTTP/1.1 429"), "{refused}");
    assert!(refused.to_lowercase().contains("\r\nretry-after: "), "{refused}");
    assert!(refused.contains("\"code\":\"busy\""), "{refused}");
    // What needs no solve is answered all the while.
    server.get("about").ok();
    drop((first, others));
    server.wait_until("the queue is empty", |server| {
        let counts = server.counts();
        counts.began == counts.ended && counts.cancelled >= 1
    });
    server.post("explain", &json!({"row": 1, "time_limit": 1})).ok();
}

#[test]
fn time_limits_hold() {
    let server = slow(4);
    let mut question = long_question(&server);
    question["time_limit"] = json!(0.3);
    let began = Instant::now();
    let answer = server.post("tradeoff", &question).ok();
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
    assert!(answer["end"].is_string() || answer["status"] == "timeout", "{answer}");
}

#[test]
fn stopping_cancels_what_runs_and_ends_soon() {
    let mut server = slow(4);
    let question = long_question(&server);
    let running = send(&server, "tradeoff", &question);
    let waiting = send(&server, "tradeoff", &question);
    server.wait_until("the solve begins", |server| server.counts().began == 1);
    let took = server.stop();
    assert!(took < Duration::from_secs(6), "{took:?}");
    let counts = server.stopper.counts();
    assert_eq!(counts.began, counts.ended, "{counts:?}");
    drop((running, waiting));
    assert!(TcpStream::connect(server.host()).is_err());
}

#[test]
fn several_clients_are_answered_side_by_side() {
    let server = german();
    let rows = server.rejected(16);
    let alone: Vec<Value> = rows
        .iter()
        .map(|&row| server.explain(row, &json!({}))["plans"][0]["objective"].clone())
        .collect();
    std::thread::scope(|scope| {
        let server = &server;
        let asked: Vec<_> = rows
            .iter()
            .map(|&row| {
                scope
                    .spawn(move || server.explain(row, &json!({}))["plans"][0]["objective"].clone())
            })
            .collect();
        for (asked, alone) in asked.into_iter().zip(alone) {
            assert_eq!(asked.join().unwrap(), alone);
        }
    });
}
