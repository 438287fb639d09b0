//! Writes the result of the command `verify`: the rate measured in real filters, its confidence interval, and whether it agrees
//! with the computed rate.

use std::fmt::Write;

use bloom_core::math::measured::{Sample, Tolerance};
use bloom_core::math::spread;

use super::plan::Plan;
use super::real::{Built, Measured, built_of};
use crate::answer::Solution;
use crate::cli::report::Value;
use crate::object;
use crate::say::certainty::Certainty;
use crate::say::numbers::{bytes_of_bits, counted, grouped, nearest};
use crate::say::words::{as_typed, bits_in, share, wrapped};

/// The keys of the JSON object and their meanings.
pub(super) const KEYS: &str = include_str!("../../verify_keys.txt");

/// The probability that correct filters fail the check.
const ERROR: f64 = 1e-4;

/// How far the rate of filters that grow may differ from the rate expected of their stages, as a
/// share of the expected rate. The two differ because the items of the last stage are estimated.
/// How far they differ was measured, see `ScalableBloomFilter::expected_false_positive_rate`.
const ESTIMATED: f64 = 0.007;

/// What was done and measured, and the verdict.
pub(super) struct Verdict<'a> {
    solution: &'a Solution,
    plan: &'a Plan,
    seed: u64,
    measured: f64,
    margin: f64,
    expected: f64,
    above: Option<u64>,
    /// The minimum, mean and maximum number of bits of filters that grow.
    built: Option<(u64, f64, u64)>,
    agrees: bool,
}

impl<'a> Verdict<'a> {
    /// Compares what was measured with the model.
    pub(super) fn new(
        solution: &'a Solution,
        plan: &'a Plan,
        seed: u64,
        filters: &[Measured],
    ) -> Self {
        let hits: Vec<u64> = filters.iter().map(|filter| filter.hits).collect();
        let sample =
            Sample::new(&hits, plan.lookups).expect("verify builds many filters, and queries each");
        let p = solution.rate.value();
        let depends = solution.is_dependent();
        let tolerance = if solution.asked.filter.is_classic_inside() && !depends {
            let single = spread(solution.items, solution.bits, solution.hashes);
            let single = single.map_or(0.0, |spread| spread.standard_deviation);
            Tolerance::by_model(p, single, plan.filters, plan.lookups, ERROR)
        } else {
            Tolerance::by_sample(&sample, ERROR)
        };
        let mean = sample.rate();
        let mut margin = tolerance
            .expect("a rate of an answer is between 0 and 1")
            .margin();
        // A filter that grows ends a stage before the rate of the stage is exceeded, often a few items before the stage holds
        // all its items. So p is an upper bound, and the expected rate is computed from the stages that were built.
        let mut expected = p;
        let (mut low, mut high, mut most) = (p, p, p);
        if solution.is_dependent() {
            let (ideal, excess) = (solution.ideal.value(), solution.excess);
            (low, expected) = (ideal + excess.low, ideal + excess.expected);
        }
        let mut built = None;
        if let Some(grown) = solution.grown.as_ref() {
            let found = filters.iter().filter_map(|filter| filter.grown);
            let found: Vec<Built> = found.collect();
            let mean =
                |of: fn(&Built) -> f64| found.iter().map(of).sum::<f64>() / found.len() as f64;
            let bits = found.iter().map(|built| built.bits);
            let ends = bits.clone().min().zip(bits.max());
            built = ends.map(|(min, max)| (min, mean(|built| built.bits as f64), max));
            expected = mean(|built| built.expected);
            (low, high) = (expected, mean(|built| built.sum).max(expected));
            most = grown.rates(solution.items).sum();
            margin += expected * ESTIMATED;
        }
        let above = solution.asked.rate.map(|target| {
            let above = filters.iter().filter(|filter| filter.own > target);
            above.count() as u64
        });
        Self {
            solution,
            plan,
            seed,
            measured: mean,
            margin,
            expected,
            above,
            built,
            agrees: (low - margin..=high + margin).contains(&mean) && mean - most <= margin,
        }
    }

    /// Returns whether the filters agree with the model, and the model meets the target rate, if there is one.
    pub(super) fn passes(&self) -> bool {
        self.agrees && self.solution.met != Some(false)
    }

