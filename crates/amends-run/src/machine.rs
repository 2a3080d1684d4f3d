//! The machine, the commit and the time that results are recorded with.

use std::env::{self, VarError};

use amends::{InputError, Result};
use chrono::{DateTime, Utc};

/// The commit that the program was built from, where that is known.
pub const COMMIT: &str = env!("AMENDS_COMMIT");

/// The environment variable that stands in for the clock where output has to be reproducible, as build tools know it.
const CLOCK: &str = "SOURCE_DATE_EPOCH";

/// The processor, its cores and the system.
pub fn describe() -> String {
    let model = std::fs::read_to_string("/proc/cpuinfo").ok().and_then(|text| {
        let line = text.lines().find(|line| line.starts_with("model name"))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    });
    let model = model.unwrap_or_else(|| std::env::consts::ARCH.to_owned());
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    format!("{model}, {cores} cores, {}", std::env::consts::OS)
}

/// The day in UTC, as 2026-11-15.
pub fn today() -> String {
    chrono::Utc::now().format("%Y-%m-%d").to_string()
}

/// The time in UTC: that of the variable `SOURCE_DATE_EPOCH`, in seconds since 1970, or else of the clock.
pub fn now() -> Result<DateTime<Utc>> {
    match env::var(CLOCK) {
        Err(VarError::NotPresent) => Ok(Utc::now()),
        Ok(seconds) => at(&seconds),
        Err(VarError::NotUnicode(seconds)) => at(&seconds.to_string_lossy()),
    }
}

fn at(seconds: &str) -> Result<DateTime<Utc>> {
    let date = seconds.trim().parse().ok().and_then(|seconds| DateTime::from_timestamp(seconds, 0));
    date.ok_or_else(|| {
        InputError::new("is not a number of seconds since 1970")
            .at(CLOCK)
            .value(seconds)
            .remedy("correct the environment variable, or unset it to use the clock")
            .into()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_since_1970_are_a_date() {
        assert_eq!(at("1795000000").unwrap().to_string(), "2026-11-18 11:06:40 UTC");
        let refused = at("yesterday").unwrap_err().to_string();
        assert!(refused.starts_with("SOURCE_DATE_EPOCH: `yesterday` is not a number of seconds"));
    }
}
