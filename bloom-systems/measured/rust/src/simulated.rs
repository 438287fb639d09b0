//! Simulates systems that cannot be run here: their sizes, hash functions and positions are rewritten from their sources.
//!
//! Where a source needs no particular hash function, foldhash stands in.

use std::f64::consts::LN_2;
use std::hash::BuildHasher;
use std::sync::atomic::{AtomicUsize, Ordering};

use foldhash::quality::FixedState;

use crate::cells::Filter;
use crate::key::Key;

/// How a system sizes a filter and finds the positions of a key.
struct Source {
    name: &'static str,
    /// Returns m and k for n items and the rate p; `None` if the system refuses.
    size: fn(f64, f64) -> Option<(u64, u64)>,
    positions: Positions,
}

/// Takes a key, m, k and a function, and calls the function with each position of the key.
type Positions = fn(&[u8], u64, u64, &mut dyn FnMut(u64));

/// Systems whose sizes are written here only for the rates that are measured, and not for all rates that are requested.
pub(crate) const WITHOUT_SIZES: [&str; 2] = ["clickhouse", "cassandra"];

/// Systems whose rates are not measured here, because those of a library with the same positions are measured.
pub(crate) const WITHOUT_RATES: [&str; 1] = ["bip37"];

/// The system whose filters are built.
static CHOSEN: AtomicUsize = AtomicUsize::new(0);

/// Chooses the system of this name, or panics.
pub(crate) fn choose(name: &str) {
    let known = SOURCES.iter().position(|source| source.name == name);
    let known = known.unwrap_or_else(|| panic!("unknown system {name:?}"));
    CHOSEN.store(known, Ordering::Relaxed);
}

