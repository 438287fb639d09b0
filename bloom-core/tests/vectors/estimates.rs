//! Compares estimates of the number of items in a filter, and in the union and the intersection of two filters, with the
//! tables of reference values in this folder.

use super::table::Table;
use bloom_core::math::{estimate_items, estimate_pair};
use bloom_testing::assert_close;

#[test]
fn estimates_match_every_row() {
    for row in Table::new(include_str!("cardinality.csv")).rows() {
        let estimate = estimate_items(row.int("m"), row.hashes("k"), row.int("ones")).unwrap();
        let items = row.float("n_hat_log1m");
        match estimate {
            None => assert_eq!(items, f64::INFINITY, "{}", row.text()),
            Some(estimate) => {
                assert_close(estimate.items, items, 1e-13);
                assert_close(estimate.standard_deviation, row.float("sd_delta"), 1e-13);
            }
        }
    }
}

#[test]
fn estimates_keep_their_digits_from_one_set_bit_to_one_clear_bit() {
    for row in Table::new(include_str!("cardinality_edges.csv")).rows() {
        let estimate = estimate_items(row.int("m"), row.hashes("k"), row.int("ones")).unwrap();
        let estimate = estimate.expect("a bit is clear");
        assert_close(estimate.items, row.float("n_hat"), 1e-13);
        assert_close(estimate.standard_deviation, row.float("sd"), 1e-13);
    }
}

#[test]
fn pair_estimates_match_every_row() {
    for row in Table::new(include_str!("cardinality_pair.csv")).rows() {
        let (m, k) = (row.int("m"), row.hashes("k"));
        let (a, b, either) = (row.int("ones_a"), row.int("ones_b"), row.int("ones_or"));
        let pair = estimate_pair(m, k, a, b, either).unwrap().unwrap();
        assert_close(pair.union.items, row.float("n_union"), 1e-13);
        assert_close(pair.union.standard_deviation, row.float("sd_union"), 1e-13);
        // The estimate of the intersection is a difference of larger numbers, so its error is compared with their size.
        let (ours, reference) = (
            pair.intersection.items,
            row.float("n_intersection_ie_eq_papapetrou"),
        );
        let scale = row.float("n_a") + row.float("n_b");
        assert!(
            (ours - reference).abs() <= 1e-13 * scale,
            "{}: {ours}",
            row.text()
        );
        assert_close(
            pair.intersection.standard_deviation,
            row.float("sd_intersection_ie"),
            1e-9,
        );
    }
}

#[test]
fn pair_estimates_keep_their_digits_near_full_and_near_empty() {
    for row in Table::new(include_str!("cardinality_pair_edges.csv")).rows() {
        let (m, k) = (row.int("m"), row.hashes("k"));
        let (a, b, either) = (row.int("ones_a"), row.int("ones_b"), row.int("ones_or"));
        let pair = estimate_pair(m, k, a, b, either).unwrap();
        let pair = pair.expect("a bit is clear");
        let deviation = row.float("sd_union");
        assert_close(pair.union.items, row.float("n_union"), 1e-13);
        assert_close(pair.union.standard_deviation, deviation, 1e-13);
        let off = pair.intersection.items - row.float("n_intersection");
        let scale = row.float("n_a") + row.float("n_b");
        assert!(off.abs() <= 1e-13 * scale, "{}: {off}", row.text());
        // The variance of the intersection is a difference of larger variances, one of which is that of the union. So its
        // error is compared with the variance of the union.
        let variance = pair.intersection.standard_deviation.powi(2);
        let off = variance - row.float("sd_intersection").powi(2);
        let scale = deviation * deviation;
        assert!(off.abs() <= 1e-13 * scale, "{}: {off}", row.text());
    }
}
