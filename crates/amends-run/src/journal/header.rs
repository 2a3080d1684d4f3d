//! The first line of a journal: under which conditions its results were found. Results of others are never mixed in.

use std::path::Path;

use amends::{InputError, Result};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// The version of the file.
pub(super) const FORMAT: u32 = 1;

/// Everything but the piece of work itself that its result depends on.
pub trait Conditions: Serialize + DeserializeOwned {
    /// What such a file is called in messages.
    const FILE: &'static str;
    /// How to write elsewhere, as a remedy.
    const ELSEWHERE: &'static str;

    /// Each of them by its name for people, in a fixed order.
    fn facts(&self) -> Vec<(String, String)>;

    /// What differs, for people: "seed 1 there, 0 now".
    fn differences(&self, now: &Self) -> Vec<String> {
        let there = self.facts();
        let missing = |(what, value): &(String, String)| {
            let found = there.iter().find(|(name, _)| name == what);
            let before = found.map_or("none", |(_, before)| before);
            (before != value).then(|| format!("{what} {before} there, {value} now"))
        };
        now.facts().iter().filter_map(missing).collect()
    }
}

/// The first line of a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Header<C> {
    pub(super) format: u32,
    /// The day on which the file was begun, as 2026-11-15.
    pub began: String,
    /// The commit that the program was built from then, where that is known.
    pub commit: String,
    /// Everything else that results depend on.
    pub conditions: C,
}

/// Refuses a file of another format or other conditions.
pub(super) fn check_header<C: Conditions>(header: &Header<C>, now: &C, path: &Path) -> Result<()> {
    let differences = header.conditions.differences(now);
    let known = header.format == FORMAT;
    if known && differences.is_empty() {
        return Ok(());
    }
    let problem = if known {
        format!("was measured under other conditions ({})", differences.join("; "))
    } else {
        format!("has format {}, which this version does not know", header.format)
    };
    Err(InputError::new(problem)
        .file(path.display().to_string())
        .remedy(format!("repeat them, or {}", C::ELSEWHERE))
        .into())
}
