//! Writes the steps that compare the answer with its neighbours: other numbers of hashes, bits or
//! items, and the size before rounding.

use std::f64::consts::LN_2;

use bloom_core::math::share_above;

use super::page::Explanation;
use crate::answer::Solution;
use crate::kind::filter::Filter;
use crate::question::{Quantity, Query, Round};
use crate::say::numbers::{grouped, nearest};
use crate::say::words::{as_typed, digits, elided, kept, position, share};

/// Adds the steps on rounding, on k, on m or n, and on the usual rule, as far as they apply to the question.
pub(super) fn all(page: &mut Explanation, solution: &Solution) {
    if solution.grown.is_some() {
        return;
    }
    if solution.asked.round != Round::None && !solution.half_full {
        rounding(page, solution);
    }
    if solution.asked.filter.fixed_hashes().is_none() {
        hashes(page, solution);
    }
    edge(page, solution);
    if solution.layout() == Filter::Classic {
        usual(page, solution);
    }
}

/// Adds how the fewest bits are rounded up.
fn rounding(page: &mut Explanation, solution: &Solution) {
    let plain = Query {
        round: Round::None,
        ..solution.asked
    };
    let Ok(plain) = plain.solve() else {
        return;
    };
    let to = match solution.asked.round {
        Round::PowerOfTwo => "a power of two".to_string(),
        Round::Multiple(step) => format!("a multiple of {step}"),
        Round::None => return,
    };
    let blocks = match solution.asked.filter.unit() {
        1 => String::new(),
        unit => format!(" and whole blocks of {unit}"),
    };
    let again = match solution
        .asked
        .hashes
        .or(solution.asked.filter.fixed_hashes())
    {
        None => ", and k is chosen again for it",
        Some(_) => "",
    };
    let (what, m) = (position(solution.layout()), grouped(solution.bits));
    let (fewest, k) = (grouped(plain.bits), plain.hashes);
    page.add(&format!(
        "# Rounding up
        The fewest {what}s that are enough are m = {fewest}, with k = {k}. Rounded up to {to}{blocks} that is m = {m}{again}."
    ));
}

/// Adds the rate for some numbers of hashes around the answer.
fn hashes(page: &mut Explanation, solution: &Solution) {
    let (n, m, k) = (solution.items, solution.bits, solution.hashes);
    let judge = solution.asked.judge().independent();
    let Ok(best) = judge.best_hashes(n, m) else {
        return;
    };
    let target = solution.asked.rate;
    let shared = target.filter(|_| judge.confidence.is_some());
    let with = shared.map_or(String::new(), |target| {
        let p = as_typed(target);
        format!(", with the share of single filters that keep {p}")
    });
    let ideal = if solution.is_dependent() {
        ", with ideal hashes"
    } else {
        ""
    };
    page.add(&format!(
        "# How many hashes
        With too few hashes a query tests too little; too many fill the filter. At this n and m{with}{ideal}:"
    ));
    let (within, over, lowest) = match shared {
        None => ("  within", "  over", "  lowest"),
        Some(_) => ("  enough", "  too few", "  lowest p"),
    };
    let (low, high) = (k.min(best).saturating_sub(2).max(1), k.max(best));
    let shown: Vec<u8> = (low..=high.saturating_add(2)).collect();
    for row in elided(shown.len(), 12, 5) {
        let Some(hashes) = row.map(|row| shown[row]) else {
            page.add("> ...");
            continue;
        };
        let Ok(rate) = judge.rate(n, m, hashes) else {
            continue;
        };
        let mut remark = String::new();
        if let Some(target) = shared {
            let kept = kept(share_above(n, m, hashes, target).unwrap_or(1.0), 5);
            remark += &format!("{:>10}", kept.replace("less than", "<"));
        }
        if let Some(target) = target {
            let met = judge.meets(n, m, hashes, target).unwrap_or(false);
            remark += if met { within } else { over };
        }
        if hashes == best {
            remark += lowest;
        }
        if hashes == k {
            remark += "  <- the answer";
        }
        let rate = digits(rate, 6);
        page.add(&format!("> k = {hashes:>3}   p = {rate:<12}{remark}"));
    }
    page.add(match solution.met {
        _ if solution.as_built().is_some() => "k is the library's choice.",
        _ if solution.asked.hashes.is_some() => "k was given.",
        Some(false) => "None is enough, and the answer takes the best.",
        Some(true) => "The answer takes the fewest that keep p, because each hash costs a probe.",
        None => "The answer takes the best.",
    });
    if matches!(
        solution.layout(),
        Filter::Classic | Filter::Counting { .. } | Filter::Partitioned
    ) {
        let ideal = nearest(m as f64 / n as f64 * LN_2, 4);
        page.add(&format!(
            "(The rule of thumb for the best k is (m/n) ln 2 = {ideal}, for filters of any size; k must be a whole number.)"
        ));
    }
}

