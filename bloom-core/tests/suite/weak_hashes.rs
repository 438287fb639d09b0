//! Tests filters with weak hashes: filters accept any hasher of the caller, and some hashers return their input.
//!
//! Each pattern below is a family of structured integers (sequences, multiples, addresses, packed fields), or of texts or
//! bytes that contain such integers. Hashers of each [quality](HashQuality) hash them; integers are also used as hashes
//! themselves. The filters must behave as if the hashes were random: as many set bits in a `BloomFilter`, the same
//! false-positive rate in a `BlockedBloomFilter`.
//!
//! They behave so because a filter folds each hash as often as its quality needs. With one fold fewer, these tests reject the
//! following numbers of the 1460 integer patterns, by the set bits and by the rates of blocks: identity 551 and 887,
//! foldhash 359 and 567, the default hasher 337 and 659. SipHash needs no fold.

use std::hash::{BuildHasher, Hasher};

use bloom_core::{BlockedBloomFilter, BlockedShape, BloomFilter, FixedState, HashQuality, Shape};
use siphasher::sip::SipHasher13;

/// Items of each filter.
const ITEMS: u64 = 2_000;

/// Bits of a `BloomFilter`, 9.594 per item, and its hashes.
const BITS: u64 = 19_188;
const HASHES: u8 = 7;

/// Blocks of a `BlockedBloomFilter`: 10.1 bits per item, rounded up.
const BLOCKS: u64 = 40;

/// The first integers of a pattern, one start per filter. All integers are below 2^[`WIDTH`], and no two
/// filters share one.
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

/// Bits of the largest integer.
const WIDTH: u32 = 21;

/// Tolerance of the mean over a pattern's filters, in standard deviations.
///
/// The set bits of random hashes are normally distributed and exceed the tolerance twice in 10^17. The rates of
/// blocks are skewed, by 0.38 for one filter and 0.12 for the mean of ten: a gamma distribution of that skewness
/// exceeds the tolerance once in 10^13. So random hashes fail one of the 11,840 checks of patterns less than once in 10^9 runs.
///
/// Power: 0.5 for 1.1 % more or fewer set bits, for a false-positive rate 7.5 % off, and for a rate of blocks
/// 14 % off; nearly 1 for a deviation 1.5 times as large.
const SIGMAS: f64 = 8.5;

struct Pattern {
    name: String,
    /// Makes a hash of an integer below 2^[`WIDTH`]; distinct integers have distinct hashes.
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
        // A rotation keeps the bits that a shift would lose, so all hashes are distinct.
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

/// Returns patterns with the low bits of i at one place and the rest at another, as in packed structures.
fn two_fields() -> impl Iterator<Item = Pattern> {
    // The places of the grid below are multiples of 3. These three patterns, at other places, are tested too.
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

/// Returns patterns with some low bits of i, the next four and the rest each at a place of their own.
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

/// The expected measurement of one filter.
struct Expected {
    mean: f64,
    /// The standard deviation of one filter's measurement.
    standard_deviation: f64,
    /// The variance of `mean`, if that was measured too.
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

    /// For each start of each pattern, measures one filter of the pattern's hashes.
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

    /// Measures filters of random hashes, which must pass, and filters that lost a few of them, which must
    /// fail.
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

/// Returns the mean and the standard deviation of the set bits after N = kn random positions among m.
///
/// A bit is clear with probability q1 = (1 - 1/m)^N, and two given bits are both clear with q2 = (1 - 2/m)^N. So the
/// number C of clear bits has E C = m q1 and E C^2 = m q1 + m (m - 1) q2: the set bits have the mean
/// m - m q1, and the variance of C.
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

/// The standard deviation of the blocks' rate has no closed formula: it and the mean are taken from a sample.
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

/// Hashes that a hasher makes of the integers of all patterns.
fn hashed(state: &(impl BuildHasher + Clone + 'static)) -> Vec<Pattern> {
    let of = |Pattern { name, hash }: Pattern| {
        let state = state.clone();
        pattern(name, move |i| state.hash_one(hash(i)))
    };
    patterns().into_iter().map(of).collect()
}

/// Hashes that a hasher makes of texts and bytes with the integers in them.
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

/// Returns the name of each hasher, its hashes by pattern, and the quality that these hashes are promised to have.
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

/// Checks the hashes of every hasher by a measure of filters, and that the measure notices filters that lost `lost` items.
fn check(expected: &Expected, lost: usize, measure: fn(&[u64], HashQuality) -> f64) {
    expected.check_random_hashes(lost, |hashes| measure(hashes, HashQuality::Any));
    for (name, patterns, quality) in hashers() {
        eprintln!("{name}");
        expected.check_every_pattern(&patterns, |hashes| measure(hashes, quality));
    }
}

/// If a pattern had equal hashes, its filters would have fewer items than filters of random hashes.
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
            // Two of 20,000 random 64-bit hashes are equal once in 10^11 patterns.
            let expected = ITEMS * STARTS.len() as u64;
            assert_eq!(distinct.len() as u64, expected, "{hasher}, {name}");
        }
    }
}

#[test]
fn weak_hashes_set_as_many_bits_as_random_ones() {
    let expected = expected_set_bits();
    assert!(expected.allowed(STARTS.len()) < 0.011 * expected.mean);
    // Each filter lost one item in 50.
    check(&expected, 40, set_bits);
}

#[test]
fn weak_hashes_give_blocks_the_rate_of_random_ones() {
    let expected = expected_rate_of_blocks();
    assert!(expected.allowed(STARTS.len()) < 0.15 * expected.mean);
    // Each filter lost one item in 20.
    check(&expected, 100, rate_of_blocks);
}
