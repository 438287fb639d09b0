//! The answer as people read it: aligned, and clear without its colours.
//!
//! The printed n, m, k and p are met when typed back. Three answers are no question, and are refused
//! then: p = 1, p under the range of `f64`, and n = 0 with p = 0.

use anstyle::{AnsiColor, Style};

use crate::notes;
use crate::numbers::{bytes_of_bits, grouped, nearest, one_in, rate_up};
use crate::solution::Solution;
use crate::units::parse_rate;
use crate::words::{as_typed, bits_as_shown, plural, rounded};

pub(crate) const ERROR: Style = AnsiColor::Red.on_default().bold();
pub(crate) const HINT: Style = AnsiColor::Cyan.on_default().bold();
const NOTE: Style = AnsiColor::Yellow.on_default().bold();
const VALUE: Style = Style::new().bold();
const MET: Style = AnsiColor::Green.on_default().bold();
const NOT_MET: Style = AnsiColor::Red.on_default().bold();

/// Returns the whole answer, with colours; `echo` says how a doubtful size was understood.
pub(crate) fn render(solution: &Solution, echo: Option<&str>) -> String {
    let mut text = table(solution);
    text.push('\n');
    for note in echo
        .map(str::to_string)
        .into_iter()
        .chain(notes::all(solution))
    {
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
