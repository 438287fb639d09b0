//! Tests the call that creates the filter of a library, and the value to pass if the library would
//! miss the rate.

use crate::common::{json, misses, prints, refusals, refused, run};
use bloom_params::like::{Argument, SYSTEMS, system};
use bloom_params::{Filter, Query};
use bloom_systems::rule::Takes;
use bloom_testing::{cases, rows};

/// Each row has a library, a question, and the call that creates the library's filter according to its documentation.
const CALLS: &str = r#"
    $ guava => -n 3G -p 50% => BloomFilter.create(Funnels.stringFunnel(UTF_8), 3_000_000_000L, 0.5)
    $ spark => -n 2000 -p 50% => BloomFilter.create(2_000, 0.5)
    $ spark => -n 300M -m 3000000000 => BloomFilter.create(300_000_000, 3_000_000_000L)
    $ spark-dataframe => -n 2000 -p 50% => df.stat().bloomFilter("column", 2_000, 0.5)
    $ spark-dataframe => -n 2M -m 20000000 => df.stat().bloomFilter("column", 2_000_000, 20_000_000)
    $ redis => -n 50M -p 0.1% => BF.RESERVE key 0.001 50000000
    $ redis-nonscaling => -n 50M -p 50% => BF.RESERVE key 0.5 50000000 NONSCALING
    $ valkey => -n 1000 -p 50% => BF.RESERVE key 0.5 1000
    $ parquet
      -n 50M -p 0.1%
      WriterProperties::builder().set_bloom_filter_max_ndv(50_000_000).set_bloom_filter_fpp(0.001).build()
    $ parquet-java
      -n 50000 -p 1e-5
      parquet.bloom.filter.expected.ndv#column=50000\nparquet.bloom.filter.fpp#column=1e-5
    $ rocksdb => -n 1M -m 9.9M => NewBloomFilterPolicy(9.9)
    # RocksDB rounds the bits per item to thousandths, and takes at most 100.
    $ rocksdb => -n 3000 -m 29000 => NewBloomFilterPolicy(9.667)
    $ rocksdb => -n 3 -m 29000 => NewBloomFilterPolicy(100)
    $ cassandra => -n 1000 -p 1% => ALTER TABLE my_table WITH bloom_filter_fp_chance = 0.01;
    $ fastbloom => -n 1000 -p 1% => BloomFilter::with_false_pos(0.01).expected_items(1_000)
    $ fastbloom => -n 1000 -m 9601 => BloomFilter::with_num_bits(9_601).expected_items(1_000)
    $ bloomfilter => -n 1000 -p 50% => Bloom::<str>::new_for_fp_rate(1_000, 0.5)?
    # The crate takes the size in bytes.
    $ bloomfilter => -n 1000 -m 9601 => Bloom::<str>::new(1_201, 1_000)?
    $ sbbf-rs-safe => -n 1000 -m 11000 => Filter::new(11, 1_000)
    $ bits-and-blooms => -n 2000 -p 0.251 => bloom.NewWithEstimates(2_000, 0.251)
    $ bits-and-blooms-1 => -n 2000 -p 0.3 => bloom.NewWithEstimates(2_000, 0.2978)
    $ datasketches => -n 2000 -p 0.26 => BloomFilterBuilder.createByAccuracy(2_000, 0.26)
    $ dcso => -n 2000 -p 0.3 => bloom.Initialize(2_000, 0.2967)
    $ rbloom => -n 1000 -p 0.5 => Bloom(1_000, 0.5)
    $ pyprobables => -n 2000 -p 0.5 => BloomFilter(est_elements=2_000, false_positive_rate=0.5)
    # The program in the document computes m and k, and its constructor takes both.
    $ golang-implemented => -n 2000 -p 0.5 => NewBloomFilter(1, 2_886)
    $ to-visit-queue => -n 2000 -p 0.3 => Filter::new(2_000, 0.2978)
    $ large-data => -n 2000 => new BloomFilter()
"#;

/// Libraries that round the bits down, and not up to words or bytes. Nearly all their filters miss the rate.
const MISS: [&str; 3] = ["bits-and-blooms-1", "dcso", "to-visit-queue"];

#[test]
fn every_library_has_a_call() {
    for (name, [question, call]) in rows(CALLS) {
        let (code, answer) = json(&format!("{question} --like {name}"));
        assert_eq!(answer["like"]["call"], call, "{name} {question}");
        assert_eq!(answer["like"]["pass"].is_number(), MISS.contains(&name));
        if !MISS.contains(&name) {
            assert_eq!(code, 0, "{name} {question}");
            let indented = call.replace('\n', "\n  ");
            let section = format!("\n\nto get this filter:\n  {indented}\n\nnote: ");
            prints(&format!("{question} --like {name}"), &[&section]);
        }
    }
}

