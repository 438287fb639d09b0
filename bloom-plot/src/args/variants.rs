//! Flags of the charts about blocked, scalable and counting filters.

use bloom_core::math::scalable::Growth;
use bloom_params::units;
use bloom_plot::{BlockedCost, BlockedShown, CounterOverflow, ScalableGrowth, Shown};
use clap::Args;

use super::measure::{CountersArgs, GrowingArgs, LargeArgs};
use super::{Answer, Ask, Failure, read};

#[derive(Debug, Args)]
pub(crate) struct BlockedCostArgs {
    /// Items n: 2000, 1.5M, 2^20
    #[arg(long, default_value = "1M")]
    n: String,

    /// Bits per item m/n at the right end of the axis
    #[arg(long, default_value = "24")]
    bits_per_item: String,

    /// Bits of a block, a curve for each: up to 5, with commas between
    #[arg(long, default_value = "64,256,512")]
    block_bits: String,

    /// What is plotted: ratio, the rate over that of a plain filter, or rate
    #[arg(long, value_name = "WHAT", default_value = "ratio")]
    show: String,

    #[command(flatten)]
    measure: LargeArgs,
}

impl Ask for BlockedCostArgs {
    fn answer(&self, _: &mut dyn FnMut(&str)) -> Result<Answer, Failure> {
        let question = BlockedCost {
            items: units::parse_items(&self.n)?,
            bits_per_item: read::number("bits-per-item", &self.bits_per_item)?,
            blocks: read::widths("block-bits", &self.block_bits)?,
            shown: match self.show.trim() {
                "ratio" => BlockedShown::Ratio,
                "rate" => BlockedShown::Rate,
                other => {
                    let message = format!("show must be ratio or rate, got {other:?}");
                    return Err(Failure::new(message));
                }
            },
            effort: self.measure.effort()?,
        };
        Ok(Answer::Figure(question.figure()?))
    }
}

#[derive(Debug, Args)]
pub(crate) struct ScalableGrowthArgs {
    /// Items of the first stage: 2000, 1.5M, 2^20
    #[arg(long, value_name = "ITEMS", default_value = "1000")]
    first: String,

    /// Rate p that all stages together keep: 0.001, 0.1%, 1/1000
    #[arg(long, default_value = "1%")]
    p: String,

    /// How many times the items of a stage the next one takes
    #[arg(long, value_name = "TIMES", default_value = "2")]
    growth: String,

    /// Rate of a stage over that of the one before
    #[arg(long, value_name = "RATIO", default_value = "0.85")]
    tightening: String,

    /// Items n at the right end of the axis: 2000, 1.5M, 2^20
    #[arg(long, default_value = "1M")]
    n: String,

    /// What is plotted: rate or memory
    #[arg(long, value_name = "WHAT", default_value = "rate")]
    show: String,

    #[command(flatten)]
    measure: GrowingArgs,
}

impl Ask for ScalableGrowthArgs {
    fn answer(&self, _: &mut dyn FnMut(&str)) -> Result<Answer, Failure> {
        let shown = match self.show.trim() {
            "rate" => Shown::Rate,
            "memory" => Shown::Memory,
            other => {
                let message = format!("show must be rate or memory, got {other:?}");
                return Err(Failure::new(message));
            }
        };
        if let (Shown::Memory, Some(queries)) = (shown, &self.measure.queries) {
            let message = format!("queries is for the rate; memory needs none, got {queries:?}");
            return Err(Failure::new(message).hint("leave --queries out, or add --show rate"));
        }
        let question = ScalableGrowth {
            growth: Growth {
                items: units::parse_items(&self.first)?,
                rate: units::parse_rate(&self.p)?,
                growth: read::width("growth", &self.growth)?,
                tightening: read::number("tightening", &self.tightening)?,
            },
            items: units::parse_items(&self.n)?,
            shown,
            effort: self.measure.effort()?,
        };
        Ok(Answer::Figure(question.figure()?))
    }
}

#[derive(Debug, Args)]
pub(crate) struct CounterOverflowArgs {
    /// Counters m: 20000, 1M, 2^20
    #[arg(long, default_value = "1M")]
    m: String,

    /// Hashes k
    #[arg(long, default_value = "7")]
    k: String,

    /// Bits of a counter, a curve for each: up to 8, with commas between
    #[arg(long, default_value = "2,3,4,5")]
    counter_bits: String,

    #[command(flatten)]
    measure: CountersArgs,
}

impl Ask for CounterOverflowArgs {
    fn answer(&self, _: &mut dyn FnMut(&str)) -> Result<Answer, Failure> {
        let question = CounterOverflow {
            counters: read::count("m", &self.m)?,
            hashes: units::parse_hashes(&self.k)?,
            widths: read::widths("counter-bits", &self.counter_bits)?,
            effort: self.measure.effort()?,
        };
        Ok(Answer::Figure(question.figure()?))
    }
}
