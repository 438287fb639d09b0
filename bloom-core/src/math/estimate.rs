//! How many items a filter holds, read off its bits.

use super::error::{MathError, check_size};

/// An estimate of a number of items.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The estimated number of distinct items.
    pub items: f64,
    /// Its standard deviation.
    pub standard_deviation: f64,
}

/// Returns the number of distinct items that explains `ones` set bits, with its standard
/// deviation; `None` where every bit is set, for then any large number explains it.
///
/// ```text
/// n = ln(1 - X/m) / (k ln(1 - 1/m)),  sd = sqrt(m (e^a - 1 - a)) / k,  a = -ln(1 - X/m)
/// ```
///
/// n inverts the expected number of set bits exactly; the standard deviation is asymptotic in m.
/// Sources: Swamidass and Baldi (2007); Whang, Vander-Zanden and Taylor (1990) for the deviation.
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
    if ones == 0 {
        return Ok(Some(Estimate {
            items: 0.0,
            standard_deviation: 0.0,
        }));
    }
    if ones == bits {
        return Ok(None);
    }
    let (m, k) = (bits as f64, f64::from(hashes));
    let load = -libm::log1p(-(ones as f64) / m);
    let items = load / (-k * libm::log1p(-1.0 / m));
    Ok(Some(Estimate {
        items,
        standard_deviation: libm::sqrt(m * excess(load)) / k,
    }))
}

/// Returns the mean of the estimates of several filters with one hash each that hold the same
/// items, as the slices of a partitioned filter: (bits, set bits) of each. `None` if all bits of
/// one are set.
pub(crate) fn mean_estimate(slices: impl Iterator<Item = (u64, u64)>) -> Option<Estimate> {
    let (mut items, mut variance, mut count) = (0.0, 0.0, 0.0);
    for (bits, ones) in slices {
        let estimate = estimate_items(bits, 1, ones).ok().flatten()?;
        items += estimate.items;
        variance += estimate.standard_deviation * estimate.standard_deviation;
        count += 1.0;
    }
    Some(Estimate {
        items: items / count,
        standard_deviation: libm::sqrt(variance) / count,
    })
}

/// Returns the sum over blocks of the mean over their lanes of `lane_bits` bits, of which so many
/// are set. `None` if all bits of a lane are set.
pub(crate) fn lane_estimate(
    lane_bits: u64,
    blocks: impl Iterator<Item = impl Iterator<Item = u64>>,
) -> Option<Estimate> {
    sum_of_estimates(blocks.map(|lanes| mean_estimate(lanes.map(|ones| (lane_bits, ones)))))
}

/// Returns the sum of independent estimates; `None` if there is none of one.
pub(crate) fn sum_of_estimates(
    estimates: impl Iterator<Item = Option<Estimate>>,
) -> Option<Estimate> {
    let (mut items, mut variance) = (0.0, 0.0);
    for estimate in estimates {
        let estimate = estimate?;
        items += estimate.items;
        variance += estimate.standard_deviation * estimate.standard_deviation;
    }
    Some(Estimate {
        items,
        standard_deviation: libm::sqrt(variance),
    })
}

/// How large the union and the intersection of two sets are, from filters of both.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairEstimate {
    /// Distinct items in either set.
    pub union: Estimate,
    /// Items in both. May be a little under 0 where there are none.
    pub intersection: Estimate,
}

impl PairEstimate {
    /// Returns the Jaccard similarity: the intersection over the union, from 0 to 1; 0 where both
    /// sets are empty.
    pub fn jaccard(&self) -> f64 {
        if self.union.items <= 0.0 {
            return 0.0;
        }
        (self.intersection.items / self.union.items).clamp(0.0, 1.0)
    }
}

/// Returns the sizes of the union and the intersection of two sets whose filters have one shape and
/// hasher, from the set bits of each filter and of both filters' union; `None` where that union has
/// every bit set.
///
/// ```text
/// |A and B| = n_A + n_B - n_or
/// variance = m/k^2 (h(a_or) - h(a_A) - h(a_B) + 2 h(a_and)),  h(a) = e^a - 1 - a
/// ```
///
/// Inclusion and exclusion of three estimates that share their errors; the deviation is asymptotic
/// in m. The set bits of the *intersection* of the filters are no help: they also hold bits that
/// different items set. Source: Papapetrou, Siberski and Nejdl (2010), whose formula is this one.
///
/// # Errors
///
/// `bits` must be from 1 to 2^63, `hashes` at least 1 and every count at most `bits`.
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
    let (Some(one), Some(other), Some(union)) = (one, other, union) else {
        return Ok(None);
    };
    let (m, k) = (bits as f64, f64::from(hashes));
    let items = one.items + other.items - union.items;
    let load = |ones: u64| -libm::log1p(-(ones as f64) / m);
    let (a, b, either) = (load(ones), load(other_ones), load(union_ones));
    let both = (a + b - either).max(0.0);
    let variance = m / (k * k) * (excess(either) - excess(a) - excess(b) + 2.0 * excess(both));
    Ok(Some(PairEstimate {
        union,
        intersection: Estimate {
            items,
            standard_deviation: libm::sqrt(variance.max(0.0)),
        },
    }))
}

/// Returns e^a - 1 - a, by its series where the difference would cancel.
fn excess(load: f64) -> f64 {
    if load < 1e-4 {
        load * load / 2.0 * (1.0 + load / 3.0 * (1.0 + load / 4.0))
    } else {
        libm::expm1(load) - load
    }
}
