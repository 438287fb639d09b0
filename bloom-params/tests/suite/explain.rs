//! Derivations fit in 80 columns, and their printed numbers follow from one another.

use crate::common::{object, prints, run};
use bloom_params::like::SYSTEMS;
use bloom_params::{Filter, Query, explain::Part};
use bloom_systems::rule::Takes;

#[test]
fn derivations_fit_80_columns_and_hold_the_numbers_of_the_question() {
    for line in [
        "-n 2000 -p 1%",
        "-n 1 -p 1e-9",
        "-n 1e17 -p 1e-6",
        "-n 2000 -m 19171 -k 7 -p 1%",
        "-n 2000 -m 20000",
        "-n 2000 -m 20000 -k 255",
        "-n 2000 -m 20000 -p 1%",
        "-m 64KiB -p 1/1000",
        "-m 3 -p 0.001",
        "-m 20000 -k 5",
        "-n 2000 -p 1% --confidence 99%",
        "-n 2000 -p 1% --round pow2",
        "-n 2000 -p 1% --model textbook",
        "-n 2000 -p 1% --filter partitioned",
        "-n 2000 -p 1% --filter plain-blocked",
        "-n 2000 -p 1% --filter split-block",
        "-n 2000 -p 1% --filter counting",
        "-n 2000 -p 1% --filter scalable",
        "-n 2^40 -p 0.5 --filter scalable",
        "-n 20000 -m 500000 --filter scalable",
        "-m 500000 -p 1% --filter scalable",
        "-m 500 -p 1% --filter scalable",
        "-m 20000 -p 1% --confidence 99.9999%",
        "-n 1e12 -p 1e-9 --confidence 99%",
        "-n 20 -p 1% --filter split-block",
        "-n 2000 -k 5 --filter plain-blocked",
        "-n 1e12 -p 1% --round pow2",
        "-n 2000 -p 1% --filter counting --counter-bits 16",
        "-p 1%",
        "-k 255 -p 1e-300",
        "-p 99.9999%",
        "-p 1% --filter split-block",
        "-k 3 -p 1% --filter plain-blocked",
        "-p 1e-9 --filter partitioned",
    ] {
        let (_, plain, _) = run(line);
        let (_, out, err) = run(&format!("{line} --explain"));
        let derivation = out
            .strip_prefix(&plain)
            .unwrap_or_else(|| panic!("{line}: {out}{err}"));
        assert!(
            derivation.starts_with("\nHow this answer is derived\n\n1. What is given"),
            "{derivation}"
        );
        for text in derivation.lines() {
            assert!(text.chars().count() <= 80, "{line}: {text:?}");
            assert_eq!(text, text.trim_end(), "{line}");
        }
        assert!(
            !derivation.contains("NaN") && !derivation.contains("inf "),
            "{derivation}"
        );
        let lines = object(&format!("{line} --explain"))["explain"].clone();
        let lines: Vec<_> = lines
            .as_array()
            .unwrap()
            .iter()
            .map(|x| x.as_str().unwrap())
            .collect();
        assert_eq!(derivation.trim(), lines.join("\n"));
    }
    prints(
        "-n 2000 -p 1% --explain",
        &[
            "k n = 7 x 2,000 = 14,000 throws\n   at m = 19,188 bits",
            "fill^k = 0.51791831^7 = 0.00999606",
            "p = mean of (X/m)^k = 0.00999933",
            "The textbook is 0.0327 % too low here.",
            "m = 19,187:  p = 0.01000181  not met",
            "That filter has p = 0.0100416, 0.42 % over the target.",
        ],
    );
}

/// Returns every number after `label`, up to the end of its line.
fn printed(text: &str, label: &str) -> Vec<f64> {
    let line = text
        .split_once(label)
        .unwrap_or_else(|| panic!("no {label} in {text}"))
        .1;
    let line = line.lines().next().unwrap();
    let numbers = line
        .split([' ', '^', 'x', '='])
        .filter(|word| !word.is_empty());
    numbers
        .map(|number| number.replace(',', "").parse().unwrap())
        .collect()
}

fn agree(computed: f64, printed: f64, line: &str) {
    assert!(
        (computed / printed - 1.0).abs() < 1e-5,
        "{line}: {computed} {printed}"
    );
}

