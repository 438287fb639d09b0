//! Tests laws of the unit parser: what is printed parses to the same value, and no text makes the
//! parser panic.

use bloom_params::numbers::grouped;
use bloom_params::units::{parse_bits, parse_hashes, parse_items, parse_rate};
use proptest::prelude::*;

fn bits(text: &str) -> u64 {
    parse_bits(text).expect(text)
}

proptest! {
    #[test]
    fn counts_read_back_from_every_way_to_print_them(count in 1..=u64::MAX) {
        let commas = grouped(count);
        let underscores = commas.replace(',', "_");
        for text in [count.to_string(), commas, underscores] {
            prop_assert_eq!(parse_items(&text), Ok(count));
            let answer = parse_bits(&text).ok();
            prop_assert_eq!(answer, Some(count).filter(|&count| count <= 1 << 63));
        }
    }

    #[test]
    fn bytes_are_eight_bits_each(bytes in 1..=1_u64 << 60) {
        prop_assert_eq!(bits(&format!("{bytes}B")), bytes * 8);
        prop_assert_eq!(bits(&format!("{} bytes", grouped(bytes))), bytes * 8);
        prop_assert_eq!(bits(&format!("{bytes}b")), bytes);
    }

    #[test]
    fn three_decimals_of_a_thousand_are_whole(a in 0..=u64::from(u32::MAX), b in 0..1000_u64) {
        prop_assume!(a + b > 0);
        prop_assert_eq!(parse_items(&format!("{a}.{b:03}k")), Ok(a * 1000 + b));
        prop_assert_eq!(bits(&format!("{a}.{b:03}kB")), (a * 1000 + b) * 8);
    }

    #[test]
    fn powers_are_repeated_products(base in 1..=300_u64, exponent in 0..=70_u32) {
        let answer = parse_items(&format!("{base}^{exponent}")).ok();
        prop_assert_eq!(answer, base.checked_pow(exponent));
    }

    #[test]
    fn every_rate_reads_back_from_its_shortest_text(rate in 1e-300..1.0_f64) {
        prop_assert_eq!(parse_rate(&rate.to_string()), Ok(rate));
        prop_assert_eq!(parse_rate(&format!("{rate:e}")), Ok(rate));
    }

    #[test]
    fn a_percent_sign_moves_the_point_in_the_text(digits in 1..=9_999_999_u64) {
        let percent = parse_rate(&format!("{}.{:05}%", digits / 100_000, digits % 100_000));
        let decimal = format!("0.{digits:07}").parse::<f64>().expect("a decimal");
        prop_assert_eq!(percent, Ok(decimal));
    }

    #[test]
    fn small_fractions_are_the_division_of_their_parts(a in 1..1_u64 << 53, b in 1..1_u64 << 53) {
        prop_assume!(a != b);
        let (top, bottom) = (a.min(b), a.max(b));
        prop_assert_eq!(parse_rate(&format!("{top}/{bottom}")), Ok(top as f64 / bottom as f64));
    }

    #[test]
    fn fractions_of_any_size_are_rounded_once(a in 1..=u64::MAX, b in 1..=u64::MAX) {
        let (top, bottom) = (u128::from(a.min(b)), u128::from(a.max(b)));
        let Ok(rate) = parse_rate(&format!("{top}/{bottom}")) else {
            // Only a fraction that rounds to 1 is refused. It is within 2^-54 of 1.
            prop_assert!((bottom - top) << 54 <= bottom, "{top}/{bottom} is refused");
            return Ok(());
        };
        // The rate is mantissa / 2^shift. It is the `f64` nearest to top / bottom if the two differ by at most 2^-(shift + 1).
        // Rates below 2^-9 are left out, because a large shift overflows `u128`.
        let exponent = rate.to_bits() >> 52;
        prop_assume!(exponent > 1013);
        let shift = 1075 - exponent;
        let mantissa = u128::from(rate.to_bits() & ((1 << 52) - 1) | 1 << 52);
        let off = (top << (shift + 1)).abs_diff(2 * mantissa * bottom);
        prop_assert!(off <= bottom, "{top}/{bottom} is {rate}");
    }

    #[test]
    fn no_text_makes_a_parser_panic(text in r"\PC*") {
        let _ = (parse_items(&text), parse_bits(&text), parse_hashes(&text), parse_rate(&text));
    }

    #[test]
    fn no_soup_of_number_parts_makes_a_parser_panic(text in "[-+0-9.,_eE^/%: kKmMGTPibBytes]{0,24}") {
        let answers = [
            parse_items(&text).map(|_| ()),
            parse_bits(&text).map(|_| ()),
            parse_hashes(&text).map(|_| ()),
            parse_rate(&text).map(|_| ()),
        ];
        for error in answers.into_iter().filter_map(Result::err) {
            prop_assert!(error.to_string().contains(", got "));
            prop_assert!(error.hint().is_some());
        }
        if let Ok(rate) = parse_rate(&text) {
            prop_assert!((f64::MIN_POSITIVE..1.0).contains(&rate));
        }
    }
}
