//! The flag `--like`: what a library builds for the question.

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};

use crate::cli::value::with_any_value;
use crate::error::InputError;
use crate::like::SYSTEMS;
use crate::like::words::takes;
use crate::query::Query;
use crate::typed::{Answer, OF_OWN_SIZES, Typed};

/// The flag `--like`.
#[derive(Debug, Clone, Default, Args)]
#[command(mut_args(with_any_value))]
pub(crate) struct LikeArgs {
    /// Show what a library builds for n and p, and its true rate
    ///
    /// Some libraries take n and m instead, or as well. m and p ask for the most items: those whose filter
    /// takes at most m or, for a library that takes n and m alone, with which its filter of m keeps p; such a
    /// library gets the least m that keeps p for n and p. The answer is the filter that the library builds by
    /// its own rule; --explain shows the rule, and --json its source. It ends with what to write to get the filter; where that would miss p, with another value that
    /// keeps it. The library chooses m, k, rounding and the kind of filter.
    ///
    /// Three programs that documents print have names, too: golang-implemented ("A Golang Implemented Bloom
    /// Filter"), to-visit-queue ("Probabilistic to-visit Queue") and large-data ("BloomFilter, a tool for
    /// large data").
    #[arg(
        long,
        value_name = "NAME",
        help_heading = "Other libraries",
        value_parser = names(),
        ignore_case = true,
        conflicts_with_all = OF_OWN_SIZES
    )]
    pub(crate) like: Option<String>,

    /// The items of each filter that redis adds, over those of the one before [default: 2]
    ///
    /// From 0 to 32768, as EXPANSION takes it; with 0 the filter does not grow, as with NONSCALING.
    #[arg(
        long,
        value_name = "TIMES",
        help_heading = "Other libraries",
        hide_short_help = true,
        requires = "like"
    )]
    pub(crate) expansion: Option<String>,
}

/// Accepts the names of known libraries.
pub(crate) fn names() -> PossibleValuesParser {
    values().collect::<Vec<_>>().into()
}

/// Accepts the names of known libraries, and a name for all of them.
pub(crate) fn names_and_all() -> PossibleValuesParser {
    let all = PossibleValue::new("all").help("All libraries");
    values().chain([all]).collect::<Vec<_>>().into()
}

fn values() -> impl Iterator<Item = PossibleValue> {
    SYSTEMS.iter().map(|library| {
        let help = format!("{}, {}", library.version, takes(library.sizing.takes));
        let name = PossibleValue::new(library.name).help(help);
        let name = name.aliases(library.aliases.iter().copied());
        name.hide(library.is_document())
    })
}

impl LikeArgs {
    /// Returns the answer of the library in `--like`, if there is one; otherwise the size or, for p
    /// alone, the bits per item.
    pub(crate) fn answer(&self, query: Query) -> Result<Answer, InputError> {
        let mut typed = Typed::default();
        typed.add("like", self.like.as_deref());
        typed.add("expansion", self.expansion.as_deref());
        typed.answer(query)
    }
}
