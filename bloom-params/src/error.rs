//! The error for a text or a question that is refused: what is wrong, and how to ask instead.

use std::error::Error;
use std::fmt;

use crate::question::QueryError;

/// Why a text is not a valid value, or a question has no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputError {
    message: String,
    /// Empty if there is no hint.
    hint: String,
}

impl InputError {
    /// An error with this message.
    pub fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            hint: String::new(),
        }
    }

    /// Returns the error with this hint; an empty text leaves the hint unchanged.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        let hint = hint.into();
        if !hint.is_empty() {
            self.hint = hint;
        }
        self
    }

    /// Returns the error of a command that takes `what`, but got `got`. The hint is `example`, a command line that works.
    #[cfg(feature = "cli")]
    pub(crate) fn takes(command: &str, what: &str, got: &str, example: &str) -> Self {
        Self::new(format!("{command} takes {what}, got {got}")).with_hint(example)
    }

    /// Returns a hint: one line on how to ask instead.
    pub fn hint(&self) -> Option<&str> {
        Some(self.hint.as_str()).filter(|hint| !hint.is_empty())
    }
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl Error for InputError {}

impl From<QueryError> for InputError {
    fn from(error: QueryError) -> Self {
        Self::new(error.to_string()).with_hint(error.hint().unwrap_or_default())
    }
}
