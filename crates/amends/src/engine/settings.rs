//! How long and how exactly to solve.

use std::time::Duration;

use crate::{InputError, Result};

/// Longer limits than this, some thirty years, are none; clocks overflow on them.
const LONGEST: Duration = Duration::from_secs(1_000_000_000);

/// How long and how exactly to solve.
#[derive(Debug, Clone, PartialEq)]
pub struct SolveSettings {
    /// Stop after this time; `None` for no limit.
    pub time_limit: Option<Duration>,
    /// Stop when the gap is at most this.
    pub relative_gap: f64,
    /// How many threads to use.
    pub threads: usize,
    /// Stop at the first plan, whatever it costs. A general solver goes on to its gap.
    pub any_plan: bool,
}

impl Default for SolveSettings {
    fn default() -> Self {
        Self { time_limit: None, relative_gap: 1e-6, threads: 1, any_plan: false }
    }
}

impl SolveSettings {
    /// Checks that every setting can be used.
    pub fn check(&self) -> Result<()> {
        if self.time_limit.is_some_and(|limit| limit.is_zero()) {
            return Err(InputError::new("leaves no time to solve")
                .at("time limit")
                .value(0)
                .remedy("give seconds above 0, or leave it out")
                .into());
        }
        if !(self.relative_gap.is_finite() && self.relative_gap >= 0.0) {
            return Err(InputError::new("is negative or not a number")
                .at("gap")
                .value(self.relative_gap)
                .remedy("give a number of 0 or more, such as 1e-6")
                .into());
        }
        if self.threads == 0 {
            return Err(InputError::new("is too few")
                .at("threads")
                .value(0)
                .remedy("give at least 1")
                .into());
        }
        Ok(())
    }
}

/// A time limit as a user gives it, in seconds. In messages it is called `name`.
pub fn time_limit(seconds: f64, name: &str) -> Result<Duration> {
    let usable = Duration::try_from_secs_f64(seconds).ok().filter(|limit| !limit.is_zero());
    usable.map(|limit| limit.min(LONGEST)).ok_or_else(|| {
        InputError::new("is not a positive number of seconds")
            .at(name)
            .value(seconds)
            .remedy("give seconds above 0")
            .into()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_limit_is_above_zero_and_no_clock_overflows_on_it() {
        assert_eq!(time_limit(0.5, "limit").unwrap(), Duration::from_millis(500));
        assert_eq!(time_limit(1e18, "limit").unwrap(), LONGEST);
        for wrong in [0.0, -1.0, 1e-12, f64::NAN, f64::INFINITY] {
            let refusal = time_limit(wrong, "limit").unwrap_err().to_string();
            assert!(refusal.starts_with("limit: `"), "{refusal}");
        }
    }
}
