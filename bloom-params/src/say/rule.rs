//! Explains how another system, that is, a library or a database, computes m and k, step by step.

use std::f64::consts::LN_2;

use bloom_systems::rule::{Rounded, Step};
use bloom_systems::{ByFormula, Formula, Worked};

use crate::answer::Solution;
use crate::kind::of_system::WhyNoMore;
use crate::say::numbers::{counted, grouped, nearest};

/// Returns the steps by which a system computes m and k. If n was solved, the first line says why no more items fit.
pub(crate) fn story(solution: &Solution) -> Vec<String> {
    let Some(as_built) = solution.as_built() else {
        return Vec::new();
    };
    let request = as_built.request;
    let n = grouped(request.items);
    let room = as_built.full.zip(solution.asked.bits);
    let first = room.map(|(full, m)| {
        let m = grouped(m);
        match full {
            WhyNoMore::Rate => format!(
                "n = {n} and m = {} are given to it: with one more item its filter of at most m = {m} misses p",
                grouped(request.bits.unwrap_or_default())
            ),
            WhyNoMore::Cap(most) => {
                format!("n = {n}, the most items before m is cut to its limit, {}", grouped(most))
            }
            WhyNoMore::Program => format!("n = {n}, the most items that it takes at this p"),
            WhyNoMore::Memory => format!("n = {n}, the most items for which the steps below give at most m = {m}"),
        }
    });
    first
        .into_iter()
        .chain(as_built.built.work.iter().map(worked))
        .collect()
}

fn worked(step: &Worked) -> String {
    match *step {
        Worked::RateAtMost(most) => format!("p is at most {most}"),
        Worked::RateTimes { factor, rate } => {
            format!("p is first multiplied by {factor}: {rate}")
        }
        Worked::RateSingle(rate) => format!("p in single precision: {rate}"),
        Worked::Bits(worked) => by_formula("m", worked, 9),
        Worked::FixedBits(bits) => format!("m is always {}", grouped(bits)),
        Worked::BitsByTable {
            table,
            per_item,
            hashes,
            bits,
        } => {
            let (per_item, k) = (counted(per_item, "bit"), counted(hashes, "hash"));
            let m = grouped(bits);
            format!("{table}: {per_item} per item and {k}: {m}")
        }
        Worked::BitsByThousandths {
            requested,
            thousandths,
            bits,
        } => {
            let (requested, bits) = (nearest(requested, 6), grouped(bits));
            let per_item = thousandths as f64 / 1000.0;
            format!("m/n = {requested}, taken as {per_item}; n times that in whole bytes: {bits}")
        }
        Worked::BitsByOwn { rule, bits } => format!("m is {rule}: {}", grouped(bits)),
        Worked::Changed { step, bits } => format!("{}: {}", change(step), grouped(bits)),
        Worked::ItemsAtMost(most) => format!("n is at most {} for k", grouped(most)),
        Worked::StoredThousandths(stored) => {
            format!("thousandths of a bit per item: {}", grouped(stored))
        }
        Worked::Hashes(worked) => by_formula("k", worked, 6),
        Worked::FixedHashes(hashes) => format!("k = {hashes}"),
        Worked::OneHash => "k is at least 1".to_string(),
        Worked::HashesAtMost(most) => format!("k is at most {most}"),
        Worked::Slice { value, slice, bits } => {
            let (value, slice, bits) = (nearest(value, 9), grouped(slice), grouped(bits));
            format!(
                "m/k = -n ln p / (k (ln 2)^2) = {value}, rounded up: {slice}; k of them: {bits}"
            )
        }
        _ => String::new(),
    }
}

fn by_formula(letter: &str, worked: ByFormula, digits: usize) -> String {
    let (formula, value) = (formula_of(worked.formula), nearest(worked.value, digits));
    let (how, result) = (how(worked.rounded), grouped(worked.result));
    format!("{letter} = {formula} = {value}, {how}: {result}")
}

fn formula_of(formula: Formula) -> String {
    match formula {
        Formula::Usual => "-n ln p / (ln 2)^2".to_string(),
        Formula::OfHashes(k) => format!("-{k} n / ln(1 - p^(1/{k}))"),
        Formula::OfRate => "-log2 p".to_string(),
        Formula::OfWholePerItem => "(m/n, rounded down) ln 2".to_string(),
        // Some systems write ln 2 with few digits.
        Formula::OfBits(ln_2) if (ln_2 - LN_2).abs() > 1e-9 => format!("{ln_2} m/n"),
        _ => "(m/n) ln 2".to_string(),
    }
}

fn how(rounded: Rounded) -> &'static str {
    match rounded {
        Rounded::Down => "rounded down",
        Rounded::Nearest => "rounded",
        Rounded::Up => "rounded up",
        Rounded::UpToBytes => "up to whole bytes",
    }
}

fn change(step: Step) -> String {
    match step {
        Step::Add(more) => format!("{more} bits more"),
        Step::AtLeast(least) => format!("at least {}", grouped(least)),
        Step::AtMost(most) => format!("at most {}", grouped(most)),
        Step::Down(unit) => format!("down to a multiple of {unit}"),
        Step::Up(unit) => format!("up to a multiple of {unit}"),
        Step::UpToOdd(unit) => format!("up to an odd multiple of {unit}"),
        Step::PowerOfTwo => "up to a power of two".to_string(),
        Step::Clear(digit) => format!("the binary digit of {digit} cleared"),
    }
}
