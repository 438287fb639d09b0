//! Compares the formulas of blocked, partitioned, counting and scalable filters, and of filters with distinct positions, with
//! the tables of reference values in this folder. Also compares the measured rate of this crate's filters with that of double
//! hashing.

use super::table::{Row, Table};
use bloom_core::math::blocked::{self, Block};
use bloom_core::math::scalable::{Growth, compound_rate, same_rate_compound};
use bloom_core::math::{Model, counter_overflow, exact, partitioned, spread, textbook};
use bloom_core::{BloomFilter, FixedState, Shape};
use bloom_testing::assert_close;

/// The relative tolerance of rates of blocked filters.
const BLOCK_TOLERANCE: f64 = 4e-14;

/// The relative tolerance of rates with distinct positions in blocks of 32,768 bits or more, and in a filter that is one block.
const LARGE_DISTINCT_TOLERANCE: f64 = 4e-12;

/// The relative tolerance of rates with split blocks. A split block has lanes; an item sets one bit in each lane.
const SPLIT_TOLERANCE: f64 = 1e-14;

/// The relative tolerance of rates with split blocks of 1 to 255 lanes of 2 to 16,384 bits, from nearly empty to full.
const WIDE_SPLIT_TOLERANCE: f64 = 1e-13;

/// The least tolerance of a measured mean, in standard deviations. A normal deviate exceeds it 0.6 times in 10^9.
const SIGMAS: f64 = 6.2;

#[test]
fn blocked_rates_match_every_row() {
    let files = [
        include_str!("blocked512.csv"),
        include_str!("blocked_generic.csv"),
    ];
    for row in files.map(Table::new).iter().flat_map(Table::rows) {
        let bits = row.optional_int("block_bits").unwrap_or(512) as u32;
        let (n, blocks, hashes) = (row.int("n"), row.int("blocks"), row.hashes("k"));
        let rate = |block| blocked::rate(n, blocks, block).unwrap().value();
        assert_close(
            rate(Block::Independent { bits, hashes }),
            row.float("p_binomial"),
            BLOCK_TOLERANCE,
        );
        assert_close(
            rate(Block::Distinct { bits, hashes }),
            row.float("p_binomial_distinct_probes"),
            if bits < 32_768 {
                BLOCK_TOLERANCE
            } else {
                LARGE_DISTINCT_TOLERANCE
            },
        );
    }
}

#[test]
fn split_block_rates_match_every_row() {
    let (usual, wide) = (SPLIT_TOLERANCE, WIDE_SPLIT_TOLERANCE);
    for (file, tolerance) in [
        (include_str!("split_block256.csv"), usual),
        (include_str!("split_block_generic.csv"), usual),
        (include_str!("split_block_wide.csv"), wide),
    ] {
        assert_split_block_rates(&Table::new(file), tolerance);
    }
}

fn assert_split_block_rates(table: &Table, tolerance: f64) {
    for row in table.rows() {
        let lanes = row.optional_int("lanes").unwrap_or(8) as u8;
        let lane_bits = row.optional_int("lane_bits").unwrap_or(32) as u32;
        let block = Block::Split { lanes, lane_bits };
        let rate = blocked::rate(row.int("n"), row.int("blocks"), block).unwrap();
        assert_close(rate.value(), row.float("p_binomial"), tolerance);
    }
}

#[test]
fn partitioned_rates_match_every_row() {
    for row in Table::new(include_str!("partitioned.csv")).rows() {
        let (n, m, k) = (row.int("n"), row.int("m"), row.hashes("k"));
        let rate = partitioned::rate(n, m, k).unwrap();
        let ln_p = row.float("ln_p");
        assert!(
            (rate.ln() - ln_p).abs() <= 4e-14 + 4.0 * f64::EPSILON * ln_p.abs(),
            "{}: {}",
            row.text(),
            rate.ln()
        );
        // Slices of equal size: m is rounded down or up to a multiple of k.
        for (bits, column) in [
            (m / u64::from(k), "p_all_slices_floor"),
            (m.div_ceil(k.into()), "p_all_slices_ceil"),
        ] {
            let rate = partitioned::rate(n, bits * u64::from(k), k).unwrap();
            assert_close(rate.value(), row.float(column), 4e-13);
        }
    }
}

