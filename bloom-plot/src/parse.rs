//! Parses the values of flags, with the calculator's units. An error names the flag, the rule and
//! the value, and has a hint where one helps.

use std::error::Error;
use std::ffi::OsStr;
use std::path::Path;
use std::{fmt, fs};

use bloom_params::numbers::grouped;
use bloom_params::units::{self, UnitError};
use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, Command};

use crate::error::{ChartError, FigureError};
use crate::measure::Effort;
use crate::size::Size;

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

/// Returns the hint of an error, whichever part of the program it is from.
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

/// Parses bits.
pub(crate) fn bits(text: &str) -> Result<u64, UnitError> {
    Ok(units::parse_bits(text)?.bits)
}

/// Parses a name in a list.
#[expect(
    clippy::unnecessary_wraps,
    reason = "a parser of values returns a result"
)]
pub(crate) fn name(text: &str) -> Result<String, Failure> {
    Ok(text.trim().to_owned())
}

/// Reads a file of text.
pub(crate) fn file(path: &Path) -> Result<String, Failure> {
    let read = fs::read_to_string(path);
    read.map_err(|error| Failure::new(format!("cannot read {}: {error}", path.display())))
}

/// Returns the parser of a number, which may have decimals.
pub(crate) fn number(flag: &str) -> impl Fn(&str) -> Result<f64, Failure> + Clone + use<> {
    let flag = flag.to_owned();
    move |text| {
        let number = text.trim().parse::<f64>().ok();
        number.filter(|number| number.is_finite()).ok_or_else(|| {
            let failure = Failure::new(format!("{flag} must be a number, got {text:?}"));
            failure.hint(format!("write a number like --{flag} 9.5"))
        })
    }
}

/// Parses a share, in the same notation as rates.
pub(crate) fn share(flag: &str) -> impl Fn(&str) -> Result<f64, Failure> + Clone + use<> {
    let flag = flag.to_owned();
    move |text| {
        units::parse_rate(text).map_err(|_| {
            let failure = Failure::new(format!("{flag} must be above 0 and below 1, got {text:?}"));
            failure.hint(format!("write a share like --{flag} 1%, 0.01 or 1/100"))
        })
    }
}

/// Returns the parser of a count of at least 1, in the same notation as items.
pub(crate) fn count(flag: &str) -> impl Fn(&str) -> Result<u64, Failure> + Clone + use<> {
    let flag = flag.to_owned();
    move |text| units::parse_items(text).map_err(|_| not_whole(&flag, "from 1 on", text))
}

/// Returns the parser of a count of at least 1 and below 2^32.
pub(crate) fn small_count(flag: &str) -> impl Fn(&str) -> Result<u32, Failure> + Clone + use<> {
    let flag = flag.to_owned();
    move |text| {
        let got = count(&flag)(text)?;
        u32::try_from(got)
            .map_err(|_| Failure::new(format!("{flag} must be at most {}, got {got}", u32::MAX)))
    }
}

/// Parses the number of a measurement's seed, filters or queries, which `effort` accepts.
pub(crate) fn effort(
    flag: &str,
    effort: fn(u64) -> Result<Effort, FigureError>,
) -> impl Fn(&str) -> Result<u64, Box<dyn Error + Send + Sync>> + Clone + use<> {
    let flag = flag.to_owned();
    move |text| {
        let number = match text.trim() {
            "0" => Ok(0),
            _ => units::parse_items(text),
        };
        let range = format!("from 0 to {}", grouped(u64::MAX));
        let number = number.map_err(|_| not_whole(&flag, &range, text))?;
        effort(number)?;
        Ok(number)
    }
}

fn not_whole(flag: &str, range: &str, text: &str) -> Failure {
    let message = format!("{flag} must be a whole number {range}, got {text:?}");
    Failure::new(message).hint(format!("write a number like --{flag} 20, 20k or 2^20"))
}

/// Returns the parser of a whole number of something.
pub(crate) fn whole(
    flag: &'static str,
    of: &'static str,
) -> impl Fn(&str) -> Result<u32, Failure> + Clone {
    move |text| {
        let message = || format!("{flag} must be a whole number{of}, got {text:?}");
        text.trim().parse().map_err(|_| Failure::new(message()))
    }
}

/// The longest title that leaves room for the plot.
const MAX_TITLE: usize = 80;

/// A range of an axis, as requested.
#[derive(Debug, Clone)]
pub(crate) struct Range {
    pub(crate) flag: &'static str,
    pub(crate) text: String,
    pub(crate) from: f64,
    pub(crate) to: f64,
}

/// Parses a size.
pub(crate) fn size(text: &str) -> Result<Size, ChartError> {
    text.trim().parse()
}

/// Parses a title.
pub(crate) fn title(text: &str) -> Result<String, Failure> {
    let letters = text.chars().count();
    if letters > MAX_TITLE || text.chars().any(char::is_control) {
        return Err(Failure::new(format!(
            "title must be one line of at most {MAX_TITLE} letters, got {letters}"
        )));
    }
    Ok(text.to_owned())
}

/// Returns the parser of a range of an axis.
pub(crate) fn range(flag: &'static str) -> impl Fn(&str) -> Result<Range, Failure> + Clone {
    move |text| {
        let wrong = |rule: &str| {
            let failure = Failure::new(format!("{flag} must {rule}, got {text:?}"));
            failure.hint(format!("write a range like --{flag} 0.5..20"))
        };
        let number = |text: &str| text.trim().parse::<f64>().ok().filter(|x| x.is_finite());
        let ends = text.split_once("..");
        let ends = ends.and_then(|(from, to)| Some((number(from)?, number(to)?)));
        let (from, to) = ends.ok_or_else(|| wrong("be two numbers with .. between"))?;
        if from >= to {
            return Err(wrong("run from the lower to the higher number"));
        }
        let text = text.to_owned();
        Ok(Range {
            flag,
            text,
            from,
            to,
        })
    }
}

/// The parser of one of several names, in either case. Shells offer the names.
#[derive(Debug, Clone)]
pub(crate) struct OneOf<T: 'static> {
    flag: String,
    all: &'static [(&'static str, T)],
}

/// Returns the parser of one of several names.
pub(crate) fn one_of<T>(flag: &str, all: &'static [(&'static str, T)]) -> OneOf<T> {
    let flag = flag.to_owned();
    OneOf { flag, all }
}

impl<T: Copy> OneOf<T> {
    /// Parses a name.
    pub(crate) fn read(&self, text: &str) -> Result<T, Failure> {
        let asked = text.trim();
        let mut known = self.all.iter();
        let found = known.find(|(name, _)| name.eq_ignore_ascii_case(asked));
        found.map(|(_, value)| *value).ok_or_else(|| {
            let names: Vec<&str> = self.all.iter().map(|(name, _)| *name).collect();
            let (last, first) = names.split_last().expect("there are names to choose from");
            let names = format!("{} or {last}", first.join(", "));
            Failure::new(format!("{} must be {names}, got {text:?}", self.flag))
        })
    }
}

impl<T: Copy + Send + Sync + 'static> TypedValueParser for OneOf<T> {
    type Value = T;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<T, clap::Error> {
        let own = self.clone();
        let parser = StringValueParser::new().try_map(move |text| own.read(&text));
        parser.parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let names = self.all.iter().map(|(name, _)| PossibleValue::new(*name));
        Some(Box::new(names))
    }
}