/// Every placeholder in a system's call, such as `{n}`, is filled, whichever quantities the system takes.
#[test]
fn every_call_has_the_values_of_its_request() {
    for system in SYSTEMS {
        let query = |bits, rate| Query {
            items: Some(2_345.min(system.sizing.most_items)),
            bits,
            rate,
            ..Query::default()
        };
        let (takes_bits, takes_rate) = match system.sizing.takes {
            Takes::RateOrBits => (true, true),
            Takes::OneSize => continue,
            _ => (!system.takes_rate(), system.takes_rate()),
        };
        for (is_taken, query) in [
            (
                takes_bits,
                query(Some(2_345.min(system.sizing.most_items) * 10), None),
            ),
            (takes_rate, query(None, Some(0.015))),
        ] {
            if !is_taken {
                continue;
            }
            let filter = Filter::of_system(system);
            let built = Query { filter, ..query }.solve();
            let call = built.unwrap().call().unwrap();
            let text = call.code.clone().unwrap_or_default() + &call.text;
            assert!(
                !call.text.is_empty() && !text.contains(['{', '}']),
                "{text}"
            );
            let value = if query.rate.is_some() { "0.01" } else { "" };
            assert!(call.text.contains(value) || system.is_document(), "{text}");
        }
    }
}

/// The sizes were computed by hand from the rules, and the rates by inclusion and exclusion with 60
/// digits.
#[test]
fn a_library_that_misses_the_rate_gets_another_value() {
    for (line, [heading, call]) in rows(
        r"
        # p = 0.00985 gives 19,240 bits and 6 hashes, whose rate is 0.0099886. p = 0.009851 would give 19,232 bits, whose rate
        # is 0.0100066.
        $ -n 2000 -p 1% --like rbloom
          to keep 0.01, pass p = 0.00985 (0.01 gives 0.010134), for m = 19,240 and k = 6:
          Bloom(2_000, 0.00985)
        # In Cassandra's table, 15 bits per item have the rate 0.001 with 7 hashes, and 0.000852 with 8 hashes.
        $ -n 50M -p 0.1% --like cassandra
          to keep 0.001, pass p = 0.0009 (0.001 gives 0.00100285), for m = 750,000,064 and k = 8:
          ALTER TABLE my_table WITH bloom_filter_fp_chance = 0.0009;
        $ -n 1000 -m 9601 -p 0.95% --like fastbloom
          to keep 0.0095, pass m = 9,665 (9,601 gives 0.0096635), for m = 9,728 and k = 7:
          BloomFilter::with_num_bits(9_665).expected_items(1_000)
        $ -n 1M -m 10M -p 0.9% --like rocksdb
          to keep 0.009, pass m/n = 10.163 (10 gives 0.0096632), for m = 10,163,200 and k = 7:
          NewBloomFilterPolicy(10.163)
        $ -n 1000 -m 10000 -p 0.1% --like sbbf-rs-safe
          to keep 0.001, pass m/n = 17 (10 gives 0.011276), for m = 17,152 and k = 8:
          Filter::new(17, 1_000)
        # The given m decides n, and a filter that keeps p for n items does not fit in the given m.
        $ -m 16GB -p 1% --like guava
          to keep 0.01, pass p = 0.009962 (0.01 gives 0.0100393), for m = 128,105,821,632, more than the m given, and k = 7:
          BloomFilter.create(Funnels.stringFunnel(UTF_8), 13_354_117_936L, 0.009962)
    ",
    ) {
        misses(line, &[&format!("\n\n{heading}\n  {call}\n\n")]);
        assert_eq!(json(line).1["like"]["call"], call, "{line}");
    }
}

#[test]
fn where_no_value_keeps_the_rate_the_heading_says_so() {
    for (line, [heading, call]) in rows(
        r"
        $ -n 1M -p 0.1% --like parquet-java
          to get this filter (no p keeps 0.001; parquet.bloom.filter.max.bytes=4194304 and p = 0.0004 keeps it, with m = 33,554,432 and k = 8):
          parquet.bloom.filter.expected.ndv#column=1000000
        $ -n 200M -p 0.1% --like parquet
          to get this filter (no p keeps 0.001):
          WriterProperties::builder().set_bloom_filter_max_ndv(200_000_000).set_bloom_filter_fpp(0.001).build()
        $ -n 1000 -m 10000 -p 1e-30 --like rocksdb
          to get this filter (no m/n keeps 1e-30):
          NewBloomFilterPolicy(10)
        $ -n 100M -p 1% --like large-data
          to get this filter (its only size misses 0.01):
          new BloomFilter()
    ",
    ) {
        misses(line, &[&format!("\n\n{heading}\n  {call}\n")]);
        assert!(json(line).1["like"]["pass"].is_null(), "{line}");
    }
}

