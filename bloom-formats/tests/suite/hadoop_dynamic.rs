//! Tests the dynamic filters of Hadoop, which Hudi also uses. Such a filter is a list of rows, which are Bloom filters of equal
//! size. Keys go to the last row; once it has a given number of keys, a new row is added.

use crate::common::hadoop::{check_empty_key, parameters, without_version};
use crate::common::{Case, cases, check_errors, split_mix};
use bloom_formats::{Filter, HadoopBloom, HadoopDynamicBloom, HadoopHash};
use bloom_testing::assert_bytes;

fn dynamic() -> (Case, HadoopDynamicBloom<'static>) {
    let case = cases("hadoop_dynamic").pop().unwrap();
    let filter = HadoopDynamicBloom::from_bytes(&case.bytes).unwrap();
    (case, filter)
}

/// Returns an empty filter with the parameters that Hadoop used.
pub(crate) fn created(case: &Case) -> HadoopDynamicBloom<'static> {
    let (hash, bits, hashes) = parameters(case);
    let per_row = case.count("params", "nr").unwrap();
    HadoopDynamicBloom::with_bits(hash, bits, hashes, per_row).unwrap()
}

/// Returns a filter with two rows, and one key in each row.
fn two_rows(hash: HadoopHash, bits: u64) -> HadoopDynamicBloom<'static> {
    let mut filter = HadoopDynamicBloom::with_bits(hash, bits, 2, 1).unwrap();
    for key in [b"a", b"b"] {
        filter.insert(key).unwrap();
    }
    filter
}

#[test]
fn rows_without_a_version_are_read_and_written_with_one() {
    let filter = two_rows(HadoopHash::Jenkins, 20);
    let bytes = filter.to_bytes().unwrap();
    let mut old = without_version(&bytes[..25], 0);
    old.extend(without_version(&bytes[..41], 25));
    old.extend(without_version(&bytes, 41));
    let read = HadoopDynamicBloom::borrowed(&old).unwrap();
    assert_eq!(read.rows(), 2);
    assert_bytes!(read.to_bytes().unwrap(), bytes);
    let mut copy = HadoopDynamicBloom::from_bytes(&old).unwrap();
    assert!(copy == filter && copy.contains(b"b"));
    copy.merge(&read).unwrap();
    assert!(copy == filter);
    // If the first headers have no version, the header of the last row must not have one.
    let mut mixed = old[..20 + 11].to_vec();
    mixed.extend(&bytes[41..]);
    let message = "bytes of the header of a row must be the same as in the filter, got 13";
    check_errors(
        "Hadoop",
        [(HadoopDynamicBloom::from_bytes(&mixed), message)],
    );
}

#[test]
fn hudis_text_is_base64_of_the_same_bytes() {
    let (_, dynamic) = dynamic();
    let read = HadoopDynamicBloom::from_base64(&dynamic.to_base64().unwrap());
    assert!(read.unwrap() == dynamic);
    for text in [
        "/////wAAAA!BAAAACAA=",
        "/////wAAAAIBAAAACAA==",
        "/////wAAAAIBAAAAC",
        "",
        "/////wAAAAIBAAAACAAA",
    ] {
        assert!(HadoopDynamicBloom::from_base64(text).is_err(), "{text}");
    }
}

#[test]
fn rows_have_the_size_of_a_simple_filter() {
    for (items, rate) in [(60_000, 1e-9), (1, 0.5), (1_000, 0.01)] {
        let filter = HadoopBloom::with_rate(HadoopHash::Murmur, items, rate).unwrap();
        let dynamic = HadoopDynamicBloom::with_rate(HadoopHash::Murmur, items, rate).unwrap();
        assert_eq!((dynamic.shape(), dynamic.rows()), (filter.shape(), 1));
        assert_eq!(u64::from(dynamic.items_per_row()), items);
    }
}

#[test]
fn rows_of_one_bit_with_255_hashes_work() {
    for hash in [HadoopHash::Jenkins, HadoopHash::Murmur] {
        let mut rows = HadoopDynamicBloom::with_bits(hash, 1, 255, 1).unwrap();
        let rates = [
            rows.false_positive_rate(),
            rows.expected_false_positive_rate(0),
        ];
        assert_eq!(rates.map(f64::to_bits), [0, 0]);
        rows.insert(b"a").unwrap();
        assert_eq!(
            (
                rows.false_positive_rate(),
                rows.expected_false_positive_rate(5)
            ),
            (1.0, 1.0)
        );
        assert_eq!(rows.estimated_items(), None);
    }
}

