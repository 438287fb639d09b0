//! Fits the formulas of `measured.rs`, for what dependent positions add to the rate, to simulated filters. Compares the bounds
//! that the formulas give with the rates of these filters.

use alloc::vec;
use alloc::vec::Vec;

use bloom_core::Shape;

use super::*;
use crate::double_hashing::{Known, Scheme, theory};
use crate::{Positions, four_hashes};

extern crate std;

/// A line of `measured/simulated.csv`: the mean rate of simulated filters of one kind and size.
struct Cell {
    text: std::string::String,
    kind: std::string::String,
    items: u64,
    bits: u64,
    hashes: u8,
    rate: f64,
    deviation: f64,
}

fn cells() -> Vec<Cell> {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("measured/simulated.csv");
    let file = std::fs::read_to_string(path).expect("simulated");
    let cell = |line: &str| {
        let fields: Vec<&str> = line.split(',').collect();
        Cell {
            text: line.into(),
            kind: fields[0].into(),
            items: fields[1].parse().unwrap(),
            bits: fields[2].parse().unwrap(),
            hashes: fields[3].parse().unwrap(),
            rate: fields[4].parse().unwrap(),
            deviation: fields[5].parse().unwrap(),
        }
    };
    file.lines().skip(1).map(cell).collect()
}

const KINDS: [(&str, &Formula, Positions); 7] = [
    (
        "modular",
        &MODULAR,
        Positions::Double(Scheme::Modular { bits: 64 }),
    ),
    (
        "wrapping",
        &WRAPPING,
        Positions::Double(Scheme::Wrapping { bits: 64 }),
    ),
    (
        "without-second",
        &WITHOUT_SECOND,
        Positions::Double(Scheme::WrappingWithoutSecond { bits: 64 }),
    ),
    (
        "reflected",
        &REFLECTED,
        Positions::Double(Scheme::Reflected),
    ),
    ("signed", &SIGNED, Positions::Signed),
    ("halved", &HALVED, Positions::Halved),
    ("four-hashes", &FOUR_HASHES, Positions::FourHashes),
];

/// Returns what dependent positions add at first order in 1/m; `None` if the rate is computed exactly instead. For halved sums,
/// an exact result takes the place of the first order.
fn first(positions: Positions, cell: &Cell) -> Option<First> {
    let (items, bits, hashes) = (cell.items, cell.bits, cell.hashes);
    let scheme = match positions {
        Positions::Double(scheme) => scheme,
        Positions::Halved => Scheme::Wrapping { bits: 63 },
        Positions::Signed => Scheme::Reflected,
        _ => return Some(four_hashes::first(Shape::new(bits, hashes).unwrap(), items)),
    };
    let (bounds, first) = theory(&Known::default(), scheme, items, bits, hashes).unwrap();
    (bounds.low < bounds.high || positions == Positions::Halved).then_some(first)
}

/// Returns whether a cell is in the half of the cells to which the formulas are fitted.
fn is_fitted(cell: &Cell) -> bool {
    let hash = |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
    (cell.text.bytes().fold(0xcbf2_9ce4_8422_2325, hash) >> 32).is_multiple_of(2)
}

fn ideal(cell: &Cell) -> f64 {
    exact::rate(cell.items, cell.bits, cell.hashes)
        .unwrap()
        .value()
}

