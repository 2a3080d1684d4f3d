//! Users in front of a running server: how long they wait, what fails, and how much memory the server takes.
//!
//! ```sh
//! amends serve --port 8170 &
//! cargo run --release -p amends-web --example load -- --users 50 --seconds 60 --process $!
//! ```
//!
//! Every user opens the page, picks a rejected applicant, and then makes one wish after the other, as somebody would by hand:
//! a limit on the changes, a locked feature, another effort. Each wish is solved, and now and then its price and the trade-off
//! are asked for. The server must be on this machine.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use clap::Parser;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

#[derive(Debug, Parser)]
struct Args {
    /// Where the server is
    #[arg(long, default_value = "http://127.0.0.1:8170/")]
    url: String,
    /// How many users there are at the same time
    #[arg(long, default_value_t = 50)]
    users: u64,
    /// How long they stay
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// The mean number of milliseconds that a user thinks before the next wish
    #[arg(long, default_value_t = 1000)]
    think: u64,
    /// The server's process, whose memory is watched (Linux)
    #[arg(long)]
    process: Option<u32>,
}

/// What the users saw.
#[derive(Debug, Default)]
struct Seen {
    /// Milliseconds of every answer, by what was asked.
    times: BTreeMap<&'static str, Vec<f64>>,
    /// How often something else than an answer came, by what it was.
    failures: BTreeMap<String, usize>,
}

/// The names of the features that may change.
type Features = Vec<String>;

struct User<'a> {
    args: &'a Args,
    agent: ureq::Agent,
    seen: &'a Mutex<Seen>,
    random: ChaCha8Rng,
}

impl User<'_> {
    /// Asks, and notes how long that took.
    fn ask(&self, name: &'static str, path: &str, body: Option<&Value>) -> Option<String> {
        let url = format!("{}{path}", self.args.url);
        let began = Instant::now();
        let response = match body {
            None => self.agent.get(url).call(),
            Some(body) => self
                .agent
                .post(url)
                .header("content-type", "application/json")
                .send(body.to_string()),
        };
        let answer = response.map_err(|error| error.to_string()).and_then(|mut response| {
            let text = response.body_mut().read_to_string().map_err(|error| error.to_string())?;
            let status = response.status();
            if status.is_success() { Ok(text) } else { Err(format!("{name}: {status}")) }
        });
        let took = began.elapsed().as_secs_f64() * 1000.0;
        let mut seen = self.seen.lock().expect("no user panics");
        match answer {
            Ok(text) => {
                seen.times.entry(name).or_default().push(took);
                Some(text)
            }
            Err(error) => {
                *seen.failures.entry(error).or_default() += 1;
                None
            }
        }
    }

    fn api(&self, name: &'static str, path: &str, body: Option<&Value>) -> Option<Value> {
        let text = self.ask(name, &format!("api/v1/{path}"), body)?;
        serde_json::from_str(&text).ok()
    }

    /// Thinks for a while.
    fn think(&mut self) {
        let most = 2 * self.args.think;
        if most > 0 {
            std::thread::sleep(Duration::from_millis(self.random.random_range(0..=most)));
        }
    }

    /// One visit: an applicant, and wishes until the user leaves or time is over.
    fn visit(&mut self, until: Instant) {
        for path in ["", "app.js", "app.css"] {
            self.ask("page", path, None);
        }
        let Some(schema) = self.api("schema", "schema", None) else { return };
        let features = free_features(&schema);
        let Some(list) = self.api("list", "applicants?decision=rejected&limit=200", None) else {
            return;
        };
        let rows = list["applicants"].as_array().map_or(0, Vec::len);
        if rows == 0 || features.is_empty() {
            return;
        }
        let row = list["applicants"][self.random.random_range(0..rows)]["row"].clone();
        let mut wishes = json!({"features": {}});
        for step in 0..10 {
            if Instant::now() >= until {
                return;
            }
            let question =
                json!({"row": row, "wishes": wishes, "plans": if step == 4 { 3 } else { 1 }});
            self.api(if step == 4 { "three plans" } else { "wish" }, "explain", Some(&question));
            let question = json!({"row": row, "wishes": wishes});
            match step {
                2 | 6 => drop(self.api("prices", "prices", Some(&question))),
                8 => drop(self.api("tradeoff", "tradeoff", Some(&question))),
                _ => {}
            }
            self.think();
            let feature = &features[self.random.random_range(0..features.len())];
            match self.random.random_range(0..4) {
                0 => wishes["max_changes"] = json!(self.random.random_range(1..=4)),
                1 => wishes["features"][feature] = json!({"locked": true}),
                2 => wishes["features"][feature] = json!({"effort": 2.0}),
                _ => wishes = json!({"features": {}}),
            }
        }
    }
}

/// The features that the schema lets anybody change.
fn free_features(schema: &Value) -> Features {
    let features = schema["features"].as_array().into_iter().flatten();
    let free = features.filter(|feature| feature["change"] != "immutable");
    free.filter_map(|feature| feature["name"].as_str().map(str::to_owned)).collect()
}

/// The memory of a process in MiB.
fn memory(process: u32) -> Option<f64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kib: f64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kib / 1024.0)
}

/// The value below which a share of the sorted numbers lies.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let last = sorted.len().saturating_sub(1);
    sorted.get((share * last as f64).round() as usize).copied().unwrap_or(f64::NAN)
}

fn main() {
    let args = Args::parse();
    let (began, seen) = (Instant::now(), Mutex::new(Seen::default()));
    let until = began + Duration::from_secs(args.seconds);
    std::thread::scope(|scope| {
        for number in 0..args.users {
            let (args, seen) = (&args, &seen);
            scope.spawn(move || {
                let config = ureq::Agent::config_builder().http_status_as_error(false);
                let agent =
                    config.timeout_global(Some(Duration::from_secs(120))).build().new_agent();
                let random = ChaCha8Rng::seed_from_u64(number);
                let mut user = User { args, agent, seen, random };
                while Instant::now() < until {
                    user.visit(until);
                    user.think();
                }
            });
        }
        // Memory ten times, evenly.
        if let Some(process) = args.process {
            for tenth in 0..=10 {
                let next = began + Duration::from_secs(args.seconds) * tenth / 10;
                std::thread::sleep(next.saturating_duration_since(Instant::now()));
                if let Some(mib) = memory(process) {
                    println!(
                        "after {:>6.0} s the server takes {mib:.1} MiB",
                        began.elapsed().as_secs_f64()
                    );
                }
            }
        }
    });
    let mut seen = seen.into_inner().expect("no user panics");
    println!(
        "{:>12} {:>8} {:>10} {:>10} {:>10} {:>10}",
        "", "answers", "median ms", "p95 ms", "p99 ms", "worst ms"
    );
    for (name, times) in &mut seen.times {
        times.sort_by(f64::total_cmp);
        let [median, high, higher, worst] =
            [0.5, 0.95, 0.99, 1.0].map(|share| quantile(times, share));
        println!(
            "{name:>12} {:>8} {median:>10.1} {high:>10.1} {higher:>10.1} {worst:>10.1}",
            times.len()
        );
    }
    let failed: usize = seen.failures.values().sum();
    println!("{failed} failed {:?}", seen.failures);
    if failed > 0 {
        std::process::exit(1);
    }
}
