//! Writes the steps that derive the rate of filters in which a hash chooses only among part of the bits: a slice or a block.

use bloom_core::math::{Rate, exact};

use super::page::Explanation;
use crate::answer::Solution;
use crate::kind::filter::{Filter, LANES};
use crate::say::numbers::{counted, grouped, nearest};
use crate::say::words::digits;

/// With this many digits of the fill of a slice, the product of up to ten slices has six accurate digits.
const DIGITS: usize = 8;

/// Adds the steps of a partitioned filter.
pub(super) fn slices(page: &mut Explanation, solution: &Solution) {
    let (n, m, k) = (solution.items, solution.bits, u64::from(solution.hashes));
    let (slice, longer) = (m / k, m % k);
    let mut kinds = vec![(longer, slice + 1), (k - longer, slice)];
    kinds.retain(|(count, _)| *count > 0);
    let sizes = kinds.iter().map(|(count, bits)| {
        let (slices, bits) = (counted(*count, "slice"), counted(*bits, "bit"));
        format!("{slices} of {bits}")
    });
    let (bits, sizes) = (counted(m, "bit"), sizes.collect::<Vec<_>>().join(" and "));
    page.add(&format!(
        "# One slice
        Each hash has its own slice of the m = {bits}: {sizes}. An item sets one bit in each, so in a slice of s bits a share \
        of 1 - (1 - 1/s)^n is set:"
    ));
    let mut product = Vec::new();
    for (count, bits) in kinds {
        let fill = exact::rate(n, bits, 1).map_or(1.0, Rate::value);
        let fill = nearest(fill, DIGITS);
        let (s, n) = (grouped(bits), grouped(n));
        page.add(&format!("> 1 - (1 - 1/{s})^{n} = {fill}"));
        product.push(format!("{fill}^{count}"));
    }
    let (product, rate) = (product.join(" x "), digits(solution.ideal, 6));
    page.add(&format!(
        "# All slices
        A query is a false positive if it finds a set bit in every slice. The hashes of the slices are independent, so here \
        the chances may be multiplied, and the result is exact:
        > p = {product} = {rate}"
    ));
    let shared = exact::rate(n, m, solution.hashes);
    if let (Ok(shared), true) = (shared, k > 1) {
        let shared = digits(shared, 6);
        page.add(&format!(
            "A classic filter of this size, whose hashes share all bits, has p = {shared}."
        ));
    }
}

/// Adds the steps of a filter of blocks.
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
    let (bits, of_blocks) = (counted(m, "bit"), counted(blocks, "block"));
    let (items, many, mean) = (grouped(n), grouped(blocks), nearest(load, 5));
    page.add(&format!(
        "# One block
        The filter has m = {bits} in {of_blocks} of {unit}. An item goes to one block and sets {inside}, so a query reads one \
        place in memory.
        > mean load = n / blocks = {items} / {many} = {mean}"
    ));
    let rate = digits(solution.ideal, 6);
    if blocks == 1 {
        page.add(&format!(
            "# Its rate
            With i = {items} p is {of_block}:
            > p = {rate}"
        ));
    } else {
        let deviation = (load * (1.0 - 1.0 / blocks as f64)).sqrt();
        let (mean, shown) = (nearest(load, 4), nearest(deviation, 3));
        page.add(&format!(
            "# Blocks fill unevenly
            The items of a block vary by chance around {mean}, with the standard deviation
            > sqrt(load (1 - 1/blocks)) = {shown}
            The rate of a block with i items is {of_block}:"
        ));
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
            page.add(&format!("> i = {items:<8} {rate}"));
        }
        // The rate of a block, as a function of its items i, is convex where k times the share of clear bits is above 1. With
        // one hash, it is convex nowhere. The sentence on this is printed only if the rate is convex at the mean load.
        let of_item = if is_split {
            libm::log1p(-1.0 / lane as f64)
        } else {
            f64::from(k) * libm::log1p(-1.0 / unit as f64)
        };
        let bend = if f64::from(k) * libm::exp(load * of_item) > 1.0 {
            "It rises faster above the mean load than it falls below it. "
        } else {
            ""
        };
        page.add(&format!(
            "{bend}p is the mean over all loads:
            > p = sum over i of  P(a block has i items)  x  rate of a block with i
            >   = {rate}"
        ));
    }
    let shared = exact::rate(n, m, k);
    if let (Ok(shared), true) = (shared, k > 1 && (blocks > 1 || is_split)) {
        let dearer = solution.ideal.value() / shared.value();
        if dearer.is_finite() {
            let (shared, times) = (digits(shared, 6), nearest(dearer, 3));
            page.add(&format!(
                "A classic filter of this size and k has p = {shared}: reading one place in memory costs {times} times the rate."
            ));
        }
    }
}
