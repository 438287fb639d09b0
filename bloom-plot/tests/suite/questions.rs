//! Tests of the data of charts about plain filters and sizing rules, which must follow from known formulas and published
//! values.

use crate::common::{series, sizing};
use bloom_core::BlockedShape;
use bloom_core::math::{Model, asymptotic, exact, lower_bound_bits, usual_rule};
use bloom_plot::Figure;
use bloom_plot::measure::Effort;
use bloom_plot::{BitsByRate, FigureError, Measurable, RateByBits, RateByHashes};
use bloom_testing::assert_close;

fn by_bits() -> RateByBits {
    RateByBits {
        items: 1_000,
        bits_per_item: 24.0,
        hashes: vec![1, 7, 14],
    }
}

#[test]
fn rates_by_bits_are_exact_and_between_the_best_and_the_bound() {
    let figure = by_bits().figure(None).unwrap();
    let (best, bound) = (series(&figure, "best k"), series(&figure, "bound"));
    for hashes in [1, 7, 14] {
        let own = series(&figure, &format!("k = {hashes}"));
        assert_eq!(own.curve.len(), best.curve.len());
        for (own, (best, bound)) in own.curve.iter().zip(best.curve.iter().zip(&bound.curve)) {
            let bits = (own.x * 1_000.0).round() as u64;
            assert_close(
                own.y,
                exact::rate(1_000, bits, hashes).unwrap().value(),
                1e-12,
            );
            let k = Model::Exact.best_hashes(1_000, bits).unwrap();
            assert_close(best.y, exact::rate(1_000, bits, k).unwrap().value(), 1e-12);
            assert!(own.y >= best.y && best.y >= bound.y);
            assert_close(
                lower_bound_bits(1_000, bound.y).unwrap(),
                bits as f64,
                1e-12,
            );
        }
    }
    assert!(best.dashed && bound.dashed);
}

#[test]
fn rates_by_hashes_are_exact_and_the_best_is_marked() {
    let question = RateByHashes {
        items: 2_000,
        bits: 20_000,
        hashes: Some(16),
    };
    let figure = question.figure(None).unwrap();
    let exact_ones = series(&figure, "exact");
    assert!(exact_ones.thin && exact_ones.curve == exact_ones.dots);
    let whole = exact_ones.dots.iter().map(|dot| dot.x);
    assert!(whole.eq((1..=16).map(f64::from)));
    let mut lowest = (0.0, 1.0);
    for point in &exact_ones.curve {
        assert_close(
            point.y,
            exact::rate(2_000, 20_000, point.x as u8).unwrap().value(),
            1e-12,
        );
        if point.y < lowest.1 {
            lowest = (point.x, point.y);
        }
    }
    assert_eq!(figure.marks[0].x, lowest.0);
    assert_eq!(figure.marks[0].label, "best k = 7");
    assert_eq!(figure.marks[1].label, "(m/n) ln 2 = 6.93");
    let mut compared = 0;
    for point in &series(&figure, "asymptotic").curve {
        if (point.x - point.x.round()).abs() < 1e-9 {
            let rate = asymptotic::rate(2_000, 20_000, point.x.round() as u8).unwrap();
            assert!((point.y / rate.value() - 1.0).abs() < 1e-6);
            compared += 1;
        }
    }
    assert!(compared >= 2, "{compared} whole numbers of hashes");
}

#[test]
fn bits_by_rate_are_the_smallest_sizes_and_the_published_figures() {
    let items = 1_000_000;
    let figure = BitsByRate { items, rate: 1e-4 }.figure(None).unwrap();
    for point in series(&figure, "Bloom").curve.iter().step_by(8) {
        let (bits, _) = Model::Exact.min_size(items, point.x).unwrap();
        assert_close(point.y, bits as f64 / items as f64, 1e-12);
    }
    for point in series(&figure, "blocked").curve.iter().step_by(8) {
        let shape = BlockedShape::for_rate(items, point.x).unwrap();
        assert_close(point.y, shape.bits() as f64 / items as f64, 1e-12);
    }
    let end = |label| series(&figure, label).curve.last().unwrap().y;
    // The bits per item at p = 1e-4. They are published values, except for split blocks of 8 x 32 bits, where the value is from
    // the exact model.
    for (label, bits) in [
        ("xor", 17.22),
        ("fuse", 15.75),
        ("cuckoo", 16.2877 / 0.95),
        ("bound", 13.2877),
        ("split 8x32", 26.342),
    ] {
        assert!(
            (end(label) / bits - 1.0).abs() < 2e-4,
            "{label}: {}",
            end(label)
        );
    }
    for point in figure.series.iter().flat_map(|series| &series.curve) {
        let least = lower_bound_bits(1, point.x).unwrap();
        assert!(point.y >= least * (1.0 - 1e-12), "{point:?}");
    }
}

