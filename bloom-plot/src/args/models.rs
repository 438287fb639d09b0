//! Flags of the charts about models, hashes and single filters.

use bloom_params::units;
use bloom_plot::{EstimateError, HashFloor, ModelError, RateSpread, Trust};
use clap::Args;

use super::measure::{BuildArgs, LargeArgs, MeasureArgs};
use super::{Answer, Ask, Failure, read};

#[derive(Debug, Args)]
pub(crate) struct ModelErrorArgs {
    /// Bits per item m/n, two curves for each: up to 4, with commas between
    #[arg(long, default_value = "10,20")]
    bits_per_item: String,

    /// Bits m at the right end of the axis: 20000, 20kbit, 2^20
    #[arg(long, default_value = "1e7")]
    m: String,
}

impl Ask for ModelErrorArgs {
    fn answer(&self, note: &mut dyn FnMut(&str)) -> Result<Answer, Failure> {
        let question = ModelError {
            bits_per_item: read::counts("bits-per-item", &self.bits_per_item)?,
            bits: read::bits(&self.m, note)?,
        };
        Ok(Answer::Figure(question.figure()?))
    }
}

#[derive(Debug, Args)]
pub(crate) struct HashFloorArgs {
    /// Bits of a hash, two curves for each: up to 4, with commas between
    #[arg(long, default_value = "32,64")]
    hash_bits: String,

    /// Rate p of the filter behind the hashes: 0.001, 0.1%, 1/1000
    #[arg(long, default_value = "1e-6")]
    p: String,

    /// Items n at the right end of the axis: 2000, 1.5M, 2^20
    #[arg(long, default_value = "1T")]
    n: String,

    #[command(flatten)]
    measure: LargeArgs,
}

impl Ask for HashFloorArgs {
    fn answer(&self, _: &mut dyn FnMut(&str)) -> Result<Answer, Failure> {
        let question = HashFloor {
            widths: read::widths("hash-bits", &self.hash_bits)?,
            rate: units::parse_rate(&self.p)?,
            items: units::parse_items(&self.n)?,
            effort: self.measure.effort()?,
        };
        Ok(Answer::Figure(question.figure()?))
    }
}

#[derive(Debug, Args)]
pub(crate) struct TrustArgs {
    /// Rates p, a curve for each: up to 8, with commas between
    #[arg(long, default_value = "10%,1%,0.1%,0.01%")]
    p: String,

    /// Smallest share of members among the queries: 0.001, 0.1%, 1/1000
    #[arg(long, value_name = "SHARE", default_value = "1e-6")]
    prevalence: String,

    #[command(flatten)]
    measure: MeasureArgs,
}

impl Ask for TrustArgs {
    fn answer(&self, _: &mut dyn FnMut(&str)) -> Result<Answer, Failure> {
        let question = Trust {
            rates: read::rates(&self.p)?,
            prevalence: read::share("prevalence", &self.prevalence)?,
            effort: self.measure.effort()?,
        };
        Ok(Answer::Figure(question.figure()?))
    }
}

#[derive(Debug, Args)]
pub(crate) struct RateSpreadArgs {
    /// Bits per item m/n
    #[arg(long, default_value = "10")]
    bits_per_item: String,

    /// Hashes k
    #[arg(long, default_value = "7")]
    k: String,

    /// Items n at the right end of the axis: 2000, 1.5M, 2^20
    #[arg(long, default_value = "100k")]
    n: String,

    #[command(flatten)]
    measure: BuildArgs,
}

impl Ask for RateSpreadArgs {
    fn answer(&self, _: &mut dyn FnMut(&str)) -> Result<Answer, Failure> {
        let question = RateSpread {
            bits_per_item: read::count("bits-per-item", &self.bits_per_item)?,
            hashes: units::parse_hashes(&self.k)?,
            items: units::parse_items(&self.n)?,
            effort: self.measure.effort()?,
        };
        Ok(Answer::Figure(question.figure()?))
    }
}

#[derive(Debug, Args)]
pub(crate) struct EstimateErrorArgs {
    /// Bits m of the filter: 20000, 20kbit, 2^20; or bytes: 2400B, 16KiB
    #[arg(long, default_value = "20000")]
    m: String,

    /// Hashes k
    #[arg(long, default_value = "7")]
    k: String,

    #[command(flatten)]
    measure: BuildArgs,
}

impl Ask for EstimateErrorArgs {
    fn answer(&self, note: &mut dyn FnMut(&str)) -> Result<Answer, Failure> {
        let question = EstimateError {
            bits: read::bits(&self.m, note)?,
            hashes: units::parse_hashes(&self.k)?,
            effort: self.measure.effort()?,
        };
        Ok(Answer::Figure(question.figure()?))
    }
}
