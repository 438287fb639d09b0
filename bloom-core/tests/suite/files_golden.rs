//! Tests the golden files: saved filters that were recorded once and never change. They are compared with filters that are
//! built and saved again, and with a second implementation of the documented layout (`bloom_core::persist`).

use std::collections::HashMap;
use std::fs;
use std::hash::BuildHasher;

use bloom_core::{
    BlockedBloomFilter, BlockedShape, BloomFilter, CounterBits, CountingBloomFilter, FixedState,
    PartitionedBloomFilter, ScalableBloomFilter, ScalableShape, Shape,
};
use bloom_testing::assert_bytes;

use crate::saved::{GOLDEN, golden, golden_path, resave, u64_at};

const WORDS: [&str; 12] = [
    "",
    "a",
    "ant",
    "bee",
    "carp",
    "wren",
    "Zürich",
    "https://example.org/",
    "0",
    "null",
    "日本",
    "the quick brown fox jumps over the lazy dog, and then over a hundred bytes and twelve of them",
];

const NUMBERS: [u64; 12] = [
    0,
    1,
    2,
    3,
    42,
    255,
    256,
    65_535,
    0xffff_ffff,
    1 << 32,
    1 << 63,
    u64::MAX,
];

fn basic() -> BloomFilter<str> {
    let mut filter = BloomFilter::with_rate(12, 0.001).unwrap();
    filter.extend(WORDS);
    filter
}

fn blocked() -> BlockedBloomFilter<u64> {
    let mut filter = BlockedBloomFilter::new(BlockedShape::new(3).unwrap()).unwrap();
    filter.extend(NUMBERS);
    filter
}

fn counting(shape: (u64, u8), width: CounterBits, often: usize) -> CountingBloomFilter<str> {
    let shape = Shape::new(shape.0, shape.1).unwrap();
    let mut filter = CountingBloomFilter::with_counter_bits(shape, width).unwrap();
    filter.extend(WORDS);
    filter.extend(std::iter::repeat_n("ant", often));
    filter
}

fn counting4() -> CountingBloomFilter<str> {
    counting((90, 5), CounterBits::Four, 13)
}

fn counting8() -> CountingBloomFilter<str> {
    counting((75, 4), CounterBits::Eight, 100)
}

fn partitioned() -> PartitionedBloomFilter<[u8]> {
    let mut filter = PartitionedBloomFilter::new(Shape::new(200, 7).unwrap()).unwrap();
    filter.extend(WORDS.map(str::as_bytes));
    filter
}

fn scalable() -> ScalableBloomFilter<u64> {
    let shape = ScalableShape::new(3, 0.005).unwrap();
    let shape = shape.with_growth(3).unwrap().with_tightening(0.5).unwrap();
    let mut filter = ScalableBloomFilter::new(shape.with_max_stages(9).unwrap()).unwrap();
    for number in (2_070..2_080).chain(NUMBERS) {
        filter.insert(&number).unwrap();
    }
    filter
}

fn made_anew(name: &str) -> Vec<u8> {
    let bytes = match name {
        "basic" => basic().to_bytes(),
        "blocked" => blocked().to_bytes(),
        "counting4" => counting4().to_bytes(),
        "counting8" => counting8().to_bytes(),
        "partitioned" => partitioned().to_bytes(),
        "scalable" => scalable().to_bytes(),
        other => panic!("no golden file {other}"),
    };
    bytes.unwrap()
}

#[test]
#[ignore = "makes the files of a new version: \
            cargo test -p bloom-core --test suite golden_files_are_written -- --ignored"]
fn golden_files_are_written() {
    for (name, _) in GOLDEN {
        fs::write(golden_path(name), made_anew(name)).unwrap();
    }
}

#[test]
fn golden_files_are_reproduced_byte_for_byte() {
    for (name, kind) in GOLDEN {
        assert_bytes!(made_anew(name), golden(name), "{name}, written");
        let resaved = resave(kind, &golden(name)).unwrap();
        assert_bytes!(resaved, golden(name), "{name}, read and written");
    }
}

