//! The bounds against simulated filters of sizes that are in no file.

use bloom_core::math::exact;
use bloom_systems::Positions;
use bloom_systems::double_hashing::Scheme;
use bloom_systems::four_hashes::step_of;
use bloom_systems::random::split_mix;

/// The kinds of positions that bounds were fitted to, and the bits that filters have multiples of.
const KINDS: [(&str, Positions, u64); 7] = [
    ("modular", double(Scheme::Modular { bits: 64 }), 64),
    ("wrapping", double(Scheme::Wrapping { bits: 64 }), 64),
    ("without-second", double(WITHOUT_SECOND), 8),
    ("reflected", double(Scheme::Reflected), 64),
    ("signed", Positions::Signed, 64),
    ("halved", Positions::Halved, 64),
    ("four-hashes", Positions::FourHashes, 1),
];

const WITHOUT_SECOND: Scheme = Scheme::WrappingWithoutSecond { bits: 64 };

const fn double(scheme: Scheme) -> Positions {
    Positions::Double(scheme)
}

/// Calls `each` with the positions of a random item until it returns false; whether it never does.
fn visit(
    positions: Positions,
    state: &mut u64,
    (bits, hashes): (u64, u8),
    mut each: impl FnMut(usize) -> bool,
) -> bool {
    let [a, b, c, d] = [(); 4].map(|()| split_mix(state));
    let sum = |index: u64| a.wrapping_add(index.wrapping_mul(b));
    if let Positions::Double(scheme) = positions {
        return scheme
            .positions(a, b, bits, hashes)
            .all(|place| each(place as usize));
    }
    (0..u64::from(hashes)).all(|index| {
        let place = match positions {
            Positions::Signed => {
                let sum = sum(index) as i32;
                (if sum < 0 { !sum } else { sum }) as u64
            }
            Positions::Halved => sum(index + 1) >> 1,
            _ => {
                let (starts, steps) = ([a, b], [c, d]);
                let step = steps[step_of(index)].wrapping_mul(index);
                starts[(index % 2) as usize].wrapping_add(step)
            }
        };
        each((place % bits) as usize)
    })
}

/// Returns the mean rate of filters, its standard error, and the number of queries.
fn simulated(
    positions: Positions,
    state: &mut u64,
    (items, bits, hashes): (u64, u64, u8),
    steps: u64,
) -> (f64, f64, f64) {
    let throws = items * u64::from(hashes) + bits / 16;
    let (filters, queries) = ((steps / throws).max(200), throws + 16);
    let shape = (bits, hashes);
    let (mut sum, mut squares) = (0.0, 0.0);
    let mut set = vec![false; bits as usize];
    for _ in 0..filters {
        set.fill(false);
        for _ in 0..items {
            visit(positions, state, shape, |place| {
                set[place] = true;
                true
            });
        }
        let hit = |_: &u64| visit(positions, state, shape, |place| set[place]);
        let rate = (0..queries).filter(hit).count() as f64 / queries as f64;
        sum += rate;
        squares += rate * rate;
    }
    let count = filters as f64;
    let mean = sum / count;
    let deviation = ((squares / count - mean * mean).max(0.0) / count).sqrt();
    (mean, deviation, count * queries as f64)
}

/// Returns a random size that a library builds, filled or with three times the items.
fn size(state: &mut u64, unit: u64, most: f64) -> (u64, u64, u8) {
    let mut uniform = |from: f64, to: f64| {
        from + (to - from) * (split_mix(state) >> 11) as f64 / (1_u64 << 53) as f64
    };
    let items = uniform(0.0, most.ln()).exp().floor();
    let bits_each = uniform(0.3_f64.log2(), 1e-6_f64.log2()).abs();
    let bits = (items * bits_each / core::f64::consts::LN_2).ceil() as u64;
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

#[test]
fn simulated_rates_are_within_the_bounds() {
    let mut state = 77;
    for (name, positions, unit) in KINDS {
        for _ in 0..40 {
            let size = size(&mut state, unit, 200.0);
            let (items, bits, hashes) = size;
            let (rate, deviation, queries) = simulated(positions, &mut state, size, 400_000);
            let ideal = exact::rate(items, bits, hashes).unwrap().value();
            let added = positions.excess(items, bits, hashes).unwrap();
            let nearest = rate.clamp(ideal + added.low, ideal + added.high);
            // Few hits differ by more than their own deviation tells.
            let tolerance = 5.0 * deviation.max((nearest / queries).sqrt()) + 1.0 / queries;
            let apart = (rate - nearest).abs();
            assert!(
                apart <= tolerance,
                "{name} {size:?}: {rate} ± {deviation}, ideal {ideal}, {added:?}"
            );
        }
    }
}

/// Prints cells like those of `measured/simulated.csv`.
#[test]
#[ignore = "an hour: cargo test --release -p bloom-systems --test simulated print_cells -- --ignored --nocapture"]
fn print_cells() {
    let mut state = 1;
    for (name, positions, unit) in KINDS {
        for _ in 0..500 {
            let size = size(&mut state, unit, 1_500.0);
            let (rate, deviation, _) = simulated(positions, &mut state, size, 100_000_000);
            let (items, bits, hashes) = size;
            println!("{name},{items},{bits},{hashes},{rate:.4e},{deviation:.1e}");
        }
    }
}
