//! Tests filters with weak hashes, because filters accept any hasher, and some hashers return their input.
//!
//! A pattern below is a way to make structured items from numbers i: integers (sequences, multiples, addresses,
//! packed fields), or texts or bytes that contain i. Hashers of each [quality](HashQuality) hash these items; the integers are
//! also used as hashes themselves. The filters must behave as with random hashes: a `BloomFilter` must have as many set bits,
//! and a `BlockedBloomFilter` the same false-positive rate.
//!
//! They do so because a filter folds each hash (mixes it by a multiplication) as often as the quality of its hasher needs. With
//! one fold fewer, the test of the set bits would reject 551 of the 1460 integer patterns if the integers are used as hashes,
//! 359 with foldhash and 337 with the default hasher. The test of the rate of blocked filters would reject 887, 567 and 659.
//! SipHash needs no fold.

use std::hash::{BuildHasher, Hasher};

use bloom_core::{BlockedBloomFilter, BlockedShape, BloomFilter, FixedState, HashQuality, Shape};
use siphasher::sip::SipHasher13;

/// The number of items in each filter.
const ITEMS: u64 = 2_000;

/// The bits of a `BloomFilter`, 9.594 for each item.
const BITS: u64 = 19_188;
/// The hashes of a `BloomFilter`.
const HASHES: u8 = 7;

/// The blocks of a `BlockedBloomFilter`, of 512 bits each: 10.24 bits for each item.
const BLOCKS: u64 = 40;

/// The numbers from which the items of a pattern are made: each filter has the items for [`ITEMS`] numbers from one of these
/// starts on. All numbers are below 2^[`WIDTH`], and no two filters have a number in common.
const STARTS: [u64; 10] = [
    0,
    10_000,
    1 << 15,
    1 << 16,
    100_000,
    333_333,
    500_000,
    1 << 20,
    1_234_567,
    (1 << WIDTH) - ITEMS,
];

/// The bits of the largest number.
const WIDTH: u32 = 21;

/// The tolerance of the mean over the ten filters of a pattern, in standard deviations of this mean.
///
/// The number of set bits after random hashes is normally distributed, and exceeds the tolerance twice in 10^17 times. The rate
/// of a blocked filter has a skewness of 0.38, and the mean rate of ten filters one of 0.12. A gamma distribution of this
/// skewness exceeds the tolerance once in 10^13 times. So with random hashes, one of the 11,840 checks of patterns would fail
/// less than once in 10^9 runs.
///
/// A check fails with a probability of 0.5 if the set bits are 1.1 % off (which puts the rate about 7.5 % off), or if the rate
/// of blocked filters is 14 % off. If they are 1.5 times as far off, it fails with a probability of nearly 1.
const SIGMAS: f64 = 8.5;

struct Pattern {
    name: String,
    /// Makes the hash of an item from a number i below 2^[`WIDTH`]. Distinct numbers have distinct hashes.
    hash: Box<dyn Fn(u64) -> u64>,
}

fn pattern(name: impl Into<String>, hash: impl Fn(u64) -> u64 + 'static) -> Pattern {
    Pattern {
        name: name.into(),
        hash: Box::new(hash),
    }
}

fn patterns() -> Vec<Pattern> {
    let mut all = vec![
        pattern("-i", u64::wrapping_neg),
        pattern("i reversed", u64::reverse_bits),
        pattern("bytes of i swapped", u64::swap_bytes),
        pattern("i as f64", |i| (i as f64).to_bits()),
        pattern("FNV-1a of i", |i| {
            let mut hasher = fnv::FnvHasher::default();
            hasher.write(&i.to_le_bytes());
            hasher.finish()
        }),
    ];
    for shift in (0..64).step_by(4) {
        // The pattern rotates i, because a shift would lose bits, and two hashes could be equal.
        let name = format!("i << {shift}");
        all.push(pattern(name, move |i| i.rotate_left(shift)));
    }
    for stride in [3, 10, 255, 257, 4_097, 65_537, 1_000_003, (1 << 32) + 1] {
        let name = format!("{stride} i");
        all.push(pattern(name, move |i| i.wrapping_mul(stride)));
    }
    for base in [
        1 << 32,
        1 << 48,
        1 << 63,
        0x7fff_f000_0000,
        0xffff_8880 << 32,
    ] {
        for step in [1, 8, 64, 4_096] {
            let name = format!("{base:#x} + {step} i");
            all.push(pattern(name, move |i| base + step * i));
        }
    }
    all.extend(two_fields());
    all.extend(three_fields());
    all
}

