//! Tests the example `visit_queue`.

use bloom_core::BloomFilter;

use crate::run::*;

#[test]
fn the_queue_hands_out_first_occurrences_in_order_and_none_twice() {
    let (items, rate) = (31_000, 0.02);
    let distinct = urls(items);
    let options = ["--items", "31000", "--rate", "0.02", "--compare"];
    let done = run_well("visit_queue", &options, with_duplicates(&distinct));
    let kept = done.lines();
    assert_first_occurrences(&kept, &distinct);

    let false_positives = distinct.len() - kept.len();
    let filter = BloomFilter::<[u8]>::with_rate(items, rate).unwrap();
    let mean: f64 = (0..items)
        .map(|n| filter.expected_false_positive_rate(n))
        .sum();
    assert!(mean < rate * items as f64, "{filter:?}: {mean} of {items}");
    assert_near(false_positives as f64, mean);

    assert_eq!(done.figure("URLs read"), 62_000.0);
    assert_eq!(done.figure("handed out"), kept.len() as f64);
    assert_eq!(done.figure("dropped:"), 62_000.0 - kept.len() as f64);
    assert!(done.messages.contains(" of 31000 distinct URLs"));
    assert_eq!(
        done.figure("dropped as false positives"),
        false_positives as f64
    );
    assert_eq!(done.figure("filter"), filter.shape().bits() as f64);
}

#[test]
fn the_queue_measures_the_memory_of_the_filter_and_of_a_set() {
    let distinct = urls(10_000);
    let done = run_well("visit_queue", &["--compare"], text(&distinct));
    // The `HashSet` has 10,000 items in a table of 2^14 places. Each place has room for a vector and a control byte.
    let texts: usize = distinct.iter().map(String::len).sum();
    let least = texts + (1 << 14) * (size_of::<Vec<u8>>() + 1);
    let set = done.figure("measured memory of a HashSet");
    assert!((least..=least + 64).contains(&(set as usize)), "{set}");

    let filter = BloomFilter::<[u8]>::with_rate(1_000_000, 0.01).unwrap();
    let measured = done.figure("measured memory of the filter");
    let least = filter.memory_bytes();
    assert!(
        (least..=least + 64).contains(&(measured as u64)),
        "{measured}"
    );
}

#[test]
fn the_queue_warns_once_if_there_are_more_urls_than_expected() {
    // Each row has the expected items, the rate, and the number of distinct URLs in the input.
    let cases = [
        ("1", "0.01", 3),
        ("10", "0.5", 40),
        ("100", "0.01", 130),
        ("1000", "0.01", 1_100),
        ("1000", "0.01", 20_000),
        ("1000", "0.9", 1_500),
        ("10000", "0.0001", 10_300),
        ("10000", "0.9", 13_000),
    ];
    for (items, rate, count) in cases {
        let options = ["--items", items, "--rate", rate];
        let done = run_well("visit_queue", &options, text(&urls(count)));
        assert_eq!(done.warnings(), 1, "{count} for {options:?}");
        assert!(done.messages.contains(&format!("{items} were expected")));
    }
}

#[test]
fn the_queue_does_not_warn_if_there_are_as_many_urls_as_expected() {
    for items in [100, 1_000, 10_000] {
        for rate in ["0.9", "0.5", "0.01", "0.0001"] {
            let distinct = text(&urls(items)).repeat(3);
            let options = ["--items", &items.to_string(), "--rate", rate];
            let done = run_well("visit_queue", &options, distinct);
            assert_eq!(done.warnings(), 0, "{options:?}: {}", done.messages);
        }
    }
}

#[test]
fn the_queue_takes_any_bytes_and_any_line_ends() {
    let input = b"http://caf\xe9.example/\n\nhttp://a.example/\r\nhttp://caf\xe9.example/\n \nhttp://a.example/";
    let done = run_well("visit_queue", &[], input);
    assert_eq!(done.output, b"http://caf\xe9.example/\nhttp://a.example/\n");
    assert_eq!(
        (done.figure("URLs read"), done.figure("dropped:")),
        (4.0, 2.0)
    );
}
