//! How systems derive the k positions of an item, and how the false-positive rate changes because these positions depend on one
//! another.

use bloom_core::Shape;
use bloom_core::math::{MathError, Model, distinct_hashes, hash_floor, rate_at_fill};

use crate::double_hashing::{Excess, Known, Scheme, excess_by, theory, with_both_values};
use crate::rates::Size;
use crate::sums::Chances;
use crate::{chain, four_hashes, measured, rotated, sums, walk};

/// How a system derives the k positions of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Positions {
    /// As good as independent.
    Independent,
    /// From two hash values of up to 64 bits, by double hashing.
    Double(Scheme),
    /// From two hash values of 32 bits, whose signed [sums] are flipped if below 0.
    Signed,
    /// From two hash values of 64 bits, whose sums lose their lowest bit.
    Halved,
    /// From [four hash values in turn](four_hashes).
    FourHashes,
    /// Each from a hash of the item, whose seed is [the hash before](chain).
    Chained {
        /// Whether the hash function, for each key, is a permutation of its seeds.
        permutation: bool,
    },
    /// Each from [the hash before](walk), by a multiplication.
    Walk,
    /// From two hash values of 32 bits, the second of which is the first one rotated, by sums that overflow.
    Rotated,
    /// As good as independent, but from one hash value of 32 bits.
    Narrow,
    /// One in each of k slices, as the remainder of a number. The number has 16 bits for slices of
    /// less than 2^15 bits, 32 bits for slices of less than 2^31 bits, and else 64 bits.
    Slices,
}

/// Returns how many bits the numbers have whose remainders are the positions in slices of `slice` bits ([`Positions::Slices`]).
pub(crate) fn slice_width(slice: u64) -> u32 {
    match slice {
        ..0x8000 => 16,
        0x8000..0x8000_0000 => 32,
        _ => 64,
    }
}

impl Positions {
    /// Returns the difference between the mean rate of filters of this size with `items` items and that of the exact
    /// model, which has k independent positions, each as likely as any other.
    ///
    /// It is what [dependence](Self::dependence) adds, plus three further effects: a key that is no item may have the
    /// hash value of an item, items may share a hash value, and not all positions are equally likely as [sums] of 32 bits or as
    /// remainders in slices. For [`Slices`](Self::Slices), the exact model is that of slices.
    ///
    /// # Errors
    ///
    /// `bits` must be from 1 to 2^63 and `hashes` at least 1.
    ///
    /// # Examples
    ///
    /// ```
    /// use bloom_core::math::exact;
    /// use bloom_systems::Positions;
    ///
    /// // The size of the filter that DataSketches builds for ten items and a rate of 0.001.
    /// let ideal = exact::rate(10, 192, 10)?.value();
    /// let more = Positions::Halved.excess(10, 192, 10)?;
    /// assert!(ideal < 0.000_14 && more.high > 0.001);
    /// # Ok::<(), bloom_core::math::MathError>(())
    /// ```
    pub fn excess(self, items: u64, bits: u64, hashes: u8) -> Result<Excess, MathError> {
        self.excess_by(&Known::default(), (items, bits, hashes))
    }

    /// Returns [`excess`](Self::excess), with a cache of those parts of the computation that filters have in common.
    pub(crate) fn excess_by(self, known: &Known, size: Size) -> Result<Excess, MathError> {
        let (items, bits, hashes) = size;
        let even = self.model().rate(items, bits, hashes)?.value();
        let (distinct, floor) = self.hashes_of(items)?;
        let rate = self.independent(distinct, bits, hashes)?;
        let dependence = self
            .dependence_by(known, (distinct, bits, hashes))?
            .with_floor(rate, floor, even);
        let bound = |more: f64| more.clamp(-even, 1.0 - even);
        Ok(Excess {
            low: bound(dependence.low),
            expected: bound(dependence.expected),
            high: bound(dependence.high),
            measured: dependence.measured,
        })
    }

    /// Returns how many different hash values the items of a filter have, to the nearest whole number, and the chance that a
    /// key that is no item has one of these.
    pub(crate) fn hashes_of(self, items: u64) -> Result<(u64, f64), MathError> {
        self.hash_bits().map_or(Ok((items, 0.0)), |width| {
            let distinct = libm::round(distinct_hashes(items, width)?) as u64;
            Ok((distinct, hash_floor(items, width)?))
        })
    }

    /// Returns 32 if all positions of a key come from one hash value of 32 bits. A key that is no item then often has the hash
    /// value of an item. Returns `None` for all other positions.
    #[must_use]
    pub fn hash_bits(self) -> Option<u32> {
        matches!(self, Self::Rotated | Self::Narrow).then_some(32)
    }

    /// Returns the model of k independent positions, each as likely as any other.
    fn model(self) -> Model {
        match self {
            Self::Slices => Model::Partitioned,
            _ => Model::Exact,
        }
    }

