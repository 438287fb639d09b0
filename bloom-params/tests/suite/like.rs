//! Tests the filters that other libraries build, against values computed by hand from the source of
//! each library, without this crate.

use bloom_core::math::exact;
use bloom_systems::double_hashing::{Scheme, excess};

use crate::common::{json, manual, misses, prints, refusals, refused, run, solves};
use bloom_testing::{assert_has, rows};

/// Each row has a question, m and k.
const WORKED: &str = "
    # 9585.06 bits are cut to 9585, and then rounded up to a multiple of 64; -log2 p is 6.64, rounded to 7.
    $ -n 1000 -p 1% --like guava => 9600 => 7
    $ -n 5000 -p 0.1% --like guava => 71936 => 10
    $ -n 1M -p 0.1% --like guava => 14377600 => 10
    $ -n 1 -p 1e-9 --like guava => 64 => 30
    $ -n 1000 -p 1% --like spark => 9600 => 7
    # k is computed from 43 bits, before these are rounded up to 64.
    $ -n 1 -p 1e-9 --like spark => 64 => 30
    $ -n 1000 -m 9601 --like spark => 9664 => 7
    $ -n 1000 -p 1% --like spark-dataframe => 9600 => 7
    # As built by Spark 4.3.0: 143,775,875 bits are wanted, and k is computed for 67,108,864 bits and 4,000,000 items.
    $ -n 10M -p 0.1% --like spark-dataframe => 67108864 => 12
    # 36,492,055 bits are granted, but k is computed for 4,000,000 items.
    $ -n 5M -p 3% --like spark-dataframe => 36492224 => 6
    $ -n 10M -m 200000001 --like spark-dataframe => 67108864 => 12
    # Redis sizes for p/2: 11027.75 bits and 7.64 hashes, both rounded up.
    $ -n 1000 -p 1% --like redis => 11072 => 8
    $ -n 20M -p 5% --like redis => 153558400 => 6
    # 0.4 is reduced to 0.25; half of that needs 3 hashes, or with 15 digits of ln 2 a little more.
    $ -n 1000 -p 40% --like redis => 4352 => 4
    # k is computed from the bits per item, which are a little more than 2064.4966 bits / 477.
    $ -n 477 -p 25% --like redis => 2112 => 4
    $ -n 300 -p 1% --like redis-nonscaling => 2880 => 7
    $ -n 1000 -p 1% --like redis-nonscaling => 9600 => 7
    $ -n 20M -p 5% --like redis-nonscaling => 124704512 => 5
    # Valkey sizes as the crate bloomfilter does. Its first filter is built for p itself.
    $ -n 1000 -p 1% --like valkey => 9592 => 7
    $ -n 1 -p 1e-9 --like valkey => 48 => 33
    # 1210 bytes are rounded up to a power of two.
    $ -n 1000 -p 1% --like parquet => 16384 => 8
    $ -n 1 -p 10% --like parquet => 256 => 8
    # Parquet builds at most 128 MiB; 365 MB would be needed.
    $ -n 200M -p 0.1% --like parquet => 1073741824 => 8
    $ -n 1000 -p 1% --like parquet-java => 16384 => 8
    # parquet-java builds at most 1 MiB by default.
    $ -n 1M -p 0.1% --like parquet-java => 8388608 => 8
    $ -n 1 -p 10% --like parquet-java => 256 => 8
    # 1,250,000 bytes are rounded up to whole cache lines of 64 bytes.
    $ -n 1M -m 10M --like rocksdb => 10000384 => 6
    $ -n 1000 -m 28000 --like rocksdb => 28160 => 13
    $ -n 1000 -m 28001 --like rocksdb => 28160 => 13
    $ -n 1000 -m 50000 --like rocksdb => 50176 => 24
    $ -n 1000 -m 50001 --like rocksdb => 50176 => 24
    # From half a bit to one bit per item RocksDB uses one, above 100 it uses 100.
    $ -n 10000 -m 5000 --like rocksdb => 10240 => 1
    $ -n 10000 -m 6000 --like rocksdb => 10240 => 1
    $ -n 1000 -m 200000 --like rocksdb => 100352 => 24
    # RocksDB builds at most 2^32 - 64 bytes.
    $ -n 10G -m 100G --like rocksdb => 34359737856 => 2
    # Cassandra takes 10 bits per item, with which 5 hashes suffice. It adds 20 bits, and rounds up to whole words.
    $ -n 1000 -p 1% --like cassandra => 10048 => 5
    $ -n 1000 -p 0.1% --like cassandra => 15040 => 7
    $ -n 1000 -p 10% --like cassandra => 5056 => 3
    $ -n 1000 -p 0.0000675 --like cassandra => 20032 => 14
    # Cassandra takes 3 bits per item, with which one hash has the rate 0.283. With 2 bits, the rate is at least 0.393.
    $ -n 1000 -p 0.3 --like cassandra => 3072 => 1
    $ -n 1000 -p 0.393 --like cassandra => 1024 => 2
    $ -n 1000 -p 1% --like fastbloom => 9600 => 7
    # k is computed from the 64 bits to which m is rounded up.
    $ -n 1 -p 1e-9 --like fastbloom => 64 => 44
    $ -n 1000 -m 10000 --like fastbloom => 10048 => 7
    $ -n 1000 -p 1% --like bloomfilter => 9592 => 7
    $ -n 1 -p 1e-9 --like bloomfilter => 48 => 33
    $ -n 1000 -m 10001 --like bloomfilter => 10008 => 7
    # m is 2^53 + 1, which no f64 holds.
    $ -n 1e15 -m 9007199254740993 --like bloomfilter => 9007199254741000 => 6
    $ -n 1000 -m 10000 --like sbbf-rs-safe => 10240 => 8
    $ -n 1000 -p 1% --like bits-and-blooms => 9586 => 7
    $ -n 20M -p 5% --like bits-and-blooms => 124704485 => 5
    $ -n 1000 -p 1% --like bits-and-blooms-1 => 9585 => 7
    $ -n 1 -p 1e-9 --like bits-and-blooms-1 => 43 => 30
    $ -n 1000 -p 1% --like datasketches => 9600 => 7
    # 2885.39 bits are rounded up to 2886, so (m/n) ln 2 is a little more than 2, and k is 3.
    $ -n 1000 -p 25% --like datasketches => 2944 => 3
    $ -n 1 -p 1e-9 --like datasketches => 64 => 31
    $ -n 540 -p 3% --like datasketches => 3968 => 6
    $ -n 1000 -p 1% --like dcso => 9585 => 7
    $ -n 1 -p 50% --like dcso => 1 => 1
    $ -n 1 -p 1e-9 --like dcso => 43 => 30
    $ -n 100 -p 0.1% --like dcso => 1437 => 10
    $ -n 1000 -p 1% --like rbloom => 9592 => 6
    $ -n 1 -p 1e-9 --like rbloom => 48 => 29
    $ -n 1000 -p 1% --like pyprobables => 9586 => 7
    # In single precision, p is a little more than 0.05.
    $ -n 20M -p 5% --like pyprobables => 124704484 => 4
    $ -n 1000 -p 1% --like golang-implemented => 9586 => 7
    $ -n 2000 -p 1% --like golang-implemented => 19171 => 7
    $ -n 1G -p 1e-4 --like to-visit-queue => 19170116754 => 14
    $ -n 1000 -p 1% --like to-visit-queue => 9585 => 7
    $ -n 1M --like large-data => 33554432 => 7
