//! One audit, and what is known of it so far.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use amends::Result;
use amends::audit::{AuditRow, GroupColumn, Tally};
use amends::provenance::Provenance;
use amends_report::{Audit, summary_json};
use serde_json::{Value, json};

use super::request::{People, Request};
use crate::service::Service;

/// A summary is counted again at the earliest after so many times as long as counting it took.
const PATIENCE: u32 = 20;

/// How far an audit is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// Another one runs.
    Queued,
    /// It runs.
    Running,
    /// Everybody was answered.
    Finished,
    /// It was stopped before its end.
    Cancelled,
    /// It broke down.
    Failed,
}

/// What became of an applicant.
#[derive(Debug, Clone)]
pub enum Answered {
    /// The answer, without groups.
    Row(AuditRow),
    /// Why there is none.
    Error(String),
}

/// An audit.
pub struct Job {
    /// What it is called.
    pub id: String,
    /// What was asked.
    pub request: Request,
    /// Whom it is about.
    pub people: People,
    /// How many of them the model rejects.
    rejected: usize,
    /// Where its figures come from, and when it was asked for.
    provenance: Provenance,
    /// Set when it is to stop.
    pub cancel: Arc<AtomicBool>,
    progress: Mutex<Progress>,
}

/// How far it is.
struct Progress {
    state: State,
    began: Option<Instant>,
    took: Option<Duration>,
    answers: Vec<Option<Answered>>,
    done: usize,
    rejected: usize,
    errors: usize,
    tally: Tally,
    summary: Option<KnownSummary>,
}

/// The last summary that was counted.
struct KnownSummary {
    done: usize,
    counted: Instant,
    took: Duration,
    json: Value,
}

impl State {
    /// Its name in answers.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Running => "running",
            Self::Finished => "finished",
            Self::Cancelled => "cancelled",
            Self::Failed => "failed",
        }
    }

    /// Whether nothing will change any more.
    pub const fn has_ended(self) -> bool {
        matches!(self, Self::Finished | Self::Cancelled | Self::Failed)
    }
}

impl Job {
    /// An audit that has not begun.
    pub fn new(id: String, request: Request, people: People, service: &Service) -> Self {
        let columns = people.groups.iter().map(|groups| groups.column.clone()).collect();
        let progress = Progress {
            state: State::Queued,
            began: None,
            took: None,
            answers: vec![None; people.records.len()],
            done: 0,
            rejected: 0,
            errors: 0,
            tally: Tally::new(columns),
            summary: None,
        };
        let rejected = people.records.iter().filter(|&&record| !service.decisions[record].accepted);
        let provenance = Provenance {
            time_limit: Some(request.time_limit.as_secs_f64()),
            ..service.provenance_now()
        };
        Self {
            id,
            rejected: rejected.count(),
            provenance,
            cancel: Arc::default(),
            progress: Mutex::new(progress),
            request,
            people,
        }
    }

    /// How far it is.
    pub fn state(&self) -> State {
        self.progress().state
    }

    /// Whether it is to stop.
    pub fn is_cancelled(&self) -> bool {
        self.cancel.load(Ordering::SeqCst)
    }

    /// Stops it: at once where it waits, else as soon as whoever works on it looks up.
    pub fn stop(&self) {
        self.cancel.store(true, Ordering::SeqCst);
        let mut progress = self.progress();
        if progress.state == State::Queued {
            progress.state = State::Cancelled;
        }
    }

    /// It runs from now on, unless it was stopped before.
    pub fn begin(&self) -> bool {
        let mut progress = self.progress();
        if progress.state != State::Queued {
            return false;
        }
        progress.state = State::Running;
        progress.began = Some(Instant::now());
        true
    }

    /// It has ended, by itself or not.
    pub fn end(&self, broke_down: bool) {
        let mut progress = self.progress();
        progress.took = progress.began.map(|began| began.elapsed());
        progress.state = match () {
            () if progress.done == progress.answers.len() => State::Finished,
            () if broke_down => State::Failed,
            () => State::Cancelled,
        };
    }

    /// Keeps the answer of the applicant at this position.
    pub fn add(&self, position: usize, answer: Answered) {
        let counted = match &answer {
            Answered::Row(row) => Some(self.with_groups(position, row)),
            Answered::Error(_) => None,
        };
        let mut progress = self.progress();
        match counted {
            Some(row) => {
                progress.rejected += usize::from(!row.accepted());
                progress.tally.add(&row);
            }
            None => progress.errors += 1,
        }
        progress.done += 1;
        progress.answers[position] = Some(answer);
    }

