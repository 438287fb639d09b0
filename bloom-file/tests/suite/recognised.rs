//! Tests that whole filters are recognised by their bytes, that truncated filters are not, and that a flipped bit in a header
//! is refused or changes a reported number.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;

use bloom_file::{AnyFilter, KeyValue, Size};

use crate::builds::BUILDS;

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn golden() -> PathBuf {
    repository().join("bloom-formats/tests/golden")
}

/// Returns filters that are recognised by their bytes, with their names: the golden files of the systems, and what [`built`]
/// returns.
fn filters() -> Vec<(String, Vec<u8>)> {
    let mut filters = Vec::new();
    for folder in fs::read_dir(golden()).unwrap() {
        let folder = folder.unwrap().path();
        // Leaves out keys, whole Parquet files, and bits without a header.
        let others = ["keys", "parquet", "sbbf_bitset"];
        if folder.is_file() || others.iter().any(|name| folder.ends_with(name)) {
            continue;
        }
        let files = fs::read_dir(folder).unwrap();
        let files = files.map(|file| file.unwrap().path());
        // The file mixed.bin states a wrong number of set bits, so it is left out.
        let is_sound =
            |file: &PathBuf| !file.ends_with("manifest.json") && !file.ends_with("mixed.bin");
        for file in files.filter(is_sound) {
            let name = file.iter().rev().take(2).map(|part| part.to_str().unwrap());
            let name: Vec<_> = name.collect();
            filters.push((format!("{}/{}", name[1], name[0]), fs::read(&file).unwrap()));
        }
    }
    filters.extend(built().map(|(name, bytes)| (name.to_string(), bytes)));
    filters
}

/// Returns a filter of each kind that is recognised by its bytes.
fn built() -> impl Iterator<Item = (&'static str, Vec<u8>)> {
    BUILDS.into_iter().filter_map(|(name, _)| {
        let size = Size {
            n: Some("100".to_string()),
            p: Some("0.05".to_string()),
            ..Size::default()
        };
        let mut filter = AnyFilter::create(name, &size).unwrap_or_else(|_| panic!("{name}"));
        for key in 0..100_u8 {
            filter.insert(KeyValue::Bytes(&[key, 1]), None).unwrap();
        }
        let bytes = filter.to_bytes().unwrap();
        let is_recognised = AnyFilter::from_bytes(&bytes, None).is_ok();
        is_recognised.then_some((name, bytes))
    })
}

/// Returns what is reported about the filter that the bytes are, or nothing if they are refused.
fn reported(bytes: &[u8]) -> Option<(String, AnyFilter)> {
    let filter = AnyFilter::from_bytes(bytes, None).ok()?;
    Some((filter.facts().unwrap(), filter))
}

