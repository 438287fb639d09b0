//! Tests the filters of RedisBloom. Such a filter is a chain: a list of Bloom filters, which are called links. Tests that are
//! the same for all formats are in `every_format`.

use crate::common::{Case, cases, check_errors, split_mix};
use bloom_formats::{Field, Filter, Must, RedisBloom, RedisGrowth, Rule, Value};

/// Returns an empty chain with the parameters that Redis used.
pub(crate) fn created(case: &Case) -> RedisBloom<'static> {
    let parameter = |name| case.number("params", name);
    let fixed = case.facts["params"]["nonscaling"].as_bool().unwrap();
    let growth = if fixed {
        RedisGrowth::Never
    } else {
        RedisGrowth::By(2)
    };
    // If the filter was created by `BF.ADD`, it has these parameters by default.
    let items = parameter("capacity").unwrap_or(100.0) as u64;
    let rate = parameter("error_rate").unwrap_or(0.01);
    RedisBloom::with_rate(growth, items, rate).unwrap()
}

/// Returns the chunks of a dump.
fn chunks(case: &Case) -> Vec<(u64, Vec<u8>)> {
    let chunks = case.facts["chunks"].as_array().unwrap();
    chunks
        .iter()
        .map(|chunk| {
            let number = |name: &str| chunk[name].as_u64().unwrap();
            let start = number("offset") as usize;
            let end = start + number("length") as usize;
            (number("iter"), case.bytes[start..end].to_vec())
        })
        .collect()
}

fn read(chunks: &[(u64, Vec<u8>)]) -> Result<RedisBloom<'static>, bloom_formats::FormatError> {
    RedisBloom::from_chunks(chunks.iter().map(|(iterator, data)| (*iterator, &data[..])))
}

#[test]
fn a_dump_is_read_and_written_chunk_by_chunk() {
    for case in cases("redisbloom") {
        let filter = RedisBloom::from_bytes(&case.bytes).unwrap();
        assert_eq!(filter.to_chunks().unwrap(), chunks(&case), "{}", case.name);
        assert!(read(&chunks(&case)).unwrap() == filter);
    }
}

#[test]
fn the_logarithm_of_the_rate_is_that_of_redis_to_the_last_digit() {
    // The bits per item were read from dumps of RedisBloom 2.8.2.
    for (rate, bits_per_item) in [
        (0.01, 0x4023_2b8c_c58a_1688_u64),
        (0.003, 0x4028_2e93_9f8f_74a5),
        (0.02, 0x4020_48e3_d8e4_a628),
    ] {
        let filter = RedisBloom::with_rate(RedisGrowth::Never, 100, rate).unwrap();
        let file = filter.to_bytes().unwrap();
        assert_eq!(file[52..60], bits_per_item.to_le_bytes(), "{rate}");
    }
}

#[test]
fn the_readings_agree_with_what_redis_reports() {
    for case in cases("redisbloom") {
        let filter = RedisBloom::from_bytes(&case.bytes).unwrap();
        let info = &case.facts["peer_reports"]["info"];
        assert_eq!(
            info["Number of items inserted"].as_u64(),
            Some(filter.items())
        );
        assert_eq!(
            info["Number of filters"].as_u64(),
            Some(filter.links().count() as u64)
        );
        let expected: u64 = filter.links().map(|link| link.expected_items).sum();
        assert_eq!(info["Capacity"].as_u64(), Some(expected));
        let items = filter.estimated_items().unwrap();
        let deviation = (items.items - filter.items() as f64).abs();
        assert!(
            deviation <= 6.0 * items.standard_deviation,
            "{}: {items:?}",
            case.name
        );
    }
}

#[test]
fn a_chain_that_does_not_grow_refuses_items_when_it_is_full() {
    let mut filter = RedisBloom::with_rate(RedisGrowth::Never, 2, 0.01).unwrap();
    // The rate is 0 and not -0, which would be printed with a minus sign.
    assert_eq!(filter.false_positive_rate().to_bits(), 0);
    assert_eq!(
        (filter.insert(b"a"), filter.insert(b"b")),
        (Ok(true), Ok(true))
    );
    assert_eq!(filter.insert(b"a"), Ok(false));
    let message = "items must be below the expected items, as the chain does not grow, got 2";
    check_errors("RedisBloom", [(filter.insert(b"c"), message)]);
    assert_eq!(filter.items(), 2);
}

