//! The rules by which widespread programs size a filter, and the exact rate of what they say.

use std::f64::consts::LN_2;

use bloom_core::Shape;
use bloom_core::math::blocked::{self, Block};
use bloom_core::math::{MathError, Model, exact, usual_rule};

use crate::error::FigureError;
use crate::measure::{Sample, Work, measure_as};
use crate::split_block::SplitBlock;

/// A way from items and rate to a size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rule {
    /// m = ceil(-n ln p/ln^2 2), k = round(m/n ln 2): of textbooks and calculators.
    Usual,
    /// Guava: m = floor(-n ln p/ln^2 2), then up to whole words of 64 bits; k = round(-log2 p).
    Guava,
    /// RedisBloom: m = floor(-n ln p/ln^2 2), k = ceil(-log2 p).
    Redis,
    /// Parquet: m = -8 n/ln(1 - p^(1/8)) in blocks of 256 bits with 8 lanes; what libraries round
    /// to a power of two is left out.
    Parquet,
    /// Minimal and sufficient by the exact model: this project's.
    Exact,
}

impl Rule {
    pub(crate) const ALL: [Self; 5] = [
        Self::Usual,
        Self::Guava,
        Self::Redis,
        Self::Parquet,
        Self::Exact,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Usual => "textbook",
            Self::Guava => "Guava",
            Self::Redis => "Redis",
            Self::Parquet => "Parquet",
            Self::Exact => "ours",
        }
    }

    /// Whether the size is a formula and the rate that of a plain filter: both quick.
    pub(crate) fn is_closed(self) -> bool {
        !matches!(self, Self::Parquet | Self::Exact)
    }

    /// Returns the size that the rule gives.
    pub(crate) fn size(self, items: u64, rate: f64) -> Result<Size, FigureError> {
        let ideal_bits = -(items as f64) * rate.ln() / (LN_2 * LN_2);
        let too_many = || MathError::NeedsTooManyBits { items, rate };
        // Above this a cast would no longer be what the formula says.
        if ideal_bits > 9e18 {
            return Err(too_many().into());
        }
        let (bits, hashes) = match self {
            Self::Usual => {
                let usual = usual_rule(items, rate)?.ok_or_else(too_many)?;
                (usual.bits, usual.hashes.min(255) as u8)
            }
            Self::Guava => {
                let bits = (ideal_bits as u64).max(1).next_multiple_of(64);
                (bits, (-rate.log2()).round().max(1.0) as u8)
            }
            Self::Redis => ((ideal_bits as u64).max(1), (-rate.log2()).ceil() as u8),
            Self::Parquet => {
                let bits = -8.0 * items as f64 / (-rate.powf(0.125)).ln_1p();
                return Ok(Size::Split((bits / 256.0).ceil() as u64));
            }
            Self::Exact => Model::Exact.min_size(items, rate)?,
        };
        Ok(Size::Plain(Shape::new(bits, hashes)?))
    }

    /// Returns the exact rate of the rule's size over the rate asked for.
    pub(crate) fn rate_over_asked(self, items: u64, rate: f64) -> Result<f64, FigureError> {
        let got = match self.size(items, rate)? {
            Size::Plain(shape) => exact::rate(items, shape.bits(), shape.hashes())?,
            Size::Split(blocks) => blocked::rate(items, blocks, PARQUET)?,
        };
        // Sizes are met by numbers of more digits than these.
        let got = if self == Self::Exact {
            got.at_most(rate)
        } else {
            got
        };
        Ok((got.ln() - rate.ln()).exp())
    }
}

/// The blocks of Parquet's filters.
pub(crate) const PARQUET: Block = Block::Split {
    lanes: 8,
    lane_bits: 32,
};

/// The size of a filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Size {
    /// A plain filter.
    Plain(Shape),
    /// So many of Parquet's blocks.
    Split(u64),
}

impl Size {
    /// Returns the bits.
    pub(crate) fn bits(self) -> u64 {
        match self {
            Self::Plain(shape) => shape.bits(),
            Self::Split(blocks) => blocks * PARQUET.bits(),
        }
    }

    /// Measures real filters of this size.
    pub(crate) fn measure(self, work: &mut Work, items: u64) -> Result<Sample, FigureError> {
        match self {
            Self::Plain(shape) => Ok(measure_as(work, items, shape)?),
            Self::Split(blocks) => work.hits(("split", blocks), items, self.bits(), |inserts| {
                let mut filter = SplitBlock::new(blocks)?;
                inserts.for_each(|hash| filter.insert(hash));
                Ok(move |hash| filter.contains(hash))
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_miss_by_what_is_known_of_them() {
        let ratio = |rule: Rule, items, rate| rule.rate_over_asked(items, rate).unwrap();
        // 2,000 items at 1 %: 19,171 bits, 7 hashes, whose exact rate is 0.0100415.
        assert!((ratio(Rule::Usual, 2_000, 0.01) - 1.00415).abs() < 5e-6);
        // Guava's 19,170 bits are rounded up to 19,200, which is enough here.
        assert!(ratio(Rule::Guava, 2_000, 0.01) < 1.0);
        // The loads of Parquet's blocks differ, which its formula leaves out: 1.463 % for 1 %.
        assert!((ratio(Rule::Parquet, 1_000_000, 0.01) - 1.463).abs() < 5e-4);
        assert!((ratio(Rule::Parquet, 1_000_000, 1e-4) - 3.2).abs() < 0.05);
        for rate in [0.25, 0.1, 0.01, 1e-3, 1e-6] {
            let ours = ratio(Rule::Exact, 100_000, rate);
            assert!(ours <= 1.0 && ours > 0.9999, "{ours} at {rate}");
        }
    }
}