/// The filter that a library builds for the passed value keeps the rate, and no other filter for a larger decimal of four
/// digits does. This holds if positions are nearly independent; otherwise the rate does not change smoothly with m.
#[test]
fn a_rate_to_pass_is_the_largest_that_works() {
    for name in ["rbloom", "pyprobables", "fastbloom"] {
        let library = system(name).unwrap();
        let size = |items, rate| {
            let query = Query {
                items: Some(items),
                rate: Some(rate),
                filter: Filter::of_system(library),
                ..Query::default()
            };
            query.solve().unwrap()
        };
        let mut passed = 0;
        for items in [1, 9, 130, 2_000, 50_000_000] {
            for target in [0.3, 0.01, 0.0077, 1e-5] {
                let answer = size(items, target);
                let call = answer.call().unwrap();
                assert_eq!(call.given, Some(Argument::Rate(target)));
                let Some(pass) = call.pass else {
                    continue;
                };
                passed += 1;
                let Argument::Rate(rate) = pass.value else {
                    panic!("{name}: {pass:?}");
                };
                let found = size(items, rate);
                assert_eq!((pass.bits, pass.hashes), (found.bits, found.hashes));
                assert!(found.rate.value() <= target, "{name} {items} {target}");
                let digits = format!("{rate:e}");
                let digits = digits.split('e').next().unwrap().trim_matches('.').len() - 1;
                assert!(digits <= 4, "{rate}");
                // Decimals are tried in steps of the fourth digit, even if the value has fewer digits.
                let step = 10_f64.powi(rate.log10().floor() as i32 - 3);
                let mut next = rate;
                while next + step < target {
                    next += step;
                    let next = size(items, next);
                    let same = (next.bits, next.hashes) == (found.bits, found.hashes);
                    assert!(
                        same || next.rate.value() > target,
                        "{name} {items} {target}: {rate}, {}",
                        next.rate.value()
                    );
                }
            }
        }
        assert!(passed > 0, "{name} never misses");
    }
}

#[test]
fn the_code_alone_is_printed_in_the_language_of_the_library() {
    for (line, parts) in cases(
        r##"
        $ --format python -n 2000 -p 1% --like rbloom => 1
          from rbloom import Bloom
          ""
          "# keeps 0.01 (0.01 gives 0.010134)"
          bloom = Bloom(2_000, 0.00985)
        $ --format python -n 2000 -p 50% --like pyprobables => 0
          from probables import BloomFilter
          ""
          bloom = BloomFilter(est_elements=2_000, false_positive_rate=0.5)
        $ --format java -n 2000 -p 50% --like guava => 0
          import static java.nio.charset.StandardCharsets.UTF_8;
          ""
          import com.google.common.hash.BloomFilter;
          import com.google.common.hash.Funnels;
          ""
          BloomFilter<CharSequence> filter =
          "    BloomFilter.create(Funnels.stringFunnel(UTF_8), 2_000, 0.5);"
        $ --format java -n 1000 -m 12000 -p 1% --like spark => 0
          import org.apache.spark.util.sketch.BloomFilter;
          ""
          BloomFilter filter = BloomFilter.create(1_000, 12_000);
        $ --format go -n 2000 -p 0.251 --like bits-and-blooms => 0
          import "github.com/bits-and-blooms/bloom/v3"
          ""
          filter := bloom.NewWithEstimates(2_000, 0.251)
        $ --format go -n 2000 -p 0.3 --like bits-and-blooms-1 => 1
          import "github.com/willf/bloom"
          ""
          // keeps 0.3 (0.3 gives 0.30243)
          filter := bloom.NewWithEstimates(2_000, 0.2978)
        $ --format java -n 2000 -p 50% --like spark-dataframe => 0
          import org.apache.spark.util.sketch.BloomFilter;
          ""
          BloomFilter filter = df.stat().bloomFilter("column", 2_000, 0.5);
        $ --format java -n 2000 -p 0.26 --like datasketches => 0
          import org.apache.datasketches.filters.bloomfilter.BloomFilter;
          import org.apache.datasketches.filters.bloomfilter.BloomFilterBuilder;
          ""
          BloomFilter filter = BloomFilterBuilder.createByAccuracy(2_000, 0.26);
        $ --format go -n 2000 -p 0.3 --like dcso => 1
          import "github.com/DCSO/bloom"
          ""
          // keeps 0.3 (0.3 gives 0.30247)
          filter := bloom.Initialize(2_000, 0.2967)
        $ --format java -n 1 -p 1e-9 --like spark => 1
          import org.apache.spark.util.sketch.BloomFilter;
          ""
          // no p with up to 60 hashes keeps 1e-9
          BloomFilter filter = BloomFilter.create(1, 1e-9);
    "##,
    ) {
        let (found, out, err) = run(line);
        let code_alone = parts[1..].join("\n") + "\n";
        assert_eq!(
            (found.to_string(), out, err.as_str()),
            (parts[0].clone(), code_alone, ""),
            "{line}"
        );
    }
}

