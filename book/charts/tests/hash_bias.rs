//! Tests the chart of which bits the hashes of well-known programs set: weak hashes set more bits in some
//! slices of a filter than in others, and good hashes do not.

use bloom_charts::{HashBias, Hashing, Keys};
use bloom_core::math::expected_fill;
use bloom_plot::Figure;
use bloom_plot::curves::Series;

fn series<'a>(figure: &'a Figure, label: &str) -> &'a Series {
    let mut all = figure.series.iter();
    all.find(|series| series.label == label)
        .unwrap_or_else(|| panic!("{label} is drawn"))
}

fn bias(keys: Keys, items: u64) -> Figure {
    let question = HashBias {
        keys,
        items,
        bits: 1 << 22,
    };
    question.figure().unwrap()
}

#[test]
fn good_hashes_use_all_bits_alike_and_polynomials_do_not() {
    let items = 400_000;
    for keys in [Keys::Numbers, Keys::Urls] {
        let figure = bias(keys, items);
        let fill = expected_fill(items, 1 << 22, 7).unwrap();
        // A slice has 65,536 bits. Its binomial standard deviation is a little above the exact one, so the limits
        // below are not too tight.
        let sigma = (fill * (1.0 - fill) / 65_536.0).sqrt();
        for hashing in Hashing::ALL {
            let slices = &series(&figure, hashing.name()).curve;
            assert_eq!(slices.len(), 64);
            let off = slices.iter().map(|slice| (slice.y - fill).abs() / sigma);
            let off = off.fold(0.0, f64::max);
            match hashing {
                Hashing::Polynomials => assert!(off > 50.0, "{off}"),
                Hashing::Fnv1Halves => assert!(off < 12.0, "{off}"),
                // Three good hashes and two kinds of keys make 384 slices. Chance puts any of them 7 standard
                // deviations off less than once in 10^9 runs. Power: the test notices a slice with 2.8 % too many
                // set bits with probability 0.5, and with 4.1 % too many with probability 0.999.
                _ => assert!(off < 7.0, "{hashing:?} {off}"),
            }
        }
    }
}

#[test]
fn polynomials_have_many_times_the_expected_false_positives() {
    let figure = bias(Keys::Numbers, 200_000);
    let found = |name: &str| -> f64 {
        let after = figure.note.split(&format!("{name} ")).nth(1).unwrap();
        let digits = after.split(' ').next().unwrap();
        digits.parse().unwrap()
    };
    // 200,000 queries at a rate of 1.48e-4 find 30 on average, and 70 or more by chance 2 times in 10^10 runs. Power: the
    // test notices a rate of 2.3 times 1.48e-4 with probability 0.5, and of 3.3 times with probability 0.999.
    assert!(
        found("polynomials") > 100.0 && found("ours") < 70.0,
        "{}",
        figure.note
    );
}

/// Returns the standard deviation of the share of set bits in a slice of `slice` bits, after `throws` random positions in
/// `bits` bits. Computes the probability of each number of set bits after one position, two positions and so on.
fn deviation(throws: u64, bits: u64, slice: usize) -> f64 {
    // The probability of each number of set bits in the slice.
    let mut set = vec![0.0; slice + 1];
    set[0] = 1.0;
    for _ in 0..throws {
        for count in (0..slice).rev() {
            let moved = set[count] * (slice - count) as f64 / bits as f64;
            set[count + 1] += moved;
            set[count] -= moved;
        }
    }
    let mean = |of: &dyn Fn(f64) -> f64| -> f64 {
        let all = set.iter().enumerate();
        all.map(|(count, chance)| chance * of(count as f64)).sum()
    };
    let expected = mean(&|count| count);
    mean(&|count| (count - expected).powi(2)).sqrt() / slice as f64
}

#[test]
fn the_band_is_two_standard_deviations_of_a_slice() {
    for (items, power) in [(20, 10), (300, 11), (5, 12)] {
        let question = HashBias {
            keys: Keys::Urls,
            items,
            bits: 1 << power,
        };
        let figure = question.figure().unwrap();
        let expected = series(&figure, "expected");
        assert!(expected.dashed && expected.band.len() == 2);
        let slice = 1 << (power - 6);
        let both = 2.0 * deviation(7 * items, 1 << power, slice);
        for span in &expected.band {
            let fill = expected.curve[0].y;
            for end in [span.high - fill, fill - span.low] {
                assert!((end / both - 1.0).abs() < 1e-9, "{end} {both}");
            }
        }
    }
}

#[test]
fn counts_of_false_positives_have_their_intervals() {
    let note = bias(Keys::Numbers, 200_000).note;
    let counts = note.split("99% intervals: ").nth(1).unwrap();
    assert_eq!(counts.matches(" (").count(), Hashing::ALL.len(), "{note}");
    // If 200,000 queries find nothing, the interval of Clopper and Pearson ends at 200,000 × (1 - 0.005^(1/200,000)), or 5.3.
    for none in counts.split(", ").filter(|count| count.contains(" 0 (")) {
        assert!(none.contains(" 0 (0 to 5.3)"), "{none}");
    }
    let polynomials = counts.split(", ").next().unwrap();
    let numbers = polynomials
        .split(['(', ')', ' '])
        .filter_map(|word| word.parse().ok());
    let numbers: Vec<f64> = numbers.collect();
    let [count, low, high] = numbers[..] else {
        panic!("{polynomials}");
    };
    // A large count has an interval of about 2.58 square roots of the count on either side.
    let half = 2.58 * count.sqrt();
    assert!((low / (count - half) - 1.0).abs() < 0.1, "{polynomials}");
    assert!((high / (count + half) - 1.0).abs() < 0.1, "{polynomials}");
}