/// Compares a probability, or a number of counters, with a column. If the reference is positive but at most 1e-290, near the
/// end of the range of `f64`, `ours` need only be below 1e-290, too.
#[track_caller]
fn assert_overflow(row: &Row<'_>, column: &str, ours: f64, tolerance: f64) {
    let reference = row.float(column);
    let is_equal = if reference > 1e-290 {
        (ours - reference).abs() <= tolerance * reference
    } else {
        ours == reference || reference > 0.0 && (0.0..1e-290).contains(&ours)
    };
    assert!(is_equal, "{column} of {}: {ours}", row.text());
}

#[test]
fn counter_overflows_match_every_row() {
    for row in Table::new(include_str!("counting_overflow.csv")).rows() {
        let (n, m, k) = (row.int("n"), row.int("m"), row.hashes("k"));
        let lost = 1_u32 << row.int("counter_bits");
        let overflow = counter_overflow(n, m, k, lost).unwrap();
        let stuck = counter_overflow(n, m, k, lost - 1).unwrap();
        for (ours, column) in [
            (overflow.one, "p_counter_ge_2b_binomial"),
            (stuck.one, "p_counter_ge_2b_minus_1_binomial"),
            (overflow.expected, "expected_overflowed_counters"),
            (overflow.any_at_least, "p_any_lower"),
            (overflow.any_at_most, "p_any_upper"),
        ] {
            assert_overflow(&row, column, ours, 3e-14);
        }
    }
}

#[test]
fn probabilities_of_any_counter_threshold_match_every_row() {
    for row in Table::new(include_str!("counting_thresholds.csv")).rows() {
        let (n, m, k) = (row.int("n"), row.int("m"), row.hashes("k"));
        let threshold = row.int("threshold") as u32;
        let one = counter_overflow(n, m, k, threshold).unwrap().one;
        let load = (n as f64) * f64::from(k) / m as f64;
        let is_short = threshold <= 1024 && load <= 128.0;
        let tolerance = if is_short { 3e-14 } else { 2e-12 };
        assert_overflow(&row, "p_counter_ge_threshold", one, tolerance);
    }
}

#[test]
fn scalable_stages_match_every_row() {
    for row in Table::new(include_str!("scalable.csv")).rows() {
        let growth = Growth {
            items: row.int("n0"),
            rate: row.float("p_target"),
            growth: row.int("s") as u32,
            tightening: row.float("r"),
        };
        let n = row.int("n");
        let stages = growth.stages(n).unwrap();
        assert_eq!(u64::from(stages), row.int("stages"), "{}", row.text());
        assert_eq!(
            growth.capacity(stages),
            Some(row.int("capacity")),
            "{}",
            row.text()
        );
        let sized = growth.all_stages(Model::Textbook, n).unwrap();
        let list = |column| -> Vec<u64> {
            let list = row.field(column).split(';');
            list.map(|number| number.parse().unwrap()).collect()
        };
        let bits: Vec<u64> = sized.iter().map(|stage| stage.bits).collect();
        let hashes: Vec<u64> = sized.iter().map(|stage| stage.hashes.into()).collect();
        assert_eq!(bits, list("m_list_min_m_text"), "{}", row.text());
        assert_eq!(hashes, list("k_list_min_m_text"), "{}", row.text());
        assert_eq!(bits.iter().sum::<u64>(), row.int("memory_bits_min_m_text"));

        let held_before = growth.capacity(stages - 1).unwrap();
        let rates = sized.iter().enumerate().map(|(i, stage)| {
            let last = i + 1 == sized.len();
            let items = if last { n - held_before } else { stage.items };
            textbook::rate(items, stage.bits, stage.hashes)
                .unwrap()
                .value()
        });
        for (ours, column) in [
            (growth.stage_rate(0), "p0"),
            (growth.full_rate(stages), "compound_all_full"),
            (growth.rate, "union_bound"),
            (
                same_rate_compound(growth.rate, stages),
                "naive_compound_same_p_per_stage",
            ),
            (growth.ideal_bits(stages), "memory_bits_real"),
            (compound_rate(rates), "compound_at_n_text"),
        ] {
            assert_close(ours, row.float(column), 3e-13);
        }
    }
}

