//! Tests the most items that a library holds in a given memory: `--like` with m and p, against
//! values computed by hand.

use crate::common::{json, misses, object, prints, refusals, refused, run, solves};
use bloom_testing::rows;

/// Each row has a question, n and m.
const FULL: &str = "
    # n times 9.58505837736744 bits are cut to 127,999,999,994. With one more item they would be 128,000,000,004, above 16 GB.
    $ -m 16GB -p 1% --like guava => 13354117936 => 128000000000
    $ -m 9600 -p 1% --like spark => 1001 => 9600
    # The next item takes a byte more.
    $ -m 9599 -p 1% --like rbloom => 1000 => 9592
    $ -m 9585 -p 1% --like bits-and-blooms => 999 => 9576
    # Cassandra takes 10 bits per item and 20 more, up to a multiple of 64: 9,984 bits have room for 996 items.
    $ -m 10000 -p 1% --like cassandra => 996 => 9984
    # Redis sizes for p/2, and takes at most 2^30 items whatever the memory.
    $ -m 1TB -p 1% --like redis => 1073741824 => 11840960128
";

#[test]
fn with_m_and_p_a_library_solves_for_the_most_items_that_it_puts_there() {
    for (line, expected) in rows(FULL) {
        let answer = solves(line, ["n", "m"], &expected);
        assert_eq!(answer["solved"], serde_json::json!(["n", "m", "k"]));
        // The filter is the one that the library builds for n and p.
        let (_, rest) = line.split_once("-p ").unwrap();
        let same = object(&format!("-n {} -p {rest}", answer["n"]));
        for key in ["m", "k", "p", "met", "bytes"] {
            assert_eq!(answer[key], same[key], "{line} {key}");
        }
        assert_eq!(answer["like"]["promised"], same["like"]["promised"]);
    }
}

#[test]
fn one_item_more_takes_more_memory_than_given() {
    let names = [
        "guava",
        "spark",
        "redis",
        "parquet",
        "parquet-java",
        "cassandra",
        "fastbloom",
        "bloomfilter",
        "bits-and-blooms",
        "rbloom",
        "pyprobables",
        "to-visit-queue",
    ];
    for name in names {
        for (m, p) in [(4_096_u64, "1%"), (1_000_000, "0.1%"), (8_000_000, "20%")] {
            let (_, answer) = json(&format!("-m {m} -p {p} --like {name}"));
            let n = answer["n"].as_u64().unwrap();
            assert!(answer["m"].as_u64().unwrap() <= m, "{name} {m}");
            let (_, more) = json(&format!("-n {} -p {p} --like {name}", n + 1));
            assert!(more["m"].as_u64().unwrap() > m, "{name} {m} {p}: {n}");
        }
    }
}

#[test]
fn the_most_items_of_a_library_are_printed_with_what_bounds_them() {
    misses(
        "-m 16GB -p 1% --like guava",
        &["note: n is the most that it puts in 16,000,000,000 bytes (14.9 GiB)\n"],
    );
    prints(
        "-m 1TB -p 1% --like guava",
        &["note: n is the most that it sizes a filter for at this p; 1,000,000,000,000 bytes"],
    );
    // A library with a capped size takes more items, but no more bits.
    misses(
        "-m 10000000 -p 1% --like bip37",
        &["note: with more items its filter stays at 36,000 bytes (35.2 KiB)\n"],
    );
    misses(
        "-m 10000000 -p 1% --like bip37 --explain",
        &["n = 30,047, the most items before m is cut to its limit, 288,000\n"],
    );
    prints(
        "-m 1TB -p 1% --like redis --explain",
        &["n = 1,073,741,824, the most items that it takes at this p\n"],
    );
    let out = misses(
        "-m 1GB -p 1% --like parquet",
        &["note: with more items its filter stays at 134,217,728 bytes (128 MiB)\n"],
    );
    assert!(!out.contains("whatever p is requested"), "{out}");
    let out = prints(
        "-m 16GB -p 1% --like guava --explain",
        &[
            "Asked: the most items that guava puts in that, and its rate.",
            "n = 13,354,117,936, the most items for which the steps below give at most\n",
        ],
    );
    assert!(!out.contains("left over"), "{out}");
    refused(
        "-m 40 -p 1% --like guava",
        &["m must be at least 64, the least that guava builds for this p, got 40"],
    );
    refusals(
        r"
        $ -m 511 -p 1% --like rocksdb => m must be at least 512, the least that rocksdb builds, got 511
        $ -m 1MB -p 1e-300 --like rocksdb
          p must be at least what rocksdb keeps with one item in m = 8,000,000, got 1e-300
        $ -m 1MB --like spark => got m alone
        $ -m 1MB -p 1% --like large-data => takes n alone, got m and p
        $ -m 1MB -p 0.7 --like rbloom => rbloom builds a filter without bits or hashes for this p
        $ -m 1MB -p 1e-6 --like cassandra => cassandra takes only p above 6.71e-5
    ",
    );
}