";

#[test]
fn each_library_builds_what_its_source_says() {
    for (line, expected) in rows(WORKED) {
        let answer = solves(line, ["m", "k"], &expected);
        let (_, name) = line.split_once("--like ").unwrap();
        assert_eq!(answer["like"]["name"], name);
    }
    // The rules of other libraries are compared in bloom-systems with filters that the libraries built.
    let help = manual("");
    let documents = ["golang-implemented", "to-visit-queue", "large-data"];
    assert!(documents.iter().all(|name| help.contains(name)));
}

#[test]
fn the_rate_is_that_of_the_filter_built_and_not_the_one_promised() {
    for (line, [same, code]) in rows(
        r"
        $ -n 2000 -p 1% --like fastbloom => -n 2000 -m 19200 -k 7 -p 1% => 0
        $ -n 200M -p 0.1% --like parquet => -n 200M -m 2^30 -p 0.1% --filter split-block => 1
        $ -n 1M -m 10M --like rocksdb => -n 1M -m 10000384 -k 6 --filter plain-blocked => 0
        # A target may be given beside m, and the filter is checked against it.
        $ -n 1M -m 10M -p 0.5% --like rocksdb => -n 1M -m 10000384 -k 6 -p 0.5% --filter plain-blocked => 1
    ",
    ) {
        let (found, answer) = json(line);
        let (expected, other) = json(&same);
        assert_eq!(
            [found, expected].map(|code| code.to_string()),
            [&*code; 2],
            "{line}"
        );
        for key in ["p", "ln_p", "met", "fill", "bytes"] {
            assert_eq!(answer[key], other[key], "{line} {key}");
        }
        let promised = line.contains("-p") && !line.contains("-m");
        assert_eq!(answer["like"]["promised"].is_number(), promised, "{line}");
    }
    // For p = 0.5, Cassandra builds a filter with p = 0.75.
    let (code, answer) = json("-n 1M -p 0.5 --like cassandra");
    let p = answer["p"].as_f64().unwrap();
    assert!(code == 1 && (p - 0.7476).abs() < 1e-4, "{p}");
}

