//! Steps for filters whose hashes do not share all bits: slices and blocks.

use bloom_core::math::{Rate, exact};

use super::page::Explanation;
use crate::answer::Solution;
use crate::kind::filter::{Filter, LANES};
use crate::say::numbers::{counted, grouped, nearest};
use crate::say::words::digits;

/// Digits of the fill of a slice that leave six accurate digits in their product.
const DIGITS: usize = 8;

/// Adds the steps of a partitioned filter.
pub(super) fn slices(page: &mut Explanation, solution: &Solution) {
    let (n, m, k) = (solution.items, solution.bits, u64::from(solution.hashes));
    let (slice, longer) = (m / k, m % k);
    let mut kinds = vec![(longer, slice + 1), (k - longer, slice)];
    kinds.retain(|(count, _)| *count > 0);
    page.step("One slice");
    let sizes = kinds.iter().map(|(count, bits)| {
        let (slices, bits) = (counted(*count, "slice"), counted(*bits, "bit"));
        format!("{slices} of {bits}")
    });
    page.text(format!(
        "Each hash has its own slice of the m = {}: {}. An item sets one bit in each, so in a slice of \
         s bits a share of 1 - (1 - 1/s)^n is set:",
        counted(m, "bit"),
        sizes.collect::<Vec<_>>().join(" and ")
    ));
    let mut product = Vec::new();
    for (count, bits) in kinds {
        let fill = exact::rate(n, bits, 1).map_or(1.0, Rate::value);
        let fill = nearest(fill, DIGITS);
        let (s, n) = (grouped(bits), grouped(n));
        page.formula(format!("1 - (1 - 1/{s})^{n} = {fill}"));
        product.push(format!("{fill}^{count}"));
    }
    page.step("All slices");
    page.text(
        "A query is a false positive if it finds a set bit in every slice. The hashes of the slices \
         are independent, so here the chances may be multiplied, and the result is exact:",
    );
    let rate = digits(solution.ideal, 6);
    page.formula(format!("p = {} = {rate}", product.join(" x ")));
    let shared = exact::rate(n, m, solution.hashes);
    if let (Ok(shared), true) = (shared, k > 1) {
        page.text(format!(
            "A classic filter of this size, whose hashes share all bits, has p = {}.",
            digits(shared, 6)
        ));
    }
}

/// Adds the steps of a blocked or split-block filter.
pub(super) fn blocks(page: &mut Explanation, solution: &Solution) {
    let (n, m, k) = (solution.items, solution.bits, solution.hashes);
    let unit = solution.asked.filter.unit();
    let blocks = m / unit;
    let load = n as f64 / blocks as f64;
    let lane = unit / u64::from(LANES);
    let is_split = matches!(solution.layout(), Filter::SplitBlock { .. });
    let (inside, of_block) = if is_split {
        let lanes = format!(
            "one bit in each of its {LANES} lanes of {}",
            counted(lane, "bit")
        );
        (lanes, format!("(1 - (1 - 1/{lane})^i)^{LANES}"))
    } else {
        let classic = format!("that of a classic filter of {}", counted(unit, "bit"));
        (format!("k = {k} of its bits"), classic)
    };
    page.step("One block");
    page.text(format!(
        "The filter has m = {} in {} of {unit}. An item goes to one block and sets {inside}, so a \
         query reads one place in memory.",
        counted(m, "bit"),
        counted(blocks, "block")
    ));
    let (items, many, mean) = (grouped(n), grouped(blocks), nearest(load, 5));
    page.formula(format!(
        "mean load = n / blocks = {items} / {many} = {mean}"
    ));
    let rate = digits(solution.ideal, 6);
    if blocks == 1 {
        page.step("Its rate");
        page.text(format!("With i = {items} p is {of_block}:"));
        page.formula(format!("p = {rate}"));
    } else {
        page.step("Blocks fill unevenly");
        let deviation = (load * (1.0 - 1.0 / blocks as f64)).sqrt();
        page.text(format!(
            "The items of a block vary by chance around {}, with the standard deviation",
            nearest(load, 4)
        ));
        let shown = nearest(deviation, 3);
        page.formula(format!("sqrt(load (1 - 1/blocks)) = {shown}"));
        page.text(format!("The rate of a block with i items is {of_block}:"));
        let near = [load - deviation, load, load + deviation];
        let mut near = near.map(|items| items.round().max(0.0) as u64).to_vec();
        near.dedup();
        for items in near {
            let rate = if is_split {
                let lane = exact::rate(items, lane, 1);
                lane.map_or(1.0, |rate| rate.value().powi(LANES.into()))
            } else {
                exact::rate(items, unit, k).map_or(1.0, Rate::value)
            };
            let (items, rate) = (grouped(items), nearest(rate, 4));
            page.formula(format!("i = {items:<8} {rate}"));
        }
        page.text(
            "It rises faster above the mean load than it falls below it. p is the mean over all loads:",
        );
        page.formula("p = sum over i of  P(a block has i items)  x  rate of a block with i");
        page.formula(format!("  = {rate}"));
    }
    let shared = exact::rate(n, m, k);
    if let (Ok(shared), true) = (shared, k > 1 && (blocks > 1 || is_split)) {
        let dearer = solution.ideal.value() / shared.value();
        if dearer.is_finite() {
            page.text(format!(
                "A classic filter of this size and k has p = {}: reading one place in memory costs {} \
                 times the rate.",
                digits(shared, 6),
                nearest(dearer, 3)
            ));
        }
    }
}
