//! How the positions of an item depend on one another, and what that does to the rate.

use bloom_core::Shape;
use bloom_core::math::{MathError, Model, expected_fill, hash_floor, rate_at_fill};

use crate::double_hashing::{Excess, Scheme, excess, gcd};
use crate::sums::Chances;
use crate::{chain, four_hashes, sums, walk};

/// The most hashes, and the highest fill, for which the excess of halved sums was measured.
const MEASURED_HASHES: u8 = 17;
const MEASURED_FILL: f64 = 0.55;

/// How a system derives the k positions of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Positions {
    /// As good as independent.
    Independent,
    /// From two hash values of up to 64 bits.
    Double(Scheme),
    /// From two hash values of 32 bits, whose signed [sums] are flipped if below 0.
    Signed,
    /// From two hash values of 64 bits, whose sums lose their lowest bit.
    Halved,
    /// From [four hash values in turn](four_hashes).
    FourHashes,
    /// Each from [the hash before](chain), which seeds the next.
    Chained {
        /// Whether the hash is a permutation of its seeds.
        permutation: bool,
    },
    /// Each from [the hash before](walk), by a multiplication.
    Walk,
    /// From two hash values of 32 bits, whose sums overflow and of which the second is the first one, rotated.
    Rotated,
    /// As good as independent, but from one hash value of 32 bits.
    Narrow,
    /// One in each of k slices: the remainder of a number of 16 bits for slices of less than 2^15 bits, of 32 for
    /// less than 2^31, and else of 64.
    Slices,
}

impl Positions {
    /// Returns the difference between the mean rate of filters of this size with `items` items and that of the exact
    /// model, which has k independent positions, each as likely as any other.
    ///
    /// It is what [dependence](Self::dependence) adds and, exactly, the chance that the hash value of a key is that of an item and the uneven chances of [sums] of 32 bits and of remainders
    /// in slices. For [`Slices`](Self::Slices), the exact model is that of slices.
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
    /// // What DataSketches builds for ten items and one in a thousand.
    /// let ideal = exact::rate(10, 192, 10)?.value();
    /// let more = Positions::Halved.excess(10, 192, 10)?;
    /// assert!(ideal < 0.000_14 && more.high > 0.001);
    /// # Ok::<(), bloom_core::math::MathError>(())
    /// ```
    pub fn excess(self, items: u64, bits: u64, hashes: u8) -> Result<Excess, MathError> {
        let even = self.model().rate(items, bits, hashes)?.value();
        let uneven = self.independent(items, bits, hashes)? - even;
        let mut dependence = self.dependence(items, bits, hashes)?;
        if let Some(width) = self.hash_bits() {
            dependence = dependence.with_floor(even, hash_floor(items, width)?);
        }
        let bound = |more: f64| (uneven + more).clamp(-even, 1.0 - even);
        Ok(Excess {
            low: bound(dependence.low),
            expected: bound(dependence.expected),
            high: bound(dependence.high),
        })
    }

    /// Returns the bits of the hash value that all positions come from, where these are so few that a key often has that of an
    /// item.
    pub(crate) fn hash_bits(self) -> Option<u32> {
        matches!(self, Self::Rotated | Self::Narrow).then_some(32)
    }

    /// Returns the model of as many independent positions, each as likely as any other.
    fn model(self) -> Model {
        match self {
            Self::Slices => Model::Partitioned,
            _ => Model::Exact,
        }
    }

    /// Returns the mean rate of independent positions with the chances that this system gives them. Exact.
    ///
    /// # Errors
    ///
    /// As for [`excess`](Self::excess).
    pub fn independent(self, items: u64, bits: u64, hashes: u8) -> Result<f64, MathError> {
        let even = self.model().rate(items, bits, hashes)?.value();
        Ok(match self {
            Self::Slices => {
                let slice = bits / u64::from(hashes);
                let width = match slice {
                    ..0x8000 => 16,
                    0x8000..0x8000_0000 => 32,
                    _ => return Ok(even),
                };
                let hit = Chances::of(1 << width, slice).expected_hit(items, 1);
                rate_at_fill(hit, hashes)
            }
            Self::Signed | Self::Chained { .. } if bits > sums::EVEN => {
                rate_at_fill(Chances::new(bits).expected_hit(items, hashes), hashes)
            }
            _ => even,
        })
    }