#[test]
fn no_axis_of_rates_goes_beyond_one() {
    for (items, bits) in [(1_000_000, 100), (200, 100), (40, 100), (2_000, 20_000)] {
        let question = RateByHashes {
            items,
            bits,
            hashes: None,
        };
        let axis = question.figure(None).unwrap().y;
        // The axis may end at most a fiftieth of its length above a rate of 1.
        assert!(axis.share(1.0).unwrap() > 0.98, "{axis:?}");
        assert!(axis.from <= 0.5, "{axis:?}");
    }
}

#[test]
fn sizing_errors_exceed_one_for_some_rules_but_never_for_ours() {
    let items = 100_000;
    let rules = ["textbook", "redis-nonscaling", "redis", "parquet", "ours"];
    let figure = sizing(items, 1e-6, &rules).figure(None).unwrap();
    for point in series(&figure, "textbook").curve.iter().step_by(20) {
        let usual = usual_rule(items, point.x).unwrap().unwrap();
        assert_close(point.y, usual.rate.value() / point.x, 1e-12);
    }
    let most = |label| {
        let ys = series(&figure, label).curve.iter();
        ys.map(|point| point.y).fold(0.0, f64::max)
    };
    assert!(most("ours") <= 1.0 && most("textbook") > 1.01);
    assert!(most("redis-nonscaling") > 1.05 && most("parquet") > 3.0);
    // A filter of Redis that may grow is built for half the requested rate at first.
    assert!(most("redis") < 0.6);
}

#[test]
fn rules_miss_the_rate_as_the_calculator_reports() {
    // The expected values are the rates that `bloom-params --n N --p P --like NAME` prints, divided by P. A printed rate is the
    // upper bound of the rate. The lower bound is close to it, and so is the estimate that the chart draws. In 40,000 simulated
    // filters of Guava for 10 items, the rate was 0.010545 with a standard error of 0.000026; with ideal hashes it would be
    // 0.0025.
    for (name, items, rate, expected) in [
        ("guava", 10, 0.01, 1.052_838),
        ("guava", 2_000, 0.01, 1.000_98),
        ("redis", 100_000, 0.01, 0.501_761),
        ("redis-nonscaling", 100_000, 0.01, 1.003_899),
        ("parquet", 100_000, 0.01, 1.019_101_8),
        ("parquet", 1_000_000, 0.01, 0.103_457_79),
    ] {
        let figure = sizing(items, rate, &[name]).figure(None).unwrap();
        let series = &figure.series[0];
        let got = series.dots.last().or(series.curve.last()).unwrap().y;
        assert!((got / expected - 1.0).abs() < 2e-4, "{name}: {got}");
    }
}

#[test]
fn steps_that_run_together_are_a_band_around_their_mean() {
    let rules = ["textbook", "guava", "ours"];
    let figure = sizing(2_000, 0.01, &rules).figure(None).unwrap();
    let [textbook, guava, ours] = &figure.series[..] else {
        panic!("three rules");
    };
    assert!(textbook.band.is_empty() && ours.band.is_empty());
    assert!(guava.band.len() > 100 && figure.note.contains("Bands of close teeth"));
    // For 0.05, Guava computes 12,470 bits, rounds them up to 195 words of 64, and uses 4 hashes.
    let truth = exact::rate(2_000, 195 * 64, 4).unwrap().value() / 0.05;
    let near = guava
        .band
        .iter()
        .filter(|span| (span.x / 0.05_f64).ln().abs() < 0.1);
    assert!(near.clone().count() > 0);
    assert!(
        near.clone()
            .any(|span| (span.low..=span.high).contains(&truth)),
        "{truth}"
    );
    // With many items, rounding the bits to a whole word changes the rate so little that the curve has no visible teeth. So the
    // curve is not a mean, and has no band.
    let figure = sizing(200_000, 0.01, &rules).figure(None).unwrap();
    assert!(figure.series.iter().all(|series| series.band.is_empty()));
    assert!(!figure.note.contains("Bands"));
    let expected = exact::rate(200_000, 1_917_056, 7).unwrap().value() / 0.01;
    assert_close(figure.series[1].curve.last().unwrap().y, expected, 1e-4);
}

