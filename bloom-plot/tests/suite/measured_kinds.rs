//! Compares the measured points of charts, mostly of filters that are not plain, with the exact models: the model may be
//! outside of the 99 % intervals of no more points than chance allows.
//!
//! With random seeds, such a test would fail by chance at most once in 10^9 runs; the seeds are fixed, so each run has the same
//! outcome. With 12 points, a wrong model fails with a probability of 0.5 if it is outside of each interval with a probability
//! of 46 %, and with a probability of 0.999 if it is outside with 84 %. With 15, 18 and 25 points, 43, 36 and 30 % give a
//! probability of 0.5, and 79, 71 and 61 % give 0.999.

use crate::common::{blocked, growing, hash_floor, series, sizing};
use bloom_core::Shape;
use bloom_core::math::blocked::Block;
use bloom_core::math::{self, Model, counter_overflow, exact, usual_rule, with_hash_floor};
use bloom_params::numbers::nearest;
use bloom_plot::curves::{Measured, Point};
use bloom_plot::measure::Effort;
use bloom_plot::{
    BitsByRate, BlockedShown, CounterOverflow, Measurable, ScalableGrowth, Shown, Trust,
};

const OWN: Block = Block::Split {
    lanes: 8,
    lane_bits: 64,
};
const PARQUET: Block = Block::Split {
    lanes: 8,
    lane_bits: 32,
};

fn effort(filters: u64, queries: u64) -> Effort {
    Effort::new(filters, queries, 1).unwrap()
}

/// Counts points, and those whose 99 % interval does not contain the expected value.
#[derive(Default)]
struct Tally {
    all: i32,
    outside: i32,
}

impl Tally {
    /// Adds a point. Its expected value lies between `low_end` and `high_end`, which may be equal.
    fn add(&mut self, point: Measured, low_end: f64, high_end: f64) {
        let Measured { low, high, .. } = point;
        self.all += 1;
        // The expected values may be off by rounding errors.
        let inside = low <= high_end * (1.0 + 1e-9) && high >= low_end * (1.0 - 1e-9);
        self.outside += i32::from(!inside);
    }

    /// Fails if the expected value is outside of the intervals of more points than chance allows: more would be outside at most
    /// once in 10^9 runs with random seeds.
    fn assert(&self, fewest: i32, name: &str) {
        assert!(self.all >= fewest, "{name} has {} points", self.all);
        let (mut term, mut below, mut most) = (0.99_f64.powi(self.all), 0.0, 0);
        below += term;
        while 1.0 - below > 1e-9 {
            term *= f64::from(self.all - most) / f64::from(most + 1) * 0.01 / 0.99;
            most += 1;
            below += term;
        }
        assert!(
            self.outside <= most,
            "{name}: {} of {} are outside",
            self.outside,
            self.all
        );
    }
}

fn place(point: &Measured) -> (f64, f64) {
    (point.x, point.y)
}

#[test]
fn filters_of_each_rule_have_the_rates_of_their_models() {
    let items = 14_000;
    let rules = ["textbook", "guava", "redis-nonscaling", "parquet", "ours"];
    let figure = sizing(items, 1e-6, &rules)
        .figure(Some(effort(10, 100_000)))
        .unwrap();
    let ideal = |p: f64| (-(items as f64) * p.ln() / std::f64::consts::LN_2.powi(2)) as u64;
    let rate = |label: &str, p: f64| match label {
        "textbook" => usual_rule(items, p).unwrap().unwrap().rate.value(),
        "guava" => {
            let k = (-p.log2()).round().max(1.0) as u8;
            let bits = ideal(p).next_multiple_of(64);
            exact::rate(items, bits, k).unwrap().value()
        }
        "redis-nonscaling" => {
            let k = (-p.log2()).ceil() as u8;
            let bits = ideal(p).next_multiple_of(64);
            exact::rate(items, bits, k).unwrap().value()
        }
        "parquet" => {
            let bits = -8.0 * items as f64 / (-p.powf(0.125)).ln_1p();
            let bits = (bits as u64).next_power_of_two();
            math::blocked::rate(items, bits / 256, PARQUET)
                .unwrap()
                .value()
        }
        _ => {
            let (bits, k) = Model::Exact.min_size(items, p).unwrap();
            exact::rate(items, bits, k).unwrap().value()
        }
    };
    let mut tally = Tally::default();
    for series in &figure.series {
        assert_eq!(series.measured.len(), 5, "{}", series.label);
        for point in &series.measured {
            let (p, _) = place(point);
            let expected = rate(&series.label, p) / p;
            tally.add(*point, expected, expected);
        }
    }
    tally.assert(25, "sizing-error");
    // Parquet's filters exceed the requested rate where the size is about to double.
    let missed = series(&figure, "parquet").measured.iter();
    let missed = missed.filter(|point| !point.is_bound && point.low > 1.0);
    assert_eq!(missed.count(), 1);
}

