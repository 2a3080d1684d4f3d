//! Asking for memory before it is needed.
//!
//! An allocation that fails ends the process. Where the size of a table decides how much is needed, it is therefore estimated
//! and asked for first, so that too little memory is an error with a remedy, like any other.
//!
//! Searches run side by side and allocate as they go. Each claims what it is going to need; what is asked for has to be there in addition
//! to all claims.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{PoisonError, RwLock};

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

/// Refuses to read a table that takes so many bytes at once where they can't be had. Nothing stays allocated.
pub(crate) fn check_table(what: impl FnOnce() -> String, bytes: usize) -> Result<()> {
    check_for(what, bytes, Large::Table)
}

/// The same for what is fitted on a table.
pub(crate) fn check_training(what: impl FnOnce() -> String, bytes: usize) -> Result<()> {
    check_for(what, bytes, Large::Training)
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
    if can_allocate(bytes) { Ok(()) } else { Err(Error::Memory { what: what(), bytes, large }) }
}

/// What all running searches have claimed.
static CLAIMED: AtomicUsize = AtomicUsize::new(0);

/// Memory that a running search is going to need. Nothing is allocated: others leave so much free.
#[derive(Debug)]
pub(crate) struct Claim {
    bytes: usize,
}

impl Claim {
    /// Claims so many bytes, and some for what the allocators of so many threads set aside; where they can't be had, says how many
    /// that would have been.
    pub(crate) fn new(bytes: usize, threads: usize) -> std::result::Result<Self, usize> {
        // A thread has most of it when it begins to search.
        let per_thread = PER_THREAD / 4;
        let bytes =
            bytes.saturating_add(threads.saturating_mul(per_thread)).min(isize::MAX as usize);
        let others = CLAIMED.fetch_add(bytes, Ordering::Relaxed);
        // Given back when dropped.
        let claim = Self { bytes };
        if can_allocate(others.saturating_add(bytes)) { Ok(claim) } else { Err(bytes) }
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        CLAIMED.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

/// Work that runs side by side shares the memory there is; what does not get enough of it is run again without others.
static RUNNING: RwLock<()> = RwLock::new(());

/// Runs work beside other work, and where memory is too short for that, once more when all other work has ended. The work must not
/// call this again.
pub(crate) fn shared<T>(work: impl Fn() -> Result<T>) -> Result<T> {
    let beside_others = {
        let _running = RUNNING.read().unwrap_or_else(PoisonError::into_inner);
        work()
    };
    if !matches!(beside_others, Err(Error::Memory { .. })) {
        return beside_others;
    }
    let _alone = RUNNING.write().unwrap_or_else(PoisonError::into_inner);
    work()
}

/// Whether so many bytes can be allocated beside what running searches have claimed.
pub(crate) fn is_free(bytes: usize) -> bool {
    can_allocate(with_claims(bytes))
}

/// So many bytes and what running searches have claimed.
pub(crate) fn with_claims(bytes: usize) -> usize {
    CLAIMED.load(Ordering::Relaxed).saturating_add(bytes)
}

fn can_allocate(bytes: usize) -> bool {
    let mut probe: Vec<u8> = Vec::new();
    probe.try_reserve_exact(bytes).is_ok()
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
        assert!(check_table(|| "a little".into(), 1000).is_ok());
        for bytes in [usize::MAX, isize::MAX as usize, of_rows(usize::MAX, 3)] {
            let error = check_table(|| "reading 3 rows".into(), bytes).unwrap_err();
            assert!(error.to_string().ends_with("give a smaller table"), "{error}");
            let error = check_training(|| "fitting 3 rows".into(), bytes).unwrap_err();
            assert!(matches!(error, Error::Memory { .. }));
            let message = error.to_string();
            assert!(message.starts_with("fitting 3 rows takes about "), "{message}");
            assert!(message.ends_with("hold out more of it"), "{message}");
            let error = check_model(|| "a model of 3 trees".into(), bytes).unwrap_err();
            assert!(error.to_string().ends_with("fit fewer or less deep trees"), "{error}");
        }
    }

    #[test]
    fn claims_that_do_not_fit_are_refused_and_given_back() {
        let large = isize::MAX as usize / 2;
        assert!(Claim::new(1000, 1).is_ok());
        for _ in 0..3 {
            assert!(Claim::new(large, 2).unwrap_err() > large);
        }
        // Refused claims leave nothing behind that could crowd out others.
        assert!(is_free(1000) && Claim::new(1000, 1).is_ok());
        assert!(!is_free(usize::MAX));
    }

    #[test]
    fn work_that_lacks_memory_is_run_again_alone() {
        let runs = AtomicUsize::new(0);
        let short =
            || Err::<(), _>(Error::Memory { what: "it".into(), bytes: 1, large: Large::Model });
        let work = || if runs.fetch_add(1, Ordering::Relaxed) == 0 { short() } else { Ok(()) };
        assert!(shared(work).is_ok());
        assert_eq!(runs.load(Ordering::Relaxed), 2);
        assert!(matches!(shared(short), Err(Error::Memory { .. })));
        assert!(shared(|| Ok(())).is_ok());
    }
}
