//! Computes rates and sizes of blocked filters. All bits of an item are in one of B blocks, and the
//! blocks hold unequal numbers of items.
//!
//! The load I, the number of items in the block that a query reads, has exactly the distribution
//! Bin(n, 1/B) for n items. The rate of the filter is p_in, the rate inside one block, averaged
//! over the load:
//!
//! ```text
//! p = sum over i of P(I = i) p_in(i)
//! ```
//!
//! Source of the structure: Putze, Sanders and Singler (2009), *Cache-, hash- and space-efficient
//! Bloom filters*. They use the textbook rate for p_in and a Poisson distribution for I; this
//! module uses the exact rate and the exact distribution.

use alloc::vec;
use alloc::vec::Vec;
use core::cell::RefCell;

use super::error::{MathError, check_hashes};
use super::exact;
use super::load::{Load, split_rate};
use super::rate::Rate;

/// The structure of a block: its number of bits, and how the positions of an item in the block are
/// selected.
///
/// # Examples
///
/// ```
/// use bloom_core::math::blocked::Block;
///
/// // The block of `BlockedBloomFilter`.
/// let block = Block::Split { lanes: 8, lane_bits: 64 };
/// assert_eq!((block.bits(), block.hashes()), (512, 8));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Block {
    /// `hashes` independent positions among `bits` bits. A filter with such blocks of 32 or 64 bits
    /// is called *register-blocked*.
    Independent {
        /// Bits per block, from 1 to 65 536.
        bits: u32,
        /// Positions per item.
        hashes: u8,
    },
    /// `hashes` distinct positions among `bits` bits.
    Distinct {
        /// Bits per block, from `hashes` to 65 536.
        bits: u32,
        /// Positions per item.
        hashes: u8,
    },
    /// One position in each of `lanes` lanes of `lane_bits` bits (*split block*).
    Split {
        /// Lanes per block, which is also the number of positions per item.
        lanes: u8,
        /// Bits per lane. All lanes of a block together have from 1 to 65,536 bits.
        lane_bits: u32,
    },
}

/// The maximum number of bits of a block that the formulas accept.
const MAX_BLOCK_BITS: u64 = 1 << 16;

impl Block {
    /// Returns the bits per block.
    #[must_use]
    pub fn bits(self) -> u64 {
        match self {
            Self::Independent { bits, .. } | Self::Distinct { bits, .. } => bits.into(),
            Self::Split { lanes, lane_bits } => u64::from(lanes) * u64::from(lane_bits),
        }
    }

    /// Returns the positions per item.
    #[must_use]
    pub fn hashes(self) -> u8 {
        match self {
            Self::Independent { hashes, .. } | Self::Distinct { hashes, .. } => hashes,
            Self::Split { lanes, .. } => lanes,
        }
    }

    fn check(self) -> Result<(), MathError> {
        check_hashes(self.hashes())?;
        let bits = self.bits();
        if bits == 0 {
            return Err(MathError::NoBits);
        }
        if bits > MAX_BLOCK_BITS {
            return Err(MathError::BlockTooLarge(bits));
        }
        if matches!(self, Self::Distinct { .. }) && bits < self.hashes().into() {
            return Err(MathError::FewerBitsThanHashes {
                bits,
                hashes: self.hashes(),
            });
        }
        Ok(())
    }

    fn load(self) -> Load {
        Load {
            bits: self.bits(),
            hashes: self.hashes(),
        }
    }
}

/// Returns the exact false-positive rate of `blocks` blocks with `items` items.
///
/// ```text
/// p = sum over i of C(n, i) (1/B)^i (1 - 1/B)^(n-i) p_in(i)
/// ```
///
/// for n items in B blocks. Here `p_in` is the exact rate of `i` items in one block:
/// [`exact::rate`] for independent positions, the hypergeometric recurrence for distinct positions,
/// and (1 - (1 - 1/w)^i)^L for L lanes of w bits. The relative error is below 1e-13; for distinct
/// positions in blocks of 32,768 bits or more, it is below 4e-12. Where p is below the range of
/// `f64`, the result is 0, and its logarithm is minus infinity.
///
/// # Errors
///
/// `blocks` must be at least 1, and `block` within the limits given for [`Block`].
///
/// # Examples
///
/// ```
/// use bloom_core::math::blocked::{Block, rate};
///
/// // A Parquet filter with 9.67 bits per item has a rate above 1.4 %. Parquet's own rule takes 9.68
/// // bits per item for 1 %.
/// let block = Block::Split { lanes: 8, lane_bits: 32 };
/// assert!(rate(1_000_000, 37_760, block)?.value() > 0.014);
/// # Ok::<(), bloom_core::math::MathError>(())
/// ```
pub fn rate(items: u64, blocks: u64, block: Block) -> Result<Rate, MathError> {
    Rates::new(block)?.rate(items, blocks)
}

/// Returns the smallest number of blocks with which the rate of a filter with `items` items is at
/// most `rate`.
///
/// The answer depends on the error of the function [`rate`](rate()). For distinct positions in
/// large blocks, it may therefore be wrong if the requested rate differs from 1 by less than this
/// error. The slowest case, 255 positions in blocks of 65,536 bits with such a requested rate,
/// takes a fifth of a second.
///
/// # Errors
///
/// `items` must be at least 1, `0 < rate < 1`, `block` within the limits given for [`Block`], and
/// the answer at most 2^63 bits.
pub fn min_blocks(items: u64, block: Block, rate: f64) -> Result<u64, MathError> {
    Rates::new(block)?.min_blocks(items, rate)
}

