//! Tests saving and loading. A loaded filter equals the saved one. It loads only with the hasher with which it was saved. The
//! chunks that `write_bytes` passes on are, one after the other, the bytes that `to_bytes` returns.

use std::convert::Infallible;
use std::fmt::Debug;
use std::hash::{BuildHasher, RandomState};

use bloom_core::{
    BlockedBloomFilter, BlockedShape, BloomFilter, CounterBits, CountingBloomFilter, FixedState,
    LoadError, PartitionedBloomFilter, ScalableBloomFilter, ScalableShape, Shape,
};
use bloom_testing::assert_bytes;
use proptest::prelude::*;

/// Numbers of bits: small ones, around one and two words of 64 bits, and around the 31,680 bits that make a file of 4,096
/// bytes, which is written as one chunk.
const SIZES: [u64; 14] = [
    1, 2, 3, 8, 16, 63, 64, 65, 127, 128, 1_000, 31_679, 31_680, 31_681,
];

fn check_loaded<F: PartialEq + Debug>(
    saved: &F,
    to_bytes: impl Fn(&F) -> Vec<u8>,
    from_bytes: impl Fn(&[u8]) -> Result<F, LoadError>,
) {
    let bytes = to_bytes(saved);
    let loaded = from_bytes(&bytes).unwrap();
    assert_eq!(&loaded, saved);
    assert_bytes!(to_bytes(&loaded), bytes);
}

#[test]
fn a_loaded_filter_equals_the_saved_one_and_saves_the_same_bytes() {
    for (size, items) in SIZES
        .into_iter()
        .flat_map(|size| [(size, 0), (size, 1), (size, size)])
    {
        for hashes in [1, 2, 7, 255] {
            let shape = Shape::new(size, hashes).unwrap();
            let mut basic = BloomFilter::<u64>::new(shape).unwrap();
            basic.extend(0..items);
            check_loaded(&basic, |f| f.to_bytes().unwrap(), BloomFilter::from_bytes);

            if let Ok(mut partitioned) = PartitionedBloomFilter::<u64>::new(shape) {
                partitioned.extend(0..items);
                let from = PartitionedBloomFilter::from_bytes;
                check_loaded(&partitioned, |f| f.to_bytes().unwrap(), from);
            }
            for width in [CounterBits::Four, CounterBits::Eight] {
                let state = FixedState::new();
                let counting =
                    CountingBloomFilter::<u64>::with_counter_bits_and_hasher(shape, width, state);
                let mut counting = counting.unwrap();
                counting.extend(0..items);
                let from = CountingBloomFilter::from_bytes;
                check_loaded(&counting, |f| f.to_bytes().unwrap(), from);
            }
        }
        let shape = BlockedShape::new(size.div_ceil(64)).unwrap();
        let mut blocked = BlockedBloomFilter::<u64>::new(shape).unwrap();
        blocked.extend(0..items);
        let from = BlockedBloomFilter::from_bytes;
        check_loaded(&blocked, |f| f.to_bytes().unwrap(), from);
    }
}

#[test]
fn a_loaded_scalable_filter_goes_on_as_the_saved_one() {
    for (growth, tightening) in [(1, 0.9), (2, 0.85), (5, 0.3)] {
        let shape = ScalableShape::new(7, 0.02).unwrap();
        let shape = shape.with_growth(growth).unwrap();
        let shape = shape
            .with_tightening(tightening)
            .unwrap()
            .with_max_stages(40)
            .unwrap();
        let mut saved = ScalableBloomFilter::<u64>::new(shape).unwrap();
        for step in 0..60 {
            let bytes = saved.to_bytes().unwrap();
            let mut loaded = ScalableBloomFilter::<u64>::from_bytes(&bytes).unwrap();
            assert_eq!(loaded.shape(), shape);
            assert!(loaded.stages().eq(saved.stages()));
            for item in 4 * step..4 * step + 4 {
                assert_eq!(loaded.insert(&item), saved.insert(&item));
            }
            assert_bytes!(loaded.to_bytes().unwrap(), saved.to_bytes().unwrap());
            assert!((0..4 * step + 4).all(|item| loaded.contains(&item)));
        }
        assert!(saved.stages().count() > 2, "only one stage was saved");
    }
}

#[test]
fn a_loaded_counting_filter_removes_what_the_saved_one_held() {
    let shape = Shape::new(300, 5).unwrap();
    for (width, often) in [(CounterBits::Four, 16), (CounterBits::Eight, 256)] {
        let state = FixedState::new();
        let mut saved =
            CountingBloomFilter::<u64>::with_counter_bits_and_hasher(shape, width, state).unwrap();
        saved.extend(0..20);
        saved.extend(std::iter::repeat_n(20, often));
        assert!(saved.saturated() > 0);
        let mut loaded = CountingBloomFilter::from_bytes(&saved.to_bytes().unwrap()).unwrap();
        for item in 0..20 {
            assert!(loaded.remove(&item) && saved.remove(&item));
            assert_eq!(loaded, saved);
        }
        assert!(loaded.contains(&20));
    }
}

