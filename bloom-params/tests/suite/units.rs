//! Tests which texts are accepted for n, m, k and p, and the errors for other texts.

use bloom_params::Filter;
use bloom_params::units::{
    UnitError, parse_bits, parse_hashes, parse_items, parse_rate, size_note,
};

fn message<T: std::fmt::Debug>(answer: Result<T, UnitError>) -> String {
    answer.expect_err("the text should be refused").to_string()
}

fn hint<T: std::fmt::Debug>(answer: Result<T, UnitError>) -> String {
    let error = answer.expect_err("the text should be refused");
    error.hint().unwrap_or_default().to_owned()
}

/// Checks that the text is refused, with an error that names this rule and the text.
#[track_caller]
fn refused<T: std::fmt::Debug>(parse: fn(&str) -> Result<T, UnitError>, text: &str, rule: &str) {
    says(parse, text, &format!("{rule}, got {text}"));
}

/// Checks that the text is refused with exactly this error.
#[track_caller]
fn says<T: std::fmt::Debug>(parse: fn(&str) -> Result<T, UnitError>, text: &str, error: &str) {
    assert_eq!(message(parse(text)), error);
}

/// Checks that each spelling parses to its number of items.
fn assert_items(spellings: &[(&str, u64)]) {
    for (text, items) in spellings {
        assert_eq!(parse_items(text), Ok(*items), "{text:?}");
    }
}

#[test]
fn items_read_in_every_notation() {
    assert_items(&[
        ("2000", 2000),
        ("2_000", 2000),
        ("2,000", 2000),
        ("12,345,678", 12_345_678),
        ("2k", 2000),
        ("2K", 2000),
        ("1.5M", 1_500_000),
        ("1.5m", 1_500_000),
        ("1G", 1_000_000_000),
        ("3T", 3_000_000_000_000),
        ("3p", 3_000_000_000_000_000),
        ("18.4E", 18_400_000_000_000_000_000),
        ("1e0E", 1_000_000_000_000_000_000),
        ("2e3", 2000),
        ("2E+3", 2000),
        ("1.5e3", 1500),
        ("2500e-2", 25),
        ("1e3k", 1_000_000),
        ("2^20", 1 << 20),
        ("2^0", 1),
        ("1,000^2", 1_000_000),
        ("1^999999999999999999999", 1),
        ("1^-5", 1),
        ("+5", 5),
        ("  7\t", 7),
        ("1 k", 1000),
        ("0005", 5),
        ("5.", 5),
        ("18446744073709551615", u64::MAX),
        ("18.446744073709551615e18", u64::MAX),
    ]);
}

#[test]
fn decimals_are_exact_to_the_last_digit() {
    assert_items(&[
        ("1.5k", 1500),
        ("1.000k", 1000),
        ("0.5k", 500),
        (".5k", 500),
        ("2.0", 2),
        ("9.007199254740993e15", 9_007_199_254_740_993),
        ("18446744.073709551615T", u64::MAX),
    ]);
    for text in "2.5 1.0001k 1e-1 0.5 2^-1 1e-999999999999 1.00000000000000000001k".split(' ') {
        refused(parse_items, text, "n must be a whole number");
    }
    let long = format!("1.{}k", "0".repeat(100_000));
    assert_eq!(parse_items(&long), Ok(1000));
}

#[test]
fn thousands_separators_stand_between_groups_of_three_digits() {
    for text in "2,00 2__000 ,200 2000,000 200, _ 1,000_ 0,0 1,5k".split(' ') {
        let answer = message(parse_items(text));
        assert!(answer.contains("thousands separators"), "{answer}");
        assert!(answer.ends_with(&format!("got {text}")), "{answer}");
    }
    refused(
        parse_items,
        "2,00",
        "n must have thousands separators only between groups of three digits",
    );
    refused(
        parse_items,
        "1,000_000",
        "n must not mix , and _ as thousands separators",
    );
    refused(
        parse_items,
        "1.000_5k",
        "n must have thousands separators only before the point",
    );
}

#[test]
fn numbers_out_of_range_are_refused_at_once() {
    for text in
        "18446744073709551616 1e20 2^64 3^99999999999 1e999999999999 99999999T 19E".split(' ')
    {
        refused(
            parse_items,
            text,
            "n must be at most 18,446,744,073,709,551,615",
        );
    }
    for text in "0 0k 0.0 0e999999999999 -0 -5k -.5 -inf 0^3".split(' ') {
        refused(parse_items, text, "n must be at least 1");
    }
    refused(parse_bits, "0B", "m must be at least 1");
    refused(parse_hashes, "0", "k must be at least 1");
    refused(parse_hashes, "-3", "k must be at least 1");
}

