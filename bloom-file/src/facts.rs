//! Defines what is reported about a filter, and how certain its rate is.

use bloom_core::math::{Estimate, first_true};
use bloom_params::numbers::{grouped, nearest};
use bloom_params::report::Value;

/// What is reported about a filter.
pub(crate) struct Facts {
    /// The system, version and the like, for people.
    pub(crate) what: String,
    /// The same facts as `what` for programs: names and values.
    pub(crate) fields: Vec<(&'static str, Value)>,
    pub(crate) bits: u64,
    pub(crate) hashes: u32,
    pub(crate) fill: f64,
    /// The estimated items; `None` if there is no estimate: every bit of the filter or of a part of it is set, or the filter
    /// is an intersection.
    pub(crate) items: Option<Estimate>,
    /// The number of items that the system has counted, if it counts items.
    pub(crate) counted: Option<u64>,
    /// Whether nothing in the bytes proves the format, so that unrelated bytes can be read as such a filter, too.
    pub(crate) needs_name: bool,
    pub(crate) rate: f64,
    /// How far the rate may be off, as a standard deviation; 0 if it is exact.
    pub(crate) deviation: f64,
    /// The number of random keys on which the rate was measured; 0 if it was computed.
    pub(crate) measured: u64,
    pub(crate) warnings: Vec<String>,
}

/// A computed rate is printed without its deviation if the deviation is at most this share of the rate.
const SMALL: f64 = 0.001;

impl Facts {
    /// Returns how well the rate is known; `None` if it was computed and its deviation is at most [`SMALL`] times the rate.
    pub(crate) fn certainty(&self) -> Option<String> {
        let deviation = nearest(self.deviation, 2);
        match self.measured {
            0 if self.deviation <= SMALL * self.rate => None,
            0 => Some(format!("± {deviation}, computed")),
            keys => Some(format!(
                "± {deviation}, measured on {} random keys",
                grouped(keys)
            )),
        }
    }

    /// Returns a note if the verdict about the target rate is uncertain.
    pub(crate) fn doubt(&self, target: f64) -> Option<String> {
        let is_near = (self.rate - target).abs() < 3.0 * self.deviation;
        is_near.then(|| {
            "the target is within three standard deviations of p: the verdict can be wrong".into()
        })
    }
}

/// Returns the most items with which the mean rate of a filter of these bits and hashes is at most `rate`.
pub(crate) fn max_items(rate: f64, bits: u64, hashes: u32, expected: impl Fn(u64) -> f64) -> u64 {
    let hashes = f64::from(hashes);
    // The search starts at a guess near its result, because each step may take long. The guess solves (1 - e^(-k * n / m))^k =
    // `rate` for n items, m bits and k hashes.
    let guess = -(bits as f64) / hashes * (-rate.powf(1.0 / hashes)).ln_1p();
    let over = first_true(1, u64::MAX, guess as u64, |items| expected(items) > rate);
    over.map_or(u64::MAX, |items| items - 1)
}
