//! Performs the tasks that are not done yet, one after the other, until they are done or the run is stopped.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use amends::Result;
use amends::engine::Deadline;

use crate::estimate::{Estimate, in_words};
use crate::results::Results;
use crate::study::Study;
use crate::task::Task;
use crate::workbench::Workbench;

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

/// How far a run is, before each task and after the last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Progress {
    /// Tasks done, also by earlier runs.
    pub done: usize,
    /// The task that is about to be performed, and how long all that are left may take.
    pub message: String,
}

/// Works through the tasks.
pub fn run(
    study: &Study,
    workbenches: &mut [Workbench],
    results: &mut Results,
    budget: Option<Duration>,
    stop: &AtomicBool,
    progress: &dyn Fn(Progress),
) -> Result<Finish> {
    let deadline = Deadline::start(budget);
    let tasks = study.tasks();
    let open: Vec<&Task> =
        tasks.iter().filter(|task| !results.records().contains_key(&task.key())).collect();
    let mut estimate = Estimate::default();
    for (index, task) in open.iter().enumerate() {
        if stop.load(Ordering::SeqCst) {
            return Ok(Finish::Stopped);
        }
        if deadline.is_over() {
            return Ok(Finish::OutOfBudget);
        }
        let left = estimate.of(open[index..].iter().copied(), study);
        let message = format!("about {} left: {}", in_words(left), task.key());
        progress(Progress { done: tasks.len() - open.len() + index, message });
        let Some(workbench) = workbenches.iter_mut().find(|bench| bench.data() == task.data())
        else {
            continue;
        };
        let start = Instant::now();
        let Some(record) = workbench.perform(task, study, stop)? else {
            return Ok(Finish::Stopped);
        };
        estimate.add(task, start.elapsed());
        results.add(record)?;
    }
    Ok(Finish::Done)
}
