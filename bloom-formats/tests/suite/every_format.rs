//! Tests that are the same for every format: a filter is read, queried, built, merged and written as the system of its format
//! does it.

use crate::common::{check_rate_of, difference, malformed};
use crate::formats;
use bloom_formats::{Field, Format, Key, Rule};
use bloom_testing::assert_bytes;

#[test]
fn every_answer_is_that_of_the_system() {
    for tested in formats::all() {
        for (case, filter) in tested.filters() {
            case.check(|query| filter.contains(query.of_any()).unwrap());
        }
    }
}

#[test]
fn a_filter_that_is_read_is_written_byte_for_byte() {
    for tested in formats::all() {
        for (case, filter) in tested.filters() {
            assert_bytes!(filter.to_bytes().unwrap(), case.bytes, "{}", case.name);
        }
    }
}

#[test]
fn a_filter_that_is_built_or_merged_from_parts_has_the_bytes_of_the_system() {
    for tested in formats::all() {
        for (case, filter) in tested.filters() {
            let name = &case.name;
            let [mut whole, mut first, mut second] = [(); 3].map(|()| (tested.created)(&case));
            for (index, item) in case.items.iter().enumerate() {
                let item = item.of_any();
                // An insert returns true exactly if the filter did not contain the key before.
                let held = whole.contains(item).unwrap();
                // DataSketches does not insert the empty string.
                let is_none = whole.format() == Format::DataSketches && item == Key::Text(&[]);
                assert_eq!(whole.insert(item), Ok(!held && !is_none), "{name}");
                assert_eq!(whole.contains(item), Ok(!is_none), "{name}");
                let part = [&mut first, &mut second][index % 2].as_mut();
                part.insert(item).unwrap();
            }
            assert_bytes!(whole.to_bytes().unwrap(), case.bytes, "{name}");
            let Some(merged) = tested.merged else {
                continue;
            };
            let bytes = merged(&case, [&*first, &*second]);
            first.merge(&*second).unwrap();
            assert_bytes!(first.to_bytes().unwrap(), bytes, "{name}");
            assert_eq!(first.fill(), filter.fill(), "{name}");
            let read = (tested.reads.owned)(&bytes).unwrap();
            assert_bytes!(read.to_bytes().unwrap(), bytes, "{name}");
        }
    }
}

#[test]
fn filters_of_other_sizes_are_not_merged() {
    for tested in formats::all() {
        let (mut ours, theirs) = ((tested.new)(100), (tested.new)(1_000));
        let (format, before) = (ours.format(), ours.to_bytes().unwrap());
        let merged = [
            ours.merge(&*theirs),
            ours.merge_bytes(&theirs.to_bytes().unwrap()),
        ];
        assert_bytes!(ours.to_bytes().unwrap(), before, "{format}");
        for merged in merged {
            assert!(merged.is_err(), "{format} filters of two sizes are merged");
            match format {
                Format::RedisBloom => assert_eq!(merged.unwrap_err().rule, Rule::NoMerge),
                Format::Dcso => assert_eq!(difference(merged), Field::ExpectedItems),
                _ => assert_eq!(difference(merged), Field::Bits, "{format}"),
            }
        }
    }
}

#[test]
fn the_readings_agree_with_what_the_system_reports() {
    let (mut sizes, mut fills) = (0, 0);
    for tested in formats::all() {
        for (case, filter) in tested.filters() {
            let (name, shape) = (&case.name, filter.shape());
            for (reading, reported) in [
                (shape.bits(), "bit_size"),
                (shape.bits(), "m"),
                (shape.hashes().into(), "k"),
            ] {
                if let Some(reported) = case.count("peer_reports", reported) {
                    assert_eq!(reading, reported, "{name}");
                    sizes += 1;
                }
            }
            for reported in ["cardinality", "bits_used"] {
                if let Some(ones) = case.number("peer_reports", reported) {
                    assert_eq!(filter.fill(), ones / shape.bits() as f64, "{name}");
                    fills += 1;
                }
            }
            let (items, distinct) = (filter.estimated_items().unwrap(), case.distinct());
            let off = (items.items - distinct as f64).abs();
            assert!(
                off <= 6.0 * items.standard_deviation,
                "{name}: {items:?}, has {distinct}"
            );
            assert_eq!(filter.warnings(), [], "{name}");
        }
    }
    // In these sums, each number is the number of filters of one system. The factor 2 is for the systems that report both m and
    // k. Guava and Spark report m alone. For Parquet, Redis and Hadoop, the manifests have none of these three names.
    assert_eq!((sizes, fills), (5 + 7 + 2 * (4 + 5 + 4 + 3 + 3), 7 + 5));
}

#[test]
fn the_rate_is_that_of_random_queries() {
    for tested in formats::all() {
        for (case, filter) in tested.filters() {
            let takes_numbers = filter.contains(Key::Long(0)).is_ok();
            let contains = |query: i64| {
                let bytes = query.to_be_bytes();
                let bytes = Key::Bytes(&bytes);
                let key = if takes_numbers { query.into() } else { bytes };
                filter.contains(key).unwrap()
            };
            let rate = filter.false_positive_rate();
            check_rate_of(&case.about(&*filter), tested.queries, rate, contains);
        }
    }
}

#[test]
fn every_prefix_is_refused() {
    for tested in formats::all() {
        for (case, _) in tested.filters() {
            // A file of DCSO may end with data that a program attached. If only these are cut, the file is still a filter.
            let data = case.facts["params"]["data"].as_str().map_or(0, str::len);
            for end in 0..case.bytes.len() - data {
                let cut = (tested.reads.lenient)(&case.bytes[..end]);
                assert!(cut.is_err(), "{} cut to {end}", case.name);
            }
        }
    }
}

#[test]
fn damaged_files_that_the_system_refuses_are_refused() {
    for tested in formats::all() {
        let cases = malformed(tested.name());
        assert_eq!(cases.len(), tested.damaged, "{}", tested.name());
        for (bytes, mutation, system) in cases {
            let name = format!("{} {mutation}: {system}", tested.name());
            let read = (tested.reads.owned)(&bytes);
            let lenient = (tested.reads.lenient)(&bytes);
            if mutation == "none" {
                assert!(read.is_ok() && lenient.unwrap().1.is_empty(), "{name}");
            } else if system.starts_with("error") {
                assert!(read.is_err() && lenient.is_err(), "{name}");
            } else {
                // A damaged file that the system accepts is tested in the module of its format.
                assert!(system.starts_with("accepted"), "{name}");
            }
        }
    }
}
