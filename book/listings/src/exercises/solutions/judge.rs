//! A judge of filters.

use bloom_core::math::spread;

use crate::exercises::judge::Subject;

/// Returns whether a filter finds all that is inserted and errs at the exact rate of
/// `items` items in this many bits with this many hashes.
pub fn is_sound(subject: &mut dyn Subject, items: u64, bits: u64, hashes: u8) -> bool {
    const QUERIES: u64 = 308_000;
    (0..items).for_each(|item| subject.insert(item));
    // Queries all items at the end, not each after its insertion: a later insertion may
    // undo an earlier one.
    if !(0..items).all(|item| subject.contains(item)) {
        return false;
    }
    let found = (items..items + QUERIES)
        .filter(|item| subject.contains(*item))
        .count();
    let measured = found as f64 / QUERIES as f64;
    // The rate varies between filters, and each query is a toss of a coin.
    let Ok(expected) = spread(items, bits, hashes) else {
        return false;
    };
    let p = expected.mean.value();
    let tosses = p * (1.0 - p) / QUERIES as f64;
    let deviation = (expected.standard_deviation.powi(2) + tosses).sqrt();
    (measured - p).abs() < 6.2 * deviation
}
