//! Examines any filter, and reports for each promise (what a filter should do, such as find every inserted item) that it holds,
//! or the smallest case that breaks it.

mod by_number;
mod caught;
mod fills;
mod limits;
mod operations;
mod rates;
mod report;
mod scripts;
mod setting;
mod threads;

use std::marker::PhantomData;

pub use limits::{DEGENERATE, EDGES};
pub use report::{Outcome, Report, Row};

use self::by_number::ByNumber;
use self::caught::caught;
use crate::item::{Item, Kind};
use crate::subject::Candidate;

/// An upper bound of the probability that a correct filter fails one check of its rate by chance. By default, an examination
/// makes from thirty to about two hundred such checks, depending on how many operations the filter has.
pub const ALARM: f64 = 1e-9;

/// The numbers of items for which filters are built and filled, unless the caller sets others. With the last two numbers,
/// positions take more than 16 bits.
const SIZES: [u64; 4] = [100, 1_000, 50_000, 1 << 17];
/// The requested rates, unless the caller sets others. Filters for these rates have 2 to 20 hashes. All rates but the first are
/// used with one number of items only.
const RATES: [f64; 4] = [0.01, 0.001, 0.3, 1e-6];
/// The number of expected items of the filters on which scripts (sequences of operations) are run.
const SMALL: u64 = 100;

/// Examines a filter with the default sizes, rates and kinds of items of an [`Examination`]. In a test, follow it by
/// [`Report::assert_passed`].
///
/// On two processors it ends within 10 seconds in a release build if the filter's operations take less than 100 ns, and within
/// a minute in a debug build if they take less than 1 µs.
///
/// # Examples
///
/// ```
/// use std::collections::BTreeSet;
///
/// #[derive(Default)]
/// struct LastThree(Vec<u64>);
///
/// bloom_fuzz_kit::subject!(
///     LastThree,
///     items: u64,
///     with_rate: |_, _| LastThree::default(),
///     insert: |set, item| {
///         set.0.push(*item);
///         set.0 = set.0.split_off(set.0.len().saturating_sub(3));
///     },
///     contains: |set, item| set.0.contains(item),
/// );
///
/// let report = bloom_fuzz_kit::examine::<LastThree>();
/// assert!(!report.passed());
/// ```
pub fn examine<F: Candidate>() -> Report {
    Examination::<F>::new().run()
}

/// An examination of a filter, before it is run: its sizes, rates and items.
///
/// # Examples
///
/// ```no_run
/// # use bloom_fuzz_kit::{Candidate, Examination, Kind};
/// # fn examine_more<F: Candidate<Item = str>>() {
/// let pages = Kind::new("pages", |number| format!("/page/{number}"));
/// Examination::<F>::new()
///     .sizes([1_000, 2_000_000])
///     .rates([0.05, 1e-4])
///     .kind(pages)
///     .run()
///     .assert_passed();
/// # }
/// ```
pub struct Examination<F: Candidate> {
    sizes: Vec<u64>,
    rates: Vec<f64>,
    kinds: Vec<Kind<F::Item>>,
    beyond_32_bits: bool,
    filter: PhantomData<fn() -> F>,
}

impl<F: Candidate> Default for Examination<F> {
    fn default() -> Self {
        Self::new()
    }
}

impl<F: Candidate> Examination<F> {
    /// Creates an examination at 100, 1,000, 50,000 and 2^17 items, at rates of 1 %, 0.1 %, 30 % and 10^-6, with all kinds of
    /// the item.
    pub fn new() -> Self {
        Self {
            sizes: SIZES.to_vec(),
            rates: RATES.to_vec(),
            kinds: F::Item::kinds(),
            beyond_32_bits: false,
            filter: PhantomData,
        }
    }

    /// Replaces the numbers of items: 1 to 2^24 each. A single filter at the lowest rate gets eight times the greatest number,
    /// but at most 2^20 items, unless the greatest number itself is larger.
    #[must_use]
    pub fn sizes(mut self, sizes: impl IntoIterator<Item = u64>) -> Self {
        self.sizes = sizes.into_iter().collect();
        self
    }

    /// Replaces the requested rates: above 0 and below 1 each. The first rate is used with every number of items, and is
    /// measured with every kind of items. The other rates are used only with the number of items nearest to 1,000. If the
    /// filter refuses one of these rates, a note says so.
    #[must_use]
    pub fn rates(mut self, rates: impl IntoIterator<Item = f64>) -> Self {
        self.rates = rates.into_iter().collect();
        self
    }

    /// Adds a kind of items, with which filters are also filled.
    #[must_use]
    pub fn kind(mut self, kind: Kind<F::Item>) -> Self {
        self.kinds.push(kind);
        self
    }