#[test]
fn golden_files_contain_their_items() {
    let loaded = BloomFilter::<str>::from_bytes(&golden("basic")).unwrap();
    assert_eq!(loaded, basic());
    assert!(WORDS.iter().all(|word| loaded.contains(*word)) && !loaded.contains("cat"));

    let loaded = BlockedBloomFilter::<u64>::from_bytes(&golden("blocked")).unwrap();
    assert_eq!(loaded, blocked());
    assert!(NUMBERS.iter().all(|number| loaded.contains(number)) && !loaded.contains(&77));

    for (name, made) in [("counting4", counting4()), ("counting8", counting8())] {
        let mut loaded = CountingBloomFilter::<str>::from_bytes(&golden(name)).unwrap();
        assert_eq!(loaded, made);
        assert!(WORDS.iter().all(|word| loaded.remove(*word)));
        assert!(loaded.contains("ant"));
    }
    let loaded = PartitionedBloomFilter::<[u8]>::from_bytes(&golden("partitioned")).unwrap();
    assert_eq!(loaded, partitioned());
    assert!(WORDS.iter().all(|word| loaded.contains(word.as_bytes())));

    let loaded = ScalableBloomFilter::<u64>::from_bytes(&golden("scalable")).unwrap();
    assert!(loaded.stages().eq(scalable().stages()));
    assert_eq!(loaded.stages().count(), 3);
    assert!(NUMBERS.iter().all(|number| loaded.contains(number)) && !loaded.contains(&77));
}

// The following functions are a second implementation of the documented layout.

fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

/// Returns what the documentation calls x: a hash of the default hasher, folded once.
fn mixed(hash: u64) -> u64 {
    fold(hash, 0x94d0_49bb_1331_11eb)
}

/// Returns the probes of a hash, an endless sequence of numbers from which the positions are computed.
fn probes(hash: u64) -> impl Iterator<Item = u64> {
    let mut probe = mixed(hash).wrapping_add(0x9e37_79b9_7f4a_7c15);
    (0..).map(move |index| {
        if index > 0 && index % 4 == 0 {
            probe = probe.wrapping_mul(0xd134_2543_de82_ef95).wrapping_add(hash);
        } else if index > 0 {
            probe = probe.rotate_left(16);
        }
        probe
    })
}

fn reduce(probe: u64, bits: u64) -> u64 {
    ((u128::from(probe) * u128::from(bits)) >> 64) as u64
}

/// Returns the positions of a hash in a filter of this size. `kind` is the number of the kind in a file: 2 is blocked and 4 is
/// partitioned.
fn positions(kind: u8, size: u64, hashes: u8, hash: u64) -> Vec<u64> {
    let k = u64::from(hashes);
    let probes = probes(hash).take(hashes.into());
    match kind {
        2 => {
            let x = mixed(hash);
            let y = x.wrapping_mul(0xd134_2543_de82_ef95).wrapping_add(hash);
            let block = reduce(x, size);
            let lane = |i: u64| 512 * block + 64 * i + (y >> (16 + 6 * i)) % 64;
            (0..8).map(lane).collect()
        }
        4 => {
            let slice = |i: u64| size / k + u64::from(i < size % k);
            let start = |i: u64| (0..i).map(slice).sum::<u64>();
            let position = |(i, probe)| start(i) + reduce(probe, slice(i));
            (0..).zip(probes).map(position).collect()
        }
        _ => probes.map(|probe| reduce(probe, size)).collect(),
    }
}

/// Returns for each position how often it is a position of one of the hashes in `items`.
fn hits(kind: u8, size: u64, hashes: u8, items: &[u64]) -> HashMap<u64, u64> {
    let mut hits = HashMap::new();
    for &hash in items {
        for position in positions(kind, size, hashes, hash) {
            *hits.entry(position).or_default() += 1;
        }
    }
    hits
}

/// Returns the bits or counters of a filter, in words of 64 bits, as bytes. Each position has `width` bits, in which its number
/// of hits is stored, or the highest number that fits.
fn words_of(hits: &HashMap<u64, u64>, width: u64, words: u64) -> Vec<u8> {
    let mut payload = vec![0; words as usize];
    for (position, count) in hits {
        let (per_word, highest) = (64 / width, (1 << width) - 1);
        let shift = position % per_word * width;
        payload[(position / per_word) as usize] |= highest.min(*count) << shift;
    }
    payload
        .iter()
        .flat_map(|word: &u64| word.to_le_bytes())
        .collect()
}

