//! Tests of the data of charts: computed curves, ranges of axes, texts, and errors for invalid parameters.

use bloom_core::Shape;
use bloom_core::math::exact;
use bloom_plot::curves::Series;
use bloom_plot::measure::Effort;
use bloom_plot::{CounterOverflow, Measurable, ModelError, RateByItems, Trust};

fn question(bits: u64, hashes: &[u8]) -> RateByItems {
    RateByItems {
        bits,
        hashes: hashes.to_vec(),
        best: false,
        items: None,
    }
}

#[test]
fn every_point_of_a_curve_is_the_exact_rate() {
    let hashes = [1, 3, 5, 7, 255];
    for bits in [1, 64, 20_000, 1 << 40, 1 << 63] {
        let figure = question(bits, &hashes).figure(None).unwrap();
        assert_eq!(figure.series.len(), hashes.len());
        for (series, hashes) in figure.series.iter().zip(hashes) {
            assert_eq!(series.label, format!("k = {hashes}"));
            assert!(!series.curve.is_empty() && series.measured.is_empty());
            for point in &series.curve {
                let rate = exact::rate(point.x as u64, bits, hashes).unwrap().value();
                assert!(point.x.fract() == 0.0 && point.y == rate, "{point:?}");
            }
        }
    }
}

#[test]
fn curves_run_from_one_item_to_clearly_overfull_and_the_axis_shows_their_upper_part() {
    let figure = question(20_000, &[3, 5, 7]).figure(None).unwrap();
    assert_eq!((figure.x.from, figure.x.to), (0.0, 7_400.0));
    assert!((figure.y.from - 1e-6).abs() < 1e-18);
    assert!(figure.y.to > 1.0 && figure.y.to < 2.0);
    for Series { curve, .. } in &figure.series {
        // The curve also has points below the lower end of the vertical axis, so that a user can ask for a range that shows
        // them.
        assert!(curve[0].x == 1.0 && curve[0].y < figure.y.from);
        let shown = curve.iter().filter(|point| point.y >= figure.y.from);
        assert!(shown.count() > 150);
        assert!(curve.last().unwrap().y >= 0.3);
        assert!((curve.last().unwrap().x - 7_400.0).abs() < 0.5);
    }
}

#[test]
fn the_best_k_is_nowhere_above_a_curve() {
    let alone = question(20_000, &[2, 6]);
    let question = RateByItems {
        best: true,
        ..alone.clone()
    };
    let figure = question.figure(None).unwrap();
    let [two, six, best] = &figure.series[..] else {
        panic!("three curves");
    };
    assert_eq!((&*best.label, best.dashed), ("best k", true));
    assert_eq!(figure.series[..2], alone.figure(None).unwrap().series[..]);
    assert!(best.curve[0].y < 1e-200);
    let (mut met, mut shown) = (0, 0);
    for point in best.curve.iter().filter(|point| point.y >= figure.y.from) {
        let items = point.x as u64;
        let rate = |hashes| exact::rate(items, 20_000, hashes).unwrap().value();
        let least = (1..=60).map(rate).fold(1.0, f64::min);
        assert!((point.y / least - 1.0).abs() < 1e-12, "{point:?}");
        met += usize::from([2, 6].map(rate).contains(&point.y));
        shown += 1;
    }
    // The curve of the best k coincides with the curve of k = 2 or of k = 6 only where the best k is 2 or 6.
    assert!((10..shown / 2).contains(&met), "{met} of {shown}");
    assert!(two.curve.last().unwrap().y >= best.curve.last().unwrap().y);
    assert!(six.curve.last().unwrap().y > best.curve.last().unwrap().y);
    let many = RateByItems {
        hashes: (1..=8).collect(),
        ..question
    };
    assert_eq!(
        many.figure(None).unwrap_err().to_string(),
        "k beside the best must have at most 7 entries to be told apart, got 8"
    );
}

#[test]
fn the_item_axis_ends_at_the_given_number() {
    for items in [2, 100, 2_000, 1_000_000, u64::MAX] {
        let question = RateByItems {
            items: Some(items),
            ..question(20_000, &[3, 7])
        };
        let figure = question.figure(None).unwrap();
        assert!((figure.x.to - items as f64).abs() < 0.5);
        for series in &figure.series {
            let end = series.curve.last().unwrap();
            assert!((end.x - items as f64).abs() < 0.5);
            // If a curve ended before its disc, the disc would seem to belong to another curve.
            assert!(series.dots.iter().all(|dot| dot.x <= end.x), "{items}");
            assert!(
                figure
                    .y
                    .share(end.y)
                    .is_some_and(|share| (0.1..=1.0).contains(&share))
            );
        }
    }
}