#[test]
fn a_full_row_is_followed_by_a_new_one() {
    let (case, filter) = dynamic();
    let per_row = case.count("params", "nr").unwrap();
    let mut built = created(&case);
    for (index, item) in case.items.iter().enumerate() {
        assert_eq!(built.rows(), (index as u64).div_ceil(per_row).max(1));
        built.insert(&item.big_endian()).unwrap();
    }
    assert!(built == filter);
    assert_eq!(u64::from(filter.items_per_row()), per_row);
    let last = case.items.len() as u64 - (filter.rows() - 1) * per_row;
    assert_eq!(u64::from(filter.last_row_items()), last);
}

#[test]
fn dynamic_filters_are_merged_row_by_row() {
    let new = || HadoopDynamicBloom::with_bits(HadoopHash::Murmur, 100, 3, 2).unwrap();
    let (mut ours, mut theirs) = (new(), new());
    for index in 0..3_u8 {
        ours.insert(&[index]).unwrap();
        theirs.insert(&[index + 100]).unwrap();
    }
    let before = ours.clone();
    ours.merge(&theirs).unwrap();
    let bytes = [&before, &theirs, &ours].map(|filter| filter.to_bytes().unwrap());
    for (index, united) in bytes[2].iter().enumerate() {
        let either = if index < 25 {
            bytes[0][index]
        } else {
            bytes[0][index] | bytes[1][index]
        };
        assert_eq!(*united, either, "byte {index}");
    }
    theirs.insert(b"a").unwrap();
    theirs.insert(b"b").unwrap();
    let with = |hash, bits, hashes, items| {
        HadoopDynamicBloom::with_bits(hash, bits, hashes, items).unwrap()
    };
    let (murmur, jenkins) = (HadoopHash::Murmur, HadoopHash::Jenkins);
    for (other, message) in [
        (theirs, "rows of both filters must be equal, got 2 and 3"),
        (
            with(murmur, 100, 3, 4),
            "items per row of both filters must be equal, got 2 and 4",
        ),
        (
            with(murmur, 101, 3, 2),
            "bits of both filters must be equal, got 100 and 101",
        ),
        (
            with(murmur, 100, 4, 2),
            "hashes of both filters must be equal, got 3 and 4",
        ),
        (
            with(jenkins, 100, 3, 2),
            "hash type of both filters must be equal, got 1 and 0",
        ),
    ] {
        check_errors("Hadoop", [(before.clone().merge(&other), message)]);
    }
}

#[test]
fn the_expected_rate_is_near_to_that_of_the_rows() {
    let (case, filter) = dynamic();
    let expected = filter.expected_false_positive_rate(case.items.len() as u64);
    let rate = filter.false_positive_rate();
    assert!(
        (0.8..1.25).contains(&(rate / expected)),
        "{}: {rate}, expected {expected}",
        case.about(&filter)
    );
}

#[test]
fn the_rate_is_right_if_rows_share_keys() {
    // Rows 0 and 1 have the same keys. Half of the keys of row 2 are also in rows 0 and 1, and no key of row 3 is in another
    // row.
    let mut filter = HadoopDynamicBloom::with_bits(HadoopHash::Jenkins, 500, 2, 100).unwrap();
    for first in [0, 0, 50, 1_050] {
        for item in first..first + 100_u32 {
            filter.insert(&item.to_be_bytes()).unwrap();
        }
        let rate = filter.false_positive_rate();
        let mut state = 3;
        let queries = 40_000;
        let hit = |_| {
            let query = split_mix(&mut state).to_be_bytes();
            filter.contains(&query)
        };
        let hits = (0..queries).map(hit).filter(|&hit| hit).count() as f64;
        let expected = rate * f64::from(queries);
        let deviation = (expected * (1.0 - rate)).sqrt();
        assert!(
            (hits - expected).abs() < 6.0 * deviation,
            "{hits} {expected}"
        );
    }
}

/// Returns the share of those triples of positions, among all triples, for which at least one row of 64 bits has all three bits
/// set.
fn share_of_sequences(bytes: &[u8]) -> f64 {
    // After the header of the filter, each row has 13 bytes of its own header.
    let rows = bytes[25..].chunks(13 + 8);
    let rows: Vec<u64> = rows
        .map(|row| u64::from_le_bytes(row[13..].try_into().unwrap()))
        .collect();
    let mut hits = 0;
    for first in 0..64 {
        for second in 0..64 {
            let both = rows
                .iter()
                .filter(|&&row| row >> first & row >> second & 1 != 0);
            let thirds = both.fold(0, |thirds, row| thirds | row);
            hits += thirds.count_ones();
        }
    }
    f64::from(hits) / 64_f64.powi(3)
}

