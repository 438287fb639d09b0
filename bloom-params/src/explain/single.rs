//! Steps that show why m grows if a share of single filters must keep p.

use bloom_core::math::share_above;

use super::page::Explanation;
use crate::filters::Filter;
use crate::numbers::{grouped, nearest};
use crate::query::Query;
use crate::solution::{Quantity, Solution};
use crate::words::{as_typed, kept, share};

/// From this many bits on, the deviation for large m is accurate to the digits shown.
const MANY_BITS: u64 = 1_000;

/// Adds the condition on a single filter, the share of filters that meet it, and what that share costs.
pub(super) fn filters(page: &mut Explanation, solution: &Solution, confidence: f64) {
    let Some(target) = solution.asked.rate else {
        return;
    };
    let (n, m, k) = (solution.items, solution.bits, solution.hashes);
    let (target_text, asked) = (as_typed(target), share(confidence, 15));
    let what = match solution.asked.filter {
        Filter::Counting { .. } => "counters above 0",
        _ => "set bits",
    };
    page.step("From the mean to single filters");
    page.text(&format!(
        "That p is a mean over all filters. A single one has the rate (X/m)^k of the X {what} it \
         happens to have, and keeps {target_text} where X is at most m p^(1/k):"
    ));
    let most = m as f64 * (target.ln() / f64::from(k)).exp();
    page.formula(&format!(
        "m p^(1/k) = {} x {target_text}^(1/{k}) = {}",
        grouped(m),
        nearest(most, 6)
    ));
    let mean = m as f64 * solution.fill();
    let share_of_all = kept(share_above(n, m, k, target).unwrap_or(1.0), 6);
    if m < MANY_BITS {
        page.text(&format!(
            "On average X is m times the fill, {}, and it differs from filter to filter: {share_of_all} \
             of them keep {target_text}. You asked for {asked}.",
            nearest(mean, 6)
        ));
    } else {
        let deviation = deviation(n, m, k);
        page.text(&format!(
            "On average X is m times the fill, {}, and it differs from filter to filter by about",
            nearest(mean, 6)
        ));
        page.formula(&format!(
            "sqrt(m c (1 - (1 + k n/m) c)) = {},  with c = 1 - fill",
            nearest(deviation, 3)
        ));
        let room = (most - mean) / deviation;
        page.text(&format!(
            "So the bound is {} times that {} the mean, and {share_of_all} of all filters keep \
             {target_text}. You asked for {asked}.",
            nearest(room.abs(), 3),
            if room < 0.0 { "under" } else { "over" }
        ));
    }
    let plain = Query {
        confidence: None,
        ..solution.asked
    };
    let Ok(plain) = plain.solve() else {
        return;
    };
    let above = share_above(plain.items, plain.bits, plain.hashes, target);
    let few = kept(above.unwrap_or(1.0), 3);
    let solved = |quantity| solution.solved.contains(&quantity);
    if solved(Quantity::Bits) && plain.bits < m {
        page.text(&format!(
            "A filter sized for the mean alone has m = {} and k = {}, and of those only {few} keep \
             {target_text}. To bring that to {asked}, m had to grow by {}.",
            grouped(plain.bits),
            plain.hashes,
            grouped(m - plain.bits)
        ));
    } else if solved(Quantity::Items) && plain.items > n {
        page.text(&format!(
            "For the mean alone n could be {}, but of those filters only {few} keep {target_text}. \
             To bring that to {asked}, n had to shrink by {}.",
            grouped(plain.items),
            grouped(plain.items - n)
        ));
    }
}

/// Returns the standard deviation of the number of set bits, approximated for large m.
fn deviation(n: u64, m: u64, k: u8) -> f64 {
    let load = f64::from(k) * n as f64 / m as f64;
    let clear = (-load).exp();
    (m as f64 * clear * (1.0 - (1.0 + load) * clear).max(0.0)).sqrt()
}
