//! What newcomers type before they have read the help: what is told, and that it works.

mod common;

use common::{run, run_args};
use proptest::prelude::*;

#[test]
fn the_names_of_other_tools_lead_to_the_flags() {
    for (line, flag, hint) in [
        (
            "-n 5 --fpr 1%",
            "--fpr",
            "the false-positive rate is --p here: write --p 1%",
        ),
        (
            "-n 5 --fpp=1%",
            "--fpp",
            "the false-positive rate is --p here: write --p 1%",
        ),
        (
            "--capacity 100 -p 1%",
            "--capacity",
            "items are --n here: write --n 100",
        ),
        (
            "-n 5 --error-rate 0.1",
            "--error-rate",
            "the false-positive rate is --p here: write --p 0.1",
        ),
        (
            "-n 5 --false_positive_rate 1%",
            "--false_positive_rate",
            "the false-positive rate is --p here: write --p 1%",
        ),
        ("-n 5 --FPR", "--FPR", "the false-positive rate is --p here"),
        (
            "--memory 1MB -p 1%",
            "--memory",
            "bits, or bytes like 64KiB, are --m here: write --m 1MB",
        ),
        (
            "-n 5 --num-hashes 3",
            "--num-hashes",
            "hashes are --k here: write --k 3",
        ),
        (
            "-n 5 -p 1% --rust",
            "--rust",
            "Rust code is --format rust here",
        ),
        // The form is told, and the value is none of it.
        ("-n 5 --rust x", "--rust", "Rust code is --format rust here"),
        (
            "--bits-per-item 10",
            "--bits-per-item",
            "write --m: the bits of the whole filter, n times those of an item",
        ),
        ("--usage", "--usage", "bloom-params --help tells all"),
        (
            "--size 5",
            "--size",
            "the items to store are --n, the bits of the filter --m",
        ),
        (
            "-n 5 --trials 50",
            "--trials",
            "it is a flag of verify: bloom-params verify --help tells more",
        ),
    ] {
        let (code, out, err) = run(line);
        assert_eq!((code, out.as_str()), (2, ""), "{line}");
        assert_eq!(
            err,
            format!("error: there is no flag {flag}\nhint: {hint}\n"),
            "{line}"
        );
    }
    let (_, _, err) = run("compare -n 5 --fpr 1%");
    assert!(err.starts_with("error: compare has no flag --fpr\nhint: the false-positive rate"));
    // compare takes no k, so that no other name for it leads there.
    let (_, _, err) = run("compare -n 5 --num-hashes 3");
    assert!(
        err.ends_with("hint: bloom-params compare --help lists its flags\n"),
        "{err}"
    );
}

#[test]
fn help_is_a_command_too() {
    assert_eq!(run("help"), run("--help"));
    for command in ["compare", "table", "batch", "verify", "completions", "man"] {
        let (code, out, err) = run(&format!("help {command}"));
        assert_eq!((code, err.as_str()), (0, ""), "{command}");
        assert_eq!(out, run(&format!("{command} --help")).1);
        assert!(out.starts_with("Examples:\n"), "{out}");
    }
    assert_eq!(
        run("help comprae").2,
        "error: there is no command comprae\nhint: did you mean compare? write it like \
         bloom-params compare --n 1M --p 1%\n"
    );
    assert_eq!(
        run("-n 5 help").2,
        "error: help is a command, and commands come first\nhint: write bloom-params help\n"
    );
}

