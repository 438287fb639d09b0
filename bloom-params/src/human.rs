//! The answer as people read it: aligned, and clear without its colours.
//!
//! The printed n, m, k and p are met when typed back. Three answers are no question, and are refused
//! then: p = 1, p under the range of `f64`, and n = 0 with p = 0.

use anstyle::{AnsiColor, Style};
use bloom_core::math::{HASH_FLOOR_MARGIN, Model, Rate, lower_bound_bits};

use crate::json::name;
use crate::numbers::{bytes_of_bits, grouped, nearest, one_in, rate_up};
use crate::query::Query;
use crate::solution::{Quantity, Solution};
use crate::units::parse_rate;

pub(crate) const ERROR: Style = AnsiColor::Red.on_default().bold();
pub(crate) const HINT: Style = AnsiColor::Cyan.on_default().bold();
const NOTE: Style = AnsiColor::Yellow.on_default().bold();
const VALUE: Style = Style::new().bold();
const MET: Style = AnsiColor::Green.on_default().bold();
const NOT_MET: Style = AnsiColor::Red.on_default().bold();

/// Sizes above this are minimal only within 1 part in 10^14.
const EXACT_BITS: u64 = 1 << 46;

/// Rates as near as this, relative, are told apart by an exact decision and not by their `f64`s.
const NEAR: f64 = 1e-12;

/// Returns the whole answer, with colours; `echo` says how a doubtful size was understood.
pub(crate) fn render(solution: &Solution, echo: Option<&str>) -> String {
    let mut text = table(solution);
    text.push('\n');
    for note in echo.map(str::to_string).into_iter().chain(notes(solution)) {
        text += &format!("{NOTE}note:{NOTE:#} {note}\n");
    }
    text.trim_end().to_string() + "\n"
}

/// Says how many bits and bytes a size like `1G` was read as.
pub(crate) fn bare_magnitude(text: &str, bits: u64) -> String {
    let bytes = bits.div_ceil(8);
    format!(
        "{text} is {} {} ({} {}); for bytes write {text}B",
        grouped(bits),
        plural(bits, "bit"),
        grouped(bytes),
        plural(bytes, "byte"),
    )
}

/// The four quantities, the fill, and what happens beyond the expected items.
fn table(solution: &Solution) -> String {
    let items = solution.items;
    let per_item = solution.bits_per_item();
    let ideal = solution.ideal_hashes();
    let rows = [
        ("n", grouped(items), plural(items, "item"), String::new()),
        (
            "m",
            grouped(solution.bits),
            plural(solution.bits, "bit"),
            bytes_of_bits(solution.bits)
                + &per_item.map_or(String::new(), |bits| {
                    format!(", {} per item", bits_as_shown(bits, 4))
                }),
        ),
        (
            "k",
            solution.hashes.to_string(),
            plural(solution.hashes.into(), "hash"),
            ideal.map_or(String::new(), |ideal| {
                format!("ideal {}", nearest(ideal, 3))
            }),
        ),
        (
            "p",
            rate_kept(solution),
            String::new(),
            about_rate(solution),
        ),
        (
            "fill",
            nearest(solution.fill(), 3),
            String::new(),
            "of the bits set".to_string(),
        ),
    ];
    let width = rows.iter().map(|row| row.1.len()).max().unwrap_or(0);
    let mut text = String::new();
    for (name, value, unit, remark) in rows {
        let line = format!("{name:<4}  {VALUE}{value:>width$}{VALUE:#} {unit:<6}   {remark}");
        text += line.trim_end();
        text.push('\n');
    }
    text + &overfilled(solution)
}

/// The rate with 1.25 and 2 times the items; nothing where that is no more items.
fn overfilled(solution: &Solution) -> String {
    let items = solution.items;
    let cases: Vec<_> = [u128::from(items) * 5 / 4, u128::from(items) * 2]
        .into_iter()
        .filter_map(|more| {
            let more = u64::try_from(more).ok().filter(|more| *more > items)?;
            let rate = rounded(solution.rate_with(more));
            let times = nearest(more as f64 / items as f64, 3);
            Some(format!("p {rate} with {} items ({times} n)", grouped(more)))
        })
        .collect();
    if cases.is_empty() {
        return String::new();
    }
    format!("\noverfilled: {}\n", cases.join(", "))
}