#[test]
fn whole_filters_are_recognised() {
    let filters = filters();
    assert!(filters.len() > 50, "only {} filters", filters.len());
    for (name, bytes) in filters {
        AnyFilter::from_bytes(&bytes, None).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
}

/// If nothing in the bytes of a filter proves its format, the filter is read only if the format is named.
#[test]
fn a_filter_that_any_bytes_fit_must_be_named() {
    let bits = fs::read(golden().join("sbbf_bitset/longs.bin")).unwrap();
    // The old forms of ORC and of Hadoop.
    let orc = [&[0x08, 3][..], &[0x11, 1, 2, 3, 4, 5, 6, 7, 8].repeat(5)].concat();
    let hadoop = [&[0, 0, 0, 1, 0, 0, 0, 7][..], &[5]].concat();
    for (name, bytes) in [("parquet-bitset", bits), ("orc", orc), ("hadoop", hadoop)] {
        let error = AnyFilter::from_bytes(&bytes, None).err();
        let error = error.unwrap_or_else(|| panic!("{name} is recognised"));
        let hint = error.hint().unwrap_or_default();
        assert!(hint.contains(&format!("--format {name}")), "{name}: {hint}");
        assert!(AnyFilter::from_bytes(&bytes, Some(name)).is_ok(), "{name}");
    }
}

#[test]
fn a_truncated_filter_is_not_recognised() {
    thread::scope(|scope| {
        for (name, bytes) in filters() {
            scope.spawn(move || check_cuts(&name, &bytes));
        }
    });
}

fn check_cuts(name: &str, bytes: &[u8]) {
    let data = if name == "dcso/longs_be_data.bin" {
        18
    } else {
        0
    };
    for cut in (0..bytes.len()).filter(|cut| *cut <= 4096 || cut % 32 == 0) {
        let Ok(filter) = AnyFilter::from_bytes(&bytes[..cut], None) else {
            continue;
        };
        // A cut filter may be found only if it lost attached data, whose length is in no header, or the padding of
        // base64.
        let written = filter.to_bytes().unwrap();
        let is_whole = written == bytes || data > 0 && written == bytes[..cut];
        assert!(is_whole, "{name} cut to {cut}: {}", filter.format());
    }
    // Truncated JSON is not a filter.
    let is_json = bytes.starts_with(b"{");
    let length = bytes.len() - data;
    // The hint names the system of a cut filter of bloom-core only if the whole header is left, and that of a cut filter of
    // another system only if 64 bytes are left: fewer are too few to tell systems apart.
    let least = if name.starts_with("bloom-core") {
        128
    } else {
        64
    };
    let cuts = [length * 3 / 4, length - 1, length / 2 / 4 * 4 + 4];
    let whole = AnyFilter::from_bytes(bytes, None).unwrap();
    let system = whole.format();
    for cut in cuts.into_iter().filter(|cut| *cut >= least && !is_json) {
        // Truncated base64 may be invalid, so for `hudi` the hint may name no system. The start of a dynamic filter resembles a
        // simple one, so the hint may name the simple format.
        let error = AnyFilter::from_bytes(&bytes[..cut], None).err();
        let hint = error.as_ref().and_then(|error| error.hint());
        let hint = hint.unwrap_or_default();
        let is_named = hint.contains(system.trim_end_matches("-dynamic"));
        assert!(
            is_named || system.starts_with("hudi"),
            "{name} cut to {cut}: {hint}"
        );
    }
}

/// If a flipped bit in a header gives another filter, only the reported numbers show that the filter is wrong. The book says
/// how many flips give another filter.
#[test]
fn a_flipped_bit_of_a_header_is_refused_or_changes_a_number() {
    let page = fs::read_to_string(repository().join("book/src/distributed.md")).unwrap();
    // Each kind of filter has a thread, because after each flip a rate may be measured, which takes some 0.1 s without
    // optimization.
    thread::scope(|scope| {
        for (name, bytes) in built() {
            let page = &page;
            scope.spawn(move || check_flips(name, bytes, page));
        }
    });
}

fn check_flips(name: &str, mut bytes: Vec<u8>, page: &str) {
    let (before, filter) = reported(&bytes).unwrap();
    let facts: serde_json::Value = serde_json::from_str(&before).unwrap();
    let bits = facts["m"].as_u64().unwrap();
    // The header is everything before the bits. For a dynamic filter, this includes the header of its only row. For a text, it
    // is the first 17 characters, because a filter of `hudi` has 17 whole characters before its bits.
    let header = match name {
        "bits-and-blooms-json" | "hudi" | "hudi-dynamic" => 17,
        "hadoop" | "hadoop-jenkins" | "hadoop-dynamic" => bytes.len() - bits.div_ceil(8) as usize,
        _ => bytes.len() - bits.div_ceil(64) as usize * 8,
    };
    let mut accepted = 0;
    for (at, bit) in (0..header).flat_map(|at| (0..8).map(move |bit| (at, bit))) {
        bytes[at] ^= 1 << bit;
        if let Some((after, _)) = reported(&bytes) {
            assert_ne!(after, before, "{name}: bit {bit} of byte {at}");
            accepted += 1;
        }
        bytes[at] ^= 1 << bit;
    }
    let row = |name: &str| format!("| `{name}` | {accepted} of {} |", 8 * header);
    // The page may have a row for this kind of filter, or a row for the first kind of its system, which has the same header.
    let names = [name, filter.format()];
    let is_there = names.into_iter().any(|name| page.contains(&row(name)));
    assert!(is_there, "the page must have {}", row(name));
}