#[test]
fn values_that_a_flag_does_not_take_are_told_with_those_it_takes() {
    for (line, message) in [
        (
            "-n 5 -p 1% --filter bloked",
            "--filter must be classic, partitioned, blocked, split-block, counting or scalable, got \
             bloked\nhint: did you mean blocked?\n",
        ),
        (
            "-n 5 -p 1% --filter cuckoo",
            "got cuckoo\nhint: cuckoo is among what bloom-params compare --n 1M --p 1% shows\n",
        ),
        (
            "-n 5 -p 1% --format csv",
            "--format must be human, json or rust, got csv\n\
             hint: compare, table and batch write csv and markdown\n",
        ),
        (
            "-n 5 -p 1% --get bits",
            "--get must be n, m, k or p, got bits\nhint: bits are m\n",
        ),
        (
            "-v",
            "there is no flag -v\nhint: the version is --version\n",
        ),
        (
            "--n2000 --p 1%",
            "there is no flag --n2000\nhint: write --n 2000\n",
        ),
        ("batch a.csv b.csv", "batch takes one file, got b.csv too\n"),
        (
            "completions bash zsh",
            "completions takes one shell, got zsh too\n",
        ),
        ("-n 5 -p 1% --get x", "--get must be n, m, k or p, got x\n"),
        ("-n 5 -p 1% --json=5", "--json takes no value, got 5\n"),
        (
            "-n 5 -p 1% --prevalence 1%",
            "--prevalence needs --lookups\n",
        ),
        ("-p 1% -n 5 -p 2%", "--p must be given once, got it twice\n"),
        ("-n", "--n needs a value, got none\nhint: write items like"),
        ("-m", "--m needs a value, got none\nhint: write bits like"),
        (
            "-k",
            "--k needs a value, got none\nhint: write hashes like 7",
        ),
        ("-p", "--p needs a value, got none\nhint: write a rate like"),
        ("--filter", "--filter needs a value, got none\n"),
        (
            "help nothing",
            "there is no command nothing\nhint: the commands are compare, table, batch, verify, completions and man",
        ),
        ("man verify table", "man takes one command, got table too\n"),
        (
            "completions",
            "completions needs a shell\nhint: write bloom-params completions bash",
        ),
        (
            "compare 5",
            "values need a flag, got 5\nhint: write values with their flags",
        ),
    ] {
        let (code, out, err) = run(line);
        assert_eq!((code, out.as_str()), (2, ""), "{line}");
        assert!(err.contains(message), "{line}: {err}");
    }
}

#[test]
fn a_size_beyond_the_range_is_not_taken_for_swapped_values() {
    for line in [
        "-n 5 -m 9223372036854775809",
        "-n 1e6 -m 1e19 -p 1%",
        "-n 5 -m 2EB -p 1%",
    ] {
        let (code, _, err) = run(line);
        assert!(code == 2 && !err.contains("swapped"), "{line}: {err}");
    }
    assert!(run("-n 5 -m 1e19").2.contains("hint: 2^63 bits are 1 EiB"));
    let swapped = "if the two are swapped, write --n 2000 --m 20000\n";
    assert!(run("-n 20000 -m 2000").1.contains(swapped));
    // What would not run the other way round is no hint.
    assert!(!run("-n 9223372036854775809 -m 2000").1.contains("swapped"));
    assert!(!run("-n 2000 -m 20000").1.contains("swapped"));
}

/// Reads a line as a shell does, as far as single quotes go.
fn shell(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quoted, mut any) = (Vec::new(), String::new(), false, false);
    let mut signs = line.chars();
    while let Some(c) = signs.next() {
        match c {
            '\'' => (quoted, any) = (!quoted, true),
            '\\' if !quoted => word.extend(signs.next()),
            ' ' if !quoted => {
                if any || !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
                any = false;
            }
            c => word.push(c),
        }
    }
    words.push(word);
    words
}

/// Flags with values, and whether they are for `compare`, `table` and `verify`.
const FLAGS: [(&[&str], [bool; 3]); 12] = [
    (&["--json"], [true, true, true]),
    (&["--format", "json"], [true, true, true]),
    (&["--format=csv"], [true, true, false]),
    (&["--filter", "counting"], [false, true, true]),
    (
        &["--filter=counting", "--counter-bits", "8"],
        [false, true, true],
    ),
    (&["--confidence", "99%"], [false, false, true]),
    (&["--round", "64"], [false, false, true]),
    (&["--explain"], [false, false, false]),
    (&["--overfill"], [false, false, false]),
    (&["--lookups", "1M"], [false, false, false]),
    (&["--trials", "40"], [false, false, true]),
    (&["--seed=3"], [false, false, true]),
];