    /// Returns the name of the system whose positions the filters have.
    fn like(&self) -> Option<&'static str> {
        let system = self.solution.asked.filter.system();
        system.map(|system| system.name)
    }

    /// Returns the verdict as a JSON object.
    pub(super) fn json(&self) -> Value {
        let (found, plan) = (self.solution, self.plan);
        object![
            ("schema", 1_u32),
            ("n", found.items),
            ("m", found.bits),
            ("k", found.hashes),
            ("p", found.rate.value()),
            ("filter", found.asked.filter.name()),
            ("filters", plan.filters),
            ("lookups", plan.lookups),
            ("seed", self.seed),
            ("bytes", found.memory_bits().div_ceil(8)),
            ("measured", self.measured),
            ("margin", self.margin),
            ("expected", self.expected),
            ("target", found.asked.rate),
            ("met", found.met),
            ("above", self.above),
            ("agrees", self.agrees),
            ("p_is_bound", found.certainty().is_bound()),
            ("error", ERROR),
            ("like", self.like()),
            ("built_min", self.built.map(|(min, ..)| min)),
            ("built_mean", self.built.map(|(_, mean, _)| mean)),
            ("built_max", self.built.map(|(.., max)| max))
        ]
        .into()
    }

    /// Returns the verdict as text for people.
    pub(super) fn human(&self) -> String {
        let (found, filters) = (self.solution, self.plan.filters);
        let p = found.rate.value();
        let bytes = match self.built {
            Some((min, _, max)) if min < max => {
                format!("{} to {}", grouped(min.div_ceil(8)), bytes_of_bits(max))
            }
            Some((bits, ..)) => bytes_of_bits(bits),
            None => bytes_of_bits(found.memory_bits()),
        };
        let what = format!(
            "{} filters of {bytes} with {} each, {} of other items in each",
            grouped(filters),
            counted(found.items, "item"),
            counted(self.plan.lookups, "lookup"),
        );
        let mut text = wrapped(&what, "", "").join("\n") + "\n\n";
        let mut line = |name: &str, value: String| {
            let _ = writeln!(text, "  {name:<26}{value}");
        };
        if let Some(name) = self.like() {
            line("built as", format!("{name}, with its positions"));
        }
        if let Some(pieces) = built_of(found) {
            line("each built of", pieces);
        }
        let range = found.memory_range_with(found.items);
        if let (Some((_, mean, _)), Some(range)) = (self.built, range) {
            line("memory of the model", bits_in(range));
            line(
                "memory built, mean",
                format!("{} bits", grouped(mean.round() as u64)),
            );
        }
        line("rate of the model", nearest(p, 6));
        let certainty = found.certainty();
        let grows = found.grown.is_some();
        if grows || certainty.is_bound() {
            let of = if grows {
                "expected of the stages"
            } else {
                "expected"
            };
            line(of, nearest(self.expected, 6));
        }
        if let (Some(target), Some(false)) = (found.asked.rate, found.met) {
            line("target", format!("{}: not met", as_typed(target)));
        }
        let (measured, margin) = (nearest(self.measured, 6), nearest(self.margin, 3));
        line("rate measured", format!("{measured} +- {margin}"));
        line("measured / model", nearest(self.measured / p, 6));
        if let Some(above) = self.above {
            let part = share(above as f64 / filters as f64, 3);
            let all = grouped(filters);
            line(
                "filters above the target",
                format!("{above} of {all} ({part})"),
            );
        }
        let verdict = if self.agrees { "agrees" } else { "disagrees" };
        let (what, most) = match certainty {
            Certainty::OfIndependentStages { .. } => (
                "rate expected of the stages, and the sum of their rates is an upper bound",
                "at most ",
            ),
            Certainty::Bound { .. } if grows => (
                "rate expected of the stages, and p is an upper bound",
                "at most ",
            ),
            Certainty::Bound { .. } => ("model, whose p is an upper bound", "at most "),
            Certainty::Rate | Certainty::Estimate => ("model", ""),
        };
        let runs = grouped((1.0 / ERROR).round() as u64);
        let _ = writeln!(
            text,
            "\n{verdict} with the {what} (a correct filter fails this check in {most}1 of {runs} runs)"
        );
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Filter, Query};

    /// Filters that grow fail the check with too few false positives as well as with too many. With
    /// 201 filters, and 1,000 lookups and 20 expected false positives in each, the margin is about
    /// 2 %.
    #[test]
    fn filters_that_grow_disagree_above_and_below_the_rate_of_their_stages() {
        let query = Query {
            items: Some(900),
            rate: Some(0.06),
            filter: Filter::scalable(100),
            ..Query::default()
        };
        let solution = query.solve().unwrap();
        let p = solution.rate.value();
        assert!(p > 0.022, "{p}");
        let plan = Plan {
            filters: 201,
            lookups: 1_000,
        };
        let agrees = |hits: u64, expected| {
            let measured = |number: u64| Measured {
                // The numbers differ between filters. Their mean is the parameter `hits`, because 201 is a multiple of 3.
                hits: hits + number % 3 - 1,
                own: 0.02,
                grown: Some(Built {
                    expected,
                    sum: 1.01 * expected,
                    bits: 13_000,
                }),
            };
            let filters: Vec<_> = (0..plan.filters).map(measured).collect();
            let verdict = Verdict::new(&solution, &plan, 1, &filters);
            assert!((0.01..0.03).contains(&(verdict.margin / expected)));
            verdict.agrees
        };
        assert!(agrees(20, 0.02));
        assert!(!agrees(17, 0.02) && !agrees(23, 0.02));
        // The filters have the rate expected of their stages, but this rate is too far above p.
        assert!(!agrees(40, 0.04) && p < 0.035);
    }
}
