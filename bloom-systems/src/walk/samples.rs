//! Computes the mean of random samples and the variance of this mean, and limits the work of taking samples.

/// The fewest samples of a mean.
pub(super) const FEW: u32 = 16;

/// The effort after which no more samples of a mean are taken.
#[derive(Clone, Copy)]
pub(super) struct Effort {
    /// The standard error that suffices, as a share of the mean.
    pub(super) error: f64,
    /// The most work of all samples together. Work is counted in bits of filters if each sample is the rate of a whole filter,
    /// and else in classes of positions.
    pub(super) most: u64,
}

/// The samples of a mean.
#[derive(Default)]
pub(super) struct Samples {
    pub(super) count: u32,
    sum: f64,
    squares: f64,
}

impl Samples {
    pub(super) fn push(&mut self, value: f64) {
        self.count += 1;
        self.sum += value;
        self.squares += value * value;
    }

    pub(super) fn mean(&self) -> f64 {
        self.sum / f64::from(self.count)
    }

    pub(super) fn variance_of_mean(&self) -> f64 {
        let (count, mean) = (f64::from(self.count), self.mean());
        (self.squares / count - mean * mean).max(0.0) / count
    }
}