#[test]
fn each_printed_number_follows_from_those_before_it() {
    for line in [
        "-n 2000 -p 1%",
        "-n 77 -p 1e-6",
        "-n 2000 -m 9000 -k 20",
        "-n 5e8 -p 1e-9",
    ] {
        let (_, out, _) = run(&format!("{line} --explain"));
        let numbers = printed(&out, "fill^k = ");
        agree(numbers[0].powf(numbers[1]), numbers[2], line);
    }
    let line = "-n 2000 -p 1% --filter partitioned --explain";
    let numbers = printed(&run(line).1, "     p = ");
    agree(
        numbers[0].powf(numbers[1]) * numbers[2].powf(numbers[3]),
        numbers[4],
        line,
    );
    let line = "-n 20000 -p 1% --filter scalable --explain";
    let (_, out, _) = run(line);
    let clear = (1..=5).map(|stage| {
        let label = format!("     p{stage} = ");
        let line = out.split_once(&label).unwrap().1;
        1.0 - line.split(' ').next().unwrap().parse::<f64>().unwrap()
    });
    agree(
        1.0 - clear.product::<f64>(),
        printed(&out, "(1 - p5) = ")[0],
        line,
    );
}

#[test]
fn a_share_of_filters_is_explained_with_what_it_adds_to_m() {
    let out = prints(
        "-n 2000 -p 1% --confidence 99% --explain",
        &[
            "a false-positive rate p of at most 0.01 in 99 % of\n   single filters.",
            "m p^(1/k) = 19,445 x 0.01^(1/7) = 10,071.5",
            "A filter sized for the mean alone has m = 19,188 and k = 7, and of those only\n   50.7 % keep \
         0.01. To bring that to 99 %, m had to grow by 257.",
            "k =   7   p = 0.00938479    99.011 %  enough  lowest p  <- the answer",
            "m = 19,444:  98.953 % keep 0.01  not met",
            "m = 19,445:  99.011 % keep 0.01  met",
        ],
    );
    assert!(out.contains("So the bound is 2.33 such deviations above the mean, and 99.011 % of"));
    // The bound of X, the number of set bits, is below its mean if fewer than half of the filters must keep the rate.
    prints(
        "-n 2000 -p 1% --confidence 10% --explain",
        &["1.28 such deviations below the mean"],
    );
    prints(
        "-m 20000 -p 1% --confidence 99% --explain",
        &["n had to shrink by 27."],
    );
}

#[test]
fn counting_filters_are_explained_in_counters() {
    let out = prints(
        "-n 2000 -p 1% --filter counting --explain",
        &[
            "the fewest counters m",
            "missed by every throw, and so not\n   above 0,",
            "all its k counters\n   happen to be above 0",
            "4 x 19,188 = 76,752 bits = 9,594 bytes",
            "p falls with every counter",
        ],
    );
    let derivation = out.split_once("2. One counter").unwrap().1;
    let bits = derivation.matches("bits").count();
    assert_eq!(
        bits, 4,
        "the bits of a counter, and the memory of all: {derivation}"
    );
}

#[test]
fn one_is_never_followed_by_a_plural() {
    let mut lines = Vec::new();
    for filter in [
        "classic",
        "partitioned",
        "counting",
        "plain-blocked --block-bits 1",
        "plain-blocked --block-bits 8",
        "split-block --block-bits 8",
        "split-block",
        "scalable --initial 1",
        "scalable --growth 1",
    ] {
        for question in [
            "-n 1 -p .5",
            "-m 1 -p .5",
            "-n 1 -m 1 -k 1",
            "-n 1 -m 8",
            "-n 2 -m 9 -k 8",
            "-m 9 -k 1",
            "-n 1 -k 1",
            "-n 1 -m 8 -k 8 -p .1",
            "-n 1 -m 513",
            "-m 4096 -p .5",
        ] {
            lines.push(format!("{question} --filter {filter}"));
        }
    }
    let mut answered = 0;
    for line in lines {
        let (_, out, err) = run(&format!(
            "{line} --explain --overfill --hash-bits 1 --lookups 1"
        ));
        answered += usize::from(!out.is_empty());
        let words: Vec<_> = out
            .split_whitespace()
            .chain(err.split_whitespace())
            .collect();
        for pair in words.windows(2) {
            let noun = pair[1].trim_end_matches(|c: char| !c.is_alphabetic());
            let many = [
                "bits", "bytes", "items", "hashes", "counters", "throws", "blocks", "slices",
                "stages", "lookups", "are", "need", "filters",
            ];
            assert!(
                pair[0] != "1" || !many.contains(&noun),
                "{line}: {pair:?} in {out}{err}"
            );
        }
    }
    assert!(answered > 50, "{answered}");
}

