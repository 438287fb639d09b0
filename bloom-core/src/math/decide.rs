//! Decides whether the false-positive rate of a filter is at most a target. Where `f64` is not
//! precise enough, the decision is in double-double precision (106 bits).
//!
//! A filter for one item with one hash and 10^6 bits has the rate 1/10^6. The `f64` nearest to 1e-6
//! is less than 1/10^6, so the filter misses the target `1e-6` by half a part in 10^16. Rates come
//! so close to a round target if they are ratios of small integers. A rate is such a ratio only
//! after few throws (hashes times items), so only rates after few throws are compared in
//! double-double precision.

use super::Model;
use super::double::{Double, Real};
use super::exact::{FEW_THROWS, binary_exponent, scaled_sum};
use super::rate::Rate;
use super::real::{ln_clear, throws};
use super::textbook;

/// Two rates whose relative difference is less than this may compare in the wrong order in `f64`.
const UNSURE: f64 = 1e-13;

/// A difference between the logarithms of two rates that is far above the rounding errors of the
/// logarithms.
const CLEAR: f64 = 1e-11;

/// Returns whether the rate of a filter with these items, bits and hashes is at most `target`.
pub(super) fn meets(model: Model, items: u64, bits: u64, hashes: u8, target: f64) -> bool {
    if is_surely_above(model, items, bits, hashes, libm::log(target)) {
        return false;
    }
    let rate = model.unchecked(items, bits, hashes.into());
    let value = rate.value();
    if (value - target).abs() <= UNSURE * target
        && let Some(precise) = precisely(model, items, bits, hashes.into(), target)
    {
        return precise;
    }
    if target > 0.5 {
        // Near 1, the logarithm of the rate is more precise than the rate.
        return rate.ln() <= libm::log1p(target - 1.0);
    }
    value <= target
}

/// Returns whether `one` is below `other` by more than a rounding error.
pub(super) fn is_below(one: Rate, other: Rate) -> bool {
    let (one, other) = (one.ln(), other.ln());
    one < other - UNSURE - 2.0 * f64::EPSILON * one.abs()
}

/// Returns whether the textbook rate already proves that the exact rate is above e^`ln`: the
/// textbook rate never exceeds the exact rate and is much faster to compute. The result `false`
/// proves nothing; it is also the result for every model but the exact one.
pub(super) fn is_surely_above(model: Model, items: u64, bits: u64, hashes: u8, ln: f64) -> bool {
    let margin = CLEAR - 16.0 * f64::EPSILON * ln;
    model == Model::Exact && textbook::unchecked(items, bits, hashes.into()).ln() > ln + margin
}

/// Decides [`meets`] in double-double precision. `None` leaves the decision to `f64`: for more than
/// [`FEW_THROWS`] throws, for a filter of one bit or with a slice of no bits, for a subnormal
/// target, and under the asymptotic model.
// Not inlined: without an allocator, lists of numbers are on the stack, and the lists of this
// function would be there at the same time as those of the computation in `f64`.
#[inline(never)]
fn precisely(model: Model, items: u64, bits: u64, hashes: u32, target: f64) -> Option<bool> {
    let throws = throws(items, hashes);
    if throws > FEW_THROWS || bits == 1 || bits < hashes.into() && model == Model::Partitioned {
        return None;
    }
    let exponent = binary_exponent(-libm::expm1(ln_clear(throws, bits)));
    let mantissa = match model {
        Model::Exact => scaled_sum::<Double>(throws as u64, bits, hashes, exponent),
        Model::Textbook => textbook_rate(throws as u64, bits, hashes, exponent),
        // The asymptotic rate is transcendental for every size, so it never equals a round target.
        Model::Asymptotic => return None,
        Model::Partitioned => partitioned(items, bits, hashes, exponent),
    };
    let scaled_target = libm::scalbn(target, -exponent * hashes as i32);
    // Scaling by a power of two is exact unless the target is subnormal.
    (target >= f64::MIN_POSITIVE).then(|| mantissa.is_at_most(scaled_target))
}

/// Returns (1 - (1 - 1/m)^N)^k / 2^(exponent × k) for N = `throws`, m = `bits` and k = `hashes`.
fn textbook_rate(throws: u64, bits: u64, hashes: u32, exponent: i32) -> Double {
    power(set(throws, bits, exponent), hashes)
}

/// Returns the product over all slices of (1 - (1 - 1/s)^n) / 2^exponent, where s is the number of
/// bits of the slice and n = `items`.
fn partitioned(items: u64, bits: u64, hashes: u32, exponent: i32) -> Double {
    let slices = u64::from(hashes);
    let (slice, longer) = (bits / slices, (bits % slices) as u32);
    let shorter = power(set(items, slice, exponent), hashes - longer);
    shorter * power(set(items, slice + 1, exponent), longer)
}

/// Returns (1 - (1 - 1/bits)^throws) / 2^exponent.
///
/// The code adds up the expected share f of set bits throw by throw: f += (1 - f) / bits. For many
/// bits, the formula above would lose by cancellation the digits that double-double precision
/// gains.
fn set(throws: u64, bits: u64, exponent: i32) -> Double {
    let (one, share) = (Double::from(1.0), Double::ratio(1, bits));
    let set = (0..throws).fold(Double::from(0.0), |set, _| set + share * (one - set));
    set * Double::from(libm::scalbn(1.0, -exponent))
}

/// Returns x^exponent by repeated products.
fn power(x: Double, exponent: u32) -> Double {
    (0..exponent).fold(Double::from(1.0), |product, _| product * x)
}
