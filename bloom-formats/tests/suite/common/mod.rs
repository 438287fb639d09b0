//! Reads the files in tests/golden: filters that systems such as Spark made, with their items and with the systems' answers to
//! queries. Also has the checks that tests of several formats share.

pub(crate) mod hadoop;

use std::fs;
use std::path::PathBuf;

use bloom_formats::{Field, Filter, FormatError, Rule, Warning};
use bloom_systems::double_hashing::Excess;
use bloom_testing::{from_hex, mutated};
use serde_json::Value;

/// An item or a query, with the type that the system got.
#[derive(Debug, Clone)]
pub(crate) enum Key {
    Str(String),
    Utf16(String),
    Long(i64),
    Int(i32),
    Bytes(Vec<u8>),
    Double(f64),
}

impl Key {
    /// Returns a key as it was given to systems that take bytes alone: strings as UTF-8, numbers with the highest
    /// byte first.
    pub(crate) fn big_endian(&self) -> Vec<u8> {
        match self {
            Self::Str(text) => text.clone().into_bytes(),
            Self::Long(value) => value.to_be_bytes().to_vec(),
            Self::Int(value) => value.to_be_bytes().to_vec(),
            Self::Bytes(bytes) => bytes.clone(),
            Self::Double(value) => value.to_be_bytes().to_vec(),
            Self::Utf16(text) => panic!("no system of bytes has {text} in UTF-16"),
        }
    }

    /// Returns the key as Redis got it: a number is its decimal text.
    pub(crate) fn decimal(&self) -> Vec<u8> {
        match self {
            Self::Long(value) => value.to_string().into_bytes(),
            Self::Int(value) => value.to_string().into_bytes(),
            other => other.big_endian(),
        }
    }

    /// Returns the key for a filter of any system.
    pub(crate) fn of_any(&self) -> bloom_formats::Key<'_> {
        match self {
            Self::Str(text) => text.as_str().into(),
            Self::Utf16(text) => bloom_formats::Key::Utf16(text),
            Self::Long(value) => (*value).into(),
            Self::Int(value) => (*value).into(),
            Self::Bytes(bytes) => bytes.as_slice().into(),
            Self::Double(value) => (*value).into(),
        }
    }

    /// Converts the key for a system that takes strings, bytes and integers.
    pub(crate) fn typed<'a, K>(&'a self) -> K
    where
        K: From<&'a str> + From<&'a [u8]> + From<i64> + From<i32>,
    {
        match self {
            Self::Str(text) => text.as_str().into(),
            Self::Long(value) => (*value).into(),
            Self::Int(value) => (*value).into(),
            Self::Bytes(bytes) => bytes.as_slice().into(),
            other => panic!("no filter has {other:?}"),
        }
    }
}

/// A filter that a system made, and what the system says about it.
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
    pub(crate) items: Vec<Key>,
    pub(crate) queries: Vec<Key>,
    pub(crate) answers: Vec<bool>,
    /// The entry of the filter in the manifest of its format.
    pub(crate) facts: Value,
}

impl Case {
    /// Checks that all queries get the answers of the system.
    pub(crate) fn check(&self, contains: impl Fn(&Key) -> bool) {
        let counts = [self.queries.len(), self.answers.len()];
        assert_eq!(counts, [1_000; 2], "{}", self.name);
        for (query, answer) in self.queries.iter().zip(&self.answers) {
            assert_eq!(contains(query), *answer, "{}: {query:?}", self.name);
        }
    }

    /// Replaces all items and queries.
    pub(crate) fn with_keys(mut self, replaced: impl Fn(Key) -> Key) -> Self {
        for keys in [&mut self.items, &mut self.queries] {
            *keys = keys.drain(..).map(&replaced).collect();
        }
        self
    }

    /// Returns the number of distinct items.
    pub(crate) fn distinct(&self) -> usize {
        let items = self.items.iter().map(|item| format!("{item:?}"));
        items.collect::<std::collections::HashSet<_>>().len()
    }

    /// Returns the name of the file, and n, m and k of the filter that was read from the file, for messages about rates.
    pub(crate) fn about(&self, filter: &(impl Filter + ?Sized)) -> String {
        let (shape, n) = (Filter::shape(filter), self.items.len());
        format!(
            "{}, n = {n}, m = {}, k = {}",
            self.name,
            shape.bits(),
            shape.hashes()
        )
    }

    /// Returns a number from the manifest, which may have it as text. The group is `params` for a parameter, or `peer_reports`
    /// for a number that the system reports.
    pub(crate) fn number(&self, group: &str, name: &str) -> Option<f64> {
        let value = self.facts[group].get(name)?;
        value.as_f64().or_else(|| value.as_str()?.parse().ok())
    }

    pub(crate) fn count(&self, group: &str, name: &str) -> Option<u64> {
        self.number(group, name).map(|number| number as u64)
    }
}

