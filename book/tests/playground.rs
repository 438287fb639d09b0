//! What the playground knows, computed by `bloom-core` and compared with the file that its page
//! includes; and that its script stays a mere display of it.

use std::collections::{BTreeMap, HashSet};
use std::fmt::Write;
use std::fs;
use std::path::Path;

use bloom_core::math::{exact, rate_at_fill};
use bloom_core::{BloomFilter, Shape};
use common::assert_is_file;

mod common;

const BITS: u64 = 64;
const HASHES: [u8; 4] = [1, 3, 5, 8];

/// Where the bits of a saved filter begin.
const HEADER_BYTES: usize = 128;

fn words() -> Vec<&'static str> {
    include_str!("words.txt").split_whitespace().collect()
}

fn filter_of(words: &[&str], hashes: u8) -> BloomFilter<str> {
    let shape = Shape::new(BITS, hashes).expect("a valid shape");
    let mut filter = BloomFilter::new(shape).expect("memory for 64 bits");
    filter.extend(words.iter().copied());
    filter
}

/// The bits that are set, in their order, as a saved filter has them.
fn set_bits(filter: &BloomFilter<str>) -> Vec<u64> {
    let bytes = filter.to_bytes().expect("a filter of 64 bits");
    let is_set = |bit: &u64| bytes[HEADER_BYTES + (bit / 8) as usize] >> (bit % 8) & 1 == 1;
    (0..BITS).filter(is_set).collect()
}

fn listed<T: ToString>(items: impl IntoIterator<Item = T>) -> String {
    let items = items.into_iter().map(|item| item.to_string());
    items.collect::<Vec<_>>().join(",")
}

/// A rate as the page shows it, with three digits; zero and what is next to it in words.
fn shown(rate: f64) -> String {
    let percent = 100.0 * rate;
    let text = match percent {
        0.0 => "0".to_owned(),
        ..0.01 => "below 0.01".to_owned(),
        ..1.0 => format!("{percent:.2}"),
        ..99.95 => format!("{percent:.1}"),
        ..100.0 => "above 99.9".to_owned(),
        _ => "100".to_owned(),
    };
    format!("\"{text} %\"")
}

#[test]
fn the_playground_shows_what_bloom_core_computes() {
    let words = words();
    let mut json = format!("{{\"bits\":{BITS},\n\"filters\":{{");
    for (index, hashes) in HASHES.into_iter().enumerate() {
        let at_fill = (0..=BITS).map(|ones| rate_at_fill(ones as f64 / BITS as f64, hashes));
        let expected = (0..=words.len() as u64).map(|items| {
            exact::rate(items, BITS, hashes)
                .expect("a valid size")
                .value()
        });
        let comma = if index == 0 { "" } else { "," };
        write!(
            json,
            "{comma}\n\"{hashes}\":{{\"rate\":[{}],\n\"expected\":[{}],\n\"positions\":{{",
            listed(at_fill.map(shown)),
            listed(expected.map(shown)),
        )
        .unwrap();
        let positions = words.iter().map(|word| {
            let positions = listed(set_bits(&filter_of(&[*word], hashes)));
            format!("\n\"{word}\":[{positions}]")
        });
        json += &listed(positions);
        json += "}}";
    }
    json += "}}\n";
    assert_is_file(&json, "playground/data.json");
}

#[test]
fn a_filter_of_the_known_words_answers_as_their_positions_do() {
    let words = words();
    for hashes in HASHES {
        let positions: BTreeMap<_, _> = words
            .iter()
            .map(|word| (*word, set_bits(&filter_of(&[*word], hashes))))
            .collect();
        for count in [0, 1, 5, 10, 20] {
            let filter = filter_of(&words[..count], hashes);
            let set: HashSet<u64> = words[..count]
                .iter()
                .flat_map(|word| positions[word].clone())
                .collect();
            assert_eq!(filter.fill(), set.len() as f64 / BITS as f64);
            let rate = rate_at_fill(filter.fill(), hashes);
            assert_eq!(filter.false_positive_rate(), rate);
            for word in &words {
                let all_set = positions[word]
                    .iter()
                    .all(|position| set.contains(position));
                assert_eq!(filter.contains(*word), all_set, "{word}, {hashes} hashes");
            }
        }
    }
}

#[test]
fn the_known_words_are_some_hundred_and_all_different() {
    let words = words();
    let different: HashSet<_> = words.iter().collect();
    assert_eq!(different.len(), words.len());
    assert!(words.len() > 100);
    assert!(
        words
            .iter()
            .all(|word| word.chars().all(|c| c.is_ascii_lowercase()))
    );
}

#[test]
fn the_script_of_the_playground_is_short_and_has_no_formula() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/playground/playground.js");
    let script = fs::read_to_string(path).unwrap();
    assert!(script.lines().count() <= 150);
    for formula in ["Math.", "**", "fetch(", "import"] {
        assert!(!script.contains(formula), "{formula} in the script");
    }
}
