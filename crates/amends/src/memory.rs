//! Asking for memory before it is needed.
//!
//! An allocation that fails ends the process. Where the size of a table decides how much is needed, it is therefore estimated
//! and asked for first, so that too little memory is an error with a remedy, like any other.

use std::path::Path;

use crate::error::Large;
use crate::{Error, Result};

/// A row of numbers: its list and what the allocator adds.
const PER_ROW: usize = size_of::<Vec<f64>>() + 16;

/// Smaller amounts are not asked for: little depends on the size of the table then.
const LITTLE: usize = 4 << 20;

/// What the threads' allocators set aside beside what is allocated. Under a limit on address space, those of Linux' C library take
/// this much for each of the first threads.
const PER_THREAD: usize = 64 << 20;
const MOST_THREADS: usize = 16;

/// Refuses a table that takes so many bytes at once where they can't be had. Nothing stays allocated.
pub(crate) fn check(what: impl FnOnce() -> String, bytes: usize) -> Result<()> {
    check_for(what, bytes, Large::Table)
}

/// The same for a model.
pub(crate) fn check_model(what: impl FnOnce() -> String, bytes: usize) -> Result<()> {
    check_for(what, bytes, Large::Model)
}

/// Refuses a file that takes more memory than there is, before any of it is read: its own size, and so many times as much for what
/// is made of it.
pub fn check_file(path: &Path, times: usize, large: Large) -> Result<()> {
    // What is no file, or can't be opened, is refused when it is read.
    let size = std::fs::metadata(path).map_or(0, |about| about.len());
    let bytes = usize::try_from(size).unwrap_or(usize::MAX).saturating_mul(1 + times);
    check_for(|| format!("reading {}", path.display()), bytes, large)
}

/// The same for anything else.
pub(crate) fn check_for(what: impl FnOnce() -> String, bytes: usize, large: Large) -> Result<()> {
    if bytes < LITTLE {
        return Ok(());
    }
    let bytes = bytes.saturating_add(set_aside());
    let mut probe: Vec<u8> = Vec::new();
    probe.try_reserve_exact(bytes).map_err(|_| Error::Memory { what: what(), bytes, large })
}

/// Fitting and searching have threads of their own.
fn set_aside() -> usize {
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let allocators = if cfg!(target_os = "linux") { (2 * threads).min(MOST_THREADS) } else { 0 };
    PER_THREAD / 2 + allocators * PER_THREAD
}

/// The bytes of so many rows of numbers.
pub(crate) const fn of_rows(rows: usize, width: usize) -> usize {
    rows.saturating_mul(width.saturating_mul(size_of::<f64>()).saturating_add(PER_ROW))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_is_an_error_and_not_the_end() {
        assert!(check(|| "a little".into(), 1000).is_ok());
        for bytes in [usize::MAX, isize::MAX as usize, of_rows(usize::MAX, 3)] {
            let error = check(|| "fitting 3 rows".into(), bytes).unwrap_err();
            assert!(matches!(error, Error::Memory { .. }));
            let message = error.to_string();
            assert!(message.starts_with("fitting 3 rows takes about "), "{message}");
            assert!(message.contains("--test-share"), "{message}");
            let error = check_model(|| "a model of 3 trees".into(), bytes).unwrap_err();
            assert!(error.to_string().ends_with("fit fewer or less deep trees"), "{error}");
        }
    }
}
