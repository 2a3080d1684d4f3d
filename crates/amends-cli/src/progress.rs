//! Progress on standard error: a bar where a person watches, otherwise a line now and then.

use std::fmt::Write as _;
use std::io::IsTerminal;
use std::time::{Duration, Instant};

use amends::Status;
use amends::engine::Progress;
use indicatif::{HumanCount, HumanDuration, ProgressBar, ProgressStyle};

/// How often a line is written to a log.
const LOGGED_EVERY: Duration = Duration::from_secs(30);

/// A bar is drawn only for work that takes longer than this.
const SHOWN_AFTER: Duration = Duration::from_secs(2);

/// A bar over a known number of steps.
pub fn bar(steps: usize, what: &str) -> ProgressBar {
    let bar = ProgressBar::new(steps as u64);
    let style = ProgressStyle::with_template("{msg} [{bar:30}] {pos}/{len}, {eta} left")
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .progress_chars("=> ");
    bar.set_style(style);
    bar.set_message(what.to_owned());
    bar.enable_steady_tick(Duration::from_millis(250));
    bar
}

/// A bar over a known number of steps of very different length: the message says how long they will take.
pub fn bar_with_message(steps: usize) -> ProgressBar {
    let bar = ProgressBar::new(steps as u64);
    let style = ProgressStyle::with_template("[{bar:30}] {pos}/{len}, {wide_msg}")
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .progress_chars("=> ");
    bar.set_style(style);
    bar.enable_steady_tick(Duration::from_millis(250));
    bar
}

/// A sign of life for work of unknown length.
pub fn spinner(what: &str) -> ProgressBar {
    let bar = ProgressBar::new_spinner();
    bar.set_message(what.to_owned());
    bar.enable_steady_tick(Duration::from_millis(250));
    bar
}

/// One solve: a sign of life for any engine, and what the search reports on its way.
pub struct SolveProgress(ProgressBar);

impl SolveProgress {
    pub fn start() -> Self {
        Self(spinner("solving"))
    }

    pub fn report(&self, progress: Progress) {
        let best = progress.best.map_or_else(|| "none yet".to_owned(), |best| format!("{best:.6}"));
        self.0.set_message(format!(
            "solving: best {best}, bound {:.6}, {:.0} % of the space done",
            progress.bound,
            100.0 * progress.share
        ));
    }
}

impl Drop for SolveProgress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// Many applicants: how many are done, how fast, how long the rest will take, and how they ended.
pub struct BatchProgress {
    doing: &'static str,
    all: usize,
    done: usize,
    /// Of them, those whom an earlier run had answered.
    known: usize,
    counts: Counts,
    began: Instant,
    /// Where a person watches.
    bar: Option<ProgressBar>,
    logged: Instant,
}

#[derive(Default)]
struct Counts {
    accepted: usize,
    plans: usize,
    none: usize,
    unproven: usize,
    errors: usize,
}

impl BatchProgress {
    pub fn new(doing: &'static str, all: usize) -> Self {
        let (counts, began) = (Counts::default(), Instant::now());
        Self { doing, all, done: 0, known: 0, counts, began, bar: None, logged: began }
    }

    /// Somebody was answered by an earlier run.
    pub fn known(&mut self) {
        self.known += 1;
    }

    /// Somebody is answered.
    pub fn add(&mut self, status: Option<Status>) {
        self.done += 1;
        match status {
            Some(Status::AlreadyAccepted) => self.counts.accepted += 1,
            Some(Status::Optimal) => self.counts.plans += 1,
            Some(Status::Infeasible) => self.counts.none += 1,
            Some(Status::Feasible | Status::Timeout) => self.counts.unproven += 1,
            None => self.counts.errors += 1,
        }
        if std::io::stderr().is_terminal() {
            if self.bar.is_none() && self.began.elapsed() >= SHOWN_AFTER {
                self.bar = Some(bar_with_message(self.all));
            }
            if let Some(bar) = &self.bar {
                bar.set_position(self.done as u64);
                bar.set_message(self.message());
            }
        } else if self.logged.elapsed() >= LOGGED_EVERY {
            self.logged = Instant::now();
            let (done, all) = (HumanCount(self.done as u64), HumanCount(self.all as u64));
            eprintln!("{}: {done} of {all} applicants, {}", self.doing, self.message());
        }
    }

    fn message(&self) -> String {
        let mut text = String::new();
        let fresh = self.done.saturating_sub(self.known);
        let rate = fresh as f64 / self.began.elapsed().as_secs_f64().max(1e-3);
        if rate > 0.0 {
            let left = Duration::from_secs_f64((self.all - self.done) as f64 / rate);
            let _ = write!(text, "{rate:.1} per second, {} left: ", HumanDuration(left));
        }
        let Counts { accepted, plans, none, unproven, errors } = &self.counts;
        let _ = write!(
            text,
            "{plans} best plans, {none} without a plan, {unproven} unproven, {accepted} accepted as they are"
        );
        if *errors > 0 {
            let _ = write!(text, ", {errors} could not be read");
        }
        text
    }
}

impl Drop for BatchProgress {
    fn drop(&mut self) {
        self.bar.iter().for_each(ProgressBar::finish_and_clear);
    }
}
