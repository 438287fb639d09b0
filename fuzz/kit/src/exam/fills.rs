//! Fills filters, some of them with more items than they are built for, and queries each filter for everything that was
//! inserted.

use bloom_core::math::measured::{Band, single_filter_slack};

use super::by_number::ByNumber;
use super::caught::caught;
use super::rates::{POWER, percent};
use super::{ALARM, Examination, Outcome, Report, SMALL};
use crate::item::Kind;
use crate::subject::{Candidate, Subject};

/// How often one item is inserted: more often than a counter of 16 bits can count.
const REPETITIONS: u32 = 70_000;
/// How often the same item is inserted after that, in one batch.
const BATCH: usize = 300;
/// The number of items of a full filter that are inserted a second time: none of them may be reported as new.
const AGAIN: u64 = 1_000;
/// The maximum number of items of the single large filter, unless the caller sets a greater size. With this many items and the
/// lowest default rate, positions take more than 24 bits, which an `f32` cannot hold exactly, and hashes of 32 bits would give
/// a rate 240 times as high as requested.
const LARGE: u64 = 1 << 20;
/// The filter whose positions take more than 32 bits: the number of inserted items, the number of expected items, and the rate.
const BEYOND_32_BITS: (u64, u64, f64) = (1 << 24, 460_000_000, 0.01);

impl<F: Candidate> Examination<F> {
    pub(super) fn fill(&self, report: &mut Report) {
        let (rate, random) = (self.rates[0], self.random());
        for kind in &self.kinds {
            let outcome = self
                .at_settings(|items, rate| Self::check_filled(kind, items, rate, items).map(drop));
            report.add("every item found", kind.name(), outcome);
        }
        let outcome = Self::outcome(1, rate, || Self::check_small(random));
        report.add("every item found", "1 to 130 items", outcome);
        let most = self.sizes.iter().copied().fold(0, u64::max);
        let least_rate = self.rates.iter().copied().fold(1.0, f64::min);
        let items = most.max(LARGE.min(8 * most));
        self.fill_large(report, items, (items, least_rate));
        if self.beyond_32_bits {
            let (items, expected, rate) = BEYOND_32_BITS;
            self.fill_large(report, items, (expected, rate));
        }
        let outcome = Self::outcome(SMALL, rate, || self.check_each_insertion(SMALL, rate));
        report.add("over capacity", "one by one", outcome);
        for expected in [1, 1_000] {
            let outcome = Self::outcome(expected, rate, || {
                let mut filter = Self::build(random, expected, rate)?;
                let taken = (0..most).filter(|item| filter.insert(item).is_accepted());
                let taken: Vec<u64> = taken.collect();
                filter.check_found(taken.iter().copied())?;
                Ok(format!("{} of {most} taken", taken.len()))
            });
            report.add("over capacity", format!("{expected} expected"), outcome);
        }
        // So many items are expected that a filter which counts its insertions does not refuse the repeated ones.
        let expected = 2 * u64::from(REPETITIONS);
        let outcome = Self::outcome(expected, rate, || self.check_repeated(expected, rate));
        report.add("repeated insertion", "", outcome);
    }

    /// Fills a single filter with `items` items, and measures its rate. The filter may be built for far more items, and it may
    /// refuse to be built for so many.
    fn fill_large(&self, report: &mut Report, items: u64, built_for: (u64, f64)) {
        let ((expected, rate), random) = (built_for, self.random());
        let mut case = format!(
            "{expected} {}, {}, one filter",
            random.name(),
            percent(rate)
        );
        if items != expected {
            case += &format!(", holding {items}");
        }
        if Self::is_refused(expected, rate) {
            report.add(
                "every item found",
                case,
                Outcome::Holds("refused".to_owned()),
            );
            return;
        }
        let mut filled = None;
        let outcome = Self::outcome(expected, rate, || {
            filled = Some(Self::check_filled(random, expected, rate, items)?);
            Ok(String::new())
        });
        report.add("every item found", case.clone(), outcome);
        let Some(filter) = filled else {
            return;
        };
        let absent = items..items + items.min(LARGE);
        let outcome = Self::outcome(expected, rate, || {
            let queries = absent.end - absent.start;
            let hits = filter.hits(absent.clone());
            let slack = single_filter_slack(expected, rate, ALARM).expect("a rate");
            let most = (slack * rate).min(1.0);
            let band = Band::new(queries, 0.0, most, 2.0 * ALARM).expect("a rate");
            if !band.contains(hits) {
                return Err(format!("finds {hits} of {queries} absent items"));
            }
            let noticed = percent(band.detects_from(POWER.0));
            Ok(format!("{hits} of {queries}; {noticed} would be noticed"))
        });
        report.add("target rate", case.clone(), outcome);
        if filter.predicted_rate().is_some() {
            let check = || filter.check_own_rate(absent).map(|()| String::new());
            report.add("predicted rate", case, Self::outcome(expected, rate, check));
        }
    }

