//! Tests of the data of charts about formulas for the rate, narrow hashes, single filters, and blocked, counting and growing
//! filters.

use crate::common::{blocked, growing, hash_floor, series};
use bloom_core::Shape;
use bloom_core::math::blocked::Block;
use bloom_core::math::scalable::{Growth, same_rate_compound};
use bloom_core::math::{self, Model, counter_overflow, exact, spread, textbook};
use bloom_plot::curves::{Figure, Series, Span};
use bloom_plot::measure::Effort;
use bloom_plot::{
    BlockedShown, CounterOverflow, EstimateError, FigureError, HashFloor, Measurable, ModelError,
    RateSpread, ScalableGrowth, Shown, Trust,
};
use bloom_testing::assert_close;

#[test]
fn model_errors_are_those_of_the_models() {
    let question = ModelError {
        bits_per_item: vec![10],
        bits: 1_000_000,
    };
    let figure = question.figure().unwrap();
    let text = series(&figure, "textbook");
    for point in &text.curve {
        let (bits, items) = (point.x as u64, point.x as u64 / 10);
        let truth = exact::rate(items, bits, 7).unwrap().value();
        let said = textbook::rate(items, bits, 7).unwrap().value();
        assert!((point.y - (1.0 - said / truth)).abs() < 1e-12);
    }
    let asymptotic = series(&figure, "asymptotic");
    let pairs = text.curve.iter().zip(&asymptotic.curve);
    assert!(pairs.into_iter().all(|(text, other)| text.y < other.y));
    // The known errors at 1,024 bits are 0.62 % for the textbook formula and 0.86 % for the asymptotic one.
    let near = |series: &Series| {
        let point = series.curve.iter().find(|point| point.x >= 1_020.0);
        point.unwrap().y * point.unwrap().x / 1_024.0
    };
    assert!((near(text) - 0.0062).abs() < 2e-4 && (near(asymptotic) - 0.0086).abs() < 2e-4);
}

#[test]
fn the_textbook_formula_is_exact_for_one_hash() {
    let question = ModelError {
        bits_per_item: vec![1, 10],
        bits: 1_000_000,
    };
    let figure = question.figure().unwrap();
    let error = |label| series(&figure, label).curve.iter().map(|point| point.y);
    assert!(error("textbook 1").all(|y| y == 0.0));
    assert!(error("asymptotic 1").all(|y| y > 1e-8));
    // The axis begins just below the smallest error that is above 0, and not at the size of rounding errors.
    assert!(figure.y.from > 1e-8, "{}", figure.y.from);
}

#[test]
fn a_hash_adds_its_floor_to_the_rate() {
    let question = hash_floor(&[32, 64], 1e-6, 1_000_000_000);
    let figure = question.figure(None).unwrap();
    for width in [32, 64] {
        let floors = &series(&figure, &format!("floor, {width} bits")).curve;
        let rates = &series(&figure, &format!("{width} bits")).curve;
        for (floor, rate) in floors.iter().zip(rates) {
            assert_eq!(floor.y, math::hash_floor(floor.x as u64, width).unwrap());
            // The filter's own rate is a little less than 1e-6, because items that share a hash set the same bits.
            assert_close(1.0 - rate.y, (1.0 - 1e-6) * (1.0 - floor.y), 1e-6);
        }
    }
    // The axis begins just below the lowest point of the curves.
    let narrow = HashFloor {
        widths: vec![16],
        ..question
    };
    assert!((narrow.figure(None).unwrap().y.from / 1e-5 - 1.0).abs() < 1e-9);
}

#[test]
fn the_cost_of_blocks_is_the_ratio_of_exact_rates() {
    let drawn = |shown| blocked(10_000, &[64, 512], shown).figure(None).unwrap();
    let figure = drawn(BlockedShown::Ratio);
    let split = Block::Split {
        lanes: 8,
        lane_bits: 64,
    };
    let plain = |blocks: u64| {
        let hashes = Model::Exact.best_hashes(10_000, blocks * 512).unwrap();
        exact::rate(10_000, blocks * 512, hashes).unwrap().value()
    };
    for point in &series(&figure, "split 8x64").curve {
        let blocks = (point.x * 10_000.0 / 512.0).round() as u64;
        let rate = math::blocked::rate(10_000, blocks, split).unwrap().value();
        assert_close(point.y, rate / plain(blocks), 1e-9);
    }
    for point in series(&figure, "512 bits").curve.iter().step_by(5) {
        let blocks = (point.x * 10_000.0 / 512.0).round() as u64;
        let rates = (1..=30).map(|hashes| {
            let block = Block::Independent { bits: 512, hashes };
            math::blocked::rate(10_000, blocks, block).unwrap().value()
        });
        assert_close(point.y, rates.fold(1.0, f64::min) / plain(blocks), 1e-9);
    }
    // The rates are the ratios times the rate of the plain filter, which has a curve of its own in the chart of rates.
    let rates = drawn(BlockedShown::Rate);
    for label in ["64 bits", "512 bits", "split 8x32", "split 8x64"] {
        let ratios = series(&figure, label).curve.iter();
        for (ratio, rate) in ratios.zip(&series(&rates, label).curve) {
            let bits = (ratio.x * 10_000.0).round() as u64;
            let hashes = Model::Exact.best_hashes(10_000, bits).unwrap();
            let plain = exact::rate(10_000, bits, hashes).unwrap().value();
            assert_eq!(ratio.x, rate.x);
            assert_close(rate.y, ratio.y * plain, 1e-9);
        }
    }
    for point in &series(&rates, "plain").curve {
        let bits = (point.x * 10_000.0).round() as u64;
        let hashes = Model::Exact.best_hashes(10_000, bits).unwrap();
        assert_close(
            point.y,
            exact::rate(10_000, bits, hashes).unwrap().value(),
            1e-9,
        );
    }
}