static SOURCES: [Source; 8] = [
    Source {
        name: "leveldb",
        size: |n, p| {
            let per_item = whole_bits(p);
            let bits = (n * per_item).max(64.0);
            let hashes = ((per_item * 0.69) as u64).clamp(1, 30);
            Some(((bits / 8.0).ceil() as u64 * 8, hashes))
        },
        positions: |key, bits, hashes, set| {
            let hash = leveldb_hash(key, false);
            sums(hash, hash.rotate_right(17), hashes).for_each(|sum| set(u64::from(sum) % bits));
        },
    },
    Source {
        name: "pebble",
        size: |n, p| {
            let per_item = whole_bits(p);
            let lines = (n * per_item / 512.0).ceil() as u64 | 1;
            let probes = [0, 1, 1, 2, 3, 3, 4, 4, 5, 5, 6][(per_item as usize).min(10)];
            Some((lines * 512, probes))
        },
        positions: |key, bits, hashes, set| {
            let hash = leveldb_hash(key, true);
            let line = u64::from(hash) % (bits / 512);
            let positions = sums(hash, hash.rotate_right(17), hashes);
            positions.for_each(|sum| set(line * 512 + u64::from(sum) % 512));
        },
    },
    Source {
        name: "hbase",
        size: |n, p| {
            let (p, chunk) = (f64::from(p as f32), f64::from(1 << 20));
            let keys = (chunk * (LN_2 * LN_2 / -p.ln())).floor();
            let hashes = (LN_2 * (chunk / keys).floor()).ceil();
            let mut keys = (-chunk / hashes * (1.0 - (p.ln() / hashes).exp()).ln()) as u64;
            let (n, mut bytes) = (n as u64, 1_u64 << 17);
            if n > keys {
                return None;
            }
            while bytes % 2 == 0 && keys > 2 * n {
                (bytes, keys) = (bytes / 2, keys / 2);
            }
            Some((bytes * 8, hashes as u64))
        },
        positions: |key, bits, hashes, set| {
            let first = murmur2(key, 0);
            for sum in sums(first, murmur2(key, first), hashes) {
                set((i64::from(sum as i32) % bits as i64).unsigned_abs());
            }
        },
    },
    Source {
        name: "impala",
        size: |n, p| {
            let rate = |log: i32| {
                let mean = 256.0 * n / f64::from(log).exp2();
                let (mut chance, mut sum) = ((-mean).exp(), 0.0);
                for inside in 1..750 {
                    chance *= mean / f64::from(inside);
                    sum += chance * (1.0 - (31.0_f64 / 32.0).powi(inside)).powi(8);
                }
                if mean > 512.0 { 1.0 } else { sum }
            };
            (9..40).find(|log| rate(*log) <= p).map(|log| (1 << log, 8))
        },
        positions: |key, bits, _, set| {
            let hash = stand_in(key) as u32;
            let mixed = u64::from(hash)
                .wrapping_mul(0x7850_f11e_c6d1_4889)
                .wrapping_add(0x6773_6105_97ca_4c63);
            let block = (mixed >> 32) & (bits / 256 - 1);
            let factors: [u32; 8] = [
                0x47b6_137b,
                0x4497_4d91,
                0x8824_ad5b,
                0xa2b7_289d,
                0x7054_95c7,
                0x2df1_424b,
                0x9efc_4947,
                0x5c6b_fb31,
            ];
            for (lane, factor) in (0..).zip(factors) {
                set(256 * block + 32 * lane + u64::from(factor.wrapping_mul(hash) >> 27));
            }
        },
    },
    Source {
        name: "kudu",
        size: |n, p| {
            let bits = -n * p.ln() / SHORT_LN_2 / SHORT_LN_2;
            let bits = (bits / 8.0).ceil() * 8.0;
            Some((bits as u64, ((bits * SHORT_LN_2 / n) as u64).max(1)))
        },
        positions: |key, bits, hashes, set| {
            let hash = stand_in(key);
            let (first, step) = (hash as u32, (hash >> 32) as u32);
            sums(first, step, hashes).for_each(|sum| set(u64::from(sum) % bits));
        },
    },
    Source {
        name: "clickhouse",
        size: |n, p| {
            let (per_item, hashes) = match p {
                0.283.. => (2.0, 2),
                _ if p < 0.000_109 => (19.0, 13),
                _ => table(p)?,
            };
            Some(((per_item * n / 8.0).ceil() as u64 * 8, hashes))
        },
        positions: |key, bits, hashes, set| {
            for seed in 0..hashes {
                set(stand_in(&[key, &seed.to_le_bytes()].concat()) % bits);
            }
        },
    },
    Source {
        name: "cassandra",
        size: |n, p| {
            let (per_item, hashes) = match p {
                0.0001 => (20.0, 10),
                _ => table(p)?,
            };
            Some(((per_item * n + 20.0) as u64).next_multiple_of(64)).map(|bits| (bits, hashes))
        },
        positions: |key, bits, hashes, set| {
            let mut sum = stand_in(key) as i64;
            let step = stand_in(&[key, &[1]].concat()) as i64;
            for _ in 0..hashes {
                set((sum % bits as i64).unsigned_abs());
                sum = sum.wrapping_add(step);
            }
        },
    },
    Source {
        name: "bip37",
        size: |n, p| {
            let bits = (-1.0 / (LN_2 * LN_2) * n * p.ln()) as u64;
            let bytes = bits.min(36_000 * 8) / 8;
            let hashes = ((bytes * 8 / n as u64) as f64 * LN_2) as u64;
            Some((bytes * 8, hashes.min(50))).filter(|size| size.1 > 0)
        },
        positions: |_, _, _, _| unreachable!("it has no rates"),
    },
];

/// ln 2 with the digits that Kudu has.
#[expect(clippy::approx_constant, reason = "the digits that the system has")]
const SHORT_LN_2: f64 = 0.693_14;

/// The bits per item for a rate, -ln p / (ln 2)^2, rounded up. Some systems take these in place of the rate.
fn whole_bits(rate: f64) -> f64 {
    (-rate.ln() / (LN_2 * LN_2)).ceil()
}

