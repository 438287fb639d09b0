//! Weak hashes set some slices of a filter more than others; good hashes do not.

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
        // For 65,536 bits in a slice; the binomial standard deviation is above the true one.
        let sigma = (fill * (1.0 - fill) / 65_536.0).sqrt();
        for hashing in Hashing::ALL {
            let slices = &series(&figure, hashing.name()).curve;
            assert_eq!(slices.len(), 64);
            let off = slices.iter().map(|slice| (slice.y - fill).abs() / sigma);
            let off = off.fold(0.0, f64::max);
            match hashing {
                Hashing::Polynomials => assert!(off > 50.0, "{off}"),
                Hashing::Fnv1Halves => assert!(off < 12.0, "{off}"),
                // With good hashes, one of 384 slices fails by chance less than once in 10^9 runs. Power: 0.5 for a
                // slice with 2.8 % too many bits, 0.999 for 4.1 %.
                _ => assert!(off < 7.0, "{hashing:?} {off}"),
            }
        }
    }
}

#[test]
fn polynomials_find_many_times_more_than_expected() {
    let figure = bias(Keys::Numbers, 200_000);
    let found = |name: &str| -> f64 {
        let after = figure.note.split(&format!("{name} ")).nth(1).unwrap();
        let digits = after.split([',', '.']).next().unwrap();
        digits.parse().unwrap()
    };
    // 200,000 queries at 1.49e-4 each: where 30 are expected, 70 are found by chance 3 times in 10^10 runs. Power:
    // 0.5 for 2.3 times the expected rate, 0.999 for 3.3 times.
    assert!(
        found("polynomials") > 100.0 && found("ours") < 70.0,
        "{}",
        figure.note
    );
}