/// Adds a line for each size: its name, its rate and whether the size meets the target. If a share of filters must keep the
/// target, the line has the share of filters that keep it, in place of the rate. The numbers have enough digits to tell the
/// sizes apart.
fn sides(page: &mut Explanation, solution: &Solution, target: f64, sizes: &[(String, u64, u64)]) {
    let (judge, k) = (solution.asked.judge().independent(), solution.hashes);
    let text = |n, m, count| {
        if judge.confidence.is_some() {
            let above = share_above(n, m, k, target).unwrap_or(1.0);
            return format!("{} keep {}", kept(above, count), as_typed(target));
        }
        let rate = judge.rate(n, m, k);
        rate.map_or(String::new(), |rate| format!("p = {}", digits(rate, count)))
    };
    let texts = |count| sizes.iter().map(move |(_, n, m)| text(*n, *m, count));
    let apart = |count: &usize| {
        let mut texts: Vec<_> = texts(*count).collect();
        texts.dedup();
        texts.len() == sizes.len()
    };
    // A rate over the target must not be printed as the same number as the target.
    let clear = |count: &usize| {
        let edge = format!("p = {}", nearest(target, *count));
        apart(count) && texts(*count).all(|text| text != edge)
    };
    let least = if judge.confidence.is_some() { 5 } else { 7 };
    let found = (least..=15).find(clear);
    let count = found.or_else(|| (least..=15).find(apart));
    let count = count.unwrap_or(least);
    for ((name, n, m), text) in sizes.iter().zip(texts(count)) {
        let met = judge.meets(*n, *m, k, target).unwrap_or(false);
        let verdict = if met { "met" } else { "not met" };
        page.add(&format!("> {name}:  {text}  {verdict}"));
    }
}

/// Adds the answer and, if its m or n was solved and not rounded, its neighbour on the other side of the target. For a filter
/// that another system sized, there is no neighbour.
fn edge(page: &mut Explanation, solution: &Solution) {
    let Some(target) = solution.asked.rate else {
        return;
    };
    let (n, m) = (solution.items, solution.bits);
    let unit = solution.asked.filter.unit();
    let what = position(solution.layout());
    let is_share = solution.asked.confidence.is_some();
    let is_rounded = solution.asked.round != Round::None;
    let solved = |quantity| {
        solution.as_built().is_none() && !is_rounded && solution.solved.contains(&quantity)
    };
    if solved(Quantity::Bits) && m > unit {
        page.add(&format!("# How many {what}s"));
        let side = |m| (format!("m = {}", grouped(m)), n, m);
        sides(page, solution, target, &[side(m - unit), side(m)]);
        page.add(&match unit {
            1 if is_share => format!("The share grows with m, so one {what} less is too few."),
            1 => format!("p falls with every {what}, so one {what} less is too few."),
            _ => format!("p falls with every block, so one block of {unit} less is too few."),
        });
    } else if solved(Quantity::Items) && n < u64::MAX {
        page.add("# How many items");
        let side = |n| (format!("n = {}", grouped(n)), n, m);
        sides(page, solution, target, &[side(n), side(n + 1)]);
        let worsens = if is_share {
            "The share falls"
        } else {
            "p rises"
        };
        page.add(&format!(
            "{worsens} with every item, so one item more is too many."
        ));
    } else {
        page.add("# Is the target met?");
        let size = format!("n = {}, m = {}", grouped(n), grouped(m));
        if solution.is_dependent() {
            let (p, met) = (digits(solution.rate, 7), solution.met == Some(true));
            let verdict = if met { "met" } else { "not met" };
            page.add(&format!("> {size}:  p = {p}  {verdict}"));
            return;
        }
        sides(page, solution, target, &[(size, n, m)]);
    }
}

/// Adds the size by the usual rule and its exact rate.
fn usual(page: &mut Explanation, solution: &Solution) {
    let (Some(target), Some(rule)) = (solution.asked.rate, solution.usual()) else {
        return;
    };
    let n = solution.items as f64;
    let real = n * -libm::log(target) / LN_2.powi(2);
    let shown = nearest(real, (libm::log10(real).max(0.0) as usize + 4).clamp(8, 15));
    let (bits, hashes) = (grouped(rule.bits), rule.hashes);
    let ideal = nearest(rule.bits as f64 / n * LN_2, 4);
    let over = rule.rate.value() / target - 1.0;
    let rate = digits(rule.rate, 6);
    let verdict = if over > 0.0 {
        format!("{} over the target", share(over, 2))
    } else {
        "which keeps the target".to_string()
    };
    page.add(&format!(
        "# Why many calculators say otherwise
        The usual rule solves the textbook's approximation for the best k as a real number:
        > m = -n ln p / (ln 2)^2 = {shown}, rounded up {bits}
        > k = (m/n) ln 2 = {ideal}, rounded {hashes}
        That filter has p = {rate}, {verdict}."
    ));
}
