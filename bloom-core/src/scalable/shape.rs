//! How a scalable filter (a series of filters, its stages) starts, grows and stops growing.

use core::fmt;

use crate::error::{ShapeError, plural};
use crate::math::MathError;
use crate::math::scalable::Growth;
use crate::shape::check_hash_floor;

/// How a scalable filter, a series of filters called stages, starts and grows.
///
/// # Examples
///
/// ```
/// use bloom_core::ScalableShape;
///
/// let shape = ScalableShape::new(1_000, 0.01)?.with_growth(4)?.with_max_stages(10)?;
/// assert_eq!((shape.items(), shape.rate()), (1_000, 0.01));
/// assert_eq!((shape.growth(), shape.tightening()), (4, 0.85));
/// assert_eq!((shape.max_stages(), shape.max_bytes()), (10, None));
/// assert_eq!(shape.with_tightening(0.9)?.tightening(), 0.9);
/// # Ok::<(), bloom_core::ShapeError>(())
/// ```
#[derive(Clone, Copy, PartialEq)]
pub struct ScalableShape {
    growth: Growth,
    max_stages: u32,
    max_bytes: Option<u64>,
}

impl ScalableShape {
    /// Creates a shape that starts with `items` expected items and keeps the compound false-positive
    /// rate, that of all stages together, under `rate`. Its growth factor is 2, its tightening ratio
    /// 0.85; it allows at most 64 stages and any number of bytes.
    ///
    /// # Errors
    ///
    /// `items` must be at least 1 and `0 < rate < 1`.
    pub fn new(items: u64, rate: f64) -> Result<Self, ShapeError> {
        let growth = Growth {
            items,
            rate,
            growth: 2,
            tightening: 0.85,
        };
        Self {
            growth,
            max_stages: 64,
            max_bytes: None,
        }
        .checked()
    }

    /// Sets the growth factor: the expected items of a stage over those of the previous stage.
    ///
    /// # Errors
    ///
    /// `growth` must be at least 1.
    pub fn with_growth(mut self, growth: u32) -> Result<Self, ShapeError> {
        self.growth.growth = growth;
        self.checked()
    }

    /// Sets the tightening ratio: the rate of a stage over the rate of the previous stage.
    ///
    /// A higher ratio makes the first stages take more bits per item, and later stages fewer. Ratios
    /// from 0.8 to 0.9 take the least memory if the filter grows to about 5 to 10 stages.
    ///
    /// # Errors
    ///
    /// `0 < tightening < 1`.
    pub fn with_tightening(mut self, tightening: f64) -> Result<Self, ShapeError> {
        self.growth.tightening = tightening;
        self.checked()
    }

    /// Sets the maximum number of stages; an insert that needs a further stage returns an error.
    ///
    /// # Errors
    ///
    /// `max_stages` must be at least 1.
    pub fn with_max_stages(mut self, max_stages: u32) -> Result<Self, ShapeError> {
        if max_stages == 0 {
            return Err(MathError::NoStages.into());
        }
        self.max_stages = max_stages;
        Ok(self)
    }

    /// Sets the maximum number of bytes of memory for all stages together, as
    /// [`memory_bytes`](crate::ScalableBloomFilter::memory_bytes) counts them. It is an error to add a
    /// stage that would exceed the maximum, and no memory is allocated for the stage. Without a limit,
    /// a stage may be as large as the allocator allows.
    ///
    /// # Errors
    ///
    /// `max_bytes` must be at least 1.
    ///
    /// # Examples
    ///
    /// ```
    /// use bloom_core::{GrowError, ScalableBloomFilter, ScalableShape};
    ///
    /// let shape = ScalableShape::new(1_000, 0.01)?.with_max_bytes(1 << 20)?;
    /// let mut filter = ScalableBloomFilter::<u64>::new(shape)?;
    /// let error = (0..10_000_000).find_map(|item| filter.insert(&item).err());
    /// assert!(matches!(error, Some(GrowError::TooManyBytes { max_bytes: 1_048_576, .. })));
    /// assert!(filter.memory_bytes() <= 1 << 20);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_max_bytes(mut self, max_bytes: u64) -> Result<Self, ShapeError> {
        if max_bytes == 0 {
            return Err(MathError::NoBytes.into());
        }
        self.max_bytes = Some(max_bytes);
        Ok(self)
    }

    fn checked(self) -> Result<Self, ShapeError> {
        self.growth.check()?;
        Ok(self)
    }

    /// Returns the expected items of the first stage.
    #[must_use]
    pub fn items(self) -> u64 {
        self.growth.items
    }

    /// Returns the upper bound on the false-positive rate of all stages together.
    #[must_use]
    pub fn rate(self) -> f64 {
        self.growth.rate
    }

    /// Returns the growth factor: the expected items of a stage over those of the previous stage.
    #[must_use]
    pub fn growth(self) -> u32 {
        self.growth.growth
    }

    /// Returns the tightening ratio: the rate of a stage over the rate of the previous stage.
    #[must_use]
    pub fn tightening(self) -> f64 {
        self.growth.tightening
    }

    /// Returns the maximum number of stages.
    #[must_use]
    pub fn max_stages(self) -> u32 {
        self.max_stages
    }

    /// Returns the maximum number of bytes of all stages together, if they are limited.
    #[must_use]
    pub fn max_bytes(self) -> Option<u64> {
        self.max_bytes
    }

    /// Returns the rule that gives the items, rate and size of every stage.
    pub(crate) fn stages(self) -> Growth {
        self.growth
    }

    /// Checks that 64-bit hashes can keep the rate of a stage, which is its share of the compound rate,
    /// with `items` items in this stage and all earlier ones.
    pub(crate) fn check_hash_floor(self, stage: u32, items: u64) -> Result<(), ShapeError> {
        let share = self.growth.stage_rate(stage);
        match check_hash_floor(items, share) {
            Err(ShapeError::RateUnderHashFloor { floor, .. }) => {
                Err(ShapeError::StageUnderHashFloor {
                    stage,
                    items,
                    rate: self.rate(),
                    share,
                    floor,
                })
            }
            result => result,
        }
    }

    /// Checks that all stages up to this one may take `bytes` bytes.
    pub(crate) fn check_bytes(self, stage: u32, bytes: u64) -> Result<(), ShapeError> {
        match self.max_bytes {
            Some(max_bytes) if bytes > max_bytes => Err(ShapeError::TooManyBytes {
                stage,
                max_bytes,
                bytes,
            }),
            _ => Ok(()),
        }
    }
}

impl fmt::Debug for ScalableShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ScalableShape")
            .field("items", &self.items())
            .field("rate", &self.rate())
            .field("growth", &self.growth())
            .field("tightening", &self.tightening())
            .field("max_stages", &self.max_stages)
            .field("max_bytes", &self.max_bytes)
            .finish()
    }
}

impl fmt::Display for ScalableShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "from {} item{} at a false-positive rate of {:e}, growth {}, tightening {}, at most {} \
             stages",
            self.items(),
            plural(self.items()),
            self.rate(),
            self.growth(),
            self.tightening(),
            self.max_stages
        )?;
        match self.max_bytes {
            Some(bytes) => write!(f, " and {bytes} bytes"),
            None => Ok(()),
        }
    }
}
