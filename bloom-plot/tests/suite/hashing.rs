//! Tests of the chart of double hashing's cost: its predicted and its measured rates.

use crate::common::series;
use bloom_core::math::exact;
use bloom_plot::curves::Measured;
use bloom_plot::measure::Effort;
use bloom_plot::{HashingError, Measurable};

fn question() -> HashingError {
    HashingError {
        bits_per_item: 10,
        hashes: Some(7),
        bits: 1_024,
    }
}

/// The rates of plain and enhanced double hashing with k = 7 and n = m/10, by enumeration of all
/// pairs of hash values, to five decimals.
const ENUMERATED: [(f64, f64, f64); 5] = [
    (64.0, 0.02632, 0.00814),
    (128.0, 0.02002, 0.01011),
    (256.0, 0.01444, 0.00949),
    (512.0, 0.01079, 0.00836),
    (1_024.0, 0.00942, 0.00820),
];

fn independent(bits: f64) -> f64 {
    let items = (bits / 10.0).round() as u64;
    exact::rate(items, bits as u64, 7).unwrap().value()
}

#[test]
fn the_excess_of_double_hashing_is_predicted_as_enumerated() {
    let figure = question().figure(None).unwrap();
    let (plain, enhanced) = (series(&figure, "plain"), series(&figure, "enhanced"));
    assert_eq!([plain, enhanced].map(|one| one.curve.len()), [5; 2]);
    for ((one, two), (bits, p_plain, p_enhanced)) in
        plain.curve.iter().zip(&enhanced.curve).zip(ENUMERATED)
    {
        assert_eq!((one.x, two.x), (bits, bits));
        let truth = independent(bits);
        // The tolerance is a little over half a unit of the fifth decimal of a rate. Above 256 bits, the chart does not
        // enumerate, because that is slow, but uses the first term of a series, so the tolerance is larger by 0.002.
        let left = 6e-6 / truth + if bits > 256.0 { 2e-3 } else { 0.0 };
        assert!((one.y - p_plain / truth).abs() < left, "{one:?}");
        assert!((two.y - p_enhanced / truth).abs() < left, "{two:?}");
    }
    // Only the points that were computed by enumeration have discs.
    assert!(
        plain.thin && plain.dots == plain.curve[..3],
        "{:?}",
        plain.dots
    );
    assert!(enhanced.thin && enhanced.dots == enhanced.curve[..3]);
    let ours = series(&figure, "ours");
    assert!(ours.curve.iter().all(|point| point.y == 1.0));
}

#[test]
fn double_hashing_has_the_enumerated_rates_and_our_hashing_the_independent_rates() {
    let effort = |seed| Effort::new(2_000, 500, seed).unwrap();
    let figures = [1, 2].map(|seed| question().figure(Some(effort(seed))).unwrap());
    let hashings = [("plain", 0), ("enhanced", 1), ("ours", 2)];
    let (mut all, mut outside) = (0, 0);
    for (figure, (label, index)) in figures
        .iter()
        .flat_map(|figure| hashings.map(|hashing| (figure, hashing)))
    {
        let points = &series(figure, label).measured;
        assert_eq!(points.len(), ENUMERATED.len());
        for (point, (bits, plain, enhanced)) in points.iter().zip(ENUMERATED) {
            let truth = independent(bits);
            let expected = [plain / truth, enhanced / truth, 1.0][index];
            let Measured { low, high, .. } = *point;
            assert!(!point.is_bound, "{label} has hits at {bits}");
            // The enumerated rates are accurate to half a unit of their last digit.
            let slack = 5e-6 / truth;
            all += 1;
            outside += u32::from(!(low - slack..=high + slack).contains(&expected));
            assert!(high / low < 1.25, "{label} at {bits} is known well");
        }
    }
    // With random seeds, 8 or more of the 30 intervals, which are for 99 %, would by chance not contain the expected rate less
    // than once in 10^9 runs. An interval spans at most 25 %. So if the measured rate of a scheme were off by more than that,
    // nearly all 10 points of the scheme would lie outside.
    assert!(all == 30 && outside < 8, "{outside} of {all}");
}

#[test]
fn the_axis_ends_at_any_number_of_bits_and_the_curves_reach_it() {
    let question = HashingError {
        bits: 1_000,
        ..question()
    };
    let figure = question
        .figure(Some(Effort::new(2, 10, 1).unwrap()))
        .unwrap();
    assert_eq!((figure.x.from, figure.x.to), (64.0, 1_000.0));
    for series in &figure.series {
        let last = series.curve.last().unwrap();
        assert_eq!(last.x, 1_024.0, "{}", series.label);
        // Beyond the end of the axis nothing is measured.
        assert_eq!(series.measured.last().unwrap().x, 512.0);
    }
    assert!(figure.description.contains(" at 512; "));
    // In small filters, the rate with enhanced double hashing may be far above the rate with independent positions, which is
    // drawn as 1.
    let small = HashingError {
        bits: 128,
        hashes: Some(14),
        bits_per_item: 19,
    };
    let description = small.figure(None).unwrap().description;
    let stated = "with enhanced double hashing 15.4 and ";
    assert!(description.contains(stated), "{description}");
}

#[test]
fn invalid_parameters_are_named_in_the_error() {
    let with = |change: &dyn Fn(&mut HashingError)| {
        let mut wrong = question();
        change(&mut wrong);
        wrong.figure(None).unwrap_err().to_string()
    };
    for (message, expected) in [
        (
            with(&|wrong| wrong.bits_per_item = 3),
            "bits per item must be from 4 to 20, got 3",
        ),
        (
            with(&|wrong| wrong.hashes = Some(2)),
            "k must be from 3 to 14, got 2",
        ),
        (
            with(&|wrong| wrong.bits = 100),
            "m must be from 128 to 1,099,511,627,776, got 100",
        ),
    ] {
        assert_eq!(message, expected);
    }
}
