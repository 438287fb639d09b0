//! Plans how many filters the command `verify` builds and how many lookups it makes in them, and estimates how long that takes.

use std::time::Duration;

use crate::answer::Solution;
use crate::error::InputError;
use crate::kind::filter::Filter;
use crate::read::options::options;
use crate::say::numbers::{grouped, nearest};
use crate::say::words::{dashed, rounded};

/// The fewest filters whose rates give a usable estimate of the spread between filters.
pub(super) const MIN: u64 = 30;
/// The insertions to aim for in all filters together, if the number of filters is not given.
const INSERTIONS: u64 = 20_000_000;
/// The most insertions and lookups in all filters together.
const MAX_WORK: u64 = 20_000_000_000;
/// The false positives to aim for: the standard error of their number is 0.7 %.
const HITS: f64 = 20_000.0;
/// The most lookups made to reach [`HITS`] false positives. At a low rate fewer false positives are accepted.
const LOOKUPS: f64 = 2e9;
/// The fewest false positives that are accepted: the standard error of their number is 3 %.
const MIN_HITS: f64 = 1_000.0;
/// The lowest rate that can be measured: at this rate, [`MAX_WORK`] / 2 lookups yield [`MIN_HITS`]
/// false positives.
const MIN_RATE: f64 = MIN_HITS / (MAX_WORK as f64 / 2.0);
/// From this many insertions and lookups on, the expected time is printed after the first filter.
const ANNOUNCED: u64 = 10_000_000;

/// How many filters are built, and how many lookups each gets.
pub(super) struct Plan {
    pub(super) filters: u64,
    pub(super) lookups: u64,
}

impl Plan {
    /// Makes a plan. `trials` is the number of filters, at least [`MIN`], if it is given. More filters than by default get as
    /// many lookups each as by default, so there are more lookups in all.
    pub(super) fn new(solution: &Solution, trials: Option<u64>) -> Result<Self, InputError> {
        let (n, p) = (solution.items, solution.ideal.value());
        let refuse = |reason: String, hint: String| Err(InputError::new(reason).with_hint(hint));
        if n == 0 {
            return refuse(
                "a filter of no items has no false positives to measure".to_string(),
                "ask for a larger m or p".to_string(),
            );
        }
        if p < MIN_RATE {
            return refuse(
                format!(
                    "p = {} is too low to measure: {} lookups, the maximum, would give \
                     fewer than {} false positives",
                    rounded(solution.ideal),
                    grouped(MAX_WORK / 2),
                    grouped(MIN_HITS as u64)
                ),
                format!("{} is the lowest p that is measured", nearest(MIN_RATE, 3)),
            );
        }
        let usual = (INSERTIONS / n).clamp(MIN, 1_000);
        let in_all = (HITS / p).min(LOOKUPS.max(MIN_HITS / p));
        let filters = trials.unwrap_or(usual);
        // With few trials each filter gets more lookups, so that there are enough false positives
        // for their number to be approximately normal.
        let each = (in_all / usual as f64).max(MIN_HITS / p / filters as f64);
        let plan = Self {
            filters,
            lookups: each.ceil() as u64,
        };
        if plan.work(n) <= MAX_WORK.into() {
            return Ok(plan);
        }
        let fit = MAX_WORK / n.saturating_add(plan.lookups);
        let hint = match trials {
            Some(_) if fit >= MIN => format!("--trials {fit} is the most for this size and p"),
            _ => scaled_down(solution),
        };
        refuse(
            format!(
                "{} filters of n = {} at p = {} need {} insertions and lookups, and the maximum is {}",
                grouped(plan.filters),
                grouped(n),
                nearest(p, 3),
                nearest(plan.work(n) as f64, 3),
                grouped(MAX_WORK)
            ),
            hint,
        )
    }

    /// Returns the insertions and lookups in all filters of `items` items.
    fn work(&self, items: u64) -> u128 {
        u128::from(self.filters) * (u128::from(items) + u128::from(self.lookups))
    }

    /// Returns whether the expected time is printed after the first filter.
    pub(super) fn is_long(&self, items: u64) -> bool {
        self.work(items) >= ANNOUNCED.into()
    }

