//! Many applicants: read one after the other, answered in parallel, and handed over in their order.
//!
//! What is in memory does not grow with their number: few are read ahead, and of the answers only those wait that
//! overtook a slower one.

mod conditions;
mod journal;

use std::any::Any;
use std::collections::BTreeMap;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

use amends::Solving;
use amends::answer::{Answer, CachedAsk};
use amends::engine::{Control, Engine, SolveSettings};
use amends_run::interrupt::{self, STOP, stopped};

use crate::applicants::{Applicant, Applicants, BadRow, ReadRow};
use crate::progress::{BatchProgress, SolveProgress};

pub use conditions::Conditions;
pub use journal::{AnswerJournal, JournalEntry, RowEnd};

/// Applicants read ahead for every thread, so that none waits for the next.
const READ_AHEAD: usize = 4;

/// Answers that may wait for a slower one before the threads do: at 20 per second and thread, those of a minute. Each takes a
/// few kilobytes.
const MOST_WAITING: usize = 1200;

/// Applicants to answer, and how.
pub struct Batch<'a> {
    pub applicants: &'a Applicants<'a>,
    pub engine: &'a Engine,
    pub settings: &'a SolveSettings,
    /// What is being done, in a word for people.
    pub doing: &'static str,
}

/// An applicant, or a bad row, with their position in the order.
type Job = (usize, ReadRow);

/// `None` where Ctrl-C cut it short; the outer error is a panic.
type Outcome<F> = Result<amends::Result<Option<F>>, Box<dyn Any + Send>>;

impl Batch<'_> {
    /// Answers all applicants, as [`Self::run`] does. `of_answer` and `of_bad_row` make what is written and kept of an answer and of a row
    /// that can't be answered.
    pub fn answer<F: JournalEntry>(
        &self,
        journal: &mut AnswerJournal,
        ask: &CachedAsk<'_>,
        of_answer: impl Fn(&Applicant, &Answer) -> amends::Result<F> + Sync,
        of_bad_row: impl Fn(&BadRow) -> F + Sync,
        take: impl FnMut(usize, F) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let work = |row: &ReadRow, solving: &Solving<'_>| {
            let applicant = match row {
                Ok(applicant) => applicant,
                Err(bad) => return Ok(Some(of_bad_row(bad))),
            };
            let answered = match applicant.answer(ask, solving) {
                Ok(answer) if interrupt::cut_short(&answer) => return Ok(None),
                Ok(answer) => of_answer(applicant, &answer).or_else(|error| {
                    self.applicants.unwritten(applicant.row, error).map(|bad| of_bad_row(&bad))
                }),
                Err(error) => {
                    self.applicants.failed(applicant.row, error).map(|bad| of_bad_row(&bad))
                }
            };
            answered.map(Some)
        };
        self.run(journal, work, take)
    }

    /// Answers all applicants whose answers are not in the journal, until Ctrl-C: several side by side on one thread each, a single one on
    /// all threads that the engine can use. `take` gets the answers in the order of the applicants, each with its position in it.
    pub fn run<F: JournalEntry>(
        &self,
        journal: &mut AnswerJournal,
        work: impl Fn(&ReadRow, &Solving<'_>) -> amends::Result<Option<F>> + Sync,
        take: impl FnMut(usize, F) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        // An answer must not depend on when it was asked for: threads go by how many people there are, not by how
        // many are left.
        let alone = self.applicants.len() == 1;
        let (side_by_side, threads) = match self.settings.threads {
            all if alone => (1, if self.engine.uses_threads() { all } else { 1 }),
            all => (all, 1),
        };
        let settings = SolveSettings { threads, ..self.settings.clone() };
        let watch = alone.then(SolveProgress::start);
        let report = |progress| watch.iter().for_each(|watch| watch.report(progress));
        let one = |applicant: &ReadRow| {
            if stopped() {
                return Ok(None);
            }
            let control = Control { cancel: Some(&STOP), progress: Some(&report) };
            work(
                applicant,
                &Solving { engine: self.engine, settings: &settings, control: &control },
            )
        };
        let (jobs, queue) = channel::<Job>();
        let (done, results) = channel::<(usize, Outcome<F>)>();
        let queue = Mutex::new(queue);
        let workers = side_by_side.min(self.applicants.len()).max(1);
        thread::scope(|scope| {
            let mut started = 0;
            for _ in 0..workers {
                let (queue, done, one) = (&queue, done.clone(), &one);
                let work = move || answer_jobs(queue, &done, one);
                let thread = thread::Builder::new().spawn_scoped(scope, work);
                // Fewer threads do the same work.
                match thread {
                    Ok(_) => started += 1,
                    Err(error) if started == 0 => return Err(cannot_start(&error)),
                    Err(_) => break,
                }
            }
            let progress_bar =
                (!alone).then(|| BatchProgress::new(self.doing, self.applicants.len()));
            let pipeline =
                Pipeline { jobs, results, most_running: READ_AHEAD * workers, progress_bar, take };
            let ended = pipeline.run(self.applicants, journal);
            if ended.is_err() {
                // Nobody waits for what is still running.
                interrupt::stop();
            }
            ended
        })
    }
}