#[test]
fn the_rate_of_a_capped_filter_is_the_one_that_spark_measured() {
    let (code, answer) = json("-n 10M -p 0.1% --like spark-dataframe");
    // In Spark 4.3.0, a share of 0.111 of 10^7 absent keys passed the filter. Its `expectedFpp` is 0.1112.
    let p = answer["p"].as_f64().unwrap();
    assert!(code == 1 && (p - 0.1112).abs() < 5e-5, "{p}");
    let parts = [
        "at most 67,108,864: 67,108,864\n",
        "n is at most 4,000,000 for k\n",
        "k = (m/n) ln 2 = 11.6291, rounded: 12\n",
        "note: it takes at most 8,388,608 bytes (8 MiB), whatever p is requested\n",
    ];
    prints("-n 10M -p 0.1% --like spark-dataframe --explain", &parts);
    // Below its limits on items and on bits, spark-dataframe builds the filter of Spark's sketch library.
    let size = |name| {
        let (_, answer) = json(&format!("-n 3M -p 3% --like {name}"));
        (
            answer["m"].clone(),
            answer["k"].clone(),
            answer["p"].clone(),
        )
    };
    assert_eq!(size("spark"), size("spark-dataframe"));
}

#[test]
fn valkey_adds_filters_of_half_the_rate_and_stops_at_its_memory() {
    let p = |line: &str| json(line).1["p"].as_f64().unwrap();
    let first = p("-n 1000 -p 1% --like valkey");
    let second = p("-n 2000 -p 0.5% --like bloomfilter");
    let out = json("-n 1000 -p 1% --like valkey --grow 3x").1;
    let grown = &out["grow"]["rows"][0]["then"]["p"];
    let (expected, found) = (
        1.0 - (1.0 - first) * (1.0 - second),
        grown.as_f64().unwrap(),
    );
    // Both filters are full. Keys whose bits were all set were rejected as already present, so the accepted keys set more bits
    // than as many random keys, and the rate is higher.
    let more = found / expected - 1.0;
    assert!((0.001..0.01).contains(&more), "{found} {expected}");
    // The limit is 128 MiB, and 264 bytes of that hold no bits of the filter.
    refused(
        "-n 200M -p 1% --like valkey",
        &["valkey builds no filter of 1,917,011,680 bits: it takes 1 to 1,073,739,712"],
    );
}

#[test]
fn a_librarys_filter_takes_the_options_of_any_filter() {
    let line = "-n 2000 -p 1% --like rbloom";
    assert_eq!(run(&format!("{line} --get k")).1, "6\n");
    let out = prints(
        &format!("{line} --overfill --spread --lookups 1M"),
        &["overfilled:", "above the target", "1,000,000 lookups"],
    );
    let notes = [
        "note: this is what rbloom (1.5.4) builds; it promises 0.01, and p is its true rate, for ideal hashes\n",
        "note: k is rounded down\n",
    ];
    assert_has(line, &out, &notes);
    prints(
        &format!("{line} --explain"),
        &[
            "2. The rule of rbloom (1.5.4)",
            "Source: KenanHanke/rbloom, src/lib.rs at v1.5.4.",
            "m = -n ln p / (ln 2)^2 = 19,170.1168, rounded down: 19,170",
            "k = (m/n) ln 2 = 6.64386, rounded down: 6",
            "k is the library's choice.",
        ],
    );
    prints(
        "-n 2e8 -p 0.1% --like parquet",
        &["it takes at most 134,217,728 bytes (128 MiB), whatever p is requested"],
    );
}

