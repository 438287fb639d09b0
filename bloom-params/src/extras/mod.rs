//! Optional sections of an answer: overfilling, growth, unions, spread, hash width, lookups.

mod grow;

use bloom_core::math::{first_true, hash_floor, share_above};

use crate::error::InputError;
use crate::flag;
#[cfg(feature = "cli")]
use crate::json::Object;
use crate::numbers::grouped;
use crate::query::QueryError;
use crate::read::typed::{Answer, Typed};
use crate::solution::Solution;
use grow::Later;
pub(crate) use grow::{Grow, State};

/// The optional sections that were requested.
#[derive(Debug, Clone, Default)]
pub(crate) struct Extras {
    pub(crate) overfill: Option<Overfill>,
    pub(crate) grow: Option<Grow>,
    pub(crate) union: Option<Union>,
    pub(crate) spread: Option<Spread>,
    pub(crate) hash_bits: Option<HashBits>,
    pub(crate) lookups: Option<Lookups>,
}

/// The rate beyond the expected items.
#[derive(Debug, Clone)]
pub(crate) struct Overfill {
    pub(crate) rows: Vec<Overfilled>,
    /// The fewest items with at least twice the rate.
    pub(crate) twice: Option<u64>,
}

/// The rate with a multiple of the items.
#[derive(Debug, Clone)]
pub(crate) struct Overfilled {
    pub(crate) times: f64,
    pub(crate) n: u64,
    pub(crate) p: f64,
    /// The memory in bits at that number of items, for filters that grow.
    pub(crate) m: Option<u128>,
}

/// The union of full filters, none of whose items are alike.
#[derive(Debug, Clone)]
pub(crate) struct Union {
    pub(crate) filters: u64,
    /// The items of all.
    pub(crate) n: u64,
    pub(crate) p: f64,
    /// The bits with which each filter would keep the rate asked for after the union.
    pub(crate) m: Option<u128>,
}

/// The spread of the rate between single filters.
#[derive(Debug, Clone)]
pub(crate) struct Spread {
    /// The rate that single filters are compared with: the target, or else the mean.
    pub(crate) of: f64,
    pub(crate) sd: f64,
    /// The share of filters above it.
    pub(crate) above: f64,
}

/// The effect of a finite hash width.
#[derive(Debug, Clone)]
pub(crate) struct HashBits {
    pub(crate) w: u32,
    pub(crate) floor: f64,
    pub(crate) p: f64,
    /// The rate of the filter with ideal hashes.
    pub(crate) ideal_p: f64,
}

/// The expected results of Q lookups.
#[derive(Debug, Clone)]
pub(crate) struct Lookups {
    pub(crate) q: u64,
    pub(crate) prevalence: Option<f64>,
    pub(crate) false_hits: f64,
    /// The probability that there is no false hit.
    pub(crate) none: f64,
    /// The probability that a positive answer is true.
    pub(crate) yes_is_true: Option<f64>,
}

/// The items for which the rate is printed, in percent of n.
const PERCENTS: [u16; 8] = [100, 110, 125, 150, 200, 300, 500, 1000];

/// The parsed flags.
pub(crate) struct Asked {
    overfill: bool,
    grow: Option<Later>,
    union: Option<u64>,
    spread: bool,
    lookups: Option<(u64, Option<f64>)>,
}

impl Asked {
    /// Parses the values before anything is solved.
    pub(crate) fn read(typed: &Typed) -> Result<Self, InputError> {
        let whole = |key, flag, low| {
            let range = low..=u64::MAX;
            typed.read(key, |text| flag::whole(text, flag, range))
        };
        let lookups = whole("lookups", "--lookups", 1)?;
        let prevalence = typed.read("prevalence", |text| {
            flag::share(text, "--prevalence", "1% or 0.01")
        })?;
        Ok(Self {
            overfill: typed.has("overfill"),
            grow: typed.read("grow", grow::later)?,
            union: whole("union", "--union", 2)?,
            spread: typed.has("spread"),
            lookups: lookups.map(|lookups| (lookups, prevalence)),
        })
    }

    /// Returns the flags as a link has them; the page that it opens always shows `--overfill`.
    #[cfg(feature = "cli")]
    pub(crate) fn given(&self) -> Object {
        let (lookups, prevalence) = self.lookups.unzip();
        let mut given = Object::default();
        given.add_some("grow", self.grow.map(|later| later.to_string()));
        given.add_some("union", self.union);
        given.add_some("spread", self.spread.then_some(true));
        given.add_some("lookups", lookups);
        given.add_some("prevalence", prevalence.flatten());
        given
    }