#[test]
fn code_for_another_library_is_refused_with_those_that_have_it() {
    refusals(
        r"
        $ --format python -n 2000 -p 1%
          --format python is for --like rbloom or pybloom-live or pyprobables or python-bitcoinlib, got no --like
          write --like rbloom, or --like pybloom-live, or --like pyprobables, or --like python-bitcoinlib
        $ --format java -n 2000 -p 1% --like rbloom
          --format java is for --like guava or guava-31 or spark or spark-v1 or spark-dataframe or stream-lib or datasketches, got --like rbloom
          for rbloom write --format python
        # golang-implemented has no package to import.
        $ --format go -n 2000 -p 1% --like golang-implemented
          --format go is for --like bits-and-blooms or bits-and-blooms-1 or dcso, got --like golang-implemented
          what to write for golang-implemented is in the answer without --format
        $ --format rust -n 2000 -p 1% --like guava
          --format rust is for --like fastbloom or bloomfilter or sbbf-rs-safe, got --like guava
          for guava write --format java
        $ --format rust -n 2000 -p 1% --like guva
          --like must name a known library, got guva
          did you mean --like guava?
        $ --format python -n 2000 -p 1% --like rbloom --explain
          --format python prints nothing else
          leave out one of them
        $ --format go --json -n 2000 -p 1% --like bits-and-blooms
          --json is --format json, and --format go is given too
    ",
    );
}

/// If no value keeps the rate, the answer names another filter that keeps it. The test solves for each of these filters.
#[test]
fn a_rate_that_no_value_keeps_comes_with_a_filter_that_keeps_it() {
    let limit = "(no p keeps 0.01; parquet.bloom.filter.max.bytes=16777216 keeps it, with m = 134,217,728 and k = 8)";
    let (_, answer) = json("-n 10M -p 1% --like parquet-java");
    assert_eq!(
        answer["like"]["purpose"],
        format!("to get this filter {limit}")
    );
    // The limit of 2^24 bytes is 134,217,728 bits. That many bits, in blocks of 256, keep the rate.
    let (code, kept) = json("-n 10M -m 134217728 -p 1% --filter split-block");
    assert_eq!((code, kept["m"].as_u64()), (0, Some(8 << 24)));
    prints(
        "-n 10M -p 1e-3 --like spark-dataframe",
        &[
            "maxNumItems=10000000",
            "maxNumBits=143777984 and",
            "p = 0.0009999 keeps it, with m = 143,777,984 and k = 10",
        ],
    );
    // The filter misses the passed value by a little, and keeps the requested 0.001.
    let (code, kept) = json("-n 10M -p 0.0009999 --like spark");
    assert_eq!(
        (code, &kept["m"], &kept["k"]),
        (1, &143_777_984.into(), &10.into())
    );
    assert!(kept["p"].as_f64().unwrap() <= 0.001);
    // A filter with room for more items keeps the rate as long as it holds only the items of the
    // question.
    prints(
        "-n 10 -p 1e-6 --like guava",
        &[
            "no p with up to 40 hashes keeps 1e-6; a filter with room for 179 items keeps it, with m = 5,184 and",
        ],
    );
    let room = json("-n 179 -p 1e-6 --like guava").1;
    assert_eq!((&room["m"], &room["k"]), (&5_184.into(), &20.into()));
    refused(
        "-n 2000M -p 1% --like redis",
        &[
            "redis takes at most 1,073,741,824 items",
            "split the items over 2 filters by their hash, each with BF.RESERVE key 0.01 1000000000\n",
        ],
    );
    refused(
        "-n 200 -p 1e-9 --like pebble",
        &[
            "no m of pebble keeps p = 1e-9 for n = 200\nhint: its hash of 32 bits alone has p = 4.66e-8 for n = 200",
        ],
    );
    refused(
        "-n 1e12 -p 0.5 --like rocksdb",
        &[
            "no m of rocksdb keeps p = 0.5 for n = 1,000,000,000,000\nhint: ask for a higher p, or for fewer items",
        ],
    );
    refused(
        "-n 500 -p 1e-60 --like hbase",
        &["hbase takes only p above 7.006492321624085e-46, got 1e-60"],
    );
    refused(
        "-n 1 -p 0.999 --like bip37",
        &[
            "bip37 builds a filter without bits or hashes for this p, which returns true for every query",
        ],
    );
}
