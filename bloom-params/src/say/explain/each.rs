//! The derivation of bits per item for large n.

use super::asked::{known, with_filter};
use super::page::Explanation;
use crate::kind::filter::Filter;
use crate::per_item::{MANY, PerItem};
use crate::question::Query;
use crate::say::numbers::{grouped, nearest};
use crate::say::words::{as_typed, bits_as_shown, position, set};

impl PerItem {
    /// Returns the derivation, step by step.
    pub fn explain(&self) -> Explanation {
        let mut page = Explanation::default();
        let filter = self.asked.filter;
        let (known, filter_text) = (known(&self.asked), with_filter(filter));
        page.step("What is given, and what is asked");
        page.text(format!("Given: {known}{filter_text}."));
        let asked = match self.asked.bits_per_item {
            Some(_) => "the rate p",
            None => "the bits per item m/n",
        };
        page.text(match self.asked.hashes.or(filter.fixed_hashes()) {
            Some(_) => format!("Asked: {asked}, for many items."),
            None => format!("Asked: {asked}, for many items, and the number of hashes k."),
        });
        if filter.unit() == 1 {
            formula(&mut page, self);
        } else {
            let (many, k) = (grouped(MANY), self.hashes);
            page.step("By a large filter");
            if self.asked.bits_per_item.is_some() {
                page.text(format!(
                    "Blocks fill unevenly: p is the mean over all of them, for n = {many} items, with k = {k}:"
                ));
                page.formula(format!("p = {}", nearest(self.rate, 6)));
            } else {
                page.text(format!(
                "Blocks fill unevenly, and no formula solves the mean over all of them for m. So m is \
                 searched for n = {many} items, with k = {k}: it is n times"
            ));
                page.formula(format!("m/n = {}", nearest(self.bits_per_item, 6)));
            }
        }
        if filter.fixed_hashes().is_none() {
            hashes(&mut page, self);
        }
        page.step("The lower bound");
        page.text("Any structure needs at least, per item,");
        let bound = self.bound_bits();
        page.formula(format!("log2(1/p) = {} bits", nearest(bound, 4)));
        let times = nearest(self.bits_per_item / bound, 3);
        page.text(format!("and this filter takes {times} times that."));
        page
    }
}

/// Adds the steps from p to the fill, and from the fill to the bits.
fn formula(page: &mut Explanation, each: &PerItem) {
    let (k, p) = (each.hashes, as_typed(each.rate));
    let fill = nearest(each.fill(), 8);
    let (what, set) = (position(each.asked.filter), set(each.asked.filter));
    if each.asked.bits_per_item.is_some() {
        let positions = nearest(each.bits_per_item / each.asked.filter.width() as f64, 7);
        page.step("From the bits to the fill");
        page.text(format!(
            "k n throws at m {what}s miss one of them with the chance e^(-k n/m). With k = {k} the share \
             {set} is"
        ));
        page.formula(format!(
            "fill = 1 - e^(-k n/m) = 1 - e^(-{k} / {positions}) = {fill}"
        ));
        page.step("From the fill to p");
        page.text(format!(
            "A query is a false positive if all its k {what}s happen to be {set}, and in a large filter \
             the fill hardly varies:"
        ));
        page.formula(format!(
            "p = fill^k = {fill}^{k} = {}",
            nearest(each.rate, 6)
        ));
        return;
    }
    page.step("From p to the fill");
    page.text(format!(
        "A query is a false positive if all its k {what}s happen to be {set}. In a large filter the \
         share of such {what}s, the fill, hardly varies, so p = fill^k. With k = {k} that is"
    ));
    page.formula(format!("fill = p^(1/k) = {p}^(1/{k}) = {fill}"));
    page.step(format!("From the fill to the {what}s"));
    page.text(format!(
        "k n throws at m {what}s miss one of them with the chance e^(-k n/m), so that fill = 1 - \
         e^(-k n/m). Solved for m/n:"
    ));
    let positions = nearest(each.bits_per_item / each.asked.filter.width() as f64, 7);
    page.formula(format!(
        "m/n = -k / ln(1 - fill) = -{k} / ln(1 - {fill}) = {positions}"
    ));
    if let Filter::Counting { counter_bits } = each.asked.filter {
        page.text(format!("Each of these counters takes {counter_bits} bits:"));
        let bits = nearest(each.bits_per_item, 6);
        page.formula(format!("{counter_bits} x {positions} = {bits}"));
    }
}

/// Adds the bits per item for some numbers of hashes around the answer.
fn hashes(page: &mut Explanation, each: &PerItem) {
    page.step("How many hashes");
    let by_rate = each.asked.bits_per_item.is_some();
    page.text(if by_rate {
        "The rate for other k:"
    } else {
        "The bits per item for other k:"
    });
    for k in each.hashes.saturating_sub(2).max(1)..=each.hashes.saturating_add(2) {
        let query = Query {
            hashes: Some(k),
            ..each.asked
        };
        let Ok(other) = query.per_item() else {
            continue;
        };
        let bits = if by_rate {
            nearest(other.rate, 6)
        } else {
            bits_as_shown(other.bits_per_item, 6)
        };
        let is_answer = k == each.hashes;
        let mark = if is_answer { "  <- the answer" } else { "" };
        page.formula(format!("k = {k:>3}   {bits:<14}{mark}"));
    }
    page.text(match each.asked.hashes {
        Some(_) => "k was given.",
        None if by_rate => "The answer takes the k with the lowest rate.",
        None => "The answer takes the k with the fewest bits.",
    });
}
