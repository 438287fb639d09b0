//! What all filters with one bit array share: bits, shape, fill, rate, estimate and merging.

use alloc::vec::Vec;
use core::iter::repeat_with;

use bloom_core::Shape;
use bloom_core::math::{Estimate, estimate_items, rate_at_fill};
use bloom_systems::double_hashing::Excess;
use bloom_systems::sums::REACH;
use bloom_systems::{Positions, chain};

use crate::divisor::Divisor;
use crate::error::{Format, FormatError};
use crate::sums;
use crate::warning::Warning;
use crate::words::Words;

/// Positions that a query looks at before it stops.
const GROUP: u8 = 3;

/// A bit array and its number of hashes; the divisor is the number of bits.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Plain<B = Vec<u8>> {
    pub(crate) format: Format,
    pub(crate) shape: Shape,
    pub(crate) words: Words<B>,
    pub(crate) divisor: Divisor,
}

impl Plain {
    /// Sets the positions of an item, and returns whether a bit was clear.
    pub(crate) fn insert(&mut self, mut positions: impl Iterator<Item = u64>) -> bool {
        let set = |new, position| self.words.insert(position) | new;
        positions.by_ref().fold(false, set)
    }

    /// Sets the next positions of an item, as many as hashes, and returns whether a bit was clear.
    pub(crate) fn insert_next(&mut self, position: impl FnMut() -> u64) -> bool {
        self.insert(repeat_with(position).take(self.shape.hashes().into()))
    }

    /// Unites the bits with those of a filter of the same shape.
    pub(crate) fn merge<B: AsRef<[u8]>>(&mut self, other: &Plain<B>) -> Result<(), FormatError> {
        self.check_shape(other)?;
        self.words.unite(&other.words);
        Ok(())
    }

    /// Refuses a filter of another shape.
    pub(crate) fn check_shape<B>(&self, other: &Plain<B>) -> Result<(), FormatError> {
        let (ours, theirs) = (self.shape, other.shape);
        self.format.equal("bits", ours.bits(), theirs.bits())?;
        self.format.equal("hashes", ours.hashes(), theirs.hashes())
    }
}

impl<B: AsRef<[u8]>> Plain<B> {
    pub(crate) fn new(format: Format, shape: Shape, words: Words<B>) -> Self {
        let divisor = Divisor::new(shape.bits());
        Self {
            format,
            shape,
            words,
            divisor,
        }
    }

    /// Returns a copy.
    pub(crate) fn owned(&self) -> Result<Plain, FormatError> {
        let words = self.words.owned(self.format)?;
        Ok(Plain::new(self.format, self.shape, words))
    }

    pub(crate) fn contains(&self, mut positions: impl Iterator<Item = u64>) -> bool {
        positions.all(|position| self.words.contains(position))
    }

    /// Returns whether all of the next positions of an item are set, as many as hashes.
    ///
    /// It stops only after groups of positions, as no branch predictor knows where the first clear bit is.
    #[inline]
    pub(crate) fn contains_next(&self, mut position: impl FnMut() -> u64) -> bool {
        let hashes = self.shape.hashes();
        let first = hashes.min(GROUP);
        // Counted, as the compiler would branch at each truth value.
        let set = |_| u8::from(self.words.contains(position()));
        let set: u8 = (0..first).map(set).sum();
        set == first && (first..hashes).all(|_| self.words.contains(position()))
    }

    /// Returns the positions of an item: a + i b for i from 0, of whose 64 bits those of the mask count.
    #[inline]
    pub(crate) fn sums(&self, a: u64, b: u64, mask: u64) -> impl FnMut() -> u64 + use<B> {
        let (divisor, mut sum) = (self.divisor, a);
        move || {
            let position = divisor.remainder(sum & mask);
            sum = sum.wrapping_add(b);
            position
        }
    }

    pub(crate) fn fill(&self) -> f64 {
        self.words.ones() as f64 / self.shape.bits() as f64
    }

    /// Returns the probability that one probe finds a set bit.
    fn hit(&self, positions: Positions) -> f64 {
        match positions {
            Positions::Signed => sums::hit(&self.words, self.shape.bits()),
            Positions::Chained { .. } => sums::hit_of_chains(&self.words, self.shape.bits()),
            _ => self.fill(),
        }
    }