#[test]
fn bits_read_with_and_without_units() {
    let spellings = [
        (
            1,
            "1b|1 bit|0.125B|0.0009765625Kib|0.00000000000011368683772161602973937988281250TiB",
        ),
        (8, "8 BITS|1B|1 byte"),
        (24, "3Bytes"),
        (1000, "1kb|1Kb|1kbit|1KBits"),
        (1024, "1KIb|1Kibit"),
        (8000, "1kB|1KB"),
        (8192, "1KiB|1kiB"),
        (12_288, "1.5KiB"),
        (19_188, "19188|19,188 bits"),
        (1_000_000, "1Mb|1mb|1Mbit"),
        (8_000_000, "1MB"),
        (8 << 20, "1 MiB|2^10 KiB"),
        (8_000_000_000, "1Gbytes"),
        (8 << 30, "1GiB"),
        (8_000_000_000_000, "1TB"),
        (8 << 40, "1TiB"),
        (8_000_000_000_000_000, "1PB"),
        (2 << 50, "2pib"),
        (1_000_000_000_000_000_000, "1Ebit"),
        (8_000_000_000_000_000_000, "1EB|1e0EB"),
        (8_800_000_000_000_000_000, "1.1 EB"),
        (1 << 63, "1EiB|2^63|2^60B"),
    ];
    for (bits, texts) in spellings {
        for text in texts.split('|') {
            let answer = parse_bits(text);
            assert_eq!(answer, Ok(bits), "{text:?}");
        }
    }
}

#[test]
fn a_prefix_without_a_unit_or_with_b_gets_a_note_on_how_to_write_bytes() {
    for (text, right) in [
        ("1G", "1GB"),
        ("1g", "1GB"),
        ("1 G", "1GB"),
        ("1e0G", "1e0GB"),
        ("1,000m", "1,000MB"),
        ("1000000k", "1000000kB"),
        ("2P", "2PB"),
        ("1E", "1EB"),
        ("64mb", "64MB"),
        ("64Mb", "64MB"),
        ("+64 kb", "64kB"),
        ("64mib", "64MiB"),
        ("64Kib", "64KiB"),
        ("2^10 kib", "2^10KiB"),
        ("1e0EIb", "1e0EiB"),
    ] {
        let note = size_note(text, Filter::Classic).expect(text);
        assert!(
            note.ends_with(&format!("; for bytes write {right}")),
            "{note}"
        );
        assert!(parse_bits(right).is_ok(), "{right}");
        assert_eq!(size_note(right, Filter::Classic), None, "{right}");
    }
    for text in "1000 8b 1e9 2^30 1GB 1gB 1GiB 20kbit 1Gbits 1mbyte 1MIBIT 64KB".split(' ') {
        assert!(parse_bits(text).is_ok(), "{text}");
        assert_eq!(size_note(text, Filter::Classic), None, "{text}");
    }
    refused(
        parse_bits,
        "2^3k",
        "m must have no k, M, G, T, P or E alone after a power",
    );
}

#[test]
fn bits_that_no_filter_has_are_refused() {
    for text in [
        "1.2EB",
        "10E",
        "1.5EiB",
        "9223372036854775809",
        "2^60 KiB",
        "1152921504606846977B",
        "1e30",
        "2^64",
        "2^99GiB",
    ] {
        refused(
            parse_bits,
            text,
            "m must be at most 2^63 bits (9,223,372,036,854,775,808)",
        );
    }
    refused(parse_bits, "0.3B", "m must be a whole number of bits");
    refused(
        parse_bits,
        "16Ki",
        "m must have b or B after Ki, Mi, Gi, Ti, Pi or Ei",
    );
    for (text, right) in [
        ("16Ki", "16Ki"),
        ("16ki", "16Ki"),
        ("1,000 mI", "1,000Mi"),
        ("2^3TI", "2^3Ti"),
        ("+1.5e1gi", "1.5e1Gi"),
        ("3pI", "3Pi"),
        ("0.5EI", "0.5Ei"),
    ] {
        let expected = format!("for bytes write {right}B, for bits write {right}b");
        assert_eq!(hint(parse_bits(text)), expected);
        assert!(parse_bits(&format!("{right}B")).is_ok());
    }
    for text in ["1ZB", "1ZiB", "1.5yb", "1 YB", "5XB", "1Qbit", "1eV", "5 e"] {
        let unit = text.trim_start_matches(|c: char| !c.is_alphabetic());
        refused(
            parse_bits,
            text,
            &format!("m must be in bits or bytes, with prefixes up to E or Ei, not in {unit}"),
        );
        assert_eq!(
            hint(parse_bits(text)),
            "the units are b, bit and bits, B, byte and bytes, with k, M, G, T, P, E (powers \
             of 1000) or Ki, Mi, Gi, Ti, Pi, Ei (powers of 1024) before them"
        );
    }
    for text in [
        "1  MiB", "1 M iB", "1MB2", "0x10", "1.2.3", "²", "٣", "1٣", "1-", "1e5.5",
    ] {
        refused(parse_bits, text, "m must be a whole number of bits");
    }
}

