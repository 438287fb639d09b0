//! Writes the remarks below an answer: by how much p misses the target, and what else a careful
//! reader needs to know.

use bloom_core::math::{
    HASH_FLOOR_MARGIN, MAX_BITS, Model, Rate, first_true, lower_bound_bits, share_above,
};

use crate::answer::{HashesRange, Solution, is_near};
use crate::kind::filter::Filter;
use crate::question::{Quantity, Query};
use crate::say::kind_notes;
use crate::say::numbers::{counted, grouped, nearest, plural};
use crate::say::system;
use crate::say::words::{
    as_typed, bits_as_shown, kept, model_name, position, rate_shown, share, with_article,
};

/// The remark for a filter whose best number of hashes is above 255.
pub(crate) const CAPPED: &str = "k is at most 255; more hashes than that would be better still";

/// Solved sizes above this number of bits are minimal only within 1 part in 10^14.
const EXACT_BITS: u64 = 1 << 46;

impl Solution {
    /// Returns the remarks below the answer, in sentences.
    pub fn notes(&self) -> Vec<String> {
        self.notes_of(true)
    }

    /// Returns the remarks. `is_typed` is false if m was not given itself, but follows from bits per item.
    pub(crate) fn notes_of(&self, is_typed: bool) -> Vec<String> {
        let mut notes = system::notes(self);
        notes.extend(about_distinct_items(self));
        notes.extend(kind_notes::about_the_filter(self));
        if let Some(target) = self.asked.rate {
            match self.asked.confidence {
                Some(asked) if self.items > 0 => {
                    notes.push(about_the_share(self, target, asked));
                }
                _ => notes.extend(about_the_target(self, target)),
            }
            notes.extend(about_the_usual_rule(self, target));
        }
        if self.asked.model != Model::Exact && self.items > 0 {
            let exact = self.exact_rate();
            let size = (self.items, self.bits, self.hashes.into());
            let shown = match self.asked.rate {
                None => rate_shown(exact, None),
                Some(target) => {
                    let (rate, place) = beside_target(size, exact, target);
                    format!("{rate}, {place}")
                }
            };
            let model = model_name(self.asked.model);
            notes.push(format!(
                "p is by the {model} formula; the exact rate of this size is {shown}"
            ));
        }
        notes.extend(about_bits_of_one_item(self).filter(|_| is_typed));
        notes.extend(self.wants_more_hashes.then(|| CAPPED.to_string()));
        notes.extend(about_the_hash(self));
        let solved = |quantity| self.solved.contains(&quantity);
        if self.bits > EXACT_BITS && (solved(Quantity::Bits) || solved(Quantity::Items)) {
            notes.push("beyond 2^46 bits sizes are minimal within 1 part in 10^14".to_string());
        }
        notes
    }
}

/// States how many inserts the n distinct items come from, if the share of distinct items was given.
fn about_distinct_items(solution: &Solution) -> Option<String> {
    let part = solution.asked.distinct?;
    let most = (solution.items as f64 / part * (1.0 + 1e-12)) as u64;
    let inserts = solution.asked.inserts.unwrap_or(most);
    let is_more = solution.items as f64 > inserts as f64 * part * (1.0 + 1e-12);
    let rounded = if is_more { ", rounded up" } else { "" };
    let (inserts, part) = (counted(inserts, "insert"), share(part, 6));
    Some(format!(
        "n counts distinct items: of {inserts}, {part} are distinct{rounded}"
    ))
}

/// Returns a remark if m is so small that it may be meant as bits per item, or may be swapped with
/// n.
fn about_bits_of_one_item(solution: &Solution) -> Option<String> {
    let (n, m) = (solution.asked.items?, solution.asked.bits?);
    if m >= n {
        return None;
    }
    if m <= 64 {
        let what = position(solution.layout());
        let whole = n.checked_mul(m).filter(|whole| *whole <= MAX_BITS)?;
        let bits = plural(m, what);
        return Some(format!(
            "m is the size of the whole filter; for {m} {bits} per item write --m {whole}"
        ));
    }
    let typed = solution.asked.inserts.unwrap_or(n);
    let could_be = typed <= MAX_BITS && solution.asked.rate.is_none();
    could_be
        .then(|| format!("n is larger than m; if the two are swapped, write --n {m} --m {typed}"))
}

