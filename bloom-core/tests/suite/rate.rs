//! Compares the mean of the measured rates of many filters with the rate by the exact model.
//!
//! The filters of a test differ by fixed seeds or by their items. The tolerance of the mean rate is 6.2 of its standard
//! deviations, which are computed from the variance of the rate over filters (see `math::spread`) and the variance of the hits
//! over queries. Each test states an upper bound of its tolerance. If the true mean is off by the tolerance, the test fails
//! with a probability of 0.5; if it is off by 1.5 times the tolerance, of 0.999.

use std::hash::{BuildHasher, BuildHasherDefault, Hasher};

use bloom_core::math::{exact, spread};
use bloom_core::{BlockedBloomFilter, BloomFilter, FixedState, HashQuality, Shape};
use siphasher::sip::SipHasher13;

/// The tolerance of a mean rate, in standard deviations. A normal deviate exceeds it 0.6 times in 10^9.
const SIGMAS: f64 = 6.2;

/// The number of filters of one size, the number of absent items queried in each, and the number of these that were found
/// (hits).
struct Measured {
    filters: u64,
    queries: u64,
    hits: u64,
}

impl Measured {
    fn rate(&self) -> f64 {
        self.hits as f64 / (self.filters * self.queries) as f64
    }

    /// Checks that the mean rate is near the rate by the exact model, and that the tolerance of the mean is at most
    /// `within` times the rate.
    fn assert_exact(&self, items: u64, shape: Shape, within: f64) {
        let (bits, hashes) = (shape.bits(), shape.hashes());
        let model = spread(items, bits, hashes).unwrap();
        let (mean, between) = (model.mean.value(), model.standard_deviation);
        let second_moment = between * between + mean * mean;
        let variance = between * between / self.filters as f64
            + (mean - second_moment) / (self.filters * self.queries) as f64;
        let allowed = SIGMAS * variance.sqrt();
        assert!(
            allowed <= within * mean,
            "{shape}, {items} items: known to {} only",
            allowed / mean
        );
        let off = (self.rate() - mean).abs();
        assert!(
            off <= allowed,
            "{shape}, {items} items: measured {}, exact {mean}, {off} is over {allowed}",
            self.rate()
        );
    }
}

/// Fills `filters` filters, which differ in their seeds, and queries each with `queries` absent items.
fn measure(items: u64, shape: Shape, filters: u64, queries: u64) -> Measured {
    let numbers = (0..filters).map(|seed| (FixedState::with_seed(seed), 0));
    measure_each(numbers, HashQuality::Folded, items, shape, queries)
}

/// Measures as [`measure`] does, but the filters have the same hasher and differ in their items.
fn measure_with<S: BuildHasher + Default>(
    items: u64,
    shape: Shape,
    filters: u64,
    queries: u64,
) -> Measured {
    let numbers = (0..filters).map(|number| (S::default(), number * 1_000_000));
    measure_each(numbers, HashQuality::Any, items, shape, queries)
}

/// For each hasher, fills a filter with `items` consecutive integers, of which the number beside the hasher is the first, and
/// queries the next `queries` integers.
fn measure_each<S: BuildHasher>(
    hashers: impl Iterator<Item = (S, u64)>,
    quality: HashQuality,
    items: u64,
    shape: Shape,
    queries: u64,
) -> Measured {
    let (mut filters, mut hits) = (0, 0);
    for (hasher, first) in hashers {
        let filter = BloomFilter::<u64, _>::with_hasher(shape, hasher).unwrap();
        let mut filter = filter.with_hash_quality(quality).unwrap();
        filter.extend(first..first + items);
        let others = first + items..first + items + queries;
        hits += others.filter(|item| filter.contains(item)).count() as u64;
        filters += 1;
    }
    Measured {
        filters,
        queries,
        hits,
    }
}

/// Half-full filters of at least 64 bits, for which the library promises the exact rate: the bits, the items, the number of
/// filters, and the number of queries of each filter.
///
/// With these numbers of queries, the tests reach a given tolerance in the least time. The best number of queries is the square
/// root of the product of two ratios: the variance of a query over the variance between filters, and the time to fill a filter
/// over the time of a query.
const HALF_FULL: [(u64, u64, u64, u64); 5] = [
    (64, 6, 460_000, 168),
    (128, 13, 276_000, 235),
    (256, 26, 180_000, 405),
    (1024, 102, 51_300, 1_430),
    (4096, 410, 12_800, 5_386),
];

#[test]
fn small_half_full_filters_are_within_1_percent_of_the_exact_rate() {
    // At these five sizes, the rate of a filter with double hashing is 3.8, 2.1, 1.6, 1.16 and 1.04 times the exact one.
    for (bits, items, filters, queries) in HALF_FULL {
        let shape = Shape::new(bits, 7).unwrap();
        measure(items, shape, filters, queries).assert_exact(items, shape, 0.01);
    }
}

