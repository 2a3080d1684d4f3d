//! A server on a free port of this machine, and questions to it.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::OnceLock;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use amends::data::Dataset;
use amends::explain::{ExplainSettings, Preset, Wishes};
use amends::model::{ModelKind, TrainSettings};
use amends::provenance::Provenance;
use amends::reasons::ReasonGroup;
use amends_run::SplitTable;
use amends_web::{Server, Service, Settings, Stopper};
use serde_json::{Value, json};

use crate::contract::{check_answer, check_question};

/// A server that runs until it is dropped.
pub struct Running {
    pub url: String,
    pub stopper: Stopper,
    pub agent: ureq::Agent,
    thread: Option<JoinHandle<amends::Result<()>>>,
}

/// An answer: its status, its headers and its body, which is JSON but for files.
pub struct Answered {
    pub status: u16,
    pub headers: ureq::http::HeaderMap,
    pub text: String,
}

impl Answered {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {}", self.text))
    }

    /// The body of an answer that must be a success.
    pub fn ok(&self) -> Value {
        assert_eq!(self.status, 200, "{}", self.text);
        self.json()
    }

    /// The error of an answer that must be this refusal.
    pub fn refused(&self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}", self.text);
        self.json()["error"].clone()
    }
}

/// German credit, decided by a model of this kind, with at most so many changes.
pub fn service(kind: ModelKind, max_changes: usize, wishes: &[&str]) -> Service {
    service_on(Dataset::german(), kind, max_changes, wishes)
}

/// The same on a table with a schema of its own.
pub fn service_on(
    dataset: Dataset,
    kind: ModelKind,
    max_changes: usize,
    wishes: &[&str],
) -> Service {
    let table = SplitTable::new(dataset, "german", 0.25, 0).unwrap();
    let settings = TrainSettings { trees: 30, ..TrainSettings::default() };
    let model = table.train(kind, &settings).unwrap();
    let mut costs = ExplainSettings::preset(Preset::Standard, "german");
    costs.max_changes = max_changes;
    let explainer = table.explainer(&model, &costs).unwrap();
    let explainer = table.with_reason_group(explainer, ReasonGroup::default()).unwrap();
    let wishes = Wishes::parse(wishes.iter().copied(), &table.dataset.schema).unwrap();
    Service::new((model, explainer), table.dataset, &wishes, &provenance()).unwrap()
}

pub fn provenance() -> Provenance {
    Provenance {
        version: "0.0.0".to_owned(),
        commit: "none".to_owned(),
        date: amends_run::machine::now().unwrap(),
        seed: Some(0),
        test_share: Some(0.25),
        engine: "search".to_owned(),
        gap: 1e-6,
        time_limit: Some(10.0),
        rules: Vec::new(),
        model_sha256: "m".to_owned(),
        schema_sha256: "s".to_owned(),
        data_sha256: "d".to_owned(),
    }
}

/// The usual server of most tests.
pub fn german() -> Running {
    start(service(ModelKind::LogisticRegression, 4, &[]), Settings::default())
}

/// A server with other settings; its port is a free one.
pub fn start(service: Service, settings: Settings) -> Running {
    let server = Server::bind(service, Settings { port: 0, ..settings }).unwrap();
    let (url, stopper) = (server.url(), server.stopper());
    let thread = std::thread::spawn(move || server.run());
    let config = ureq::Agent::config_builder().http_status_as_error(false);
    let agent = config.timeout_global(Some(Duration::from_secs(60))).build().new_agent();
    Running { url, stopper, agent, thread: Some(thread) }
}

impl Running {
    pub fn api(&self, path: &str) -> String {
        format!("{}api/v1/{path}", self.url)
    }

    /// The address without scheme.
    pub fn host(&self) -> &str {
        self.url.trim_start_matches("http://").trim_end_matches('/')
    }

    /// The server's description of its API.
    fn document(&self) -> &'static Value {
        static DOCUMENT: OnceLock<Value> = OnceLock::new();
        DOCUMENT
            .get_or_init(|| answered(self.agent.get(self.api("openapi.json")).call().unwrap()).ok())
    }

    /// An answer that must be as it is described.
    fn described(&self, method: &str, path: &str, answer: Answered) -> Answered {
        check_answer(self.document(), method, path, &answer);
        answer
    }

    pub fn get(&self, path: &str) -> Answered {
        let answer = answered(self.agent.get(self.api(path)).call().unwrap());
        self.described("get", path, answer)
    }

    pub fn delete(&self, path: &str) -> Answered {
        let answer = answered(self.agent.delete(self.api(path)).call().unwrap());
        self.described("delete", path, answer)
    }

    pub fn post(&self, path: &str, body: &Value) -> Answered {
        let request = self.agent.post(self.api(path)).header("content-type", "application/json");
        let answer = answered(request.send(body.to_string()).unwrap());
        if answer.status < 300 {
            check_question(self.document(), path, body);
        }
        self.described("post", path, answer)
    }

    /// A body that need not be JSON.
    pub fn post_bytes(&self, path: &str, kind: &str, body: &[u8]) -> Answered {
        let request = self.agent.post(self.api(path)).header("content-type", kind);
        self.described("post", path, answered(request.send(body).unwrap()))
    }

    /// Sends bytes as they are, and reads the answer until the connection ends.
    pub fn raw(&self, bytes: &[u8]) -> String {
        let mut stream = TcpStream::connect(self.host()).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        // The server may refuse before everything is sent.
        let _ = stream.write_all(bytes);
        let mut text = Vec::new();
        let _ = stream.read_to_end(&mut text);
        String::from_utf8_lossy(&text).into_owned()
    }

    /// A request whose head is written by hand: the answer's status.
    pub fn status_of(&self, head: &str) -> u16 {
        let text = self.raw(format!("{head}\r\nConnection: close\r\n\r\n").as_bytes());
        text.split(' ')
            .nth(1)
            .and_then(|status| status.parse().ok())
            .unwrap_or_else(|| panic!("{text}"))
    }

    /// The application of a row.
    pub fn application(&self, row: u64) -> Value {
        self.get(&format!("applicants/{row}")).ok()["application"].clone()
    }

    /// The rows of the first rejected applicants.
    pub fn rejected(&self, count: usize) -> Vec<u64> {
        let list = self.get(&format!("applicants?decision=rejected&limit={count}")).ok();
        let rows = list["applicants"].as_array().unwrap().iter();
        rows.map(|one| one["row"].as_u64().unwrap()).collect()
    }

    /// The answer to a question about a row with wishes.
    pub fn explain(&self, row: u64, wishes: &Value) -> Value {
        self.post("explain", &json!({"row": row, "wishes": wishes})).ok()
    }

    /// Waits until something is so.
    pub fn wait_until(&self, what: &str, is_so: impl Fn(&Stopper) -> bool) {
        let began = Instant::now();
        while !is_so(&self.stopper) {
            assert!(
                began.elapsed() < Duration::from_secs(30),
                "{what}: {:?}",
                self.stopper.counts()
            );
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Stops the server, and returns how long that took.
    pub fn stop(&mut self) -> Duration {
        let began = Instant::now();
        self.stopper.stop();
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap().unwrap();
        }
        began.elapsed()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stopper.stop();
    }
}

pub fn answered(mut response: ureq::http::Response<ureq::Body>) -> Answered {
    let text = response.body_mut().read_to_string().unwrap();
    Answered { status: response.status().as_u16(), headers: response.headers().clone(), text }
}
