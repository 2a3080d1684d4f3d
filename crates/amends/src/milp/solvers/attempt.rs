//! Running a linked solver, which may break down: on its own thread, and once more with its usual tolerances.

use std::any::Any;
use std::thread;
use std::time::Duration;

use super::screen::screen;
use super::{Capabilities, Outcome, Solver, SolverAnswer, SolverSettings, SolverTask};
use crate::engine::Deadline;
use crate::{Error, Result};

/// The tolerances a solver is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tolerances {
    /// As tight as the solver supports: loose ones let a solution violate a big-M row.
    Tight,
    /// The solver's defaults, for programs on which it breaks down with tight ones.
    Usual,
}

/// A solver that is linked into the program. Trivial programs are answered without it, and its breakdowns are caught.
pub trait LinkedSolver: Send + Sync {
    /// Its name on the command line and in results.
    const NAME: &'static str;

    /// Which settings it uses.
    const CAPABILITIES: Capabilities;

    /// Solves a program that is not trivial, within the time limit of the task.
    fn attempt(task: &SolverTask<'_>, tolerances: Tolerances) -> Result<SolverAnswer>;
}

impl<S: LinkedSolver> Solver for S {
    fn name(&self) -> &str {
        S::NAME
    }

    fn capabilities(&self) -> Capabilities {
        S::CAPABILITIES
    }

    fn solve(&self, task: &SolverTask<'_>) -> Result<SolverAnswer> {
        if let Some(answer) = screen(S::NAME, task)? {
            return Ok(answer);
        }
        attempt_twice(task.settings, |tolerances, time_limit| {
            let mut settings = task.settings.clone();
            settings.solve.time_limit = time_limit;
            let task = SolverTask { settings: &settings, ..*task };
            on_own_thread(S::NAME, || S::attempt(&task, tolerances))
        })
    }
}

/// Runs `attempt` with tight tolerances and, where the solver breaks down on those, with its usual ones in what is
/// left of the time. The answer's note says so.
fn attempt_twice(
    settings: &SolverSettings,
    attempt: impl Fn(Tolerances, Option<Duration>) -> Result<SolverAnswer>,
) -> Result<SolverAnswer> {
    let deadline = Deadline::start(settings.solve.time_limit);
    let breakdown = match attempt(Tolerances::Tight, settings.solve.time_limit) {
        Err(breakdown) => breakdown,
        answered => return answered,
    };
    let left = deadline.left();
    let answer = if left == Some(Duration::ZERO) {
        SolverAnswer::new(Outcome::TimeLimit, None, None)
    } else {
        attempt(Tolerances::Usual, left)?
    };
    Ok(answer.with_note(format!("solved again with usual tolerances after: {breakdown}")))
}

/// Runs a solver on a thread of its own, so that its panic is an error here, and so that what it keeps per thread
/// (HiGHS: a pool of workers whose size can't change) ends with it.
fn on_own_thread(
    solver: &str,
    work: impl FnOnce() -> Result<SolverAnswer> + Send,
) -> Result<SolverAnswer> {
    thread::scope(|scope| {
        thread::Builder::new()
            .name(solver.to_owned())
            .spawn_scoped(scope, work)
            .map_err(|error| Error::solver(solver, format!("no thread to run on: {error}")))?
            .join()
            .unwrap_or_else(|panic| Err(Error::solver(solver, broken_down(panic.as_ref()))))
    })
}

fn broken_down(panic: &(dyn Any + Send)) -> String {
    let said = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("it gave no reason");
    format!("broke down ({said}); try another solver, or the search engine")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn optimal() -> SolverAnswer {
        SolverAnswer::new(Outcome::Optimal, Some(vec![1.0]), Some(1.0))
    }

    #[test]
    fn a_breakdown_is_followed_by_one_attempt_with_usual_tolerances() {
        let answer = attempt_twice(&SolverSettings::default(), |tolerances, _| match tolerances {
            Tolerances::Tight => Err(Error::solver("test", "lost its footing")),
            Tolerances::Usual => Ok(optimal()),
        })
        .unwrap();
        assert_eq!(answer.outcome, Outcome::Optimal);
        assert!(answer.note.unwrap().contains("lost its footing"));
    }

    #[test]
    fn an_answer_is_not_asked_for_twice() {
        let answer = attempt_twice(&SolverSettings::default(), |tolerances, _| {
            assert_eq!(tolerances, Tolerances::Tight);
            Ok(optimal())
        });
        assert_eq!(answer.unwrap(), optimal());
    }

    #[test]
    fn a_breakdown_at_the_time_limit_is_out_of_time() {
        let mut settings = SolverSettings::default();
        settings.solve.time_limit = Some(Duration::ZERO);
        let answer = attempt_twice(&settings, |_, _| Err(Error::solver("test", "gone"))).unwrap();
        assert_eq!((answer.outcome, answer.values), (Outcome::TimeLimit, None));
    }

    #[test]
    fn a_panic_becomes_an_error_with_its_message() {
        let error = on_own_thread("test", || panic!("index 7 of 3")).unwrap_err();
        assert!(error.to_string().contains("index 7 of 3"), "{error}");
    }
}
