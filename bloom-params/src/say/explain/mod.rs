//! Derives an answer step by step, with the numbers of the question.

mod asked;
mod bits;
mod choice;
mod each;
mod inside;
mod other;
mod page;
mod single;
mod stages;

use std::f64::consts::LN_2;

use bloom_core::math::{Model, distinct_hashes, hash_floor, share_above};

use crate::answer::Solution;
use crate::kind::filter::Filter;
use crate::kind::scalable::rate_of;
use crate::like::System;
use crate::question::{Quantity, Query, Round};
use crate::say::numbers::{counted, grouped, nearest};
use crate::say::rule::story;
use crate::say::system::Hashing;
use crate::say::words::{as_typed, digits, kept, listed, position, share};
use asked::{known, with_filter};
pub use page::{Explanation, Part, Step};

impl Solution {
    /// Returns the derivation, step by step.
    pub fn explain(&self) -> Explanation {
        let mut page = Explanation::default();
        given(&mut page, self);
        if self.items == 0 && self.asked.set_bits.is_none() {
            not_one(&mut page, self);
            return page;
        }
        if let Some(ones) = self.asked.set_bits {
            other::set_bits(&mut page, self, ones);
            if let Some(hash_bits) = self.asked.hash_bits {
                behind_hash(&mut page, self, hash_bits);
            }
            return page;
        }
        match self.layout() {
            Filter::Partitioned => inside::slices(&mut page, self),
            Filter::PlainBlocked { .. } | Filter::SplitBlock { .. } => {
                inside::blocks(&mut page, self);
            }
            Filter::Scalable { .. } => stages::all(&mut page, self),
            _ => bits::all(&mut page, self),
        }
        if let Some(system) = self.asked.filter.system().filter(|_| self.is_dependent()) {
            hashed(&mut page, system, self);
        }
        if let Some(hash_bits) = self.asked.hash_bits {
            behind_hash(&mut page, self, hash_bits);
        }
        if let Some(confidence) = self.asked.confidence {
            single::filters(&mut page, self, confidence);
        }
        match self.asked.cost {
            Some(cost) => other::cost(&mut page, self, cost),
            None => choice::all(&mut page, self),
        }
        page
    }
}

/// Adds the step that states how much the dependent positions of another system add to the rate.
fn hashed(page: &mut Explanation, system: &System, solution: &Solution) {
    let (name, hashing) = (system.name, Hashing::of(system.positions));
    let excess = solution.excess;
    let (added, low) = (nearest(excess.high, 6), nearest(excess.low, 6));
    let (ideal, rate) = (digits(solution.ideal, 6), digits(solution.rate, 6));
    let (title, how) = (hashing.title, hashing.how);
    page.add(&format!(
        "# {title}
        So far positions are independent. {name} derives {how}. That adds at most
        > p = {ideal} + {added} = {rate}"
    ));
    if added != low {
        page.add(&format!("(The least that it can add is {low}.)"));
    }
}

/// Adds the step that states how much a hash of few bits adds to the rate.
fn behind_hash(page: &mut Explanation, solution: &Solution, hash_bits: u32) {
    let bits = counted(hash_bits.into(), "bit");
    let items = counted(solution.items, "item");
    let chance = hash_floor(solution.items, hash_bits).unwrap_or(1.0);
    let floor = nearest(chance, 6);
    let (ideal, rate) = (digits(solution.ideal, 6), digits(solution.rate, 6));
    let of_hashes = (solution.rate.value() - chance) / (1.0 - chance);
    let of_hashes = digits(rate_of(of_hashes.max(0.0)), 6);
    let distinct = distinct_hashes(solution.items, hash_bits).unwrap_or(0.0);
    // If set bits are given, the rate of the filter does not depend on the number of items.
    let is_fixed = solution.asked.set_bits.is_some();
    let (found, filter) = if is_fixed || of_hashes == ideal || chance >= 1.0 {
        (ideal, String::new())
    } else {
        let distinct = nearest(distinct, 6);
        let filter = format!(
            "The items have about 2^{hash_bits} f = {distinct} different hashes, and with as many items the filter has the \
            rate {of_hashes}. "
        );
        (of_hashes, filter)
    };
    page.add(&format!(
        "# The hash
        So far hashes are ideal. A query with the same hash of {bits} as an item is a false positive in any filter; with n = \
        {items} that has the chance
        > f = 1 - (1 - 2^-{hash_bits})^n = {floor}
        {filter}Any other query finds what the filter finds:
        > p = f + (1 - f) {found} = {rate}"
    ));
}