    pub(crate) fn estimated_items(&self, positions: Positions) -> Option<Estimate> {
        let (bits, hashes) = (self.shape.bits(), self.shape.hashes());
        match positions {
            Positions::Signed | Positions::Chained { .. } => {
                sums::estimate(&self.words, bits, hashes)
            }
            _ => estimate_items(bits, hashes, self.words.ones())
                .expect("a shape is valid and has no more set bits than bits"),
        }
    }

    /// Returns what dependent positions add to the rate of independent ones at the present fill.
    pub(crate) fn excess(&self, positions: Positions) -> Excess {
        if let Positions::Chained { permutation } = positions {
            let zero = f64::from(u8::from(self.words.contains(0)));
            let hashes = self.shape.hashes();
            return Excess::without_bounds(chain::excess(
                self.hit(positions),
                zero,
                hashes,
                permutation,
            ));
        }
        let (bits, hashes) = (self.shape.bits(), self.shape.hashes());
        let estimate = self.estimated_items(positions);
        estimate.map_or(Excess::default(), |estimate| {
            let items = libm::round(estimate.items) as u64;
            let excess = positions.dependence(items, bits, hashes);
            excess.expect("a shape is valid")
        })
    }

    pub(crate) fn false_positive_rate(&self, positions: Positions) -> f64 {
        let independent = rate_at_fill(self.hit(positions), self.shape.hashes());
        (independent + self.excess(positions).expected).clamp(0.0, 1.0)
    }

    /// Returns the mean rate of filters of this size with so many items.
    pub(crate) fn expected_rate(&self, positions: Positions, items: u64) -> f64 {
        let (bits, hashes) = (self.shape.bits(), self.shape.hashes());
        let independent = positions.independent(items, bits, hashes);
        let more = positions.dependence(items, bits, hashes);
        let (independent, more) = (
            independent.expect("a shape is valid"),
            more.expect("as above"),
        );
        (independent + more.expected).clamp(0.0, 1.0)
    }

    pub(crate) fn warnings(&self, positions: Positions) -> Vec<Warning> {
        let mut warnings = Vec::new();
        let (bits, hashes) = (self.shape.bits(), self.shape.hashes());
        if self.hit(positions) >= 1.0 {
            warnings.push(Warning::Full);
        }
        if matches!(positions, Positions::Double(_) | Positions::Halved) {
            return warnings;
        }
        if bits > REACH {
            warnings.push(Warning::UnreachableBits { bits });
        }
        let even = rate_at_fill(self.fill(), hashes);
        let rate = rate_at_fill(self.hit(positions), hashes);
        if rate > 1.01 * even {
            warnings.push(Warning::UnevenPositions { even, rate });
        }
        warnings
    }

    /// Returns the bytes of a file: the header, then the words.
    pub(crate) fn to_bytes(&self, header: &[u8]) -> Result<Vec<u8>, FormatError> {
        self.words.write(self.format, header)
    }
}

/// Returns the sum of independent estimates; `None` if one is.
pub(crate) fn sum_of_estimates(
    estimates: impl Iterator<Item = Option<Estimate>>,
) -> Option<Estimate> {
    let (mut items, mut variance) = (0.0, 0.0);
    for estimate in estimates {
        let estimate = estimate?;
        items += estimate.items;
        variance += estimate.standard_deviation * estimate.standard_deviation;
    }
    Some(Estimate::new(items, libm::sqrt(variance)))
}

/// Implements the methods that all filters with one bit array have.
macro_rules! bits_and_fill {
    ($type:ident) => {
        impl<B: AsRef<[u8]>> $type<B> {
            /// Returns the bits and hashes.
            #[must_use]
            pub fn shape(&self) -> Shape {
                self.plain.shape
            }

            /// Returns the share of set bits, from 0 to 1. O(m).
            #[must_use]
            pub fn fill(&self) -> f64 {
                self.plain.fill()
            }
        }
    };
}

