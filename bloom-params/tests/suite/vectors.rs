//! Compares the answers of the command line for every kind of filter with the reference values in the CSV files of bloom-core,
//! row by row.

use crate::common::{self, near};

use std::collections::HashMap;
use std::fs;

use bloom_systems::random::split_mix;
use serde_json::Value;

/// The largest relative error that is allowed between a rate and its reference value of 40 digits.
const TOLERANCE: f64 = 1e-12;

type Row = HashMap<String, String>;

fn table(name: &str) -> Vec<Row> {
    let path = format!(
        "{}/../bloom-core/tests/vectors/{name}.csv",
        env!("CARGO_MANIFEST_DIR")
    );
    let text = fs::read_to_string(path).unwrap();
    let mut lines = text.lines();
    let names: Vec<_> = lines.next().unwrap().split(',').collect();
    let rows: Vec<Row> = lines
        .map(|line| {
            let cells = line.split(',').map(str::to_string);
            names.iter().map(ToString::to_string).zip(cells).collect()
        })
        .collect();
    assert!(rows.len() > 20, "{name}");
    rows
}

/// Returns the bits of all blocks of a row. A few rows have more bits than the calculator takes, and are skipped.
fn bits_of(row: &Row, block_bits: u64) -> u128 {
    row["blocks"].parse::<u128>().unwrap() * u128::from(block_bits)
}

fn ask(line: &str) -> Option<Value> {
    let (_, out, err) = common::run(&format!("{line} --json"));
    assert!(out.is_empty() != err.is_empty(), "{line}: {out}{err}");
    serde_json::from_str(&out).ok()
}

#[track_caller]
fn assert_rate(line: &str, reference: &str) {
    let answer = ask(line).unwrap_or_else(|| panic!("{line}"));
    let (found, p) = (
        answer["p"].as_f64().unwrap(),
        reference.parse::<f64>().unwrap(),
    );
    assert!(
        (found - p).abs() <= TOLERANCE * p,
        "{line}: {found:e}, not {p:e}"
    );
}

#[test]
fn partitioned_filters_have_the_rates_of_the_references() {
    for row in table("partitioned") {
        let (n, m, k) = (&row["n"], &row["m"], &row["k"]);
        assert_rate(
            &format!("--filter partitioned -n {n} -m {m} -k {k}"),
            &row["p"],
        );
    }
}

#[test]
fn blocked_filters_have_the_rates_of_the_references() {
    for (name, bits) in [("blocked512", Some(512)), ("blocked_generic", None)] {
        for row in table(name) {
            let bits: u64 = bits.unwrap_or_else(|| row["block_bits"].parse().unwrap());
            let m = bits_of(&row, bits);
            if m > 1 << 63 {
                continue;
            }
            let (n, k) = (&row["n"], &row["k"]);
            let line = format!("--filter plain-blocked --block-bits {bits} -n {n} -m {m} -k {k}");
            assert_rate(&line, &row["p_binomial"]);
        }
    }
}

#[test]
fn split_blocks_have_the_rates_of_the_references() {
    for row in table("split_block256") {
        let (n, m) = (&row["n"], bits_of(&row, 256));
        if m > 1 << 63 {
            continue;
        }
        assert_rate(
            &format!("--filter split-block -n {n} -m {m}"),
            &row["p_binomial"],
        );
    }
    let mut of_eight_lanes = 0;
    for row in table("split_block_generic") {
        if row["lanes"] != "8" {
            continue;
        }
        of_eight_lanes += 1;
        let bits = 8 * row["lane_bits"].parse::<u64>().unwrap();
        let m = bits_of(&row, bits);
        let n = &row["n"];
        if m > 1 << 63 {
            continue;
        }
        let line = format!("--filter split-block --block-bits {bits} -n {n} -m {m} -k 8");
        assert_rate(&line, &row["p_binomial"]);
    }
    assert!(of_eight_lanes > 5);
}

#[test]
fn counters_overflow_as_often_as_the_references_say() {
    for row in table("counting_overflow") {
        let bits = &row["counter_bits"];
        if bits == "1" {
            continue;
        }
        let (n, m, k) = (&row["n"], &row["m"], &row["k"]);
        let line = format!("--filter counting --counter-bits {bits} -n {n} -m {m} -k {k}");
        let answer = ask(&line).unwrap();
        let one: f64 = row["p_counter_ge_2b_minus_1_binomial"].parse().unwrap();
        let any = (one * m.parse::<f64>().unwrap()).min(1.0);
        let found = answer["overflow"].as_f64().unwrap();
        assert!(
            (found - any).abs() <= 1e-11 * any,
            "{line}: {found:e}, not {any:e}"
        );
        let memory = m.parse::<u128>().unwrap() * bits.parse::<u128>().unwrap();
        assert_eq!(
            answer["bytes"].to_string(),
            memory.div_ceil(8).to_string(),
            "{line}"
        );
    }
}

