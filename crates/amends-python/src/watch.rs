//! Long work outside the interpreter: Python is free meanwhile, Ctrl-C stops it, and it reports its progress.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use pyo3::exceptions::{PyMemoryError, PyRuntimeError};
use pyo3::prelude::*;

/// How long Ctrl-C may go unnoticed.
pub const PATIENCE: Duration = Duration::from_millis(50);

/// What work and the thread that watches it share.
#[derive(Default)]
pub struct Shared {
    /// Set when the work should stop.
    pub cancel: AtomicBool,
    /// How much of it is done.
    pub done: AtomicUsize,
}

/// Runs work that can't be stopped on a thread of its own. When one of Python's signals raises, the exception comes back at
/// once, and the work finishes in the background; its result is dropped.
pub fn awaited<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    py.detach(|| {
        let (done, ended) = channel();
        let work = move || {
            // Nobody listens any more once an exception was raised.
            let _ = done.send(work());
        };
        std::thread::Builder::new().spawn(work).map_err(|error| cannot_start(&error))?;
        loop {
            match ended.recv_timeout(PATIENCE) {
                Ok(result) => return Ok(result),
                Err(RecvTimeoutError::Timeout) => Python::attach(check_python_signals)?,
                Err(RecvTimeoutError::Disconnected) => return Err(broken_down()),
            }
        }
    })
}

fn check_python_signals(py: Python<'_>) -> PyResult<()> {
    py.check_signals()
}

fn cannot_start(error: &std::io::Error) -> PyErr {
    PyMemoryError::new_err(format!("a thread can't be started ({error}); free some memory"))
}

fn broken_down() -> PyErr {
    PyRuntimeError::new_err("the solver broke down; please report this with its input")
}

/// Runs work on a thread of its own. Meanwhile Python's signals are looked at, and `report` is called with how much is done
/// where that has changed. The first of both that raises sets the flag, and once the work has ended the exception is
/// returned.
pub fn watched<T: Send>(
    py: Python<'_>,
    report: Option<&Py<PyAny>>,
    work: impl FnOnce(&Shared) -> T + Send,
) -> PyResult<T> {
    let shared = Shared::default();
    let shared = &shared;
    py.detach(|| {
        std::thread::scope(|scope| {
            let (done, ended) = channel();
            let worker = move || {
                let result = work(shared);
                // Nobody listens any more once an exception was raised.
                let _ = done.send(());
                result
            };
            let worker = std::thread::Builder::new().spawn_scoped(scope, worker);
            let worker = worker.map_err(|error| cannot_start(&error))?;
            let mut reported = 0;
            let mut look = || {
                let done = shared.done.load(Ordering::Relaxed);
                Python::attach(|py| {
                    py.check_signals()?;
                    if let Some(report) = report
                        && done != reported
                    {
                        report.call1(py, (done,))?;
                    }
                    reported = done;
                    Ok(())
                })
            };
            let mut raised: Option<PyErr> = None;
            while raised.is_none()
                && matches!(ended.recv_timeout(PATIENCE), Err(RecvTimeoutError::Timeout))
            {
                raised = look().err();
            }
            if raised.is_some() {
                shared.cancel.store(true, Ordering::Relaxed);
            }
            let result = worker.join().map_err(|_| broken_down())?;
            raised.or_else(|| look().err()).map_or(Ok(result), Err)
        })
    })
}