#[test]
fn double_hashing_is_reported_where_it_matters() {
    let remark = "with ideal hashes p would be";
    assert!(run("-n 20 -p 1% --like guava").1.contains(remark));
    assert!(!run("-n 1M -p 1% --like guava").1.contains(remark));
    assert!(!run("-n 20 -p 1% --like fastbloom").1.contains(remark));
}

/// The p for a library that uses double hashing is the exact rate of its size with ideal hashes, plus the upper bound of what
/// double hashing in the library's arithmetic adds.
#[test]
fn the_rate_includes_what_the_double_hashing_of_the_library_adds() {
    let wrapping = |bits| Scheme::Wrapping { bits };
    let without_second = Scheme::WrappingWithoutSecond { bits: 64 };
    for (line, scheme) in [
        ("-n 5000 -p 0.1% --like guava", wrapping(63)),
        ("-n 300 -p 1% --like redis-nonscaling", wrapping(64)),
        ("-n 1000 -m 9601 --like spark", Scheme::Modular { bits: 32 }),
        ("-n 1000 -p 0.1% --like cassandra", Scheme::Reflected),
        ("-n 1000 -p 1% --like bloomfilter", without_second),
        (
            "-n 1000 -p 1% --like bits-and-blooms-1",
            Scheme::Modular { bits: 32 },
        ),
        ("-n 1000 -p 1% --like golang-implemented", wrapping(32)),
        ("-n 1000 -p 1% --like to-visit-queue", wrapping(64)),
    ] {
        assert!(WORKED.contains(&format!("$ {line} =>")), "{line}");
        let (code, answer) = json(line);
        let [n, m, k] = ["n", "m", "k"].map(|key| answer[key].as_u64().unwrap());
        let k = k as u8;
        let ideal = exact::rate(n, m, k).unwrap().value();
        let p = ideal + excess(scheme, n, m, k).unwrap().high;
        for (found, expected) in [(&answer["like"]["ideal_p"], ideal), (&answer["p"], p)] {
            let found = found.as_f64().unwrap();
            assert!((found / expected - 1.0).abs() < 1e-15, "{line}: {found}");
        }
        let met = answer["asked"]["p"].as_f64().map(|target| p <= target);
        assert_eq!(answer["met"], serde_json::json!(met), "{line}");
        assert_eq!(code, u8::from(met == Some(false)), "{line}");
        // The filter keeps the printed rate.
        let shown: f64 = run(&format!("{line} --get p")).1.trim().parse().unwrap();
        assert!(shown >= p, "{line}: {shown}");
    }
    // The rule of Guava promises 0.001, which ideal hashes would keep.
    let line = "-n 5000 -p 0.1% --like guava --explain";
    let parts = [
        "p     0.00100354          1 in 996.47, target 0.001: not met",
        "note: with ideal hashes p would be 0.000996; double hashing adds 7.8e-6 to 7.9e-6: too much",
        "note: p is 0.354 % over the target",
        "p = 0.000995648 + 7.89234e-6 = 0.00100354",
        "n = 5,000, m = 71,936:  p = 0.00100354  not met",
    ];
    let explained = misses(line, &parts);
    assert!(!explained.contains("in any structure"), "{explained}");
}

/// Guava's filter for 1,000 items at p = 1e-9 has 3,286 times that rate. With Guava's hashing, a size holds fewer items than with
/// ideal hashes.
#[test]
fn the_items_that_a_size_holds_are_those_for_its_double_hashing() {
    misses("-n 100 -p 1% --like guava", &["this size holds 98 items\n"]);
    misses("-n 1000 -p 1e-9 --like guava", &["p     3.2859e-6 "]);
}

#[test]
fn what_a_library_does_not_take_is_refused_with_what_it_takes() {
    refusals(
        r"
        $ -n 5 -p .1 -k 3 --like guava
          --like guava takes n and p, got n, k and p
          bloom-params --n 1k --p 1% --like guava
        $ -n 5 -m 50 --like guava => --like guava takes n and p, got n and m
        $ -p .1 --like spark => got p alone
        $ --like spark => got nothing
        $ -n 5 -m 51 --like sbbf-rs-safe => sbbf-rs-safe takes whole bits per item, got m/n = 10.2
        $ -n 2G -p 1% --like redis => redis takes at most 1,073,741,824 items, got 2,000,000,000
        $ -n 1T -p 1% --like guava
          guava builds no filter of 9,585,058,377,408 bits: it takes 1 to 137,438,953,408
        $ -n 1 -p 0.9 --like guava => guava builds no filter of 0 bits
        $ -n 9 -p 1e-200 --like guava => guava takes k = 664 for this p, and its limit is k = 255
        $ -n 9 -p 1e-200 --like rbloom
          rbloom takes k = 664 for this p, and rates are computed up to k = 255
        $ -n 9 -p 0.7 --like rbloom
          rbloom builds a filter without bits or hashes for this p, which returns true for every query
        $ -n 9 -p 0.9 --like pyprobables => pyprobables refuses k = 0 for this p
        $ -n 9 -p 1e-5 --like cassandra => cassandra takes only p above 6.71e-5, got 1e-5
        $ -n 100 -m 49 --like rocksdb
          rocksdb builds no filter for less than 0.5 bits per item, got m/n = 0.49
    ",
    );
}

