//! The flags that choose the kind of filter and its options.

use clap::{Arg, Args, ValueEnum};

use crate::cli::value::named;
use crate::typed::{OPTIONS, Typed};

/// Sets such options apart in the help.
fn set_apart(arg: Arg) -> Arg {
    if OPTIONS.iter().any(|(key, ..)| arg.get_id() == key) {
        arg.help_heading("Options of one filter")
            .hide_short_help(true)
    } else {
        arg
    }
}

/// The kind of filter and its options, as typed.
#[derive(Debug, Clone, Default, Args)]
#[command(mut_args(set_apart))]
pub struct FilterArgs {
    /// The kind of filter
    ///
    /// Each is sized and judged by its own exact model. Classic sets k bits anywhere; partitioned
    /// gives each hash a slice of the bits; blocked, split-block and plain-blocked keep an item within one block;
    /// counting has a counter in place of each bit, so that items can be removed; scalable adds
    /// stages as it fills.
    #[arg(long, value_enum, value_name = "FILTER", default_value_t)]
    pub filter: FilterName,

    /// Bits of a block of blocked and plain-blocked (default 512) and split-block (256)
    #[arg(long, value_name = "BITS")]
    pub block_bits: Option<String>,

    /// Bits of a counter of counting (default 4), 2 to 16
    ///
    /// m is then the number of counters; given in bytes it is the memory of all of them.
    #[arg(long, value_name = "BITS")]
    pub counter_bits: Option<String>,

    /// Expected items of the first stage of scalable (default 1000)
    #[arg(long, value_name = "ITEMS")]
    pub initial: Option<String>,

    /// Ratio of the items of a stage of scalable to those of the one before (default 2)
    #[arg(long, value_name = "TIMES")]
    pub growth: Option<String>,

    /// Ratio of the rate of a stage of scalable to that of the one before (default 0.85)
    #[arg(long, value_name = "RATIO")]
    pub tightening: Option<String>,
}

/// The values of `--filter`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum FilterName {
    /// k bits anywhere among m
    #[default]
    Classic,
    /// A slice of the bits for each hash
    Partitioned,
    /// One bit in each of 8 lanes of a block of 512 bits, as bloom-core builds
    Blocked,
    /// The same with blocks of 256 bits, as in Parquet
    SplitBlock,
    /// k bits anywhere in a block
    PlainBlocked,
    /// Counters in place of bits
    Counting,
    /// Stages added as it fills
    Scalable,
}

impl FilterArgs {
    /// Adds the texts of the flags that are given.
    pub(crate) fn add_to<'a>(&'a self, typed: &mut Typed<'a>) {
        let filter = Some(self.filter).filter(|name| *name != FilterName::default());
        typed.add("filter", filter.as_ref().map(named));
        typed.add("block_bits", self.block_bits.as_deref());
        typed.add("counter_bits", self.counter_bits.as_deref());
        typed.add("initial", self.initial.as_deref());
        typed.add("growth", self.growth.as_deref());
        typed.add("tightening", self.tightening.as_deref());
    }
}
