//! Measures the rates of independent filters, and compares these rates with the requested rate, with the rates that the filters
//! report, with the lowest rate that their memory allows, and with the exact model of a classic filter.

use std::ops::Range;
use std::thread;

use bloom_core::Shape;
use bloom_core::math::measured::{Band, Sample, Tolerance};
use bloom_core::math::{exact, spread};

use super::caught::caught;
use super::setting::tolerance;
use super::{ALARM, Examination, Outcome, Report, SMALL};
use crate::item::Kind;
use crate::subject::{Candidate, Subject};

/// The power: the probability with which a rate of a stated height is noticed. The second number is the normal quantile of the
/// power.
pub(super) const POWER: (f64, f64) = (0.999, 3.09);
/// The two-sided normal quantile of [`ALARM`].
const ALARM_QUANTILE: f64 = 6.11;
/// The maximum number of insertions into all filters of a case, unless 20 filters take more.
const MAX_INSERTIONS: u64 = 2_700_000;
/// The maximum number of queries to all filters of a case. At a low rate this limits the power; the report states the rate that
/// would be noticed.
const MAX_QUERIES: f64 = 2e7;
/// If fewer hits than this are expected in all filters, the hits of single filters tell nothing about how much the filters
/// differ.
const FEW_HITS: f64 = 1_000.0;
/// The maximum number of queries at rates so low that even [`MAX_QUERIES`] queries would give fewer than [`FEW_HITS`] hits.
/// More queries would hardly add to the power.
const FEW_QUERIES: f64 = 5e6;
/// For filters that grow: the expected items, and how many times as many items are inserted. With the first pair, a filter adds
/// so many parts that it has 12 if each part is twice as large as the one before, and 7 if each is four times as large.
const GROWTH: [(u64, u64); 2] = [(4, 4_096), (100, 64)];

/// A rate to measure.
#[derive(Debug, Clone, Copy)]
struct Case {
    /// The number of items and the rate that a filter is built for.
    built_for: (u64, f64),
    /// The number of items that are inserted.
    items: u64,
    /// How much too high a rate must be to be noticed, relative to the requested rate: 0.05 stands for 5 %.
    aim: f64,
}

/// What was measured on one filter: its hits, which are the false positives, and what it reports.
#[derive(Clone)]
struct OneFilter {
    hits: u64,
    own: Option<f64>,
    estimate: Option<f64>,
    bits: Option<u64>,
    classic: Option<(u64, u8)>,
}

/// What was measured on all filters of a case.
struct Measured {
    queries: u64,
    /// The hits of each filter.
    hits: Vec<u64>,
    /// The rates that the filters report.
    own: Option<Vec<f64>>,
    bits: Option<u64>,
    /// The mean of the estimates of the items.
    estimate: Option<f64>,
    classic: Option<(u64, u8)>,
}

impl<F: Candidate> Examination<F> {
    pub(super) fn measure_rates(&self, report: &mut Report) {
        let rate = self.rates[0];
        let case = |items, rate, aim| Case {
            built_for: (items, rate),
            items,
            aim,
        };
        let mut random: Vec<Case> = self
            .sizes
            .iter()
            .map(|&items| case(items, rate, if items <= 50_000 { 0.05 } else { 0.1 }))
            .collect();
        let items = self.middle();
        random.extend(self.rates[1..].iter().map(|&rate| case(items, rate, 0.1)));
        // One case has half of the expected items: a filter must then report a lower rate and a smaller estimate.
        random.push(Case {
            items: items.div_ceil(2),
            ..case(items, rate, 0.2)
        });
        if F::grows() {
            let grown = |(items, factor): (u64, u64)| Case {
                items: factor * items,
                ..case(items, rate, 0.1)
            };
            random.extend(GROWTH.map(grown));
        }
        for case in random {
            Self::measure(report, self.random(), case);
        }
        for kind in &self.kinds[1..] {
            Self::measure(report, kind, case(items, rate, 0.2));
        }
    }

    fn measure(report: &mut Report, kind: &Kind<F::Item>, case: Case) {
        let (expected, rate) = case.built_for;
        let mut title = format!("{expected} {}, {}", kind.name(), percent(rate));
        if case.items != expected {
            title += &format!(", holding {}", case.items);
        }
        let measured = match Self::measured(kind, case) {
            Ok(measured) => measured,
            Err(error) => {
                report.add("target rate", title, Outcome::Breaks(error));
                return;
            }
        };
        // A filter with fewer items than it was built for is left out here, because it has far fewer false positives.
        if case.items >= expected && measured.found_nothing(rate) {
            report.notes.push(format!(
                "{title}: nothing was found in {} queries, where {:.0} false positives are expected: these are not Bloom filters",
                measured.all_queries(),
                measured.all_queries() as f64 * rate
            ));
        }
        let outcomes = [
            ("target rate", measured.against_target(rate, case.items)),
            ("predicted rate", measured.against_own()),
            ("least memory", measured.against_bits(case.items)),
            ("exact model", measured.against_model(case.items)),
            ("estimated items", measured.against_items(case.items, rate)),
        ];
        for (promise, outcome) in outcomes {
            if outcome != Outcome::NotOffered {
                report.add(promise, title.clone(), outcome);
            } else if report.of(promise).is_none() {
                report.add(promise, "", outcome);
            }
        }
    }

