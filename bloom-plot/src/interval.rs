//! What measured hits say about the mean rate of all filters of a shape, and how surely.
//!
//! A measured rate scatters for two reasons: each filter has a rate of its own, given by the bits
//! it happens to have set, and each is asked only so many queries. The rates that single filters
//! show scatter by both, so their standard deviation s holds both, with no help from theory:
//!
//! ```text
//! interval = r exp(± t s / (r sqrt F)),   r = mean rate of F filters
//! ```
//!
//! with Student's t for F - 1 degrees of freedom: taken about ln r, as rates scatter by ratios, and
//! then never below 0. Where hits are few the scatter of counts is no longer that of Student, and
//! may by chance not show at all. There the interval is widened to Garwood's, exact for a Poisson
//! count of hits; and likewise where misses are few. Where there is no hit at all, all that is known
//! is an upper bound: with a rate above
//!
//! ```text
//! -ln(1 - 0.99) / (F Q)
//! ```
//!
//! F Q queries would have had a hit with more than 99 %.
//!
//! Sources: Student (1908), *The probable error of a mean*; Garwood (1936), *Fiducial limits for
//! the Poisson distribution*.

use std::f64::consts::FRAC_PI_2;

use crate::curves::Measured;
use crate::measure::Sample;

/// How often an interval holds the true rate, and a bound is above it.
pub const CONFIDENCE: f64 = 0.99;

/// Up to so many hits, or misses, are few.
const FEW: u64 = 100;

/// Steps that halve a range until it cannot be halved in `f64`.
const HALVINGS: u32 = 64;

/// Returns the mean rate of a sample with its interval, or the bound if there was no hit, as the
/// point at `x`.
///
/// # Examples
///
/// ```
/// use bloom_plot::curves::Measured;
/// use bloom_plot::interval::measured;
/// use bloom_plot::measure::Sample;
///
/// let none = Sample { hits: vec![0; 20], queries: 1_000 };
/// let Measured::Below { bound, .. } = measured(5.0, &none) else { panic!("no hit is no value") };
/// assert!((bound - 4.605 / 20_000.0).abs() < 1e-7);
/// ```
pub fn measured(x: f64, sample: &Sample) -> Measured {
    let filters = sample.hits.len() as f64;
    let asked = filters * sample.queries as f64;
    let hits: u64 = sample.hits.iter().sum();
    if hits == 0 {
        let bound = (-(1.0 - CONFIDENCE).ln() / asked).min(1.0);
        return Measured::Below { x, bound };
    }
    let y = hits as f64 / asked;
    let mean = hits as f64 / filters;
    let squares = sample.hits.iter().map(|hits| (*hits as f64 - mean).powi(2));
    let deviation = (squares.sum::<f64>() / (filters - 1.0)).sqrt();
    let student = student_quantile(sample.hits.len() as u64 - 1);
    let ratio = (student * deviation / (mean * filters.sqrt())).exp();
    let (mut low, mut high) = (y / ratio, y * ratio);
    if hits <= FEW {
        let (fewest, most) = poisson_interval(hits);
        low = low.min(fewest / asked);
        high = high.max(most / asked);
    }
    let misses = asked as u64 - hits;
    if misses <= FEW {
        let (fewest, most) = poisson_interval(misses);
        low = low.min(1.0 - most / asked);
        high = high.max(1.0 - fewest / asked);
    }
    Measured::Value {
        x,
        y,
        low: low.max(0.0),
        high: high.min(1.0),
    }
}