    /// Also fills a filter of more than 2^32 bits. This takes half a GiB of memory and, in a release build, some six seconds.
    #[must_use]
    pub fn beyond_32_bits(mut self) -> Self {
        self.beyond_32_bits = true;
        self
    }

    /// Runs all checks. A panic of the filter is caught and counts as a violation; its message is not printed. An abort
    /// (out of memory, a bug in unsafe code) ends the program.
    ///
    /// # Panics
    ///
    /// If there is no size or no rate, or if one of them is out of its range.
    pub fn run(&self) -> Report {
        let sizes_fit = self.sizes.iter().all(|size| (1..=1 << 24).contains(size));
        assert!(
            sizes_fit && !self.sizes.is_empty(),
            "sizes must be from 1 to 2^24, got {:?}",
            self.sizes
        );
        let rates_fit = self.rates.iter().all(|rate| *rate > 0.0 && *rate < 1.0);
        assert!(
            rates_fit && !self.rates.is_empty(),
            "rates must be above 0 and below 1, got {:?}",
            self.rates
        );
        let mut report = Report::default();
        let others = self.rates[1..].iter().copied();
        let (refused, others): (Vec<_>, Vec<_>) =
            others.partition(|rate| Self::is_refused(self.middle(), *rate));
        for rate in refused {
            let note = format!("a rate of {rate:?} is refused: nothing was tried at it");
            report.notes.push(note);
        }
        let it = Self {
            sizes: self.sizes.clone(),
            rates: [vec![self.rates[0]], others].concat(),
            kinds: self.kinds.clone(),
            ..*self
        };
        it.run_scripts(&mut report);
        it.fill(&mut report);
        it.operate(&mut report);
        it.share(&mut report);
        it.measure_rates(&mut report);
        it.try_hashers(&mut report);
        it.try_edges(&mut report);
        it.load_hostile_bytes(&mut report);
        report
    }

    /// Returns whether the filter refuses these items at this rate.
    fn is_refused(items: u64, rate: f64) -> bool {
        caught(|| Ok(F::with_rate(items, rate).is_err())) == Ok(true)
    }

    /// Returns the number of items nearest to 1,000. Many filters of this size are filled in a short time.
    fn middle(&self) -> u64 {
        let sizes = self.sizes.iter().copied();
        let nearest = sizes.min_by_key(|size| size.abs_diff(1_000));
        nearest.expect("there is a size")
    }

    /// Returns the pairs of a number of items and a rate that are checked: every number of items with the first rate, and the
    /// number nearest to 1,000 with each of the other rates.
    fn settings(&self) -> impl Iterator<Item = (u64, f64)> {
        let sizes = self.sizes.iter().map(|items| (*items, self.rates[0]));
        sizes.chain(self.rates[1..].iter().map(|rate| (self.middle(), *rate)))
    }

    /// Returns the kind whose items look random.
    fn random(&self) -> &Kind<F::Item> {
        &self.kinds[0]
    }

    /// Returns the outcome of a check of filters for these items and this rate.
    fn outcome(items: u64, rate: f64, check: impl FnOnce() -> Result<String, String>) -> Outcome {
        match caught(check) {
            Ok(how) => Outcome::Holds(how),
            Err(why) => Outcome::Breaks(format!("with_rate({items}, {rate}): {why}")),
        }
    }

    /// Runs a check with every pair of [`settings`](Self::settings). Returns the first outcome in which a promise breaks or, if
    /// there is none, one that lists what was checked.
    fn at_settings(&self, check: impl Fn(u64, f64) -> Result<(), String>) -> Outcome {
        let held = |(items, rate)| {
            Self::outcome(items, rate, || check(items, rate).map(|()| String::new()))
        };
        let mut outcomes = self.settings().map(held);
        let broken = outcomes.find(|outcome| matches!(outcome, Outcome::Breaks(_)));
        broken.unwrap_or_else(|| {
            let sizes: Vec<String> = self.sizes.iter().map(u64::to_string).collect();
            let rates = self.rates[1..].iter().map(|rate| format!(", {rate:?}"));
            let rates = rates.collect::<String>();
            Outcome::Holds(format!("with {} items{rates}", sizes.join(", ")))
        })
    }

    /// Builds an empty filter for items of a kind.
    fn build(kind: &Kind<F::Item>, items: u64, rate: f64) -> Result<ByNumber<F>, String> {
        let filter = F::with_rate(items, rate).map_err(|error| format!("refused: {error}"))?;
        Ok(ByNumber::new(filter, kind.clone()))
    }
}
