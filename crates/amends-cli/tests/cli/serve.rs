//! `amends serve`: it listens, answers and stops, and refuses what would let anybody in.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::Folder;

const TOKEN: &str = "0123456789abcdef0123456789abcdef";

/// The program while it serves.
struct Serving {
    child: Child,
    host: String,
    output: BufReader<std::process::ChildStdout>,
}

impl Serving {
    /// Starts the program and waits until it listens.
    fn start(folder: &Folder, more: &[&str], token: Option<&str>) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_amends"));
        command.current_dir(folder.path()).args(["serve", "--port", "0"]).args(more);
        command.env_remove("AMENDS_TOKEN").envs(token.map(|token| ("AMENDS_TOKEN", token)));
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        let host = line
            .trim()
            .strip_prefix("amends is at http://")
            .and_then(|rest| rest.strip_suffix('/'));
        let host = host.unwrap_or_else(|| panic!("{line:?}")).to_owned();
        line.clear();
        output.read_line(&mut line).unwrap();
        assert_eq!(line, "Press Ctrl-C to stop\n");
        Self { child, host, output }
    }

    /// The status and the body of an answer.
    fn ask(&self, head: &str, body: &str) -> (u16, Value) {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        let (host, length) = (&self.host, body.len());
        write!(
            stream,
            "{head}\r\nHost: {host}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
        )
        .unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        let status = text.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap();
        let (_, body) = text.split_once("\r\n\r\n").unwrap();
        (status, serde_json::from_str(body).unwrap_or(Value::Null))
    }

    fn get(&self, path: &str) -> (u16, Value) {
        self.ask(&format!("GET /api/v1/{path} HTTP/1.1"), "")
    }

    /// Presses Ctrl-C: the rest of standard output, standard error and the exit code.
    fn stop(mut self) -> (String, String, Option<i32>) {
        let began = Instant::now();
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
        let code = self.child.wait().unwrap().code();
        assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
        let (mut out, mut err) = (String::new(), String::new());
        self.output.read_to_string(&mut out).unwrap();
        self.child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
        (out, err, code)
    }
}

#[test]
fn it_answers_as_explain_does_and_stops_on_ctrl_c() {
    let folder = Folder::new();
    let serving = Serving::start(&folder, &[], None);
    let (status, about) = serving.get("about");
    assert_eq!((status, &about["data"]), (200, &Value::from("german")));
    assert_eq!(about["version"], env!("CARGO_PKG_VERSION"));
    let explained = folder.answers(&["explain", "--row", "5", "--format", "json"]).json();
    let (status, served) = serving.ask("POST /api/v1/explain HTTP/1.1", r#"{"row": 5}"#);
    assert_eq!(status, 200, "{served}");
    for key in ["objective", "distance", "outlier", "score_after", "changes", "application"] {
        assert_eq!(served["plans"][0][key], explained[0][key], "{key}");
    }
    let (out, err, code) = serving.stop();
    assert_eq!((out.as_str(), err.as_str(), code), ("", "", Some(0)));
}

#[test]
fn a_table_with_its_schema_its_rules_and_its_model_is_served() {
    let folder = Folder::with_loans();
    let data = ["--data", "loans.csv", "--schema", "loans.toml"];
    folder.answers_on_loans("train", &["--model", "rf", "-o", "forest.json"]);
    let more = [
        "--model",
        "forest.json",
        "--rule",
        "housing stays",
        "--max-changes",
        "2",
        "--time-limit",
        "7",
        "--log",
    ];
    let serving = Serving::start(&folder, &[&data[..], &more].concat(), None);
    let (_, about) = serving.get("about?a-name=Jane");
    assert_eq!((&about["data"], &about["max_changes"]), (&Value::from("loans"), &Value::from(2)));
    assert_eq!(about["time_limit"], 7.0);
    let (_, schema) = serving.get("schema");
    assert_eq!(schema["rules"], serde_json::json!(["housing stays"]));
    let (_, list) = serving.get("applicants?decision=rejected&limit=1");
    let row = &list["applicants"][0]["row"];
    let (_, before) = serving.get(&format!("applicants/{row}"));
    let (status, served) =
        serving.ask("POST /api/v1/explain HTTP/1.1", &format!("{{\"row\": {row}}}"));
    assert_eq!(status, 200, "{served}");
    for plan in served["plans"].as_array().unwrap() {
        assert_eq!(plan["application"]["housing"], before["application"]["housing"]);
    }
    let (_, err, _) = serving.stop();
    let lines: Vec<&str> = err.lines().collect();
    assert!(lines[0].starts_with("GET /api/v1/about 200 "), "{err}");
    assert!(!err.contains("Jane") && lines.len() == 5, "{err}");
}

#[test]
fn the_token_comes_from_a_file_or_the_environment() {
    let folder = Folder::new().with("token", format!("{TOKEN}\n"));
    for serving in [
        Serving::start(&folder, &["--token", "token"], None),
        Serving::start(&folder, &[], Some(TOKEN)),
    ] {
        assert_eq!(serving.get("about").0, 401);
        let head = format!("GET /api/v1/about HTTP/1.1\r\nAuthorization: Bearer {TOKEN}");
        assert_eq!(serving.ask(&head, "").0, 200);
        let (_, err, code) = serving.stop();
        assert_eq!((err.as_str(), code), ("", Some(0)));
    }
}

#[test]
fn what_would_let_anybody_in_is_refused() {
    let folder = Folder::new().with("short", "secret").with("token", TOKEN);
    for (args, parts) in [
        (&["--address", "0.0.0.0"][..], &["`0.0.0.0`", "there is no token", "AMENDS_TOKEN"][..]),
        (&["--address", "0.0.0.0", "--token", "token"], &["nothing would be encrypted"]),
        (&["--token", "short"], &["short", "at least 32 characters"]),
        (&["--token", "nowhere"], &["nowhere"]),
        (&["--host", "a/b"], &["`a/b`", "not the name of a host"]),
        (&["--threads", "0"], &["threads"]),
        (
            &["--tls-certificate", "token", "--tls-key", "token"],
            &["token", "has no certificates in PEM"],
        ),
    ] {
        let args: Vec<&str> =
            ["serve", "--port", "0"].into_iter().chain(args.iter().copied()).collect();
        let run = folder.run(&args);
        assert_eq!((run.code, run.out.as_str()), (Some(2), ""), "{args:?}: {}", run.err);
        for part in parts {
            assert!(run.err.contains(part), "{part:?} is not in {:?}", run.err);
        }
    }
}
