//! Does the tasks that are not done yet, one after the other, until they are done or the run is stopped.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use amends::Result;
use indicatif::ProgressBar;

use super::estimate::{Estimate, in_words};
use super::results::Results;
use super::study::Study;
use super::task::Task;
use super::workbench::Workbench;

/// Set by Ctrl-C.
static STOP: AtomicBool = AtomicBool::new(false);

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Finish {
    /// Every task is done.
    Done,
    /// Ctrl-C.
    Stopped,
    /// The time that a quick run has is used up.
    OutOfBudget,
}

/// From now on Ctrl-C stops a run after its running solve; the second one ends the program at once. A general solver can't be
/// stopped in the middle: it ends by itself at its time limit.
pub fn heed_interrupts() -> anyhow::Result<()> {
    ctrlc::set_handler(|| {
        if STOP.swap(true, Ordering::SeqCst) {
            std::process::exit(i32::from(crate::STOPPED));
        }
        eprintln!(
            "\nstopping after the running solve (a general solver runs to its time limit); Ctrl-C again ends at once"
        );
    })?;
    Ok(())
}

/// Works through the tasks.
pub fn run(
    study: &Study,
    workbenches: &mut [Workbench],
    results: &mut Results,
    budget: Option<Duration>,
    bar: &ProgressBar,
) -> Result<Finish> {
    let began = Instant::now();
    let tasks = study.tasks();
    let open: Vec<&Task> =
        tasks.iter().filter(|task| !results.records().contains_key(&task.key())).collect();
    bar.set_length(tasks.len() as u64);
    bar.set_position((tasks.len() - open.len()) as u64);
    let mut estimate = Estimate::default();
    for (index, task) in open.iter().enumerate() {
        if STOP.load(Ordering::SeqCst) {
            return Ok(Finish::Stopped);
        }
        if budget.is_some_and(|budget| began.elapsed() >= budget) {
            return Ok(Finish::OutOfBudget);
        }
        let left = estimate.of(open[index..].iter().copied(), study);
        bar.set_message(format!("about {} left: {}", in_words(left), task.key()));
        let Some(workbench) = workbenches.iter_mut().find(|bench| bench.data() == task.data())
        else {
            continue;
        };
        let start = Instant::now();
        let Some(record) = workbench.perform(task, study, &STOP)? else {
            return Ok(Finish::Stopped);
        };
        estimate.add(task, start.elapsed());
        results.add(record)?;
        bar.inc(1);
    }
    Ok(Finish::Done)
}