/// Returns the bytes of a file.
pub(crate) fn golden(file: &str) -> Vec<u8> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    fs::read(path.join(file)).unwrap()
}

pub(crate) fn json(file: &str) -> Value {
    serde_json::from_slice(&golden(file)).unwrap()
}

/// Returns all filters of a format.
pub(crate) fn cases(format: &str) -> Vec<Case> {
    let manifest = json(&format!("{format}/manifest.json"));
    let filters = manifest["filters"].as_array().unwrap();
    filters.iter().map(|facts| case(format, facts)).collect()
}

fn case(format: &str, facts: &Value) -> Case {
    let file = facts["file"].as_str().unwrap();
    let set = json(facts["keys"].as_str().unwrap());
    let kind = set["type"].as_str().unwrap();
    let list = |values: &Value| -> Vec<Key> {
        let values = values.as_array().unwrap();
        values.iter().map(|value| key(kind, value)).collect()
    };
    let items = set["items"].as_array().unwrap();
    Case {
        name: format!("{format}/{file}"),
        bytes: golden(&format!("{format}/{file}")),
        items: items.iter().flat_map(|rule| by_rule(kind, rule)).collect(),
        queries: list(&set["queries"]),
        answers: facts["answers"]
            .as_str()
            .unwrap()
            .bytes()
            .map(|answer| answer == b'1')
            .collect(),
        facts: facts.clone(),
    }
}

fn key(kind: &str, value: &Value) -> Key {
    match kind {
        "string" => Key::Str(value.as_str().unwrap().to_owned()),
        "long" => Key::Long(value.as_i64().unwrap()),
        "int" => Key::Int(value.as_i64().unwrap().try_into().unwrap()),
        "bytes" => Key::Bytes(from_hex(value.as_str().unwrap())),
        "double" => {
            let bits = u64::from_str_radix(value.as_str().unwrap(), 16).unwrap();
            Key::Double(f64::from_bits(bits))
        }
        other => panic!("no test has keys of type {other}"),
    }
}

fn by_rule(kind: &str, rule: &Value) -> Vec<Key> {
    let (name, given) = rule.as_object().unwrap().iter().next().unwrap();
    let number = |field: &str| given[field].as_i64().unwrap();
    match name.as_str() {
        "list" => given
            .as_array()
            .unwrap()
            .iter()
            .map(|value| key(kind, value))
            .collect(),
        "numbered" => {
            let from = number("from");
            let numbers = from..from + number("count");
            let prefix = given["prefix"].as_str().unwrap();
            numbers
                .map(|number| Key::Str(format!("{prefix}{number}")))
                .collect()
        }
        "splitmix64" => {
            let mut state = number("seed") as u64;
            let next = |_| Key::Long(split_mix(&mut state) as i64);
            (0..number("count")).map(next).collect()
        }
        "splitmix32" => {
            let mut state = number("seed") as u64;
            let next = |_| Key::Int((split_mix(&mut state) >> 32) as i32);
            (0..number("count")).map(next).collect()
        }
        "splitbytes" => (0..number("count"))
            .map(|index| split_bytes(number("seed"), index))
            .collect(),
        other => panic!("no test has items by the rule {other}"),
    }
}

/// Returns the item of this index: bytes of a length from 0 to 69.
fn split_bytes(seed: i64, index: i64) -> Key {
    let (mut state, length) = ((seed + index) as u64, (index % 70) as usize);
    let words = (0..length.div_ceil(8)).flat_map(|_| split_mix(&mut state).to_le_bytes());
    Key::Bytes(words.take(length).collect())
}

/// The generator SplitMix64.
pub(crate) fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut mixed = *state;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// Checks that the share of positive answers to a million pseudo-random queries is within six standard deviations of the rate.
/// If the rate is exact and at least 0.001, fewer than one in 10^8 seeds would fail.
pub(crate) fn check_rate(name: &str, rate: f64, contains: impl Fn(i64) -> bool) {
    check_rate_of(name, 1_000_000, rate, contains);
}

/// Checks the rate like [`check_rate`], with the given number of queries.
pub(crate) fn check_rate_of(name: &str, queries: u32, rate: f64, contains: impl Fn(i64) -> bool) {
    let mut state = 77;
    let mut hits = 0.0;
    for _ in 0..queries {
        hits += f64::from(u8::from(contains(split_mix(&mut state) as i64)));
    }
    let expected = f64::from(queries) * rate;
    let deviation = (expected * (1.0 - rate)).sqrt();
    assert!(
        (hits - expected).abs() <= 6.0 * deviation,
        "{name}: {hits} of {queries} hit, expected {expected} ± {deviation} at the rate {rate}"
    );
}

