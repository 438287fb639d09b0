//! The flags of the charts about ways of hashing.

use bloom_params::units;
use bloom_plot::{HashBias, Hashing, HashingError, Keys};
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

#[derive(Debug, Args)]
pub(crate) struct HashBiasArgs {
    /// Items n: 2000, 1.5M, 2^20
    #[arg(long, default_value = "200k")]
    n: String,

    /// Bits m of the filter, a power of two: 2^22, 2^25
    #[arg(long, default_value = "2^22")]
    m: String,

    /// Hashes k, from 1 to 7
    #[arg(long, default_value = "7")]
    k: String,

    /// What the items look like: numbers or urls
    #[arg(long, value_name = "KIND", default_value = "numbers")]
    keys: String,

    /// Ways of hashing, with commas between: polynomials, fnv-1, md5, murmur3, ours
    #[arg(
        long,
        value_name = "NAMES",
        default_value = "polynomials,fnv-1,md5,murmur3,ours",
        allow_hyphen_values = true
    )]
    only: String,
}

impl Ask for HashBiasArgs {
    fn answer(&self, note: &mut dyn FnMut(&str)) -> Result<Answer, Failure> {
        let hashings = self.only.split(',').map(hashing);
        let question = HashBias {
            hashings: hashings.collect::<Result<_, _>>()?,
            keys: match &*self.keys.trim().to_lowercase() {
                "numbers" => Keys::Numbers,
                "urls" => Keys::Urls,
                _ => {
                    let got = &self.keys;
                    let message = format!("keys must be numbers or urls, got {got:?}");
                    return Err(Failure::new(message));
                }
            },
            items: units::parse_items(&self.n)?,
            bits: read::bits(&self.m, note)?,
            hashes: units::parse_hashes(&self.k)?,
        };
        Ok(Answer::Figure(question.figure()?))
    }
}

/// Reads a way of hashing by the first word of its name.
fn hashing(text: &str) -> Result<Hashing, Failure> {
    let asked = text.trim().to_lowercase();
    let mut all = Hashing::ALL.into_iter();
    let found = all.find(|one| one.name().to_lowercase().split(' ').next() == Some(&asked));
    found.ok_or_else(|| {
        Failure::new(format!(
            "only must be of polynomials, fnv-1, md5, murmur3 and ours, got {text:?}"
        ))
    })
}
