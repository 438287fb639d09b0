//! Compares the computed bounds of false-positive rates with the rates of simulated filters. A simulated filter derives its
//! positions as a system does, but from random hash values.

use std::f64::consts::LN_2;

use bloom_systems::double_hashing::Scheme;
use bloom_systems::random::split_mix;
use bloom_systems::{Layout, Positions, Rates, Request, SYSTEMS, System, system};

/// The ways to derive positions for which bounds are fitted to simulated filters. Each has a name, and a number that divides
/// the bits of all its filters that are simulated.
const KINDS: [(&str, Positions, u64); 8] = [
    ("modular", double(Scheme::Modular { bits: 64 }), 64),
    ("wrapping", double(Scheme::Wrapping { bits: 64 }), 64),
    ("without-second", double(WITHOUT_SECOND), 8),
    ("reflected", double(Scheme::Reflected), 64),
    ("signed", Positions::Signed, 64),
    ("halved", Positions::Halved, 64),
    ("four-hashes", Positions::FourHashes, 1),
    ("rotated", Positions::Rotated, 8),
];

const WITHOUT_SECOND: Scheme = Scheme::WrappingWithoutSecond { bits: 64 };

const fn double(scheme: Scheme) -> Positions {
    Positions::Double(scheme)
}

/// Returns a system that derives its positions in this way.
fn with(positions: Positions) -> System {
    let layout = Layout::Whole;
    System {
        positions,
        layout,
        ..*system("guava").expect("a known system")
    }
}

/// Returns the mean rate of simulated filters, its standard error, and the number of queries. `steps` sets the number of
/// filters.
fn simulated(
    system: &System,
    state: &mut u64,
    (items, bits, hashes): (u64, u64, u8),
    steps: u64,
) -> (f64, f64, f64) {
    let throws = items * u64::from(hashes) + bits / 16;
    let (filters, queries) = ((steps / throws).max(200), throws + 16);
    let (mut sum, mut squares) = (0.0, 0.0);
    let mut set = vec![false; bits as usize];
    for _ in 0..filters {
        set.fill(false);
        for _ in 0..items {
            system.visit(split_mix(state), bits, hashes, |place| {
                set[place as usize] = true;
                true
            });
        }
        let is_set = |place| set[place as usize];
        let hit = |_: &u64| system.visit(split_mix(state), bits, hashes, is_set);
        let rate = (0..queries).filter(hit).count() as f64 / queries as f64;
        sum += rate;
        squares += rate * rate;
    }
    let count = filters as f64;
    let mean = sum / count;
    let deviation = ((squares / count - mean * mean).max(0.0) / count).sqrt();
    (mean, deviation, count * queries as f64)
}

/// Returns random items, bits and hashes. The bits and hashes are those by usual formulas for the items, or, once in four
/// times, for a third of the items.
fn size(state: &mut u64, unit: u64, most: f64) -> (u64, u64, u8) {
    let mut uniform = |from: f64, to: f64| {
        from + (to - from) * (split_mix(state) >> 11) as f64 / (1_u64 << 53) as f64
    };
    let items = uniform(0.0, most.ln()).exp().floor();
    let bits_each = uniform(0.3_f64.log2(), 1e-6_f64.log2()).abs();
    let bits = (items * bits_each / LN_2).ceil() as u64;
    let times = if uniform(0.0, 1.0) < 0.25 { 3 } else { 1 };
    let hashes = if uniform(0.0, 1.0) < 0.5 {
        bits_each.ceil()
    } else {
        bits_each.round()
    };
    (
        items as u64 * times,
        bits.next_multiple_of(unit).max(unit),
        (hashes as u8).max(1),
    )
}

/// Compares the mean rate of simulated filters of this size with the computed bounds of this rate.
fn compare(system: &System, state: &mut u64, size: (u64, u64, u8)) {
    let (items, bits, hashes) = size;
    let (rate, deviation, queries) = simulated(system, state, size, 400_000);
    let ideal = system.layout.rate(items, bits, hashes).unwrap().value();
    let added = system.excess(items, bits, hashes).unwrap();
    let nearest = rate.clamp(ideal + added.low, ideal + added.high);
    // With few hits, the measured deviation is too small.
    let tolerance = 5.0 * deviation.max((nearest / queries).sqrt()) + 1.0 / queries;
    let apart = (rate - nearest).abs();
    assert!(
        apart <= tolerance,
        "{} {:?} {size:?}: {rate} ± {deviation}, ideal {ideal}, {added:?}",
        system.name,
        system.positions
    );
}

#[test]
fn rates_of_random_sizes_are_within_the_bounds() {
    let mut state = 77;
    for (_, positions, unit) in KINDS {
        for _ in 0..40 {
            let size = size(&mut state, unit, 200.0);
            compare(&with(positions), &mut state, size);
        }
    }
}

#[test]
fn rates_of_every_system_are_within_the_bounds() {
    let mut state = 78;
    for system in SYSTEMS {
        let mut compared = 0;
        for (items, rate) in [(10, 0.01), (10, 0.1), (30, 0.02), (300, 0.05), (50, 0.6)] {
            let request = if system.takes_rate() {
                Request::for_rate(items, rate)
            } else {
                let per_item = -f64::ln(rate) / LN_2 / LN_2;
                Request::for_bits(items, items * per_item.round() as u64)
            };
            let built = system.build(request).ok();
            if let Some(built) = built.filter(|built| built.bits < 100_000) {
                compare(system, &mut state, (items, built.bits, built.hashes));
                compared += 1;
            }
        }
        assert!(compared > 0 || system.is_document(), "{}", system.name);
    }
}

/// If the filter that a system builds for a target rate has a higher rate, the crate suggests another request. The filter that
/// the system builds for this request keeps the target rate.
#[test]
fn suggested_requests_keep_the_target_rate() {
    let (mut state, mut found) = (79, 0);
    for system in SYSTEMS.iter().filter(|system| system.takes_rate()) {
        for (items, rate) in [(10, 0.02), (40, 0.01), (50, 0.002), (300, 0.05)] {
            let request = Request::for_rate(items, rate);
            let rates = Rates::new(system);
            let judge = rates.judge(rate);
            let Ok(built) = system.build(request) else {
                continue;
            };
            let verdict = judge(items, built.bits, built.hashes).unwrap();
            if verdict.keeps || built.bits > 100_000 {
                continue;
            }
            let Some(pass) = system.least(request, &judge) else {
                continue;
            };
            let size = (items, pass.bits, pass.hashes);
            let (mean, deviation, queries) = simulated(system, &mut state, size, 1_000_000);
            let tolerance = 5.0 * deviation.max((rate / queries).sqrt());
            assert!(
                mean < rate + tolerance,
                "{} {size:?}: {mean} for {rate}",
                system.name
            );
            found += 1;
        }
    }
    assert!(found > 30, "{found}");
}

/// Prints lines like those of `measured/simulated.csv`.
#[test]
#[ignore = "an hour: cargo test --release -p bloom-systems --test suite print_cells -- --ignored --nocapture"]
fn print_cells() {
    let mut state = 1;
    for (name, positions, unit) in KINDS {
        for _ in 0..500 {
            let size = size(&mut state, unit, 1_500.0);
            let (rate, deviation, _) = simulated(&with(positions), &mut state, size, 100_000_000);
            let (items, bits, hashes) = size;
            println!("{name},{items},{bits},{hashes},{rate:.4e},{deviation:.1e}");
        }
    }
}