#[test]
fn headers_that_redis_or_this_crate_does_not_know_are_refused() {
    let good = RedisBloom::with_rate(RedisGrowth::By(2), 10, 0.01)
        .unwrap()
        .to_bytes()
        .unwrap();
    for (offset, byte, message) in [
        (0, 1, "items must be the sum over all links, got 1"),
        (8, 0, "links must be at least 1, got 0"),
        (8, 9, "bytes must be at least 497, got 89"),
        (16, 0, "growth must be at least 1, got 0"),
        (20, 8, "bits must be 8 times the number of bytes, got 128"),
        (
            60,
            9,
            "hashes must be the number that follows from the bits per item, got 9",
        ),
        (
            64,
            99,
            "bits must be the number that follows from the expected items, got 128",
        ),
        (72, 7, "rounding must be 0, got 7"),
    ] {
        let mut bytes = good.clone();
        bytes[offset] = byte;
        check_errors("RedisBloom", [(RedisBloom::from_bytes(&bytes), message)]);
    }
    let options = "options must be from 4 to 7 or from 12 to 15 (options with 64-bit hashes), got";
    for got in [1, 21] {
        let mut bytes = good.clone();
        bytes[12] = got;
        let read = RedisBloom::from_bytes(&bytes);
        check_errors("RedisBloom", [(read, format!("{options} {got}"))]);
    }
    for (rate, rule) in [(0.3, Must::ShareUpTo(0.25)), (0.0, Must::Share)] {
        let error = RedisBloom::with_rate(RedisGrowth::By(2), 10, rate).unwrap_err();
        let (field, got) = (Field::Rate, Value::Real(rate));
        assert_eq!(error.rule, Rule::Field { field, rule, got });
    }
    assert!(RedisBloom::with_rate(RedisGrowth::By(0), 10, 0.1).is_err());
    assert!(RedisBloom::with_rate(RedisGrowth::By(2), 0, 0.1).is_err());
}

#[test]
fn chunks_out_of_order_are_refused() {
    let case = cases("redisbloom").swap_remove(1);
    let mut parts = chunks(&case);
    parts.swap(1, 2);
    let error = read(&parts).unwrap_err();
    assert!(matches!(
        error.rule,
        Rule::Field {
            field: Field::Iterator,
            ..
        }
    ));
    assert!(read(&[]).is_err());
}

#[test]
fn the_expected_rate_goes_through_the_links_as_the_chain_grows() {
    for growth in [RedisGrowth::By(2), RedisGrowth::By(1), RedisGrowth::Never] {
        let mut filter = RedisBloom::with_rate(growth, 1_000, 0.05).unwrap();
        let empty = filter.clone();
        assert_eq!(empty.expected_false_positive_rate(0).to_bits(), 0);
        for item in 0..6_000_u64 {
            if filter.insert(&item.to_be_bytes()).is_err() {
                break;
            }
        }
        let (items, now) = (filter.items(), filter.false_positive_rate());
        for of in [&empty, &filter] {
            let expected = of.expected_false_positive_rate(items);
            assert!(
                (now / expected - 1.0).abs() < 0.1,
                "{growth:?}: {now} {expected}"
            );
        }
        // However many items the chain takes, its rate stays near 0.05, for which it is made.
        let expected = empty.expected_false_positive_rate(u64::MAX);
        assert!(expected < 0.06, "{growth:?}: {expected}");
    }
}