    /// Fills and queries the filters of a case. The filters are independent, because each has items of its own.
    fn measured(kind: &Kind<F::Item>, case: Case) -> Result<Measured, String> {
        let (filters, queries) = case.effort();
        let of_one = |number: u64| -> Result<OneFilter, String> {
            let (expected, rate) = case.built_for;
            let mut filter = Self::build(kind, expected, rate)?;
            let first = number * (case.items + queries);
            let absent = first + case.items..first + case.items + queries;
            filter.fill(first..absent.start)?;
            filter.check_found(first..absent.start)?;
            Ok(OneFilter {
                hits: filter.hits(absent),
                own: filter.predicted_rate(),
                estimate: filter.estimated_items(),
                bits: filter.bits(),
                classic: filter.filter.classic(),
            })
        };
        let of_some =
            |numbers: Range<u64>| caught(|| numbers.map(of_one).collect::<Result<Vec<_>, _>>());
        // There is one thread for each processor. Each filter is built, filled and queried by one thread.
        let threads = thread::available_parallelism().map_or(1, |it| it.get() as u64);
        let all = thread::scope(|scope| {
            let share = |thread: u64| filters * thread / threads..filters * (thread + 1) / threads;
            let started: Vec<_> = (0..threads)
                .map(|thread| scope.spawn(move || of_some(share(thread))))
                .collect();
            let parts = started
                .into_iter()
                .map(|it| it.join().expect("panics are caught"));
            parts.collect::<Result<Vec<_>, String>>()
        })?
        .concat();
        let estimates: Option<Vec<f64>> = all.iter().map(|it| it.estimate).collect();
        Ok(Measured {
            queries,
            hits: all.iter().map(|it| it.hits).collect(),
            own: all.iter().map(|it| it.own).collect(),
            // Filters that grow may have different numbers of bits. The largest number gives the lowest bound of the rate.
            bits: all.iter().map(|it| it.bits).max().flatten(),
            estimate: estimates.map(|it| it.iter().sum::<f64>() / it.len() as f64),
            classic: all[0].classic,
        })
    }
}

impl Case {
    /// Returns how many filters to fill, and how often to query each filter, so that a rate that is too high by `aim` is
    /// noticed.
    ///
    /// ```text
    /// aim = (z_alarm + z_power) (1.03 + 12/F) sqrt(v/F + 1/hits)
    /// ```
    ///
    /// Here z is the normal quantile of [`ALARM`] or of [`POWER`], F is the number of filters, v is the relative variance of
    /// the rate between classic filters, and `hits` is the number of hits in all filters. 1.03 + 12/F is a little above the
    /// ratio of Student's quantile to the normal one. This approximation suffices, because the report states the rate that
    /// would be noticed.
    fn effort(self) -> (u64, u64) {
        let (expected, rate) = self.built_for;
        // The rates of filters that have grown are assumed to vary as those of classic filters built for all their items.
        let items = expected.max(self.items);
        let shape = Shape::for_rate(items, rate).ok();
        let relative = shape.and_then(|it| spread(items, it.bits(), it.hashes()).ok());
        let variance = relative.map_or(0.0, |it| (it.standard_deviation / it.mean.value()).powi(2));
        let deviation =
            |filters: u64| self.aim / ((ALARM_QUANTILE + POWER.1) * (1.03 + 12.0 / filters as f64));
        let is_enough =
            |filters: &u64| variance / (*filters as f64) < 0.1 * deviation(*filters).powi(2);
        let most = (MAX_INSERTIONS / self.items).clamp(20, 2_500);
        if rate * MAX_QUERIES < FEW_HITS {
            let filters = most.min(50);
            return (filters, (FEW_QUERIES / filters as f64) as u64);
        }
        let filters = [50, 100, 200, 500, 1_000]
            .into_iter()
            .find(is_enough)
            .unwrap_or(2_500)
            .min(most);
        let of_filters = variance / filters as f64;
        // If the filters differ so much that the aim cannot be reached, the number of queries is limited, because more queries
        // would hardly add to the power.
        let of_hits = (deviation(filters).powi(2) - of_filters).max(of_filters / 8.0);
        let queries = (1.0 / (of_hits * rate)).min(MAX_QUERIES) / filters as f64;
        (filters, queries.ceil() as u64)
    }
}