#[test]
fn filters_of_a_library_have_its_own_positions() {
    let figure = sizing(10, 0.01, &["guava"])
        .figure(Some(effort(1_000, 2_000)))
        .unwrap();
    let guava = series(&figure, "guava");
    let last = guava.measured.last().unwrap();
    let near = guava
        .curve
        .iter()
        .min_by(|one, other| (one.x - last.x).abs().total_cmp(&(other.x - last.x).abs()));
    let expected = near.unwrap().y;
    // The 99 % interval is 5 standard errors wide. With ideal hashes, the rate would be less than half of the expected one.
    let width = last.high - last.low;
    assert!(
        (last.y - expected).abs() < width && width < 0.2 * expected,
        "{last:?} {expected}"
    );
}

#[test]
fn blocked_filters_have_the_rates_of_their_models() {
    let items = 100_000;
    let question = |shown| blocked(items, &[512], shown);
    let plain = |bits| {
        let k = Model::Exact.best_hashes(items, bits).unwrap();
        exact::rate(items, bits, k).unwrap().value()
    };
    let ratios = question(BlockedShown::Ratio)
        .figure(Some(effort(10, 100_000)))
        .unwrap();
    let rates = question(BlockedShown::Rate)
        .figure(Some(effort(10, 100_000)))
        .unwrap();
    let mut tally = Tally::default();
    for (label, block) in [("split 8x64", OWN), ("split 8x32", PARQUET)] {
        let ratios = &series(&ratios, label).measured;
        for (ratio, rate) in ratios.iter().zip(&series(&rates, label).measured) {
            let (x, _) = place(ratio);
            let blocks = (x * items as f64 / block.bits() as f64).round() as u64;
            let expected = math::blocked::rate(items, blocks, block).unwrap().value();
            tally.add(*rate, expected, expected);
            let (other, y) = place(rate);
            let over = y / plain(blocks * block.bits());
            assert!(other == x && (place(ratio).1 / over - 1.0).abs() < 1e-9);
        }
    }
    for point in &series(&rates, "plain").measured {
        let expected = plain((place(point).0 * items as f64).round() as u64);
        tally.add(*point, expected, expected);
    }
    tally.assert(15, "blocked-cost");
}

#[test]
fn filters_sized_for_a_rate_have_it() {
    let items = 50_000;
    let question = BitsByRate { items, rate: 1e-6 };
    let figure = question.figure(Some(effort(10, 100_000))).unwrap();
    let mut tally = Tally::default();
    for label in ["Bloom", "blocked", "split 8x32"] {
        for point in &series(&figure, label).measured {
            let bits = (place(point).1 * items as f64).round() as u64;
            let rate = match label {
                "Bloom" => {
                    let k = Model::Exact.best_hashes(items, bits).unwrap();
                    exact::rate(items, bits, k)
                }
                "blocked" => math::blocked::rate(items, bits / 512, OWN),
                _ => math::blocked::rate(items, bits / 256, PARQUET),
            };
            let rate = rate.unwrap().value();
            tally.add(*point, rate, rate);
        }
    }
    tally.assert(15, "bits-by-rate");
}

