//! When the time is over.

use std::time::{Duration, Instant};

/// A beginning and, perhaps, a limit on the time from then on.
#[derive(Debug, Clone, Copy)]
pub struct Deadline {
    began: Instant,
    limit: Option<Duration>,
}

impl Deadline {
    /// Begins now; without a limit the time is never over.
    pub fn start(limit: Option<Duration>) -> Self {
        Self { began: Instant::now(), limit }
    }

    /// The same beginning with another limit.
    #[must_use]
    pub(crate) const fn with_limit(self, limit: Option<Duration>) -> Self {
        Self { began: self.began, limit }
    }

    /// The time since the beginning.
    pub fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }

    /// The time that is left, 0 where it is over; `None` without a limit.
    pub fn left(&self) -> Option<Duration> {
        self.limit.map(|limit| limit.saturating_sub(self.elapsed()))
    }

    /// Whether the time is over.
    pub fn is_over(&self) -> bool {
        self.is_over_by(Duration::ZERO)
    }

    /// Whether the time has been over for this long.
    pub(crate) fn is_over_by(&self, grace: Duration) -> bool {
        self.limit.is_some_and(|limit| self.elapsed() >= limit.saturating_add(grace))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_limit_the_time_is_never_over() {
        let deadline = Deadline::start(None);
        assert!(!deadline.is_over());
        assert_eq!(deadline.left(), None);
    }

    #[test]
    fn what_is_left_never_falls_below_zero() {
        let over = Deadline::start(Some(Duration::ZERO));
        assert!(over.is_over() && !over.is_over_by(Duration::from_secs(60)));
        assert_eq!(over.left(), Some(Duration::ZERO));
        let later = over.with_limit(Some(Duration::from_secs(60)));
        assert!(!later.is_over());
        assert!(later.left().is_some_and(|left| left > Duration::from_secs(50)));
    }

    #[test]
    fn the_longest_limit_and_a_grace_do_not_overflow() {
        assert!(!Deadline::start(Some(Duration::MAX)).is_over_by(Duration::from_secs(5)));
    }
}