/// A cache of the rates inside one block, for repeated calls with the same [`Block`].
///
/// The rate inside a block with i items depends neither on n nor on B, so all calls share it. The
/// methods return exactly the values of the functions [`rate`](rate()) and [`min_blocks`].
///
/// # Examples
///
/// ```
/// use bloom_core::math::blocked::{self, Block, Rates};
///
/// let block = Block::Independent { bits: 512, hashes: 6 };
/// let mut rates = Rates::new(block)?;
/// for items in [1_000, 10_000, 100_000] {
///     let blocks = rates.min_blocks(items, 0.01)?;
///     assert_eq!(rates.rate(items, blocks), blocked::rate(items, blocks, block));
/// }
/// # Ok::<(), bloom_core::math::MathError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Rates {
    inside: Inside,
}

impl Rates {
    /// Creates an empty cache.
    ///
    /// # Errors
    ///
    /// `block` must be within the limits given for [`Block`].
    pub fn new(block: Block) -> Result<Self, MathError> {
        block.check()?;
        Ok(Self {
            inside: Inside::new(block),
        })
    }

    /// Returns what the function [`rate`](rate()) returns for this block.
    ///
    /// # Errors
    ///
    /// `blocks` must be at least 1.
    pub fn rate(&mut self, items: u64, blocks: u64) -> Result<Rate, MathError> {
        if blocks == 0 {
            return Err(MathError::NoBlocks);
        }
        let load = self.inside.block.load();
        let inside = RefCell::new(&mut self.inside);
        let mean = load.mean(items, blocks, |items| inside.borrow_mut().rate(items));
        Ok(Rate::from_value(mean))
    }

    /// Returns what the function [`min_blocks`] returns for this block.
    ///
    /// # Errors
    ///
    /// `items` must be at least 1, `0 < rate < 1`, and the answer at most 2^63 bits.
    pub fn min_blocks(&mut self, items: u64, rate: f64) -> Result<u64, MathError> {
        let load = self.inside.block.load();
        let inside = RefCell::new(&mut self.inside);
        load.min_blocks(items, rate, |items| inside.borrow_mut().rate(items))
    }
}

/// Computes and caches the rate inside one block.
#[derive(Debug, Clone)]
struct Inside {
    block: Block,
    full: u64,
    /// The cached rates, by the number of items in the block; NaN if not computed yet.
    known: Vec<f64>,
    distinct: Option<Distinct>,
}

/// `Inside::known` stores rates only for fewer items per block than this number, so it takes at
/// most half a MiB. [`Distinct`] stores all rates that it computes, because it can compute them
/// only in order, from 0 items on. For a block of b bits and k hashes, these are up to about 60 b/k
/// rates, and so up to about 32 MB.
const KEPT: u64 = 1 << 16;

impl Inside {
    fn new(block: Block) -> Self {
        let distinct = match block {
            Block::Distinct { bits, hashes } => Some(Distinct::new(bits, hashes)),
            _ => None,
        };
        Self {
            block,
            full: block.load().full(),
            known: Vec::new(),
            distinct,
        }
    }

    fn rate(&mut self, items: u64) -> f64 {
        if items >= self.full {
            return 1.0;
        }
        let index = items as usize;
        match self.known.get(index) {
            Some(known) if !known.is_nan() => return *known,
            None if items < KEPT => self.known.resize(index + 1, f64::NAN),
            _ => {}
        }
        let rate = self.computed(items);
        if let Some(known) = self.known.get_mut(index) {
            *known = rate;
        }
        rate
    }

    fn computed(&mut self, items: u64) -> f64 {
        if items == 0 {
            return 0.0;
        }
        match (self.block, &mut self.distinct) {
            (_, Some(distinct)) => distinct.rate(items),
            (Block::Split { lanes, lane_bits }, _) => split_rate(items, lanes, lane_bits),
            (block, _) => exact::unchecked(items, block.bits(), block.hashes().into()).value(),
        }
    }
}

/// Computes the rates inside a block with [distinct positions](Block::Distinct), one item after
/// another.
#[derive(Debug, Clone)]
struct Distinct {
    /// The rates computed so far, with 0 items, 1 item, and so on.
    rates: Vec<f64>,
    /// The probability that d given bits are all set, for d = 0..=k, with as many items as for the
    /// last of `rates`.
    all_set: Vec<f64>,
    /// The probability that one item sets j of d given bits, for j = 0..=d.
    step: Vec<Vec<f64>>,
}

impl Distinct {
    fn new(bits: u32, hashes: u8) -> Self {
        let (b, k) = (f64::from(bits), f64::from(hashes));
        // C(d, j) C(b-d, k-j) / C(b, k) with binomial coefficients C, computed factor by factor.
        let chance = |d: u8, j: u8| {
            let hit = (0..j).map(f64::from);
            let hit = hit.map(|i| (f64::from(d) - i) / (i + 1.0) * (k - i) / (b - i));
            let missed = (0..d - j).map(f64::from);
            let missed = missed.map(|i| (b - k - i).max(0.0) / (b - f64::from(j) - i));
            hit.product::<f64>() * missed.product::<f64>()
        };
        let mut all_set = vec![0.0; usize::from(hashes) + 1];
        all_set[0] = 1.0;
        Self {
            rates: vec![0.0],
            all_set,
            step: (0..=hashes)
                .map(|d| (0..=d).map(|j| chance(d, j)).collect())
                .collect(),
        }
    }

    /// Returns the rate with `items` items, after computing the rates with fewer items.
    fn rate(&mut self, items: u64) -> f64 {
        while self.rates.len() as u64 <= items {
            for d in (1..self.all_set.len()).rev() {
                let chances = self.step[d].iter().zip(self.all_set[..=d].iter().rev());
                self.all_set[d] = chances.map(|(chance, rest)| chance * rest).sum();
            }
            self.rates.push(self.all_set.last().copied().unwrap_or(1.0));
        }
        self.rates[items as usize]
    }
}
