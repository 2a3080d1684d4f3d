//! The audits of a server: those that wait, the one that runs, and the last few that ended.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::job::{Job, State};
use super::request::{People, Request};
use super::run::run_all;
use crate::app::App;
use crate::refusal::Refusal;

/// So many audits may wait for the one that runs.
const MOST_WAITING: usize = 4;

/// So many audits that ended are kept.
const MOST_KEPT: usize = 10;

/// As many rows of audits that ended are kept; of a larger one, the last.
const MOST_ROWS: usize = 2_000_000;

/// An audit takes seconds to minutes.
const TRY_AGAIN: u32 = 10;

/// The audits of a server.
#[derive(Default)]
pub struct Audits(Mutex<Known>);

#[derive(Default)]
struct Known {
    /// In the order in which they were asked for.
    jobs: Vec<Arc<Job>>,
    /// Whether somebody works on them.
    at_work: bool,
}

impl Audits {
    /// Refuses another audit where enough wait.
    pub fn check_room(&self) -> Result<(), Refusal> {
        self.known().check_room()
    }

    /// Adds an audit, which runs when those before it have ended.
    pub fn start(app: &App, request: Request, people: People) -> Result<Arc<Job>, Refusal> {
        let mut id = [0; 8];
        getrandom::fill(&mut id).map_err(|_| Refusal::broken())?;
        let id = format!("{:016x}", u64::from_ne_bytes(id));
        let job = Arc::new(Job::new(id, request, people, &app.service));
        let mut known = app.audits.known();
        known.check_room()?;
        known.jobs.push(Arc::clone(&job));
        known.forget_the_oldest();
        if !known.at_work {
            known.at_work = true;
            tokio::spawn(run_all(app.clone()));
        }
        Ok(job)
    }

    /// The next that waits, if any; whoever gets none works no more.
    pub(super) fn next(&self) -> Option<Arc<Job>> {
        let mut known = self.known();
        let next = known.jobs.iter().find(|job| job.begin()).map(Arc::clone);
        known.at_work = next.is_some();
        next
    }

    /// All that are known, in the order in which they were asked for.
    pub fn list(&self) -> Vec<Arc<Job>> {
        self.known().jobs.clone()
    }

    /// The audit of this name.
    pub fn get(&self, id: &str) -> Result<Arc<Job>, Refusal> {
        let known = self.known();
        let found = known.jobs.iter().find(|job| job.id == id).map(Arc::clone);
        found.ok_or_else(|| {
            Refusal::not_found(
                "there is no such audit",
                "see /api/v1/audits for those that the server still knows",
            )
        })
    }

    /// Stops an audit.
    pub fn cancel(app: &App, id: &str) -> Result<Arc<Job>, Refusal> {
        let job = app.audits.get(id)?;
        job.stop();
        app.solves.wake();
        Ok(job)
    }

    /// Stops an audit and forgets it.
    pub fn remove(app: &App, id: &str) -> Result<(), Refusal> {
        let job = Self::cancel(app, id)?;
        app.audits.known().jobs.retain(|other| other.id != job.id);
        Ok(())
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Known {
    fn check_room(&self) -> Result<(), Refusal> {
        let unended = self.jobs.iter().filter(|job| !job.state().has_ended());
        // One runs, if only a moment from now.
        if unended.count() > MOST_WAITING {
            return Err(Refusal::busy("too many audits wait already", TRY_AGAIN));
        }
        Ok(())
    }

    /// Forgets the oldest audits that ended, as far as there are too many, or too many rows of them.
    fn forget_the_oldest(&mut self) {
        let (mut kept, mut rows) = (0, 0);
        let mut keep: Vec<bool> = Vec::new();
        for job in self.jobs.iter().rev() {
            let ended = job.state().has_ended();
            if ended {
                kept += 1;
                rows += job.people.records.len();
            }
            keep.push(!ended || (kept <= MOST_KEPT && (kept == 1 || rows <= MOST_ROWS)));
        }
        let mut keep = keep.into_iter().rev();
        self.jobs.retain(|_| keep.next() == Some(true));
    }
}

impl std::fmt::Debug for Audits {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let states: Vec<State> = self.list().iter().map(|job| job.state()).collect();
        f.debug_tuple("Audits").field(&states).finish()
    }
}
