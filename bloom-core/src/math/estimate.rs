//! Estimates numbers of items from numbers of set bits: the items of one Bloom filter, and for two
//! filters the items that are in both and in at least one.

use super::error::{MathError, check_bits, check_size};

/// An estimate of a number of items, with its standard deviation.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Estimate {
    /// The estimated number of distinct items.
    pub items: f64,
    /// The standard deviation of the estimate.
    pub standard_deviation: f64,
}

impl Estimate {
    /// Creates an estimate from two numbers that the caller has computed, for instance for a filter
    /// that is not of this crate.
    ///
    /// # Examples
    ///
    /// ```
    /// use bloom_core::math::{Estimate, estimate_items};
    ///
    /// let halves = [estimate_items(5_000, 7, 2_500)?, estimate_items(5_000, 7, 2_534)?];
    /// let [one, other] = halves.map(|half| half.expect("not every bit is set"));
    /// let deviation = one.standard_deviation.hypot(other.standard_deviation);
    /// let sum = Estimate::new(one.items + other.items, deviation);
    /// assert!((sum.items - 1_000.0).abs() < 1.0);
    /// # Ok::<(), bloom_core::math::MathError>(())
    /// ```
    #[must_use]
    pub const fn new(items: f64, standard_deviation: f64) -> Self {
        Self {
            items,
            standard_deviation,
        }
    }
}

/// Estimates the number n of distinct items in a filter from X = `ones`, its number of set bits.
/// The result is `None` if every bit is set, because n may then be any large number.
///
/// ```text
/// n = ln(1 - X/m) / (k ln(1 - 1/m)),  sd = sqrt(m (e^a - 1 - a)) / k,  a = -ln(1 - X/m)
/// ```
///
/// With this n, the expected number of set bits is exactly X. The standard deviation sd is the
/// limit for large m. Sources: Swamidass and Baldi (2007); Whang, Vander-Zanden and Taylor (1990)
/// for the standard deviation.
///
/// # Errors
///
/// `bits` must be from 1 to 2^63, `hashes` at least 1 and `ones` at most `bits`.
///
/// # Examples
///
/// ```
/// use bloom_core::math::estimate_items;
///
/// let estimate = estimate_items(10_000, 7, 5_034)?.expect("not every bit is set");
/// assert!((estimate.items - 1_000.0).abs() < 1.0);
/// assert_eq!(estimate_items(64, 3, 64)?, None);
/// # Ok::<(), bloom_core::math::MathError>(())
/// ```
pub fn estimate_items(bits: u64, hashes: u8, ones: u64) -> Result<Option<Estimate>, MathError> {
    check_size(bits, hashes)?;
    if ones > bits {
        return Err(MathError::TooManyOnes { ones, bits });
    }
    Ok(load(bits, ones).map(|load| {
        let items = load / load_of_one(bits, hashes);
        Estimate {
            items,
            standard_deviation: libm::sqrt(variance(bits, hashes, items)),
        }
    }))
}

/// Returns a = -ln(1 - X/m) for X = `ones` and m = `bits`; `None` if X is m. This a is the load,
/// about k n/m, at which X of m bits are expected to be set.
///
/// If fewer than half of the bits are set, the code uses X/m, and otherwise (m - X)/m: for large m,
/// X/m as an `f64` is the same for X = m - 1 as for X = m, and (m - X)/m is the same for X = 1 as
/// for X = 0.
fn load(bits: u64, ones: u64) -> Option<f64> {
    let m = bits as f64;
    match bits - ones {
        0 => None,
        clear if ones < clear => Some(-libm::log1p(-(ones as f64) / m)),
        clear => Some(-libm::log(clear as f64 / m)),
    }
}

/// Returns the load that one item adds: -k ln(1 - 1/m).
fn load_of_one(bits: u64, hashes: u8) -> f64 {
    -f64::from(hashes) * libm::log1p(-1.0 / bits as f64)
}

/// Returns the variance of an estimate of `items` items: (m/k^2) × (e^a - 1 - a), where a is their
/// load.
fn variance(bits: u64, hashes: u8, items: f64) -> f64 {
    if items == 0.0 {
        return 0.0; // In a filter of one bit, the load of an item is infinite, and 0 times infinity is NaN.
    }
    let k = f64::from(hashes);
    bits as f64 * excess(items * load_of_one(bits, hashes)) / (k * k)
}

