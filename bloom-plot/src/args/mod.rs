//! The command line: its charts and their flags, read into questions.

mod failure;
mod output;

pub(crate) use failure::Failure;
pub(crate) use output::{Output, OutputArgs};

use bloom_params::numbers::grouped;
use bloom_params::units;
use bloom_plot::RateByItems;
use bloom_plot::measure::Effort;
use clap::{Args, Parser, Subcommand};

const TEMPLATE: &str = "\
{before-help}{about}

{usage-heading} {usage}

{all-args}";

const EXAMPLES: &str = "\
Examples:
  bloom-plot rate-by-items                                     write rate-by-items.svg
  bloom-plot rate-by-items --m 1KiB --k 4,7,10 -o curve.png    other filters, as PNG
  bloom-plot rate-by-items --n 4000 --filters 0 -o -           theory alone, to a pipe
";

/// Plots what Bloom filters do, theory beside measurement, as SVG or PNG.
#[derive(Debug, Parser)]
#[command(name = "bloom-plot", version, before_help = EXAMPLES, help_template = TEMPLATE)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) chart: Chart,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Chart {
    /// Plots the false-positive rate p against the items n, a curve for each number of hashes k.
    ///
    /// Curves are the exact model's. Points are measured on real filters: the mean rate, with an
    /// interval of 99 % from the scatter between filters; where no query was a hit, an arrow down
    /// from the 99 % upper bound.
    #[command(before_help = EXAMPLES, help_template = TEMPLATE)]
    RateByItems(RateByItemsArgs),
}

#[derive(Debug, Args)]
pub(crate) struct RateByItemsArgs {
    /// Bits m of the filter: 20000, 20kbit, 2^20; or bytes: 2400B, 16KiB
    #[arg(
        short,
        long,
        alias = "bits",
        value_name = "BITS",
        default_value = "20000",
        allow_hyphen_values = true
    )]
    m: String,

    /// Numbers of hashes k, a curve for each: up to 8, with commas between
    #[arg(
        short,
        long,
        alias = "hashes",
        value_name = "HASHES",
        default_value = "3,5,7",
        allow_hyphen_values = true
    )]
    k: String,

    /// Items n at the right end of the axis: 4000, 1.5M, 2^20 [default: where every rate is 0.3 or more]
    #[arg(
        short,
        long,
        alias = "items",
        value_name = "ITEMS",
        allow_hyphen_values = true
    )]
    n: Option<String>,

    #[command(flatten)]
    measure: MeasureArgs,

    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Measurement")]
struct MeasureArgs {
    /// Real filters a measured point, from 2; 0 draws the theory alone
    #[arg(
        long,
        value_name = "COUNT",
        default_value = "20",
        allow_hyphen_values = true
    )]
    filters: String,

    /// Queries a filter
    #[arg(
        long,
        value_name = "COUNT",
        default_value = "20000",
        allow_hyphen_values = true
    )]
    queries: String,

    /// Takes other filters of the same kind; the same seed gives the same picture
    #[arg(
        long,
        value_name = "NUMBER",
        default_value = "1",
        allow_hyphen_values = true
    )]
    seed: String,
}

impl RateByItemsArgs {
    /// Reads the question, and a note on how it was read if that could surprise.
    pub(crate) fn question(&self) -> Result<(RateByItems, Option<String>), Failure> {
        let bits = units::parse_bits(&self.m)?;
        let note = bits.bare_magnitude.then(|| {
            let text = self.m.trim();
            let (bits, bytes) = (grouped(bits.bits), grouped(bits.bits.div_ceil(8)));
            format!("{text} is {bits} bits ({bytes} bytes); for bytes write {text}B")
        });
        let hashes = self.k.split(',').map(units::parse_hashes);
        let items = self.n.as_deref().map(units::parse_items);
        let question = RateByItems {
            bits: bits.bits,
            hashes: hashes.collect::<Result<_, _>>()?,
            items: items.transpose()?,
            effort: self.measure.effort()?,
        };
        Ok((question, note))
    }
}

impl MeasureArgs {
    fn effort(&self) -> Result<Option<Effort>, Failure> {
        let filters = count("filters", &self.filters)?;
        let queries = count("queries", &self.queries)?;
        let seed = count("seed", &self.seed)?;
        if filters == 0 {
            return Ok(None);
        }
        Ok(Some(Effort::new(filters, queries, seed)?))
    }
}

/// Reads a count, 0 included, written as items are.
fn count(flag: &str, text: &str) -> Result<u64, Failure> {
    if text.trim() == "0" {
        return Ok(0);
    }
    units::parse_items(text).map_err(|_| {
        let most = grouped(u64::MAX);
        Failure::new(format!(
            "{flag} must be a whole number from 0 to {most}, got {text:?}"
        ))
        .hint(format!("write a number like --{flag} 20, 20k or 2^20"))
    })
}