impl Measured {
    fn all_queries(&self) -> u64 {
        self.queries * self.hits.len() as u64
    }

    fn all_hits(&self) -> u64 {
        self.hits.iter().sum()
    }

    fn rate(&self) -> f64 {
        self.all_hits() as f64 / self.all_queries() as f64
    }

    fn sample(&self) -> Sample<'_> {
        Sample::new(&self.hits, self.queries).expect("there are 20 filters or more")
    }

    fn found_nothing(&self, rate: f64) -> bool {
        self.all_hits() == 0 && self.all_queries() as f64 * rate > 30.0
    }

    /// The mean rate must not be above the requested one, except by chance, and no filter may have a rate far above the rates
    /// of the others.
    fn against_target(&self, rate: f64, items: u64) -> Outcome {
        let seen = self.rate();
        let (is_above, noticed) = if self.all_queries() as f64 * rate < FEW_HITS {
            let band = Band::new(self.all_queries(), 0.0, rate, 2.0 * ALARM).expect("a rate");
            (!band.contains(self.all_hits()), band.detects_from(POWER.0))
        } else {
            let tolerance =
                Tolerance::by_sample(&self.sample(), 2.0 * ALARM).expect("a probability");
            let margin = tolerance.margin();
            (
                seen > rate + margin,
                rate + margin + POWER.1 * tolerance.standard_error(),
            )
        };
        if is_above {
            return Outcome::Breaks(format!(
                "{} instead of at most {}",
                self.written(),
                percent(rate)
            ));
        }
        // If filters have fewer items than this, their rates differ too much for this check.
        if items >= SMALL
            && let Some(hits) = self.outlier(rate)
        {
            let queries = self.queries;
            return Outcome::Breaks(format!(
                "{}, and one of them finds {hits} of {queries} absent items",
                self.written()
            ));
        }
        Outcome::Holds(format!(
            "{}; {} would be noticed",
            self.written(),
            percent(noticed)
        ))
    }

    /// Returns the hits of the filter with the most hits, if they are more than the differences between the other filters can
    /// explain.
    ///
    /// The 5 % of the filters with the most hits are left out. The rates of the others are assumed to have a log-normal
    /// distribution. The variance of their hits is assumed to be higher than measured: by 7 standard deviations of the measured
    /// variance, and by a factor of 1/0.75 because filters were left out. The mean number of hits is subtracted from this
    /// variance, because the random choice of the queries alone has about this variance. The rest is divided by the squared
    /// mean, or by 1 if the mean is below one hit per filter; its square root is the standard deviation of the logarithm of a
    /// rate. For F up to 2,500, the probability that one of F filters has a rate more than 7.5 such deviations above the mean
    /// is below [`ALARM`]. The hits of a filter at this rate have a binomial distribution.
    fn outlier(&self, rate: f64) -> Option<u64> {
        let mut hits = self.hits.clone();
        hits.sort_unstable();
        let filters = hits.len();
        let most = *hits.last()?;
        hits.truncate(filters - filters.div_ceil(20));
        let kept = hits.len() as f64;
        let mean = hits.iter().sum::<u64>() as f64 / kept;
        let squares = hits.iter().map(|it| (*it as f64 - mean).powi(2));
        let variance = squares.sum::<f64>() / (kept - 1.0);
        let highest = variance * (1.0 + 7.0 * (2.0 / kept).sqrt()) / 0.75;
        let of_filters = (highest - mean).max(0.0).sqrt() / mean.max(1.0);
        let rate = (mean / self.queries as f64).max(rate) * (7.5 * of_filters).exp();
        let error = 2.0 * ALARM / filters as f64;
        let band = Band::new(self.queries, 0.0, rate.min(1.0), error).expect("a rate");
        (!band.contains(most)).then_some(most)
    }

    /// The hits must agree with the rates that the filters report. If these rates are right, the hits vary only by the choice
    /// of the queries.
    fn against_own(&self) -> Outcome {
        let Some(own) = &self.own else {
            return Outcome::NotOffered;
        };
        let mean = own.iter().sum::<f64>() / own.len() as f64;
        // The hits of all filters together are a sum of binomial variables. It varies no more than one binomial variable at
        // their mean rate.
        let band = match Band::new(self.all_queries(), mean, mean, ALARM) {
            Ok(band) => band,
            Err(error) => return Outcome::Breaks(format!("reports a rate of {mean}: {error}")),
        };
        if band.contains(self.all_hits()) {
            let noticed = band.detects_from(POWER.0);
            return Outcome::Holds(format!(
                "{} for {}; {} would be noticed",
                self.written(),
                percent(mean),
                percent(noticed)
            ));
        }
        Outcome::Breaks(format!(
            "{} where the filters report {}",
            self.written(),
            percent(mean)
        ))
    }

    /// No filter of m bits has a rate below 2^(-m/n).
    ///
    /// Source: Carter, Floyd, Gill, Markowsky and Wegman (1978), *Exact and approximate membership testers*: a lower bound
    /// for the mean over all sets of n items from a large universe.
    fn against_bits(&self, items: u64) -> Outcome {
        let Some(bits) = self.bits else {
            return Outcome::NotOffered;
        };
        let least = (-(bits as f64) / items as f64).exp2();
        let interval = self.sample().interval(2.0 * ALARM).expect("a probability");
        if interval.high < least {
            return Outcome::Breaks(format!(
                "{}, below the {} that {bits} bits allow: items are lost, or the bits are wrong",
                self.written(),
                percent(least)
            ));
        }
        Outcome::Holds(format!("{}, at least {}", self.written(), percent(least)))
    }

    /// The mean of the filters' estimates must be near the number of items. Its tolerance is smaller than the tolerance of a
    /// single estimate.
    fn against_items(&self, items: u64, rate: f64) -> Outcome {
        let Some(mean) = self.estimate else {
            return Outcome::NotOffered;
        };
        let text = format!("{mean:.1} for {items} in {} filters", self.hits.len());
        if (mean - items as f64).abs() <= tolerance(items as f64, rate) {
            Outcome::Holds(text)
        } else {
            Outcome::Breaks(text)
        }
    }

    /// For classic filters, the mean rate must be the rate of the exact model, which also gives the variance between filters.
    fn against_model(&self, items: u64) -> Outcome {
        let Some((bits, hashes)) = self.classic else {
            return Outcome::NotOffered;
        };
        let model = exact::rate(items, bits, hashes)
            .and_then(|it| Ok((it.value(), spread(items, bits, hashes)?)));
        let (mean, spread) = match model {
            Ok(model) => model,
            Err(error) => {
                return Outcome::Breaks(format!("reports {bits} bits, {hashes} hashes: {error}"));
            }
        };
        let filters = self.hits.len() as u64;
        let deviation = spread.standard_deviation;
        let tolerance =
            Tolerance::by_model(mean, deviation, filters, self.queries, ALARM).expect("a model");
        let noticed = tolerance.margin() + POWER.1 * tolerance.standard_error();
        let seen = self.written();
        if (self.rate() - mean).abs() > tolerance.margin() {
            return Outcome::Breaks(format!(
                "{seen} instead of {}, exact for {bits} bits, {hashes} hashes",
                percent(mean)
            ));
        }
        Outcome::Holds(format!(
            "{seen} for {}; {:.1} % off would be noticed",
            percent(mean),
            100.0 * noticed / mean
        ))
    }

    /// Returns the mean rate and the number of filters as text.
    fn written(&self) -> String {
        format!("{} in {} filters", percent(self.rate()), self.hits.len())
    }
}

