//! Tests of measured rates: they must agree with the exact rates except by chance, and 99 % intervals must contain the exact
//! rate about as often as they claim.

use bloom_core::Shape;
use bloom_core::math::{exact, spread};
use bloom_plot::curves::Measured;
use bloom_plot::measure::{Effort, Sample, measure};
use bloom_plot::{Figure, FigureError, Measurable, RateByBits, RateByItems};

/// How many standard deviations a mean may be off. By chance, it is further off 0.6 times in 10^9. An error of exactly this
/// size is noticed with a probability of 0.5, and an error of 1.5 times this size with 0.999.
const SIGMAS: f64 = 6.2;

/// The greatest probability with which a test would fail by chance if its seeds were random.
const CHANCE: f64 = 1e-9;

/// Returns the default effort of `bloom-plot rate-by-items`, but with 31 filters in place of 20.
fn large_effort() -> Effort {
    Effort::new(31, 20_000, 1).unwrap()
}

fn measured(bits: u64, hashes: &[u8], effort: Effort) -> Figure {
    let question = RateByItems {
        bits,
        hashes: hashes.to_vec(),
        best: false,
        items: None,
    };
    question.figure(Some(effort)).unwrap()
}

fn exact_rate(items: f64, bits: u64, hashes: u8) -> f64 {
    exact::rate(items as u64, bits, hashes).unwrap().value()
}

/// Returns how many of `trials` events with a probability of 1 % may occur; more occur with a probability of at most
/// [`CHANCE`].
fn most_outside(trials: usize) -> usize {
    let mut chance = 0.99_f64.powi(trials as i32);
    let (mut below, mut count) = (chance, 0);
    while 1.0 - below > CHANCE {
        chance *= (trials - count) as f64 / (count + 1) as f64 * 0.01 / 0.99;
        count += 1;
        below += chance;
    }
    count
}

/// Returns the number of measured points, and how many of their intervals do not contain the exact rate of filters with `more`
/// additional hashes.
fn outside(figure: &Figure, bits: u64, hashes: &[u8], more: u8) -> (usize, usize) {
    let (mut all, mut outside) = (0, 0);
    for (series, hashes) in figure.series.iter().zip(hashes) {
        for point in &series.measured {
            let rate = exact_rate(point.x, bits, hashes + more);
            let includes = (point.low..=point.high).contains(&rate);
            all += 1;
            outside += usize::from(!includes);
        }
    }
    (all, outside)
}

#[test]
fn confidence_intervals_contain_the_exact_rate_as_often_as_they_claim() {
    let (mut all, mut out) = (0, 0);
    let several: Vec<u8> = (1..=8).collect();
    let efforts = [
        (20_000, &[3, 5, 7][..], large_effort()),
        (20_000, &several, Effort::new(8, 2_000, 1).unwrap()),
        (1_024, &several, Effort::new(3, 1_100, 1).unwrap()),
        (64, &several, Effort::new(308, 100, 1).unwrap()),
        (97, &[1, 2, 14], Effort::new(31, 500, 1).unwrap()),
    ];
    for (bits, hashes, effort) in efforts {
        let figure = measured(bits, hashes, effort);
        let (points, points_out) = outside(&figure, bits, hashes, 0);
        assert!(
            points >= 8 * hashes.len(),
            "{bits} bits have {points} points"
        );
        let most = most_outside(points);
        assert!(
            points_out <= most,
            "{points_out} of {points} at {bits} bits, over {most}"
        );
        (all, out) = (all + points, out + points_out);
    }
    assert!(
        out <= most_outside(all),
        "{out} of {all} points exclude the rate"
    );
}

#[test]
fn confidence_intervals_exclude_the_rate_of_one_more_hash() {
    let hashes = [3, 5, 7];
    let figure = measured(20_000, &hashes, Effort::new(20, 2_000, 1).unwrap());
    let (all, out) = outside(&figure, 20_000, &hashes, 1);
    assert!(out > all / 2 && out > most_outside(all), "{out} of {all}");
}

