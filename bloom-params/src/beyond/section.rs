//! A section of an answer.

use crate::answer::{Answer, Solution};
use crate::question::QueryError;
use crate::say::value::Object;

/// What is added to an answer; the columns of its lines are two or more blanks apart.
#[derive(Debug, Clone)]
pub(crate) struct Section {
    /// Its key in the JSON object.
    pub(crate) name: &'static str,
    pub(crate) title: String,
    pub(crate) lines: Vec<String>,
    /// Its object there; empty where the answer itself has it.
    pub(crate) data: Object,
}

impl Answer {
    /// Returns the filter, or else the error of a flag that needs one.
    pub(super) fn sized(&self, flag: &'static str) -> Result<&Solution, QueryError> {
        match self {
            Self::Sized(solution) => Ok(solution),
            Self::PerItem(_) => Err(QueryError::NeedsSize { option: flag }),
        }
    }

    /// Returns the rate.
    pub(super) fn rate(&self) -> f64 {
        match self {
            Self::Sized(solution) => solution.rate.value(),
            Self::PerItem(each) => each.rate,
        }
    }
}
