//! The report of an examination: for each promise of a filter, whether it holds or which case breaks it.

use std::fmt;
use std::io::{Write, stderr};

/// The outcome of a check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// No violation was found; the text describes what was checked.
    Holds(String),
    /// The promise is broken; the text has the smallest case that was found to break it.
    Breaks(String),
    /// The filter lacks the operation.
    NotOffered,
    /// The promise was not tested, because this machine cannot test it; the text has the reason.
    NotTested(String),
}

/// The outcome of one check: the promise, the case in which the promise was checked, and whether it holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The name of the promise.
    pub promise: &'static str,
    /// The case, such as a size and a kind of items; may be empty.
    pub case: String,
    /// The outcome.
    pub outcome: Outcome,
}

/// The outcomes of all checks.
#[derive(Debug, Clone, Default)]
pub struct Report {
    /// The checks, in the order in which they ran.
    pub rows: Vec<Row>,
    /// Notes on findings that are worth reading but break no promise.
    pub notes: Vec<String>,
}

impl Report {
    /// Adds a row.
    pub(crate) fn add(&mut self, promise: &'static str, case: impl Into<String>, outcome: Outcome) {
        self.rows.push(Row {
            promise,
            case: case.into(),
            outcome,
        });
    }

    /// Returns whether no promise is broken.
    pub fn passed(&self) -> bool {
        self.broken().next().is_none()
    }

    /// Returns the rows of broken promises.
    pub fn broken(&self) -> impl Iterator<Item = &Row> {
        let is_broken = |row: &&Row| matches!(row.outcome, Outcome::Breaks(_));
        self.rows.iter().filter(is_broken)
    }

    /// Returns the outcome of the first row in which this promise is broken; if there is none, of the first row with this
    /// promise.
    pub fn of(&self, promise: &str) -> Option<&Outcome> {
        let first = self.rows.iter().find(|row| row.promise == promise);
        let broken = self.broken().find(|row| row.promise == promise);
        broken.or(first).map(|row| &row.outcome)
    }

    /// Panics with the report if a promise is broken. Otherwise prints what could not be tested, and the notes, in a way that
    /// the test runner shows even though the test passes.
    ///
    /// # Panics
    ///
    /// If a promise is broken.
    #[track_caller]
    pub fn assert_passed(&self) {
        assert!(self.passed(), "promises are broken:\n{self}");
        let not_tested = self.rows.iter().filter_map(|row| match &row.outcome {
            Outcome::NotTested(why) => Some(format!("not tested: {}: {why}\n", row.promise)),
            _ => None,
        });
        let notes = self.notes.iter().map(|note| format!("note: {note}\n"));
        for line in not_tested.chain(notes) {
            // The test runner would capture the output of `eprintln!` and show it for failed tests only.
            _ = stderr().write_all(line.as_bytes());
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in &self.rows {
            let (verdict, text) = match &row.outcome {
                Outcome::Holds(how) => ("holds", how.as_str()),
                Outcome::Breaks(why) => ("BREAKS", why.as_str()),
                Outcome::NotOffered => ("not offered", ""),
                Outcome::NotTested(why) => ("not tested", why.as_str()),
            };
            let gap = if row.case.is_empty() || text.is_empty() {
                ""
            } else {
                ": "
            };
            let line = format!("  {:<19}{verdict:<12}{}{gap}{text}", row.promise, row.case);
            writeln!(f, "{}", line.trim_end())?;
        }
        self.notes
            .iter()
            .try_for_each(|note| writeln!(f, "  note: {note}"))
    }
}
