//! Derives the bits per item that a rate takes for large n, or the rate that bits per item give, step by step.

use bloom_core::math::Rate;

use super::asked::{known, with_filter};
use super::page::Explanation;
use crate::kind::filter::Filter;
use crate::per_item::{MANY, PerItem};
use crate::question::Query;
use crate::say::numbers::{grouped, nearest};
use crate::say::words::{as_typed, bits_as_shown, digits, position, set};

impl PerItem {
    /// Returns the derivation, step by step.
    pub fn explain(&self) -> Explanation {
        let mut page = Explanation::default();
        let filter = self.asked.filter;
        let (known, of_filter) = (known(&self.asked), with_filter(filter));
        let asked = match self.asked.bits_per_item {
            Some(_) => "the rate p",
            None => "the bits per item m/n",
        };
        let hashes = match self.asked.hashes.or(filter.fixed_hashes()) {
            Some(_) => "",
            None => ", and the number of hashes k",
        };
        page.add(&format!(
            "# What is given, and what is asked
            Given: {known}{of_filter}.
            Asked: {asked}, for many items{hashes}."
        ));
        page.add(&if filter.unit() == 1 {
            formula(self)
        } else {
            by_blocks(self)
        });
        if filter.fixed_hashes().is_none() {
            hashes_around(&mut page, self);
        }
        let bound = self.bound_bits();
        let times = nearest(self.bits_per_item / bound, 3);
        let bound = nearest(bound, 4);
        page.add(&format!(
            "# The lower bound
            Any structure needs at least, per item,
            > log2(1/p) = {bound} bits
            and this filter takes {times} times that."
        ));
        page
    }
}

/// Formats a rate, which may be below the range of `f64`.
fn display(rate: Rate) -> String {
    match rate.value() {
        p if p < f64::MIN_POSITIVE => digits(rate, 6),
        p => nearest(p, 6),
    }
}

/// Returns the step of a filter of blocks, whose size no formula gives.
fn by_blocks(each: &PerItem) -> String {
    let (many, k) = (grouped(MANY), each.hashes);
    if each.asked.bits_per_item.is_some() {
        let p = display(each.rate);
        return format!(
            "# By a large filter
            Blocks fill unevenly: p is the mean over all of them, for n = {many} items, with k = {k}:
            > p = {p}"
        );
    }
    let bits = nearest(each.bits_per_item, 6);
    format!(
        "# By a large filter
        Blocks fill unevenly, and no formula solves the mean over all of them for m. So m is searched for n = {many} items, \
        with k = {k}: it is n times
        > m/n = {bits}"
    )
}

/// Returns the steps from p to the fill, and from the fill to the bits per item. If the bits per item are given, the steps go
/// the other way, to p.
fn formula(each: &PerItem) -> String {
    let (k, p, filter) = (each.hashes, as_typed(each.rate.value()), each.asked.filter);
    let fill = nearest(each.fill(), 8);
    let (what, set) = (position(filter), set(filter));
    let positions = nearest(each.bits_per_item / filter.width() as f64, 7);
    if each.asked.bits_per_item.is_some() {
        let p = display(each.rate);
        return format!(
            "# From the bits to the fill
            k n throws at m {what}s miss one of them with the chance e^(-k n/m). With k = {k} the share {set} is
            > fill = 1 - e^(-k n/m) = 1 - e^(-{k} / {positions}) = {fill}
            # From the fill to p
            A query is a false positive if all its k {what}s happen to be {set}, and in a large filter the fill hardly varies:
            > p = fill^k = {fill}^{k} = {p}"
        );
    }
    let steps = format!(
        "# From p to the fill
        A query is a false positive if all its k {what}s happen to be {set}. In a large filter the share of such {what}s, the \
        fill, hardly varies, so p = fill^k. With k = {k} that is
        > fill = p^(1/k) = {p}^(1/{k}) = {fill}
        # From the fill to the {what}s
        k n throws at m {what}s miss one of them with the chance e^(-k n/m), so that fill = 1 - e^(-k n/m). Solved for m/n:
        > m/n = -k / ln(1 - fill) = -{k} / ln(1 - {fill}) = {positions}"
    );
    let Filter::Counting { counter_bits } = filter else {
        return steps;
    };
    let bits = nearest(each.bits_per_item, 6);
    format!(
        "{steps}
        Each of these counters takes {counter_bits} bits:
        > {counter_bits} x {positions} = {bits}"
    )
}

/// Adds the bits per item for the k of the answer, and for up to two hashes fewer and more. If the bits per item are given,
/// adds the rate instead.
fn hashes_around(page: &mut Explanation, each: &PerItem) {
    let by_rate = each.asked.bits_per_item.is_some();
    let what = if by_rate { "rate" } else { "bits per item" };
    page.add(&format!(
        "# How many hashes
        The {what} for other k:"
    ));
    for k in each.hashes.saturating_sub(2).max(1)..=each.hashes.saturating_add(2) {
        let query = Query {
            hashes: Some(k),
            ..each.asked
        };
        let Ok(other) = query.per_item() else {
            continue;
        };
        let bits = if by_rate {
            display(other.rate)
        } else {
            bits_as_shown(other.bits_per_item, 6)
        };
        let is_answer = k == each.hashes;
        let mark = if is_answer { "  <- the answer" } else { "" };
        page.add(&format!("> k = {k:>3}   {bits:<14}{mark}"));
    }
    page.add(match each.asked.hashes {
        Some(_) => "k was given.",
        None if by_rate => "The answer takes the k with the lowest rate.",
        None => "The answer takes the k with the fewest bits.",
    });
}
