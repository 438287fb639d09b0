//! The flag that puts the question to a library.

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};

use crate::error::InputError;
use crate::like::{LIBRARIES, library};
use crate::query::Query;
use crate::solution::Solution;

/// The flag that puts the question to a library.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct LikeArgs {
    /// Ask what a library builds for n and p, and the true rate of that
    ///
    /// Some libraries take n and m instead, or too. Where n and p are taken, m and p ask for the most items
    /// in that memory. The answer is the filter that the library builds by
    /// its own rule, with all that may be asked beside it; --explain shows the rule, and --json where it
    /// was read. m and k are the library's choice, and so are model, rounding and kind of filter.
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

/// The names that are known.
fn names() -> PossibleValuesParser {
    let names = LIBRARIES.iter().map(|library| {
        let help = format!("{}, {}", library.version, library.takes());
        PossibleValue::new(library.name).help(help)
    });
    names.collect::<Vec<_>>().into()
}

impl LikeArgs {
    /// Returns the answer of the library asked for, if one is.
    pub(crate) fn solve(&self, query: Query) -> Result<Option<Solution>, InputError> {
        let library = self.like.as_deref().and_then(library);
        library.map(|library| library.solve(query)).transpose()
    }
}
