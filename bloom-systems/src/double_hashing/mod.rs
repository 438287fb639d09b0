//! The false-positive rate of double hashing, where the k positions of an item are derived from two hash values, and so are not
//! independent.
//!
//! If positions are independent, an item seldom hits more than one or two positions of a query. With double hashing, an item
//! can hit three or more of them at once, and an item or a query whose second hash value has a common divisor
//! with m may have fewer distinct positions. Together, this raises the rate by about 1/m, not by a share of p. That is
//! negligible at p = 1 % and a million bits, but a multiple of p where p is near 1/m.
//!
//! | file | part |
//! | --- | --- |
//! | `scheme.rs` | the schemes of libraries |
//! | `enumeration.rs` | exact rates of small filters, from all pairs of hash values |
//! | `together.rs` | first order in 1/m: positions of an item that hit those of a query together |
//! | `repeated.rs` | first order in 1/m: positions that coincide within one item or query |
//! | `known.rs` | a cache of the parts that do not depend on the number of items |
//!
//! Many libraries compute a + i b from the hash values a and b in W bits, and only then reduce the
//! sum modulo m. Unless m divides 2^W, each overflow shifts the later positions by a constant, so
//! that fewer of them hit together. The rate then rises less than half as much as without
//! overflows.

mod enumeration;
mod known;
mod repeated;
mod scheme;
mod together;

pub(crate) use enumeration::gcd;
pub(crate) use known::Known;
pub use scheme::Scheme;

use alloc::vec::Vec;

use bloom_core::math::{MathError, exact};

use crate::measured::{self, First};
use together::Split;

pub use crate::excess::Excess;

/// Where k²/m is above this, the rate of enhanced double hashing at first order in 1/m is up to thirty times too high, so no
/// bounds are computed from it.
const MAX_ENHANCED: f64 = 4.0;

/// Returns the difference between the false-positive rate under double hashing and
/// [`exact::rate`], the rate of k independent positions that may coincide.
///
/// ```text
/// (1/m) [ sum_z R_z (r^(k-z) - r^k) - C(k,2) (r^(k-1) - r^k) ]               queries
/// (n/m²) k q r^(k-1) [ C(k,2) - sum_z R_z z ]                                items
/// (n/m²) sum_j [ T_j P(Bin(j,q) >= 3) + T'_j P(Bin(j,q) >= 2) ] r^(k-j)      both
/// ```
///
/// with q = (1 - 1/m)^(kn) and r = 1 - q. The first line is the effect of queries that repeat positions, the second that of
/// items that repeat positions, and the third that of items that hit several positions of a query. R_z is the expected number
/// of second hash values b, out of m, for which a query has k - z distinct positions. T_j is the number of ways in which j
/// positions of an item hit j of a query together, and T'_j the number of additional ways modulo a divisor of m. For a + i b
/// modulo a prime m, R_(k-1) is 1 and T_j is the number of lines with slopes other than 0 and infinity that pass through
/// exactly j points of a k by k grid. Where sums overflow before they are reduced modulo m, the overflows split a line into
/// groups. The distribution of these groups depends on j alone.
///
/// The excess is exact, with two equal bounds, for [`Scheme::Modular`] and [`Scheme::Enhanced`]
/// where the enumeration of all pairs of hash values is quick. It is quick up to some hundred bits,
/// or fewer if there are more hashes or m has more divisors.
///
/// Elsewhere the excess is computed at first order in 1/m. The bounds differ from it by a share s of the absolute values of the
/// terms above. s is k²/m, with two exceptions: for the lower bound s is at most 1.5, and for the upper bound s is 1.5 where
/// k²/m is from 1.5 to 2. Shares above 1 are margins, tested by simulation, and not derived. If k²/m is above 4, the bounds for
/// [`Scheme::Enhanced`] are rates of 0 and 1. Where sums overflow, R_z and T_j are averages. s then grows by 0.001 up to 14
/// hashes, by 0.005 up to 32 and by 0.1 beyond. The bounds are wider still from 25 hashes on, and where the documentation of
/// the [`Scheme`] says so. The lower bound uses s/(1 + s), so that it stays above 0 where all terms are positive. The excess is
/// 0 for one and two hashes.
///
/// These bounds are wide in small filters. Where filters were simulated, the bounds are narrowed to a fitted formula, less and
/// plus its largest error, and [`Excess::measured`] is `true`. Such bounds are observed, not proven.
///
/// A hash of W bits adds m/2^W to s, which matters only if there are nearly as many bits as hash
/// values. Further defects of such a hash, like bits that no item sets, are not counted.
///
/// The computation takes at most a few milliseconds up to 64 hashes, and tens of milliseconds at 255.
///
/// Source: own derivation, after Kirsch and Mitzenmacher (2008), *Less hashing, same performance*,
/// who prove that the excess vanishes for large m.
///
/// # Errors
///
/// `bits` must be from 1 to 2^63 and `hashes` at least 1.
///
/// # Examples
///
/// ```
/// use bloom_core::math::exact;
/// use bloom_systems::double_hashing::{Scheme, excess};
///
/// let p = exact::rate(5_000, 71_936, 10)?.value();
/// assert!(p < 0.001);
/// // Hashes are added in 64 bits, then reduced.
/// let added = excess(Scheme::Wrapping { bits: 64 }, 5_000, 71_936, 10)?;
/// assert!(7.8e-6 < added.low && added.high < 7.9e-6);
/// # Ok::<(), bloom_core::math::MathError>(())
/// ```
pub fn excess(scheme: Scheme, items: u64, bits: u64, hashes: u8) -> Result<Excess, MathError> {
    excess_by(&Known::default(), scheme, items, bits, hashes)
}

