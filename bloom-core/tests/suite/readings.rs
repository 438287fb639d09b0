//! Compares what filters report about themselves (memory, fill, rates, estimates for two filters) with values that
//! are computed from their saved bits.

use bloom_core::math::{estimate_pair, exact, partitioned};
use bloom_core::{
    BlockedBloomFilter, BlockedShape, BloomFilter, CounterBits, CountingBloomFilter, Filter,
    FixedState, PartitionedBloomFilter, Query, ScalableBloomFilter, ScalableShape, Shape,
};
use bloom_testing::assert_close;

const ITEMS: u64 = 60;

/// Returns the words between the header and the checksum of a saved filter that is not scalable.
fn words(saved: &[u8]) -> Vec<u64> {
    let words = saved[128..saved.len() - 8].chunks_exact(8);
    words
        .map(|word| u64::from_le_bytes(word.try_into().unwrap()))
        .collect()
}

/// Splits words into numbers of `bits` bits, the least significant first: single bits, or counters.
fn cells(words: &[u64], bits: u32) -> Vec<u64> {
    let places = move |word: &u64| {
        let word = *word;
        (0..64 / bits).map(move |place| word >> (place * bits) & ((1 << bits) - 1))
    };
    words.iter().flat_map(places).collect()
}

fn set(cells: &[u64]) -> f64 {
    cells.iter().filter(|cell| **cell > 0).count() as f64
}

/// Checks that a value that a filter reports agrees, up to rounding, with the value that was counted in its bits.
fn assert_near(reported: f64, counted: f64) {
    assert!(counted > 0.0, "{counted}");
    assert_close(reported, counted, 1e-13);
}

/// Checks what a filter reports through the traits `Query` and `Filter`: its rate, its memory, and that it is empty after it is
/// cleared.
fn assert_reports<F: Filter<u64>>(filter: &mut F, rate: f64, memory: u64) {
    assert_near(Query::false_positive_rate(filter), rate);
    assert_eq!(Query::memory_bytes(filter), memory);
    assert!(!Query::is_empty(filter));
    Filter::clear(filter);
    assert!(Query::is_empty(filter));
    assert_eq!(Query::false_positive_rate(filter), 0.0);
    assert!((0..ITEMS).all(|item| !Query::contains(filter, &item)));
}

#[test]
fn a_filter_reports_its_bits() {
    let mut filter = BloomFilter::<u64>::new(Shape::new(1_000, 7).unwrap()).unwrap();
    filter.extend(0..ITEMS);
    let words = words(&filter.to_bytes().unwrap());
    let fill = set(&cells(&words, 1)) / 1_000.0;
    assert_near(filter.fill(), fill);
    assert_eq!(filter.memory_bytes(), 8 * words.len() as u64);
    assert_reports(&mut filter, fill.powi(7), 128);
}

#[test]
fn a_partitioned_filter_reports_the_bits_of_its_slices() {
    let mut filter = PartitionedBloomFilter::<u64>::new(Shape::new(1_000, 7).unwrap()).unwrap();
    filter.extend(0..ITEMS);
    let cells = cells(&words(&filter.to_bytes().unwrap()), 1);
    assert_near(filter.fill(), set(&cells) / 1_000.0);
    // There is one slice for each of the 7 hashes. Six slices have 143 bits, and the last has 142.
    let slices = cells[..1_000].chunks(143);
    let rate = slices
        .map(|slice| set(slice) / slice.len() as f64)
        .product();
    assert_eq!(filter.memory_bytes(), 128);
    assert_reports(&mut filter, rate, 128);
}

#[test]
fn a_blocked_filter_reports_the_bits_of_its_blocks() {
    let mut filter = BlockedBloomFilter::<u64>::new(BlockedShape::new(3).unwrap()).unwrap();
    filter.extend(0..ITEMS);
    let words = words(&filter.to_bytes().unwrap());
    assert_near(filter.fill(), set(&cells(&words, 1)) / 1_536.0);
    let share = |lane: &u64| f64::from(lane.count_ones()) / 64.0;
    let blocks = words
        .chunks(8)
        .map(|block| block.iter().map(share).product::<f64>());
    let rate = blocks.sum::<f64>() / 3.0;
    assert_eq!(filter.memory_bytes(), 192);
    assert_reports(&mut filter, rate, 192);
}