#[test]
fn the_rate_is_the_share_of_all_sequences_of_positions() {
    // Each list has the first key of each row. The first list gives three rows with different keys, the second two rows with
    // the same keys. The third gives two rows with different keys, a row with half of the keys of each of these two rows, and a
    // row with other keys. The fourth gives 70 rows with the same keys; the filter stores the first 64 of them together, in one
    // word per position. `many` gives 70 rows with different keys, and a last row with the keys of the first.
    let starts: [&[u32]; 4] = [&[0, 100, 200], &[0, 0], &[0, 6, 3, 100], &[7; 70]];
    let many: Vec<u32> = (0..70).map(|row| row * 4).chain([0]).collect();
    let mut sum_of_errors = 0.0;
    for starts in starts.into_iter().chain([&many[..]]) {
        let each = if starts.len() > 10 { 2 } else { 6 };
        let (hash, per_row) = (HadoopHash::Murmur, u64::from(each));
        let mut filter = HadoopDynamicBloom::with_bits(hash, 64, 3, per_row).unwrap();
        let mut sum = 0.0;
        for &start in starts {
            let mut alone = HadoopBloom::with_bits(hash, 64, 3).unwrap();
            for key in start..start + each {
                filter.insert(&key.to_be_bytes()).unwrap();
                alone.insert(&key.to_be_bytes()).unwrap();
            }
            sum += alone.false_positive_rate();
        }
        assert_eq!(filter.rows(), starts.len() as u64);
        let bytes = filter.to_bytes().unwrap();
        let (rate, exact) = (filter.false_positive_rate(), share_of_sequences(&bytes));
        let in_place = HadoopDynamicBloom::borrowed(&bytes).unwrap();
        assert_eq!(in_place.false_positive_rate().to_bits(), rate.to_bits());
        // The keys that measure the rate are drawn with a fixed seed.
        let deviation = filter.present_rate().standard_deviation;
        assert!(deviation < 0.004 * sum, "{deviation} {sum}");
        let off = (rate - exact).abs();
        assert!(off < 5.0 * deviation + 1e-9, "{off} {deviation}");
        sum_of_errors += (rate / exact - 1.0).abs();
    }
    // Rates that assume independent rows would be a third too high on average.
    assert!(sum_of_errors < 0.05, "{sum_of_errors}");
}