#[test]
fn measured_rates_agree_with_the_exact_rate() {
    let hashes = [3, 5, 7];
    for (bits, effort) in [
        (20_000, large_effort()),
        (256, Effort::new(616, 500, 1).unwrap()),
    ] {
        let (filters, queries) = (effort.filters() as f64, effort.queries() as f64);
        let figure = measured(bits, &hashes, effort);
        let mut compared = 0;
        for (series, hashes) in figure.series.iter().zip(hashes) {
            for point in &series.measured {
                let Measured { x, y, is_bound, .. } = *point;
                if is_bound {
                    continue;
                }
                let model = spread(x as u64, bits, hashes).unwrap();
                let (mean, between) = (model.mean.value(), model.standard_deviation);
                // If fewer false positives are expected, the distribution of the mean is too far from a normal one, so the
                // point is skipped.
                if mean * filters * queries < 154.0 {
                    continue;
                }
                let square = between * between + mean * mean;
                let variance = between * between / filters + (mean - square) / (filters * queries);
                let off = (y - mean).abs() / variance.sqrt();
                assert!(
                    off <= SIGMAS,
                    "{off} sigma at n = {x}, m = {bits}, k = {hashes}"
                );
                compared += 1;
            }
        }
        assert!(compared > 20, "only {compared} points were compared");
    }
}

#[test]
fn the_variance_of_a_sample_is_that_between_filters_plus_that_of_queries() {
    let (items, bits, hashes, queries) = (100, 1_000, 7, 8_000);
    let effort = Effort::new(700, queries, 1).unwrap();
    let sample = measure(items, Shape::new(bits, hashes).unwrap(), effort).unwrap();
    let filters = sample.hits.len() as f64;
    let rates = sample.hits.iter().map(|hits| *hits as f64 / queries as f64);
    let mean = rates.clone().sum::<f64>() / filters;
    let variance = rates.map(|rate| (rate - mean).powi(2)).sum::<f64>() / (filters - 1.0);

    let model = spread(items, bits, hashes).unwrap();
    let (rate, between) = (model.mean.value(), model.standard_deviation.powi(2));
    let of_queries = (rate - between - rate * rate) / queries as f64;
    // The standard deviation of the sample variance of a normal variable, relative to the variance. Large sample variances are
    // more likely than in a normal distribution, so the tolerance is a little larger than for one.
    let sigma = (2.0 / (filters - 1.0)).sqrt();
    let allowed = (SIGMAS + (SIGMAS * SIGMAS - 1.0) * 2.0 * sigma / 6.0) * sigma;
    let off = variance / (between + of_queries) - 1.0;
    assert!(off.abs() <= allowed, "off by {off}, allowed is {allowed}");
    // The rates must differ by more than the random choice of the queries alone explains.
    assert!(variance / of_queries - 1.0 > allowed);
}

#[test]
fn the_same_seed_gives_the_same_figure_and_another_seed_other_points() {
    let figure = |seed| measured(2_000, &[3], Effort::new(3, 500, seed).unwrap());
    assert_eq!(figure(1), figure(1));
    let (one, two) = (figure(1), figure(2));
    assert_eq!(one.series[0].curve, two.series[0].curve);
    assert_ne!(one.series[0].measured, two.series[0].measured);
}

#[test]
fn a_point_without_hits_is_a_bound_that_the_note_explains() {
    let effort = Effort::new(2, 100, 1).unwrap();
    let figure = measured(20_000, &[7], effort);
    let bounds = figure.series[0].measured.iter().filter_map(|point| {
        assert!(point.y > 0.0);
        point.is_bound.then_some(point.high)
    });
    let bounds: Vec<f64> = bounds.collect();
    assert!(!bounds.is_empty());
    for bound in bounds {
        assert!((bound - (1.0 - 0.01_f64.powf(1.0 / 200.0))).abs() < 1e-12);
        assert!(
            figure
                .y
                .share(bound)
                .is_some_and(|share| (0.0..1.0).contains(&share))
        );
    }
    assert!(
        figure
            .note
            .contains("Arrows: 99% upper bound, where there was no false positive.")
    );
    let all_hit = measured(64, &[1], Effort::new(50, 1_000, 1).unwrap());
    assert!(!all_hit.note.contains("Arrows"));
}

#[test]
fn efforts_out_of_range_are_refused() {
    for filters in [0, 1, 10_001] {
        let error = Effort::new(filters, 1, 1).unwrap_err();
        let expected = format!("filters must be from 2 to 10,000, got {filters}");
        assert_eq!(error.to_string(), expected);
    }
    let error = Effort::new(2, 0, 1).unwrap_err();
    assert_eq!(error.to_string(), "queries must be at least 1, got 0");
}

