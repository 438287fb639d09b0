//! The answer as text for people: aligned, and clear without colours.
//!
//! The printed n, m, k and p can be typed back and are met. Three answers are not valid as
//! questions, and are refused when typed back: p = 1, p below the range of `f64`, and n = 0 with
//! p = 0.

use crate::cli::call;
use crate::cli::report::{self, Row, note, rows};
use crate::cli::sections;
use crate::extras::Extras;
use crate::filters::Filter;
use crate::numbers::{bytes_of_bits, grouped, nearest, one_in, rate_up};
use crate::per_item::PerItem;
use crate::solution::Solution;
use crate::typed::Answer;
use crate::units::parse_rate;
use crate::words::{
    as_typed, bits_as_shown, elided, plural, position, rate_shown, rounded, share, wrapped,
};

/// Returns the whole answer, with colours; `echo` states how an ambiguous size was read.
pub(crate) fn render(answer: &Answer, extras: &Extras, echo: Option<&str>) -> String {
    let (mut text, notes) = match answer {
        Answer::Sized(solution) => {
            let mut text = rows(&table(solution)) + &stages(solution);
            if extras.overfill.is_none() && extras.grow.is_none() {
                text += &overfilled(solution);
            }
            text += &sections::all(solution, extras);
            (text + &call::section(solution), solution.notes())
        }
        Answer::PerItem(each) => {
            let lookups = extras.lookups.as_ref();
            let lookups = lookups.map_or(String::new(), sections::lookups);
            let least = bits_as_shown(each.bound_bits(), 4);
            let notes = vec![
                format!("no structure takes less than {least} per item (log2 1/p)"),
                match each.asked.bits_per_item {
                    Some(_) => {
                        "for few items p is a little higher; write --n for theirs".to_string()
                    }
                    None => {
                        "for few items it is a little more; write --n or --m for a size".to_string()
                    }
                },
            ];
            (rows(&per_item(each)) + &lookups, notes)
        }
    };
    text.push('\n');
    for remark in echo.map(str::to_string).into_iter().chain(notes) {
        text += &note(&remark);
    }
    text.trim_end().to_string() + "\n"
}

fn row(
    name: &'static str,
    value: String,
    unit: impl Into<String>,
    remark: impl Into<String>,
) -> Row {
    (name, value, unit.into(), remark.into())
}

/// Returns the four quantities and the fill.
fn table(solution: &Solution) -> [Row; 5] {
    let (n, m, filter) = (solution.items, solution.bits, solution.asked.filter);
    let per_item = solution.bits_per_item().map_or(String::new(), |bits| {
        format!(", {} per item", bits_as_shown(bits, 4))
    });
    let memory = bytes_of_bits(solution.memory_bits()) + &per_item;
    let of_hashes = match (filter, solution.ideal_hashes()) {
        (Filter::SplitBlock { .. }, _) => "one in each lane of a block".to_string(),
        (Filter::Scalable { .. }, _) => "of the last stage".to_string(),
        (Filter::PlainBlocked { .. }, _) => "in one block".to_string(),
        (_, Some(ideal)) => format!("ideal {}", nearest(ideal, 3)),
        (_, None) => String::new(),
    };
    [
        row("n", grouped(n), plural(n, "item"), ""),
        row("m", grouped(m), plural(m, position(filter)), memory),
        of_k(solution.hashes, of_hashes),
        row("p", rate_kept(solution), "", about_rate(solution)),
        of_fill(solution.fill(), filter),
    ]
}

/// Returns the lines of an answer without a number of items.
fn per_item(each: &PerItem) -> [Row; 4] {
    let (p, filter) = (each.rate, each.asked.filter);
    let of_hashes = match (filter, each.asked.hashes) {
        (Filter::SplitBlock { .. }, _) => "one in each lane of a block",
        (_, None) => "the best whole number",
        _ => "",
    };
    let bits = nearest(each.bits_per_item, 6);
    let (shown, mut trials) = match each.asked.bits_per_item {
        Some(_) => (rate_up(p, p.ln(), each.asked.rate), one_in(p, p.ln())),
        None => (as_typed(p), one_in(p, p.ln())),
    };
    if let (Some(target), Some(met)) = (each.asked.rate, each.met) {
        trials += &verdict(target, "", met);
    }
    [
        row("m/n", bits, "bits", "per item, for many items"),
        of_k(each.hashes, of_hashes),
        row("p", shown, "", trials),
        of_fill(each.fill(), filter),
    ]
}