#[test]
fn narrow_hashes_collide_as_often_as_predicted() {
    for (rate, items) in [(1e-4, 1_000_000), (0.1, 50_000)] {
        let question = hash_floor(&[16, 24], rate, items);
        let figure = question.figure(Some(effort(10, 50_000))).unwrap();
        let mut tally = Tally::default();
        for width in [16, 24] {
            let rates = series(&figure, &format!("{width} bits"));
            for point in &rates.measured {
                let items = place(point).0 as u64;
                let floor = math::hash_floor(items, width).unwrap();
                // The filter is sized for all items. It holds fewer different hashes, because some items share a hash.
                let (bits, hashes) = Model::Exact.min_size(items, rate).unwrap();
                let distinct = math::distinct_hashes(items, width).unwrap().round() as u64;
                let of_hashes = Model::Exact.rate(distinct, bits, hashes).unwrap().value();
                let expected = with_hash_floor(of_hashes, floor);
                tally.add(*point, expected * 0.995, expected * 1.001);
                // The curve assumes a half-full filter with a real number of hashes. For many items, the actual filter is close
                // to this.
                let around = rates
                    .curve
                    .windows(2)
                    .find(|pair| items as f64 <= pair[1].x);
                let [below, above] = around.unwrap() else {
                    panic!("two points");
                };
                let part = (items as f64 / below.x).ln() / (above.x / below.x).ln();
                let drawn = below.y * (above.y / below.y).powf(part);
                let off = (drawn / expected - 1.0).abs();
                assert!(items < 1_000 || off < 0.01, "{items}: {drawn} {expected}");
            }
        }
        tally.assert(12, "hash-floor");
    }
}

#[test]
fn positive_answers_are_true_as_often_as_predicted() {
    let question = Trust {
        rates: vec![0.1, 0.01, 0.001],
        prevalence: 1e-4,
    };
    let figure = question.figure(Some(effort(20, 20_000))).unwrap();
    let mut tally = Tally::default();
    for (series, p) in figure.series.iter().zip([0.1, 0.01, 0.001]) {
        let (bits, k) = Model::Exact.min_size(10_000, p).unwrap();
        let rate = exact::rate(10_000, bits, k).unwrap().value();
        for point in &series.measured {
            let expected = Trust::of_yes(place(point).0, rate);
            tally.add(*point, expected, expected);
        }
    }
    tally.assert(21, "trust");
}

#[test]
fn counters_saturate_as_often_as_the_bounds_allow() {
    let (counters, hashes) = (20_000, 5);
    let mut tally = Tally::default();
    for seed in 1..=3 {
        let question = CounterOverflow {
            shape: Shape::new(counters, hashes).unwrap(),
            widths: vec![2, 3, 4],
        };
        let figure = question
            .figure(Some(Effort::new(200, 1, seed).unwrap()))
            .unwrap();
        for (label, top) in [("2 bits", 3), ("3 bits", 7), ("4 bits", 15)] {
            for point in &series(&figure, label).measured {
                let items = place(point).0 as u64;
                let known = counter_overflow(items, counters, hashes, top).unwrap();
                tally.add(*point, known.any_at_least, known.any_at_most);
            }
        }
    }
    tally.assert(18, "counter-overflow");
}

#[test]
fn filters_that_grow_have_their_compound_rates() {
    let question = |shown| growing(500, 0.02, 50_000, shown);
    let figure = question(Shown::Rate)
        .figure(Some(effort(10, 20_000)))
        .unwrap();
    let mut tally = Tally::default();
    for label in ["tightened", "same rate"] {
        let series = series(&figure, label);
        for point in &series.measured {
            let (x, _) = place(point);
            let theory = series.curve.iter().find(|theory| theory.x == x).unwrap().y;
            // A scalable filter does not insert items that it already finds, which are up to a share p of all items. So its
            // rate is a little lower than the plotted one.
            let least = if label == "tightened" {
                0.95 * theory
            } else {
                theory
            };
            tally.add(*point, least, theory);
        }
    }
    tally.assert(20, "scalable-growth");
    let figure = question(Shown::Memory)
        .figure(Some(effort(10, 20_000)))
        .unwrap();
    for label in ["tightened", "same rate"] {
        let series = series(&figure, label);
        assert_eq!(series.dots.len(), 100);
        let bits_at = |items: f64| {
            let mut before = series.curve.iter();
            let point = before.rfind(|point| point.x <= items).unwrap();
            (point.x * point.y).round()
        };
        let mut compared = 0;
        for dot in &series.dots {
            let bits = bits_at(dot.x);
            // Near the end of a stage, some filters have begun the next stage and others have not, so these discs are skipped.
            if bits_at(0.97 * dot.x) == bits && bits_at(1.03 * dot.x) == bits {
                // The memory is rounded up to whole words and cache lines.
                assert!(
                    (dot.x * dot.y / bits - 1.0).abs() < 0.02,
                    "{label}: {dot:?}"
                );
                compared += 1;
            }
        }
        assert!(compared >= 50, "{label}: {compared}");
    }
}