/// The sum of estimates with independent errors.
#[derive(Default)]
struct Sum {
    items: f64,
    variance: f64,
    count: f64,
}

impl Sum {
    fn add(&mut self, estimate: Estimate) {
        self.items += estimate.items;
        self.variance += estimate.standard_deviation * estimate.standard_deviation;
        self.count += 1.0;
    }

    fn total(&self) -> Estimate {
        Estimate {
            items: self.items,
            standard_deviation: libm::sqrt(self.variance),
        }
    }

    fn mean(&self) -> Estimate {
        let total = self.total();
        Estimate {
            items: total.items / self.count,
            standard_deviation: total.standard_deviation / self.count,
        }
    }
}

/// Estimates the items of a partitioned filter: the mean of the estimates of its slices, each of
/// which is a filter with one hash that holds all items. The input is (bits, set bits) of each
/// slice. The result is `None` if a slice has every bit set.
pub(crate) fn mean_estimate(slices: impl Iterator<Item = (u64, u64)>) -> Option<Estimate> {
    let mut sum = Sum::default();
    for (bits, ones) in slices {
        sum.add(estimate_items(bits, 1, ones).ok().flatten()?);
    }
    Some(sum.mean())
}

/// The estimated sizes of the union and the intersection of two sets, each of which is stored in a
/// filter.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct PairEstimate {
    /// The number of distinct items that are in at least one of the sets.
    pub union: Estimate,
    /// The number of items that are in both sets. The estimate may be slightly below 0 if the sets
    /// have no item in common.
    pub intersection: Estimate,
}

impl PairEstimate {
    /// Returns the Jaccard similarity, from 0 to 1: the size of the intersection divided by that of
    /// the union. The result is 0 if both sets are empty. See
    /// [`estimated_pair`](crate::Bloom::estimated_pair).
    #[must_use]
    pub fn jaccard(&self) -> f64 {
        if self.union.items <= 0.0 {
            return 0.0;
        }
        (self.intersection.items / self.union.items).clamp(0.0, 1.0)
    }
}

/// Estimates the sizes of the union and the intersection of two sets, A and B, that are stored in
/// two filters with the same m, k and hasher. The input is the number of set bits of each filter
/// and of their bitwise union. The result is `None` if the bitwise union has every bit set.
///
/// ```text
/// |A and B| = n_A + n_B - n_or
/// variance = (m/k^2) (h(a_or) - h(a_A) - h(a_B) + 2 h(a_and)),  h(a) = e^a - 1 - a
/// ```
///
/// Here n_A, n_B and n_or are the numbers of items [estimated](estimate_items) from the set bits of
/// the two filters and of their bitwise union. The loads a_A, a_B, a_or and a_and are k n/m for
/// n_A, n_B, n_or and |A and B| items. The variance takes into account that the errors of the three
/// estimates are correlated, and is the limit for large m. The bits that are set in *both* filters
/// are not used: some of them were set by different items in each filter. Source: Papapetrou,
/// Siberski and Nejdl (2010), for the first formula.
///
/// # Errors
///
/// `bits` must be from 1 to 2^63, `hashes` at least 1 and the other arguments at most `bits`. The
/// union must have at least as many set bits as each filter, and at most as many as both filters
/// together.
///
/// # Examples
///
/// ```
/// use bloom_core::math::estimate_pair;
///
/// // Two filters of 10,000 bits and 7 hashes, and the set bits of their union.
/// let pair = estimate_pair(10_000, 7, 5_034, 5_034, 6_501)?.expect("not every bit is set");
/// assert_eq!(format!("{:.0}", pair.union.items), "1500");
/// assert_eq!(format!("{:.0}", pair.intersection.items), "500");
/// assert_eq!(format!("{:.0}", pair.intersection.standard_deviation), "8");
/// assert_eq!(format!("{:.2}", pair.jaccard()), "0.33");
/// # Ok::<(), bloom_core::math::MathError>(())
/// ```
pub fn estimate_pair(
    bits: u64,
    hashes: u8,
    ones: u64,
    other_ones: u64,
    union_ones: u64,
) -> Result<Option<PairEstimate>, MathError> {
    let one = estimate_items(bits, hashes, ones)?;
    let other = estimate_items(bits, hashes, other_ones)?;
    let union = estimate_items(bits, hashes, union_ones)?;
    let (fewest, most) = (ones.max(other_ones), ones.saturating_add(other_ones));
    if !(fewest..=most).contains(&union_ones) {
        return Err(MathError::NoUnionOfBoth {
            ones,
            other_ones,
            union_ones,
        });
    }
    let variance = |items| variance(bits, hashes, items);
    Ok(included_and_excluded(one, other, union, variance))
}