    /// Returns the mean rate of independent positions, each of which is as likely as if it were derived in this way. For
    /// [`Signed`](Self::Signed) and [`Chained`](Self::Chained) the rate is not exact. In filters of up to 2^16 bits, all
    /// positions count as equally likely, although their chances differ by up to one part in 2^15. In larger filters the rate
    /// is that at the mean fill.
    ///
    /// # Errors
    ///
    /// As for [`excess`](Self::excess).
    pub fn independent(self, items: u64, bits: u64, hashes: u8) -> Result<f64, MathError> {
        let even = self.model().rate(items, bits, hashes)?.value();
        Ok(match self {
            Self::Slices => {
                let slice = bits / u64::from(hashes);
                let width = slice_width(slice);
                if width > 32 {
                    return Ok(even);
                }
                let hit = Chances::of(1 << width, slice).expected_hit(items, 1);
                rate_at_fill(hit, hashes)
            }
            Self::Signed | Self::Chained { .. } if bits > sums::EVEN => {
                rate_at_fill(Chances::new(bits).expected_hit(items, hashes), hashes)
            }
            _ => even,
        })
    }

    /// Returns what the dependence of positions adds to the mean rate of independent ones. Below, a and b are the two hash
    /// values of an item, and "first order" means the first order in 1/m.
    ///
    /// - [`Independent`](Self::Independent), [`Slices`](Self::Slices), [`Narrow`](Self::Narrow): 0.
    /// - [`Double`](Self::Double): as [`excess`](crate::double_hashing::excess) computes it.
    /// - [`Signed`](Self::Signed): a negative sum c becomes -1 - c, and not -c as with [`Scheme::Reflected`]. m is
    ///   even, so positions a + i b and -1 - a - j b coincide only where (i + j) b is odd. That is rarer than with -c. So the
    ///   bounds for -c are used, and widened to include 0.
    /// - [`Halved`](Self::Halved): without its lowest bit, a sum grows by the same number at each step if b is even,
    ///   and by two numbers in turn if b is odd. So fewer positions hit together than with sums of 63 bits. The upper bound
    ///   is that of sums of 63 bits, and the lower bound is minus half of it. Where k²/m is above 8, the upper bound is
    ///   a rate of 1.
    /// - [`FourHashes`](Self::FourHashes): the first order. Let s be k²/m, and z the sum of the absolute values of the first
    ///   order's terms. The lower bound is s z/(1 + s) below the first order, and the upper bound is 2 s z + 0.1/m above it (2
    ///   s z for fewer than three hashes). The bounds are not derived, but simulated filters are within them. Where k²/m is
    ///   above 4, the bounds are rates of 0 and 1.
    /// - [`Chained`](Self::Chained): the first order, without bounds.
    /// - [`Rotated`](Self::Rotated): the rate has two parts. The first is the rate of two independent hash values of 32 bits;
    ///   if 3 or 5 divides m, it includes that positions are uneven modulo 3 or 5. The second part is what the greatest common
    ///   divisor of m and 2^32 - 1 adds, because the first hash value determines the second one modulo this divisor. The lower
    ///   bound of the rate is the first part less a margin, plus 0.4 times the second part. The upper bound is the first part
    ///   and the margin, plus 1.3 times the second part. The margin is 5 % of the first part, or 3 % if the divisor is below
    ///   15, or 0.2 % if it is 1. Of 1,300 simulated filters with 1 to 30 bits per item and up to 150,000 bits, half of them
    ///   with divisors from 3 up to 13,107, none was outside of the bounds. Beyond 160,000 bits, the bounds are rates of 0 and 1.
    /// - [`Walk`](Self::Walk): an estimate without bounds. It draws at random how many items begin in each class, a class being
    ///   the positions with one remainder modulo the largest power of two that divides m. The 180 rates that were measured with
    ///   DCSO bloom are within five standard errors of the estimate. For 387 random sizes of up to 256 bits and 21 hashes,
    ///   rates were simulated with standard errors of 0.2 to 8 %. They are within four standard errors of the estimate: 349
    ///   rates are within 1 % of it, and 19 are more than 2 % off.
    ///
    /// In small filters these bounds are wide. Where filters were simulated, the bounds of [`Double`](Self::Double),
    /// [`Signed`](Self::Signed), [`Halved`](Self::Halved) and [`FourHashes`](Self::FourHashes) are narrowed to a formula that
    /// is fitted to these filters, and [`Excess::measured`] is `true`. The narrowed bounds differ from the formula's rate by at
    /// most 15 % below 50 items, and by at most 5 % from 50 items on. But where the fill is below 0.38 (0.31 for
    /// [`Scheme::Reflected`]), the lower bound differs by up to 15 % for any number of items, and for signed sums the upper
    /// bound does, too. In some sizes below 100 items the lower bound is not narrowed.
    ///
    /// For signed and halved sums, bounds are narrowed only if m is a multiple of 64. The formulas cover 3 to 18 hashes (17 for
    /// [`Scheme::WrappingWithoutSecond`]) and k²/m from 0.0005 to a limit between 2.2 ([`FourHashes`](Self::FourHashes)) and 7.
    /// They cover fills from 0.28 (0.36 for [`Scheme::WrappingWithoutSecond`] and [`FourHashes`](Self::FourHashes)) to 0.92
    /// (0.6 for signed sums where k²/m is large). In the smallest filter that a system builds, they also cover any lower fill.
    /// Up to 4,458 items were simulated.
    ///
    /// # Errors
    ///
    /// As for [`excess`](Self::excess).
    pub fn dependence(self, items: u64, bits: u64, hashes: u8) -> Result<Excess, MathError> {
        self.dependence_by(&Known::default(), (items, bits, hashes))
    }

