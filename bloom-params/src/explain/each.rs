//! The derivation of bits per item for large n.

use super::page::Explanation;
use super::with_filter;
use crate::filters::Filter;
use crate::numbers::{grouped, nearest};
use crate::per_item::{MANY, PerItem};
use crate::query::Query;
use crate::words::{as_typed, bits_as_shown, counted, listed};

impl PerItem {
    /// Returns the derivation, step by step.
    pub fn explain(&self) -> Explanation {
        let mut page = Explanation::default();
        all(&mut page, self);
        page
    }
}

fn all(page: &mut Explanation, each: &PerItem) {
    given(page, each);
    if each.asked.filter.unit() == 1 {
        formula(page, each);
    } else {
        page.step("By a large filter");
        page.text(&format!(
            "Blocks fill unevenly, and no formula solves the mean over all of them for m. So m is \
             searched for n = {} items, with k = {}: it is n times",
            grouped(MANY),
            each.hashes
        ));
        page.formula(&format!("m/n = {}", nearest(each.bits_per_item, 6)));
    }
    if each.asked.filter.fixed_hashes().is_none() {
        hashes(page, each);
    }
    page.step("The least there is");
    page.text("Whatever the structure, an item needs at least");
    page.formula(&format!(
        "log2(1/p) = {} bits",
        nearest(each.bound_bits(), 4)
    ));
    page.text(&format!(
        "and this filter takes {} times that.",
        nearest(each.bits_per_item / each.bound_bits(), 3)
    ));
}

fn given(page: &mut Explanation, each: &PerItem) {
    page.step("What is given, and what is asked");
    let mut known = Vec::new();
    if let Some(k) = each.asked.hashes {
        known.push(format!("k = {}", counted(k.into(), "hash")));
    }
    known.push(format!(
        "a false-positive rate p of at most {}",
        as_typed(each.rate)
    ));
    page.text(&format!(
        "Given: {}{}.",
        listed(&known, "and"),
        with_filter(each.asked.filter)
    ));
    page.text(
        if each.asked.hashes.is_some() || each.asked.filter.fixed_hashes().is_some() {
            "Asked: the bits m/n that each of many items takes."
        } else {
            "Asked: the bits m/n that each of many items takes, and the number of hashes k."
        },
    );
}

/// Adds the steps from p to the fill, and from the fill to the bits.
fn formula(page: &mut Explanation, each: &PerItem) {
    let (k, p) = (each.hashes, as_typed(each.rate));
    let fill = nearest(each.fill(), 8);
    let (what, set) = match each.asked.filter {
        Filter::Counting { .. } => ("counter", "above 0"),
        _ => ("bit", "set"),
    };
    page.step("From p to the fill");
    page.text(&format!(
        "A query errs if all k {what}s that it asks happen to be {set}. In a large filter the share \
         of them, the fill, is as good as certain, so p = fill^k. With k = {k} that is"
    ));
    page.formula(&format!("fill = p^(1/k) = {p}^(1/{k}) = {fill}"));
    page.step(&format!("From the fill to the {what}s"));
    page.text(&format!(
        "k n throws at m {what}s miss one of them with the chance e^(-k n/m), so that fill = 1 - \
         e^(-k n/m). Solved for m/n:"
    ));
    let positions = each.bits_per_item / each.asked.filter.width() as f64;
    page.formula(&format!(
        "m/n = -k / ln(1 - fill) = -{k} / ln(1 - {fill}) = {}",
        nearest(positions, 7)
    ));
    if let Filter::Counting { counter_bits } = each.asked.filter {
        page.text(&format!(
            "Each of these counters takes {counter_bits} bits:"
        ));
        page.formula(&format!(
            "{counter_bits} x {} = {}",
            nearest(positions, 7),
            nearest(each.bits_per_item, 6)
        ));
    }
}

/// Adds the bits per item for some numbers of hashes around the answer.
fn hashes(page: &mut Explanation, each: &PerItem) {
    page.step("How many hashes");
    page.text("The same for some other k, each item:");
    for k in each.hashes.saturating_sub(2).max(1)..=each.hashes.saturating_add(2) {
        let query = Query {
            hashes: Some(k),
            ..each.asked
        };
        let Ok(other) = query.per_item() else {
            continue;
        };
        let mark = if k == each.hashes {
            "  <- the answer"
        } else {
            ""
        };
        page.formula(&format!(
            "k = {k:>3}   {:<14}{mark}",
            bits_as_shown(other.bits_per_item, 6)
        ));
    }
    page.text(if each.asked.hashes.is_some() {
        "k was given."
    } else {
        "The answer takes the k with the fewest bits."
    });
}