/// Returns patterns of integers with the low bits of i at one place and the other bits of i at another, as in packed
/// structures.
fn two_fields() -> impl Iterator<Item = Pattern> {
    // The places in `grid` are multiples of 3. `others` adds three patterns with a place that is no multiple of 3. A row has
    // the number of low bits, their place, and the place of the other bits.
    let others = [(7, 18, 49), (4, 49, 20), (3, 55, 26)];
    let grid = (3..=8).flat_map(|width| {
        let places = move || (0..64).step_by(3);
        places().flat_map(move |low| places().map(move |high| (width, low, high)))
    });
    let apart = |(width, low, high): &(u32, u32, u32)| {
        let (low_end, high_end) = (low + width, high + (WIDTH - width));
        low_end.max(high_end) <= 64 && (low_end <= *high || high_end <= *low)
    };
    others
        .into_iter()
        .chain(grid.filter(apart))
        .map(|(width, low, high)| {
            pattern(
                format!("{width} bits of i at {low}, the others at {high}"),
                move |i| (i & ((1 << width) - 1)) << low | i >> width << high,
            )
        })
}

/// Returns patterns of integers in which i is divided into three parts, each at another place: some low bits, the next four
/// bits and the other bits.
fn three_fields() -> impl Iterator<Item = Pattern> {
    let places = [
        [0, 21, 42],
        [8, 24, 40],
        [16, 32, 48],
        [13, 30, 43],
        [40, 20, 0],
        [56, 32, 8],
        [50, 0, 25],
    ];
    places.into_iter().flat_map(|places| {
        (3..=6).map(move |width| {
            let [low, middle, high] = places;
            pattern(
                format!("{width} bits of i, 4 and the others at {places:?}"),
                move |i| {
                    (i & ((1 << width) - 1)) << low
                        | (i >> width & 15) << middle
                        | i >> (width + 4) << high
                },
            )
        })
    })
}

/// What a measurement of one filter gives with random hashes: its set bits, or its rate.
struct Expected {
    mean: f64,
    /// The standard deviation of the measurement of one filter.
    standard_deviation: f64,
    /// The variance of `mean` if it was measured, or else 0.
    variance_of_mean: f64,
}

impl Expected {
    /// Returns the tolerance of the mean of this many measurements.
    fn allowed(&self, count: usize) -> f64 {
        let variance = self.standard_deviation * self.standard_deviation;
        SIGMAS * (variance / count as f64 + self.variance_of_mean).sqrt()
    }

    fn is_met_by(&self, measured: &[f64]) -> bool {
        let mean = measured.iter().sum::<f64>() / measured.len() as f64;
        (mean - self.mean).abs() <= self.allowed(measured.len())
    }

    /// Measures filters for each pattern, one for each start, and checks that the mean of their measurements is as expected.
    fn check_every_pattern(&self, patterns: &[Pattern], measure: impl Fn(&[u64]) -> f64) {
        let mut rejected = Vec::new();
        for Pattern { name, hash } in patterns {
            let sets = STARTS.map(|start| (start..start + ITEMS).map(hash).collect::<Vec<_>>());
            if !self.is_met_by(&sets.each_ref().map(|set| measure(set))) {
                rejected.push(name);
            }
        }
        let (bad, all) = (rejected.len(), patterns.len());
        assert!(
            bad == 0,
            "{bad} of {all} patterns, among them {:?}",
            &rejected[..bad.min(9)]
        );
    }

