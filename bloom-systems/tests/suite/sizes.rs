//! Compares the bits and hashes that this crate computes for systems such as Guava with those of the filters that the systems
//! themselves built for a thousand requests; see `measured/README.md`.

use std::f64::consts::LN_2;
use std::fs;
use std::path::Path;

use bloom_systems::{Rates, Refusal, Request, SYSTEMS, System, system};

/// Returns the request that a system was measured with.
fn request(system: &System, items: u64, rate: f64) -> Request {
    if system.takes_rate() {
        return Request::for_rate(items, rate);
    }
    // The system was given -ln p / (ln 2)^2 bits per item, rounded up.
    let per_item = (-rate.ln() / LN_2.powi(2)).ceil() as u64;
    Request::for_bits(items, items * per_item)
}

#[test]
fn computed_sizes_are_those_that_systems_built() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("measured/data");
    let (mut files, mut compared) = (0, 0);
    for file in fs::read_dir(folder).expect("measured") {
        let path = file.expect("a file").path();
        let name = path.file_name().unwrap().to_str().unwrap();
        let Some(name) = name.strip_suffix(".sizes.csv") else {
            continue;
        };
        let system = system(name).unwrap_or_else(|| panic!("{name} has a file of measured sizes, but this crate does not know a system of that name"));
        let mut wrong = Vec::new();
        for line in fs::read_to_string(&path).expect("a text").lines().skip(1) {
            let fields: Vec<_> = line.split(',').collect();
            let [items, rate, bits, hashes] = fields[..] else {
                panic!("{name}: {line}");
            };
            let (items, rate) = (items.parse().unwrap(), rate.parse().unwrap());
            // Requests above `most_items` are skipped. This limit is 32 for PostgreSQL, the most columns of an index. It is
            // 5,000 for LevelDB, which itself takes more: with more keys, this crate may have no useful bounds of the rate.
            if items > system.sizing.most_items {
                continue;
            }
            let built = system.build(request(system, items, rate)).ok();
            let built = built.map(|built| (built.bits, built.hashes));
            let theirs = bits.parse().ok().zip(hashes.parse().ok());
            // A filter without hashes returns true for every query. Some systems build such a filter, but this crate refuses
            // it.
            let theirs = theirs.filter(|(_, hashes)| *hashes > 0);
            compared += 1;
            if built != theirs {
                wrong.push(format!("{line}: {built:?}"));
            }
        }
        assert!(wrong.is_empty(), "{name}, {}: {wrong:#?}", wrong.len());
        files += 1;
    }
    assert!(
        files >= 21 && compared > 20_000,
        "{files} files, {compared} requests"
    );
}

/// Each row is the size of a filter for n and p. The sizes are computed with mpmath 1.3 (Python) at 60 digits and without this
/// crate, from (ln 2)^2 and ln 2 cut or rounded to the digits that the system has. One unit more or less in the last digit of
/// such a constant changes a row.
#[test]
fn the_last_digit_of_a_systems_own_constant_matters() {
    const TERA: u64 = 1_000_000_000_000;
    for (name, items, rate, bits, hashes) in [
        // With 0.4804530139182 for (ln 2)^2 and p in single precision, m is 9,585,058,423,889.69,
        // rounded up.
        ("pyprobables", TERA, 0.01, 9_585_058_423_890, 7),
        // With 0.69314 for ln 2, m is 9,585,256,970,560.04, rounded up to whole bytes.
        ("kudu", TERA, 0.01, 9_585_256_970_568, 6),
        // With (ln 2)^2 itself, m is 9,585,058,377,367.44, rounded up.
        ("bits-and-blooms", TERA, 0.01, 9_585_058_377_368, 7),
        // Redis takes at most 2^30 items, so the next two rows cannot have n = 10^12 like those above.
        // With 0.480453013918201 for (ln 2)^2, m before rounding is 0.00012 above 64 j + 1 in the first
        // of them and 0.00016 below it in the second, each with its own whole j. Redis rounds m down,
        // then up to a multiple of 64: to 64 (j + 1) in the first row, to 64 j in the second. A unit in
        // the last digit of the constant changes m by 0.00032, and rounding in f64 by at most 0.00006.
        (
            "redis-nonscaling",
            1_073_613_618,
            1e-30,
            154_359_738_112,
            100,
        ),
        (
            "redis-nonscaling",
            1_073_468_984,
            1e-30,
            154_338_943_168,
            100,
        ),
        // With 0.693147180559945 for ln 2, k before it is rounded up is 8e-15 above 10 in the first of
        // the next two rows, and 8e-15 below 10 in the second. A unit in the last digit of the constant
        // changes k by 1.4e-14, and rounding in f64 by at most 4e-15.
        (
            "redis-nonscaling",
            1_000,
            0.000_976_562_499_999_997_8,
            14_464,
            11,
        ),
        (
            "redis-nonscaling",
            1_000,
            0.000_976_562_500_000_008_7,
            14_464,
            10,
        ),
    ] {
        let built = system(name).unwrap().build(Request::for_rate(items, rate));
        let built = built.map(|built| (built.bits, built.hashes));
        assert_eq!(
            built,
            Ok((bits, hashes)),
            "{name} with n = {items}, p = {rate}"
        );
    }
}

#[test]
fn a_refusal_says_why_whatever_is_asked() {
    let request = Request::for_rate(u64::MAX, 1.0 - f64::EPSILON / 2.0);
    for system in SYSTEMS {
        if let Err(refusal) = system.build(request) {
            let text = refusal.to_string();
            assert!(text.contains("must be"), "{}: {text}", system.name);
        }
    }
    let refusal = system("hbase").unwrap().build(request).unwrap_err();
    let text = "hashes must be at most 255, got 726818";
    assert_eq!(refusal.to_string(), text);
}

#[test]
fn a_rate_that_becomes_0_is_refused_with_the_highest_such_rate() {
    let least_single = f64::from(f32::from_bits(1)) / 2.0;
    for (name, least) in [
        ("redis", 5e-324),
        ("redis-2", 5e-324),
        ("hbase", least_single),
        ("hadoop", least_single),
    ] {
        let system = system(name).unwrap();
        let built = |rate| system.build(Request::for_rate(10, rate));
        let got = least;
        let refusal = Refusal::RateNotAbove { least, got };
        assert_eq!(built(least), Err(refusal), "{name}");
        let above = built(f64::from_bits(least.to_bits() + 1));
        let is_refused = matches!(above, Err(Refusal::RateNotAbove { .. }));
        assert!(!is_refused, "{name}: {above:?}");
    }
}

#[test]
fn the_memory_of_the_only_size_does_not_depend_on_the_rate() {
    let only = system("large-data").unwrap();
    let rates = Rates::new(only);
    let refusal = Refusal::Memory {
        least: 1 << 25,
        got: 1_000,
        for_rate: false,
    };
    assert_eq!(only.most(1_000, 0.01, &rates.judge(0.01)), Err(refusal));
}
