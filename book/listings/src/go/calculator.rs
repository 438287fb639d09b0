//! Rebuilds the calculator of the article *A Golang Implemented Bloom Filter*: four
//! functions, which compute n, m, k and p. Those for n and p take the other three numbers;
//! m is computed from n and p, and k from n and m.
//!
//! What is wrong with it: m is computed for a real number of hashes, but a filter has a
//! whole number; and n is rounded up. Each of these two makes the rate a little higher than
//! the requested rate, as `tests/go.rs` shows.

// ANCHOR: rebuilt
/// Returns the number of items for this many bits and hashes at this rate, rounded *up*,
/// which gives one item too many.
pub fn items(bits: u64, hashes: u64, rate: f64) -> f64 {
    let (m, k) = (bits as f64, hashes as f64);
    (-m / k * (1.0 - (rate.ln() / k).exp()).ln()).ceil()
}

/// Returns the number of bits for this many items at this rate, with the best number of
/// hashes, which is *real*.
pub fn bits(items: u64, rate: f64) -> f64 {
    (-(items as f64) * rate.ln() / 2_f64.powf(2_f64.ln()).ln()).ceil()
}

/// Returns the best number of hashes, rounded.
pub fn hashes(items: u64, bits: u64) -> f64 {
    (bits as f64 / items as f64 * 2_f64.ln()).round()
}

/// Returns the rate by the asymptotic formula.
pub fn rate(items: u64, bits: u64, hashes: u64) -> f64 {
    let (n, m, k) = (items as f64, bits as f64, hashes as f64);
    (1.0 - (-k * n / m).exp()).powf(k)
}
// ANCHOR_END: rebuilt

// ANCHOR: fixed
/// The four functions by the exact model: the sizes and the numbers of items that they
/// return keep the rate.
pub mod fixed {
    use bloom_core::math::{MathError, Model, exact};

    /// Returns the most items that keep this rate.
    ///
    /// # Errors
    ///
    /// Fails if a number is outside the domain of the formulas.
    pub fn items(bits: u64, hashes: u8, rate: f64) -> Result<u64, MathError> {
        Model::Exact.max_items(bits, hashes, rate)
    }

    /// Returns the fewest bits that keep this rate, with their number of hashes.
    ///
    /// # Errors
    ///
    /// As [`items`].
    pub fn bits_and_hashes(items: u64, rate: f64) -> Result<(u64, u8), MathError> {
        Model::Exact.min_size(items, rate)
    }

    /// Returns the number of hashes with the lowest rate.
    ///
    /// # Errors
    ///
    /// As [`items`].
    pub fn hashes(items: u64, bits: u64) -> Result<u8, MathError> {
        Model::Exact.best_hashes(items, bits)
    }

    /// Returns the exact rate.
    ///
    /// # Errors
    ///
    /// As [`items`].
    pub fn rate(items: u64, bits: u64, hashes: u8) -> Result<f64, MathError> {
        Ok(exact::rate(items, bits, hashes)?.value())
    }
}
// ANCHOR_END: fixed