fn of_k(hashes: u8, remark: impl Into<String>) -> Row {
    row(
        "k",
        hashes.to_string(),
        plural(hashes.into(), "hash"),
        remark,
    )
}

/// Returns the line of the fill, with what it is a share of.
fn of_fill(fill: f64, filter: Filter) -> Row {
    let remark = match filter {
        Filter::Counting { .. } => "of the counters above 0",
        _ => "of the bits set",
    };
    row("fill", nearest(fill, 3), "", remark)
}

/// Lists the stages of a scalable filter; of many, only the first and the last few.
fn stages(solution: &Solution) -> String {
    const SHOWN: usize = 12;
    let stages = solution.stages();
    if stages.is_empty() {
        return String::new();
    }
    // Wide enough for 10^11 items.
    let (mut of_items, mut of_bits) = (12, 14);
    for stage in stages {
        of_items = of_items.max(grouped(stage.items).len());
        of_bits = of_bits.max(grouped(stage.bits).len());
    }
    let mut text = format!(
        "\nstage {:>of_items$} {:>of_bits$}    k   p\n",
        "items", "bits"
    );
    for i in elided(stages.len(), SHOWN, SHOWN / 2) {
        let Some(i) = i else {
            text += &format!("  ... {} more\n", stages.len() - SHOWN);
            continue;
        };
        let (n, m) = (grouped(stages[i].items), grouped(stages[i].bits));
        let (number, k, p) = (i + 1, stages[i].hashes, nearest(stages[i].rate, 4));
        text += &format!("{number:>5} {n:>of_items$} {m:>of_bits$}  {k:>3}   {p}\n");
    }
    text
}

/// Returns the rate with 1.25 and 2 times the items; empty where that adds no item.
fn overfilled(solution: &Solution) -> String {
    let items = solution.items;
    let case = |percent| {
        let more = u128::from(items) * percent / 100;
        let more = u64::try_from(more).ok().filter(|more| *more > items)?;
        if !solution.takes(more) {
            return None;
        }
        let (rate, n) = (rounded(solution.rate_with(more)), grouped(more));
        let times = nearest(more as f64 / items as f64, 3);
        Some(format!("p {rate} with {n} items ({times} n)"))
    };
    let cases: Vec<_> = [125, 200].into_iter().filter_map(case).collect();
    if cases.is_empty() {
        return String::new();
    }
    let lines = wrapped(&cases.join(", "), "overfilled: ", "            ");
    format!("\n{}\n", lines.join("\n"))
}

/// Returns the rate rounded up to a number that this filter keeps, so that it is met when typed back.
pub(crate) fn rate_kept(solution: &Solution) -> String {
    let rate = solution.rate;
    let asked = solution.asked;
    let text = rate_shown(rate, asked.rate);
    let keeps = |rate| {
        if solution.grown.is_some() || solution.is_double_hashed() {
            return solution.rate.value() <= rate;
        }
        let (n, m, k) = (solution.items, solution.bits, solution.hashes);
        asked.judge().mean_meets(n, m, k, rate).unwrap_or(true)
    };
    if solution.items == 0 || parse_rate(&text).map_or(true, keeps) {
        return text;
    }
    // The f64 of the rate may be a few last digits below the exact rate, and then the filter misses
    // it. Try values above it, up to the target, which is met.
    let above = (0..16).map(|power| f64::from_bits(rate.value().to_bits() + (1 << power)));
    let met = asked.rate.filter(|_| solution.met == Some(true));
    let bound = met.unwrap_or(1.0);
    let kept = above.map(|rate| rate.min(bound)).find(|rate| keeps(*rate));
    let kept = kept.unwrap_or(bound);
    rate_up(kept, kept.ln(), asked.rate)
}

/// Returns `1 in N`, the target, and whether it is met.
fn about_rate(solution: &Solution) -> String {
    let mut text = if solution.items == 0 {
        "an empty filter".to_string()
    } else {
        one_in(solution.rate.value(), solution.rate.ln())
    };
    if let (Some(target), Some(met)) = (solution.asked.rate, solution.met) {
        let who = solution.asked.confidence.map_or(String::new(), |part| {
            format!(" in {} of filters", share(part, 15))
        });
        text += &verdict(target, &who, met);
    }
    text
}

/// States a target, for whom it holds, and whether it is met.
fn verdict(target: f64, who: &str, met: bool) -> String {
    let target = as_typed(target);
    format!(", target {target}{who}: {}", report::verdict(met))
}
