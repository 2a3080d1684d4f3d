//! Long work beside Python: the interpreter is free meanwhile, and Ctrl-C stops it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// How long Ctrl-C may go unnoticed.
const PATIENCE: Duration = Duration::from_millis(50);

/// Runs work on a thread of its own. Python's signals are looked at meanwhile: the first that raises sets the flag,
/// and once the work has come to its end the exception is what comes back.
pub fn watched<T: Send>(py: Python<'_>, work: impl FnOnce(&AtomicBool) -> T + Send) -> PyResult<T> {
    let cancel = AtomicBool::new(false);
    let cancel = &cancel;
    py.detach(|| {
        std::thread::scope(|scope| {
            let (done, ended) = channel();
            let worker = scope.spawn(move || {
                let result = work(cancel);
                // Nobody listens any more once an exception was raised.
                let _ = done.send(());
                result
            });
            let mut raised = None;
            while raised.is_none()
                && matches!(ended.recv_timeout(PATIENCE), Err(RecvTimeoutError::Timeout))
            {
                raised = Python::attach(heed_signals).err();
            }
            if raised.is_some() {
                cancel.store(true, Ordering::Relaxed);
            }
            let result = worker.join().map_err(|_| {
                PyRuntimeError::new_err("the solver broke down; please report this with its input")
            })?;
            raised.map_or(Ok(result), Err)
        })
    })
}

fn heed_signals(py: Python<'_>) -> PyResult<()> {
    py.check_signals()
}
