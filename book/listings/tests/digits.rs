//! Tests the programs of the article *Looking into Bloom filters*, rebuilt in `src/digits.rs`: what
//! they do, which fault they have, and that the mended filter works.

use bloom_listings::digits::{Counting, Fixed, Rebuilt, digit, positions};

#[test]
fn the_digits_of_the_worked_example_are_right() {
    let mut rest = 654_321;
    let mut next = || {
        let (lowest, higher) = digit(rest, 16);
        rest = higher;
        lowest
    };
    assert_eq!([next(), next(), next()], [1, 15, 11]);
}

#[test]
fn the_first_digest_is_that_of_the_text_and_a_full_stop() {
    // The output of: printf 'a.' | md5sum. `digits` has its digits in base 16, lowest first.
    let digest: u128 = 0x9fbc_ccf4_56ef_61f9_ea00_7c41_7297_911d;
    let digits: Vec<u64> = (0..32).map(|i| (digest >> (4 * i) & 15) as u64).collect();
    assert_eq!(positions("a", 16, 3), digits[..3]);
}

#[test]
fn sixteen_bits_remember_three_texts() {
    let mut filter = Rebuilt::new(16, 3);
    for item in ["a", "b", "c"] {
        filter.insert(item);
    }
    assert!(
        ["a", "b", "c"]
            .into_iter()
            .all(|item| filter.contains(item))
    );
}

#[test]
fn ten_numbers_go_in_and_one_comes_out_as_in_the_program() {
    let (mut filter, mut fixed) = (Counting::new(100, 3), Fixed::with_rate(10, 0.02).unwrap());
    for i in 0..10 {
        filter.insert(&i.to_string());
        fixed.insert(&i.to_string());
        assert!(filter.contains(&i.to_string()) && fixed.contains(&i.to_string()));
    }
    filter.remove("3");
    assert!(fixed.remove("3"));
    // Nothing else is lost.
    for i in (0..10).filter(|&i| i != 3) {
        assert!(filter.contains(&i.to_string()) && fixed.contains(&i.to_string()));
    }
}

// ANCHOR: counters
#[test]
fn the_counters_of_the_first_example_are_0_2_2_0_1_and_not_0_1_2_0_1() {
    let (a, b) = ([0, 1, 1, 0, 0], [0, 1, 1, 0, 1]);
    let sum: Vec<u8> = a.iter().zip(b).map(|(a, b)| a + b).collect();
    assert_eq!(sum, [0, 2, 2, 0, 1]);
    let left = |counters: [u8; 5]| -> Vec<u8> {
        counters
            .iter()
            .zip(a)
            .map(|(counter, a)| counter - a)
            .collect()
    };
    let finds = |counters: &[u8], item: [u8; 5]| {
        counters
            .iter()
            .zip(item)
            .all(|(&counter, one)| counter >= one)
    };
    // Without a, the true sum leaves b, which is found. It also finds a: a false positive.
    assert_eq!(left([0, 2, 2, 0, 1]), [0, 1, 1, 0, 1]);
    assert!(finds(&[0, 1, 1, 0, 1], b) && finds(&[0, 1, 1, 0, 1], a));
    // Without a, the sum that the article prints leaves too little: b is not found.
    assert_eq!(left([0, 1, 2, 0, 1]), [0, 0, 1, 0, 1]);
    assert!(!finds(&[0, 0, 1, 0, 1], b));
}
// ANCHOR_END: counters

#[test]
fn at_some_sizes_the_last_digit_prefers_the_first_half() {
    // After six digits in base m, a number x below 1.5 m is left of the digest. In two thirds
    // of the cases x is below m: the seventh digit is the first one of another digest, and
    // falls on either half equally often. In a third of the cases x is m or more: the seventh
    // digit is x - m, which is below m / 2. So 2/3 of all seventh digits fall on the first half.
    let bits = (2_f64.powi(128) / 1.5).powf(1.0 / 7.0) as u64;
    let in_first_half = |digit: usize| {
        let last = |i: u64| positions(&i.to_string(), bits, 7)[digit];
        (0..31_000).filter(|&i| last(i) < bits / 2).count() as f64 / 31_000.0
    };
    // The tolerance of 0.018 is at least 6.2 standard deviations of the share of 31,000
    // digits, which chance exceeds 0.6 times in 10^9. Power: the test notices a share 0.018
    // off with probability 0.5, and 0.027 off with 0.999.
    assert!((in_first_half(5) - 0.5).abs() < 0.018);
    assert!((in_first_half(6) - 2.0 / 3.0).abs() < 0.018);
}