/// Combines the estimates for two sets and for their union into a pair. The estimates for the two
/// sets share the error that the items in both sets cause, so their covariance is `variance` at the
/// number of items in both sets.
fn included_and_excluded(
    one: Option<Estimate>,
    other: Option<Estimate>,
    union: Option<Estimate>,
    variance: impl Fn(f64) -> f64,
) -> Option<PairEstimate> {
    let (one, other, union) = (one?.items, other?.items, union?);
    // The subtraction of the two larger numbers comes first, so that rounding does not lose a small
    // set beside a large one.
    let (smaller, larger) = (one.min(other), one.max(other));
    let items = smaller - (union.items - larger);
    let variance = (variance(union.items) - variance(larger)) - variance(smaller)
        + 2.0 * variance(items.max(0.0));
    Some(PairEstimate {
        union,
        intersection: Estimate {
            items,
            standard_deviation: libm::sqrt(variance.max(0.0)),
        },
    })
}

/// Computes [`estimate_pair`] for two partitioned filters: the mean of the estimates for the single
/// slices, each of which is a filter with one hash. The input is, for each slice, its number of
/// bits, and the numbers of its set bits in one filter, in the other filter and in their union. The
/// result is `None` if a slice of the union has every bit set.
pub(crate) fn mean_pair(slices: impl Iterator<Item = (u64, [u64; 3])>) -> Option<PairEstimate> {
    let (mut union, mut intersection) = (Sum::default(), Sum::default());
    for (bits, [ones, other_ones, union_ones]) in slices {
        let pair = estimate_pair(bits, 1, ones, other_ones, union_ones);
        let pair = pair.ok().flatten()?;
        union.add(pair.union);
        intersection.add(pair.intersection);
    }
    Some(PairEstimate {
        union: union.mean(),
        intersection: intersection.mean(),
    })
}

/// The size of a blocked filter in which every item sets one bit in each lane of one block.
///
/// The first lanes of all blocks together act as a filter with one hash, because an item is equally
/// likely to set any bit of them; so do the second lanes, and so on. So the number n of items can
/// be estimated from X, the number of set bits in all blocks. The lanes of one block hold equally
/// many items, but different blocks hold different numbers of items. With B blocks of l lanes of b
/// bits and the load a = n / (B b),
///
/// ```text
/// n = ln(1 - X/(B l b)) / ln(1 - 1/(B b))
/// variance = B ((b/l) (h(a) - b h(a/b)) + b^2 h(a/b)),  h(x) = e^x - 1 - x
/// ```
///
/// The variance follows from the delta method, for blocks filled by a Poisson process conditioned
/// on its total. A sum of separate estimates, one for each block, would on average be too high by
/// about h(a)/(2 l) per block.
#[derive(Clone, Copy)]
pub(crate) struct LanedBlocks {
    pub(crate) blocks: u64,
    pub(crate) lanes: u8,
    pub(crate) lane_bits: u32,
}

impl LanedBlocks {
    /// Estimates the number of items from `ones` set bits; `None` if all bits are set.
    pub(crate) fn estimate_items(self, ones: u64) -> Option<Estimate> {
        let lane = self.blocks * u64::from(self.lane_bits);
        let load = load(lane * u64::from(self.lanes), ones)?;
        let items = load / load_of_one(lane, 1);
        Some(Estimate {
            items,
            standard_deviation: libm::sqrt(self.variance(items)),
        })
    }

    /// Computes [`estimate_pair`] for two filters with these blocks.
    pub(crate) fn estimate_pair(
        self,
        ones: u64,
        other_ones: u64,
        union_ones: u64,
    ) -> Option<PairEstimate> {
        let [one, other, union] =
            [ones, other_ones, union_ones].map(|ones| self.estimate_items(ones));
        included_and_excluded(one, other, union, |items| self.variance(items))
    }

    fn variance(self, items: f64) -> f64 {
        let (blocks, b) = (self.blocks as f64, f64::from(self.lane_bits));
        let load = items / (blocks * b);
        let between_blocks = b * excess(load / b);
        let within = (excess(load) - between_blocks) / f64::from(self.lanes);
        blocks * b * (within + between_blocks)
    }
}