    /// Measures filters of random hashes, whose mean must be as expected, and filters that lack `lost` of these hashes,
    /// whose mean must not be.
    fn check_random_hashes(&self, lost: usize, measure: impl Fn(&[u64]) -> f64) {
        let seeds = || (0..STARTS.len() as u64).map(|seed| random_hashes(!seed));
        let whole: Vec<f64> = seeds().map(|hashes| measure(&hashes)).collect();
        assert!(self.is_met_by(&whole), "{whole:?}");
        let less: Vec<f64> = seeds().map(|hashes| measure(&hashes[lost..])).collect();
        assert!(!self.is_met_by(&less), "{less:?}");
    }
}

fn random_hashes(seed: u64) -> Vec<u64> {
    let state = FixedState::with_seed(seed);
    (0..ITEMS).map(|item| state.hash_one(item)).collect()
}

fn set_bits(hashes: &[u64], quality: HashQuality) -> f64 {
    let shape = Shape::new(BITS, HASHES).expect("in range");
    let filter = BloomFilter::<u64>::new(shape).expect("the filter fits in memory");
    let mut filter = filter.with_hash_quality(quality).expect("empty");
    filter.insert_hashes(hashes);
    filter.fill() * BITS as f64
}

fn rate_of_blocks(hashes: &[u64], quality: HashQuality) -> f64 {
    let shape = BlockedShape::new(BLOCKS).expect("in range");
    let filter = BlockedBloomFilter::<u64>::new(shape).expect("the filter fits in memory");
    let mut filter = filter.with_hash_quality(quality).expect("empty");
    filter.insert_hashes(hashes);
    filter.false_positive_rate()
}

/// Returns the mean and the standard deviation of the number of set bits after N = k × n random positions among m.
///
/// Let q1 = (1 - 1/m)^N be the probability that a given bit is clear, and q2 = (1 - 2/m)^N that two given bits are both clear.
/// The number of clear bits has the mean m × q1, and its square has the mean m × q1 + m × (m - 1) × q2. The number of set bits
/// has the mean m - m × q1 and the same variance as the number of clear bits.
fn expected_set_bits() -> Expected {
    let (m, positions) = (BITS as f64, (ITEMS * u64::from(HASHES)) as f64);
    let clear = |bits: f64| (1.0 - bits / m).powf(positions);
    let mean_clear = m * clear(1.0);
    let variance = mean_clear + m * (m - 1.0) * clear(2.0) - mean_clear * mean_clear;
    Expected {
        mean: m - mean_clear,
        standard_deviation: variance.sqrt(),
        variance_of_mean: 0.0,
    }
}

/// Returns the mean and the standard deviation of the rate of blocked filters with random hashes. They are measured with 1,000
/// filters, because there is no closed formula for the standard deviation.
fn expected_rate_of_blocks() -> Expected {
    let sample: Vec<f64> = (0..1_000)
        .map(|seed| rate_of_blocks(&random_hashes(seed), HashQuality::Any))
        .collect();
    let count = sample.len() as f64;
    let mean = sample.iter().sum::<f64>() / count;
    let squares: f64 = sample
        .iter()
        .map(|rate| (rate - mean) * (rate - mean))
        .sum();
    let variance = squares / (count - 1.0);
    Expected {
        mean,
        standard_deviation: variance.sqrt(),
        variance_of_mean: variance / count,
    }
}

