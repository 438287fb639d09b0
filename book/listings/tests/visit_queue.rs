//! Tests the queue of the article *Probabilistic to-visit Queue*, rebuilt in `src/visit_queue.rs`: what
//! it does, which faults it has, and that the mended queue does not have these faults.

use std::collections::HashSet;

use bloom_core::math::{Model, exact, expected_fill};
use bloom_listings::visit_queue::{Exact, Fixed, Rebuilt, size};

fn url(i: u64) -> String {
    format!("https://example.org/page/{i}")
}

#[test]
fn pages_are_handed_out_once_and_in_order() {
    let (mut exact, mut rebuilt) = (Exact::default(), Rebuilt::new(100, 0.001));
    let mut fixed = Fixed::new(100, 0.001).unwrap();
    for page in ["a", "b", "a", "c", "b"] {
        exact.push(page);
        rebuilt.push(page);
        fixed.push(page);
    }
    assert_eq!(exact.waiting, ["a", "b", "c"]);
    for page in ["a", "b", "c"] {
        assert_eq!(rebuilt.pop().as_deref(), Some(page));
        assert_eq!(fixed.pop().as_deref(), Some(page));
    }
    assert_eq!((rebuilt.pop(), fixed.pop()), (None, None));
}

#[test]
fn a_billion_pages_take_gigabytes_and_not_18_megabytes() {
    let (bits, hashes) = size(1_000_000_000, 0.0001);
    assert_eq!((bits, hashes), (19_170_116_754, 14));
    let times = bits as f64 / 8.0 / 18e6;
    assert_eq!(times.round(), 133.0);
}

#[test]
fn the_size_is_rounded_so_that_the_rate_is_missed() {
    for (items, rate) in [(1_000_000_000, 0.0001), (1_000, 0.01), (100_000, 0.001)] {
        let (bits, hashes) = size(items, rate);
        let real = exact::rate(items, bits, hashes as u8).unwrap().value();
        assert!(real > rate, "{items} items: {real}");
        let fixed = Model::Exact.min_size(items, rate).unwrap();
        assert!(exact::rate(items, fixed.0, fixed.1).unwrap().value() <= rate);
    }
}

#[test]
fn its_count_of_set_bits_overflows_at_the_size_that_it_claims() {
    let (bits, hashes) = size(1_000_000_000, 0.0001);
    let ones = expected_fill(1_000_000_000, bits, hashes as u8).unwrap() * bits as f64;
    assert!(ones > 2.0 * f64::from(u32::MAX));
}

#[test]
fn it_warns_at_each_page_over_capacity_and_the_mended_queue_once() {
    let (mut rebuilt, mut warnings) = (Rebuilt::new(1_000, 0.01), 0);
    let mut fixed = Fixed::new(1_000, 0.01).unwrap();
    for i in 0..1_500 {
        rebuilt.push(&url(i));
        warnings += u64::from(fixed.push(&url(i)));
    }
    assert!(rebuilt.warnings > 400);
    assert_eq!(warnings, 1);
    // A page that is dropped causes no warning.
    let before = rebuilt.warnings;
    rebuilt.push(&url(0));
    assert_eq!(rebuilt.warnings, before);
}

#[test]
fn it_drops_as_many_new_pages_as_the_model_predicts() {
    let (items, rate) = (80_000, 0.01);
    let mut rebuilt = Rebuilt::new(items, rate);
    let mut fixed = Fixed::new(items, rate).unwrap();
    for i in 0..items {
        rebuilt.push(&url(i));
        fixed.push(&url(i));
    }
    // A page is dropped as a false positive with the rate of a filter that holds the pages
    // before it. The expected number of dropped pages is the sum of these rates over all
    // pages. The sum is approximated with 100 of the rates.
    let shape = fixed.seen().shape();
    let step = items / 100;
    let rates = (0..100).map(|i| {
        let middle = i * step + step / 2;
        exact::rate(middle, shape.bits(), shape.hashes())
            .unwrap()
            .value()
    });
    let expected = rates.sum::<f64>() * step as f64;
    let handed_out = |pop: &mut dyn FnMut() -> Option<String>| {
        let mut pages = HashSet::new();
        while let Some(page) = pop() {
            assert!(pages.insert(page), "the same page twice");
        }
        pages.len() as u64
    };
    for missed in [
        items - handed_out(&mut || rebuilt.pop()),
        items - handed_out(&mut || fixed.pop()),
    ] {
        // The tolerance is 6.2 standard deviations of the number of dropped pages, and 6.2 more
        // pages because the Poisson distribution has a longer tail than the normal one. Chance
        // exceeds the tolerance 0.6 times in 10^9. The differences between the rates of filters
        // add little to this. Power: the test notices a rate 67 % higher with probability 0.5,
        // and 115 % higher with 0.999.
        let off = (missed as f64 - expected).abs();
        let allowed = 6.2 * expected.sqrt() + 6.2;
        assert!(allowed < 0.7 * expected);
        assert!(off < allowed, "{missed} of {expected:.0}");
    }
}
