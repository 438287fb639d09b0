//! Writes the steps of a derivation that follow from the given number of set bits, or from the given costs of false positives
//! and bits.

use super::page::Explanation;
use crate::answer::Solution;
use crate::question::Cost;
use crate::say::numbers::{grouped, nearest};
use crate::say::words::{as_typed, position, set};

/// Adds the rate and the items of this one filter, which follow from its set bits.
pub(super) fn set_bits(page: &mut Explanation, solution: &Solution, ones: u64) {
    let (m, k, x) = (grouped(solution.bits), solution.hashes, grouped(ones));
    let (what, set) = (position(solution.layout()), set(solution.layout()));
    let share = nearest(solution.fill(), 8);
    let p = nearest(solution.ideal.value(), 6);
    let load = libm::log1p(-(ones as f64 / solution.bits as f64));
    let of_one = f64::from(k) * libm::log1p(-1.0 / solution.bits as f64);
    let n = nearest(load / of_one, 6);
    let (load, of_one) = (nearest(load, 6), nearest(of_one, 6));
    page.add(&format!(
        "# The rate now
        A query picks k of the m {what}s, each of which is {set} with the chance X/m. In this one filter that is known, so \
        nothing has to be averaged:
        > p = (X/m)^k = ({x} / {m})^{k} = {share}^{k} = {p}
        # The items
        A {what} is still not {set} after k n throws with the chance (1 - 1/m)^(k n). This chance is the share 1 - X/m for
        > n = ln(1 - X/m) / (k ln(1 - 1/m)) = {load} / {of_one} = {n}
        which is the most likely number of items. Filters of that many items have a few more or fewer {what}s {set}: the \
        standard deviation of n allows for that."
    ));
}

/// Adds the step that shows which rate costs least, and why.
pub(super) fn cost(page: &mut Explanation, solution: &Solution, cost: Cost) {
    let (c, b) = (as_typed(cost.false_hit), as_typed(cost.per_bit));
    let q = nearest(cost.lookups, 12);
    let width = solution.asked.filter.width();
    let per_item = as_typed(cost.per_bit * width as f64);
    let many = cost.rate_of_many(solution.items, width);
    let many = nearest(many, 6);
    page.add(&format!(
        "# The least cost
        False positives cost {q} x {c} x p, and bits {b} each. A lower p saves false positives and takes bits: about n / \
        (ln 2)^2 for each step by a factor e. The two balance where
        > p = n x {per_item} / ({q} x {c} x (ln 2)^2) = {many}
        for many items and any real k. For this n, the sums are compared for every m and the whole numbers k nearby: the \
        answer has the least sum."
    ));
}