/// The numbers of positive answers (hits) to the random queries of [`check_bounds`], summed over its 300 filters.
pub(crate) struct Bounded {
    /// The hits that were counted.
    pub(crate) hits: f64,
    /// The hits that are expected from the fill of each filter and from what double hashing adds on average.
    pub(crate) expected: f64,
    /// The hits that are expected from the fill of each filter if positions were independent.
    pub(crate) independent: f64,
    /// How far `hits` may be off: 7 times its square root. If only the queries were random, this would be seven standard
    /// deviations or more. But filters with the same fill also have different rates, so this is 3.8 (128 bits) to 7.5 (1,472
    /// bits, 3 hashes) standard deviations.
    pub(crate) tolerance: f64,
}

/// Makes 300 filters with `items` random items each, and 10,000 random queries of each filter. Checks that the number of
/// positive answers is between the bounds that `excess` gives for what double hashing adds.
pub(crate) fn check_bounds<F: Filter>(
    name: &str,
    (mut state, items): (u64, u64),
    new: impl Fn() -> F,
    excess: impl Fn(&F) -> Excess,
) -> Bounded {
    let mut next = move || bloom_formats::Key::Long(split_mix(&mut state) as i64);
    let (mut hits, mut low, mut high) = (0.0, 0.0, 0.0);
    let (mut expected, mut independent) = (0.0, 0.0);
    for _ in 0..300 {
        let mut filter = new();
        for _ in 0..items {
            filter.insert(next()).unwrap();
        }
        let found = (0..10_000).filter(|_| filter.contains(next()).unwrap());
        hits += found.count() as f64;
        let excess = excess(&filter);
        let alone = filter.fill().powi(filter.shape().hashes().into());
        expected += 1e4 * (alone + excess.expected);
        independent += 1e4 * alone;
        low += 1e4 * (alone + excess.low);
        high += 1e4 * (alone + excess.high);
    }
    let tolerance = 7.0 * hits.sqrt();
    assert!(
        low - tolerance < hits && hits < high + tolerance,
        "{name}, n = {items}: {hits} hits of 3,000,000, between {low} and {high} ± {tolerance}"
    );
    Bounded {
        hits,
        expected,
        independent,
        tolerance,
    }
}

/// Checks the rate that a system reports: the rate of independent positions at the filter's fill. If the filter's rate is
/// computed, the reported rate must be this rate minus `excess`, what double hashing adds on average.
pub(crate) fn check_rate_at_fill(case: &Case, filter: &dyn Filter, excess: f64) {
    let reported = case.number("peer_reports", "expected_fpp").unwrap();
    let rate = filter.present_rate();
    let independent = match rate.keys {
        0 => rate.value - excess,
        // A measured rate is that of one filter, and `excess` is a mean over filters, so their difference says nothing here.
        _ => filter.fill().powi(filter.shape().hashes().into()),
    };
    assert!(
        (independent - reported).abs() <= 1e-5 * reported,
        "{}: {independent}, reported {reported}",
        case.about(filter)
    );
}

/// Checks the warnings, the estimate and the rates of a filter whose bits are all set.
pub(crate) fn check_full(filter: &dyn Filter) {
    let format = filter.format();
    assert_eq!(filter.warnings(), [Warning::Full], "{format}");
    assert_eq!(filter.estimated_items(), None, "{format}");
    let rates = [filter.fill(), filter.false_positive_rate()];
    assert_eq!(rates, [1.0, 1.0], "{format}");
}

/// Checks that each result is an error of the format of this name, with the message beside it.
pub(crate) fn check_errors<T, M: std::fmt::Display>(
    format: &str,
    results: impl IntoIterator<Item = (Result<T, FormatError>, M)>,
) {
    for (result, message) in results {
        let Err(error) = result else {
            panic!("{format}: no error, but must be: {message}");
        };
        assert_eq!(error.format.to_string(), format, "{message}");
        assert_eq!(error.to_string(), format!("{format} filter: {message}"));
    }
}

/// Returns the field whose difference kept two filters from being merged.
pub(crate) fn difference(merged: Result<(), FormatError>) -> Field {
    match merged.unwrap_err().rule {
        Rule::Differs { field, .. } => field,
        other => panic!("{other}"),
    }
}

/// Returns the damaged files of a format, each with the mutation and what the system did.
pub(crate) fn malformed(format: &str) -> Vec<(Vec<u8>, String, String)> {
    let file = json("malformed.json");
    let cases = file["cases"].as_array().unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    cases
        .iter()
        .filter(|case| case["format"] == format)
        .map(|case| {
            let mutation = text(&case["mutation"]);
            let bytes = mutated(golden(case["file"].as_str().unwrap()), &mutation);
            (bytes, mutation, text(&case["peer"]))
        })
        .collect()
}

/// Returns the damaged files of a format that the system takes nevertheless.
pub(crate) fn accepted(format: &str) -> Vec<(Vec<u8>, String, String)> {
    let mut cases = malformed(format);
    cases.retain(|(_, mutation, system)| mutation != "none" && system.starts_with("accepted"));
    cases
}