/// Returns [`excess`], with a cache of those parts of the computation that filters have in common.
pub(crate) fn excess_by(
    known: &Known,
    scheme: Scheme,
    items: u64,
    bits: u64,
    hashes: u8,
) -> Result<Excess, MathError> {
    let (theory, first) = theory(known, scheme, items, bits, hashes)?;
    let formula = match scheme.reduced(bits) {
        Scheme::Modular { .. } => &measured::MODULAR,
        Scheme::Wrapping { .. } => &measured::WRAPPING,
        Scheme::WrappingWithoutSecond { .. } => &measured::WITHOUT_SECOND,
        Scheme::Reflected => &measured::REFLECTED,
        Scheme::Enhanced => return Ok(theory),
    };
    // Only wide hashes were simulated.
    if bits as f64 / scheme.values() > 1e-3 {
        return Ok(theory);
    }
    Ok(formula.narrowed(first, theory, items, bits, hashes))
}

/// Returns the derived bounds of the excess, and the excess at first order with overflows and without them. If the exact excess
/// is known, returns it in place of all of these.
pub(crate) fn theory(
    known: &Known,
    scheme: Scheme,
    items: u64,
    bits: u64,
    hashes: u8,
) -> Result<(Excess, First), MathError> {
    let independent = exact::rate(items, bits, hashes)?.value();
    if hashes < 3 || items == 0 || bits == 1 {
        return Ok((Excess::default(), First::default()));
    }
    let scheme = scheme.reduced(bits);
    if let Some(rate) = known.rate(scheme, items, bits, hashes) {
        let excess = rate - independent;
        let first = First {
            value: excess,
            plain: excess,
            size: excess.abs(),
        };
        return Ok((Excess::without_bounds(excess), first));
    }
    let fill = Fill::new(known, items, bits, hashes);
    let mut first = None;
    let (low, high) = match scheme {
        Scheme::Modular { .. } => fill.both(Split::None, hashes),
        Scheme::Enhanced => fill.enhanced(),
        Scheme::Reflected => fill.wrapped(Split::Reflected, hashes),
        Scheme::Wrapping { .. } => fill.wrapped(Split::Wrapped, hashes),
        // Points 0 and 2 to k - 1 of an arithmetic progression are used, so the excess is between that of k - 2 and that of k
        // successive points.
        Scheme::WrappingWithoutSecond { .. } => {
            if hashes <= measured::HASHES {
                // If m is a power of two, overflows do not change positions.
                let split = if bits.is_power_of_two() {
                    Split::None
                } else {
                    Split::Wrapped
                };
                first = Some(fill.both(split, hashes - 1).0);
            }
            let fewer = fill.wrapped(Split::Wrapped, hashes - 2);
            let more = fill.wrapped(Split::Wrapped, hashes);
            (fewer.0.min(more.0), fewer.1.max(more.1))
        }
    };
    let (first, plain) = (first.unwrap_or(low), fill.both(Split::None, hashes).0);
    let pairs = f64::from(hashes) * f64::from(hashes);
    let averaged = match scheme {
        Scheme::Modular { .. } | Scheme::Enhanced => 0.0,
        _ => averaging_error(hashes.into()),
    };
    // Hash values are spread unevenly over the remainders: a coincidence is more likely by this share, at most.
    let narrow = bits as f64 / scheme.values();
    let ratio = pairs / bits as f64;
    let capped = ratio.min(1.5);
    let below = capped + averaged + narrow;
    let above = if ratio > 2.0 { ratio } else { capped } + averaged + narrow;
    let bound = |excess: f64| excess.clamp(-independent, 1.0 - independent);
    let (lowest, highest) = match scheme {
        Scheme::Enhanced if ratio > MAX_ENHANCED => (-independent, 1.0 - independent),
        _ => (
            bound(low.value - below / (1.0 + below) * low.size),
            bound(high.value + above * high.size),
        ),
    };
    let bounds = Excess {
        low: lowest,
        high: highest,
        expected: bound(f64::midpoint(low.value, high.value)),
        measured: false,
    };
    let first = First {
        value: first.value,
        plain: plain.value,
        size: first.size,
    };
    Ok((bounds, first))
}