/// The bits and the items of filters with 14 hashes and rates near 5e-5. At these sizes, the rate of a filter with double
/// hashing is about 400, 230 and 20 times the exact one.
const MANY_HASHES: [(u64, u64); 3] = [(64, 3), (128, 6), (1024, 51)];

#[test]
fn small_filters_with_many_hashes_meet_the_exact_rate() {
    for (bits, items) in MANY_HASHES {
        let shape = Shape::new(bits, 14).unwrap();
        measure(items, shape, 31_000, 5_000).assert_exact(items, shape, 0.08);
    }
}

#[test]
#[ignore = "a quarter of an hour: cargo test --release -p bloom-core --test suite rate:: -- --ignored"]
fn small_filters_with_many_hashes_are_within_1_percent_of_the_exact_rate() {
    for (bits, items) in MANY_HASHES {
        let shape = Shape::new(bits, 14).unwrap();
        measure(items, shape, 1_240_000, 15_000).assert_exact(items, shape, 0.01);
    }
}

#[test]
fn sizes_other_than_powers_of_two_meet_the_exact_rate() {
    for (bits, items, hashes, filters, queries) in [
        (97, 9, 7, 125_000, 230),
        (1000, 60, 11, 31_000, 3_000),
        (65, 30, 1, 78_500, 172),
        (3000, 900, 2, 31_000, 3_000),
    ] {
        let shape = Shape::new(bits, hashes).unwrap();
        measure(items, shape, filters, queries).assert_exact(items, shape, 0.04);
    }
}

#[test]
fn filters_with_a_promised_rate_deliver_it_on_average() {
    for (items, rate, filters, queries) in [
        (2_000, 0.01, 1_550, 30_000),
        (100, 0.1, 31_000, 1_000),
        (500, 0.001, 3_100, 100_000),
    ] {
        let shape = Shape::for_rate(items, rate).unwrap();
        let exact = exact::rate(items, shape.bits(), shape.hashes()).unwrap();
        assert!(
            exact.value() <= rate,
            "{items} items, {shape}: {} above {rate}",
            exact.value()
        );
        measure(items, shape, filters, queries).assert_exact(items, shape, 0.015);
    }
}

#[test]
fn hits_stay_near_the_filters_own_rate() {
    // The hits are compared with the rate that each filter computes from its set bits. The tolerance is 6.7 standard
    // deviations, because there are twenty filters: with random items, the test would fail 0.4 times in 10^9 runs. A filter
    // whose true rate is 17 % off makes the test fail with a probability of 0.5, and one that is 26 % off with 0.999.
    for seed in 0..20 {
        let state = FixedState::with_seed(seed);
        let mut filter = BloomFilter::<u64, _>::with_rate_and_hasher(1_000, 0.01, state).unwrap();
        filter.extend(0..1_000);
        let (queries, rate) = (155_000, filter.false_positive_rate());
        let hits = (1_000..1_000 + queries)
            .filter(|item| filter.contains(item))
            .count();
        let expected = queries as f64 * rate;
        let off = (hits as f64 - expected).abs();
        assert!(
            off <= 6.7 * (expected * (1.0 - rate)).sqrt(),
            "seed {seed}: {hits}"
        );
    }
}

/// A hasher: SipHash with a key that is made from this number.
#[derive(Clone)]
struct Keyed(u64);

impl BuildHasher for Keyed {
    type Hasher = SipHasher13;

    fn build_hasher(&self) -> SipHasher13 {
        SipHasher13::new_with_keys(self.0, !self.0)
    }
}

#[test]
fn filters_meet_the_exact_rate_with_hashes_of_each_quality() {
    // A filter folds (mixes) a hash as often as the quality says. Each hasher is tested with as many folds as its hashes need,
    // or with more, which must not change the rate.
    for (bits, items, filters, queries) in HALF_FULL {
        let (filters, within) = (filters / 4, 0.02);
        let shape = Shape::new(bits, 7).unwrap();
        for quality in [
            HashQuality::Any,
            HashQuality::Folded,
            HashQuality::Avalanching,
        ] {
            eprintln!("{shape}, SipHash, {quality}");
            let keyed = (0..filters).map(|key| (Keyed(key), 0));
            measure_each(keyed, quality, items, shape, queries).assert_exact(items, shape, within);
        }
        eprintln!("{shape}, the default hasher");
        let seeded = (0..filters).map(|seed| (FixedState::with_seed(seed), 0));
        let measured = measure_each(seeded, HashQuality::Any, items, shape, queries);
        measured.assert_exact(items, shape, within);
        eprintln!("{shape}, foldhash");
        // The hashes of foldhash for two seeds are not independent if the seeds differ in few bits, so the seeds are hashed.
        let seed = |number| FixedState::new().hash_one(number);
        let folded = |number| foldhash::fast::FixedState::with_seed(seed(number));
        let folded = (0..filters).map(|number| (folded(number), 0));
        let measured = measure_each(folded, HashQuality::Folded, items, shape, queries);
        measured.assert_exact(items, shape, within);
    }
}