#[test]
fn classic_filters_have_the_rates_and_sizes_of_the_references() {
    for row in table("classic_exact") {
        let (n, m, k) = (&row["n"], &row["m"], &row["k"]);
        let line = format!("-n {n} -m {m} -k {k}");
        let answer = ask(&line).unwrap();
        let (found, ln_p) = (
            answer["ln_p"].as_f64().unwrap(),
            row["ln_p"].parse::<f64>().unwrap(),
        );
        assert!((found - ln_p).abs() <= 4e-14 + 5e-16 * ln_p.abs(), "{line}");
    }
    for row in table("min_m_for_np") {
        if !small(&row["m_exact"]) {
            continue;
        }
        // In a few rows the reference has the most hashes that it allows, and more bits because of that limit.
        if row["k_exact"] == row["kmax"] {
            continue;
        }
        let answer = ask(&format!("-n {} -p {}", row["n"], row["p_target"])).unwrap();
        assert_eq!(answer["m"].to_string(), row["m_exact"], "{row:?}");
        assert_eq!(answer["k"].to_string(), row["k_exact"], "{row:?}");
    }
    for row in table("max_n_for_mkp") {
        let line = format!("-m {} -k {} -p {}", row["m"], row["k"], row["p_target"]);
        if small(&row["m"]) {
            let answer = ask(&line).unwrap();
            assert_eq!(answer["n"].to_string(), row["n_exact"], "{row:?}");
        }
    }
}

/// Returns whether minimal sizes are promised for this number of bits.
fn small(bits: &str) -> bool {
    bits.parse().is_ok_and(|bits: f64| bits < 2_f64.powi(46))
}

#[test]
fn the_floor_of_a_hash_is_that_of_the_references() {
    for row in table("hash_floor") {
        let (n, w) = (&row["n"], &row["hash_bits"]);
        let answer = ask(&format!("-n {n} -m 64 -k 1 --hash-bits {w}")).unwrap();
        let floor: f64 = row["p_floor"].parse().unwrap();
        let found = answer["hash_bits"]["floor"].as_f64().unwrap();
        assert!((found - floor).abs() <= TOLERANCE * floor, "{row:?}");
    }
}

/// The hashes have so few bits that several items often have the same hash. The rate and the fill of simulated filters are
/// compared with those of the answer.
#[test]
fn items_that_share_a_hash_set_the_same_bits() {
    let mut state = 3;
    for (n, m, k, w) in [(256, 640, 2, 8), (100, 64, 1, 6), (40, 200, 4, 4)] {
        let (filters, hashes) = (20_000, 1_u64 << w);
        let (mut rate, mut fill) = (0.0, 0.0);
        for _ in 0..filters {
            let seed = split_mix(&mut state);
            let positions = |hash: u64| {
                let mut state = seed ^ hash << 48;
                (0..k).map(move |_| (split_mix(&mut state) % m) as usize)
            };
            let (mut bits, mut found) = (vec![false; m as usize], vec![false; hashes as usize]);
            for _ in 0..n {
                let hash = split_mix(&mut state) % hashes;
                found[hash as usize] = true;
                positions(hash).for_each(|position| bits[position] = true);
            }
            let hits = (0..hashes).filter(|hash| positions(*hash).all(|position| bits[position]));
            rate += hits.count() as f64 / (hashes * filters) as f64;
            fill += bits.iter().filter(|bit| **bit).count() as f64 / (m * filters) as f64;
        }
        let answer = ask(&format!("-n {n} -m {m} -k {k} --hash-bits {w}")).unwrap();
        near(&answer["p"], rate, 0.003);
        near(&answer["fill"], fill, 0.003);
    }
}

/// In the reference files, stages are sized by the textbook formula, so the exact sizes in the answers are a few bits larger.
#[test]
fn growing_filters_have_the_stages_of_the_references() {
    for row in table("scalable") {
        let line = format!(
            "--filter scalable --initial {} --growth {} --tightening {} -n {} -p {}",
            row["n0"], row["s"], row["r"], row["n"], row["p_target"]
        );
        let answer = ask(&line).unwrap();
        let stages = answer["stages"].as_array().unwrap();
        assert_eq!(stages.len().to_string(), row["stages"], "{line}");
        let first: f64 = row["p0"].parse().unwrap();
        assert!(
            (stages[0]["p"].as_f64().unwrap() / first - 1.0).abs() < 1e-14,
            "{line}"
        );
        let memory: f64 = row["memory_bits_min_m_text"].parse().unwrap();
        let found = answer["m"].as_f64().unwrap();
        assert!(
            found >= memory && found <= memory * 1.001 + 10.0 * stages.len() as f64,
            "{line}"
        );
        let compound: f64 = row["compound_at_n_text"].parse().unwrap();
        let p = answer["p"].as_f64().unwrap();
        // The error of the textbook formula is larger for stages with fewer bits.
        let off = if stages[0]["n"].as_u64() >= Some(1_000) {
            2e-3
        } else {
            5e-2
        };
        assert!((p / compound - 1.0).abs() < off, "{line}: {p} {compound}");
        assert_eq!(answer["met"], true, "{line}");
    }
}
