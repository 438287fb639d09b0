//! Damaged filters of every system are not taken for sound ones.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;

use bloom_formats::Key;

use super::super::{Request, builds};
use super::{MIN, bare, candidates, likely};
use crate::facts::Facts;

fn golden() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../bloom-formats/tests/golden")
}

/// Returns filters that are recognised by their bytes, with their names: the golden files of the systems, and what [`built`]
/// returns.
fn filters() -> Vec<(String, Vec<u8>)> {
    let mut filters = Vec::new();
    for folder in fs::read_dir(golden()).unwrap() {
        let folder = folder.unwrap().path();
        // Leaves out keys, whole Parquet files, and bits without a header.
        if folder.is_file()
            || ["keys", "parquet", "sbbf_bitset"]
                .iter()
                .any(|name| folder.ends_with(name))
        {
            continue;
        }
        let files = fs::read_dir(folder)
            .unwrap()
            .map(|file| file.unwrap().path());
        // The file mixed.bin states a wrong number of set bits.
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
    builds().filter_map(|(system, build)| {
        let request = Request {
            items: 100,
            rate: 0.05,
            size: None,
            seed: None,
            growth: None,
        };
        let mut filter = (build.create)(&request).unwrap_or_else(|_| panic!("{}", build.name));
        for key in 0..100_u8 {
            filter.insert(Key::Bytes(&[key, 1])).unwrap();
        }
        let bytes = system.written(&filter).unwrap();
        let needs_name = system.read(&bytes).unwrap().needs_name();
        (!needs_name).then_some((build.name, bytes))
    })
}

/// Returns all that is printed about the filters that the bytes can be.
fn printed(bytes: &[u8]) -> Vec<String> {
    let found = candidates(bytes).into_iter();
    found
        .map(|(system, filter)| {
            let Facts {
                what,
                fields,
                bits,
                hashes,
                fill,
                items,
                counted,
                rate,
                ..
            } = filter.facts();
            let fields: Vec<_> = fields
                .into_iter()
                .map(|(key, value)| format!("{key} {value}"))
                .collect();
            let items = items.map(|items| items.items);
            format!(
                "{} {what} {fields:?} {bits} {hashes} {fill} {items:?} {counted:?} {rate}",
                system.name
            )
        })
        .collect()
}

#[test]
fn whole_filters_are_recognised() {
    for (name, bytes) in filters() {
        assert_eq!(candidates(&bytes).len(), 1, "{name}");
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
        assert!(candidates(&bytes).is_empty(), "{name}");
        assert!(
            bare(&bytes).iter().any(|system| system.name == name),
            "{name}"
        );
        assert!(
            super::super::by_name(name).unwrap().read(&bytes).is_ok(),
            "{name}"
        );
    }
}

#[test]
fn a_truncated_filter_is_not_recognised() {
    for (name, bytes) in filters() {
        let data = if name == "dcso/longs_be_data.bin" {
            18
        } else {
            0
        };
        for cut in (0..bytes.len()).filter(|cut| *cut <= 4096 || cut % 32 == 0) {
            for (system, filter) in candidates(&bytes[..cut]) {
                // A cut filter may be found only if it lost attached data, whose length is in no header, or the padding of
                // base64.
                let written = system.written(&filter).unwrap();
                let is_whole = written == bytes || data > 0 && written == bytes[..cut];
                assert!(is_whole, "{name} cut to {cut}: {}", system.name);
            }
        }
        // Truncated JSON is not a filter.
        let is_json = bytes.starts_with(b"{");
        let length = bytes.len() - data;
        // A cut filter of bloom-core is recognised only if it has the whole header.
        let least = if name.starts_with("bloom-core") {
            128
        } else {
            MIN
        };
        let cuts = [length * 3 / 4, length - 1, length / 2 / 4 * 4 + 4];
        let system = candidates(&bytes)[0].0.name;
        for cut in cuts.into_iter().filter(|cut| *cut >= least && !is_json) {
            // Truncated base64 may be invalid; the start of a dynamic filter resembles a simple one.
            let hint = likely(&bytes[..cut]).unwrap_or_default();
            let is_named = hint.contains(system.trim_end_matches("-dynamic"));
            assert!(
                is_named || system.starts_with("hudi"),
                "{name} cut to {cut}: {hint}"
            );
        }
    }
}

/// If a flipped bit in a header gives another filter, only the reported numbers show that the filter is wrong. The book says
/// how many flips give another filter.
#[test]
fn a_flipped_bit_of_a_header_is_refused_or_changes_a_number() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../book/src/distributed.md");
    let page = fs::read_to_string(page).unwrap();
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
    let before = printed(&bytes);
    let bits = candidates(&bytes)[0].1.facts().bits;
    // The header is all bytes before the bits. For a dynamic filter, this includes the header of its only row. For a text, it is
    // the first 17 characters, because a filter of `hudi` has 17 whole characters before its bits.
    let header = match name {
        "bits-and-blooms-json" | "hudi" | "hudi-dynamic" => 17,
        "hadoop" | "hadoop-jenkins" | "hadoop-dynamic" => bytes.len() - bits.div_ceil(8) as usize,
        _ => bytes.len() - bits.div_ceil(64) as usize * 8,
    };
    let mut accepted = 0;
    for (at, bit) in (0..header).flat_map(|at| (0..8).map(move |bit| (at, bit))) {
        bytes[at] ^= 1 << bit;
        let after = printed(&bytes);
        assert_ne!(after, before, "{name}: bit {bit} of byte {at}");
        accepted += u32::from(!after.is_empty());
        bytes[at] ^= 1 << bit;
    }
    let row = |name: &str| format!("| `{name}` | {accepted} of {} |", 8 * header);
    // The page may have a row for this kind of filter, or a row for the first kind of its system, which has the same header.
    let first = super::super::by_name(name).unwrap().builds[0].name;
    let is_there = [name, first]
        .into_iter()
        .any(|name| page.contains(&row(name)));
    assert!(is_there, "the page must have {}", row(name));
}
