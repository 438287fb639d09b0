//! Writes the steps for a question in which a given share of single filters must keep p, and not only the mean of their rates.
//! They show why that takes a larger m, or a smaller n.

use bloom_core::math::share_above;

use super::page::Explanation;
use crate::answer::Solution;
use crate::question::{Quantity, Query};
use crate::say::numbers::{grouped, nearest};
use crate::say::words::{as_typed, kept, position, set, share};

/// The formula for the standard deviation of the number of set bits is approximate. From this many bits on, it is accurate to
/// the digits printed.
const MANY_BITS: u64 = 1_000;

/// Adds the condition on a single filter, the share of filters that meet it, and how many more bits or fewer items the
/// requested share takes.
pub(super) fn filters(page: &mut Explanation, solution: &Solution, confidence: f64) {
    let Some(target) = solution.asked.rate else {
        return;
    };
    let (n, m, k) = (solution.items, solution.bits, solution.hashes);
    let (p, asked) = (as_typed(target), share(confidence, 15));
    let (what, set) = (position(solution.layout()), set(solution.layout()));
    let most = m as f64 * libm::exp(libm::log(target) / f64::from(k));
    let mean = m as f64 * solution.fill();
    let share_of_all = kept(share_above(n, m, k, target).unwrap_or(1.0), 6);
    let deviation = deviation(n, m, k);
    let room = (most - mean) / deviation;
    let side = if room < 0.0 { "below" } else { "above" };
    let (bits, shown, room) = (grouped(m), nearest(most, 6), nearest(room.abs(), 3));
    let (mean, deviation) = (nearest(mean, 6), nearest(deviation, 3));
    page.add(&format!(
        "# From the mean to single filters
        That p is a mean over all filters. A single one has the rate (X/m)^k of the X {what}s that happen to be {set}, and \
        keeps {p} if X is at most m p^(1/k):
        > m p^(1/k) = {bits} x {p}^(1/{k}) = {shown}"
    ));
    let varies =
        format!("The mean of X is m times the fill, {mean}, and single filters deviate from it");
    page.add(&if m < MANY_BITS {
        format!("{varies}: {share_of_all} of them keep {p}. You asked for {asked}.")
    } else {
        format!(
            "{varies} by about
            > sqrt(m c (1 - (1 + k n/m) c)) = {deviation},  with c = 1 - fill
            So the bound is {room} such deviations {side} the mean, and {share_of_all} of all filters keep {p}. You asked \
            for {asked}."
        )
    });
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
        let (bits, k, more) = (grouped(plain.bits), plain.hashes, grouped(m - plain.bits));
        page.add(&format!(
            "A filter sized for the mean alone has m = {bits} and k = {k}, and of those only {few} keep \
             {p}. To bring that to {asked}, m had to grow by {more}."
        ));
    } else if solved(Quantity::Items) && plain.items > n {
        let (items, fewer) = (grouped(plain.items), grouped(plain.items - n));
        page.add(&format!(
            "For the mean alone n could be {items}, but of those filters only {few} keep {p}. To bring \
             that to {asked}, n had to shrink by {fewer}."
        ));
    }
}

/// Returns the standard deviation of the number of set bits, approximated for large m.
fn deviation(n: u64, m: u64, k: u8) -> f64 {
    let load = f64::from(k) * n as f64 / m as f64;
    let clear = libm::exp(-load);
    (m as f64 * clear * (1.0 - (1.0 + load) * clear).max(0.0)).sqrt()
}