#[test]
fn a_counting_filter_reports_its_counters() {
    for (width, bits, memory) in [(CounterBits::Four, 4, 504), (CounterBits::Eight, 8, 1_000)] {
        let shape = Shape::new(1_000, 7).unwrap();
        let state = FixedState::default();
        let mut filter =
            CountingBloomFilter::<u64>::with_counter_bits_and_hasher(shape, width, state).unwrap();
        filter.extend(0..ITEMS);
        // This brings the counters of item 7 to their maximum, 15 or 255.
        filter.extend([7; 300]);
        let cells = cells(&words(&filter.to_bytes().unwrap()), bits);
        let fill = set(&cells) / 1_000.0;
        assert_near(filter.fill(), fill);
        let highest = cells.iter().filter(|count| **count == (1 << bits) - 1);
        assert_eq!(filter.saturated(), highest.count() as u64);
        assert_eq!(filter.memory_bytes(), memory);
        assert_reports(&mut filter, fill.powi(7), memory);
    }
}

#[test]
fn a_growing_filter_reports_the_bits_of_its_stages() {
    let shape = ScalableShape::new(10, 0.01).unwrap();
    let mut filter = ScalableBloomFilter::<u64>::new(shape).unwrap();
    for item in 0..ITEMS {
        filter.insert(&item).unwrap();
    }
    assert!(filter.stages().count() > 1);
    let (mut missed, mut memory) = (1.0, 0);
    for stage in filter.stages() {
        let fill = stage.ones as f64 / stage.shape.bits() as f64;
        missed *= 1.0 - fill.powi(stage.shape.hashes().into());
        memory += stage.shape.bits().div_ceil(64) * 8;
    }
    assert_eq!(filter.memory_bytes(), memory);
    assert_reports(&mut filter, 1.0 - missed, memory);
}

#[test]
fn expected_rates_are_those_of_the_models() {
    let shape = Shape::new(1_000, 7).unwrap();
    let even = exact::rate(ITEMS, 1_000, 7).unwrap().value();
    let basic = BloomFilter::<u64>::new(shape).unwrap();
    assert_eq!(basic.expected_false_positive_rate(ITEMS), even);
    let counting = CountingBloomFilter::<u64>::new(shape).unwrap();
    assert_eq!(counting.expected_false_positive_rate(ITEMS), even);
    let slices = partitioned::rate(ITEMS, 1_000, 7).unwrap().value();
    let filter = PartitionedBloomFilter::<u64>::new(shape).unwrap();
    assert_eq!(filter.expected_false_positive_rate(ITEMS), slices);
}

#[test]
fn a_pair_is_estimated_by_the_set_bits_of_both_and_of_their_union() {
    let shape = Shape::new(1_000, 7).unwrap();
    let of = |items: std::ops::Range<u64>| {
        let mut filter = BloomFilter::<u64>::new(shape).unwrap();
        filter.extend(items);
        filter
    };
    let ones =
        |filter: &BloomFilter<u64>| set(&cells(&words(&filter.to_bytes().unwrap()), 1)) as u64;
    let (one, other, both) = (of(0..60), of(40..90), of(0..90));
    let reported = one.estimated_pair(&other).unwrap();
    let counted = estimate_pair(1_000, 7, ones(&one), ones(&other), ones(&both));
    assert_eq!(Ok(Some(reported)), counted);
    // The two filters have 90 distinct items, of which 20 are in both.
    let (union, intersection) = (reported.union, reported.intersection);
    assert!(
        (union.items - 90.0).abs() < 5.0 * union.standard_deviation,
        "{union:?}"
    );
    assert!(
        (intersection.items - 20.0).abs() < 5.0 * intersection.standard_deviation,
        "{intersection:?}"
    );
    assert_eq!(reported.jaccard(), intersection.items / union.items);
    let nothing = of(0..0).estimated_pair(&of(0..0)).unwrap();
    assert_eq!((nothing.union.items, nothing.jaccard()), (0.0, 0.0));
}

#[test]
fn bytes_written_in_parts_equal_those_saved_at_once() {
    let shape = Shape::new(1_000, 7).unwrap();
    macro_rules! assert_written {
        ($filter:expr) => {
            let mut filter = $filter.unwrap();
            filter.extend(0..ITEMS);
            let mut written = Vec::new();
            let done = filter.write_bytes(|part| {
                written.extend_from_slice(part);
                Ok::<(), ()>(())
            });
            assert_eq!((done, written), (Ok(()), filter.to_bytes().unwrap()));
            // The first error stops the writing.
            let mut parts = 0;
            let failed = filter.write_bytes(|_| {
                parts += 1;
                Err("full")
            });
            assert_eq!((failed, parts), (Err("full"), 1));
        };
    }
    assert_written!(BloomFilter::<u64>::new(shape));
    assert_written!(PartitionedBloomFilter::<u64>::new(shape));
    assert_written!(CountingBloomFilter::<u64>::new(shape));
    assert_written!(BlockedBloomFilter::<u64>::new(
        BlockedShape::new(3).unwrap()
    ));
}