fn cannot_start(error: &io::Error) -> anyhow::Error {
    anyhow::anyhow!(
        "no thread can be started ({error}); close other programs, or raise the limit on memory or processes"
    )
}

/// One thread's work: until no more jobs are sent, or the results are no longer read.
fn answer_jobs<F>(
    queue: &Mutex<Receiver<Job>>,
    done: &Sender<(usize, Outcome<F>)>,
    one: impl Fn(&ReadRow) -> amends::Result<Option<F>>,
) {
    loop {
        let job = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok((position, applicant)) = job else { return };
        let outcome = catch_unwind(AssertUnwindSafe(|| one(&applicant)));
        if done.send((position, outcome)).is_err() {
            return;
        }
    }
}

/// Applicants go in at one end, answers come out in the same order at the other.
struct Pipeline<F, T> {
    jobs: Sender<Job>,
    results: Receiver<(usize, Outcome<F>)>,
    most_running: usize,
    progress_bar: Option<BatchProgress>,
    take: T,
}

impl<F: JournalEntry, T: FnMut(usize, F) -> anyhow::Result<()>> Pipeline<F, T> {
    fn run(mut self, applicants: &Applicants, journal: &mut AnswerJournal) -> anyhow::Result<()> {
        let mut people = applicants.read()?.fuse();
        let mut waiting: BTreeMap<usize, amends::Result<Option<F>>> = BTreeMap::new();
        let (mut sent, mut running, mut handed, mut failed) = (0, 0, 0, false);
        loop {
            let mut more = !failed;
            while more && running < self.most_running && sent - handed < MOST_WAITING {
                let Some(applicant) = people.next() else {
                    more = false;
                    break;
                };
                let applicant = applicant?;
                let row = applicant.as_ref().map_or_else(|bad: &BadRow| bad.row, |one| one.row);
                if let Some(answer) = journal.answer::<F>(row)? {
                    self.progress_bar.iter_mut().for_each(BatchProgress::known);
                    waiting.insert(sent, Ok(Some(answer)));
                } else if stopped() {
                    waiting.insert(sent, Ok(None));
                } else {
                    self.jobs.send((sent, applicant))?;
                    running += 1;
                }
                sent += 1;
            }
            while let Some(answer) = waiting.remove(&handed) {
                if let Some(answer) = answer? {
                    self.progress_bar
                        .iter_mut()
                        .for_each(|progress_bar| progress_bar.add(answer.row_end().status));
                    (self.take)(handed, answer)?;
                }
                handed += 1;
            }
            if running > 0 {
                let (position, outcome) = self.results.recv()?;
                running -= 1;
                let outcome = outcome.unwrap_or_else(|panic| resume_unwind(panic));
                // Everybody before a failure is still handed over; nobody after it is begun.
                failed |= outcome.is_err();
                if let Ok(Some(answer)) = &outcome {
                    journal.add(answer)?;
                }
                waiting.insert(position, outcome);
            } else if !more {
                return Ok(());
            }
        }
    }
}
