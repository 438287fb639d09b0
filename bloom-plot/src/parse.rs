//! Parses the values of flags, with the units of `bloom-params`. An error names the flag, the rule
//! and the value, and has a hint where one helps.

use std::error::Error;
use std::path::Path;
use std::{fmt, fs};

use bloom_params::numbers::grouped;
use bloom_params::units::{self, UnitError};

use crate::error::{ChartError, FigureError};

/// An error of the command line: what is wrong, and what to write instead, if that is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Failure {
    message: String,
    hint: Option<String>,
}

impl Failure {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            hint: None,
        }
    }

    /// Copies the message of an error, and its hint.
    pub(crate) fn of(error: &(dyn Error + 'static)) -> Self {
        Self {
            message: error.to_string(),
            hint: hint(error),
        }
    }

    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl Error for Failure {}

/// Returns the hint of an error, if the error has one.
pub(crate) fn hint(error: &(dyn Error + 'static)) -> Option<String> {
    if let Some(failure) = error.downcast_ref::<Failure>() {
        return failure.hint.clone();
    }
    let hint = if let Some(error) = error.downcast_ref::<UnitError>() {
        error.hint()
    } else if let Some(error) = error.downcast_ref::<FigureError>() {
        error.hint()
    } else {
        error
            .downcast_ref::<ChartError>()
            .and_then(ChartError::hint)
    };
    hint.map(str::to_owned)
}

/// Reads a file of text.
pub(crate) fn file(path: &Path) -> Result<String, Failure> {
    let read = fs::read_to_string(path);
    read.map_err(|error| Failure::new(format!("cannot read {}: {error}", path.display())))
}

/// Parses a number, which may have decimals.
pub(crate) fn number(flag: &str, text: &str) -> Result<f64, Failure> {
    finite(text).ok_or_else(|| {
        let failure = Failure::new(format!("{flag} must be a number, got {text:?}"));
        failure.hint(format!("write a number like --{flag} 9.5"))
    })
}

/// Parses a number that is neither infinite nor NaN.
pub(crate) fn finite(text: &str) -> Option<f64> {
    let number = text.trim().parse::<f64>().ok();
    number.filter(|number| number.is_finite())
}

/// Parses a share above 0 and below 1, such as 1%, 0.01 or 1/100.
pub(crate) fn share(flag: &str, text: &str) -> Result<f64, Failure> {
    units::parse_rate(text).map_err(|_| {
        let failure = Failure::new(format!("{flag} must be above 0 and below 1, got {text:?}"));
        failure.hint(format!("write a share like --{flag} 1%, 0.01 or 1/100"))
    })
}

/// Parses a whole number of at least 1, such as 20000, 20k or 2^20.
pub(crate) fn count(flag: &str, text: &str) -> Result<u64, Failure> {
    units::parse_items(text).map_err(|_| not_whole(flag, "of at least 1", text))
}

/// Parses a whole number below 2^32. The chart that takes the number checks its range.
pub(crate) fn small_count(flag: &str, text: &str) -> Result<u32, Failure> {
    let got = from_zero(flag, text)?;
    u32::try_from(got)
        .map_err(|_| Failure::new(format!("{flag} must be at most {}, got {got}", u32::MAX)))
}

/// Parses a whole number of at least 0, such as 20000, 20k or 2^20.
pub(crate) fn from_zero(flag: &str, text: &str) -> Result<u64, Failure> {
    if text.trim() == "0" {
        return Ok(0);
    }
    let range = format!("from 0 to {}", grouped(u64::MAX));
    units::parse_items(text).map_err(|_| not_whole(flag, &range, text))
}

fn not_whole(flag: &str, range: &str, text: &str) -> Failure {
    let message = format!("{flag} must be a whole number {range}, got {text:?}");
    Failure::new(message).hint("write digits, or a number like 20k or 2^20")
}

/// Parses a whole number below 2^32 that is written in digits alone. `of` completes the rule in the error, as in `a whole
/// number of pixels`.
pub(crate) fn whole(flag: &str, of: &str, text: &str) -> Result<u32, Failure> {
    let message = || format!("{flag} must be a whole number{of}, got {text:?}");
    text.trim().parse().map_err(|_| Failure::new(message()))
}

/// The longest title that leaves room for the plot.
const MAX_TITLE: usize = 80;

/// Parses a title.
pub(crate) fn title(flag: &str, text: &str) -> Result<String, Failure> {
    let letters = text.chars().count();
    if letters > MAX_TITLE || text.chars().any(char::is_control) {
        return Err(Failure::new(format!(
            "{flag} must be one line of at most {MAX_TITLE} letters, got {letters}"
        )));
    }
    Ok(text.to_owned())
}

/// The range of an axis that a flag requests.
#[derive(Debug, Clone)]
pub(crate) struct Range {
    pub(crate) flag: String,
    pub(crate) text: String,
    pub(crate) from: f64,
    pub(crate) to: f64,
}

/// Parses a range of an axis.
pub(crate) fn range(flag: &str, text: &str) -> Result<Range, Failure> {
    let wrong = |rule: &str| {
        let failure = Failure::new(format!("{flag} must {rule}, got {text:?}"));
        failure.hint(format!("write a range like --{flag} 0.5..20"))
    };
    let ends = text.split_once("..");
    let ends = ends.and_then(|(from, to)| Some((finite(from)?, finite(to)?)));
    let (from, to) = ends.ok_or_else(|| wrong("be two numbers separated by .."))?;
    if from >= to {
        return Err(wrong("run from the lower to the higher number"));
    }
    let (flag, text) = (flag.to_owned(), text.to_owned());
    Ok(Range {
        flag,
        text,
        from,
        to,
    })
}
