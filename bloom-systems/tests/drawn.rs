//! The bounds of every system's rate against filters with the system's positions for random hash values.

use bloom_systems::random::split_mix;
use bloom_systems::{Request, SYSTEMS, System};

const FILTERS: u64 = 400;
const QUERIES: u64 = 2_000;

/// Deviations by which a rate may be outside its bounds.
const SIGMAS: f64 = 5.0;

/// Returns the mean rate of filters, and its standard error.
fn drawn(system: &System, items: u64, bits: u64, hashes: u8) -> (f64, f64) {
    let mut state = items ^ bits;
    let rates = (0..FILTERS).map(|_| {
        let mut set = vec![false; bits as usize];
        for _ in 0..items {
            system.visit(split_mix(&mut state), bits, hashes, |position| {
                set[position as usize] = true;
                true
            });
        }
        let hit = |_: &u64| {
            system.visit(split_mix(&mut state), bits, hashes, |position| {
                set[position as usize]
            })
        };
        (0..QUERIES).filter(hit).count() as f64 / QUERIES as f64
    });
    let rates: Vec<f64> = rates.collect();
    let count = FILTERS as f64;
    let mean = rates.iter().sum::<f64>() / count;
    let squares: f64 = rates.iter().map(|rate| (rate - mean).powi(2)).sum();
    (mean, (squares / (count * (count - 1.0))).sqrt())
}

#[test]
fn drawn_rates_are_within_the_bounds_of_every_system() {
    for system in SYSTEMS {
        let mut compared = 0;
        for (items, per_item, rate) in [(10, 10, 0.01), (10, 5, 0.1), (30, 8, 0.02), (300, 6, 0.05)]
        {
            let request = if system.takes_rate() {
                Request::for_rate(items, rate)
            } else {
                Request::for_bits(items, items * per_item)
            };
            let Ok(built) = system.build(request) else {
                continue;
            };
            if built.bits > 100_000 {
                continue;
            }
            let (bits, hashes) = (built.bits, built.hashes);
            let ideal = system.layout.rate(items, bits, hashes).unwrap().value();
            let added = system.excess(items, bits, hashes).unwrap();
            let (low, high) = (ideal + added.low, ideal + added.high);
            let (mean, deviation) = drawn(system, items, bits, hashes);
            // No hit, or few, tell less of their deviation than the rate itself.
            let least = (high / (FILTERS * QUERIES) as f64).sqrt();
            let margin = SIGMAS * deviation.max(least);
            assert!(
                low - margin < mean && mean < high + margin,
                "{}: {mean} +- {margin} for {low} to {high}, n = {items}, m = {bits}, k = {hashes}",
                system.name
            );
            compared += 1;
        }
        assert!(compared > 0 || system.is_document(), "{}", system.name);
    }
}
