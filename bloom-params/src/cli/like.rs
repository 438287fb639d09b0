//! The flag `--like`: what a library builds for the question.

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};

use crate::error::InputError;
use crate::like::{LIBRARIES, library};
use crate::per_item::PerItem;
use crate::query::{Query, QueryError};
use crate::solution::Solution;

/// The flag `--like`.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct LikeArgs {
    /// Show what a library builds for n and p, and its true rate
    ///
    /// Some libraries take n and m instead, or as well. For one that takes n and p, m and p ask for the most
    /// items in that memory. The answer is the filter that the library builds by its own rule; --explain
    /// shows the rule, and --json its source. It ends with what to write to get the filter; where that would miss
    /// p, with another value that keeps it. The library chooses m, k, rounding and the kind of filter.
    ///
    /// Three programs that documents print have names, too: golang-implemented ("A Golang Implemented Bloom
    /// Filter"), to-visit-queue ("Probabilistic to-visit Queue") and large-data ("BloomFilter, a tool for
    /// large data").
    #[arg(
        long,
        value_name = "NAME",
        help_heading = "Other libraries",
        hide_short_help = true,
        value_parser = names(),
        conflicts_with_all = [
            "filter", "model", "round", "confidence", "block_bits", "counter_bits", "initial", "growth",
            "tightening",
        ]
    )]
    pub(crate) like: Option<String>,
}

/// Accepts the names of known libraries.
fn names() -> PossibleValuesParser {
    let names = LIBRARIES.iter().map(|library| {
        let help = format!("{}, {}", library.version, library.takes());
        let name = PossibleValue::new(library.name).help(help);
        name.hide(library.is_document())
    });
    names.collect::<Vec<_>>().into()
}

/// The answer to a question.
#[expect(clippy::large_enum_variant, reason = "there is one at a time")]
pub(crate) enum Answer {
    Sized(Solution),
    PerItem(PerItem),
}

impl Answer {
    /// Returns the filter, or else the error of an option that needs one.
    pub(crate) fn into_sized(self, option: &'static str) -> Result<Solution, QueryError> {
        match self {
            Self::Sized(solution) => Ok(solution),
            Self::PerItem(_) => Err(QueryError::NeedsSize { option }),
        }
    }
}

impl LikeArgs {
    /// Returns the answer of the library in `--like`, if there is one; otherwise the size or, for p
    /// alone, the bits per item.
    pub(crate) fn answer(&self, query: Query) -> Result<Answer, InputError> {
        Ok(match self.like.as_deref().and_then(library) {
            Some(library) => Answer::Sized(library.solve(query)?),
            None if query.items.is_none() && query.bits.is_none() && query.rate.is_some() => {
                Answer::PerItem(query.per_item()?)
            }
            None => Answer::Sized(query.solve()?),
        })
    }
}
