//! A section of an answer.

use crate::say::value::Object;

/// What is added to an answer; the columns of its lines are two or more blanks apart.
#[derive(Debug, Clone)]
pub(crate) struct Section {
    /// Its key in the JSON object.
    pub(crate) name: &'static str,
    pub(crate) title: String,
    pub(crate) lines: Vec<String>,
    /// Its object under that key; empty if the answer itself has the data.
    pub(crate) data: Object,
}