#[test]
fn a_growing_filter_keeps_its_rate_only_if_tightened() {
    let growth = Growth {
        items: 1_000,
        rate: 0.01,
        growth: 2,
        tightening: 0.85,
    };
    let drawn = |shown| growing(1_000, 0.01, 1_023_000, shown).figure(None).unwrap();
    let figure = drawn(Shown::Rate);
    let highest = |label| {
        let ys = series(&figure, label).curve.iter();
        ys.map(|point| point.y).fold(0.0, f64::max)
    };
    assert!(highest("tightened") < 0.01);
    // The compound rate of ten full stages is reached.
    let same = highest("same rate") / same_rate_compound(0.01, 10);
    assert!((same - 1.0).abs() < 1e-3, "{same}");
    let marks: Vec<f64> = figure.marks.iter().map(|mark| mark.x).collect();
    assert_eq!((marks[0], marks[1], marks.len()), (1_000.0, 3_000.0, 9));
    let figure = drawn(Shown::Memory);
    let stages = growth.all_stages(Model::Exact, 1_023_000).unwrap();
    let bits: u64 = stages.iter().map(|stage| stage.bits).sum();
    let end = series(&figure, "tightened").curve.last().unwrap();
    assert_close(end.y, bits as f64 / 1_023_000.0, 1e-9);
}

#[test]
fn a_filter_that_grows_from_a_single_item_is_plotted_from_there() {
    let question = growing(1, 1e-9, 1_000_000, Shown::Memory);
    let figure = question.figure(None).unwrap();
    assert_eq!((figure.x.from, figure.x.to), (1.0, 1_000_000.0));
    assert_eq!(
        figure.title,
        "Memory of a growing filter, p = 1e-9, growth = 2"
    );
    // Twenty stages are too many to be marked by vertical lines, so the note does not mention such lines.
    assert!(figure.marks.is_empty() && figure.note.starts_with("Tightened ("));
}

#[test]
fn the_memory_of_a_filter_that_grows_is_measured_without_queries() {
    let question = growing(100, 0.01, 2_000, Shown::Memory);
    let figure = |queries| {
        let effort = Effort::new(3, queries, 1).unwrap();
        question.figure(Some(effort)).unwrap()
    };
    // The second figure asks for 2^64 - 1 queries, which could never be run.
    let (few, figure) = (figure(1), figure(u64::MAX));
    assert_eq!(figure, few);
    assert!(
        figure
            .note
            .ends_with(" Discs: 3 real filters at each place.")
    );
}

#[test]
fn chances_of_saturated_counters_are_those_of_the_model() {
    let question = CounterOverflow {
        shape: Shape::new(1_000_000, 7).unwrap(),
        widths: vec![3, 4],
    };
    let figure = question.figure(None).unwrap();
    for (label, top) in [("3 bits", 7), ("4 bits", 15)] {
        for point in &series(&figure, label).curve {
            let overflow = counter_overflow(point.x as u64, 1_000_000, 7, top).unwrap();
            assert_eq!(point.y, overflow.any_at_most);
        }
    }
    assert_eq!(figure.marks[0].x, 99_021.0);
}

#[test]
fn the_chance_of_a_true_positive_answer_follows_bayes_rule() {
    // The expected value of the first case: of 100,000 queries, 100 are for members, and 999 of the others are false positives.
    assert_close(Trust::of_yes(0.001, 0.01), 100.0 / (100.0 + 999.0), 1e-9);
    assert_close(Trust::of_yes(0.01, 0.01), 1_000.0 / (1_000.0 + 990.0), 1e-9);
    let question = Trust {
        rates: vec![0.01],
        prevalence: 1e-4,
    };
    let figure = question.figure(None).unwrap();
    for point in &figure.series[0].curve {
        assert_close(point.y, Trust::of_yes(point.x, 0.01), 1e-9);
    }
}

/// Returns the share of the discs that are more than two standard deviations from the mean, and the number of discs.
fn outside(figure: &Figure) -> (f64, usize) {
    let Series { band, dots, .. } = &figure.series[0];
    let at = |x: f64| {
        let mut near = band.iter();
        near.rfind(|span| span.x <= x).unwrap_or(&band[0])
    };
    let out = dots
        .iter()
        .filter(|dot| dot.y > at(dot.x).high * 1.001 || dot.y < at(dot.x).low * 0.999);
    (out.count() as f64 / dots.len() as f64, dots.len())
}