/// The rate rounded up to a number that this filter keeps: pasted back, it is met.
fn rate_kept(solution: &Solution) -> String {
    let rate = solution.rate;
    let target = solution.asked.rate.filter(|_| solution.met == Some(true));
    let text = rate_up(rate.value(), rate.ln(), target);
    let asked = solution.asked;
    let keeps = |rate| {
        let meets = asked
            .model
            .meets(solution.items, solution.bits, solution.hashes, rate);
        meets.unwrap_or(true)
    };
    if solution.items == 0 || parse_rate(&text).map_or(true, keeps) {
        return text;
    }
    // The f64 of the rate may be some last digits under the true one, and so be missed: up from it,
    // to the target at most, which is met.
    let above = (0..16).map(|power| f64::from_bits(rate.value().to_bits() + (1 << power)));
    let bound = target.unwrap_or(1.0);
    let kept = above.map(|rate| rate.min(bound)).find(|rate| keeps(*rate));
    let kept = kept.unwrap_or(bound);
    rate_up(kept, kept.ln(), target)
}

/// 1 in N, the target, and whether it is met.
fn about_rate(solution: &Solution) -> String {
    let mut text = if solution.items == 0 {
        "an empty filter".to_string()
    } else {
        one_in(solution.rate.value(), solution.rate.ln())
    };
    if let (Some(target), Some(met)) = (solution.asked.rate, solution.met) {
        let target = as_typed(target);
        let verdict = if met {
            format!("{MET}met{MET:#}")
        } else {
            format!("{NOT_MET}not met{NOT_MET:#}")
        };
        text += &format!(", target {target}: {verdict}");
    }
    text
}

/// Everything that a careful reader would want to be told.
fn notes(solution: &Solution) -> Vec<String> {
    let mut notes = Vec::new();
    if let Some(target) = solution.asked.rate {
        notes.extend(about_the_target(solution, target));
        notes.extend(about_the_usual_rule(solution, target));
    }
    if solution.asked.model != Model::Exact && solution.items > 0 {
        let exact = solution.exact_rate();
        let size = (solution.items, solution.bits, solution.hashes.into());
        let shown = match solution.asked.rate {
            None => digits(exact, 6),
            Some(target) => {
                let (rate, place) = beside_target(size, exact, target);
                format!("{rate}, {place}")
            }
        };
        notes.push(format!(
            "p is the {} formula's; the exact rate of this size is {shown}",
            name(solution.asked.model),
        ));
    }
    if solution.wants_more_hashes {
        notes.push("k is at most 255; more hashes than that would be better still".to_string());
    }
    notes.extend(about_the_hash(solution));
    let solved = |quantity| solution.solved.contains(&quantity);
    if solution.bits > EXACT_BITS && (solved(Quantity::Bits) || solved(Quantity::Items)) {
        notes.push("beyond 2^46 bits sizes are minimal within 1 part in 10^14".to_string());
    }
    notes
}

/// What a 64-bit hash adds to p, where it is much: its floor, times 1 - p.
fn about_the_hash(solution: &Solution) -> Option<String> {
    let (p, floor) = (solution.rate.value(), solution.hash_floor());
    if HASH_FLOOR_MARGIN * floor <= p || solution.items == 0 {
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
        "p is that of ideal hashes; a 64-bit hash adds {added} ({formula})"
    ))
}