/// States what a 64-bit hash adds to p, if that matters: the rate of the hash alone, times 1 - p. If the width of the hash is
/// given, states by how much p may be too high.
fn about_the_hash(solution: &Solution) -> Option<String> {
    if let Some(width) = solution.asked.hash_bits {
        return about_few_hashes(width).filter(|_| solution.asked.set_bits.is_none());
    }
    // The rate of another system already includes the width of its hashes.
    if solution.as_built().is_some() {
        return None;
    }
    let (p, floor) = (solution.rate.value(), solution.hash_floor());
    if HASH_FLOOR_MARGIN * floor <= p || floor * (1.0 - p) == 0.0 {
        return None;
    }
    let added = nearest(floor * (1.0 - p), 3);
    let share = nearest(solution.items as f64 * 2_f64.powi(-64), 3);
    let formula = if added == share {
        "n / 2^64"
    } else {
        "(1 - p) (1 - (1 - 2^-64)^n)"
    };
    Some(format!(
        "p is for ideal hashes; a 64-bit hash adds {added} ({formula})"
    ))
}

/// States by how much p is too high with a hash of few bits.
/// [`with_hash_floor`](bloom_core::math::with_hash_floor) explains why.
fn about_few_hashes(width: u32) -> Option<String> {
    let most = match width {
        ..4 => "6",
        4..8 => "1.4",
        8 => "0.2",
        _ => return None,
    };
    let bits = counted(width.into(), "bit");
    Some(format!(
        "p is computed for the mean number of different hashes; with {bits} that number varies, so p is too high, by up to \
         {most} % in filters of 8 to 300 bits"
    ))
}

/// States which share of single filters keeps the target.
fn about_the_share(solution: &Solution, target: f64, asked: f64) -> String {
    let (n, m, k) = (solution.items, solution.bits, solution.hashes);
    let above = share_above(n, m, k, target).unwrap_or(1.0);
    format!(
        "{} of single filters keep {} (asked: {}); the mean p is {}",
        kept(above, 6),
        as_typed(target),
        share(asked, 15),
        rate_shown(solution.rate, Some(target)),
    )
}

/// States which numbers of hashes meet the target, or by how much it is missed.
fn about_the_target(solution: &Solution, target: f64) -> Vec<String> {
    let Solution { items, bits, .. } = *solution;
    let fixed = solution.asked.filter.fixed_hashes();
    if let (Some(range), None) = (solution.hashes_range, fixed) {
        let HashesRange { min, max, best } = range;
        if min == max {
            return vec![format!("only k = {min} meets the target")];
        }
        let rate = solution.asked.judge().rate(items, bits, best);
        let rate = rate.map_or(String::new(), |rate| {
            format!(" with p {}", rate_shown(rate, Some(target)))
        });
        return vec![format!(
            "every k from {min} to {max} meets the target; {best} is best{rate}"
        )];
    }
    if solution.met != Some(false) {
        return Vec::new();
    }
    if items == 0 {
        return not_even_one(solution, target);
    }
    let mut notes = Vec::new();
    let off = how_far_over(solution.rate, target);
    let is_given = solution.asked.hashes.or(fixed).is_some();
    let with_best = if is_given || solution.grown.is_some() || solution.as_built().is_some() {
        ""
    } else {
        "no number of hashes meets the target: with the best, "
    };
    notes.push(format!("{with_best}p is {off} the target"));
    // If only the dependent positions of a library make this size miss the target, sizes computed for ideal hashes do not help.
    if !system::dependence_misses(solution) {
        notes.extend(sizes_that_meet(solution, items, target));
    }
    notes
}

/// Returns by how much a target is missed, as words that go before "the target".
fn how_far_over(rate: Rate, target: f64) -> String {
    match rate.value() / target {
        // The exact rate misses the target, but by too little for its f64 to tell.
        ..1.000_000_000_001 => "less than 1e-10 % over".to_string(),
        ratio @ ..2.0 => format!("{} % over", nearest((ratio - 1.0) * 100.0, 3)),
        ratio => format!("{} times", nearest(ratio, 3)),
    }
}