#[test]
fn single_filters_vary_as_predicted() {
    let effort = Some(Effort::new(100, 1, 1).unwrap());
    let question = RateSpread {
        bits_per_item: 10,
        hashes: 7,
        items: 1_000,
    };
    let figure = question.figure(effort).unwrap();
    assert_eq!(figure.series[0].band.len(), figure.series[0].curve.len());
    for Span { x, low, high } in &figure.series[0].band {
        let spread = spread(*x as u64, 10 * *x as u64, 7).unwrap();
        let both = 2.0 * spread.standard_deviation / spread.mean.value();
        assert_close(*high, 1.0 + both, 1e-9);
        assert_close(*low, 1.0 - both, 1e-9);
    }
    // A normal variable is outside of two standard deviations in 4.6 % of cases; the discs are outside in about as many. The
    // share of 1,700 discs has a standard deviation of 0.005. The lower bound of the test is 6 standard deviations below 4.6 %;
    // the upper bound is almost 7 above it, because high shares are more likely than low ones. With random seeds, the test
    // would fail by chance about once in 10^9 runs. If the true share were at one of the bounds, the test would fail with a
    // probability of 0.5.
    let (share, dots) = outside(&figure);
    assert_eq!(dots, 17 * 100);
    assert!((0.015..0.08).contains(&share), "{share}");

    let question = EstimateError {
        shape: Shape::new(20_000, 7).unwrap(),
    };
    let (share, dots) = outside(&question.figure(effort).unwrap());
    // There are 100 filters at each of 21 places, but a full filter gives no estimate and has no disc.
    assert!(dots > 20 * 91);
    assert!((0.015..0.08).contains(&share), "{share}");
}

#[test]
fn the_band_of_a_small_filter_widens_from_item_to_item() {
    let question = EstimateError {
        shape: Shape::new(256, 2).unwrap(),
    };
    let figure = question.figure(None).unwrap();
    for pair in figure.series[0].band.windows(2) {
        assert!(pair[0].x < pair[1].x, "{pair:?}");
        assert!(pair[0].high < pair[1].high, "{pair:?}");
    }
}

#[test]
fn blocks_that_cannot_be_drawn_are_refused() {
    let blocks = |blocks: &[u32]| {
        let question = blocked(10_000, blocks, BlockedShown::Rate);
        question.figure(None).unwrap_err().to_string()
    };
    assert_eq!(
        blocks(&[]),
        "block bits needs at least one number, got none"
    );
    assert_eq!(
        blocks(&[4_097]),
        "block bits must be from 8 to 4,096, got 4097"
    );
    assert_eq!(
        blocks(&[8, 16, 32, 64, 128, 256]),
        "block bits must have at most 5 entries to be told apart, got 6"
    );
}

#[test]
fn invalid_parameters_are_named_in_the_error() {
    let error = |figure: Result<Figure, FigureError>| figure.unwrap_err().to_string();
    let model = |bits_per_item: &[u64], bits| {
        let bits_per_item = bits_per_item.to_vec();
        error(
            ModelError {
                bits_per_item,
                bits,
            }
            .figure(),
        )
    };
    assert_eq!(
        model(&[], 10_000),
        "bits per item needs at least one number, got none"
    );
    assert_eq!(
        model(&[361], 10_000),
        "bits per item must be from 1 to 360, got 361"
    );
    assert_eq!(
        model(&[10], 999),
        "m must be from 1,000 to 1,000,000,000,000, got 999"
    );
    let floor = |widths: &[u32], rate| error(hash_floor(widths, rate, 100).figure(None));
    assert_eq!(floor(&[7], 0.1), "hash bits must be from 8 to 128, got 7");
    assert!(floor(&[32], f64::NAN).starts_with("p must be from 1e-15"));
    let counters = |counters, widths: &[u32]| {
        let widths = widths.to_vec();
        let shape = Shape::new(counters, 7).unwrap();
        error(CounterOverflow { shape, widths }.figure(None))
    };
    assert_eq!(
        counters(10, &[4]),
        "m must be large enough for 4 items with k hashes, got 10"
    );
    assert_eq!(
        counters(1_000, &[17]),
        "counter bits must be from 1 to 16, got 17"
    );
    let stages = |items, tightening| {
        let question = ScalableGrowth {
            growth: 1,
            tightening,
            ..growing(1_000, 0.01, items, Shown::Rate)
        };
        error(question.figure(None))
    };
    assert_eq!(
        stages(1_000, 0.5),
        "n must be above the items of the first stage, got 1000"
    );
    assert_eq!(
        stages(1_000_000, 0.99),
        "n must be at most what 60 stages hold, got 1000000"
    );
    assert!(stages(2_000, 1.0).starts_with("tightening"));
    let trust = Trust {
        rates: vec![1.0],
        prevalence: 0.1,
    };
    assert_eq!(
        error(trust.figure(None)),
        "p must be between 0 and 1 (exclusive), got 1"
    );
}
