//! The setting of a check: the number of items and the rate that its filters are built for. The functions here build such
//! filters, fill them and compare them.

use std::ops::Range;

use super::Examination;
use super::by_number::ByNumber;
use super::caught::caught;
use crate::item::Kind;
use crate::subject::{Candidate, Subject};

/// The number of queries for items that were not inserted (absent items).
pub(super) const ABSENT: u64 = 20_000;

/// The items and the rate that filters are built for.
pub(super) struct Setting<F: Candidate> {
    kind: Kind<F::Item>,
    pub(super) items: u64,
    rate: f64,
    /// Whether equal arguments give equal filters. If each filter has a random seed, two of them cannot be compared.
    pub(super) repeats: bool,
}

impl<F: Candidate> Examination<F> {
    /// Returns whether equal arguments give equal filters.
    pub(super) fn is_repeatable(&self) -> bool {
        let setting = self.setting(self.sizes[0], self.rates[0], false);
        let queried = setting.items..setting.items + ABSENT;
        let seen = || Ok::<_, String>(setting.filled(0..setting.items)?.seen(queried.clone()));
        caught(|| seen()?.check_equal(&seen()?)).is_ok()
    }

    pub(super) fn setting(&self, items: u64, rate: f64, repeats: bool) -> Setting<F> {
        Setting {
            kind: self.random().clone(),
            items,
            rate,
            repeats,
        }
    }
}

impl<F: Candidate> Setting<F> {
    /// Returns the number of items that some operations are tried with: the expected items. A filter that grows gets eight
    /// times as many, but no more than 2^18 unless more are expected, so that it has grown several times.
    pub(super) fn load(&self) -> u64 {
        if F::grows() {
            self.items.max(self.items.saturating_mul(8).min(1 << 18))
        } else {
            self.items
        }
    }

    pub(super) fn empty(&self) -> Result<ByNumber<F>, String> {
        Examination::<F>::build(&self.kind, self.items, self.rate)
    }

    pub(super) fn filled(&self, numbers: Range<u64>) -> Result<ByNumber<F>, String> {
        let mut filter = self.empty()?;
        filter.fill(numbers)?;
        Ok(filter)
    }

    /// Returns five filters that a full filter of this setting may refuse to be combined with. Three of them are built for the
    /// items and rate of this setting, but the items of both filters together exceed the capacity. The fourth is built for
    /// twice the items, and the fifth for half the rate. Each is filled with the same number of items, and no two filters share
    /// an item.
    pub(super) fn others(&self) -> impl Iterator<Item = Result<ByNumber<F>, String>> {
        let (items, rate) = (self.items, self.rate);
        let alike = [(items, rate); 3].into_iter();
        let built_for = alike.chain([(2 * items, rate), (items, rate / 2.0)]);
        built_for
            .enumerate()
            .map(move |(number, (expected, rate))| {
                let mut other = Examination::<F>::build(&self.kind, expected, rate)?;
                let first = (number as u64 + 1) * items;
                other.fill(first..first + items)?;
                Ok(other)
            })
    }

    /// Checks what a filter with `held` different items reports about itself. The reported rate is compared with queries for
    /// absent items, from number `absent` on, and the estimated number of items with `held`.
    pub(super) fn check_reports(
        &self,
        filter: &ByNumber<F>,
        held: u64,
        absent: u64,
    ) -> Result<(), String> {
        filter.check_own_rate(absent..absent + ABSENT)?;
        match filter.estimated_items() {
            Some(estimate) if !is_near(estimate, held, self.rate) => Err(format!(
                "estimates {estimate:.1} items, and holds {held} different ones"
            )),
            _ => Ok(()),
        }
    }

    /// Checks what a filter with these items reports (see `check_reports`), and that it does not find far more absent items
    /// than a new filter into which the same items are inserted.
    pub(super) fn check_hits(
        &self,
        filter: &ByNumber<F>,
        held: Range<u64>,
        absent: u64,
    ) -> Result<(), String> {
        self.check_reports(filter, held.end - held.start, absent)?;
        let queried = absent..absent + ABSENT;
        let new = self.filled(held)?;
        let (seen, due) = (filter.hits(queried.clone()), new.hits(queried));
        if is_far_above(self.items, seen, due) {
            return Err(format!(
                "finds {seen} of {ABSENT} absent items, and a new filter {due}"
            ));
        }
        Ok(())
    }
}

/// Returns whether a filter finds far more absent items than the number `due` that a new filter finds. The rates of two filters
/// for the same thousand items or more differ by a few percent, so an excess of 30 % and eight standard deviations of the count
/// is not due to chance. The rates of smaller filters differ more, so the answer is `false` for them.
pub(super) fn is_far_above(items: u64, seen: u64, due: u64) -> bool {
    let due = due as f64;
    items >= 1_000 && seen as f64 > 1.3 * due + 8.0 * (due + 1.0).sqrt()
}

/// Returns whether a single filter of this rate, with n items, may give this estimate of n. The estimate may be off by
/// [`tolerance`], which is for the mean of several estimates, plus 8 sqrt(n).
///
/// ```text
/// deviation of the estimate = sqrt(n (e^t - 1 - t) / (k t)),  t = k n / m
/// ```
///
/// In a filter of the usual size, this standard deviation is below 0.67 sqrt(n) with the expected items, and below 1.1 sqrt(n)
/// with twice as many. Source: Whang, Vander-Zanden and Taylor (1990), *A linear-time probabilistic counting algorithm*, for
/// the k n positions of n items.
fn is_near(estimate: f64, items: u64, rate: f64) -> bool {
    let items = items as f64;
    (estimate - items).abs() <= tolerance(items, rate) + 8.0 * items.sqrt()
}

/// Returns how far the mean of several filters' estimates may be from the number of items. The tolerance is 5 % of the items. A
/// filter may estimate by counting insertions of new items, and then misses items that are false positives when they are
/// inserted, so the share `rate` of the items is added. One item more is allowed, because it is a large share of few items.
pub(super) fn tolerance(items: f64, rate: f64) -> f64 {
    (0.05 + rate) * items + 1.0
}