#[test]
fn the_plotted_rate_of_filters_that_grow_is_an_upper_bound_and_called_one() {
    // At a rate of 0.9, a formula that assumes independent stages would give too low a rate, because no stage gets an item that
    // an older stage already finds.
    let figure = ScalableGrowth {
        tightening: 0.3,
        ..growing(1_000, 0.9, 300_000, Shown::Rate)
    };
    let figure = figure.figure(Some(effort(10, 50_000))).unwrap();
    let tightened = series(&figure, "tightened");
    let mut tally = Tally::default();
    for point in &tightened.measured {
        let mut theory = tightened.curve.iter();
        let bound = theory.find(|theory| theory.x == point.x).unwrap().y;
        tally.add(*point, 0.0, bound);
    }
    tally.assert(10, "scalable-growth");
    assert!(figure.note.contains("Tightened (upper bound): "));
    let bound = tightened.curve.last().unwrap().y;
    let stated = format!("tightened {} (upper bound), ", nearest(bound, 3));
    assert!(figure.description.contains(&stated), "{stated}");
    // With a first stage of 10 items, the measured rates are well below the plotted bound.
    let figure = growing(10, 0.01, 10_000, Shown::Rate);
    let figure = figure.figure(Some(effort(20, 50_000))).unwrap();
    let tightened = series(&figure, "tightened");
    let last = tightened.measured.last().unwrap();
    assert!(last.high < 0.95 * tightened.curve.last().unwrap().y);
}

#[test]
fn a_filter_that_grows_may_begin_a_stage_early_and_the_memory_says_so() {
    let figure = growing(100, 0.01, 300, Shown::Memory);
    let figure = figure.figure(Some(effort(100, 1))).unwrap();
    let full = |dot: &&Point| dot.x == 100.0 || dot.x == 300.0;
    let dots = series(&figure, "tightened").dots.iter().filter(full);
    let curve = &series(&figure, "tightened").curve;
    let early = dots.filter(|dot| {
        let stages = curve.iter().find(|point| point.x == dot.x).unwrap();
        dot.y > 1.2 * stages.y
    });
    // There are 100 filters at the end of each of the first two stages. Of these 200, 116 have begun the next stage on average,
    // with a standard deviation of 8.8, as measured on 20,000 filters. The upper limit of the test is 6.2 standard deviations
    // above this mean, and the lower limit 8.6 below it.
    assert!((40..=171).contains(&early.count()));
    assert!(figure.note.contains("Tightened (before the next stage): "));
    let stated = "with 300 items in 2 stages, before the next: tightened ";
    assert!(figure.description.contains(stated));
}

#[test]
fn a_watcher_receives_the_progress_after_each_filter() {
    use std::sync::Mutex;
    static SEEN: Mutex<Vec<f64>> = Mutex::new(Vec::new());
    let effort = Effort::new(7, 1_000, 1).unwrap();
    let question = Trust {
        rates: vec![0.1],
        prevalence: 0.01,
    };
    question
        .figure(Some(
            effort.watched_by(|share| SEEN.lock().unwrap().push(share)),
        ))
        .unwrap();
    let seen = SEEN.lock().unwrap();
    // There are 7 filters at each of the 7 points of the curve.
    assert_eq!(seen.len(), 49);
    assert!(seen.windows(2).all(|pair| pair[0] <= pair[1]));
    assert!(seen[0] > 0.0 && (seen[48] - 1.0).abs() < 1e-9);
}