#[test]
fn rows_that_share_words_answer_as_each_row_alone() {
    let (hash, bits, hashes, each) = (HadoopHash::Jenkins, 75, 3, 4);
    // The filter stores every 64 rows as a group, in one word per position; the last rows, at most 64, are in no group. So
    // these filters have 0, 1 and 9 groups; the 9 words of a position are more than a cache line.
    for rows in [64, 65, 9 * 64 + 1] {
        let new = || HadoopDynamicBloom::with_bits(hash, bits, hashes, each).unwrap();
        let (mut filter, mut other, mut alone) = (new(), new(), Vec::new());
        let key = |row: u64, key: u64| (row * each + key).to_be_bytes();
        for row in 0..rows {
            let mut of_row = HadoopBloom::with_bits(hash, bits, hashes).unwrap();
            for index in 0..each {
                let key = key(row, index);
                let held = alone
                    .iter()
                    .chain([&of_row])
                    .any(|row: &HadoopBloom<'_>| row.contains(&key));
                assert_eq!(filter.insert(&key), Ok(!held));
                other
                    .insert(&(!u64::from_be_bytes(key)).to_be_bytes())
                    .unwrap();
                of_row.insert(&key).unwrap();
            }
            alone.push(of_row);
        }
        assert_eq!(filter.rows(), rows);
        let bytes = filter.to_bytes().unwrap();
        let of_rows = alone.iter().flat_map(|row| row.to_bytes().unwrap());
        assert!(bytes[25..].iter().copied().eq(of_rows));
        let read = HadoopDynamicBloom::from_bytes(&bytes).unwrap();
        let in_place = HadoopDynamicBloom::borrowed(&bytes).unwrap();
        assert!(read == filter && in_place.copied().unwrap() == filter);
        let fills = alone.iter().map(HadoopBloom::fill).sum::<f64>() / rows as f64;
        for fill in [filter.fill(), in_place.fill()] {
            assert!(
                (fill - fills).abs() < 1e-12,
                "{rows} rows: {fill}, mean of rows {fills}"
            );
        }
        assert_eq!(filter.estimated_items(), in_place.estimated_items());
        for query in (0..2_000_u64).map(|query| (query + (1 << 40)).to_be_bytes()) {
            let held = alone.iter().any(|row| row.contains(&query));
            assert_eq!(filter.contains(&query), held);
            assert_eq!(in_place.contains(&query), held);
        }
        let before = [&bytes, &other.to_bytes().unwrap()].map(Vec::clone);
        filter
            .merge(&HadoopDynamicBloom::borrowed(&before[1]).unwrap())
            .unwrap();
        let headers = |index: usize| index < 25 || (index - 25) % (13 + 10) < 13;
        for (index, byte) in filter.to_bytes().unwrap().into_iter().enumerate() {
            let [ours, theirs] = [before[0][index], before[1][index]];
            let expected = if headers(index) { ours } else { ours | theirs };
            assert_eq!(byte, expected, "byte {index}");
        }
    }
}

#[test]
fn errors_of_rows_name_the_rule_and_the_value() {
    let mut filter = two_rows(HadoopHash::Murmur, 9);
    let good = filter.to_bytes().unwrap();
    for (offset, part, message) in [
        (
            13,
            &[0; 4][..],
            "items per row must be from 1 to 2147483647, got 0",
        ),
        (
            17,
            &[255; 4],
            "items in the last row must be from 0 to 2147483647, got 4294967295",
        ),
        (
            17,
            &[128, 0, 0, 0],
            "items in the last row must be from 0 to 2147483647, got 2147483648",
        ),
        (21, &[0; 4], "rows must be from 1 to 2147483647, got 0"),
        (
            21,
            &[255; 4],
            "rows must be from 1 to 2147483647, got 4294967295",
        ),
        (21, &[127], "bytes must be at least 59, got 55"),
        (
            48,
            &[0],
            "hash type of a row must be the same as in the filter, got 0",
        ),
        (
            52,
            &[10],
            "bits of a row must be the same as in the filter, got 10",
        ),
        (
            47,
            &[3],
            "hashes of a row must be the same as in the filter, got 3",
        ),
    ] {
        let mut bytes = good.clone();
        bytes[offset..offset + part.len()].copy_from_slice(part);
        check_errors(
            "Hadoop",
            [(HadoopDynamicBloom::from_bytes(&bytes), message)],
        );
    }
    // The items in the last row may be Java's largest int.
    let mut bytes = good.clone();
    bytes[17..21].copy_from_slice(&i32::MAX.to_be_bytes());
    let most = HadoopDynamicBloom::from_bytes(&bytes).unwrap();
    assert_eq!(most.to_bytes().unwrap(), bytes);
    let zero = HadoopDynamicBloom::with_bits(HadoopHash::Murmur, 9, 2, 0);
    let message = "items per row must be from 1 to 2147483647, got 0";
    check_errors("Hadoop", [(zero, message)]);
    check_empty_key(&mut filter);
    assert!(!filter.contains(b""));
    assert_bytes!(filter.to_bytes().unwrap(), good);
}

#[test]
fn the_rate_of_many_rows_is_measured_with_fewer_keys() {
    // Every second row has the key of the row before it.
    let mut filter = HadoopDynamicBloom::with_bits(HadoopHash::Murmur, 64, 2, 1).unwrap();
    for row in 0..10_000_u32 {
        filter.insert(&(row / 2 * 2).to_be_bytes()).unwrap();
    }
    let bytes = filter.to_bytes().unwrap();
    let rows = bytes[25..].chunks(13 + 8);
    let rows: Vec<u64> = rows
        .map(|row| u64::from_le_bytes(row[13..].try_into().unwrap()))
        .collect();
    let hit =
        |first: u32, second: u32| rows.iter().any(|row| row >> first & row >> second & 1 != 0);
    let pairs = (0..64).flat_map(|first| (0..64).map(move |second| (first, second)));
    let exact = pairs.filter(|(first, second)| hit(*first, *second)).count() as f64 / 4_096.0;
    let rate = filter.present_rate();
    let off = (rate.value - exact).abs();
    assert!(off < 5.0 * rate.standard_deviation, "{rate:?} {exact}");
    assert!(rate.standard_deviation < 0.05 * rate.value, "{rate:?}");
}
