//! Compares what `-h` and `--help` print with what the command does.

use crate::common::{manual, prints, refused, run};
use bloom_params::units::{parse_bits, parse_hashes, parse_items, parse_rate};
use bloom_testing::rows;

/// The valid mixes of quantities, one per line, and what is solved for each.
const MIXES: &str = include_str!("../../src/mixes.txt");

/// Joins the lines that a terminal wraps.
fn unwrapped(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Checks that the manual page has this text, whatever the line breaks in both.
#[track_caller]
fn assert_states(part: &str) {
    let page = manual("");
    assert!(page.contains(&unwrapped(part)), "no {part:?} in {page}");
}

#[test]
fn the_short_help_is_short_and_the_long_one_has_the_rest() {
    let (code, short, err) = run("-h");
    assert_eq!((code, err.as_str()), (0, ""));
    // 60 lines hold the examples, the libraries, and a line for each command and each flag that a newcomer needs.
    assert!(short.lines().count() <= 60, "{short}");
    let (code, long, err) = run("--help");
    assert_eq!((code, err.as_str()), (0, ""));
    assert!((80..=150).contains(&long.lines().count()), "{long}");
    let mixes: Vec<_> = MIXES.lines().map(|line| format!("  {line}")).collect();
    assert!(long.contains(&mixes.join("\n")), "{long}");
    for help in [short, long] {
        assert!(help.starts_with("Sizes Bloom filters"), "{help}");
        assert!(help.contains("\n\nExamples:\n  bloom-params --n 2000 --p 1%\n"));
        let help = unwrapped(&help);
        for alias in ["--items", "--bits", "--hashes", "--rate"] {
            assert!(help.contains(&format!("[alias: {alias}]")), "{help}");
        }
        let codes = "Exit codes: 0 solved, and p is met if it was given; 1 p is not met; 2 bad usage \
                     or input, no output; batch still answers its good rows.";
        assert!(help.ends_with(codes), "{help}");
    }
}

#[test]
fn the_help_of_a_command_whose_exit_codes_differ_ends_with_them() {
    for (command, codes) in [
        (
            "batch",
            "2 bad usage, with no output, or a bad line, with answers to the other lines.",
        ),
        (
            "verify",
            "1 they disagree, or the model misses p; 2 bad usage or input, no output.",
        ),
    ] {
        for flag in ["-h", "--help"] {
            let help = unwrapped(&run(&format!("{command} {flag}")).1);
            assert!(help.contains("Exit codes: 0 "), "{help}");
            assert!(help.ends_with(codes), "{help}");
        }
    }
}

#[test]
fn the_examples_work() {
    let help = run("--help").1;
    let examples = help
        .lines()
        .filter_map(|line| line.strip_prefix("  bloom-params "));
    let codes: Vec<_> = examples
        .map(|line| run(line.split("   ").next().unwrap_or_default()).0)
        .collect();
    assert_eq!(codes, [0, 0, 0, 0, 1], "the last shows a size that misses");
}

#[test]
fn the_mixes_listed_are_exactly_those_that_work() {
    let documented: Vec<_> = MIXES
        .lines()
        .map(|line| {
            assert_states(line);
            line[..15].trim()
        })
        .collect();
    let values = [("n", "2000"), ("m", "20000"), ("k", "5"), ("p", "0.01")];
    for mix in 0..16 {
        let given = values.iter().enumerate();
        let given = given.filter_map(|(i, pair)| (mix >> i & 1 == 1).then_some(pair));
        let (names, flags): (Vec<_>, Vec<_>) = given
            .map(|(name, value)| (*name, format!("--{name} {value}")))
            .unzip();
        let (names, line) = (names.join(", "), flags.join(" "));
        // The list of mixes also has the half-full filters and the bits per item.
        let works = run(&line).0 == 0;
        assert_eq!(documented.contains(&names.as_str()), works, "{names}");
    }
}

#[test]
fn the_forms_listed_are_accepted() {
    assert_states("A whole number from 1 to 2^64 - 1.");
    for text in ["2000", "2_000", "2k", "1.5M", "2e3", "2^20"] {
        assert_states(text);
        assert!(parse_items(text).is_ok(), "{text}");
    }
    assert_states("k, M, G, T and P (in either case) and E are powers of 1000");
    assert_states("b, bit or bits; B, byte or bytes (8 bits each)");
    assert_states(
        "k, M, G, T, P or E (powers of 1000), or Ki, Mi, Gi, Ti, Pi or Ei (powers of 1024)",
    );
    let powers = |letters, base: u64| {
        let powers = (0..).map(move |power| base.pow(power));
        str::split(letters, ' ').zip(powers)
    };
    for (prefix, scale) in powers(" k M G T P E", 1_000).chain(powers(" Ki Mi Gi Ti Pi Ei", 1_024))
    {
        if prefix.len() == 1 {
            // `3e` would begin an exponent, so the letter `E` must be in upper case.
            let lower = prefix.to_lowercase().replace('e', "E");
            for letter in [lower, prefix.to_uppercase()] {
                assert_eq!(parse_items(&format!("3{letter}")), Ok(3 * scale));
            }
        }
        for (unit, size) in [
            ("b", 1),
            ("bit", 1),
            ("bits", 1),
            ("B", 8),
            ("byte", 8),
            ("bytes", 8),
        ] {
            assert_eq!(parse_bits(&format!("1{prefix}{unit}")), Ok(scale * size));
        }
    }
    assert_states(
        "1G, 1Gb and 1gb are 1,000,000,000 bits, and the answer says so; for bytes write 1GB",
    );
    for text in ["1G", "1Gb", "1gb"] {
        assert_eq!(parse_bits(text), Ok(1_000_000_000));
    }
    assert_states("Hashes k: 1 to 255");
    assert!(parse_hashes("255").is_ok() && parse_hashes("256").is_err());
    let rates = [
        "0.01", "1%", "1e-2", "1/100", "2^-7", "0.7%", "5‰", "100ppm", "1/10k",
    ];
    for text in rates.into_iter().chain(["2.2250738585072014e-308"]) {
        assert_states(text);
        assert!(parse_rate(text).is_ok(), "{text}");
    }
}

#[test]
fn answers_that_cannot_be_typed_back_are_documented_and_refused() {
    assert_states(
        "Three answers cannot be typed back: p = 1, of a filter so full that every query returns true; p = \
         0, where not even one item keeps the target rate; and a p below that minimum.",
    );
    for (line, [printed, pasted, refusal]) in rows(
        r#"
        $ --n 5 --m 1 --k 200
          "\np       1 "
          --n 5 --m 1 --k 200 --p 1
          p must be between 0 and 1 (exclusive), got 1\n
        $ --n 1 --m 2^62 --k 255
          " 2.4184e-4146 "
          --n 1 --m 2^62 --k 255 --p 2.4184e-4146
          p must be at least 2.2250738585072014e-308, got 2.4184e-4146\n
        $ --m 3 --p 0.001
          "\np     0 "
          --n 1 --m 3 --k 1 --p 0
          p must be between 0 and 1 (exclusive), got 0\n
        $ --m 3 --p 0.001 => n     0 items => --n 0 --m 3 --k 1 --p 0.001 => n must be at least 1, got 0\n
    "#,
    ) {
        prints(line, &[printed]);
        refused(&pasted, &[refusal]);
    }
}

#[test]
fn the_help_of_a_command_has_examples_that_work_and_no_flag_that_it_refuses() {
    for (command, hidden) in [
        (
            "compare",
            &["-m, ", "-k, ", "--filter", "--round", "--growth"][..],
        ),
        ("table", &["-k, ", "--round", "--confidence", "--growth"]),
        ("batch", &["-n, ", "-m, ", "-k, ", "-p, "]),
        ("verify", &[]),
    ] {
        let (code, help, err) = run(&format!("{command} --help"));
        assert_eq!((code, err.as_str()), (0, ""));
        assert!(help.contains("\n\nExamples:\n  bloom-params "), "{help}");
        for flag in hidden {
            assert!(
                !help.contains(&format!("  {flag}")),
                "{command} {flag}: {help}"
            );
        }
        let examples = help
            .lines()
            .filter_map(|line| line.strip_prefix("  bloom-params "));
        for example in examples.filter(|_| command != "batch") {
            assert_eq!(run(example).0, 0, "{example}");
        }
    }
}
