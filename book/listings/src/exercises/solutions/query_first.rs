//! Solution: the exact rate, by throwing the balls of a query first, and then those of the items.

/// Returns the exact false-positive rate.
pub fn rate(items: u64, bits: u64, hashes: u8) -> f64 {
    let (m, k) = (bits as f64, usize::from(hashes));
    // `occupied[d]` is the probability that the balls of the query occupy d bins.
    let mut occupied = vec![0.0; k + 1];
    occupied[0] = 1.0;
    for _ in 0..k {
        // The loop begins at the highest d, because the new value for d needs the values for d
        // and d - 1 before this ball.
        for d in (0..=k).rev() {
            let stays = occupied[d] * d as f64 / m;
            let rises = if d == 0 {
                0.0
            } else {
                occupied[d - 1] * (1.0 - (d - 1) as f64 / m)
            };
            occupied[d] = stays + rises;
        }
    }
    // `all_hit[d]` is the probability that the balls of the items hit all of d given bins.
    let mut all_hit = vec![0.0; k + 1];
    all_hit[0] = 1.0;
    for _ in 0..items * u64::from(hashes) {
        for d in (1..=k).rev() {
            all_hit[d] += d as f64 / m * (all_hit[d - 1] - all_hit[d]);
        }
    }
    occupied.iter().zip(&all_hit).map(|(c, f)| c * f).sum()
}
