//! Does the tasks that are not done yet, one after the other, until they are done or the run is stopped.

use std::time::{Duration, Instant};

use amends::Result;
use indicatif::ProgressBar;

use super::estimate::{Estimate, in_words};
use super::results::Results;
use super::study::Study;
use super::task::Task;
use super::workbench::Workbench;
use crate::interrupt::{STOP, stopped};

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
        if stopped() {
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