#[test]
#[ignore = "prints the coefficients: cargo test --release -p bloom-systems --lib fit -- --ignored --nocapture"]
fn fit() {
    let cells = cells();
    for (kind, formula, positions) in KINDS {
        // `from` is the first term whose coefficient is fitted. No first order is derived for halved and signed sums. They use
        // that of another kind, so its coefficients, those of terms 0 and 1, are fitted, too.
        let from = match kind {
            "halved" | "signed" => 0,
            _ => 2,
        };
        let is_of_kind = |cell: &&Cell| {
            let is_modular = cell.kind == "wrapping" && cell.bits.is_power_of_two();
            is_fitted(cell)
                && formula.is_simulated(cell.items, cell.bits, cell.hashes)
                && kind == if is_modular { "modular" } else { &cell.kind }
        };
        // The terms of the formula, the excess that they should add up to, and the tolerance of the excess, which sets the
        // weight of the cell.
        let row = |cell: &Cell| {
            let first = first(positions, cell)?;
            let fill = expected_fill(cell.items, cell.bits, cell.hashes).unwrap();
            let terms = formula.terms(first, fill, cell.bits, cell.hashes);
            let least = match cell.items {
                ..4 => 0.003,
                4..10 => 0.006,
                10..MANY => 0.01,
                _ => 0.005,
            };
            Some((
                terms,
                cell.rate - ideal(cell),
                least * cell.rate + cell.deviation,
            ))
        };
        let rows: Vec<_> = cells.iter().filter(is_of_kind).filter_map(row).collect();
        let mut sums = vec![vec![0.0; TERMS + 1]; TERMS];
        for (terms, added, least) in &rows {
            let left = added - if from > 0 { terms[0] } else { 0.0 };
            for (sum, one) in sums.iter_mut().zip(terms).skip(from) {
                for (sum, other) in sum.iter_mut().zip(terms.iter().chain([&left])) {
                    *sum += one * other / (least * least);
                }
            }
        }
        let solved = solve(sums, from);
        std::println!("// {kind}");
        for coefficient in solved {
            std::println!("        {coefficient:.5},");
        }
    }
}

/// Solves normal equations from the column `from` on. Where all terms of a column are 0, so is its coefficient.
fn solve(mut rows: Vec<Vec<f64>>, from: usize) -> Vec<f64> {
    let scale: Vec<f64> = (0..TERMS)
        .map(|i| libm::sqrt(rows[i][i]).max(1e-99))
        .collect();
    for i in 0..TERMS {
        for j in 0..TERMS {
            rows[i][j] /= scale[i] * scale[j];
        }
        rows[i][TERMS] /= scale[i];
        rows[i][i] += RIDGE;
    }
    for i in from..TERMS {
        for j in i + 1..TERMS {
            let by = rows[j][i] / rows[i][i];
            let above = rows[i].clone();
            for (one, above) in rows[j].iter_mut().zip(above) {
                *one -= by * above;
            }
        }
    }
    let mut solved = vec![0.0; TERMS];
    for i in (from..TERMS).rev() {
        let known: f64 = (i + 1..TERMS).map(|j| rows[i][j] * solved[j]).sum();
        solved[i] = (rows[i][TERMS] - known) / rows[i][i];
    }
    let unscaled = solved
        .iter()
        .zip(scale)
        .map(|(solved, scale)| if scale > 1e-98 { solved / scale } else { 0.0 });
    let mut solved: Vec<f64> = unscaled.collect();
    if from > 0 {
        solved[0] = 1.0;
    }
    solved
}

/// Added to the diagonal of the scaled normal equations, so that the coefficients of nearly
/// dependent terms stay small.
const RIDGE: f64 = 1e-4;

#[test]
fn bounds_hold_also_for_the_half_that_they_are_not_fitted_to() {
    let (mut compared, mut narrowed) = (0, 0);
    let fitted = KINDS.map(|(kind, _, positions)| (kind, positions));
    let rotated = ("rotated", Positions::Rotated);
    for (kind, positions) in fitted.into_iter().chain([rotated]) {
        for cell in cells().iter().filter(|cell| cell.kind == kind) {
            let (items, bits, hashes) = (cell.items, cell.bits, cell.hashes);
            let added = positions.excess(items, bits, hashes).unwrap();
            let excess = cell.rate - ideal(cell);
            let apart = (excess - excess.clamp(added.low, added.high)).abs();
            assert!(
                apart < 5.0 * cell.deviation,
                "{}: {excess}, {added:?}",
                cell.text
            );
            let is_other = positions == Positions::Rotated || !is_fitted(cell);
            narrowed += usize::from(is_other && added.measured);
            compared += usize::from(is_other);
        }
    }
    assert!(
        compared > 4_500 && narrowed > 2_500,
        "{compared} {narrowed}"
    );
}