    /// Returns what the dependence of positions adds to the mean rate of independent ones.
    ///
    /// - [`Independent`](Self::Independent), [`Slices`](Self::Slices): 0.
    /// - [`Double`](Self::Double): as [`excess`] has it.
    /// - [`Signed`](Self::Signed): flipping all bits reflects a sum at -1/2, and taking the absolute value at 0. m is
    ///   even, so positions a + i b and -1 - a - j b meet only where (i + j) b is odd: more seldom than with the absolute
    ///   value, whose bounds are taken. In filters of 64 to 4 096 bits and 5 to 20 hashes, 0.1 to 0.6 of the upper one was
    ///   measured: a third is expected.
    /// - [`Halved`](Self::Halved): without its lowest bit, a sum grows by the same at each step if the step is even, and
    ///   in turns by two numbers if it is odd. So fewer positions hit together than with sums of 63 bits, whose upper
    ///   bound is taken. With up to 17 hashes, in 64 bits and more that are at most 0.55 full, half of what those sums add
    ///   is expected, and 0.65 of it is the upper bound, or in 64 bits 0.55 of theirs: 0.28 to 0.6 was measured, of the
    ///   library itself with 4 to 17 hashes and in simulated filters with 3 to 17, and in 64 bits 0.27 to 0.5 of the upper
    ///   bound.
    /// - [`FourHashes`](Self::FourHashes): the first order. Measured in filters of 64 to 2,000 bits, the whole is 0.9 to 1.5
    ///   times that for up to 7 hashes and up to 2.4 times for 14; what is not counted is below 0.1/m, also for odd m,
    ///   and more where k² exceeds 4 m. In overfull filters it is between that, which is below 0, and 0.
    /// - [`Chained`](Self::Chained): the first order, without bounds.
    /// - [`Rotated`](Self::Rotated): as two hash values of 32 bits have it; the bounds are 0.92 and 1.12 of its rates, or 1.6 where m
    ///   and 2^32 - 1 have a common divisor of 85 or more. Measured in simulated filters with 5 to 20 bits per item and up to
    ///   8,000 items: 0.92 to 1.11, and 1.4. With 100,000 items it was up to 3.3.
    /// - [`Walk`](Self::Walk): an estimate without bounds, from filters of a fixed seed or, in large ones, by the first
    ///   order. All 180 rates that were measured of the library are within five standard errors of it.
    ///
    /// # Errors
    ///
    /// As for [`excess`](Self::excess).
    pub fn dependence(self, items: u64, bits: u64, hashes: u8) -> Result<Excess, MathError> {
        let even = Model::Exact.rate(items, bits, hashes)?.value();
        let shape = || Shape::new(bits, hashes).expect("the model has checked it");
        Ok(match self {
            Self::Independent | Self::Slices | Self::Narrow => Excess::default(),
            Self::Rotated => {
                let plain = excess(Scheme::Wrapping { bits: 32 }, items, bits, hashes)?;
                // Modulo a divisor of 2^32 - 1 a rotation is a multiplication: there the second value follows the first.
                let times = match gcd(bits, u32::MAX.into()) {
                    ..85 => 1.12,
                    _ => 1.6,
                };
                Excess {
                    low: 0.92 * (even + plain.low) - even,
                    expected: plain.expected,
                    high: times * (even + plain.high) - even,
                }
            }
            Self::Double(scheme) => excess(scheme, items, bits, hashes)?,
            Self::Halved => {
                let plain = excess(Scheme::Wrapping { bits: 63 }, items, bits, hashes)?;
                let high = plain.high.max(0.0);
                let first = plain.expected.max(0.0);
                let is_usual = bits >= 64
                    && hashes <= MEASURED_HASHES
                    && expected_fill(items, bits, hashes)? <= MEASURED_FILL;
                let (expected, most) = match bits {
                    _ if !is_usual => (0.4 * high, high),
                    64 => (0.5 * first, 0.55 * high),
                    _ => (0.5 * first, 0.65 * first),
                };
                Excess {
                    low: (-0.5 * high).min(expected),
                    high: most.min(high),
                    expected: expected.min(high),
                }
            }
            Self::Signed => {
                let reflected = excess(Scheme::Reflected, items, bits, hashes)?;
                let (low, high) = (reflected.low.min(0.0), reflected.high.max(0.0));
                let expected = low + (high - low) / 3.0;
                Excess {
                    low,
                    high,
                    expected,
                }
            }
            Self::Chained { permutation } => {
                let hit = Chances::new(bits).expected_hit(items, hashes);
                Excess::without_bounds(chain::excess(hit, hit, hashes, permutation))
            }
            Self::FourHashes => {
                let first = four_hashes::mean(shape(), items);
                let more = if hashes > 7 { 2.4 } else { 1.5 };
                let pairs = f64::from(hashes) * f64::from(hashes);
                let uncounted = match (items, hashes) {
                    (0, _) | (_, ..3) => 0.0,
                    _ => 0.1 / bits as f64 * (pairs / (4.0 * bits as f64)).max(1.0),
                };
                Excess {
                    low: first.min(0.9 * first),
                    expected: first,
                    high: (more * first).max(0.0) + uncounted,
                }
            }
            Self::Walk => Excess::without_bounds(walk::expected(shape(), items) - even),
        })
    }
}
