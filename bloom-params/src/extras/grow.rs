//! The data of `--grow`: the rate and the memory now and later, for filters sized for either number of items.

use std::fmt;

use bloom_core::math::first_true;

use crate::error::InputError;
use crate::filters::Filter;
use crate::flag;
use crate::numbers::grouped;
use crate::query::Query;
use crate::solution::Solution;
use crate::units::echo;

/// The filters added one by one that are listed.
const LISTED: usize = 8;

/// How many items there will be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Later {
    /// This many.
    Items(u64),
    /// This many thousandths of the items now.
    Thousandths(u64),
    /// This many more than now.
    More(u64),
}

impl fmt::Display for Later {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Items(items) => write!(f, "{items}"),
            Self::More(items) => write!(f, "+{items}"),
            Self::Thousandths(times) => write!(f, "{}x", *times as f64 / 1000.0),
        }
    }
}

/// Rates and memory as the items grow.
#[derive(Debug, Clone)]
pub(crate) struct Grow {
    /// The items then.
    pub(crate) n: u64,
    pub(crate) rows: Vec<Choice>,
    /// What is added to the one that grows, in order; at most the first few.
    pub(crate) added: Vec<Added>,
    /// Whether more are added; for people.
    pub(crate) more: bool,
}

/// A filter that could be built now.
#[derive(Debug, Clone)]
pub(crate) struct Choice {
    pub(crate) name: &'static str,
    pub(crate) now: State,
    /// `None` if it refuses that many items.
    pub(crate) then: Option<State>,
}

/// The memory in bits, and the rate.
#[derive(Debug, Clone, Copy)]
pub(crate) struct State {
    pub(crate) m: u128,
    pub(crate) p: f64,
}

/// A filter that is added when the ones before it are full.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Added {
    /// The item that adds it.
    pub(crate) at: u64,
    /// Its bits.
    pub(crate) m: u128,
}

/// Parses `3x`, `+1M` or a number of items.
pub(super) fn later(text: &str) -> Result<Later, InputError> {
    let flag = "--grow";
    let hint =
        "write a factor like 3x or 1.5x, more items like +1M, or a number of items like 150M";
    let text = text.trim_ascii();
    let Some(factor) = text.strip_suffix(['x', 'X', '×']) else {
        let more = text.strip_prefix('+');
        let items = flag::whole(more.unwrap_or(text), flag, 1..=u64::MAX);
        let items = items.map_err(|error| error.with_hint(hint))?;
        return Ok(more.map_or(Later::Items(items), |_| Later::More(items)));
    };
    let thousandths = flag::scaled(factor, 3, 1_001..=1_000_000_000);
    thousandths.map(Later::Thousandths).ok_or_else(|| {
        let got = echo(text);
        let rule = "must be a factor above 1, up to 1,000,000 and with at most 3 decimals";
        InputError::new(format!("{flag} {rule}, got {got}")).with_hint(hint)
    })
}

impl Grow {
    /// Sizes the filters for the items now and later.
    pub(super) fn new(solution: &Solution, later: Later) -> Result<Self, InputError> {
        let now = solution.items;
        let items = match later {
            Later::Items(items) => items.into(),
            Later::More(items) => u128::from(now) + u128::from(items),
            Later::Thousandths(times) => u128::from(now) * u128::from(times) / 1000,
        };
        let n = u64::try_from(items).map_err(|_| {
            let (most, got) = (grouped(u64::MAX), grouped(items));
            InputError::new(format!("--grow must be at most {most} items, got {got}"))
        })?;
        if n <= now {
            let (now, got) = (grouped(now), grouped(n));
            return Err(InputError::new(format!(
                "--grow must be more than the items now, {now}, got {got}"
            ))
            .with_hint("write a factor like 3x, or a larger number of items"));
        }
        let grows = solution.memory_bits_with(now.saturating_add(1)).is_some();
        let own = if grows {
            "as it grows"
        } else {
            "sized for now"
        };
        let mut rows = vec![Choice::new(own, solution, now, n)];
        let mut growing = grows.then(|| solution.clone());
        let filter = solution.asked.filter;
        if let (Some(rate), false) = (
            solution.asked.rate,
            matches!(filter, Filter::Scalable { .. }),
        ) {
            let then = sized_for(solution, n);
            rows.extend(then.map(|then| Choice::new("sized for then", &then, now, n)));
            let scalable = Query {
                items: Some(now.max(1)),
                hash_bits: solution.asked.hash_bits,
                rate: Some(rate),
                filter: Filter::Scalable {
                    initial: now.max(1),
                    growth: 2,
                    tightening: 0.85,
                },
                ..Query::default()
            };
            if !grows && let Ok(scalable) = scalable.solve() {
                rows.push(Choice::new("scalable", &scalable, now, n));
                growing = Some(scalable);
            }
        }
        let (mut added, mut more) = (Vec::new(), false);
        if let Some(growing) = growing {
            (added, more) = additions(&growing, now, n);
        }
        Ok(Self {
            n,
            rows,
            added,
            more,
        })
    }
}

impl Choice {
    fn new(name: &'static str, solution: &Solution, now: u64, then: u64) -> Self {
        let at = |items| State {
            m: memory(solution, items),
            p: if items == solution.items {
                solution.rate.value()
            } else {
                solution.rate_with(items).value()
            },
        };
        Self {
            name,
            now: at(now),
            then: solution.takes(then).then(|| at(then)),
        }
    }
}

/// Returns the bits with this many items.
fn memory(solution: &Solution, items: u64) -> u128 {
    let grown = solution.memory_bits_with(items);
    grown.unwrap_or_else(|| solution.memory_bits())
}

/// Returns the filter of the same question for more items.
pub(super) fn sized_for(solution: &Solution, items: u64) -> Option<Solution> {
    let query = Query {
        items: Some(items),
        bits: None,
        ..solution.asked
    };
    match &solution.like {
        Some(like) => query.solve_like(like.system).ok(),
        None => query.solve().ok(),
    }
}

/// Returns what is added after `now` items, up to `then`, and whether more than that is.
fn additions(solution: &Solution, now: u64, then: u64) -> (Vec<Added>, bool) {
    let (mut added, mut from) = (Vec::new(), now);
    loop {
        let before = memory(solution, from);
        let guess = from.saturating_mul(2);
        let ends = |items| !solution.takes(items) || memory(solution, items) > before;
        let found = first_true(from, then, guess, ends);
        let Some(at) = found.filter(|at| solution.takes(*at)) else {
            return (added, false);
        };
        if added.len() == LISTED {
            return (added, true);
        }
        added.push(Added {
            at,
            m: memory(solution, at) - before,
        });
        from = at;
    }
}
