//! Tests what the algorithms of a textbook's section on data streams do, which `src/stream.rs` rebuilds,
//! and where the text of the section is wrong.

use bloom_core::math::exact;
use bloom_listings::stream::{Rebuilt, cascade_rate, fixed, fixed_distinct, lemma, positions};

#[test]
fn a_stream_is_remembered_whatever_its_duplicates() {
    let stream = || (0..500).chain(0..500);
    let filter = Rebuilt::of(stream(), 5_000, 4);
    assert!((0..500).all(|item| filter.contains(item)));
    assert_eq!(filter, Rebuilt::of(0..500, 5_000, 4));
    // The mean estimate of four filters has a standard deviation of 2.7. The tolerance of 16.7
    // is 6.2 standard deviations, which chance exceeds 0.6 times in 10^9. Power: the test
    // notices an estimator 3.4 % off with probability 0.5, and one 5 % off with 0.999.
    let distinct = (0..4).map(|filter| {
        let first = 1_000 * filter;
        Rebuilt::of(first..first + 500, 5_000, 4).distinct()
    });
    let mean = distinct.sum::<f64>() / 4.0;
    assert!((mean - 500.0).abs() < 16.7, "{mean}");
    assert!((0..500).all(|item| fixed(stream(), 5_000, 4).unwrap().contains(&item)));
}

#[test]
fn the_lemma_is_too_low_and_a_filter_says_so() {
    assert_eq!(format!("{:.4}", lemma(1, 8, 3)), "0.0360");
    let p = exact::rate(1, 8, 3).unwrap().value();
    assert_eq!(format!("{p:.4}"), "0.0398");
    // Each query is for one item, in a filter that holds one other item.
    let queried = 308_000;
    let fooled = (0..queried).filter(|i| Rebuilt::of([2 * i], 8, 3).contains(2 * i + 1));
    let measured = fooled.count() as f64 / queried as f64;
    // Chance exceeds the tolerance of 6.2 standard deviations 0.6 times in 10^9. The rate by
    // the lemma is nearly 10 % too low, which is more than the tolerance.
    let allowed = 6.2 * (p * (1.0 - p) / queried as f64).sqrt();
    assert!((measured - p).abs() < allowed, "{measured}");
    assert!((measured - lemma(1, 8, 3)).abs() > allowed);
}

#[test]
fn clearing_the_bits_of_one_item_loses_others() {
    let mut filter = Rebuilt::of(0..500, 5_000, 7);
    filter.delete(0);
    let lost = (1..500).filter(|&item| !filter.contains(item)).count();
    assert!(lost > 0, "no item was lost");
}

#[test]
fn the_and_of_two_filters_never_loses_an_item_of_both() {
    for case in 0..2_000 {
        let (a, b) = (case..case + 20, case + 10..case + 30);
        let both = a.start.max(b.start)..a.end.min(b.end);
        let and = Rebuilt::of(a, 100, 3).combined(&Rebuilt::of(b, 100, 3), |a, b| a & b);
        let scratch = Rebuilt::of(both.clone(), 100, 3);
        assert!(both.clone().all(|item| and.contains(item)));
        // The AND has all the set bits of the filter of the common items, and may have more.
        assert!(and.ones() >= scratch.ones());
        assert_eq!(and.clone().combined(&scratch, |a, b| a | b), and);
    }
}

#[test]
fn the_or_of_two_filters_is_the_filter_of_the_union() {
    let or = Rebuilt::of(0..20, 100, 3).combined(&Rebuilt::of(10..40, 100, 3), |a, b| a | b);
    assert_eq!(or, Rebuilt::of(0..40, 100, 3));
}

#[test]
fn a_full_filter_counts_infinitely_many_and_the_mended_one_says_that_it_does_not_know() {
    let filter = Rebuilt::of(0..1_000, 64, 4);
    assert_eq!(filter.ones(), 64);
    assert_eq!(filter.distinct(), f64::INFINITY);
    assert_eq!(fixed_distinct(64, 4, 64), Ok(None));
}

/// The bits and hashes of the five filters of a cascade.
const CASCADE: [(u64, u8); 5] = [
    (20_000, 1),
    (20_000, 2),
    (20_000, 4),
    (20_000, 8),
    (20_000, 16),
];

#[test]
fn a_cascade_over_the_whole_stream_is_right_and_has_the_product_of_the_rates() {
    // All five filters have the same hash functions. To make them independent, filter i inserts and queries item + i × 2^40
    // instead of the item.
    let own = |item: u64, filter: usize| item + ((filter as u64) << 40);
    let mut filters = CASCADE.map(|(bits, hashes)| Rebuilt::of([], bits, hashes.into()));
    for item in 0..10_000 {
        for (i, filter) in filters.iter_mut().enumerate() {
            filter.insert(own(item, i));
        }
    }
    let finds = |item| {
        filters
            .iter()
            .enumerate()
            .all(|(i, filter)| filter.contains(own(item, i)))
    };
    assert!((0..10_000).all(finds));
    let p = cascade_rate(10_000, &CASCADE).unwrap();
    let measured = (10_000..410_000).filter(|&item| finds(item)).count() as f64 / 4e5;
    // The rates of different cascades of this size have a standard deviation of 1.5 %, and the
    // finite number of queries adds one of 0.6 %. The tolerance of 10 % is 6.4 standard
    // deviations of both together, which chance exceeds less than once in 10^9. Power: the
    // test notices a rate 10 % off with probability 0.5, and one 15 % off with 0.999.
    assert!((measured / p - 1.0).abs() < 0.1, "{measured}, {p}");
}

#[test]
fn a_cascade_does_not_grow_and_at_its_size_one_filter_is_better() {
    let one = |items| exact::rate(items, 100_000, 7).unwrap().value();
    let cascade = |items| cascade_rate(items, &CASCADE).unwrap();
    assert!(cascade(10_000) > 5.0 * one(10_000));
    assert!(cascade(80_000) > 0.9);
}

#[test]
fn an_and_loses_items_where_each_filter_has_a_part_of_the_stream() {
    let stages = [
        Rebuilt::of(0..100, 1_000, 5),
        Rebuilt::of(100..300, 2_000, 5),
    ];
    let by_and = |item| stages.iter().all(|stage| stage.contains(item));
    let by_or = |item| stages.iter().any(|stage| stage.contains(item));
    assert!((0..300).filter(|&item| !by_and(item)).count() > 250);
    assert!((0..300).all(by_or));
}

#[test]
fn positions_are_those_of_w_hash_functions() {
    let places = positions(7, 1 << 40, 8);
    let mut distinct = places.clone();
    distinct.sort_unstable();
    distinct.dedup();
    assert_eq!(distinct.len(), 8);
    assert_eq!(positions(7, 1 << 40, 4), places[..4]);
}