    /// Fills a filter, which must accept the items and find them, and returns this filter.
    fn check_filled(
        kind: &Kind<F::Item>,
        expected: u64,
        rate: f64,
        items: u64,
    ) -> Result<ByNumber<F>, String> {
        let run = |items: u64| {
            let mut filter = Self::build(kind, expected, rate)?;
            filter.fill(0..items)?;
            filter.check_found(0..items)?;
            (0..items.min(AGAIN)).try_for_each(|item| filter.insert_checked(item).map(drop))?;
            Ok(filter)
        };
        let run = |items| caught(|| run(items));
        let mut why = match run(items) {
            Ok(filter) => return Ok(filter),
            Err(why) => why,
        };
        // A binary search finds the smallest number of items with which the check fails. It assumes that the check also fails
        // with any larger number.
        let (mut passes, mut fails) = (0, items);
        while passes + 1 < fails {
            let middle = passes.midpoint(fails);
            match run(middle) {
                Ok(_) => passes = middle,
                Err(error) => (fails, why) = (middle, error),
            }
        }
        Err(format!("insert {} 0..{fails}: {why}", kind.name()))
    }

    /// Fills filters for every number of items from 1 to 130, with few and with many hashes.
    fn check_small(kind: &Kind<F::Item>) -> Result<String, String> {
        let rates = [0.5, 0.01, 1e-6];
        let mut refused = 0;
        for (items, rate) in (1..=130).flat_map(|items| rates.map(|rate| (items, rate))) {
            if caught(|| F::with_rate(items, rate)).is_err() {
                refused += 1;
                continue;
            }
            let filled = Self::check_filled(kind, items, rate, items);
            filled.map_err(|why| format!("with_rate({items}, {rate}): {why}"))?;
        }
        Ok(format!("at {rates:?}, {refused} filters refused"))
    }

    /// After every insertion, a small filter must find all items that it has accepted, even if it is over capacity. If it
    /// refuses an item, the refusal must not change it.
    fn check_each_insertion(&self, items: u64, rate: f64) -> Result<String, String> {
        let most = 10 * items;
        let mut filter = Self::build(self.random(), items, rate)?;
        let (mut taken, mut refused) = (Vec::new(), false);
        for item in 0..most {
            if filter.insert(&item).is_accepted() {
                taken.push(item);
            } else if !refused {
                // The state of the filter before the first refusal was not recorded. So the item is inserted again, and the
                // states before and after this second refusal are compared.
                refused = true;
                let before = filter.seen(0..2 * most);
                if !filter.insert(&item).is_accepted() {
                    let alike = filter.seen(0..2 * most).check_equal(&before);
                    alike.map_err(|error| format!("item {item} is refused: {error}"))?;
                }
            }
            if let Some(lost) = taken.iter().find(|taken| !filter.contains(taken)) {
                return Err(format!("item {lost} is lost as item {item} is inserted"));
            }
        }
        Ok(format!(
            "{} of {most} taken where {items} are expected",
            taken.len()
        ))
    }

    /// An item that is inserted very often must be found, must count once in the estimated number of items, and must not make
    /// other items disappear. This must also hold after a merge. After all insertions of the item but one are removed, the item
    /// and the others must still be found.
    fn check_repeated(&self, expected: u64, rate: f64) -> Result<String, String> {
        let neighbours = 1..SMALL;
        let setting = self.setting(expected, rate, self.is_repeatable());
        let mut filter = setting.empty()?;
        filter.fill(neighbours.clone())?;
        let mut inside = 0;
        for time in 1..=REPETITIONS {
            inside += u32::from(filter.insert(&0).is_accepted());
            if inside > 0 && !filter.contains(&0) {
                return Err(format!(
                    "item 0 is lost as it is inserted for the {time}th time"
                ));
            }
        }
        if filter.insert_many(&[&0; BATCH]) == Some(Ok(())) {
            inside += BATCH as u32;
        }
        filter.check_found(neighbours.clone())?;
        setting.check_reports(&filter, SMALL, expected)?;
        let mut other = setting.empty()?;
        other.insert(&0);
        if setting.repeats && other.merge(&filter) == Some(Ok(())) {
            let when = |error| format!("merged after {inside} insertions of item 0: {error}");
            other.check_found(0..SMALL).map_err(when)?;
            let reports = setting.check_reports(&other, SMALL, expected);
            reports.map_err(when)?;
        }
        for removed in 1..inside {
            if filter.remove(&0).is_none() {
                break;
            }
            if !filter.contains(&0) {
                return Err(format!(
                    "item 0, inserted {inside} times, is lost by removal {removed}"
                ));
            }
        }
        let found = filter.check_found(neighbours);
        found.map_err(|error| format!("after insertions and removals of item 0: {error}"))?;
        Ok(format!("{REPETITIONS} times"))
    }
}