/// A hasher that returns each integer as its own hash.
#[derive(Default)]
pub(crate) struct Identity(u64);

impl Hasher for Identity {
    fn write(&mut self, _: &[u8]) {
        unreachable!("only integers are hashed here")
    }

    fn write_u64(&mut self, integer: u64) {
        self.0 = integer;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

#[test]
fn sequential_integers_with_weak_hashers_keep_the_rate() {
    for (bits, items, filters, queries) in [
        (64, 6, 165_000, 168),
        (1000, 100, 23_500, 2_000),
        (4096, 410, 23_500, 2_000),
    ] {
        let shape = Shape::new(bits, 7).unwrap();
        let identity = measure_with::<BuildHasherDefault<Identity>>(items, shape, filters, queries);
        identity.assert_exact(items, shape, 0.02);
        let fnv = measure_with::<fnv::FnvBuildHasher>(items, shape, filters, queries);
        fnv.assert_exact(items, shape, 0.02);
    }
}

#[test]
fn sequential_integers_as_hashes_change_the_rate_as_documented() {
    // The documentation of `insert_hash` says how such hashes change the rate. The bounds here are wider than those stated
    // there. They are not made from standard deviations, because sequential integers are not random.
    for (items, rate) in [(100, 0.01), (1_000, 0.1), (1_000, 0.001), (100_000, 0.01)] {
        let filters = 20_000 / items + 1;
        let (mut hits, mut blocked_hits) = (0, 0);
        for first in (0..filters).map(|filter| filter * 10_000_000) {
            let mut filter = BloomFilter::<u64>::with_rate(items, rate).unwrap();
            let mut blocked = BlockedBloomFilter::<u64>::with_rate(items, rate).unwrap();
            for hash in first..first + items {
                filter.insert_hash(hash);
                blocked.insert_hash(hash);
            }
            for hash in first + items..first + items + 100_000 {
                hits += u64::from(filter.contains_hash(hash));
                blocked_hits += u64::from(blocked.contains_hash(hash));
            }
        }
        for (hits, low, high) in [(hits, 0.75, 1.3), (blocked_hits, 0.5, 1.0)] {
            let times = hits as f64 / (filters * 100_000) as f64 / rate;
            assert!(
                (low..high).contains(&times),
                "{items} at {rate}: {times} times"
            );
        }
    }
}

/// Measures filters with double hashing, which `assert_exact` must reject: position i of an item is (a + i × b) mod m, where a
/// and b are the halves of its hash.
fn measure_double_hashing(bits: u64, items: u64, filters: u64, queries: u64) -> Measured {
    let positions = |state: FixedState, item: u64| {
        let hash = state.hash_one(item);
        let (a, b) = (hash >> 32, hash & 0xffff_ffff);
        (0..7).map(move |i| ((a + i * b) % bits) as usize)
    };
    let mut hits = 0;
    for state in (0..filters).map(FixedState::with_seed) {
        let mut set = vec![false; bits as usize];
        for item in 0..items {
            positions(state, item).for_each(|position| set[position] = true);
        }
        let found = |item: &u64| positions(state, *item).all(|position| set[position]);
        hits += (items..items + queries).filter(found).count() as u64;
    }
    Measured {
        filters,
        queries,
        hits,
    }
}

#[test]
fn the_check_rejects_plain_double_hashing_at_every_size() {
    // A tenth of the filters is enough to reject double hashing at the sizes where its rate is at least 16 % off: at all but
    // 4,096 bits.
    for (bits, items, filters, queries) in HALF_FULL {
        let (filters, within) = match bits {
            4096 => (filters, 0.01),
            _ => (filters / 10, 0.032),
        };
        let measured = measure_double_hashing(bits, items, filters, queries);
        let shape = Shape::new(bits, 7).unwrap();
        let caught = std::panic::catch_unwind(|| measured.assert_exact(items, shape, within));
        let message = caught.err().and_then(|said| said.downcast::<String>().ok());
        assert!(
            message
                .as_ref()
                .is_some_and(|said| said.contains("is over")),
            "{shape}, measured {}: {message:?}",
            measured.rate()
        );
    }
}