#[test]
fn commands_are_read_as_they_are_written_or_refused() {
    for case in cases("redisbloom") {
        let chain = RedisBloom::from_bytes(&case.bytes).unwrap();
        let mut commands = chain.to_commands(b"key\r\n$3").unwrap();
        let (read, key) = RedisBloom::from_commands(&commands).unwrap();
        assert_eq!(key, b"key\r\n$3", "{}", case.name);
        assert!(read.to_bytes().unwrap() == case.bytes, "{}", case.name);
        // Commands that end too early are refused.
        for end in 0..commands.len() {
            let cut = RedisBloom::from_commands(&commands[..end]);
            assert!(cut.is_err(), "{} cut to {end}", case.name);
        }
        // Commands with a flipped bit are refused, or give another chain or key.
        for (at, bit) in
            (0..commands.len().min(600)).flat_map(|at| (0..8).map(move |bit| (at, bit)))
        {
            commands[at] ^= 1 << bit;
            if let Ok((read, key)) = RedisBloom::from_commands(&commands) {
                let is_changed = read.to_bytes().unwrap() != case.bytes || key != b"key\r\n$3";
                assert!(is_changed, "{}: bit {bit} of byte {at}", case.name);
            }
            commands[at] ^= 1 << bit;
        }
    }
    let commands = |key: &[u8]| {
        let chain = RedisBloom::with_rate(RedisGrowth::By(2), 10, 0.1).unwrap();
        chain.to_commands(key).unwrap()
    };
    // The second command has another key, which differs from the first key in byte 4.
    let first = commands(b"key-a");
    let end = first.windows(2).rposition(|part| part == b"*4").unwrap();
    let error = |other| {
        let two = [&first[..end], &commands(other)[end..]].concat();
        RedisBloom::from_commands(&two).unwrap_err().to_string()
    };
    // The second command begins with four lines: `*4`, the length of the command's name, this name, and
    // the length of the key. The key follows, and its byte 4 differs.
    let at = end + 4 + 5 + 14 + 4 + 4;
    let message = format!("RedisBloom filter: byte {at} must be 0x61, got 0x62");
    assert_eq!(error(b"key-b"), message);
    assert!(!RedisBloom::is_commands(b"*4\r\n$12\r\nBF.LOADCHUNX\r\n"));
}

#[test]
fn the_rate_of_a_chain_with_a_full_link_is_not_measured() {
    let mut filter = RedisBloom::with_rate(RedisGrowth::By(1), 20, 0.1).unwrap();
    for key in 0..30 {
        filter.insert(&format!("{key}")).unwrap();
    }
    assert_eq!(filter.links().count(), 2);
    // Sets all bits of the last link.
    let bits = filter.links().last().unwrap().shape.bits();
    let mut bytes = filter.to_bytes().unwrap();
    let start = bytes.len() - bits as usize / 8;
    bytes[start..].fill(0xFF);
    let filter = RedisBloom::from_bytes(&bytes).unwrap();
    let rate = filter.present_rate();
    assert_eq!(
        (rate.value, rate.standard_deviation, rate.keys),
        (1.0, 0.0, 0)
    );
}

#[test]
fn the_rate_of_a_chain_of_small_links_is_that_of_random_queries() {
    // If the links were assumed to be independent, the rate would be a fifth too high.
    for (items, growth, rate, last) in [(15, 2, 0.01, 105), (1, 1, 0.05, 7), (5, 4, 0.01, 60)] {
        let mut filter = RedisBloom::with_rate(RedisGrowth::By(growth), items, rate).unwrap();
        for key in 1..=last {
            filter.insert(&format!("{key}")).unwrap();
        }
        let rate = filter.present_rate();
        assert!(rate.keys > 0 && rate.standard_deviation < 0.02 * rate.value);
        let (mut state, queries) = (77, rate.keys);
        let hits = (0..queries).filter(|_| filter.contains(&split_mix(&mut state).to_be_bytes()));
        let off = hits.count() as f64 / queries as f64 - rate.value;
        // Both rates are measured with the same number of keys, so their difference has sqrt(2) times the standard deviation of
        // one of them.
        assert!(
            off.abs() < 6.0 * 1.42 * rate.standard_deviation,
            "{off} of {rate:?}"
        );
    }
}