/// Returns, at first order, what items add to the rate if they share both hash values of a query modulo m. One
/// in m² items does:
///
/// ```text
/// (n/m²) sum over groups of j positions that overflows leave together, of P(Bin(j,q) >= 2) r^(k-j)
/// ```
///
/// `alike` is the share of these items whose second value is close to that of the query also before it is reduced modulo m.
/// For them overflows leave j positions together with a probability of about 2 j/k².
///
/// Source: own derivation. Not exact: some lines of other slopes and some groups of other overflows are left out, and some are
/// counted in place of others.
pub(crate) fn with_both_values(
    known: &Known,
    items: u64,
    bits: u64,
    hashes: u8,
    alike: f64,
) -> f64 {
    let fill = Fill::new(known, items, bits, hashes);
    let mut weights = fill.unlikely(fill.hashes, 2);
    let (m, pairs) = (bits as f64, f64::from(hashes) * f64::from(hashes));
    let of_alike = weights
        .iter()
        .enumerate()
        .map(|(j, weight)| j as f64 * weight);
    let of_alike = 2.0 / pairs * of_alike.sum::<f64>();
    if hashes > 2 {
        // Any two positions would count as a group of two, but here overflows leave few pairs of positions together.
        weights[2] = 0.0;
    }
    let of_others = Split::Wrapped.mean(&weights, fill.hashes, true);
    fill.items / m / m * (alike * of_alike + (1.0 - alike) * of_others)
}

/// Returns an upper bound of the relative error of averages over overflows, which a test checks.
fn averaging_error(hashes: usize) -> f64 {
    match hashes {
        ..=14 => 0.001,
        15..=32 => 0.005,
        _ => 0.1,
    }
}

/// The sum of first-order terms, and the sum of their absolute values.
#[derive(Debug, Clone, Copy, Default)]
struct Terms {
    value: f64,
    size: f64,
}

impl Terms {
    fn add(&mut self, term: f64) {
        self.value += term;
        self.size += term.abs();
    }

    fn scaled(self, by: f64) -> Self {
        Self {
            value: self.value * by,
            size: self.size * by.abs(),
        }
    }

    fn min(self, other: Self) -> Self {
        if self.value < other.value {
            self
        } else {
            other
        }
    }

    fn max(self, other: Self) -> Self {
        if self.value > other.value {
            self
        } else {
            other
        }
    }

    fn plus(self, other: Self) -> Self {
        Self {
            value: self.value + other.value,
            size: self.size + other.size,
        }
    }
}

/// A filter at first order: independent bits, each set with the same probability r.
#[derive(Debug)]
struct Fill<'a> {
    known: &'a Known,
    items: f64,
    bits: u64,
    hashes: usize,
    /// q^i and r^i for i = 0..=k.
    clear: Vec<f64>,
    set: Vec<f64>,
    ln_set: f64,
}

