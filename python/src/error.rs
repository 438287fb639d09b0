//! Errors of the crates as exceptions of Python: the same words, and the hint on a line of its own, as the commands print it.

use std::fmt::Display;

use bloom_file::CoreError;
use bloom_params::InputError;
use pyo3::PyErr;
use pyo3::exceptions::{PyMemoryError, PyTypeError, PyValueError};

/// Returns the exception of a refused input.
pub(crate) fn refused(error: InputError) -> PyErr {
    match error.hint() {
        Some(hint) => PyValueError::new_err(format!("{error}\nhint: {hint}")),
        None => value(error),
    }
}

/// Returns the exception of an error without a hint.
pub(crate) fn value(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Returns the exception of what a filter does not do.
pub(crate) fn core(error: impl Into<CoreError>) -> PyErr {
    let error = error.into();
    let message = error.to_string();
    match error {
        CoreError::Kind(_) => PyTypeError::new_err(message),
        CoreError::Memory(_) => PyMemoryError::new_err(message),
        _ => PyValueError::new_err(message),
    }
}