/// Estimates the number n of distinct items in a blocked filter from X = `ones`, its number of set
/// bits. Every item must set one bit in each lane of one block. The result is `None` if every bit
/// is set.
///
/// ```text
/// n = ln(1 - X/(B l b)) / ln(1 - 1/(B b))
/// sd = sqrt(B ((b/l) (h(a) - b h(a/b)) + b^2 h(a/b))),  a = n/(B b),  h(x) = e^x - 1 - x
/// ```
///
/// for B = `blocks` blocks of l = `lanes` lanes of b = `lane_bits` bits. With this n, the expected
/// number of set bits is exactly X. The standard deviation sd is the limit for many blocks, and
/// takes into account that the blocks hold unequal numbers of items.
///
/// # Errors
///
/// `blocks`, `lanes` and `lane_bits` must be at least 1, the bits of all blocks at most 2^63, and
/// `ones` at most the bits of all blocks.
///
/// # Examples
///
/// ```
/// use bloom_core::math::estimate_split_blocks;
///
/// // Parquet's filter: 32 blocks of 8 lanes of 32 bits.
/// let estimate = estimate_split_blocks(32, 8, 32, 3_345)?.expect("not every bit is set");
/// assert!((estimate.items - 537.0).abs() < 1.0);
/// # Ok::<(), bloom_core::math::MathError>(())
/// ```
pub fn estimate_split_blocks(
    blocks: u64,
    lanes: u8,
    lane_bits: u32,
    ones: u64,
) -> Result<Option<Estimate>, MathError> {
    match (blocks, lanes) {
        (0, _) => return Err(MathError::NoBlocks),
        (_, 0) => return Err(MathError::NoHashes),
        _ => {}
    }
    let bits = blocks.saturating_mul(u64::from(lanes) * u64::from(lane_bits));
    check_bits(bits)?;
    if ones > bits {
        return Err(MathError::TooManyOnes { ones, bits });
    }
    let blocks = LanedBlocks {
        blocks,
        lanes,
        lane_bits,
    };
    Ok(blocks.estimate_items(ones))
}

/// Returns e^a - 1 - a for a = `load`. For a below 1/2, where the difference would lose digits by
/// cancellation, the result is the sum of its series.
fn excess(load: f64) -> f64 {
    if load < 0.5 {
        // (a^2/2) (1 + a/3 (1 + a/4 (1 + ...))); all omitted factors together change the result by
        // less than 1e-17 of it.
        let series = (3..18).rev().map(f64::from);
        load * load / 2.0 * series.fold(1.0, |sum, j| 1.0 + load / j * sum)
    } else {
        libm::expm1(load) - load
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn impossible_split_blocks_are_refused() {
        let estimate = estimate_split_blocks;
        assert_eq!(estimate(0, 8, 32, 0), Err(MathError::NoBlocks));
        assert_eq!(estimate(1, 0, 32, 0), Err(MathError::NoHashes));
        assert_eq!(estimate(1, 8, 0, 0), Err(MathError::NoBits));
        assert_eq!(
            estimate(u64::MAX, 8, 32, 0),
            Err(MathError::TooManyBits(u64::MAX))
        );
        let (ones, bits) = (257, 256);
        assert_eq!(
            estimate(1, 8, 32, ones),
            Err(MathError::TooManyOnes { ones, bits })
        );
        assert_eq!(estimate(1, 8, 32, bits), Ok(None));
    }

    #[test]
    fn blocks_of_one_lane_are_a_filter_of_one_hash() {
        for (blocks, lane_bits, ones) in [(100, 64, 1_000), (700, 64, 30_000), (9_000, 4, 30_000)] {
            let blocked = LanedBlocks {
                blocks,
                lanes: 1,
                lane_bits,
            };
            let got = blocked.estimate_items(ones).unwrap();
            let bits = blocks * u64::from(lane_bits);
            let expected = estimate_items(bits, 1, ones).unwrap().unwrap();
            assert!((got.items / expected.items - 1.0).abs() < 1e-13);
            let (got, expected) = (got.standard_deviation, expected.standard_deviation);
            assert!((got / expected - 1.0).abs() < 1e-3, "{got} {expected}");
        }
    }
}
