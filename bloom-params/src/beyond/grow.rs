//! Builds the section for `--grow`: the memory and the rate with the n of the answer ("now"), and with a larger number of items
//! ("then"). The section has a row for the filter of the answer. If p was given, it may also have rows for a filter that is sized
//! for "then", and for a scalable filter.

use bloom_core::math::first_true;

use super::section::Section;
use crate::answer::{Answer, Solution};
use crate::error::InputError;
use crate::kind::filter::Filter;
use crate::object;
use crate::question::Query;
use crate::read::typed::Typed;
use crate::read::units::displayed;
use crate::read::values;
use crate::say::numbers::{binary_size, counted, grouped, memory, nearest, rate_up_to};
use crate::say::object::of_memory_range;
use crate::say::value::{Object, Value};

/// The maximum number of added filters that are listed.
const LISTED: usize = 8;

/// One of the filters that the section compares.
struct Choice {
    name: &'static str,
    /// `None` if the filter cannot be built, as may happen if it is sized for `then`.
    now: Option<State>,
    /// `None` if the filter refuses the larger number of items, or cannot be built.
    then: Option<State>,
}

/// The memory in bits, the range of the memory where it depends on chance, and the rate.
#[derive(Clone, Copy)]
struct State {
    m: u128,
    range: Option<(u128, u128)>,
    p: f64,
}

/// A filter that is added when the ones before it are full.
struct Added {
    /// Which item, counted from 1, adds the filter when it is inserted.
    at: u64,
    /// Its bits.
    m: u128,
}

/// Returns the section for `--grow`; `None` if the flag is not given.
pub(super) fn grow(typed: &Typed, answer: &Answer) -> Result<Option<Section>, InputError> {
    let Some(text) = typed.text("grow") else {
        return Ok(None);
    };
    let solution = answer.sized("--grow")?;
    let now = solution.items;
    let n = later(text, now)?;
    if n <= now {
        let (now, got) = (grouped(now), grouped(n));
        return Err(InputError::new(format!(
            "--grow must be more than the {now} items now, got {got}"
        ))
        .with_hint("write a factor like 3x, or a larger number of items"));
    }
    let (rows, growing) = choices(solution, n);
    let by_chance = |growing: &Solution| growing.grown.is_some();
    let about = if growing.as_ref().is_some_and(by_chance) {
        "about "
    } else {
        ""
    };
    let (added, more) = growing.map_or((Vec::new(), false), |growing| additions(&growing, now, n));
    let times = nearest(n as f64 / now as f64, 3);
    let heads = ["", "memory now", "p now", "memory then", "p then"].map(String::from);
    let cells = rows.iter().map(|row| row.cells(solution.asked.rate));
    let cells: Vec<_> = [heads].into_iter().chain(cells).collect();
    let wide = |column: usize| {
        cells
            .iter()
            .map(|row| row[column].len())
            .fold(12, usize::max)
    };
    let (now_wide, then_wide) = (wide(1), wide(3));
    let mut lines: Vec<_> = cells
        .iter()
        .map(|[name, now, p_now, then, p_then]| {
            let line =
                format!("{name:<16}{now:>now_wide$}  {p_now:<12}{then:>then_wide$}  {p_then}");
            line.trim_end().to_string()
        })
        .collect();
    for added in &added {
        let (at, size) = (grouped(added.at), binary_size(added.m));
        lines.push(format!("memory grows by {size} at {about}item {at}"));
    }
    if more {
        lines.push("and so on".to_string());
    }
    let added = added.iter();
    let added = added.map(|added| object![("at", added.at), ("m", added.m)]);
    let rows: Vec<_> = rows.iter().map(Choice::object).collect();
    Ok(Some(Section {
        name: "grow",
        title: format!("grown to {} ({times} n)", counted(n, "item")),
        lines,
        data: object![
            ("n", n),
            ("rows", rows),
            ("added", added.collect::<Vec<_>>())
        ],
    }))
}