/// Returns the integer patterns with the hashes that a hasher makes of their integers.
fn hashed(state: &(impl BuildHasher + Clone + 'static)) -> Vec<Pattern> {
    let of = |Pattern { name, hash }: Pattern| {
        let state = state.clone();
        pattern(name, move |i| state.hash_one(hash(i)))
    };
    patterns().into_iter().map(of).collect()
}

/// Returns patterns of texts and bytes that contain i, with the hashes that a hasher makes of them.
fn hashed_texts(state: &(impl BuildHasher + Clone + 'static)) -> Vec<Pattern> {
    type Text = fn(u64) -> String;
    let texts: [(&str, Text); 8] = [
        ("decimal", |i| i.to_string()),
        ("hexadecimal", |i| format!("{i:x}")),
        ("with zeros", |i| format!("{i:08}")),
        ("a key", |i| format!("user:{i}:name")),
        ("an address", |i| {
            format!("https://example.org/items/{i}.html")
        }),
        ("long, at the end", |i| format!("{i:>150}")),
        ("long, at the start", |i| format!("{i:<150}")),
        ("one character each", |i| {
            let digits = (0..3).map(|digit| i >> (7 * digit) & 127);
            digits.map(|digit| char::from(digit as u8)).collect()
        }),
    ];
    let mut all = Vec::new();
    for (name, text) in texts {
        let state = state.clone();
        all.push(pattern(name, move |i| state.hash_one(text(i).as_str())));
    }
    for length in [3, 4, 8, 16, 17, 40] {
        for (end, name) in [(false, "first"), (true, "last")] {
            let state = state.clone();
            let name = format!("{length} bytes, i in the {name} three");
            all.push(pattern(name, move |i| {
                let mut bytes = vec![0; length];
                let at = if end { length - 3 } else { 0 };
                bytes[at..at + 3].copy_from_slice(&i.to_le_bytes()[..3]);
                state.hash_one(&bytes[..])
            }));
        }
    }
    all
}

#[derive(Clone)]
struct Sip;

impl BuildHasher for Sip {
    type Hasher = SipHasher13;

    fn build_hasher(&self) -> SipHasher13 {
        SipHasher13::new_with_keys(1, 2)
    }
}

/// Returns the name of each hasher, the patterns with its hashes, and the quality that its hashes are promised to have.
fn hashers() -> Vec<(&'static str, Vec<Pattern>, HashQuality)> {
    let foldhash = foldhash::fast::FixedState::with_seed(7);
    vec![
        ("identity", patterns(), HashQuality::Any),
        ("default", hashed(&FixedState::new()), HashQuality::Folded),
        ("foldhash", hashed(&foldhash), HashQuality::Folded),
        ("SipHash", hashed(&Sip), HashQuality::Avalanching),
        (
            "FNV, texts",
            hashed_texts(&fnv::FnvBuildHasher::default()),
            HashQuality::Any,
        ),
        (
            "default, texts",
            hashed_texts(&FixedState::new()),
            HashQuality::Folded,
        ),
        (
            "foldhash, texts",
            hashed_texts(&foldhash),
            HashQuality::Folded,
        ),
        (
            "SipHash, texts",
            hashed_texts(&Sip),
            HashQuality::Avalanching,
        ),
    ]
}

/// Checks the hashes of every hasher with `measure`, after checking that `measure` notices filters that lack `lost` of their
/// items.
fn check(expected: &Expected, lost: usize, measure: fn(&[u64], HashQuality) -> f64) {
    expected.check_random_hashes(lost, |hashes| measure(hashes, HashQuality::Any));
    for (name, patterns, quality) in hashers() {
        eprintln!("{name}");
        expected.check_every_pattern(&patterns, |hashes| measure(hashes, quality));
    }
}

/// If two hashes of a pattern were equal, a filter would have fewer items than expected.
#[test]
fn the_hashes_of_a_pattern_are_distinct() {
    for (hasher, patterns, _) in hashers() {
        for Pattern { name, hash } in &patterns {
            let starts = STARTS.into_iter();
            let mut distinct: Vec<_> = starts
                .flat_map(|start| (start..start + ITEMS).map(hash))
                .collect();
            distinct.sort_unstable();
            distinct.dedup();
            // A pattern has 20,000 hashes. Two of 20,000 random 64-bit hashes are equal once in 10^11 patterns.
            let expected = ITEMS * STARTS.len() as u64;
            assert_eq!(distinct.len() as u64, expected, "{hasher}, {name}");
        }
    }
}

#[test]
fn weak_hashes_set_as_many_bits_as_random_ones() {
    let expected = expected_set_bits();
    assert!(expected.allowed(STARTS.len()) < 0.011 * expected.mean);
    // 40 of 2,000 items: the measure must notice that each filter lacks one item in 50.
    check(&expected, 40, set_bits);
}

#[test]
fn weak_hashes_give_blocks_the_rate_of_random_ones() {
    let expected = expected_rate_of_blocks();
    assert!(expected.allowed(STARTS.len()) < 0.15 * expected.mean);
    // 100 of 2,000 items: the measure must notice that each filter lacks one item in 20.
    check(&expected, 100, rate_of_blocks);
}