/// Returns the share of `trials` in which something was seen, with the interval of Clopper and
/// Pearson, exact for independent trials; or the bound if it never was.
///
/// Source: Clopper and Pearson (1934), *The use of confidence or fiducial limits illustrated in the
/// case of the binomial*.
pub fn share(x: f64, seen: u64, trials: u64) -> Measured {
    let tail = (1.0 - CONFIDENCE) / 2.0;
    if seen == 0 {
        let bound = 1.0 - (1.0 - CONFIDENCE).powf(1.0 / trials as f64);
        return Measured::Below { x, bound };
    }
    let low = root(0.0, 1.0, |share| {
        binomial_up_to(seen - 1, trials, share) <= 1.0 - tail
    });
    let high = root(0.0, 1.0, |share| {
        binomial_up_to(seen, trials, share) <= tail
    });
    Measured::Value {
        x,
        y: seen as f64 / trials as f64,
        low,
        high,
    }
}

/// Returns the chance of at most `events` in `trials` of this chance each.
fn binomial_up_to(events: u64, trials: u64, chance: f64) -> f64 {
    if events >= trials {
        return 1.0;
    }
    let odds = (chance / (1.0 - chance)).ln();
    let mut term = trials as f64 * (-chance).ln_1p();
    let mut sum = term.exp();
    for event in 1..=events {
        term += odds + ((trials - event + 1) as f64 / event as f64).ln();
        sum += term.exp();
    }
    sum.min(1.0)
}

/// Returns the t that Student's variable with so many degrees of freedom stays within, on both
/// sides of 0, with [`CONFIDENCE`].
fn student_quantile(freedom: u64) -> f64 {
    let angle = root(0.0, FRAC_PI_2, |angle| {
        within_angle(angle, freedom) >= CONFIDENCE
    });
    (freedom as f64).sqrt() * angle.tan()
}

/// Returns the chance that Student's variable is within ± sqrt(v) tan(angle), v its degrees of
/// freedom: a finite sum of powers of the cosine.
///
/// Source: Abramowitz and Stegun (1964), 26.7.3 and 26.7.4.
fn within_angle(angle: f64, freedom: u64) -> f64 {
    let (sine, cosine) = angle.sin_cos();
    let odd = freedom % 2 == 1;
    let mut term = if odd { cosine } else { 1.0 };
    let mut sum = 0.0;
    // The powers are those below v, each with the factor (j - 1) / j of the one before.
    let mut power = freedom % 2;
    while power + 2 <= freedom {
        sum += term;
        power += 2;
        term *= cosine * cosine * (power - 1) as f64 / power as f64;
    }
    if odd {
        (angle + sine * sum) / FRAC_PI_2
    } else {
        sine * sum
    }
}

/// Returns the means between which a Poisson count of `events` leaves it, with [`CONFIDENCE`].
fn poisson_interval(events: u64) -> (f64, f64) {
    let tail = (1.0 - CONFIDENCE) / 2.0;
    let most = 2.0 * events as f64 + 20.0;
    let low = events.checked_sub(1).map_or(0.0, |fewer| {
        root(0.0, most, |mean| poisson_up_to(fewer, mean) <= 1.0 - tail)
    });
    let high = root(0.0, most, |mean| poisson_up_to(events, mean) <= tail);
    (low, high)
}

/// Returns the chance of at most `events` of a Poisson variable with this mean.
fn poisson_up_to(events: u64, mean: f64) -> f64 {
    let mut term = (-mean).exp();
    let mut sum = term;
    for event in 1..=events {
        term *= mean / event as f64;
        sum += term;
    }
    sum
}

