//! Tests the programs of the article *A Golang Implemented Bloom Filter*, rebuilt in `src/go/`: what
//! they do, which faults they have, and that the mended programs do not have these faults.

use bloom_core::GrowError;
use bloom_core::math::exact;
use bloom_listings::go::basic::{fnv_1, positions, positions_of_halves};
use bloom_listings::go::{basic, calculator, counting, scalable};

fn url(i: u64) -> String {
    format!("https://example.org/page/{i}")
}

fn exact_rate(items: u64, bits: u64, hashes: u8) -> f64 {
    exact::rate(items, bits, hashes).unwrap().value()
}

#[test]
fn the_calculator_prints_what_the_article_prints() {
    assert_eq!(calculator::hashes(2_000, 20_000), 7.0);
    assert_eq!(calculator::bits(2_000, 0.01), 19_171.0);
    assert_eq!(calculator::items(20_000, 5, 0.01), 2_031.0);
    // The last digit may differ from the article's, because Go computes integer powers in another way than Rust.
    let p = calculator::rate(2_000, 20_000, 5);
    assert!((p / 0.009_430_929_226_122_474 - 1.0).abs() < 4.0 * f64::EPSILON);
}

#[test]
fn what_the_calculator_prints_is_over_the_requested_rate() {
    assert!(exact_rate(2_000, 19_171, 7) > 0.01);
    assert!(exact_rate(2_031, 20_000, 5) > 0.01);
    // Even by the article's own formula, the rate of 2,031 items is over the target.
    assert!(calculator::rate(2_031, 20_000, 5) > 0.01);
}

#[test]
fn the_mended_calculator_prints_the_sizes_that_just_hold() {
    use calculator::fixed;
    assert_eq!(fixed::bits_and_hashes(2_000, 0.01), Ok((19_188, 7)));
    assert!(exact_rate(2_000, 19_188, 7) <= 0.01 && exact_rate(2_000, 19_187, 7) > 0.01);
    assert_eq!(fixed::items(20_000, 5, 0.01), Ok(2_030));
    assert_eq!(fixed::hashes(2_000, 20_000), Ok(7));
    assert_eq!(
        fixed::rate(2_000, 20_000, 5),
        Ok(exact_rate(2_000, 20_000, 5))
    );
    assert!(fixed::bits_and_hashes(0, 0.01).is_err());
}

#[test]
fn the_hash_is_fnv_1_and_not_fnv_1a() {
    use std::hash::Hasher;
    // From the test suite of FNV's authors (Fowler, Noll and Vo).
    assert_eq!(fnv_1(b""), 0xcbf2_9ce4_8422_2325);
    assert_eq!(fnv_1(b"a"), 0xaf63_bd4c_8601_b7be);
    assert_eq!(fnv_1(b"foobar"), 0x340d_8765_a4dd_a9c2);
    let mut fnv_1a = fnv::FnvHasher::default();
    fnv_1a.write(b"foobar");
    assert_ne!(fnv_1(b"foobar"), fnv_1a.finish());
}

#[test]
fn no_position_lies_beyond_32_bits() {
    let bits = (1 << 32) + 1_000;
    // The program keeps only the low 32 bits of m, which are 1,000. So it uses 1,000 bits of more than 2^32.
    for i in 0..1_000 {
        assert!(
            positions(&url(i), bits, 7)
                .iter()
                .all(|&position| position < 1_000)
        );
    }
}

#[test]
fn some_items_have_one_position_instead_of_seven() {
    let bits = 1_024;
    let has_no_step = |item: &String| (fnv_1(item.as_bytes()) >> 32).is_multiple_of(bits);
    let item = (0..10_000_000).map(url).find(has_no_step).unwrap();
    let mut filter = basic::Rebuilt::new(bits, 7);
    filter.insert(&item);
    let places = positions(&item, bits, 7);
    assert!(places.iter().all(|&place| place == places[0]));
    // A hash below m has a high half of 0, so its seven positions are equal. If every even bit of a filter is set, it finds
    // half of the items with such hashes, and not 1 in 128, as with seven independent positions.
    let yes = (0..bits).step_by(2).filter(|&bit| {
        let places = positions_of_halves(bit, bits, 7);
        places.iter().all(|place| place % 2 == 0)
    });
    assert_eq!(yes.count(), 512);
}

#[test]
fn duplicates_raise_the_reported_rate_but_not_that_of_the_mended_filter() {
    let mut rebuilt = basic::Rebuilt::new(9_595, 7);
    let mut fixed = basic::Fixed::with_rate(1_000, 0.01).unwrap();
    for i in 0..1_000 {
        rebuilt.insert(&url(i));
        fixed.insert(&url(i));
    }
    let (theirs, ours) = (rebuilt.rate(), fixed.filter().false_positive_rate());
    for i in 0..1_000 {
        rebuilt.insert(&url(i));
        assert!(!fixed.insert(&url(i)));
    }
    assert!(rebuilt.rate() > 10.0 * theirs);
    assert_eq!(fixed.filter().false_positive_rate(), ours);
}

