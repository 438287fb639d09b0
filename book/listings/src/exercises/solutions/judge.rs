//! Solution: tells sound filters from broken ones.

use bloom_core::math::spread;

use crate::exercises::judge::Subject;

/// Returns whether a filter finds all inserted items, and has the exact false-positive rate
/// of `items` items in `bits` bits with `hashes` hashes, up to chance.
pub fn is_sound(subject: &mut dyn Subject, items: u64, bits: u64, hashes: u8) -> bool {
    const QUERIES: u64 = 308_000;
    (0..items).for_each(|item| subject.insert(item));
    // Queries the items after all insertions, because a broken filter may lose an item when
    // a later one is inserted.
    if !(0..items).all(|item| subject.contains(item)) {
        return false;
    }
    let found = (items..items + QUERIES)
        .filter(|item| subject.contains(*item))
        .count();
    let measured = found as f64 / QUERIES as f64;
    // Two variances add up: the rate differs between filters, and the measured rate of one
    // filter depends on which queries are drawn.
    let Ok(expected) = spread(items, bits, hashes) else {
        return false;
    };
    let p = expected.mean.value();
    let tosses = p * (1.0 - p) / QUERIES as f64;
    let deviation = (expected.standard_deviation.powi(2) + tosses).sqrt();
    (measured - p).abs() < 6.2 * deviation
}