#[test]
fn a_filter_that_does_not_fit_in_memory_is_an_error() {
    let shape = Shape::new(1 << 62, 3).unwrap();
    let error = measure(1, shape, Effort::new(2, 1, 1).unwrap()).unwrap_err();
    let message = FigureError::from(error).to_string();
    assert!(message.starts_with("bits must fit in memory, got 4611686018427387904"));
}

#[test]
fn the_filters_of_a_sample_differ() {
    let shape = Shape::new(1_000, 5).unwrap();
    let Sample { hits, queries } =
        measure(100, shape, Effort::new(30, 10_000, 1).unwrap()).unwrap();
    assert_eq!((hits.len(), queries), (30, 10_000));
    let mut distinct = hits.clone();
    distinct.sort_unstable();
    distinct.dedup();
    // On average, the 30 counts have 22 distinct values, because their standard deviation is 13. They have 10 or fewer by
    // chance less than once in 10^9 runs. Identical filters with identical queries would give a single value.
    assert!(distinct.len() > 10, "{hits:?}");
}

/// Returns the sum of the products of standardised pairs, divided by the square root of the number of pairs. If the two numbers
/// of a pair are independent and there are many pairs, the result has approximately a standard normal distribution.
fn correlation_in_sigmas(pairs: &[(f64, f64)]) -> f64 {
    let sum: f64 = pairs.iter().map(|(one, other)| one * other).sum();
    sum / (pairs.len() as f64).sqrt()
}

/// Returns the mean and the standard deviation that the model gives for the measured rate of a point, which is the mean over
/// the filters of the point.
fn of_mean(items: u64, bits: u64, hashes: u8, effort: Effort) -> (f64, f64) {
    let model = spread(items, bits, hashes).unwrap();
    let (mean, between) = (model.mean.value(), model.standard_deviation.powi(2));
    let of_queries = mean - between - mean * mean;
    let variance = between / effort.filters() as f64 + of_queries / effort.all_queries();
    (mean, variance.sqrt())
}

/// With 1,800 pairs, a correlation of up to 0.146 is tolerated. By chance, it is larger 0.6 times in 10^9. A correlation of
/// 0.22 would be noticed with a probability of 0.999. When filters of different sizes had the same hashers, the correlation was
/// 0.34.
#[test]
fn neighbouring_points_of_a_curve_are_uncorrelated() {
    let (items, hashes) = (200, 2);
    let mut pairs = Vec::new();
    for seed in 0..300 {
        let effort = Effort::new(2, 500, seed).unwrap();
        let question = RateByBits {
            items,
            hashes: vec![hashes],
            bits_per_item: 8.0,
        };
        let figure = question.figure(Some(effort)).unwrap();
        let off: Vec<f64> = figure.series[0]
            .measured
            .iter()
            .map(|point| {
                let bits = (point.x * items as f64).round() as u64;
                let (mean, deviation) = of_mean(items, bits, hashes, effort);
                (point.y - mean) / deviation
            })
            .collect();
        pairs.extend(off.windows(2).map(|pair| (pair[0], pair[1])));
    }
    assert_eq!(pairs.len(), 1_800);
    let off = correlation_in_sigmas(&pairs);
    assert!(off.abs() <= SIGMAS, "a correlation of {off} sigma");
}

/// With 1,000 filters, a correlation of up to 0.2 is tolerated. By chance, it is larger 0.6 times in 10^9.
#[test]
fn points_that_differ_in_items_bits_or_hashes_use_independent_filters() {
    let effort = Effort::new(1_000, 200, 1).unwrap();
    let single = Effort::new(2, 200, 1).unwrap();
    let off = |items, bits, hashes| -> Vec<f64> {
        let shape = Shape::new(bits, hashes).unwrap();
        let sample = measure(items, shape, effort).unwrap();
        let (mean, deviation) = of_mean(items, bits, hashes, single);
        // `deviation` is the standard deviation of the mean of two filters.
        let of_one = deviation * 2_f64.sqrt();
        let rates = sample.hits.iter().map(|hits| *hits as f64 / 200.0);
        rates.map(|rate| (rate - mean) / of_one).collect()
    };
    let one = off(100, 500, 3);
    for (items, bits, hashes) in [(101, 500, 3), (100, 501, 3), (100, 500, 4)] {
        let other = off(items, bits, hashes);
        let pairs: Vec<_> = one.iter().copied().zip(other).collect();
        let off = correlation_in_sigmas(&pairs);
        assert!(
            off.abs() <= SIGMAS,
            "a correlation of {off} sigma with n = {items}, m = {bits}, k = {hashes}"
        );
    }
}