#[test]
fn a_bit_takes_a_byte_and_in_the_mended_filter_an_eighth_of_it() {
    let rebuilt = basic::Rebuilt::new(96_000, 7);
    assert_eq!(rebuilt.memory_bytes(), 96_000);
    let fixed = basic::Fixed::with_rate(10_000, 0.01).unwrap();
    let bits = fixed.filter().shape().bits();
    assert_eq!(fixed.filter().memory_bytes(), bits.div_ceil(64) * 8);
}

#[test]
fn a_counter_that_was_full_is_decremented_and_loses_items() {
    // The item is inserted 300 times, which brings its counters to 255, and removed 255 times.
    let mut rebuilt = counting::Rebuilt::new(1_000, 3);
    let mut fixed = counting::Fixed::with_rate(100, 0.01).unwrap();
    for _ in 0..300 {
        rebuilt.insert("shared");
        fixed.insert("shared");
    }
    for _ in 0..255 {
        rebuilt.remove("shared");
        fixed.remove("shared");
    }
    assert!(!rebuilt.contains("shared")); // a false negative: 45 of the insertions were not removed
    assert!(fixed.contains("shared"));
}

#[test]
fn removing_what_is_certainly_absent_loses_items() {
    let mut rebuilt = counting::Rebuilt::new(2_000, 5);
    let mut fixed = counting::Fixed::with_rate(200, 0.01).unwrap();
    for i in 0..200 {
        rebuilt.insert(&url(i));
        fixed.insert(&url(i));
    }
    for stranger in (200..400).map(url) {
        // The mended filter refuses to remove items that it does not find. The article's filter removes them.
        if !rebuilt.contains(&stranger) {
            rebuilt.remove(&stranger);
        }
        if !fixed.contains(&stranger) {
            assert!(!fixed.remove(&stranger));
        }
    }
    let lost = (0..200).filter(|&i| !rebuilt.contains(&url(i))).count();
    assert!(lost > 0, "no item was lost");
    assert!((0..200).all(|i| fixed.contains(&url(i))));
}

#[test]
fn stages_with_the_same_rate_together_exceed_the_target() {
    let mut rebuilt = scalable::Rebuilt::new(9_595, 7, 0.01, 2, 10);
    let mut fixed = scalable::Fixed::new(1_000, 0.01, 2, 10).unwrap();
    for i in 0..60_000 {
        rebuilt.insert(&url(i));
        fixed.insert(&url(i)).unwrap();
    }
    assert_eq!(rebuilt.stages(), 6);
    assert!(rebuilt.rate() > 0.05);
    assert!(fixed.filter().false_positive_rate() < 0.006);
    // Measures both rates too, by 20,000 queries for absent items ("strangers"). At a rate of 0.05, chance finds 800 or
    // fewer of them less than once in 10^9 runs.
    let strangers: Vec<_> = (60_000..80_000).map(url).collect();
    let found = strangers
        .iter()
        .filter(|item| rebuilt.contains(item))
        .count();
    assert!(found > 800, "{found} of 20000");
    let found = strangers.iter().filter(|item| fixed.contains(item)).count();
    // At a rate of 0.006, chance finds 200 or more strangers less than once in 10^9 runs. Power: the test notices a rate of
    // 0.01 with probability 0.5, and a rate of 0.0124 with probability 0.999.
    assert!(found < 200, "{found} of 20000");
}

// ANCHOR: dropped
#[test]
fn an_item_past_the_last_stage_is_dropped_without_a_word() {
    // Two stages at most, of 1,000 and 2,000 items.
    let mut rebuilt = scalable::Rebuilt::new(9_595, 7, 0.01, 2, 2);
    for i in 0..10_000 {
        rebuilt.insert(&url(i));
    }
    let lost = (0..10_000).filter(|&i| !rebuilt.contains(&url(i))).count();
    assert!(lost > 6_500, "only {lost} are lost"); // false negatives

    // The mended filter returns an error instead, and keeps the items that it accepted.
    let mut fixed = scalable::Fixed::new(1_000, 0.01, 2, 2).unwrap();
    let refused = (0..10_000).find(|&i| fixed.insert(&url(i)).is_err());
    let refused = refused.expect("two stages do not take 10,000 items");
    let error = fixed.insert(&url(refused)).unwrap_err();
    assert_eq!(error, GrowError::TooManyStages { max_stages: 2 });
    assert!((0..refused).all(|i| fixed.contains(&url(i))));
}
// ANCHOR_END: dropped

#[test]
fn duplicates_fill_stages_but_not_those_of_the_mended_filter() {
    let mut rebuilt = scalable::Rebuilt::new(9_595, 7, 0.01, 2, 10);
    let mut fixed = scalable::Fixed::new(1_000, 0.01, 2, 10).unwrap();
    for _ in 0..20_000 {
        rebuilt.insert("the same page");
        fixed.insert("the same page").unwrap();
    }
    assert!(rebuilt.stages() > 4);
    assert_eq!(fixed.filter().stages().count(), 1);
}