#[test]
fn bits_of_m_that_a_library_does_not_use_are_not_called_left_over() {
    // RocksDB uses at most 100 bits per item, so almost half of m is unused. These bits are not left over from whole blocks.
    let out = prints(
        "-n 1000 -m 200000 --like rocksdb --explain",
        &["196 blocks of 512 bits"],
    );
    assert!(!out.contains("left over"), "{out}");
}

/// For a library that takes bits per item, n is the largest number of items that keeps p. The printed filter is the one that the
/// library builds for n and the m of the derivation. With one more item, no m up to the given m keeps p.
#[test]
fn with_m_and_p_a_library_that_takes_bits_solves_for_the_items_that_keep_p() {
    for (name, unit) in [("rocksdb", 512), ("sbbf-rs-safe", 256)] {
        for (m, p) in [
            (512_u64, "50%"),
            (4_096, "1%"),
            (100_000, "0.1%"),
            (1_000_000, "1%"),
        ] {
            let (code, answer) = json(&format!("-m {m} -p {p} --like {name}"));
            assert_eq!((code, &answer["met"]), (0, &true.into()), "{name} {m} {p}");
            assert_eq!(answer["solved"], serde_json::json!(["n", "m", "k"]));
            assert!(answer["like"]["promised"].is_null());
            let n = answer["n"].as_u64().unwrap();
            let built = answer["m"].as_u64().unwrap();
            assert!(
                built <= m && built + unit > m - m / 100,
                "{name} {m} {p}: {built}"
            );
            let first = answer["like"]["rule"][0].as_str().unwrap();
            let given = first.split(" are given").next().unwrap();
            let given = given.split("m = ").last().unwrap().replace(',', "");
            let (_, same) = json(&format!("-n {n} -m {given} -p {p} --like {name}"));
            for key in ["n", "m", "k", "p", "met"] {
                assert_eq!(answer[key], same[key], "{name} {m} {p}: {key}");
            }
            let more = n + 1;
            let step = if name == "rocksdb" {
                1.max(m / 1_000)
            } else {
                more
            };
            for asked in (1..=m / step).map(|units| units * step) {
                let line = format!("-n {more} -m {asked} -p {p} --like {name} --get m");
                let (code, built, _) = run(&line);
                let keeps = code == 0 && built.trim().parse::<u64>().unwrap() <= m;
                assert!(
                    !keeps,
                    "{name} {m} {p}: {more} items keep p with m = {asked}"
                );
            }
        }
    }
    prints(
        "-m 64kB -p 1% --like rocksdb",
        &["note: with one more item its filter of at most 64,000 bytes (62.5 KiB) misses p\n"],
    );
}

/// Valkey limits the memory under one key of the database, and the limit holds for all filters of that key together. If an
/// error already names a limit, no hint repeats it.
#[test]
fn limits_of_a_system_hold_for_all_that_it_builds() {
    prints("-n 35M -p 1% --like valkey --grow 2x", &["refused"]);
    let (_, out, _) = run("-n 1M -p 1% --like valkey --grow 2x");
    assert!(!out.contains("refused"), "{out}");
    let (code, _, err) = run("-n 1M -p 1% --like hbase");
    assert!(code == 2 && !err.contains("hint"), "{err}");
    let (_, out, _) = run("-n 32 -m 400 --like postgres-bloom");
    assert!(!out.contains("64 items"), "{out}");
    for system in ["cassandra", "scylla"] {
        let (code, _, err) = run(&format!("-n 1000 -p 0.0000671 --like {system}"));
        let said = format!("{system} takes only p above 6.71e-5, got 6.71e-5");
        assert!(code == 2 && err.contains(&said), "{err}");
    }
}
