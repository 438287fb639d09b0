//! Tests the filter of the article *BloomFilter, a tool for large data*, rebuilt in `src/polynomials.rs`:
//! what it does, which faults it has, and that the mended filter does not have these faults.

use bloom_core::math::exact;
use bloom_listings::polynomials::{BITS, FACTORS, Rebuilt, fixed, polynomial, positions};

/// Returns number i of a sequence of distinct decimal numbers that looks random. Nine in ten have seven digits.
fn number(i: u64) -> String {
    (i * 3_141_593 % 10_000_019).to_string()
}

#[test]
fn a_polynomial_wraps_at_32_bits_and_reads_utf_16() {
    assert_eq!(polynomial("ab", 31), 97 * 31 + 98);
    // The method `String.hashCode` of Java returns the value of the polynomial at 31.
    assert_eq!(polynomial("polynomials", 31), 884_728_863);
    let clef = "\u{1d11e}"; // two units of UTF-16
    assert_eq!(polynomial(clef, 31), 0xd834 * 31 + 0xdd1e);
}

#[test]
fn its_size_is_two_to_the_25_whatever_the_comment_says() {
    assert_eq!(BITS, 33_554_432);
    assert_ne!(BITS, 1 << 24);
}

#[test]
fn a_text_of_one_character_has_one_position_instead_of_seven() {
    assert_eq!(positions("a", BITS, 7), [97; 7]);
    let mut filter = Rebuilt::default();
    filter.insert("a");
    assert_eq!(filter.ones(), 1);
}

#[test]
fn the_first_two_hashes_of_seven_digits_never_leave_the_beginning() {
    let numbers: Vec<_> = (0..100_000)
        .map(number)
        .filter(|text| text.len() == 7)
        .collect();
    let largest = |factor| {
        let values = numbers.iter().map(|text| polynomial(text, factor));
        values.max().expect("most numbers have seven digits")
    };
    let share = |factor| f64::from(largest(factor)) / BITS as f64;
    assert!(share(FACTORS[0]) < 0.04); // at 5, all positions are in the first twenty-fifth of the 2^25 bits
    assert!(share(FACTORS[1]) < 0.25); // at 7, all positions are in the first quarter
    // At 11, the largest value is above 0.9 of the number of bits.
    assert!(share(FACTORS[2]) > 0.9);
}

#[test]
fn a_million_numbers_have_far_more_false_positives_than_they_should() {
    let mut rebuilt = Rebuilt::default();
    (0..1_000_000).for_each(|i| rebuilt.insert(&number(i)));
    assert!((0..1_000_000).all(|i| rebuilt.contains(&number(i))));
    let false_positives = (1_000_000..6_000_000)
        .filter(|&i| rebuilt.contains(&number(i)))
        .count();
    let expected = 5e6 * exact::rate(1_000_000, BITS, 7).unwrap().value();
    assert!(
        false_positives as f64 > 4.0 * expected,
        "{false_positives} of {expected:.0}"
    );
}

#[test]
fn the_mended_filter_has_its_hashes_and_its_rate() {
    let mut filter = fixed(100_000).unwrap();
    assert_eq!(filter.shape().bits(), 2_000_000);
    assert_eq!(filter.shape().hashes(), 14);
    for i in 0..100_000 {
        filter.insert(number(i).as_str());
    }
    let queries = 5_200_000;
    let queried = (100_000..100_000 + queries).map(number);
    let false_positives = queried
        .filter(|item| filter.contains(item.as_str()))
        .count();
    // The tolerance is 6.2 standard deviations of the count of false positives at the rate of
    // this filter, and 6.2 more because the Poisson distribution has a longer tail than the
    // normal one. Chance exceeds it 0.6 times in 10^9. Power: the test notices a rate 35 % off
    // with probability 0.5, and one 55 % off with probability 0.999.
    let expected = queries as f64 * filter.false_positive_rate();
    assert!((false_positives as f64 - expected).abs() < 6.2 * expected.sqrt() + 6.2);
    // With 10 hashes, as in the article's table, a filter has a third more false positives than with 14.
    let rate = |k| exact::rate(100_000, 2_000_000, k).unwrap().value();
    assert!(rate(10) > 1.3 * rate(14));
}
