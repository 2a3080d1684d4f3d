//! One time limit for several solves.

use std::time::Duration;

use super::{Control, Deadline, SolveSettings};

/// The time limit of several solves, and who may stop them.
#[derive(Clone, Copy)]
pub(crate) struct Clock<'a> {
    deadline: Deadline,
    settings: &'a SolveSettings,
    control: &'a Control<'a>,
}

impl<'a> Clock<'a> {
    /// Begins now.
    pub(crate) fn start(settings: &'a SolveSettings, control: &'a Control<'a>) -> Self {
        Self { deadline: Deadline::start(settings.time_limit), settings, control }
    }

    /// The settings of the next solve, which may take all the time that is left; `None` where there is none,
    /// or where everything was cancelled.
    pub(crate) fn next(&self) -> Option<SolveSettings> {
        if self.control.is_cancelled() {
            return None;
        }
        let time_limit = self.deadline.left();
        let over = time_limit.is_some_and(|left| left.is_zero());
        (!over).then(|| SolveSettings { time_limit, ..self.settings.clone() })
    }

    /// Whether there is no time left, or everything was cancelled.
    pub(crate) fn is_over(&self) -> bool {
        self.deadline.is_over() || self.control.is_cancelled()
    }

    /// The time since the beginning.
    pub(crate) fn elapsed(&self) -> Duration {
        self.deadline.elapsed()
    }
}