/// The bits per item and hashes that Cassandra and ClickHouse both choose for a rate of 0.1, 0.01 or 0.001; `None` for all
/// other rates.
fn table(rate: f64) -> Option<(f64, u64)> {
    match rate {
        0.1 => Some((5.0, 3)),
        0.01 => Some((10.0, 5)),
        0.001 => Some((15.0, 7)),
        _ => None,
    }
}

/// The sums of double hashing in 32 bits.
fn sums(first: u32, step: u32, hashes: u64) -> impl Iterator<Item = u32> {
    (0..hashes as u32).map(move |index| first.wrapping_add(index.wrapping_mul(step)))
}

fn stand_in(key: &[u8]) -> u64 {
    FixedState::with_seed(7).hash_one(key)
}

/// Four bytes as a number, the first one lowest.
fn word(bytes: &[u8]) -> u32 {
    bytes
        .iter()
        .rev()
        .fold(0, |word, byte| word << 8 | u32::from(*byte))
}

/// The hash of LevelDB; with `signed` that of Pebble, which sign-extends the last one to three bytes.
fn leveldb_hash(key: &[u8], signed: bool) -> u32 {
    const FACTOR: u32 = 0xc6a4_a793;
    let mut hash = 0xbc9f_1d34 ^ (key.len() as u32).wrapping_mul(FACTOR);
    let mut words = key.chunks_exact(4);
    for part in &mut words {
        hash = hash.wrapping_add(word(part)).wrapping_mul(FACTOR);
        hash ^= hash >> 16;
    }
    let rest = words.remainder();
    if !rest.is_empty() {
        for (at, byte) in rest.iter().enumerate() {
            let byte = if signed {
                i32::from(*byte as i8) as u32
            } else {
                u32::from(*byte)
            };
            hash = hash.wrapping_add(byte << (8 * at));
        }
        hash = hash.wrapping_mul(FACTOR);
        hash ^= hash >> 24;
    }
    hash
}

/// `MurmurHash2` of 32 bits, for keys of whole words.
fn murmur2(key: &[u8], seed: u32) -> u32 {
    const FACTOR: u32 = 0x5bd1_e995;
    let mut hash = seed ^ key.len() as u32;
    for part in key.chunks_exact(4) {
        let mut mixed = word(part).wrapping_mul(FACTOR);
        mixed ^= mixed >> 24;
        hash = hash.wrapping_mul(FACTOR) ^ mixed.wrapping_mul(FACTOR);
    }
    hash ^= hash >> 13;
    hash = hash.wrapping_mul(FACTOR);
    hash ^ hash >> 15
}

/// A filter of the chosen system.
pub(crate) struct Simulated {
    source: &'static Source,
    words: Vec<u64>,
    bits: u64,
    hashes: u64,
}

impl<K: Key> Filter<K> for Simulated {
    const OPERATIONS: f64 = 2e7;

    fn build(items: usize, rate: f64, _: u64) -> Option<Self> {
        let source = &SOURCES[CHOSEN.load(Ordering::Relaxed)];
        let (bits, hashes) = (source.size)(items as f64, rate)?;
        Some(Self {
            source,
            words: vec![0; bits.div_ceil(64) as usize],
            bits,
            hashes,
        })
    }

    fn insert(&mut self, key: &K) {
        let words = &mut self.words;
        (self.source.positions)(key.as_bytes(), self.bits, self.hashes, &mut |position| {
            words[(position / 64) as usize] |= 1 << (position % 64);
        });
    }

    fn contains(&self, key: &K) -> bool {
        let mut all = true;
        (self.source.positions)(key.as_bytes(), self.bits, self.hashes, &mut |position| {
            all &= self.words[(position / 64) as usize] >> (position % 64) & 1 == 1;
        });
        all
    }

    fn size(&self) -> (u64, u64) {
        (self.bits, self.hashes)
    }
}