fn check_hasher<S: BuildHasher + Clone>(state: &S, other: &S) {
    let saved_with_default = false;
    let refused = LoadError::Hasher { saved_with_default };
    macro_rules! check {
        ($filter:ident, $shape:expr) => {
            let mut filter = $filter::<u64, _>::with_hasher($shape, state.clone()).unwrap();
            filter.extend(0..30);
            let bytes = filter.to_bytes().unwrap();
            let load = |state: &S| $filter::from_bytes_with_hasher(&bytes, state.clone());
            assert_eq!(load(state).unwrap(), filter);
            assert_eq!(load(other).unwrap_err(), refused);
            assert_eq!($filter::<u64>::from_bytes(&bytes), Err(refused));
        };
    }
    let shape = Shape::new(500, 7).unwrap();
    check!(BloomFilter, shape);
    check!(CountingBloomFilter, shape);
    check!(PartitionedBloomFilter, shape);
    check!(BlockedBloomFilter, BlockedShape::new(3).unwrap());

    let shape = ScalableShape::new(10, 0.1).unwrap();
    let mut scalable = ScalableBloomFilter::<u64, _>::with_hasher(shape, state.clone()).unwrap();
    assert!((0..30).all(|item| scalable.insert(&item).is_ok()));
    let bytes = scalable.to_bytes().unwrap();
    let load =
        |state: &S| ScalableBloomFilter::<u64, _>::from_bytes_with_hasher(&bytes, state.clone());
    let loaded = load(state).unwrap();
    assert!((0..30).all(|item| loaded.contains(&item)));
    assert_bytes!(loaded.to_bytes().unwrap(), bytes);
    assert_eq!(load(other).unwrap_err(), refused);
}

#[test]
fn a_filter_with_a_custom_hasher_loads_only_with_that_hasher() {
    check_hasher(&FixedState::with_seed(1), &FixedState::with_seed(2));
    check_hasher(&RandomState::new(), &RandomState::new());
}

#[test]
fn loading_a_filter_of_the_default_hasher_with_another_names_the_default() {
    let bytes = BloomFilter::<u64>::with_rate(10, 0.1)
        .unwrap()
        .to_bytes()
        .unwrap();
    let error = BloomFilter::<u64, _>::from_bytes_with_hasher(&bytes, FixedState::with_seed(1));
    let saved_with_default = true;
    assert_eq!(error.unwrap_err(), LoadError::Hasher { saved_with_default });
}

#[test]
fn a_custom_seed_is_not_in_the_bytes() {
    let seed = 0x5eed_0f7e_c3a1_e201_u64;
    let shape = Shape::new(640, 7).unwrap();
    let state = FixedState::with_seed(seed);
    let filter = BloomFilter::<u64, _>::with_hasher(shape, state).unwrap();
    let bytes = filter.to_bytes().unwrap();
    let holds = |part: [u8; 8]| bytes.windows(8).any(|window| window == part);
    assert!(!holds(seed.to_le_bytes()) && !holds(seed.to_be_bytes()));
}

#[test]
fn chunks_in_order_are_the_file_and_all_but_the_last_are_full() {
    // Numbers of words that make files of about one, two and three chunks of 4,096 bytes.
    let words = (1..600).chain([1_006, 1_007, 1_008, 1_518, 1_519, 1_520]);
    for words in words {
        let mut filter = BloomFilter::<u64>::new(Shape::new(64 * words, 3).unwrap()).unwrap();
        filter.extend(0..words);
        let mut chunks = Vec::new();
        let Ok(()) = filter.write_bytes(|chunk| {
            chunks.push(chunk.to_vec());
            Ok::<(), Infallible>(())
        });
        assert_bytes!(chunks.concat(), filter.to_bytes().unwrap());
        assert_eq!(chunks.concat().len() as u64, 136 + 8 * words);
        let (last, full) = chunks.split_last().expect("a header at least");
        assert!(full.iter().all(|chunk| chunk.len() == 4096));
        assert!((1..=4096).contains(&last.len()));
    }
}

#[test]
fn an_error_of_the_sink_stops_the_writing_and_is_returned() {
    let mut filter = ScalableBloomFilter::<u64>::with_rate(2_000, 0.01).unwrap();
    assert!((0..10_000).all(|item| filter.insert(&item).is_ok()));
    let chunks = filter.to_bytes().unwrap().len().div_ceil(4096);
    assert!(chunks > 3);
    for refused in 0..chunks {
        let mut calls = 0;
        let result = filter.write_bytes(|_| {
            calls += 1;
            if calls > refused { Err(calls) } else { Ok(()) }
        });
        assert_eq!(result, Err(refused + 1));
        assert_eq!(calls, refused + 1, "the sink was called after its error");
    }
}

proptest! {
    #[test]
    fn any_filter_of_any_items_loads_as_it_was_saved(
        bits in 1_u64..5_000,
        hashes in 1_u8..=30,
        items in prop::collection::vec(any::<u64>(), 0..100),
    ) {
        let shape = Shape::new(bits, hashes).unwrap();
        let mut basic = BloomFilter::<u64>::new(shape).unwrap();
        basic.extend(&items);
        check_loaded(&basic, |f| f.to_bytes().unwrap(), BloomFilter::from_bytes);
        let mut counting = CountingBloomFilter::<u64>::new(shape).unwrap();
        counting.extend(&items);
        check_loaded(&counting, |f| f.to_bytes().unwrap(), CountingBloomFilter::from_bytes);
        let growing = ScalableShape::new(bits % 30 + 1, 0.5 / f64::from(hashes)).unwrap();
        let mut scalable = ScalableBloomFilter::<u64>::new(growing).unwrap();
        for item in &items {
            scalable.insert(item).unwrap();
        }
        let bytes = scalable.to_bytes().unwrap();
        let loaded = ScalableBloomFilter::<u64>::from_bytes(&bytes).unwrap();
        prop_assert!(items.iter().all(|item| loaded.contains(item)));
        prop_assert_eq!(loaded.to_bytes().unwrap(), bytes);
    }
}
