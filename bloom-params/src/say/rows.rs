//! Writes the answer for people: its lines, and the remarks below them. The command line lays out the lines in columns. The
//! calculator page of the book shows the lines that are in the JSON object.

use crate::answer::{Answer, Solution};
use crate::beyond::Answered;
use crate::kind::filter::Filter;
use crate::per_item::PerItem;
use crate::read::units::parse_rate;
use crate::say::notes::CAPPED;
use crate::say::numbers::{bytes_of_bits, grouped, nearest, one_in, plural, rate_up};
use crate::say::value::Row;
use crate::say::words::{as_typed, bits_as_shown, bits_in, position, rate_shown, share};

/// Returns the lines of an answer. `size_note` states how an m like `64mb`, which may mean bits or bytes, was read. Its last
/// part, how to write bytes, is added to the line of m.
pub(crate) fn rows(answer: &Answer, size_note: Option<&str>) -> Vec<Row> {
    let mut rows: Vec<Row> = match answer {
        Answer::Sized(solution) => sized(solution).into(),
        Answer::PerItem(each) => per_item(each).into(),
    };
    let for_bytes = size_note.and_then(|size_note| size_note.split_once("; "));
    if let (Some((_, for_bytes)), Some(m)) = (for_bytes, rows.get_mut(1)) {
        m.3 += &format!("; {for_bytes}");
    }
    rows
}

/// Returns the remarks.
pub(crate) fn notes(answered: &Answered) -> Vec<String> {
    match &answered.answer {
        Answer::Sized(solution) => solution.notes_of(!answered.is_per_item),
        Answer::PerItem(each) => each.notes(),
    }
}

impl PerItem {
    fn notes(&self) -> Vec<String> {
        let least = bits_as_shown(self.bound_bits(), 4);
        // In a filter of blocks, few items may have a higher or a lower p than many items: they may leave part of the last
        // block unused, but they fill their few blocks more evenly than many items fill many blocks.
        let of_few = match (self.asked.bits_per_item, self.asked.filter.unit()) {
            (Some(_), 1) => "for few items p is a little higher; write --n for their p",
            (Some(_), _) => "for few items p may be higher or lower; write --n for their p",
            (None, 1) => "for few items it is a little more; write --n or --m for a size",
            (None, _) => "for few items it may be more or less; write --n or --m for a size",
        };
        let bound = format!("no structure takes less than {least} per item (log2 1/p)");
        let capped = self.wants_more_hashes().then(|| CAPPED.to_string());
        [bound, of_few.to_string()]
            .into_iter()
            .chain(capped)
            .collect()
    }
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
fn sized(solution: &Solution) -> [Row; 5] {
    let (n, m, filter) = (solution.items, solution.bits, solution.layout());
    let per_item = solution.bits_per_item().map_or(String::new(), |bits| {
        format!(", {} per item", bits_as_shown(bits, 4))
    });
    let mut memory = bytes_of_bits(solution.memory_bits()) + &per_item;
    if let Some(range) = solution.by_chance() {
        memory += &format!("; single filters have {}", bits_in(range));
    }
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
    let (p, ln, filter) = (each.rate.value(), each.rate.ln(), each.asked.filter);
    let of_hashes = match (filter, each.asked.hashes) {
        (Filter::SplitBlock { .. }, _) => "one in each lane of a block",
        (_, None) if each.wants_more_hashes() => "the most",
        (_, None) => "the best whole number",
        _ => "",
    };
    let bits = nearest(each.bits_per_item, 6);
    let mut trials = one_in(p, ln);
    if let (Some(target), Some(met)) = (each.asked.rate, each.met) {
        trials += &verdict(target, "", met);
    }
    [
        row("m/n", bits, "bits", "per item, for many items"),
        of_k(each.hashes, of_hashes),
        row("p", rate_of_each(each), "", trials),
        of_fill(each.fill(), filter),
    ]
}

/// Returns the rate as it was given or, if it follows from the bits per item, rounded up.
pub(crate) fn rate_of_each(each: &PerItem) -> String {
    let p = each.rate.value();
    match each.asked.bits_per_item {
        Some(_) => rate_up(p, each.rate.ln(), each.asked.rate),
        None => as_typed(p),
    }
}

fn of_k(hashes: u8, remark: impl Into<String>) -> Row {
    row(
        "k",
        hashes.to_string(),
        plural(hashes.into(), "hash"),
        remark,
    )
}

/// Returns the line of the fill, which says what the fill is a share of.
fn of_fill(fill: f64, filter: Filter) -> Row {
    let remark = match filter {
        Filter::Counting { .. } => "of the counters above 0",
        _ => "of the bits set",
    };
    row("fill", nearest(fill, 3), "", remark)
}

/// Returns the rate rounded up to a number that this filter keeps. Typed back as a target, it is met.
pub(crate) fn rate_kept(solution: &Solution) -> String {
    let rate = solution.rate;
    let asked = solution.asked;
    let text = rate_shown(rate, asked.rate);
    let keeps = |rate| {
        if solution.grown.is_some() || solution.is_dependent() || asked.set_bits.is_some() {
            return solution.rate.value() <= rate;
        }
        let (n, m, k) = (solution.items, solution.bits, solution.hashes);
        asked.judge().mean_meets(n, m, k, rate).unwrap_or(true)
    };
    if solution.items == 0 || parse_rate(&text).map_or(true, keeps) {
        return text;
    }
    // The f64 of the rate may be slightly below the exact rate, and then the filter does not keep
    // this f64. Values above it are tried, up to the target if the target is met.
    let above = (0..16).map(|power| f64::from_bits(rate.value().to_bits() + (1 << power)));
    let met = asked.rate.filter(|_| solution.met == Some(true));
    let bound = met.unwrap_or(1.0);
    let kept = above.map(|rate| rate.min(bound)).find(|rate| keeps(*rate));
    let kept = kept.unwrap_or(bound);
    rate_up(kept, kept.ln(), asked.rate)
}

/// Returns `1 in N`, the target, and whether it is met.
fn about_rate(solution: &Solution) -> String {
    let is_empty = solution.items == 0 && solution.asked.set_bits.is_none_or(|ones| ones == 0);
    let mut text = if is_empty {
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

/// States a target and whether it is met. `who` names the share of filters that must keep it.
fn verdict(target: f64, who: &str, met: bool) -> String {
    let target = as_typed(target);
    format!(
        ", target {target}{who}: {}",
        if met { "met" } else { "not met" }
    )
}