#[test]
fn bounds_that_are_apart_are_a_band_around_the_estimate() {
    let figure = sizing(30, 1e-4, &["spark", "ours"]).figure(None).unwrap();
    let [spark, ours] = &figure.series[..] else {
        panic!("two rules");
    };
    assert!(ours.band.is_empty() && figure.note.contains("Bands around estimates"));
    for (point, span) in spark.curve.iter().zip(&spark.band) {
        assert!(span.low <= point.y && point.y <= span.high, "{span:?}");
    }
    let like = bloom_params::like::system("spark").unwrap();
    let query = bloom_params::Query {
        items: Some(30),
        rate: Some(1e-4),
        filter: bloom_params::Filter::of_system(like),
        ..bloom_params::Query::default()
    };
    let highest = query.solve().unwrap().rate.value() / 1e-4;
    assert_close(spark.band.last().unwrap().high, highest, 1e-12);
}

#[test]
fn unknown_rules_and_filters_that_a_library_does_not_build_are_refused() {
    let with = |name: &str, items| {
        let refused = sizing(items, 1e-6, &[name]).figure(None);
        refused.unwrap_err().to_string()
    };
    for unknown in ["guva", "", "rocksdb"] {
        let expected = format!("library must be one that takes n and p, got {unknown:?}");
        assert_eq!(with(unknown, 10), expected);
    }
    assert_eq!(
        with("redis", (1 << 30) + 1),
        "redis takes at most 1,073,741,824 items, got 1,073,741,825"
    );
}

#[test]
fn measured_points_lie_on_the_exact_curves() {
    let effort = Some(Effort::new(31, 5_000, 1).unwrap());
    let (mut all, mut outside) = (0, 0);
    let by_hashes = RateByHashes {
        items: 500,
        bits: 5_000,
        hashes: None,
    };
    let figures = [
        by_bits().figure(effort).unwrap(),
        by_hashes.figure(effort).unwrap(),
    ];
    // The chart has the discs of the exact model also if it has measured points.
    let exact_ones = series(&figures[1], "exact");
    assert_eq!(exact_ones.dots.len(), exact_ones.measured.len());
    for (figure, bits_of) in figures.iter().zip([true, false]) {
        for own in &figure.series {
            for point in &own.measured {
                let bloom_plot::curves::Measured { x, low, high, .. } = *point;
                let rate = if bits_of {
                    let hashes = own.label.trim_start_matches("k = ").parse().unwrap();
                    exact::rate(1_000, (x * 1_000.0).round() as u64, hashes)
                } else {
                    exact::rate(500, 5_000, x as u8)
                };
                all += 1;
                outside += u32::from(!(low..=high).contains(&rate.unwrap().value()));
            }
        }
    }
    // Each of the 37 intervals contains the exact rate with a probability of 99 %. With random seeds, 9 or more of them would
    // miss it in fewer than one of 10^9 runs. If a wrong rate were outside of each interval with a probability of a quarter, the
    // test would fail with a probability of 0.6.
    assert!(
        (30..=40).contains(&all) && outside < 9,
        "{outside} of {all}"
    );
}

#[test]
fn invalid_parameters_are_named_in_the_error() {
    let error = |figure: Result<Figure, FigureError>| figure.unwrap_err().to_string();
    let with = |hashes: &[u8], bits_per_item| {
        let question = RateByBits {
            hashes: hashes.to_vec(),
            bits_per_item,
            ..by_bits()
        };
        error(question.figure(None))
    };
    assert_eq!(with(&[], 24.0), "k needs at least one number, got none");
    assert_eq!(
        with(&[3, 3], 24.0),
        "k must be a list without repetitions, got 3 twice"
    );
    assert_eq!(
        with(&[1, 2, 3, 4, 5, 6, 7], 24.0),
        "k must have at most 6 entries to be told apart, got 7"
    );
    for wrong in [0.5, f64::NAN, 1e4] {
        let message = with(&[3], wrong);
        assert!(message.starts_with("bits per item must be from 2 to 1,000, got "));
    }
    let lowest = sizing(10, 0.2, &["ours"]);
    assert_eq!(
        error(lowest.figure(None)),
        "p must be from 1e-12 to 0.1, got 0.2"
    );
    assert_eq!(
        error(
            BitsByRate {
                items: 0,
                rate: 0.01,
            }
            .figure(None)
        ),
        "n must be at least 1, got 0"
    );
    // Errors print rates as users write them, such as 1e-300, and not with all zeros.
    for (rate, got) in [(1e-300, "1e-300"), (1e-15, "1e-15"), (0.25, "0.25")] {
        let expected = format!("p must be from 1e-12 to 0.1, got {got}");
        assert_eq!(error(BitsByRate { items: 10, rate }.figure(None)), expected);
    }
    let hashes = RateByHashes {
        items: 10,
        bits: 100,
        hashes: Some(1),
    };
    assert_eq!(
        error(hashes.figure(None)),
        "k must be at least 2 to make a curve, got 1"
    );
}
