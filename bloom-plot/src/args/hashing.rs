//! Flags of the chart about double hashing.

use bloom_params::units;
use bloom_plot::HashingError;
use clap::Args;

use super::measure::HashingArgs;
use super::{Answer, Ask, Failure, read};

#[derive(Debug, Args)]
pub(crate) struct HashingErrorArgs {
    /// Bits m at the right end of the axis; sizes are powers of two
    #[arg(long, default_value = "16384")]
    m: String,

    /// Hashes k, from 3 to 14 [default: the best]
    #[arg(long)]
    k: Option<String>,

    /// Bits per item m/n
    #[arg(long, default_value = "10")]
    bits_per_item: String,

    #[command(flatten)]
    measure: HashingArgs,
}

impl Ask for HashingErrorArgs {
    fn answer(&self, note: &mut dyn FnMut(&str)) -> Result<Answer, Failure> {
        let hashes = self.k.as_deref().map(units::parse_hashes);
        let question = HashingError {
            bits_per_item: read::count("bits-per-item", &self.bits_per_item)?,
            hashes: hashes.transpose()?,
            bits: read::bits(&self.m, note)?,
            effort: self.measure.effort()?,
        };
        Ok(Answer::Figure(question.figure()?))
    }
}