    /// How many of the known answers are wanted, and some of those, each with its position.
    pub fn choose(
        &self,
        wanted: impl Fn(usize, &Answered) -> bool,
        offset: usize,
        limit: usize,
    ) -> (usize, Vec<(usize, Answered)>) {
        let progress = self.progress();
        let known = progress.answers.iter().enumerate();
        let known = known.filter_map(|(position, answer)| Some((position, answer.as_ref()?)));
        let mut total = 0;
        let mut chosen = Vec::new();
        for (position, answer) in known.filter(|(at, answer)| wanted(*at, answer)) {
            if total >= offset && chosen.len() < limit {
                chosen.push((position, answer.clone()));
            }
            total += 1;
        }
        (total, chosen)
    }

    /// An answer with the applicant's groups.
    pub fn with_groups(&self, position: usize, row: &AuditRow) -> AuditRow {
        let groups = self.people.groups.iter();
        let group =
            |by: &amends::audit::Groups| (by.column.name.clone(), by.name(position).to_owned());
        AuditRow { groups: groups.map(group).collect(), ..row.clone() }
    }

    /// The columns that people are grouped by.
    pub fn columns(&self) -> Vec<GroupColumn> {
        self.people.groups.iter().map(|groups| groups.column.clone()).collect()
    }

    /// What it is and how far, in few words.
    pub fn brief(&self) -> Value {
        let progress = self.progress();
        let seconds = progress.took.or_else(|| progress.began.map(|began| began.elapsed()));
        let seconds = seconds.unwrap_or_default().as_secs_f64();
        // The accepted take no time.
        let left = self.rejected.saturating_sub(progress.rejected);
        let running = progress.state == State::Running && progress.rejected > 0;
        let rest = running.then(|| seconds * left as f64 / progress.rejected as f64);
        json!({
            "id": self.id,
            "state": progress.state.name(),
            "created": self.provenance.date_text(),
            "who": self.people.who,
            "request": self.request.json(),
            "progress": {
                "asked": progress.answers.len(),
                "done": progress.done,
                "rejected": progress.rejected,
                "rejected_of": self.rejected,
                "errors": progress.errors,
                "seconds": seconds,
                "rest": rest,
            },
        })
    }

    /// The figures of those who are answered, as `amends audit --format json` has them.
    pub fn summary(&self, service: &Service) -> Result<Value> {
        let (tally, done) = {
            let progress = self.progress();
            let ended = progress.state.has_ended();
            let is_fresh = |known: &&KnownSummary| {
                known.done == progress.done
                    || (!ended && known.counted.elapsed() < known.took * PATIENCE)
            };
            if let Some(known) = progress.summary.as_ref().filter(is_fresh) {
                return Ok(known.json.clone());
            }
            (progress.tally.clone(), progress.done)
        };
        let began = Instant::now();
        let json = self.report(&tally, done, service, summary_json)?;
        let known = KnownSummary {
            done,
            counted: Instant::now(),
            took: began.elapsed(),
            json: json.clone(),
        };
        self.progress().summary = Some(known);
        Ok(json)
    }

    /// The report of those who are answered, made by one of the functions of `amends-report`.
    pub fn reported<T>(
        &self,
        service: &Service,
        write: impl FnOnce(&Audit<'_>) -> Result<T>,
    ) -> Result<T> {
        let (tally, done) = {
            let progress = self.progress();
            (progress.tally.clone(), progress.done)
        };
        self.report(&tally, done, service, write)
    }

    fn report<T>(
        &self,
        tally: &Tally,
        done: usize,
        service: &Service,
        write: impl FnOnce(&Audit<'_>) -> Result<T>,
    ) -> Result<T> {
        let summary = tally.summary(self.request.small_group);
        write(&Audit {
            model: &service.model,
            explainer: &service.explainer,
            who: &self.people.who,
            asked: self.people.records.len(),
            errors: done - summary.overall.applicants,
            summary: &summary,
            provenance: &self.provenance,
        })
    }

    fn progress(&self) -> MutexGuard<'_, Progress> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