#[test]
fn options_that_a_library_decides_are_named_in_the_error() {
    for flag in [
        "--filter classic",
        "--model textbook",
        "--round 64",
        "--confidence 99%",
        "--block-bits 512",
        "--counter-bits 4",
        "--initial 5",
        "--growth 2",
        "--tightening 0.5",
    ] {
        let (code, _, err) = run(&format!("-n 5 -p .1 --like guava {flag}"));
        let name = flag.split(' ').next().unwrap();
        assert_eq!(code, 2, "{flag}");
        assert!(
            err.contains("--like") && err.contains(name),
            "{flag}: {err}"
        );
    }
    refused(
        "-n 5 -p .1 --like guva",
        &["got guva\nhint: did you mean --like guava?"],
    );
}

#[test]
fn no_request_makes_a_library_panic() {
    let names = ["guava", "redis", "parquet", "parquet-java", "cassandra"];
    let others = ["fastbloom", "pyprobables", "to-visit-queue", "rbloom"];
    for name in names.iter().chain(&others) {
        for n in ["1", "18446744073709551615", "1e15"] {
            for p in ["2.3e-308", "0.9999999999999999", "1e-30", "0.5"] {
                let (code, out, err) = run(&format!("-n {n} -p {p} --like {name}"));
                assert!(
                    out.is_empty() != err.is_empty() && code < 3,
                    "{name} {n} {p}"
                );
            }
        }
    }
    for (name, m) in [
        ("rocksdb", "1"),
        ("rocksdb", "2^63"),
        ("spark", "2^63"),
        ("bloomfilter", "2^63"),
    ] {
        for n in ["1", "18446744073709551615"] {
            let (code, out, err) = run(&format!("-n {n} -m {m} --like {name}"));
            assert!(
                out.is_empty() != err.is_empty() && code < 3,
                "{name} {n} {m}"
            );
        }
    }
}

#[test]
fn double_hashing_can_make_a_filter_miss_the_target() {
    // In a simulation with 20,000,000 queries p is 0.00233, 17 times the p of ideal hashes.
    let (code, out, _) = run("-n 10 -p 0.1% --like guava");
    assert_eq!(code, 1);
    let added = "double hashing adds 0.0018 to 0.0025: too much";
    assert!(out.contains("not met") && out.contains(added), "{out}");
    assert!(!out.contains("over the target\nnote: 10 items"), "{out}");
    let (code, out, _) = run("-n 10 -p 0.1% --like fastbloom");
    assert!(code == 0 && !out.contains("double hashing"), "{out}");
}

#[test]
fn an_unknown_name_gets_a_hint_and_aliases_have_any_case() {
    refused("-n 5 -p .1 --like Lucene", &["hint: Lucene takes no p"]);
    refused("-n 5 -p .1 --like TiKV", &["--like rocksdb"]);
    let (_, answer) = json("-n 1000 -p 1% --like RedisBloom");
    assert_eq!(answer["like"]["name"], "redis");
    assert_eq!((&answer["m"], &answer["k"]), (&11_072.into(), &8.into()));
}

/// Random questions found these cases: a filter that takes no item, and a filter of the largest m that misses p.
#[test]
fn extreme_questions_to_a_library_are_answered_or_refused() {
    for line in [
        "--like hbase -n 1 -p 0.9",
        "--like hbase -n 1 -p 0.999999",
        "--like hbase -m 512 -p 0.9",
        "--like rocksdb -n 7 -m 2^63 -p 1e-40",
        "--like fastbloom -n 7 -m 2^63 -p 1e-40",
    ] {
        let (code, out, err) = run(line);
        assert!(
            code == 2 && err.starts_with("error: ") || code == 1 && out.contains("not met"),
            "{line}: {code} {out}{err}"
        );
    }
}