/// Parses `3x`, `+1M` or a number of items; returns the number of items to grow to.
fn later(text: &str, now: u64) -> Result<u64, InputError> {
    let flag = "--grow";
    let hint =
        "write a factor like 3x or 1.5x, more items like +1M, or a number of items like 150M";
    let text = text.trim_ascii();
    let items = if let Some(factor) = text.strip_suffix(['x', 'X', '×']) {
        let thousandths = values::scaled(factor, 3, 1_001..=1_000_000_000);
        let thousandths = thousandths.ok_or_else(|| {
            let rule = "must be a factor above 1, up to 1,000,000, with at most 3 decimals and no exponent";
            InputError::new(format!("{flag} {rule}, got {}", displayed(text))).with_hint(hint)
        })?;
        u128::from(now) * u128::from(thousandths) / 1000
    } else {
        let more = text.strip_prefix('+');
        let items = values::whole(more.unwrap_or(text), flag, 1..=u64::MAX);
        let items = items.map_err(|error| error.with_hint(hint))?;
        u128::from(items) + more.map_or(0, |_| now.into())
    };
    u64::try_from(items).map_err(|_| {
        let (most, got) = (grouped(u64::MAX), grouped(items));
        InputError::new(format!("{flag} must be at most {most} items, got {got}"))
    })
}

/// Returns the filters to compare, and the one among them that grows, if there is one.
fn choices(solution: &Solution, n: u64) -> (Vec<Choice>, Option<Solution>) {
    let now = solution.items;
    let grows = solution.memory_bits_with(now.saturating_add(1)).is_some();
    let own = if grows {
        "as it grows"
    } else {
        "sized for now"
    };
    let mut rows = vec![Choice::new(own, solution, now, n)];
    let mut growing = grows.then(|| solution.clone());
    if let (Some(rate), None) = (solution.asked.rate, solution.grown.as_ref()) {
        let then = sized_for(solution, n);
        let name = "sized for then";
        rows.push(match then {
            Some(then) => Choice::new(name, &then, now, n),
            None => Choice {
                name,
                now: None,
                then: None,
            },
        });
        let scalable = Query {
            items: Some(now.max(1)),
            hash_bits: solution.asked.hash_bits,
            rate: Some(rate),
            filter: Filter::scalable(now.max(1)),
            ..Query::default()
        };
        if !grows && let Ok(scalable) = scalable.solve() {
            rows.push(Choice::new("scalable", &scalable, now, n));
            growing = Some(scalable);
        }
    }
    (rows, growing)
}

impl Choice {
    fn new(name: &'static str, solution: &Solution, now: u64, then: u64) -> Self {
        let at = |items| State {
            m: bits(solution, items),
            range: solution.memory_range_with(items),
            p: if items == solution.items {
                solution.rate.value()
            } else {
                solution.rate_with(items).value()
            },
        };
        Self {
            name,
            now: Some(at(now)),
            then: solution.takes(then).then(|| at(then)),
        }
    }

    fn cells(&self, target: Option<f64>) -> [String; 5] {
        let rate = |p: f64| rate_up_to(4, p, p.ln(), None);
        let (m, p) = self.now.map_or_else(Default::default, |now| {
            (memory(now.m, now.range), rate(now.p))
        });
        let (later, after) = match self.then {
            Some(then) => {
                let over = target.is_some_and(|target| then.p > target);
                let verdict = if over { " not met" } else { "" };
                (memory(then.m, then.range), rate(then.p) + verdict)
            }
            None => ("refused".to_string(), String::new()),
        };
        [self.name.to_string(), m, p, later, after]
    }

    fn object(&self) -> Object {
        let state = |state: State| {
            let mut object = object![("m", state.m), ("p", state.p)];
            object.add_some("m_range", state.range.map(of_memory_range));
            Value::from(object)
        };
        let mut object = object![("name", self.name)];
        object.add_some("now", self.now.map(state));
        object.add_some("then", self.then.map(state));
        object
    }
}

/// Returns the memory in bits with this many items.
fn bits(solution: &Solution, items: u64) -> u128 {
    let grown = solution.memory_bits_with(items);
    grown.unwrap_or_else(|| solution.memory_bits())
}

/// Solves the question again for another number of items, with m and the set bits left out, and all else as asked.
pub(super) fn sized_for(solution: &Solution, items: u64) -> Option<Solution> {
    let query = Query {
        items: Some(items),
        bits: None,
        set_bits: None,
        ..solution.asked
    };
    query.solve().ok()
}

/// Returns the filters that are added after `now` items, up to `then` items, and whether more are added than are listed.
fn additions(solution: &Solution, now: u64, then: u64) -> (Vec<Added>, bool) {
    let (mut added, mut from) = (Vec::new(), now);
    loop {
        let before = bits(solution, from);
        let guess = from.saturating_mul(2);
        let ends = |items| !solution.takes(items) || bits(solution, items) > before;
        let found = first_true(from, then, guess, ends);
        let Some(at) = found.filter(|at| solution.takes(*at)) else {
            return (added, false);
        };
        if added.len() == LISTED {
            return (added, true);
        }
        added.push(Added {
            at,
            m: bits(solution, at) - before,
        });
        from = at;
    }
}
