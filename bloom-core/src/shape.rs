//! The size of a filter: bits and hashes, validated, and computed from a requested rate.

use core::fmt;

use crate::error::ShapeError;
use crate::math::{self, HASH_FLOOR_MARGIN, MAX_BITS, MathError, Model, hash_floor};

/// The bits m and hashes k of a filter: 1 to 2^63 bits, 1 to 255 hashes.
///
/// # Examples
///
/// ```
/// use bloom_core::Shape;
///
/// let shape = Shape::for_rate(2_000, 0.01)?;
/// assert_eq!(shape, Shape::new(19_188, 7)?);
/// assert!(Shape::new(0, 7).is_err());
/// # Ok::<(), bloom_core::ShapeError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Shape {
    bits: u64,
    hashes: u8,
}

impl Shape {
    /// Creates a shape of `bits` bits and `hashes` hashes.
    ///
    /// # Errors
    ///
    /// `bits` must be from 1 to 2^63 and `hashes` at least 1.
    pub fn new(bits: u64, hashes: u8) -> Result<Self, ShapeError> {
        match (bits, hashes) {
            (0, _) => Err(MathError::NoBits.into()),
            (_, 0) => Err(MathError::NoHashes.into()),
            (bits, _) if bits > MAX_BITS => Err(MathError::TooManyBits(bits).into()),
            (bits, hashes) => Ok(Self { bits, hashes }),
        }
    }

    /// Creates the smallest shape that keeps `items` expected items within the false-positive
    /// rate `rate`: one bit less would miss it with any number of hashes.
    ///
    /// # Errors
    ///
    /// `items` must be at least 1 and `0 < rate < 1`; the shape must have at most 2^63 bits; and
    /// `rate` must be at least [`HASH_FLOOR_MARGIN`] times the floor of a 64-bit hash, about
    /// `items` / 2^64.
    pub fn for_rate(items: u64, rate: f64) -> Result<Self, ShapeError> {
        Self::for_rate_by(Model::Exact, items, rate)
    }

    /// Creates the smallest shape that keeps `items` within `rate` under a model.
    pub(crate) fn for_rate_by(model: Model, items: u64, rate: f64) -> Result<Self, ShapeError> {
        let (bits, hashes) = model.min_size(items, rate)?;
        check_hash_floor(items, rate)?;
        Self::new(bits, hashes)
    }

    /// Returns the mean false-positive rate of filters of this shape with `items` items, under the
    /// exact model.
    pub(crate) fn expected_false_positive_rate(self, items: u64) -> f64 {
        math::exact::rate(items, self.bits, self.hashes)
            .expect("a shape is valid")
            .value()
    }

    /// Returns the number of bits, m.
    #[must_use]
    pub fn bits(self) -> u64 {
        self.bits
    }

    /// Returns the number of hashes, k.
    #[must_use]
    pub fn hashes(self) -> u8 {
        self.hashes
    }
}

/// Checks that a 64-bit hash leaves room for this rate.
pub(crate) fn check_hash_floor(items: u64, rate: f64) -> Result<(), ShapeError> {
    let floor = hash_floor(items, 64)?;
    if HASH_FLOOR_MARGIN * floor > rate {
        return Err(ShapeError::RateUnderHashFloor { items, rate, floor });
    }
    Ok(())
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = |count: u64, one, more| if count == 1 { one } else { more };
        write!(
            f,
            "{} {} and {} {}",
            self.bits,
            plural(self.bits, "bit", "bits"),
            self.hashes,
            plural(self.hashes.into(), "hash", "hashes")
        )
    }
}