/// Returns where a condition that is false at `low` and true at `high` becomes true.
fn root(mut low: f64, mut high: f64, is_true: impl Fn(f64) -> bool) -> f64 {
    for _ in 0..HALVINGS {
        let middle = low.midpoint(high);
        if is_true(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    high
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(got: f64, expected: f64, digits: f64) {
        assert!(
            (got - expected).abs() <= digits,
            "{got} is not {expected} within {digits}"
        );
    }

    #[test]
    fn students_quantiles_are_those_of_the_tables() {
        // Two-sided 99 %, as printed in tables of the t distribution.
        let table = [
            (1, 63.657),
            (2, 9.925),
            (3, 5.841),
            (4, 4.604),
            (9, 3.250),
            (10, 3.169),
            (19, 2.861),
            (30, 2.750),
            (120, 2.617),
        ];
        for (freedom, t) in table {
            close(student_quantile(freedom), t, 0.0006);
        }
        // The normal quantile, and the first term of its correction.
        close(student_quantile(9_999), 2.575_829_3 + 4.917e-4, 1e-6);
    }

    #[test]
    fn poisson_intervals_are_garwoods() {
        // Half the chi-squared quantiles at 0.5 % and 99.5 % of 2 e and 2 e + 2 degrees.
        let table = [
            (0, 0.0, 5.298),
            (1, 0.00501, 7.430),
            (2, 0.1035, 9.274),
            (10, 3.717, 21.398),
            (100, 76.12, 128.76),
        ];
        for (events, low, high) in table {
            let (got_low, got_high) = poisson_interval(events);
            close(got_low, low, 0.005);
            close(got_high, high, 0.005);
        }
    }

    #[test]
    fn shares_have_the_interval_of_clopper_and_pearson() {
        // 1 - (tail)^(1/n) and its kin at the ends; 5 of 10 as tabled.
        let Measured::Value { y, low, high, .. } = share(1.0, 5, 10) else {
            panic!("some were seen")
        };
        close(y, 0.5, 1e-12);
        close(low, 0.1283, 5e-5);
        close(high, 0.8717, 5e-5);
        let Measured::Value { low, high, .. } = share(1.0, 10, 10) else {
            panic!("all were seen")
        };
        close(low, 0.005_f64.powf(0.1), 1e-9);
        close(high, 1.0, 1e-9);
        let Measured::Value { low, .. } = share(1.0, 1, 100) else {
            panic!("one was seen")
        };
        close(low, 1.0 - 0.995_f64.powf(0.01), 1e-9);
        let Measured::Below { bound, .. } = share(1.0, 0, 100) else {
            panic!("none was seen")
        };
        close(bound, 1.0 - 0.01_f64.powf(0.01), 1e-9);
    }

    #[test]
    fn the_scatter_between_filters_sets_the_interval() {
        let sample = Sample {
            hits: vec![900, 1_000, 1_100],
            queries: 10_000,
        };
        let Measured::Value { y, low, high, .. } = measured(1.0, &sample) else {
            panic!("hits are a value")
        };
        // s = 100, t = 9.925: a factor of exp(0.573).
        close(y, 0.1, 1e-12);
        close(low, 0.1 * (-0.573_f64).exp(), 2e-5);
        close(high, 0.1 * 0.573_f64.exp(), 2e-5);
    }

    #[test]
    fn a_single_hit_has_the_interval_of_a_poisson_count() {
        let mut hits = vec![0; 20];
        hits[3] = 1;
        let sample = Sample {
            hits,
            queries: 1_000,
        };
        let Measured::Value { low, high, .. } = measured(1.0, &sample) else {
            panic!("a hit is a value")
        };
        close(low * 20_000.0, 0.00501, 1e-4);
        assert!(high * 20_000.0 >= 7.43);
    }

    #[test]
    fn filters_that_hit_always_leave_room_for_a_miss() {
        let sample = Sample {
            hits: vec![1_000; 20],
            queries: 1_000,
        };
        let Measured::Value { y, low, high, .. } = measured(1.0, &sample) else {
            panic!("hits are a value")
        };
        assert!(y >= 1.0 && high >= 1.0);
        close(low, 1.0 - 5.298 / 20_000.0, 1e-6);
    }

    #[test]
    fn no_hit_is_a_bound_and_never_a_value() {
        for (filters, queries, bound) in [(20, 20_000, 1.1513e-5), (2, 1, 1.0)] {
            let sample = Sample {
                hits: vec![0; filters],
                queries,
            };
            let Measured::Below { bound: got, .. } = measured(1.0, &sample) else {
                panic!("no hit is no value")
            };
            close(got, bound, 1e-9);
        }
    }
}
