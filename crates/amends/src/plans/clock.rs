//! One time limit for several solves.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use crate::SolveSettings;
use crate::search::Control;

pub(super) struct Clock<'a> {
    began: Instant,
    settings: &'a SolveSettings,
    control: &'a Control<'a>,
}

impl<'a> Clock<'a> {
    pub(super) fn start(settings: &'a SolveSettings, control: &'a Control<'a>) -> Self {
        Self { began: Instant::now(), settings, control }
    }

    /// The settings of the next solve, which may take all the time that is left; `None` where there is none,
    /// or where everything was cancelled.
    pub(super) fn next(&self) -> Option<SolveSettings> {
        if self.control.cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed)) {
            return None;
        }
        let mut settings = self.settings.clone();
        if let Some(limit) = settings.time_limit {
            let left = limit.checked_sub(self.began.elapsed()).filter(|left| !left.is_zero())?;
            settings.time_limit = Some(left);
        }
        Some(settings)
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }
}