fn given(page: &mut Explanation, solution: &Solution) {
    let asked = &solution.asked;
    let (known, of_filter) = (known(asked), with_filter(asked.filter));
    page.add(&format!(
        "# What is given, and what is asked
        Given: {known}{of_filter}."
    ));
    if let (Some(system), Some(built)) = (asked.filter.system(), solution.as_built()) {
        let (name, version) = (system.name, system.version);
        let wanted = match built.full {
            Some(_) => format!("the most items that {name} puts in that"),
            None => format!("what {name} builds for that"),
        };
        page.add(&format!(
            "Asked: {wanted}, and its rate.
            # The rule of {name} ({version})"
        ));
        for line in story(solution) {
            page.add(&format!("> {line}"));
        }
        page.add(&format!("Source: {}.", system.source));
        return;
    }
    if let Some(given) = asked.bits.filter(|given| *given > solution.bits) {
        let left = counted(given - solution.bits, "bit");
        let whole = grouped(solution.bits);
        page.add(&format!(
            "Whole blocks of that are m = {whole}, with {left} left over."
        ));
    }
    let what = position(asked.filter);
    let grows = solution.grown.is_some();
    let (most, fewest) = match (asked.set_bits, asked.cost) {
        _ if solution.half_full => ("", ""),
        (None, None) => ("most ", "fewest "),
        _ => ("", ""),
    };
    let (mut wanted, mut found) = (Vec::new(), Vec::new());
    for quantity in &solution.solved {
        match quantity {
            Quantity::Items => {
                wanted.push(format!("the {most}items n"));
                found.push(format!("n = {}", grouped(solution.items)));
            }
            Quantity::Bits => {
                wanted.push(if grows {
                    "the bits m of its stages".to_string()
                } else {
                    format!("the {fewest}{what}s m")
                });
                found.push(format!("m = {}", grouped(solution.bits)));
            }
            Quantity::Hashes if grows => wanted.push("the hashes k of the last".to_string()),
            Quantity::Hashes if asked.filter.fixed_hashes().is_some() => {}
            Quantity::Hashes => {
                wanted.push("the number of hashes k".to_string());
                found.push(format!("k = {}", solution.hashes));
            }
            Quantity::Rate => wanted.push("the rate p".to_string()),
        }
    }
    page.add(&match listed(&wanted).as_str() {
        "" => "Asked: is that rate kept?".to_string(),
        wanted => format!("Asked: {wanted}."),
    });
    if solution.half_full {
        half_full(page, solution);
    } else if solution.items > 0 && !found.is_empty() && asked.set_bits.is_none() {
        page.add(&format!(
            "The answer is {}. The next steps compute its rate; the last show why it is the answer.",
            listed(&found)
        ));
    }
}

/// Adds the step on the convention that sizes a filter if only k and either n or m are given.
fn half_full(page: &mut Explanation, solution: &Solution) {
    let (n, m, k) = (
        grouped(solution.items),
        grouped(solution.bits),
        solution.hashes,
    );
    page.add(
        "# Half full, by convention
        p is not given. By convention half of the filter is then set, because there a bit holds the most information. That \
        takes k n = m ln 2, with ln 2 = 0.693147, so",
    );
    if solution.solved.contains(&Quantity::Items) {
        let real = nearest(solution.bits as f64 * LN_2 / f64::from(k), 8);
        page.add(&format!(
            "> n = m ln 2 / k = {m} x 0.693147 / {k} = {real}, rounded down {n}"
        ));
        return;
    }
    let real = nearest(f64::from(k) * solution.items as f64 / LN_2, 8);
    let whole = match (solution.asked.round, solution.asked.filter.unit()) {
        (Round::None, 1) => String::new(),
        (Round::None, unit) => format!(", to whole blocks of {unit}"),
        _ => ", as --round asks".to_string(),
    };
    page.add(&format!(
        "> m = k n / ln 2 = {k} x {n} / 0.693147 = {real}
        > rounded up{whole}: {m}"
    ));
}

fn not_one(page: &mut Explanation, solution: &Solution) {
    page.add("# Why nothing fits");
    let m = solution.bits;
    if let Some(grown) = solution.grown.as_ref() {
        let growth = grown.growth;
        let Ok(stage) = growth.stage(Model::Exact, 0) else {
            return;
        };
        let (room, bits, m) = (
            counted(stage.items, "item"),
            grouped(stage.bits),
            grouped(m),
        );
        let (whole, first) = (nearest(growth.rate, 6), nearest(stage.rate, 6));
        page.add(&format!(
            "Not even the first stage fits: room for {room} at its share of p, {whole} x (1 - {}) = {first}, takes {bits} bits, \
            and m = {m}.",
            growth.tightening
        ));
        return;
    }
    let one = Query {
        items: Some(1),
        filter: solution.layout(),
        ..solution.asked
    };
    let (Ok(one), Some(target)) = (one.solve(), solution.asked.rate) else {
        return;
    };
    let k = match (solution.asked.hashes, one.asked.filter.fixed_hashes()) {
        (None, None) => format!("the best k = {}", one.hashes),
        _ => format!("k = {}", one.hashes),
    };
    let (all, target_text) = (counted(m, position(solution.layout())), as_typed(target));
    let missed = match solution.asked.confidence {
        None => format!("p = {}, over {target_text}", digits(one.rate, 6)),
        Some(asked) => {
            let above = share_above(1, m, one.hashes, target).unwrap_or(1.0);
            let (kept, asked) = (kept(above, 6), share(asked, 15));
            format!("{kept} of single filters that keep {target_text}, under {asked}")
        }
    };
    page.add(&format!(
        "A single item sets up to k of the m = {all}, and a query for another item is a false positive if all of its bits are among \
        them. With n = 1 and {k} that is
        > {missed}
        so even one item needs a larger m."
    ));
}