#[test]
fn flat_golden_files_are_what_the_layout_says() {
    let hash = |item: &str| FixedState::new().hash_one(item);
    let words = WORDS.map(hash);
    let with_ants = |often| [words.to_vec(), vec![hash("ant"); often]].concat();
    let numbers = NUMBERS.map(|number| FixedState::new().hash_one(number));
    let slices = WORDS.map(|word| FixedState::new().hash_one(word.as_bytes()));
    for (name, kind, counter_bits, hashes, size, items) in [
        ("basic", 1, 0, 10, 175, words.to_vec()),
        ("blocked", 2, 0, 8, 3, numbers.to_vec()),
        ("counting4", 3, 4, 5, 90, with_ants(13)),
        ("counting8", 3, 8, 4, 75, with_ants(100)),
        ("partitioned", 4, 0, 7, 200, slices.to_vec()),
    ] {
        let bytes = golden(name);
        assert_eq!(bytes[..8], *b"\x89BLOOM\r\n");
        assert_eq!(
            bytes[8..16],
            [1, 0, kind, counter_bits, hashes, 1, 1, 0],
            "{name}"
        );
        assert_eq!(u64_at(&bytes, 16), size, "{name}");
        let words = u64_at(&bytes, 24);
        assert_eq!(bytes.len() as u64, 128 + 8 * words + 8);
        assert_eq!(u64_at(&bytes, 32), 0);
        check_probes(&bytes);
        assert_eq!(bytes[72..112], [0; 40]);
        check_header(&bytes);
        // A bit is stored like a counter of one bit, whose highest value is 1.
        let width = u64::from(counter_bits.max(1));
        let payload = words_of(&hits(kind, size, hashes, &items), width, words);
        assert!(bytes[128..bytes.len() - 8] == payload, "{name}");
        check_checksum(&bytes);
    }
}

#[test]
fn the_scalable_golden_file_is_what_the_layout_says() {
    let bytes = golden("scalable");
    assert_eq!(bytes[..16], *b"\x89BLOOM\r\n\x01\0\x05\0\0\x01\x01\0");
    check_header(&bytes);
    assert_eq!(u64_at(&bytes, 16), 3);
    check_probes(&bytes);
    let parameters = [3, 0.005_f64.to_bits(), 0.5_f64.to_bits(), 9 << 32 | 3, 0];
    for (index, parameter) in parameters.into_iter().enumerate() {
        assert_eq!(
            u64_at(&bytes, 72 + 8 * index),
            parameter,
            "parameter {index}"
        );
    }
    let numbers = (2_070..2_080).chain(NUMBERS);
    let items: Vec<u64> = numbers
        .map(|number| FixedState::new().hash_one(number))
        .collect();
    let mut at = 128;
    // A scalable filter consists of Bloom filters, its stages. No item is found before it is inserted, so all items are
    // inserted, in order. The first stage takes its 3 expected items. The second takes 8 of its 9 expected items, because a
    // ninth would set more bits than the rate of the stage allows.
    for (expected, items) in [(3, &items[..3]), (9, &items[3..11]), (27, &items[11..])] {
        let (bits, hashes) = (u64_at(&bytes, at), u64_at(&bytes, at + 8));
        assert_eq!(u64_at(&bytes, at + 16), expected);
        assert_eq!(u64_at(&bytes, at + 24), items.len() as u64);
        let words = u64_at(&bytes, at + 32);
        assert_eq!(words, bits.div_ceil(64));
        assert_eq!(bytes[at + 40..at + 64], [0; 24]);
        let words = words.next_multiple_of(8);
        let payload = words_of(&hits(1, bits, hashes as u8, items), 1, words);
        let end = at + 64 + payload.len();
        assert!(bytes[at + 64..end] == payload, "stage of {expected}");
        at = end;
    }
    assert_eq!(bytes.len(), at + 8);
    assert_eq!(u64_at(&bytes, 24) as usize, (at - 128) / 8);
    check_checksum(&bytes);
}

fn check_probes(bytes: &[u8]) {
    let probes = [0, 1, 0x0123_4567_89ab_cdef, u64::MAX];
    for (index, probe) in probes.into_iter().enumerate() {
        assert_eq!(
            u64_at(bytes, 40 + 8 * index),
            FixedState::new().hash_one(probe)
        );
    }
}

fn check_header(bytes: &[u8]) {
    let checksum = rapidhash::v3::rapidhash_v3(&bytes[..112]);
    assert_eq!((u64_at(bytes, 112), u64_at(bytes, 120)), (checksum, 0));
}

fn check_checksum(bytes: &[u8]) {
    let end = bytes.len() - 8;
    assert_eq!(
        u64_at(bytes, end),
        rapidhash::v3::rapidhash_v3(&bytes[..end])
    );
}
