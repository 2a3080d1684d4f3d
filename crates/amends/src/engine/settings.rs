//! How long and how exactly to solve.

use std::time::Duration;

use crate::{InputError, Result};

/// Longer limits than this, some thirty years, are none; clocks overflow on them.
const LONGEST: Duration = Duration::from_secs(1_000_000_000);

/// How far from the optimum, relatively, a plan may be at most and still count as optimal.
const LARGEST_GAP: f64 = 0.5;

/// How long and how exactly to solve, with either engine. What a solver would ignore is refused ([`crate::Engine::check`]).
#[derive(Debug, Clone, PartialEq)]
pub struct SolveSettings {
    /// Stop after this time; `None` for no limit.
    pub time_limit: Option<Duration>,
    /// How far from the optimum, relatively, a plan may be and still count as optimal: from 0 to 0.5.
    pub relative_gap: f64,
    /// How many threads to use at most.
    pub threads: usize,
}

impl Default for SolveSettings {
    fn default() -> Self {
        Self { time_limit: None, relative_gap: 1e-6, threads: 1 }
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
        if !(0.0..=LARGEST_GAP).contains(&self.relative_gap) {
            return Err(InputError::new(format!("must be between 0 and {LARGEST_GAP}"))
                .at("gap")
                .value(self.relative_gap)
                .remedy("1e-6 is the default")
                .into());
        }
        if self.threads == 0 {
            return Err(InputError::new("must be at least 1")
                .at("threads")
                .value(0)
                .remedy("leave it out for the default")
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
    fn settings_that_can_not_be_used_are_refused_by_name() {
        let usual = SolveSettings::default();
        assert!(usual.check().is_ok());
        for (settings, name) in [
            (
                SolveSettings { time_limit: Some(Duration::ZERO), ..usual.clone() },
                "time limit: `0`",
            ),
            (SolveSettings { relative_gap: -1.0, ..usual.clone() }, "gap: `-1`"),
            (SolveSettings { relative_gap: 0.6, ..usual.clone() }, "gap: `0.6`"),
            (SolveSettings { relative_gap: f64::NAN, ..usual.clone() }, "gap: `NaN`"),
            (SolveSettings { threads: 0, ..usual }, "threads: `0`"),
        ] {
            let refusal = settings.check().unwrap_err().to_string();
            assert!(refusal.starts_with(name), "{refusal}");
        }
    }

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
