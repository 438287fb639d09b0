//! Solution: the smallest size that keeps a rate, by binary search.

/// Returns the fewest bits, at least 1 and below 2^62, for which `rate_of(bits)` is at
/// most `rate`.
pub fn bits(rate: f64, rate_of: &dyn Fn(u64) -> f64) -> u64 {
    let (mut too_few, mut enough) = (0, 1);
    while rate_of(enough) > rate {
        (too_few, enough) = (enough, 2 * enough);
    }
    while enough - too_few > 1 {
        let middle = u64::midpoint(too_few, enough);
        if rate_of(middle) > rate {
            too_few = middle;
        } else {
            enough = middle;
        }
    }
    enough
}
