//! Steps for filters whose hashes do not share all bits: slices and blocks.

use bloom_core::math::{Rate, exact};

use super::page::Explanation;
use crate::filters::{Filter, LANES};
use crate::numbers::{grouped, nearest};
use crate::solution::Solution;
use crate::words::{counted, digits, plural};

/// Digits of the fill of a slice that leave six accurate digits in their product.
const DIGITS: usize = 8;

/// Adds the steps of a partitioned filter.
pub(super) fn slices(page: &mut Explanation, solution: &Solution) {
    let (n, m, k) = (solution.items, solution.bits, u64::from(solution.hashes));
    let (slice, longer) = (m / k, m % k);
    let kinds = [(longer, slice + 1), (k - longer, slice)];
    let kinds = kinds.iter().filter(|(count, _)| *count > 0);
    page.step("One slice");
    let sizes = kinds.clone().map(|(count, bits)| {
        format!(
            "{count} {} of {}",
            plural(*count, "slice"),
            counted(*bits, "bit")
        )
    });
    page.text(&format!(
        "Each hash has a slice of the m = {} to itself: {}. An item sets one bit in each, so a \
         slice of s bits has a share of 1 - (1 - 1/s)^n of them set:",
        counted(m, "bit"),
        sizes.collect::<Vec<_>>().join(" and ")
    ));
    let mut product = Vec::new();
    for (count, bits) in kinds {
        let fill = exact::rate(n, *bits, 1).map_or(1.0, Rate::value);
        let fill = nearest(fill, DIGITS);
        page.formula(&format!(
            "1 - (1 - 1/{})^{} = {fill}",
            grouped(*bits),
            grouped(n)
        ));
        product.push(format!("{fill}^{count}"));
    }
    page.step("All slices");
    page.text(
        "A query errs if it finds a set bit in every slice. Slices are filled by hashes that know \
         nothing of each other, so here the chances may be multiplied, and that is exact:",
    );
    page.formula(&format!(
        "p = {} = {}",
        product.join(" x "),
        digits(solution.rate, 6)
    ));
    let shared = exact::rate(n, m, solution.hashes);
    if let (Ok(shared), true) = (shared, k > 1) {
        page.text(&format!(
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
    let is_split = matches!(solution.asked.filter, Filter::SplitBlock { .. });
    page.step("One block");
    let inside = if is_split {
        format!(
            "one bit in each of its {LANES} lanes of {lane} {}",
            plural(lane, "bit")
        )
    } else {
        format!("k = {k} of its bits")
    };
    page.text(&format!(
        "The m = {} {} {} of {unit}. An item goes to one block and sets {inside}, so that a query \
         needs to look at one place in memory.",
        grouped(m),
        if m == 1 { "bit is" } else { "bits are" },
        if blocks == 1 {
            "one block".to_string()
        } else {
            format!("{} blocks", grouped(blocks))
        },
    ));
    page.formula(&format!(
        "mean load = n / blocks = {} / {} = {} {}",
        grouped(n),
        grouped(blocks),
        nearest(load, 5),
        if load == 1.0 { "item" } else { "items" }
    ));
    let of_block = if is_split {
        format!("(1 - (1 - 1/{lane})^i)^{LANES}")
    } else {
        format!("that of a classic filter of {unit} {}", plural(unit, "bit"))
    };
    let rate_of = |items: u64| {
        if is_split {
            let lane = exact::rate(items, lane, 1);
            lane.map_or(1.0, |rate| rate.value().powi(LANES.into()))
        } else {
            exact::rate(items, unit, k).map_or(1.0, Rate::value)
        }
    };
    if blocks == 1 {
        page.step("Its rate");
        page.text(&format!("With i = {} p is {of_block}:", grouped(n)));
        page.formula(&format!("p = {}", digits(solution.rate, 6)));
    } else {
        page.step("Blocks fill unevenly");
        let deviation = (load * (1.0 - 1.0 / blocks as f64)).sqrt();
        page.text(&format!(
            "How many items a block gets is chance, {} give or take",
            nearest(load, 4)
        ));
        page.formula(&format!(
            "sqrt(load (1 - 1/blocks)) = {}",
            nearest(deviation, 3)
        ));
        page.text(&format!(
            "A block with i items has a rate of its own, {of_block}:"
        ));
        let mut shown: Vec<u64> = [load - deviation, load, load + deviation]
            .map(|items| items.round().max(0.0) as u64)
            .to_vec();
        shown.dedup();
        for items in shown {
            page.formula(&format!(
                "i = {:<8} {}",
                grouped(items),
                nearest(rate_of(items), 4)
            ));
        }
        page.text(
            "A block with more than its share errs more by more than one with less errs less, so p \
             is the mean over all loads:",
        );
        page.formula("p = sum over i of  P(a block has i items)  x  rate of a block with i");
        page.formula(&format!("  = {}", digits(solution.rate, 6)));
    }
    let shared = exact::rate(n, m, k);
    if let (Ok(shared), true) = (shared, k > 1 && (blocks > 1 || is_split)) {
        let dearer = solution.rate.value() / shared.value();
        if dearer.is_finite() {
            page.text(&format!(
                "A classic filter of this size and k has p = {}: the price of one place in memory is \
                 {} times the rate.",
                digits(shared, 6),
                nearest(dearer, 3)
            ));
        }
    }
}
