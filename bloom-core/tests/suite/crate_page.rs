//! Measures the bits per item and the rates in the table of the crate's page (`src/lib.rs`), and compares them with the table.

use bloom_core::{
    BlockedBloomFilter, BloomFilter, CountingBloomFilter, Filter, PartitionedBloomFilter,
    ScalableBloomFilter,
};

const ITEMS: u64 = 100_000;
const QUERIES: u64 = 1_000_000;

/// Fills a filter, queries absent items, and returns the start of the filter's row in the table.
fn row(name: &str, mut filter: impl Filter<u64>) -> String {
    for item in 0..ITEMS {
        filter.try_insert(&item).expect("room for every item");
    }
    let others = ITEMS..ITEMS + QUERIES;
    let hits = others.filter(|item| filter.contains(item)).count();
    let bits = 8.0 * filter.memory_bytes() as f64 / ITEMS as f64;
    let percent = 100.0 * hits as f64 / QUERIES as f64;
    format!("//! | [`{name}`] | {bits:.1} | {percent:.2} % |")
}

#[test]
fn the_table_of_filters_shows_what_is_measured() {
    let page = include_str!("../../src/lib.rs");
    let rate = 0.01;
    for row in [
        row("BloomFilter", BloomFilter::with_rate(ITEMS, rate).unwrap()),
        row(
            "BlockedBloomFilter",
            BlockedBloomFilter::with_rate(ITEMS, rate).unwrap(),
        ),
        row(
            "CountingBloomFilter",
            CountingBloomFilter::with_rate(ITEMS, rate).unwrap(),
        ),
        row(
            "ScalableBloomFilter",
            ScalableBloomFilter::with_rate(1_000, rate).unwrap(),
        ),
        row(
            "PartitionedBloomFilter",
            PartitionedBloomFilter::with_rate(ITEMS, rate).unwrap(),
        ),
    ] {
        assert!(page.contains(&row), "not on the crate page:\n{row}");
    }
}
