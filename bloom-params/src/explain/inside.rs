//! The steps that differ between kinds of filters: slices, blocks and stages.

use bloom_core::math::{Rate, exact};

use super::page::Page;
use crate::filters::{Filter, LANES};
use crate::numbers::{grouped, nearest};
use crate::solution::Solution;
use crate::words::{digits, share};

/// A partitioned filter.
pub(super) fn slices(page: &mut Page, solution: &Solution) {
    let (n, m, k) = (solution.items, solution.bits, u64::from(solution.hashes));
    let (slice, longer) = (m / k, m % k);
    page.step("One slice");
    page.text(&format!(
        "Each of the k = {k} hashes has a slice of its own, of m/k = {} bits{}. An item sets one bit \
         in each, so a slice of s bits has this share of them set:",
        grouped(slice),
        match longer {
            0 => String::new(),
            some => format!(", and the first {some} of them one bit more"),
        }
    ));
    page.formula(&format!(
        "1 - (1 - 1/s)^n = 1 - (1 - 1/{})^{} = {}",
        grouped(slice),
        grouped(n),
        nearest(exact::rate(n, slice.max(1), 1).map_or(1.0, Rate::value), 5)
    ));
    page.step("All slices");
    page.text(
        "A query errs if it finds a set bit in every slice. Slices are filled by hashes that know \
         nothing of each other, so here the chances may be multiplied, and that is exact:",
    );
    page.formula(&format!("p = {}", digits(solution.rate, 6)));
    let shared = exact::rate(n, m, solution.hashes);
    if let Ok(shared) = shared {
        page.text(&format!(
            "A classic filter of this size, whose hashes share all bits, has p = {}.",
            digits(shared, 6)
        ));
    }
}

/// A blocked or split-block filter.
pub(super) fn blocks(page: &mut Page, solution: &Solution) {
    let (n, m, k) = (solution.items, solution.bits, solution.hashes);
    let unit = solution.asked.filter.unit();
    let blocks = m / unit;
    let load = n as f64 / blocks as f64;
    page.step("One block");
    let inside = match solution.asked.filter {
        Filter::SplitBlock { .. } => format!(
            "one bit in each of its {LANES} lanes of {} bits",
            unit / u64::from(LANES)
        ),
        _ => format!("k = {k} of its bits"),
    };
    page.text(&format!(
        "The m = {} bits are {} blocks of {unit}. An item goes to one block and sets {inside}, so \
         that a query needs to look at one place in memory.",
        grouped(m),
        grouped(blocks)
    ));
    page.formula(&format!("mean load = n / blocks = {}", nearest(load, 5)));
    page.step("Blocks fill unevenly");
    let sd = (load * (1.0 - 1.0 / blocks as f64)).sqrt();
    page.text(&format!(
        "How many items a block gets is chance, {} give or take {}. A block with more than its share \
         errs more by more than one with less errs less, so p is the mean over all loads:",
        nearest(load, 4),
        nearest(sd, 3)
    ));
    page.formula("p = sum over i of  P(a block has i items)  x  p of a block with i");
    page.formula(&format!("  = {}", digits(solution.rate, 6)));
    let shared = exact::rate(n, m, k);
    if let Ok(shared) = shared {
        let dearer = solution.rate.value() / shared.value();
        page.text(&format!(
            "A classic filter of this size and k has p = {}: the price of one place in memory is \
             {} times the rate.",
            digits(shared, 6),
            nearest(dearer, 3)
        ));
    }
}

/// A scalable filter.
pub(super) fn stages(page: &mut Page, solution: &Solution) {
    let Some(grown) = &solution.grown else {
        return;
    };
    let growth = grown.growth;
    page.step("Stages");
    page.text(&format!(
        "The filter starts with room for {} items and adds a stage when the last is full, each with \
         {} times the items of the one before.",
        grouped(growth.items),
        growth.growth
    ));
    page.step("Rates that add up");
    let first = growth.rate * (1.0 - growth.tightening);
    page.text(&format!(
        "An item is found if any stage finds it, so the rates of all stages add up. Were they equal, \
         the sum would pass every bound. So each stage gets r = {} times the rate of the one before, \
         and the first gets",
        growth.tightening
    ));
    page.formula(&format!(
        "P (1 - r) = {} x (1 - {}) = {}",
        nearest(growth.rate, 6),
        growth.tightening,
        nearest(first, 6)
    ));
    page.text(&format!(
        "for then all stages that can ever be sum to P (1 - r)(1 + r + r^2 + ...) = P = {}.",
        nearest(growth.rate, 6)
    ));
    page.step("All stages");
    let count = grown.stages.len();
    page.text(&format!(
        "n = {} items are in {count} {}, of {} bits together. Each has its exact rate at the items \
         it holds, and all of them together:",
        grouped(solution.items),
        if count == 1 { "stage" } else { "stages" },
        grouped(grown.bits())
    ));
    page.formula(&format!(
        "p = 1 - (1 - p1)(1 - p2)... = {}",
        digits(solution.rate, 6)
    ));
    let full = growth.full_rate(count as u32);
    page.text(&format!(
        "With these stages full it would be at most {}, {} of P.",
        nearest(full, 6),
        share(full / growth.rate, 3)
    ));
}
