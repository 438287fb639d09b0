//! Flags of the charts about plain Bloom filters.

use bloom_params::units;
use bloom_plot::{BitsByRate, RateByBits, RateByHashes, RateByItems, SizingError};
use clap::Args;

use super::measure::{LargeArgs, MeasureArgs, SizingArgs};
use super::{Answer, Ask, Failure, read};

#[derive(Debug, Args)]
pub(crate) struct RateByItemsArgs {
    /// Bits m of the filter: 20000, 20kbit, 2^20; or bytes: 2400B, 16KiB
    #[arg(long, default_value = "20000")]
    m: String,

    /// Numbers of hashes k, a curve for each: up to 8, with commas between
    #[arg(long, default_value = "3,5,7")]
    k: String,

    /// Items n at the right end of the axis: 4000, 1.5M, 2^20 [default: where every rate is 0.3 or more]
    #[arg(long)]
    n: Option<String>,

    /// Draws the rate of the best k at each n as well
    #[arg(long)]
    best: bool,

    #[command(flatten)]
    measure: MeasureArgs,
}

impl Ask for RateByItemsArgs {
    fn answer(&self, note: &mut dyn FnMut(&str)) -> Result<Answer, Failure> {
        let items = self.n.as_deref().map(units::parse_items);
        let question = RateByItems {
            bits: read::bits(&self.m, note)?,
            hashes: read::hashes(&self.k)?,
            best: self.best,
            items: items.transpose()?,
            effort: self.measure.effort()?,
        };
        Ok(Answer::Figure(question.figure()?))
    }
}

#[derive(Debug, Args)]
pub(crate) struct RateByBitsArgs {
    /// Items n: 2000, 1.5M, 2^20
    #[arg(long, default_value = "10000")]
    n: String,

    /// Numbers of hashes k, a curve for each: up to 6, with commas between
    #[arg(long, default_value = "1,2,4,7,10,14")]
    k: String,

    /// Bits per item at the right end of the axis
    #[arg(long, default_value = "24")]
    bits_per_item: String,

    #[command(flatten)]
    measure: MeasureArgs,
}

impl Ask for RateByBitsArgs {
    fn answer(&self, _: &mut dyn FnMut(&str)) -> Result<Answer, Failure> {
        let question = RateByBits {
            items: units::parse_items(&self.n)?,
            bits_per_item: read::number("bits-per-item", &self.bits_per_item)?,
            hashes: read::hashes(&self.k)?,
            effort: self.measure.effort()?,
        };
        Ok(Answer::Figure(question.figure()?))
    }
}

#[derive(Debug, Args)]
pub(crate) struct RateByHashesArgs {
    /// Items n: 2000, 1.5M, 2^20
    #[arg(long, default_value = "2000")]
    n: String,

    /// Bits m of the filter: 20000, 20kbit, 2^20; or bytes: 2400B, 16KiB
    #[arg(long, default_value = "20000")]
    m: String,

    /// Most hashes k on the axis [default: a little over twice the best]
    #[arg(long)]
    k: Option<String>,

    #[command(flatten)]
    measure: MeasureArgs,
}

impl Ask for RateByHashesArgs {
    fn answer(&self, note: &mut dyn FnMut(&str)) -> Result<Answer, Failure> {
        let hashes = self.k.as_deref().map(units::parse_hashes);
        let question = RateByHashes {
            items: units::parse_items(&self.n)?,
            bits: read::bits(&self.m, note)?,
            hashes: hashes.transpose()?,
            effort: self.measure.effort()?,
        };
        Ok(Answer::Figure(question.figure()?))
    }
}

#[derive(Debug, Args)]
pub(crate) struct BitsByRateArgs {
    /// Items n: 2000, 1.5M, 2^20
    #[arg(long, default_value = "1M")]
    n: String,

    /// Lowest rate p on the axis: 0.001, 0.1%, 1/1000
    #[arg(long, default_value = "1e-6")]
    p: String,

    #[command(flatten)]
    measure: LargeArgs,
}

impl Ask for BitsByRateArgs {
    fn answer(&self, _: &mut dyn FnMut(&str)) -> Result<Answer, Failure> {
        let question = BitsByRate {
            items: units::parse_items(&self.n)?,
            rate: units::parse_rate(&self.p)?,
            effort: self.measure.effort()?,
        };
        Ok(Answer::Figure(question.figure()?))
    }
}

#[derive(Debug, Args)]
pub(crate) struct SizingErrorArgs {
    /// Items n: 2000, 1.5M, 2^20
    #[arg(long, default_value = "100k")]
    n: String,

    /// Lowest rate p on the axis: 0.001, 0.1%, 1/1000
    #[arg(long, default_value = "1e-6")]
    p: String,

    /// Rules, with commas between: textbook, ours, and libraries by their names in bloom-params --like
    #[arg(
        long,
        value_name = "NAMES",
        default_value = "textbook,guava,redis-nonscaling,ours",
        allow_hyphen_values = true
    )]
    only: String,

    #[command(flatten)]
    measure: SizingArgs,
}

impl Ask for SizingErrorArgs {
    fn answer(&self, _: &mut dyn FnMut(&str)) -> Result<Answer, Failure> {
        let question = SizingError {
            items: units::parse_items(&self.n)?,
            rate: units::parse_rate(&self.p)?,
            rules: self
                .only
                .split(',')
                .map(|name| name.trim().to_lowercase())
                .collect(),
            effort: self.measure.effort()?,
        };
        Ok(Answer::Figure(question.figure()?))
    }
}
