//! The bounds of halved sums against simulated filters, emptier ones than the library builds among them.

use bloom_core::math::exact;
use bloom_systems::Positions;
use bloom_systems::random::split_mix;

const FILTERS: u64 = 1_000;
const QUERIES: u64 = 4_000;

/// Returns the positions of a random item.
fn positions(state: &mut u64, bits: u64, hashes: u8) -> impl Iterator<Item = usize> {
    let (a, b) = (split_mix(state), split_mix(state));
    (1..=u64::from(hashes))
        .map(move |index| ((a.wrapping_add(index.wrapping_mul(b)) >> 1) % bits) as usize)
}

/// Returns the mean rate of filters, and its standard error.
fn simulated(state: &mut u64, items: u64, bits: u64, hashes: u8) -> (f64, f64) {
    let rates = (0..FILTERS).map(|_| {
        let mut set = vec![false; bits as usize];
        for _ in 0..items {
            positions(state, bits, hashes).for_each(|position| set[position] = true);
        }
        let hit = |_: &u64| positions(state, bits, hashes).all(|position| set[position]);
        (0..QUERIES).filter(hit).count() as f64 / QUERIES as f64
    });
    let rates: Vec<f64> = rates.collect();
    let mean = rates.iter().sum::<f64>() / FILTERS as f64;
    let squares: f64 = rates.iter().map(|rate| (rate - mean).powi(2)).sum();
    (mean, (squares / (FILTERS * (FILTERS - 1)) as f64).sqrt())
}

#[test]
fn simulated_rates_are_within_the_bounds_at_any_fill() {
    let mut state = 1;
    for (bits, hashes) in [
        (64, 3),
        (64, 17),
        (128, 7),
        (192, 10),
        (320, 12),
        (1_024, 5),
    ] {
        for fill in [0.1_f64, 0.3, 0.5] {
            let items = -(1.0 - fill).ln() * bits as f64 / f64::from(hashes);
            let items = items.round().max(1.0) as u64;
            let (rate, deviation) = simulated(&mut state, items, bits, hashes);
            let ideal = exact::rate(items, bits, hashes).unwrap().value();
            let excess = Positions::Halved.excess(items, bits, hashes).unwrap();
            let (low, high) = (ideal + excess.low, ideal + excess.high);
            let tolerance = 5.0 * deviation;
            assert!(
                low - tolerance <= rate && rate <= high + tolerance,
                "{items} in {bits} by {hashes}: {rate} ± {deviation}, {low} to {high}"
            );
            // Half of what plain sums add is expected, and 0.28 to 0.82 of it was found.
            let expected = ideal + excess.expected;
            assert!(
                (rate - expected).abs() <= 0.7 * excess.expected + tolerance,
                "{items} in {bits} by {hashes}: {rate} ± {deviation}, {expected}"
            );
        }
    }
}
