//! Answers the applicants of audits, on threads that nobody else waits for.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use amends::answer::{Ask, CachedAsk};
use amends::audit::AuditRow;
use amends::engine::{Control, SolveSettings, Solving};
use amends::explain::Wishes;
use amends::{Error, Result};

use super::job::{Answered, Job};
use crate::app::App;
use crate::request::WishList;

/// So many accepted applicants, who take no time, are answered on one turn at most.
const AT_ONCE: usize = 256;

/// Runs one audit after the other until none waits.
pub async fn run_all(app: App) {
    while let Some(job) = app.audits.next() {
        let work = {
            let (app, job) = (app.clone(), Arc::clone(&job));
            tokio::task::spawn_blocking(move || run(&app, &job))
        };
        job.end(!matches!(work.await, Ok(Ok(()))));
    }
}

/// Answers everybody, on all threads but one.
fn run(app: &App, job: &Job) -> Result<()> {
    let service = &app.service;
    let mut ask = Ask::best();
    if job.request.reasons {
        ask = ask.with_principal_reasons(service.max_reasons)?;
    }
    let workers = Workers {
        app,
        job,
        ask: CachedAsk::new(&ask, &service.explainer),
        wishes: WishList::default().wishes(service)?,
        next: Mutex::new(0),
        failure: Mutex::new(None),
    };
    let threads = app.settings.threads.saturating_sub(1).max(1).min(job.people.records.len());
    thread::scope(|scope| {
        // This thread is the first of them; fewer do the same work.
        for _ in 1..threads {
            let _ = thread::Builder::new().spawn_scoped(scope, || workers.work());
        }
        workers.work();
    });
    let failure = workers.failure.into_inner().unwrap_or_else(PoisonError::into_inner);
    failure.map_or(Ok(()), Err)
}

/// What the threads share.
struct Workers<'a> {
    app: &'a App,
    job: &'a Job,
    ask: CachedAsk<'a>,
    wishes: Wishes,
    /// The position of the next applicant.
    next: Mutex<usize>,
    /// What ends the audit.
    failure: Mutex<Option<Error>>,
}

impl Workers<'_> {
    /// One thread's work: until nobody is left, or the audit is cancelled.
    fn work(&self) {
        let _guard = CancelOnPanic(&self.job.cancel);
        loop {
            let positions = self.turn();
            if positions.is_empty() {
                return;
            }
            // A thread is held for one turn: then whoever waits goes first.
            let Some(_place) = self.app.solves.in_background(&self.job.cancel) else { return };
            for position in positions {
                match self.answer(position) {
                    Ok(Some(answer)) => self.job.add(position, answer),
                    Ok(None) => return,
                    Err(error) => {
                        *self.failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                        self.job.cancel.store(true, Ordering::SeqCst);
                        return;
                    }
                }
            }
        }
    }

    /// The next applicants: the accepted before a rejected one, and that one.
    fn turn(&self) -> Range<usize> {
        let (records, decisions) = (&self.job.people.records, &self.app.service.decisions);
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        let begin = *next;
        while *next < records.len() && *next - begin < AT_ONCE {
            *next += 1;
            if !decisions[records[*next - 1]].accepted {
                break;
            }
        }
        begin..*next
    }

    /// Answers an applicant; `None` where the audit was cancelled meanwhile.
    fn answer(&self, position: usize) -> Result<Option<Answered>> {
        let service = &self.app.service;
        let record = self.job.people.records[position];
        let settings = SolveSettings {
            time_limit: Some(self.job.request.time_limit),
            relative_gap: service.gap,
            threads: 1,
        };
        let control = Control { cancel: Some(&self.job.cancel), progress: None };
        let solving = Solving { engine: &service.engine, settings: &settings, control: &control };
        let answer = self.ask.answer(&service.dataset.records[record], &self.wishes, &solving);
        match answer {
            Ok(answer) if self.job.is_cancelled() && !answer.is_settled() => Ok(None),
            Ok(answer) => {
                let row = service.dataset.row_numbers[record];
                Ok(Some(Answered::Row(AuditRow::of(row, &answer, &service.explainer))))
            }
            Err(error @ (Error::Input(_) | Error::Memory { .. })) => {
                Ok(Some(Answered::Error(error.to_string())))
            }
            Err(other) => Err(other),
        }
    }
}

/// Stops the other threads where one of them panics.
struct CancelOnPanic<'a>(&'a AtomicBool);

impl Drop for CancelOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.store(true, Ordering::SeqCst);
        }
    }
}
