//! The flags that choose the kind of filter and its options.

use clap::{Arg, Args, ValueEnum};
use serde_json::Value;

use crate::cli::value::read;
use crate::error::InputError;
use crate::filters::{Filter, LANES};
use crate::flag;
use crate::query::QueryError;

/// The options that belong to some kinds of filter: key in JSON, flag, kinds.
const OPTIONS: [(&str, &str, &str); 5] = [
    (
        "block_bits",
        "--block-bits",
        "blocked, split-block or plain-blocked",
    ),
    ("counter_bits", "--counter-bits", "counting"),
    ("initial", "--initial", "scalable"),
    ("growth", "--growth", "scalable"),
    ("tightening", "--tightening", "scalable"),
];

/// Returns the options of this kind of filter, by their keys in JSON.
pub(super) fn options(filter: Filter) -> Vec<(&'static str, Value)> {
    match filter {
        Filter::Classic | Filter::Partitioned => Vec::new(),
        Filter::PlainBlocked { block_bits } | Filter::SplitBlock { block_bits } => {
            vec![("block_bits", block_bits.into())]
        }
        Filter::Counting { counter_bits } => vec![("counter_bits", counter_bits.into())],
        Filter::Scalable {
            initial,
            growth,
            tightening,
        } => vec![
            ("initial", initial.into()),
            ("growth", growth.into()),
            ("tightening", tightening.into()),
        ],
    }
}

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
    /// Parses the values.
    pub(crate) fn read(&self) -> Result<Filter, InputError> {
        let whole = |text, flag, range, default| {
            let read = read(text, |text| flag::whole(text, flag, range))?;
            Ok::<_, InputError>(read.unwrap_or(default))
        };
        let block_bits = |default| {
            let text = self.block_bits.as_deref();
            whole(text, "--block-bits", 1..=65_536, default)
        };
        let filter = match self.filter {
            FilterName::Classic => Filter::Classic,
            FilterName::Partitioned => Filter::Partitioned,
            FilterName::Blocked => Filter::SplitBlock {
                block_bits: block_bits(512)? as u32,
            },
            FilterName::PlainBlocked => Filter::PlainBlocked {
                block_bits: block_bits(512)? as u32,
            },
            FilterName::SplitBlock => Filter::SplitBlock {
                block_bits: block_bits(256)? as u32,
            },
            FilterName::Counting => Filter::Counting {
                counter_bits: whole(self.counter_bits.as_deref(), "--counter-bits", 2..=16, 4)?
                    as u8,
            },
            FilterName::Scalable => Filter::Scalable {
                initial: whole(self.initial.as_deref(), "--initial", 1..=u64::MAX, 1_000)?,
                growth: whole(self.growth.as_deref(), "--growth", 1..=1_000_000, 2)? as u32,
                tightening: read(self.tightening.as_deref(), |text| {
                    flag::share(text, "--tightening", "0.85 or 1/2")
                })?
                .unwrap_or(0.85),
            },
        };
        self.refuse_options_of_others(filter)?;
        match filter {
            Filter::SplitBlock { block_bits } if block_bits % u32::from(LANES) != 0 => {
                let name = self.filter.to_possible_value();
                let name = name.as_ref().map_or("", |name| name.get_name());
                Err(InputError::new(format!(
                    "--block-bits of a {name} filter must be a multiple of {LANES}, got {block_bits}"
                )))
            }
            filter => Ok(filter),
        }
    }

    fn refuse_options_of_others(&self, filter: Filter) -> Result<(), QueryError> {
        let given = [
            &self.block_bits,
            &self.counter_bits,
            &self.initial,
            &self.growth,
            &self.tightening,
        ];
        let own = options(filter);
        for ((key, option, owners), value) in OPTIONS.into_iter().zip(given) {
            if value.is_some() && own.iter().all(|(known, _)| *known != key) {
                return Err(QueryError::NotOfFilter {
                    option,
                    filter,
                    owners,
                });
            }
        }
        Ok(())
    }
}