#[test]
fn distinct_positions_match_as_one_block_or_are_near_independent_ones_in_every_row() {
    for row in Table::new(include_str!("classic_distinct.csv")).rows() {
        let (n, m, hashes) = (row.int("n"), row.int("m"), row.hashes("k"));
        let p = row.float("p");
        if m <= 1 << 16 {
            // A filter with distinct positions is the same as one block with distinct positions.
            let block = Block::Distinct {
                bits: m as u32,
                hashes,
            };
            let rate = blocked::rate(n, 1, block).unwrap().value();
            assert_close(rate, p, LARGE_DISTINCT_TOLERANCE);
        } else {
            // ln p for distinct positions and ln p for independent positions differ by at most about k^2/min(m, n), because few
            // of the independent positions of an item coincide.
            let independent = exact::rate(n, m, hashes).unwrap();
            let k = f64::from(hashes);
            let bound = k * k / (m as f64).min(n as f64) + 1e-12 * row.float("ln_p").abs();
            let off = (independent.ln() - row.float("ln_p")).abs();
            assert!(off <= bound, "{}: {off} is over {bound}", row.text());
        }
    }
}

#[test]
fn our_positions_are_closer_to_independent_ones_than_double_hashing_in_every_row() {
    let table = Table::new(include_str!("double_hashing_exact.csv"));
    let (mut compared, mut sizes) = (0, std::collections::BTreeMap::new());
    for row in table.rows() {
        let (m, n, k) = (row.int("m"), row.int("n"), row.hashes("k"));
        let double = row.float("p");
        let independent = exact::rate(n, m, k).unwrap().value();
        assert!(double < 1.0 && independent < 1.0);
        let excess = (double / independent - 1.0).abs();
        if excess < 0.15 || independent < 1e-4 {
            // Rates this close cannot be told apart in the time of a test, and rates this low cannot be measured.
            continue;
        }
        let (ours, deviation) = *sizes
            .entry((m, n, k))
            .or_insert_with(|| measured_rate(m, n, k));
        // The measured rate may be off by half of `excess`, the relative distance from the rate of double hashing to that of
        // independent positions. Half of the excess is at least 8.3 standard deviations of the measured rate in each row, so
        // random seeds would fail less than once in 10^9 times. If our rate were off by half of the excess, the test would fail
        // with a probability of 0.5; if it were off by the whole excess, of nearly 1.
        assert!(
            SIGMAS * deviation < excess / 2.0 * independent,
            "{}: known to {deviation} only",
            row.text()
        );
        let ours = (ours / independent - 1.0).abs();
        assert!(
            ours < excess / 2.0,
            "{}: {ours} off, double hashing {excess}",
            row.text()
        );
        compared += 1;
    }
    assert!(compared >= 20, "only {compared} rows can be distinguished");
}

/// Returns the mean of the measured rates of many small filters, and the standard deviation of this mean, which comes from the
/// variance of the rate over filters and from the variance of the hits over queries.
fn measured_rate(bits: u64, items: u64, hashes: u8) -> (f64, f64) {
    let shape = Shape::new(bits, hashes).unwrap();
    let (filters, queries) = (20_000, 100);
    let mut hits = 0;
    for seed in 0..filters {
        let state = FixedState::with_seed(seed);
        let mut filter = BloomFilter::<u64, _>::with_hasher(shape, state).unwrap();
        filter.extend(0..items);
        let others = items..items + queries;
        hits += others.filter(|item| filter.contains(item)).count();
    }
    let model = spread(items, bits, hashes).unwrap();
    let (mean, between) = (model.mean.value(), model.standard_deviation.powi(2));
    let (filters, queried) = (filters as f64, (filters * queries) as f64);
    let variance = between / filters + (mean - between - mean * mean) / queried;
    (hits as f64 / queried, variance.sqrt())
}
