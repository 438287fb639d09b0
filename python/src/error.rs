//! Errors of the crates as exceptions of Python: the same words, and the hint on a line of its own, as the commands print it.

use std::fmt::Display;

use bloom_params::InputError;
use pyo3::PyErr;
use pyo3::exceptions::PyValueError;

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