    fn dependence_by(self, known: &Known, size: Size) -> Result<Excess, MathError> {
        let (items, bits, hashes) = size;
        let even = Model::Exact.rate(items, bits, hashes)?.value();
        let shape = || Shape::new(bits, hashes).expect("the model has checked it");
        Ok(match self {
            Self::Independent | Self::Slices | Self::Narrow => Excess::default(),
            Self::Rotated if hashes == 1 => Excess::default(),
            Self::Rotated => {
                let plain = excess_by(known, Scheme::Wrapping { bits: 32 }, items, bits, hashes)?;
                let uneven = even * rotated::unevenness(items, bits, hashes);
                let (again, margin) = match rotated::common(bits) {
                    1 => (0.0, 0.002),
                    common => ((common - 1) as f64, if common < 15 { 0.03 } else { 0.05 }),
                };
                let shared = |alike| again * with_both_values(known, items, bits, hashes, alike);
                let (shared, alike) = (shared(0.0), shared(rotated::alike(bits)));
                let expected = uneven + plain.expected + 0.8 * f64::midpoint(shared, alike);
                let (low, high) = if bits > rotated::MAX_BITS {
                    (0.0, 1.0)
                } else {
                    (
                        (1.0 - margin) * (uneven + plain.low) + 0.4 * shared.min(alike),
                        (1.0 + margin) * (uneven + plain.high) + 1.3 * shared.max(alike),
                    )
                };
                Excess {
                    low: low - even,
                    expected: expected - even,
                    high: high - even,
                    measured: bits <= rotated::MAX_BITS,
                }
            }
            Self::Double(scheme) => excess_by(known, scheme, items, bits, hashes)?,
            Self::Halved => {
                let plain = Scheme::Wrapping { bits: 63 };
                let (plain, first) = theory(known, plain, items, bits, hashes)?;
                let pairs = f64::from(hashes) * f64::from(hashes) / bits as f64;
                let high = if pairs > 8.0 {
                    1.0 - even
                } else {
                    plain.high.max(0.0)
                };
                let bounds = Excess {
                    low: -0.5 * high,
                    expected: 0.4 * high,
                    high,
                    measured: false,
                };
                measured::HALVED.narrowed(first, bounds, items, bits, hashes)
            }
            Self::Signed => {
                let (reflected, first) = theory(known, Scheme::Reflected, items, bits, hashes)?;
                let (low, high) = (reflected.low.min(0.0), reflected.high.max(0.0));
                let bounds = Excess {
                    low,
                    expected: low + (high - low) / 3.0,
                    high,
                    measured: false,
                };
                measured::SIGNED.narrowed(first, bounds, items, bits, hashes)
            }
            Self::Chained { permutation } => {
                let hit = Chances::new(bits).expected_hit(items, hashes);
                Excess::without_bounds(chain::excess(hit, hit, hashes, permutation))
            }
            Self::FourHashes => {
                let of_first = four_hashes::first(shape(), items);
                let first = of_first.value;
                let pairs = f64::from(hashes) * f64::from(hashes) / bits as f64;
                let uncounted = match (items, hashes) {
                    (0, _) | (_, ..3) => 0.0,
                    _ => 0.1 / bits as f64 * (pairs / 4.0).max(1.0),
                };
                // The terms of a full filter may cancel, so the margin is a share of the sum of their absolute values.
                let size = of_first.size;
                let (low, high) = if pairs > 4.0 {
                    (-even, 1.0 - even)
                } else {
                    (
                        first - pairs / (1.0 + pairs) * size,
                        (first + 2.0 * pairs * size).max(0.0) + uncounted,
                    )
                };
                let bounds = Excess {
                    low,
                    expected: first,
                    high,
                    measured: false,
                };
                measured::FOUR_HASHES.narrowed(of_first, bounds, items, bits, hashes)
            }
            Self::Walk => Excess::without_bounds(walk::expected(shape(), items) - even),
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::systems::SYSTEMS;

    /// A single position depends on no other, so the dependence adds nothing.
    #[test]
    fn one_hash_has_no_dependence() {
        for system in SYSTEMS {
            let of_one = system.positions.dependence(5_000, 4_928, 1).unwrap();
            let apart = of_one.high.max(-of_one.low);
            // `Walk` and `Chained` add more than 0, but only because positions are uneven, by one part in 2^58 and in 2^31.
            assert!(apart < 1e-8, "{}: {of_one:?}", system.name);
        }
    }
}