/// States by how much even a filter of one item misses the target, with the given or the best number of hashes. For a scalable
/// filter, states that the first stage does not fit.
fn not_even_one(solution: &Solution, target: f64) -> Vec<String> {
    if let Some(grown) = solution.grown.as_ref() {
        let first = grown.growth.stage(Model::Exact, 0);
        let note = first.map(|stage| {
            format!(
                "not even the first stage fits: its {} take {} bits, and m = {}; write a larger --m{}",
                counted(stage.items, "item"),
                grouped(stage.bits),
                grouped(solution.bits),
                if stage.items > 1 {
                    " or a smaller --initial"
                } else {
                    ""
                }
            )
        });
        return note.into_iter().collect();
    }
    let query = Query {
        items: Some(1),
        bits: Some(solution.bits),
        filter: solution.layout(),
        ..solution.asked
    };
    let Ok(one) = query.solve() else {
        return Vec::new();
    };
    let missed = match solution.asked.confidence {
        None => {
            let (rate, over) = (
                rate_shown(one.rate, Some(target)),
                how_far_over(one.rate, target),
            );
            format!("p is {rate}, {over} the target")
        }
        Some(asked) => about_the_share(&one, target, asked),
    };
    let k = one.hashes;
    let mut notes = vec![format!(
        "not even one item meets the target: with one and k = {k}, {missed}"
    )];
    notes.extend(sizes_that_meet(solution, 1, target));
    notes
}

/// Lists the sizes that would meet a missed target, and the number of items for which this size
/// would meet it.
fn sizes_that_meet(solution: &Solution, items: u64, target: f64) -> Option<String> {
    let bound = lower_bound_bits(items, target).ok()?;
    let query = Query {
        items: Some(items),
        bits: None,
        hashes: None,
        set_bits: None,
        filter: solution.layout(),
        ..solution.asked
    };
    let of_library = solution.as_built().map(|_| solution.hashes);
    let fits = Query {
        items: None,
        bits: Some(solution.bits),
        hashes: solution.asked.hashes.or(of_library),
        ..query
    };
    let (all, need) = (
        counted(items, "item"),
        if items == 1 { "needs" } else { "need" },
    );
    let too_many = |items| solution.rate_with(items).value() > target;
    let (target, bound) = (as_typed(target), bits_as_shown(bound.ceil(), 6));
    let mut text = format!("{all} at {target} {need} {bound} in any structure");
    if let Ok(enough) = query.solve() {
        let (bits, k) = (grouped(enough.memory_bits()), enough.hashes);
        let filter = with_article(solution.layout());
        text += &format!(", {bits} in {filter} (k = {k})");
    }
    if let (Ok(fits), true) = (fits.solve(), solution.items > 0) {
        let most = if solution.is_dependent() && fits.items > 0 {
            first_true(1, fits.items, fits.items, too_many).map_or(fits.items, |first| first - 1)
        } else {
            fits.items
        };
        text += &format!("; this size holds {}", counted(most, "item"));
    }
    Some(text)
}

/// States the size by the usual rule, m = -n ln p / (ln 2)^2, and its exact rate. `None` for a filter of another kind, for a
/// library, which has its own rule, and if the width of the hash is given.
fn about_the_usual_rule(solution: &Solution, target: f64) -> Option<String> {
    let is_own = solution.layout() == Filter::Classic && solution.as_built().is_none();
    let usual = solution.usual().filter(|_| is_own)?;
    if solution.asked.hash_bits.is_some() {
        return None;
    }
    let (m, k) = (usual.bits, usual.hashes);
    let (rate, place) = beside_target((solution.items, m, k), usual.rate, target);
    Some(format!(
        "the usual rule says m = {m}, k = {k}, whose exact rate {rate} is {place}"
    ))
}

/// Formats `rate`, the exact rate of a size n, m, k. Also returns on which side of a target it is.
fn beside_target(
    (items, bits, hashes): (u64, u64, u32),
    rate: Rate,
    target: f64,
) -> (String, &'static str) {
    let value = rate.value();
    let is_clear = !is_near(rate, target);
    let place = match u8::try_from(hashes) {
        _ if is_clear && value > target => "over the target",
        _ if is_clear => "within the target",
        Ok(hashes) if bits <= EXACT_BITS => match Model::Exact.meets(items, bits, hashes, target) {
            Ok(false) => "over the target by less than 1 part in 10^12",
            _ => "within the target",
        },
        _ => "the target to 12 digits",
    };
    let shown = if is_clear {
        rate_shown(rate, Some(target))
    } else {
        nearest(value, 6)
    };
    (shown, place)
}
