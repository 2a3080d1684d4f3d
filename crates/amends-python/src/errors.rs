//! Errors of the library as the exceptions that Python's users expect, with the names of Python's parameters.

use amends::{Error, Large, Setting};
use pyo3::PyErr;
use pyo3::exceptions::{PyMemoryError, PyOSError, PyRuntimeError, PyValueError};

/// An error of the library as an exception.
pub fn raised(error: Error) -> PyErr {
    match error {
        Error::Input(input) => PyValueError::new_err(input.message(parameter)),
        Error::Memory { large, .. } => {
            PyMemoryError::new_err(format!("{}; {}", error.problem(), remedy(large)))
        }
        file @ Error::File { .. } => PyOSError::new_err(file.to_string()),
        other => PyRuntimeError::new_err(other.to_string()),
    }
}

/// The parameter of a setting, where there is one.
const fn parameter(setting: Setting) -> Option<&'static str> {
    match setting {
        Setting::FeatureKind => Some("or `kinds`"),
        Setting::MaxChanges => Some("max_changes"),
        Setting::MaxReasons => Some("max_reasons"),
        Setting::Neighbours => Some("n_neighbors"),
        Setting::OptionLimit => Some("options"),
        Setting::ReasonGroup => Some("reason_group"),
        Setting::Threads => Some("n_jobs"),
        _ => None,
    }
}

/// What to do where there is too little memory.
const fn remedy(large: Large) -> &'static str {
    match large {
        Large::Table => "give a smaller X",
        Large::Training => "use fewer rows: give a smaller X, or n_reference=10000, say",
        Large::Search { threads: 1 } => {
            "free some, or use a model of fewer or less deep trees, or a smaller X"
        }
        Large::Search { .. } => {
            "use fewer threads (n_jobs), a model of fewer or less deep trees, or a smaller X"
        }
        Large::Model | Large::Instances => large.remedy(),
    }
}