#[test]
fn items_and_hashes_have_no_units() {
    refused(parse_items, "5MB", "n counts items, which have no unit MB");
    refused(
        parse_items,
        "5 bits",
        "n counts items, which have no unit bits",
    );
    refused(parse_items, "5Ki", "n counts items, which have no unit Ki");
    refused(parse_hashes, "5b", "k counts hashes, which have no unit b");
    refused(parse_items, "1EB", "n counts items, which have no unit EB");
    assert_eq!(
        hint(parse_items("1Z")),
        "a number may be followed by k, M, G, T, P or E (powers of 1000)"
    );
    assert_eq!(hint(parse_hashes("5b")), "write hashes like 7");
    refused(parse_items, "2e", "n must have a whole number after e or ^");
    refused(parse_items, "2^", "n must have a whole number after e or ^");
    for text in [
        "^2", ".", "e5", "abc", "1:2", "nan", "inf", "1/2", "50%", "−5", "-", "+", "+-5", "+ 5",
    ] {
        refused(parse_items, text, "n must be a whole number");
    }
}

#[test]
fn hashes_end_at_255() {
    assert_eq!(parse_hashes("7"), Ok(7));
    assert_eq!(parse_hashes("255"), Ok(255));
    assert_eq!(parse_hashes("2^3"), Ok(8));
    for text in ["256", "300", "1k", "1e99"] {
        refused(parse_hashes, text, "k must be between 1 and 255");
    }
}

#[test]
fn rates_read_in_every_notation() {
    let spellings = [
        ("0.01", 0.01),
        (".01", 0.01),
        ("+0.01", 0.01),
        ("1%", 0.01),
        ("1 %", 0.01),
        ("0.7%", 0.007),
        ("7‰", 0.007),
        ("7 ‰", 0.007),
        ("0.5ppm", 5e-7),
        ("100 ppm", 1e-4),
        ("1e-1%", 0.001),
        ("1e-2", 0.01),
        ("1E-2", 0.01),
        ("1/100", 0.01),
        ("1 / 100", 0.01),
        ("1/1e6", 1e-6),
        ("1/1,000", 0.001),
        ("1/10k", 1e-4),
        ("1/2^20", 1.0 / 1_048_576.0),
        ("2/3", 2.0 / 3.0),
        ("2^-7", 0.007_812_5),
        ("10^-9", 1e-9),
        ("100^-2", 1e-4),
        ("3^-2", 1.0 / 9.0),
        ("4^-16", 1.0 / 4_294_967_296.0),
        ("2^-1022", f64::MIN_POSITIVE),
        ("2.2250738585072014e-308", f64::MIN_POSITIVE),
        ("99.999%", 0.99999),
        ("0.9999999999999999", 1.0 - f64::EPSILON / 2.0),
    ];
    for (text, expected) in spellings {
        assert_eq!(
            parse_rate(text).map(f64::to_bits),
            Ok(expected.to_bits()),
            "{text:?}"
        );
    }
    let long = format!("0.{}1e100000", "0".repeat(100_001));
    assert_eq!(parse_rate(&long), Ok(0.01));
}

#[test]
fn rates_outside_0_and_1_are_refused_as_typed() {
    let texts = "0 0% 0.0 0/5 0^2 -0 1 1.0 2 100% 150% 1/1 3/2 2^0 2^7 2^-0 10^-0 1^-5 1e400 \
        1e999999999999 inf Infinity NaN -inf -nan -0.5 -5k -1% -1e-3";
    for text in texts.split(' ') {
        refused(parse_rate, text, "p must be between 0 and 1 (exclusive)");
        assert!(!hint(parse_rate(text)).is_empty(), "{text}");
    }
    for text in ["1/0", "0/0", "0^-1"] {
        refused(parse_rate, text, "p must not divide by zero");
    }
}

