//! How long the rest will take, from what the same kind of task took so far.

use std::collections::HashMap;
use std::time::Duration;

use crate::study::Study;
use crate::task::{Method, Task};

/// What a kind of task is expected to take before the first of it is done.
const TRAINING: f64 = 1.0;
const SEARCH: f64 = 0.3;
/// A general solver often uses up its limit.
const SHARE_OF_LIMIT: f64 = 0.5;

#[derive(Default)]
pub struct Estimate {
    /// Per kind: seconds so far, and tasks.
    taken: HashMap<String, (f64, u32)>,
}

impl Estimate {
    pub fn add(&mut self, task: &Task, took: Duration) {
        let entry = self.taken.entry(kind(task)).or_default();
        entry.0 += took.as_secs_f64();
        entry.1 += 1;
    }

    /// The expected time of some tasks.
    pub fn of<'a>(&self, tasks: impl Iterator<Item = &'a Task>, study: &Study) -> Duration {
        let seconds: f64 = tasks
            .map(|task| match self.taken.get(&kind(task)) {
                Some(&(seconds, count)) => seconds / f64::from(count),
                None => guess(task, study),
            })
            .sum();
        Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)
    }
}

/// Tasks of one kind take about the same time.
fn kind(task: &Task) -> String {
    match task {
        Task::Quality { data, model, .. } => format!("{data:?} {model:?}"),
        Task::Solve(problem) => format!(
            "{:?} {:?} {:?} {:?}",
            problem.data,
            problem.model,
            problem.method,
            problem.objective.points()
        ),
    }
}

fn guess(task: &Task, study: &Study) -> f64 {
    match task {
        Task::Quality { .. } => TRAINING,
        Task::Solve(problem) => match (problem.method, problem.model) {
            (Method::Search, model) if model.is_of_trees() => 2.0 * SEARCH,
            (Method::Search, _) => SEARCH,
            // Programs without reference points are small.
            _ if problem.objective.points().is_none() => SEARCH,
            _ => SHARE_OF_LIMIT * study.limit(problem.objective).as_secs_f64(),
        },
    }
}

/// For people: "3 min", "2 h 10 min".
pub fn in_words(time: Duration) -> String {
    let minutes = time.as_secs().div_ceil(60);
    match (minutes / 60, minutes % 60) {
        (0, 0 | 1) => format!("{} s", time.as_secs()),
        (0, minutes) => format!("{minutes} min"),
        (hours, minutes) => format!("{hours} h {minutes} min"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::tests::whole;

    #[test]
    fn what_was_seen_replaces_the_guess() {
        let study = whole();
        let tasks = study.tasks();
        let reduced = |task: &&Task| task.key().contains("surrogate-20-lambda-0.01/reduced/");
        let programs: Vec<&Task> = tasks.iter().filter(reduced).take(10).collect();
        let mut estimate = Estimate::default();
        assert_eq!(estimate.of(programs.iter().copied(), &study).as_secs(), 6000);
        estimate.add(programs[0], Duration::from_secs(2));
        estimate.add(programs[1], Duration::from_secs(4));
        assert_eq!(estimate.of(programs.iter().copied(), &study).as_secs(), 30);
    }

    #[test]
    fn times_are_rounded_for_people() {
        let words = |seconds| in_words(Duration::from_secs(seconds));
        assert_eq!([words(5), words(60), words(61)], ["5 s", "60 s", "2 min"]);
        assert_eq!(words(7800), "2 h 10 min");
    }
}