    /// Computes the requested sections; without a size only p is known.
    pub(crate) fn of(&self, answer: &Answer) -> Result<Extras, InputError> {
        let (solution, p) = match answer {
            Answer::Sized(solution) => (Some(solution), solution.rate.value()),
            Answer::PerItem(each) => (None, each.rate),
        };
        let sized = |option| solution.ok_or(QueryError::NeedsSize { option });
        let mut extras = Extras::default();
        if self.overfill {
            extras.overfill = Some(overfill(sized("--overfill")?)?);
        }
        if let Some(later) = self.grow {
            extras.grow = Some(Grow::new(sized("--grow")?, later)?);
        }
        if let Some(filters) = self.union {
            extras.union = Some(union(sized("--union")?, filters)?);
        }
        if self.spread {
            extras.spread = Some(spread(sized("--spread")?)?);
        }
        if let Some((solution, w)) = solution.and_then(|it| Some((it, it.asked.hash_bits?))) {
            let floor = hash_floor(solution.items, w).map_err(QueryError::from)?;
            let ideal_p = solution.ideal_rate().value();
            extras.hash_bits = Some(HashBits {
                w,
                floor,
                p,
                ideal_p,
            });
        }
        extras.lookups = self.lookups.map(|(q, share)| lookups(p, q, share));
        Ok(extras)
    }
}

fn overfill(solution: &Solution) -> Result<Overfill, InputError> {
    if !solution.takes(solution.items.saturating_add(1)) {
        let like = solution.like.as_ref();
        return Err(InputError::new(format!(
            "{} takes no more than n items, so --overfill has nothing to show",
            like.map_or("the filter", |like| like.system.name)
        )));
    }
    let items = solution.items;
    let mut rows: Vec<Overfilled> = Vec::new();
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
        // At its own n the answer already has the rate to the last digit.
        let rate = if n == items { solution.rate } else { rate };
        rows.push(Overfilled {
            times: f64::from(percent) / 100.0,
            n,
            p: rate.value(),
            m: grows.then(|| solution.memory_bits_with(n).unwrap_or(own)),
        });
    }
    let twice = doubled(solution);
    Ok(Overfill { rows, twice })
}

/// Returns the fewest items with at least twice the rate.
fn doubled(solution: &Solution) -> Option<u64> {
    let items = solution.items;
    let doubled = solution.rate.ln() + std::f64::consts::LN_2;
    let reaches = |n| !solution.takes(n) || solution.rate_with(n).ln() >= doubled;
    let twice = (items > 0 && doubled < 0.0)
        .then(|| first_true(items, u64::MAX, items.saturating_add(items / 8), reaches));
    twice.flatten().filter(|n| solution.takes(*n))
}

fn union(solution: &Solution, filters: u64) -> Result<Union, InputError> {
    let items = solution.items;
    if solution.memory_bits_with(items.saturating_add(1)).is_some() {
        let message = "--union is for filters of one size, and this one grows";
        return Err(InputError::new(message));
    }
    let n = items.checked_mul(filters).ok_or_else(|| {
        let (most, got) = (
            grouped(u64::MAX),
            grouped(u128::from(items) * u128::from(filters)),
        );
        InputError::new(format!(
            "--union must have at most {most} items in all, got {got}"
        ))
    })?;
    let enough = solution
        .asked
        .rate
        .and_then(|_| grow::sized_for(solution, n));
    let m = enough.and_then(|enough| match enough.met {
        Some(false) => Some(enough.call()?.pass?.bits.into()),
        _ => Some(enough.memory_bits()),
    });
    Ok(Union {
        filters,
        n,
        p: solution.rate_with(n).value(),
        m,
    })
}

fn spread(solution: &Solution) -> Result<Spread, QueryError> {
    if solution.is_double_hashed() || solution.asked.hash_bits.is_some() {
        return Err(QueryError::SpreadOfIdealHashes);
    }
    let Some(sd) = solution.rate_deviation() else {
        return Err(QueryError::NotOfFilter {
            option: "spread",
            filter: solution.asked.filter,
            owners: "classic and counting",
        });
    };
    let mean = solution.exact_rate();
    if solution.items > 0 && mean.value() < f64::MIN_POSITIVE {
        return Err(QueryError::RateTooLow {
            option: "--spread",
            rate: mean,
        });
    }
    let of = solution.asked.rate.unwrap_or(mean.value());
    let (n, m, k) = (solution.items, solution.bits, solution.hashes);
    let above = if of < 1.0 {
        share_above(n, m, k, of)?
    } else {
        0.0
    };
    Ok(Spread { of, sd, above })
}

fn lookups(p: f64, q: u64, prevalence: Option<f64>) -> Lookups {
    let present = prevalence.unwrap_or(0.0);
    let absent = q as f64 * (1.0 - present);
    Lookups {
        q,
        prevalence,
        false_hits: absent * p,
        none: libm::exp(absent * libm::log1p(-p)),
        yes_is_true: prevalence.map(|f| f / (f + (1.0 - f) * p)),
    }
}