#[test]
fn rates_that_an_f64_cannot_hold_are_refused_with_its_range() {
    let tiny = "1e-400 2^-2000 2^-1023 1e-308 2.2250738585072011e-308 1e-999999999999 10^-400 \
        2^-99999999999999999999 1e-307%";
    for text in tiny.split(' ') {
        refused(
            parse_rate,
            text,
            "p must be at least 2.2250738585072014e-308",
        );
    }
    for text in [
        "0.99999999999999999999",
        "99999999999999999/100000000000000000",
    ] {
        refused(parse_rate, text, "p must be at most 0.9999999999999999");
    }
    refused(
        parse_rate,
        "1/1e30",
        "p must be a fraction of whole numbers up to 18,446,744,073,709,551,615",
    );
    refused(
        parse_rate,
        "3^-50",
        "p must be a fraction of whole numbers up to 18,446,744,073,709,551,615",
    );
}

#[test]
fn a_whole_number_is_taken_for_a_percentage_without_its_sign() {
    for (text, percent) in [("1", 1), ("2", 2), ("99", 99), ("5.0", 5), ("1e1", 10)] {
        let expected = format!("for {percent} percent write {percent}%");
        assert_eq!(hint(parse_rate(text)), expected);
    }
    for text in ["100", "1000000", "1e6"] {
        assert!(hint(parse_rate(text)).starts_with("for 1 in 1"), "{text}");
    }
    assert_eq!(
        hint(parse_rate("1M")),
        "write a rate like 0.01, 1%, 1/100, 1e-9 or 2^-7"
    );
    assert_eq!(hint(parse_rate("1 in 100")), "write 1/100");
    for text in ["150%", "500%", "1.5", "0"] {
        assert!(
            hint(parse_rate(text)).starts_with("write a rate like"),
            "{text}"
        );
    }
}

#[test]
fn near_misses_of_a_rate_are_put_right() {
    refused(
        parse_rate,
        "0,01",
        "p must have a decimal point, not a comma",
    );
    assert_eq!(hint(parse_rate("0,01")), "write 0.01");
    assert_eq!(hint(parse_rate("1,5%")), "write 1.5%");
    assert_eq!(hint(parse_rate("1:100")), "write 1/100");
    let form =
        "p must be a decimal, a share in %, ‰ or ppm, a fraction of whole numbers or a power, got ";
    for text in [
        "1:100", "abc", "0x1p-7", "1/2/3", "1.5/100", "1/", "/2", "1%%", "%", "1/100%", "1/-5",
        "1/+5", "2^--3", "2^3%", "5 ^-2", "2^-3%", "1k",
    ] {
        assert_eq!(message(parse_rate(text)), format!("{form}{text}"));
    }
    refused(
        parse_rate,
        "1/10kB",
        "p is a fraction of whole numbers, which have no unit kB",
    );
}

#[test]
fn a_flag_in_place_of_a_value_is_named() {
    refused(parse_rate, "--n", "--p needs a value");
    refused(parse_items, "-p", "--n needs a value");
    refused(parse_bits, "--5", "--m needs a value");
    says(parse_hashes, "", "--k needs a value, got an empty one");
    says(parse_rate, " \t", "--p needs a value, got an empty one");
}

#[test]
fn an_error_echoes_one_readable_line() {
    says(
        parse_items,
        "5\n\u{1b}[31m\u{202e}",
        "n must be a whole number, got 5\\n\\u{1b}[31m\\u{202e}",
    );
    refused(parse_items, "\"a\\b'", "n must be a whole number");
    let long = "é".repeat(41);
    let shown = message(parse_items(&long));
    assert_eq!(
        shown,
        format!("n must be a whole number, got {}…", "é".repeat(40))
    );
    assert!(message(parse_bits(&"9".repeat(1000))).ends_with(&format!("got {}…", "9".repeat(40))));
}

#[test]
fn words_for_large_numbers_get_their_letter() {
    for (text, expected) in [
        ("1 million", "for 1 million write 1M"),
        ("1.5 billion", "for 1.5 billion write 1.5G"),
        ("2bn", "for 2 billion write 2G"),
        ("1B", "for 1 billion write 1G"),
        ("3 thousand", "for 3 thousand write 3k"),
        ("1 trillion", "for 1 trillion write 1T"),
        ("1 quadrillion", "for 1 quadrillion write 1P"),
        ("1 quintillion", "for 1 quintillion write 1E"),
    ] {
        assert_eq!(hint(parse_items(text)), expected);
    }
    assert_eq!(hint(parse_bits("1 million")), "for 1 million write 1M");
    assert!(hint(parse_items("5 MB")).starts_with("a number may be followed by k, M"));
}