/// Implements the methods of filters that use double hashing; `narrow` names those with sums of 32 bits.
macro_rules! double_hashed {
    ($type:ident, $peer:literal, $narrow:literal) => {
        double_hashed!(
            $type,
            rate: concat!(
                "the fill, but for ", $narrow,
                ", whose sums of 32 bits favour some positions, and reach none from 2^31 on. ", $peer,
                "'s `expectedFpp` takes r for the fill and leaves out e, [what double hashing \
                 adds](Self::double_hashing_excess)."
            ),
            excess: concat!(
                "For ", $narrow, " the bounds are wide, from 0 to what sums have whose sign is dropped."
            )
        );
    };
    ($type:ident, rate: $rate:expr, excess: $excess:expr) => {
        impl<B: AsRef<[u8]>> $type<B> {
            /// Estimates the number of distinct items from the set bits, with its standard deviation;
            /// `None` if every bit that a probe reaches is set. O(m).
            #[must_use]
            pub fn estimated_items(&self) -> Option<Estimate> {
                self.plain.estimated_items(self.derivation())
            }

            /// Returns the false-positive rate at the present fill. O(m).
            ///
            /// ```text
            /// r^k + e
            /// ```
            ///
            #[doc = concat!("where r is the exact probability that a probe finds a set bit: ", $rate)]
            #[must_use]
            pub fn false_positive_rate(&self) -> f64 {
                self.plain.false_positive_rate(self.derivation())
            }

            /// Returns the mean false-positive rate of filters of this size with `items` distinct items.
            #[must_use]
            pub fn expected_false_positive_rate(&self, items: u64) -> f64 {
                self.plain.expected_rate(self.derivation(), items)
            }

            /// Returns what double hashing adds to the rate, at most about 1/m, with bounds: the mean over
            /// filters with the estimated items.
            #[doc = $excess]
            #[must_use]
            pub fn double_hashing_excess(&self) -> Excess {
                self.plain.excess(self.derivation())
            }
        }
    };
}

/// Implements reading of filters that a function `parse` reads in place: copied or not, strictly or not.
/// `errors` says what a header must be. `strict` checks what the system ignores, named by `ignored`.
macro_rules! readings {
    ($type:ident, $format:expr, $peer:literal, $errors:literal) => {
        readings!(
            $type,
            $format,
            $peer,
            $errors,
            "there may be more bytes than the header says",
            |_, _| Ok(())
        );
    };
    ($type:ident, $format:expr, $peer:literal, $errors:literal, $ignored:literal, $strict:expr) => {
        impl $type {
            /// Reads a filter that fills all of the bytes.
            ///
            /// # Errors
            ///
            #[doc = concat!(
                $errors, ", the bytes as many as the header says, and the memory available."
            )]
            pub fn from_bytes(bytes: &[u8]) -> Result<Self, FormatError> {
                $type::borrowed(bytes)?.copied()
            }

            #[doc = concat!(
                "Reads a filter and returns the bytes that follow it, which ", $peer, " ignores."
            )]
            ///
            /// # Errors
            ///
            #[doc = concat!("As for [`from_bytes`](Self::from_bytes), but ", $ignored, ".")]
            pub fn from_bytes_lenient(bytes: &[u8]) -> Result<(Self, &[u8]), FormatError> {
                let (filter, rest) = $type::borrowed_lenient(bytes)?;
                Ok((filter.copied()?, rest))
            }
        }

        impl<'a> $type<&'a [u8]> {
            /// Reads a filter that fills all of the bytes, in place: queries look at these bytes, which may be
            /// those of a mapped file.
            ///
            /// # Errors
            ///
            /// As for [`from_bytes`]($type::from_bytes), but no memory is needed.
            pub fn borrowed(bytes: &'a [u8]) -> Result<Self, FormatError> {
                let filter = complete($format, bytes, Self::parse(bytes)?)?;
                let strict: fn(&Self, &[u8]) -> Result<(), FormatError> = $strict;
                strict(&filter, bytes).map(|()| filter)
            }

            #[doc = concat!(
                "Reads a filter in place and returns the bytes that follow it, which ", $peer, " ignores."
            )]
            ///
            /// # Errors
            ///
            /// As for [`from_bytes_lenient`]($type::from_bytes_lenient), but no memory is needed.
            pub fn borrowed_lenient(bytes: &'a [u8]) -> Result<(Self, &'a [u8]), FormatError> {
                Self::parse(bytes)
            }
        }
    };
}

pub(crate) use {bits_and_fill, double_hashed, readings};