/// Formats a rate as a percentage.
pub(super) fn percent(rate: f64) -> String {
    let percent = 100.0 * rate;
    if percent >= 0.01 {
        format!("{} %", (1e4 * percent).round() / 1e4)
    } else {
        format!("{percent:.3e} %")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// At the default sizes, a rate that is too high by `aim` must be noticed with the power that `GUIDE.md` states.
    #[test]
    fn the_effort_suffices_for_the_aim() {
        let cases = [(100, 0.01, 0.05), (1_000, 0.01, 0.05), (50_000, 0.01, 0.05)];
        for (items, rate, aim) in cases
            .into_iter()
            .chain([(1_000, 0.001, 0.1), (1 << 17, 0.01, 0.1)])
        {
            let case = Case {
                built_for: (items, rate),
                items,
                aim,
            };
            let (filters, queries) = case.effort();
            let shape = Shape::for_rate(items, rate).unwrap();
            let spread = spread(items, shape.bits(), shape.hashes()).unwrap();
            // The filters have as much variance as classic filters: half of them have hits one standard deviation above the
            // mean, and half one below it.
            let due = rate * queries as f64;
            let deviation = (due + (spread.standard_deviation * queries as f64).powi(2)).sqrt();
            let hits = (0..filters)
                .map(|it| (due + if it % 2 == 0 { deviation } else { -deviation }).round() as u64);
            let hits: Vec<u64> = hits.collect();
            let sample = Sample::new(&hits, queries).unwrap();
            let tolerance = Tolerance::by_sample(&sample, 2.0 * ALARM).unwrap();
            let power = tolerance.power(aim * rate);
            assert!(
                power >= POWER.0,
                "{items} items at {rate}: {filters} filters, {queries} queries: {power}"
            );
            assert!(
                power < 0.999_999,
                "{items} items at {rate}: more effort than it takes: {power}"
            );
        }
    }
}
