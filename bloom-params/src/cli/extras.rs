//! The flags that add sections to an answer.

use clap::Args;

use crate::cli::value::with_any_value;
use crate::error::InputError;
use crate::extras::Asked;
use crate::typed::Typed;

/// The flags that add a section to the answer.
#[derive(Debug, Clone, Default, Args)]
#[command(mut_args(with_any_value))]
pub(crate) struct ExtraArgs {
    /// Add the rate with up to 10 times the items
    ///
    /// And the number of items at which the rate doubles.
    #[arg(long)]
    pub(crate) overfill: bool,

    /// Add the rate and the memory with more items: 3x, or 150M
    ///
    /// For this filter, for one sized for that many items, and for one that grows, with the memory that it adds.
    #[arg(long, visible_alias = "later", value_name = "ITEMS")]
    pub(crate) grow: Option<String>,

    /// Add the rate of the union of this many filters, each full
    #[arg(long, value_name = "FILTERS", hide_short_help = true)]
    pub(crate) union: Option<String>,

    /// Add how much the rates of single filters differ, and how many exceed p
    ///
    /// By the exact model of classic and counting filters.
    #[arg(long, hide_short_help = true)]
    pub(crate) spread: bool,

    /// Add expected false hits for Q lookups, and the chance of none
    #[arg(long, value_name = "Q")]
    pub(crate) lookups: Option<String>,

    /// The share of lookups for inserted items, like 1% (with --lookups)
    ///
    /// Adds the chance that a yes is true. Without it, no lookup is for an inserted item.
    #[arg(long, value_name = "SHARE", requires = "lookups")]
    #[arg(hide_short_help = true)]
    pub(crate) prevalence: Option<String>,
}

impl ExtraArgs {
    /// Returns whether no section is requested.
    pub(crate) fn is_empty(&self) -> bool {
        !(self.overfill
            || self.grow.is_some()
            || self.union.is_some()
            || self.spread
            || self.lookups.is_some())
    }

    /// Parses the values before anything is solved.
    pub(crate) fn read(&self) -> Result<Asked, InputError> {
        let mut typed = Typed::default();
        typed.add("overfill", self.overfill.then_some("true"));
        typed.add("grow", self.grow.as_deref());
        typed.add("union", self.union.as_deref());
        typed.add("spread", self.spread.then_some("true"));
        typed.add("lookups", self.lookups.as_deref());
        typed.add("prevalence", self.prevalence.as_deref());
        Asked::read(&typed)
    }
}