/// The quantities, in forms that a shell would break or bend.
const QUANTITIES: [&[&str]; 4] = [
    &["-n", "300", "-p", "10%"],
    &["-n300", "-p", "1/10"],
    &["--items", " 300 ", "--rate=10 %"],
    &["-n", "3e2", "--p", "2^-3"],
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn a_command_behind_flags_is_told_in_a_line_that_runs_and_drops_nothing(
        command in 0..3_usize,
        quantities in prop::sample::select(QUANTITIES.to_vec()),
        chosen in prop::sample::subsequence((0..FLAGS.len()).collect::<Vec<_>>(), 0..4),
        at in 0..8_usize,
    ) {
        let name = ["compare", "table", "verify"][command];
        // One of each flag.
        let names: Vec<_> = chosen.iter().map(|i| FLAGS[*i].0[0].split('=').next()).collect();
        let outputs = names.iter().filter(|name| matches!(**name, Some("--json" | "--format")));
        let twice = names.iter().enumerate().any(|(i, name)| names[..i].contains(name));
        prop_assume!(!twice && outputs.count() < 2);
        let mut groups = vec![quantities];
        groups.extend(chosen.iter().map(|i| FLAGS[*i].0));
        // Behind at least one of them.
        groups.insert(1 + at % groups.len(), match command {
            0 => &["compare"],
            1 => &["table"],
            _ => &["verify"],
        });
        let args: Vec<_> = groups.concat();
        let (code, out, err) = run_args(&args);
        prop_assert_eq!((code, out.as_str()), (2, ""), "{:?}", args);
        let told = err.split_once("hint: write bloom-params ");
        prop_assert!(told.is_some(), "{:?}: {}", args, err);
        let told = told.unwrap().1.trim_end();
        let (line, without) = told.split_once(", without ").unwrap_or((told, ""));
        let words = shell(line);
        prop_assert_eq!(words[0].as_str(), name);
        for quantity in quantities {
            prop_assert!(words.iter().any(|word| word == quantity), "{:?}: {}", args, told);
        }
        for i in chosen {
            let (flag, is_taken) = (FLAGS[i].0, FLAGS[i].1[command]);
            if is_taken {
                let whole = words.windows(flag.len()).any(|part| part == flag);
                prop_assert!(whole, "{:?}: {}", args, told);
            } else {
                let name = flag[0].split('=').next().unwrap();
                prop_assert!(without.contains(name), "{:?}: {}", args, told);
                prop_assert!(!line.contains(name), "{:?}: {}", args, told);
            }
        }
        let words: Vec<_> = words.iter().map(String::as_str).collect();
        let (code, out, err) = run_args(&words);
        prop_assert!(code == 0 && !out.is_empty(), "{:?}: {}", words, err);
    }
}

#[test]
fn a_command_behind_flags_is_told_with_what_it_takes_and_without_the_rest() {
    for (line, told) in [
        (
            "-n 5000 -p 1% compare",
            "write bloom-params compare -n 5000 -p 1%",
        ),
        // A value may stand right behind its letter, and some flags have none.
        (
            "-n5000 compare -p1%",
            "write bloom-params compare -n5000 -p1%",
        ),
        (
            "--json compare -n 5000 -p 1%",
            "write bloom-params compare --json -n 5000 -p 1%",
        ),
        (
            "-n 1M -p 1% --explain --spread compare",
            "write bloom-params compare -n 1M -p 1%, without --explain and --spread, which compare does \
             not take",
        ),
        (
            "-n 300 -p 2% verify",
            "write bloom-params verify -n 300 -p 2%",
        ),
        (
            "-n 300 -p 2% --trials 5 verify",
            "write it like bloom-params verify --n 1000 --p 1%",
        ),
        (
            "--json batch q.csv",
            "write bloom-params batch --json q.csv",
        ),
        ("--json batch -", "write bloom-params batch --json -"),
        (
            "--confidence 2 batch q.csv",
            "write it like bloom-params batch questions.csv",
        ),
        // A number is no flag, with a sign or without.
        (
            "-n 5 -p 1% -5 compare",
            "write it like bloom-params compare --n 1M --p 1%",
        ),
    ] {
        let (code, out, err) = run(line);
        assert_eq!((code, out.as_str()), (2, ""), "{line}");
        let hint = err.split_once("is a command, and commands come first\nhint: ");
        assert_eq!(hint.unwrap().1, format!("{told}\n"), "{line}");
    }
}

#[test]
fn a_hint_that_could_not_run_is_an_example() {
    for line in [
        "-n 5 compare",
        "-n x -p 1% compare",
        "-n 5 -p 1% compare 7",
        "--n 1e18 verify",
    ] {
        let (_, _, err) = run(line);
        let told = err.split_once("hint: write it like bloom-params ");
        assert!(told.is_some(), "{line}: {err}");
        assert_eq!(run(told.unwrap().1.trim_end()).0, 0, "{err}");
    }
    // Neither a line break nor a sign that turns the text around is to be copied.
    for typed in ["a\nb", "\u{202e}"] {
        let (_, _, err) = run_args(&["-n", "5", "-p", typed, "compare"]);
        assert!(err.contains("hint: write it like"), "{err}");
    }
}

#[cfg(unix)]
#[test]
fn what_is_no_text_is_named_like_any_other_bad_value() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let args = ["bloom-params", "-p", "1%", "-n"].map(OsStr::new);
    let args = args.into_iter().chain([OsStr::from_bytes(b"5\xff")]);
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let code = bloom_params::run(args, &mut out, &mut err).unwrap();
    let err = String::from_utf8(err).unwrap();
    assert!(code == 2 && out.is_empty());
    assert!(
        err.contains("what is typed must be UTF-8, got 5\u{fffd}"),
        "{err}"
    );
}