/// How the hashes that do were chosen, or how far off the target is.
fn about_the_target(solution: &Solution, target: f64) -> Vec<String> {
    let Solution { items, bits, .. } = *solution;
    if let Some(range) = solution.hashes_range {
        if range.min == range.max {
            return vec![format!("only k = {} meets the target", range.min)];
        }
        let best = solution.asked.model.rate(items, bits, range.best);
        let best = best.map_or(String::new(), |best| format!(" with p {}", rounded(best)));
        return vec![format!(
            "k from {} to {} meets the target; {} is best{best}",
            range.min, range.max, range.best,
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
    if solution.asked.hashes.is_none() {
        notes.push(format!(
            "no number of hashes meets the target: with the best, p is {off} the target"
        ));
    } else {
        notes.push(format!("p is {off} the target"));
    }
    notes.extend(what_would_do(solution, items, target));
    notes
}

/// By how much a target is missed, to be followed by "the target".
fn how_far_over(rate: Rate, target: f64) -> String {
    let ratio = rate.value() / target;
    if ratio < 1.0 + 1e-12 {
        // Missed on its exact value, by less than f64 can show.
        "less than 1e-10 % over".to_string()
    } else if ratio < 2.0 {
        format!("{} % over", nearest((ratio - 1.0) * 100.0, 3))
    } else {
        format!("{} times", nearest(ratio, 3))
    }
}

/// How far one item is from a target that it misses, with the hashes given or the best ones.
fn not_even_one(solution: &Solution, target: f64) -> Vec<String> {
    let query = Query {
        items: Some(1),
        bits: Some(solution.bits),
        hashes: solution.asked.hashes,
        rate: None,
        model: solution.asked.model,
    };
    let Ok(one) = query.solve() else {
        return Vec::new();
    };
    let mut notes = vec![format!(
        "not even one item is within the target: with one and k = {}, p is {}, {} the target",
        one.hashes,
        rounded(one.rate),
        how_far_over(one.rate, target),
    )];
    notes.extend(what_would_do(solution, 1, target));
    notes
}

/// The sizes that would meet a target that is missed.
fn what_would_do(solution: &Solution, items: u64, target: f64) -> Option<String> {
    let bound = lower_bound_bits(items, target).ok()?;
    let query = Query {
        items: Some(items),
        rate: Some(target),
        model: solution.asked.model,
        ..Query::default()
    };
    let fits = Query {
        items: None,
        bits: Some(solution.bits),
        hashes: solution.asked.hashes,
        ..query
    };
    let mut text = format!(
        "{} {} at {} {} {} in any structure",
        grouped(items),
        plural(items, "item"),
        as_typed(target),
        if items == 1 { "needs" } else { "need" },
        bits_as_shown(bound.ceil(), 6),
    );
    if let Ok(enough) = query.solve() {
        text += &format!(
            ", {} in a Bloom filter (k = {})",
            grouped(enough.bits),
            enough.hashes
        );
    }
    if let (Ok(fits), true) = (fits.solve(), solution.items > 0) {
        let items = plural(fits.items, "item");
        text += &format!("; this size holds {} {items}", grouped(fits.items));
    }
    Some(text)
}

/// What most calculators say, and what that really gives.
fn about_the_usual_rule(solution: &Solution, target: f64) -> Option<String> {
    let usual = solution.usual()?;
    let size = (solution.items, usual.bits, usual.hashes);
    let (rate, place) = beside_target(size, usual.rate, target);
    Some(format!(
        "the usual rule says m = {}, k = {}, whose exact rate {rate} is {place}",
        usual.bits, usual.hashes,
    ))
}

/// The exact rate of a size n, m, k, with six digits or as many more as set it apart from a target,
/// and where it is.
fn beside_target(
    (items, bits, hashes): (u64, u64, u32),
    rate: Rate,
    target: f64,
) -> (String, &'static str) {
    let value = rate.value();
    let is_clear = (value / target - 1.0).abs() > NEAR;
    let place = match u8::try_from(hashes) {
        _ if is_clear && value > target => "over the target",
        _ if is_clear => "within the target",
        Ok(hashes) if bits <= EXACT_BITS => match Model::Exact.meets(items, bits, hashes, target) {
            Ok(false) => "over the target by less than 1 part in 10^12",
            _ => "within the target",
        },
        _ => "the target to 12 digits",
    };
    let mut shown = (6..=13).map(|count| digits(rate, count));
    let apart = |text: &String| {
        let shown = text.parse().unwrap_or(0.0);
        (shown > target) == (value > target)
    };
    let rate = shown.find(|text| !is_clear || apart(text));
    (rate.unwrap_or_else(|| as_typed(value)), place)
}

/// A rate to three digits.
fn rounded(rate: Rate) -> String {
    digits(rate, 3)
}

fn digits(rate: Rate, digits: usize) -> String {
    if rate.value() < f64::MIN_POSITIVE {
        return rate_up(rate.value(), rate.ln(), None);
    }
    nearest(rate.value(), digits)
}

/// A rate in its shortest form that reads back as the same number.
fn as_typed(rate: f64) -> String {
    if rate < 1e-4 {
        format!("{rate:e}")
    } else {
        rate.to_string()
    }
}

/// A number of bits, `1 bit` where it is shown as 1.
fn bits_as_shown(bits: f64, digits: usize) -> String {
    let shown = nearest(bits, digits);
    let unit = if shown == "1" { "bit" } else { "bits" };
    format!("{shown} {unit}")
}

fn plural(count: u64, unit: &str) -> String {
    match (count, unit) {
        (1, unit) => unit.to_string(),
        (_, "hash") => "hashes".to_string(),
        (_, unit) => format!("{unit}s"),
    }
}