#[test]
fn bits_per_item_are_derived_too() {
    prints(
        "-p 1% --filter counting --explain",
        &[
            "Asked: the bits per item m/n, for many items, and the number of hashes k.\n",
            "fill = p^(1/k) = 0.01^(1/7) = 0.51794747",
            "m/n = -k / ln(1 - fill) = -7 / ln(1 - 0.51794747) = 9.592955",
            "4 x 9.592955 = 38.3718",
            "k =   7   38.3718 bits    <- the answer",
            "log2(1/p) = 6.644 bits",
            "this filter takes 5.78 times that.",
        ],
    );
    // By hand: 0.01^(1/7) is 0.5179474679..., and -7 / ln(1 - 0.5179474679...) is 9.5929547...
    let fill = 0.01_f64.powf(1.0 / 7.0);
    agree(fill, 0.517_947_47, "fill");
    agree(-7.0 / (1.0 - fill).ln(), 9.592_95, "m/n");
    // -6 / ln(1 - 0.01^(1/6)) is 9.6166547. Counters of 4 bits take four times as many bits, 38.466619.
    prints(
        "-k 7 -p 1% --filter counting --explain",
        &[
            "Asked: the bits per item m/n, for many items.\n",
            "A query is a false positive if all its k counters happen to be above 0.",
            "k =   6   38.4666 bits\n",
            "k =   7   38.3718 bits    <- the answer\n",
            "k was given.",
        ],
    );
    let (_, out, _) = run("-p 1% --filter split-block --explain");
    assert!(out.contains("Asked: the bits per item m/n, for many items.\n"));
    assert!(
        out.contains("m/n = 10.5292") && !out.contains("How many hashes"),
        "{out}"
    );
}

#[test]
fn whole_blocks_are_explained_where_some_bits_are_left_over() {
    let (_, out, _) = run("-n 1e6 -m 1e7 --filter split-block --explain");
    assert!(out.contains("Whole blocks of that are m = 9,999,872, with 128 bits left over."));
    assert!(
        out.contains("   Asked: the rate p.\n\n2. One block"),
        "{out}"
    );
}

#[test]
fn the_price_of_blocks_is_printed_beside_a_classic_filter() {
    let (_, out, _) = run("-n 1000 -k 5 --filter plain-blocked --explain");
    // By the exact formulas, p is 0.026684955 with blocks and 0.025100289 without them. The ratio is 1.063.
    let price = "A classic filter of this size and k has p = 0.0251003: reading one place in\n   \
                 memory costs 1.06 times the rate.\n";
    assert!(out.contains(price), "{out}");
}

#[test]
fn a_rate_slightly_over_the_target_is_not_printed_as_the_target() {
    let (_, out, _) = run("-m 16GB -p 0.1% --filter plain-blocked --explain");
    let edge = out.split("5. How many items").nth(1).unwrap();
    assert!(edge.contains("  not met"), "{out}");
    assert!(!edge.contains("p = 0.001  not met"), "{out}");
}

/// The last rate of a derivation before other numbers of hashes are compared is the rate of the answer, also if the dependent
/// positions of a system raise it.
#[test]
fn the_last_rate_of_a_derivation_is_that_of_the_answer() {
    for system in SYSTEMS {
        let items = 1_000.min(system.sizing.most_items);
        // A system that does not take p is given m, or n alone if it has only one size.
        let (bits, rate) = match system.sizing.takes {
            Takes::OneSize => (None, None),
            _ if system.takes_rate() => (None, Some(0.02)),
            _ => (Some(10 * items), None),
        };
        let query = Query {
            items: Some(items),
            bits,
            rate,
            filter: Filter::of_system(system),
            ..Query::default()
        };
        let solution = query.solve().expect(system.name);
        let explained = solution.explain();
        let before = explained
            .steps
            .iter()
            .take_while(|step| step.title != "How many hashes");
        let formulas = before
            .flat_map(|step| &step.parts)
            .filter_map(|part| match part {
                Part::Formula(formula) => Some(formula.trim()),
                Part::Text(_) => None,
            });
        let rates =
            formulas.filter(|formula| formula.starts_with("p = ") || formula.starts_with("= "));
        let last = rates.last().unwrap_or_else(|| panic!("{}", system.name));
        let value: f64 = last.rsplit("= ").next().unwrap().trim().parse().unwrap();
        let rate = solution.rate.value();
        assert!(
            (value / rate - 1.0).abs() < 1e-4,
            "{}: {last} for {rate}",
            system.name
        );
    }
}

/// If a derivation prints by which share the textbook's rate is too low, the digits of the two printed rates show a difference.
#[test]
fn what_the_textbook_leaves_out_is_seen_in_the_digits() {
    for (line, textbook, exact) in [
        ("-n 1M -p 1%", "= 0.0099999912\n", "= 0.0099999977\n"),
        ("-n 1e9 -p 1%", "= 0.009999999993\n", "= 0.0099999999995\n"),
    ] {
        let (_, out, _) = run(&format!("{line} --explain"));
        assert!(out.contains(textbook) && out.contains(exact), "{out}");
    }
}