impl<'a> Fill<'a> {
    fn new(known: &'a Known, items: u64, bits: u64, hashes: u8) -> Self {
        let throws = (u128::from(items) * u128::from(hashes)) as f64;
        let ln_clear = throws * libm::log1p(-1.0 / bits as f64);
        let (clear, set) = (libm::exp(ln_clear), -libm::expm1(ln_clear));
        let powers = |base: f64| {
            let next = |power: &mut f64| {
                let this = *power;
                *power *= base;
                Some(this)
            };
            core::iter::repeat_n((), usize::from(hashes) + 1)
                .scan(1.0, move |power, ()| next(power))
                .collect()
        };
        Self {
            known,
            items: items as f64,
            bits,
            hashes: hashes.into(),
            clear: powers(clear),
            set: powers(set),
            ln_set: if clear < 0.5 {
                libm::log1p(-clear)
            } else {
                libm::log(set)
            },
        }
    }

    /// Returns r^(k-z) - r^k.
    fn gain(&self, repeated: usize) -> f64 {
        self.set[self.hashes - repeated] * -libm::expm1(repeated as f64 * self.ln_set)
    }

    /// Returns the bounds of the first order where `linked` positions are an arithmetic progression, and the other positions
    /// are independent.
    fn both(&self, split: Split, linked: u8) -> (Terms, Terms) {
        if linked < 3 {
            return (Terms::default(), Terms::default());
        }
        let repeated = self.known.repeated(split, self.bits, linked.into());
        let alone = self.alone(&repeated);
        let (low, high) = together::excess(self, split, linked.into());
        let mut bounds = (alone, alone);
        bounds.0.add(low);
        bounds.1.add(high);
        bounds
    }

    /// Returns the bounds of the first order where sums of W bits overflow and m does not divide 2^W.
    ///
    /// Two numbers of overflows shift positions alike if they are equal modulo the odd part of m. This happens often if the
    /// odd part is small, and brings the excess nearer to that without overflows. For an odd divisor d of m, overflows may
    /// change the number of coincidences modulo m/d, but not its mean. So for each d below 2k the upper bound moves by 1/d⁴ of
    /// the way to the bound without overflows. If o, the odd part of m, is below 2k, the upper bound moves by a further 1/o of
    /// the way. Both moves are margins, tested by simulation, and not derived.
    fn wrapped(&self, split: Split, linked: u8) -> (Terms, Terms) {
        let (low, mut high) = self.both(split, linked);
        let odd = self.bits >> self.bits.trailing_zeros();
        let few = 2 * self.hashes as u64;
        let divisors = (3..few.min(odd + 1)).step_by(2);
        let divisors = divisors.filter(|divisor| odd.is_multiple_of(*divisor));
        let squares = divisors.map(|divisor| (divisor * divisor) as f64);
        let mut share: f64 = squares.map(|square| 1.0 / (square * square)).sum();
        if odd < few {
            share += 1.0 / odd as f64;
        }
        if share > 0.0 {
            let plain = self.both(Split::None, linked).1;
            let apart = plain.plus(high.scaled(-1.0));
            high = high.plus(apart.scaled(share.min(1.0)));
        }
        (low, high)
    }

    /// Returns the values from which the bounds of enhanced double hashing start: 0.8 and 1.5 times the first order. Beyond
    /// [`together::MAX_ENHANCED`] hashes, the upper value is the first order itself or that of plain double hashing, whichever
    /// is higher.
    fn enhanced(&self) -> (Terms, Terms) {
        let mut first = Terms::default();
        first.add(together::enhanced(self));
        let high = match self.hashes {
            0..=together::MAX_ENHANCED => first.scaled(1.5),
            _ => self.both(Split::None, self.hashes as u8).1.max(first),
        };
        (first.scaled(0.8), high)
    }

    /// Returns the terms of the positions that coincide within a query or an item.
    fn alone(&self, repeated: &repeated::Repeated) -> Terms {
        let (k, m) = (self.hashes, self.bits as f64);
        let mut terms = Terms::default();
        let of_item = self.items / m * k as f64 * self.clear[1] * self.set[k - 1];
        for (lost, ways) in repeated.ways.iter().enumerate() {
            terms.add(ways * self.gain(lost) / m);
            terms.add(-ways * lost as f64 * of_item / m);
        }
        terms.add(-repeated.pairs * self.gain(1) / m);
        terms.add(repeated.pairs * of_item / m);
        terms
    }
}

#[cfg(test)]
mod tests;
