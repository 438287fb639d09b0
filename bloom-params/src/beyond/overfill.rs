//! Builds the section on the rate of a filter with more items than expected.

use bloom_core::math::first_true;

use super::section::Section;
use crate::answer::{Answer, Solution};
use crate::error::InputError;
use crate::object;
use crate::read::typed::Typed;
use crate::say::numbers::{counted, grouped, memory, nearest, one_in, plural, rate_up};
use crate::say::object::of_memory_range;
use crate::say::rows::rate_kept;
use crate::say::value::Value;

/// The numbers of items for which the rate is printed, in percent of n.
const PERCENTS: [u16; 8] = [100, 110, 125, 150, 200, 300, 500, 1000];

/// The rate with `n` items, which are `times` times the items of the answer.
struct Row {
    times: f64,
    n: u64,
    p: f64,
    /// The memory in bits with that number of items; `None` for filters that do not grow.
    m: Option<u128>,
    range: Option<(u128, u128)>,
}

/// Returns the section if `--overfill` is given: the rate with up to ten times the items, and the number of items at which the
/// rate doubles.
pub(super) fn overfill(typed: &Typed, answer: &Answer) -> Result<Option<Section>, InputError> {
    let is_asked = typed.has("overfill");
    is_asked.then(|| of_answer(answer)).transpose()
}

/// Returns the section of [`overfill`], whether or not the flag requests it.
pub(crate) fn of_answer(answer: &Answer) -> Result<Section, InputError> {
    let solution = answer.sized("--overfill")?;
    if !solution.takes(solution.items.saturating_add(1)) {
        let system = solution.asked.filter.system();
        return Err(InputError::new(format!(
            "{} takes no more than n items, so --overfill has nothing to show",
            system.map_or("the filter", |system| system.name)
        )));
    }
    let rows = rows(solution);
    let shown = rows.iter().map(|row| {
        let p = if row.n == solution.items {
            rate_kept(solution)
        } else {
            rate_up(row.p, row.p.ln(), None)
        };
        (row, grouped(row.n), p)
    });
    let shown: Vec<_> = shown.collect();
    let width = shown.iter().map(|(_, n, _)| n.len()).max().unwrap_or(0);
    let of_rate = shown.iter().map(|(.., p)| p.len()).fold(9, usize::max);
    let lines = shown.into_iter().map(|(row, n, p)| {
        let times = format!("{} n", nearest(row.times, 3));
        let (item, trials) = (plural(row.n, "item"), one_in(row.p, row.p.ln()));
        let size = row.m.map_or(String::new(), |bits| {
            format!("   {}", memory(bits, row.range))
        });
        format!("{times:>6}  {n:>width$} {item:<5}   p {p:<of_rate$}  {trials}{size}")
    });
    let twice = doubled(solution);
    let doubles = match twice {
        Some(n) => format!("p doubles at {}", counted(n, "item")),
        None => "p never doubles".to_string(),
    };
    let objects = rows.iter().map(|row| {
        let mut object = object![("times", row.times), ("n", row.n), ("p", row.p)];
        object.add_some("m", row.m);
        object.add_some("m_range", row.range.map(of_memory_range));
        Value::from(object)
    });
    Ok(Section {
        name: "overfill",
        title: "overfilled".to_string(),
        lines: lines.chain([doubles]).collect(),
        data: object![("rows", Value::List(objects.collect())), ("twice", twice)],
    })
}

fn rows(solution: &Solution) -> Vec<Row> {
    let items = solution.items;
    let mut rows: Vec<Row> = Vec::new();
    let own = solution.memory_bits();
    let grows = items < u64::MAX && solution.memory_bits_with(items + 1).is_some();
    for percent in PERCENTS {
        let Ok(n) = u64::try_from(u128::from(items) * u128::from(percent) / 100) else {
            break;
        };
        if rows.last().is_some_and(|row| row.n >= n) {
            continue;
        }
        if !solution.takes(n) {
            break;
        }
        let rate = solution.rate_with(n);
        // For the n of the answer, the rate of the answer is used, which is right to the last digit.
        let rate = if n == items { solution.rate } else { rate };
        rows.push(Row {
            times: f64::from(percent) / 100.0,
            n,
            p: rate.value(),
            m: grows.then(|| solution.memory_bits_with(n).unwrap_or(own)),
            range: solution.memory_range_with(n),
        });
    }
    rows
}

/// Returns the fewest items with at least twice the rate of the answer; `None` if no number of items that the filter takes has
/// it.
fn doubled(solution: &Solution) -> Option<u64> {
    let items = solution.items;
    let doubled = solution.rate.ln() + std::f64::consts::LN_2;
    let reaches = |n| !solution.takes(n) || solution.rate_with(n).ln() >= doubled;
    let twice = (items > 0 && doubled < 0.0).then(|| {
        first_true(
            items.saturating_add(1),
            u64::MAX,
            items.saturating_add(items / 8),
            reaches,
        )
    });
    twice.flatten().filter(|n| solution.takes(*n))
}