#[test]
fn the_description_states_what_the_figure_shows() {
    let effort = Effort::new(2, 100, 1).unwrap();
    let figure = question(20_000, &[3, 5]).figure(Some(effort)).unwrap();
    assert_eq!(figure.title, "False-positive rate by items, m = 20,000");
    assert_eq!(
        figure.description,
        "The false-positive rate p of a Bloom filter of 20,000 bits rises \
         with its items n, up to 7,400 items, where p is about 0.3 for k = 3 and 0.43 for k = 5; \
         the points beside the curves were measured on 2 real filters each."
    );
    let alone = question(1, &[3]).figure(None).unwrap();
    assert_eq!(alone.title, "False-positive rate by items, m = 1");
    assert!(
        alone
            .note
            .starts_with("Lines: exact model. Discs: half full")
    );
    assert!(alone.description.ends_with("where p is about 1 for k = 3."));
}

#[test]
fn descriptions_hold_for_extreme_options() {
    let trust = Trust {
        rates: vec![0.5],
        prevalence: 0.1,
    };
    let trust = trust.figure(None).unwrap().description;
    let stated = "p = 0.5 from 0.18 at one member in 10 queries to 0.666667 at one in 2.";
    assert!(trust.ends_with(stated), "{trust}");
    // With one hash the textbook's formula is exact.
    let model = ModelError {
        bits_per_item: vec![1, 20],
        bits: 1_000,
    };
    let model = model.figure().unwrap().description;
    let stated =
        "With m/n = 1, k = 1 and 64 bits the textbook formula lacks 0 %, the asymptotic one ";
    assert!(model.contains(stated), "{model}");
    // A counter of one bit is at its top after one item; for counters of 16 bits, the chance is below the axis.
    let overflow = CounterOverflow {
        shape: Shape::new(1_000, 7).unwrap(),
        widths: vec![1, 16],
    };
    let overflow = overflow.figure(None).unwrap().description;
    let stated = "with 99 items, it is 1 with 1 bit, below 1e-20 with 16 bits.";
    assert!(overflow.ends_with(stated), "{overflow}");
    for description in [trust, model, overflow] {
        // Flags can make an axis linear or logarithmic, so no description may say which of the two it is.
        for scale in ["logarithmic", "rises with the items"] {
            assert!(!description.contains(scale), "{description}");
        }
    }
}

#[test]
fn invalid_parameters_are_refused() {
    let good = || question(20_000, &[3]);
    let cases = [
        (
            question(20_000, &[]),
            "k needs at least one number, got none",
        ),
        (
            question(20_000, &[3, 5, 3]),
            "k must be a list without repetitions, got 3 twice",
        ),
        (
            question(20_000, &[1, 2, 3, 4, 5, 6, 7, 8, 9]),
            "k must have at most 8 entries to be told apart, got 9",
        ),
        (question(20_000, &[0]), "hashes must be at least 1, got 0"),
        (question(0, &[3]), "bits must be at least 1, got 0"),
        (
            question((1 << 63) + 1, &[3]),
            "bits must be at most 2^63 (9223372036854775808), got 9223372036854775809",
        ),
        (
            RateByItems {
                items: Some(1),
                ..good()
            },
            "n must be at least 2 to make a curve, got 1",
        ),
        (
            RateByItems {
                items: Some(10),
                ..question(1 << 60, &[3, 100])
            },
            "p must reach 1e-300 to be drawn, got less up to n = 10 at \
             m = 1,152,921,504,606,846,976, k = 100",
        ),
    ];
    for (question, message) in cases {
        let got = question.figure(None).unwrap_err().to_string();
        assert!(got.starts_with(message), "{question:?}: {got}");
    }
}

#[test]
fn measuring_beyond_the_step_limit_is_refused() {
    let huge = RateByItems {
        items: Some(2),
        ..question(1 << 63, &[1])
    };
    let cases = [
        (question(20_000, &[3]), 10_000, 10_000_000, ""),
        (
            question(20_000, &[3]),
            10_000,
            u64::MAX,
            "queries, words cleared), got more than 18,446,744,073,709,551,615",
        ),
        (huge, 2, 1, ""),
    ];
    for (question, filters, queries, rest) in cases {
        let effort = Effort::new(filters, queries, 1).unwrap();
        let got = question.figure(Some(effort)).unwrap_err().to_string();
        let start = format!("measuring must take at most 2,000,000,000 steps (inserts, {rest}");
        assert!(got.starts_with(&start), "{question:?}: {got}");
    }
}