    /// Returns a text with the numbers of filters, insertions and lookups, and with the time for all, estimated from the time
    /// that the first filter took.
    pub(super) fn announcement(&self, items: u64, size: &str, first: Duration) -> String {
        let work = self.work(items);
        let seconds = first.as_secs_f64() * self.filters as f64;
        let time = match seconds {
            _ if seconds < 1.0 => "a second".to_string(),
            _ if seconds < 100.0 => format!("{} s", seconds.ceil()),
            _ if seconds < 6000.0 => format!("{} min", (seconds / 60.0).ceil()),
            _ => format!("{} h", (seconds / 3600.0).ceil()),
        };
        format!(
            "{} filters, one after the other, of {size}; {} insertions and lookups: about {time}",
            grouped(self.filters),
            nearest(work as f64, 3),
        )
    }
}

/// Returns a hint: the command for a filter of the same m/n and k with at most 10,000 items, which is quick to measure. For a
/// scalable filter, the hint is only to ask for fewer items.
pub(super) fn scaled_down(solution: &Solution) -> String {
    let n = solution.items.clamp(1, 10_000);
    let m = (solution.bits as f64 / solution.items.max(1) as f64 * n as f64).round() as u64;
    let filter = solution.layout();
    let m = m.max(1).next_multiple_of(filter.unit());
    let mut flags = format!("--n {n} --m {m}");
    match filter {
        Filter::Scalable { .. } => return "ask for fewer items".to_string(),
        filter if filter.fixed_hashes().is_some() => {}
        _ => flags += &format!(" --k {}", solution.hashes),
    }
    if filter != Filter::Classic {
        flags += &format!(" --filter {}", filter.name());
    }
    for (option, value) in options(filter) {
        flags += &format!(" {} {value}", dashed(option));
    }
    format!("the same m/n and k, scaled down: bloom-params verify {flags}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Query;

    fn plan(items: u64, rate: f64, trials: Option<u64>) -> Plan {
        let query = Query {
            items: Some(items),
            rate: Some(rate),
            ..Query::default()
        };
        let plan = Plan::new(&query.solve().unwrap(), trials);
        plan.unwrap_or_else(|error| panic!("{items} {rate}: {error}"))
    }

    #[test]
    fn more_trials_make_as_many_lookups_in_each_filter() {
        let usual = plan(1_000, 0.01, None);
        assert_eq!(usual.filters, 1_000);
        for trials in [50, 100, 1_000, 100_000] {
            let more = plan(1_000, 0.01, Some(trials));
            assert_eq!((more.filters, more.lookups), (trials, usual.lookups));
        }
    }

    #[test]
    fn a_low_rate_gets_fewer_hits_but_enough() {
        let hits = |rate| {
            let plan = plan(1_000, rate, None);
            plan.filters as f64 * plan.lookups as f64 * rate
        };
        assert!((hits(1e-3) / 20_000.0 - 1.0).abs() < 0.01);
        assert!((hits(1e-6) / 2_000.0 - 1.0).abs() < 0.01);
        assert!((hits(1.1e-7) / 1_000.0 - 1.0).abs() < 0.01);
        let few = plan(1_000, 0.01, Some(30));
        assert!(30.0 * few.lookups as f64 * 0.01 >= 1_000.0);
    }

    #[test]
    fn a_long_run_is_announced_with_its_time_and_memory() {
        let plan = plan(1_000, 1e-6, None);
        let announced = |millis| {
            plan.announcement(
                1_000,
                "3,600 bytes (3.52 KiB)",
                Duration::from_millis(millis),
            )
        };
        let start = "1,000 filters, one after the other, of 3,600 bytes (3.52 KiB); ";
        assert_eq!(
            announced(12),
            format!("{start}2,000,000,000 insertions and lookups: about 12 s")
        );
        assert!(announced(0).ends_with("about a second"));
        assert!(announced(1_000).ends_with("about 17 min"));
        assert!(announced(20_000).ends_with("about 6 h"));
        // If the first of 1,000 filters takes 1 ms, 100 ms or 6 s, all take 1 s, 100 s or 100 min.
        assert!(announced(1).ends_with("about 1 s"));
        assert!(announced(100).ends_with("about 2 min"));
        assert!(announced(6_000).ends_with("about 2 h"));
        let least = |lookups| Plan {
            filters: 1_000,
            lookups,
        };
        assert!(least(9_000).is_long(1_000) && !least(8_999).is_long(1_000));
        assert!(!super::tests::plan(1_000, 0.01, None).is_long(1_000));
    }
}
