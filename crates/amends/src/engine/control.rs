//! Watching and stopping a solve from outside.

use std::sync::atomic::{AtomicBool, Ordering};

/// How far a search has come.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    /// The objective of the best plan so far.
    pub best: Option<f64>,
    /// No plan costs less than this.
    pub bound: f64,
    /// The part of the space that is done with, 0 to 1.
    pub share: f64,
}

/// Watching and stopping a solve from outside.
#[derive(Clone, Copy, Default)]
pub struct Control<'a> {
    /// The search stops soon after this becomes true. A general solver can't be interrupted; it is not asked again then.
    pub cancel: Option<&'a AtomicBool>,
    /// Called now and then by the search, from any thread. A general solver says nothing before its end.
    pub progress: Option<&'a (dyn Fn(Progress) + Sync)>,
}

impl Control<'_> {
    /// Whether the solve should stop.
    pub fn is_cancelled(&self) -> bool {
        self.cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed))
    }

    /// The same without reports of progress, for one of several solves: its bound says nothing of the whole.
    #[must_use]
    pub(crate) const fn without_progress(self) -> Self {
        Self { cancel: self.cancel, progress: None }
    }
}
