//! Command lines that newcomers type before they read the help are refused, with a hint at what was probably meant.

use crate::common::{refusals, refused, run, run_args};
use bloom_params::like::SYSTEMS;
use bloom_testing::{rows, terminal_control};

#[test]
fn the_names_of_other_tools_lead_to_the_flags() {
    for (line, [typed, tip]) in rows(
        r"
        $ -n 5 --fpr 1% => --fpr => the false-positive rate is --p
        $ -n 5 --fpp=1% => --fpp => the false-positive rate is --p
        $ -n 5 --FPR => --FPR => the false-positive rate is --p
        $ -n 5 --false_positive_rate 1% => --false_positive_rate => the false-positive rate is --p
        $ --capacity 100 -p 1% => --capacity => items are --n
        $ --memory 1MB -p 1% => --memory => bits, or bytes like 64KiB, are --m
        $ --bits-per-key 10 => --bits-per-key => bits per item are --bits-per-item
        $ -n 5 --num-hashes 3 => --num-hashes => hashes are --k
        $ -n 5 -p 1% --rust
          --rust
          rust, python, java and go, and in tables csv and markdown, are values of --format
        $ -v => -v => the version is --version
        $ compare -n 5 --fpr 1% => --fpr => the false-positive rate is --p
    ",
    ) {
        refused(
            line,
            &[
                format!("unexpected argument '{typed}' found\n"),
                format!("tip: {tip} here\n"),
            ],
        );
    }
    refused(
        "-n 5 --trials 50",
        &["'--trials'", "tip: it is a flag of verify\n"],
    );
    // compare takes no k, so its error does not lead to --k.
    assert!(!run("compare -n 5 --num-hashes 3").2.contains("--k here"));
}

#[test]
fn values_without_a_flag_are_named_with_their_flags() {
    for (line, [got, hint]) in rows(
        r"
        $ 2000 0.01 => 2000 and 0.01 => hint: --n 2000 --p 0.01\n
        $ 5k 1% => 5k and 1% => hint: --n 5k --p 1%\n
        $ 2000 16KiB => 2000 and 16KiB => hint: --n 2000 --m 16KiB\n
        # In reverse order.
        $ 1% 2000 => 1% and 2000 => hint: --n 2000 --p 1%\n
        $ 16KiB 2000 => 16KiB and 2000 => hint: --n 2000 --m 16KiB\n
        $ 1% 16KiB => 1% and 16KiB => hint: --m 16KiB --p 1%\n
        $ 2000 20000 5 1% => 2000, 20000, 5 and 1% => hint: --n 2000 --m 20000 --k 5 --p 1%\n
        # Values that cannot be assigned to flags get a general hint.
        $ 5 => 5
          hint: write values with their flags, like --n 2000 --p 0.01; --help has all of them\n
        $ -5 => -5
          hint: write values with their flags, like --n 2000 --p 0.01; --help has all of them\n
        $ 2000 -0.01 => 2000 and -0.01
          hint: write values with their flags, like --n 2000 --p 0.01; --help has all of them\n
        $ 1 2 3 4 5 => 1, 2, 3, 4 and 5
          hint: write values with their flags, like --n 2000 --p 0.01; --help has all of them\n
        $ --k 5 2000 1% => 2000 and 1%
          hint: write values with their flags, like --n 2000 --p 0.01; --help has all of them\n
        $ n=2000 p=1% => n=2000 and p=1%
          hint: write values with their flags, like --n 2000 --p 0.01; --help has all of them\n
        $ -n 5 -p .1 -- -model => -model
          hint: write values with their flags, like --n 2000 --p 0.01; --help has all of them\n
        # Blanks inside a value.
        $ --m 10 MB --p 1% => MB => hint: a value has no spaces: write --m 10MB\n
        $ --n 5 --p 0.1 % => % => hint: a value has no spaces: write --p 0.1%\n
        $ --n 2 000 --p 1% => 000 => hint: a value has no spaces: write --n 2000\n
        $ --n 2 000 000 --p 1% => 000 and 000 => hint: a value has no spaces: write --n 2000000\n
        # A number of more than three digits has no further group.
        $ -n 2000 000 -p 1% => 000
          hint: write values with their flags, like --n 2000 --p 0.01; --help has all of them\n
        # Subcommands.
        $ -n 5000 -p 1% compare
          compare
          hint: commands come first, like bloom-params compare --n 1M --p 1%\n
        $ comapre -n 5 => comapre
          hint: the commands are compare, table, batch, verify, completions, man and help, and come first\n
        $ -n 5 help => help
          hint: the commands are compare, table, batch, verify, completions, man and help, and come first\n
    ",
    ) {
        for line in [line.to_string(), format!("--json {line}")] {
            let message = format!("error: values need a flag, got {got}\n{hint}");
            assert_eq!(run(&line), (2, String::new(), message), "{line}");
        }
    }
    for (args, message) in [
        (
            &["--json", ""][..],
            "error: values need a flag, got an empty one\n",
        ),
        (
            &["16 KiB", "1 %"],
            "error: values need a flag, got 16 KiB and 1 %\nhint: --m '16 KiB' --p '1 %'\n",
        ),
    ] {
        let (code, out, err) = run_args(args);
        assert_eq!((code, out.as_str()), (2, ""), "{args:?}");
        assert!(err.starts_with(message), "{args:?}: {err}");
    }
    refused(
        "compare 5",
        &[
            "'5'",
            "tip: write it like bloom-params compare --n 1M --p 1%\n",
        ],
    );
}

#[test]
fn the_command_line_in_a_hint_works() {
    for line in [
        "2000 0.01",
        "1% 2000",
        "16KiB 2000",
        "2000 20000 5",
        "--n 1% --p 2000",
    ] {
        let (_, _, err) = run(line);
        let hint = err.split_once("hint: ").unwrap().1.trim_end();
        let flags = &hint[hint.find("--").unwrap()..];
        assert_eq!(run(flags).0, 0, "{line}: {err}");
    }
    let (_, _, err) = run("-n 5000 -p 1% compare");
    let line = err.split_once("like bloom-params ").unwrap().1.trim_end();
    assert_eq!(run(line).0, 0, "{err}");
}

#[test]
fn swapped_values_are_printed_the_right_way_round() {
    for (line, [hint]) in rows(
        r"
        $ --n 1% --p 2000 => --n 2000 --p 1%
        $ --m 2000 --n 16KiB => --n 2000 --m 16KiB
        $ --p 2000 --m 16KiB --n .1 => --n 2000 --p .1
        $ -n 5 -k 20000 -m 7 => --m 20000 --k 7
    ",
    ) {
        refused(
            line,
            &[&format!("hint: the two seem to be swapped: write {hint}\n")],
        );
    }
    for (line, [hint]) in rows(
        r"
        $ --n 2000 --p 1 => for 1 percent write 1%
        $ --n 2000 --p 0,01 => write 0.01
        $ --n 5 --m 16ki => for bytes write 16KiB, for bits write 16Kib
    ",
    ) {
        refused(line, &[&format!("hint: {hint}\n")]);
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
    // There is no hint if the swapped command line would be refused, too.
    assert!(!run("-n 9223372036854775809 -m 2000").1.contains("swapped"));
    assert!(!run("-n 2000 -m 20000").1.contains("swapped"));
}

#[test]
fn a_flag_that_swallowed_another_is_named() {
    refusals(
        r"
        $ --p --n 2000 => --p needs a value, got --n\n
        $ --n --json --p 0.1 => --n needs a value, got --json\n
        # Both words are read as a short flag with its value, -m odel and -p revalence, and the values are refused.
        $ -model exact --n 5 => m must be a whole number of bits, got odel\n
        $ --n 5 -prevalence 1% => p must be
    ",
    );
    // Values attached to a short flag remain values.
    assert_eq!(run("-n2000 -p1%").0, 0);
}

/// clap, the parser of the command line, finds nearly all of these errors. The program itself finds the misspelt filter, and
/// the flag that needs another.
#[test]
fn what_clap_refuses_names_flag_rule_and_value() {
    refusals(
        r"
        $ -n 5 -p 1% --filter bloked
          --filter must be one of
          classic, partitioned, blocked, split-block, plain-blocked, counting and scalable, got bloked\n
          hint: did you mean --filter blocked?\n
        $ -n 5 -p 1% --get x => invalid value 'x' for '--get <LETTER>'\n => [possible values: n, m, k, p]
        $ --itms 5 => '--itms' => tip: did you mean --items?\n
        $ --jsn --n 5 => '--jsn' => tip: did you mean --json?\n
        $ --foo => unexpected argument '--foo' found\n
        $ -n 5 -p 1% --lik guava => tip: did you mean --like?\n
        $ -n 5 --bits_per_item 9 => tip: did you mean --bits-per-item?
        $ -N 5 -p 1% => tip: did you mean -n?\n
        $ -n 5 --size 4k => tip: bits, or bytes like 64KiB, are --m here\n
        $ -n 5 -p 1% --compressed => tip: compressed Bloom filters are a row of compare here\n
        $ -x 5 => unexpected argument '-x' found\n
        $ batch a.csv b.csv => unexpected argument 'b.csv' found\n
        $ man verify table => unexpected argument 'table' found\n
        $ completions bash zsh => unexpected argument 'zsh' found\n
        $ completions => required arguments were not provided:\n  <SHELL>\n
        $ -n 5 -p 1% --json=5 => unexpected value '5' for '--json' found
        $ -n 5 -p 1% --prevalence 1%
          --prevalence needs --lookups\nhint: write --lookups too, or leave out --prevalence\n
        $ -p 1% -n 5 -p 2% => '--p <RATE>' cannot be used multiple times\n
        $ -n => a value is required for '--n <ITEMS>' but none was supplied\n
        $ --filter => a value is required for '--filter <FILTER>'
        $ help nothing => unrecognized subcommand 'nothing'\n
    ",
    );
}

#[test]
fn typed_text_cannot_control_the_terminal() {
    for typed in [
        "\u{7}",
        "\u{202e}",
        "--\u{1b}[31m",
        "ex\u{1b}[31mact",
        "-\r",
        "a\u{8}b",
        "a\nb",
        "1/\u{c}4,",
        "--a\u{7}",
    ] {
        for args in [
            &[typed][..],
            &["compare", typed],
            &["completions", typed],
            &["help", typed],
            &["--n", "5", typed],
            &["--n", "5", "--model", typed],
            &["--filter", typed],
            &["--n", typed],
            &["--p", typed],
            &["--json=", typed],
        ] {
            // The output keeps its colours, because stripping them would also strip the control characters of the text.
            let (mut out, mut err) = (Vec::new(), Vec::new());
            let words = ["bloom-params"].iter().chain(args);
            let code = bloom_params::run(words, &mut out, &mut err).unwrap();
            let err = String::from_utf8(err).unwrap();
            assert!(code == 2 && out.is_empty(), "{args:?}");
            assert_eq!(terminal_control(&err), None, "{args:?}: {err:?}");
            assert!(!err.contains("a\nb"), "{args:?}: {err:?}");
        }
    }
    // Long texts are cut.
    assert!(run(&format!("--{}", "x".repeat(5000))).2.len() < 500);
}

#[cfg(unix)]
#[test]
fn an_argument_that_is_not_utf_8_is_named_like_any_other_bad_value() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let args = ["bloom-params", "-p", "1%", "-n"].map(OsStr::new);
    let args = args.into_iter().chain([OsStr::from_bytes(b"5\xff")]);
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let code = bloom_params::run(args, &mut out, &mut err).unwrap();
    let err = String::from_utf8(err).unwrap();
    assert!(code == 2 && out.is_empty());
    assert!(
        err.contains("arguments must be UTF-8, got 5\u{fffd}"),
        "{err}"
    );
}

#[test]
fn help_is_a_command_too() {
    assert_eq!(run("help"), run("--help"));
    assert_eq!(run("-help").0, 0);
    for command in ["compare", "table", "batch", "verify", "completions", "man"] {
        let (code, out, err) = run(&format!("help {command}"));
        assert_eq!((code, err.as_str()), (0, ""), "{command}");
        assert_eq!(out, run(&format!("{command} --help")).1);
        assert!(out.contains("\n\nExamples:\n"), "{out}");
    }
}

/// Returns the line without a flag and its value.
fn without(line: &str, flag: &str) -> String {
    let parts = line.split("--").map(str::trim);
    let others = parts.filter(|part| part.split(' ').next() != flag.strip_prefix("--"));
    let others = others.filter(|part| !part.is_empty());
    let others = others.map(|part| format!("--{part} "));
    others.collect::<Vec<_>>().concat()
}

/// Returns the command lines that a remark or the hint of an error proposes: a whole command line, the line without a flag, or
/// the line with other values.
fn asked(line: &str, message: &str, hint: &str) -> Vec<String> {
    if let Some((_, whole)) = hint.split_once("bloom-params ") {
        return vec![whole.to_string()];
    }
    let flags = |text: &str| -> Vec<String> {
        let words = text.split([' ', ',', ';', ':', '\n']);
        let flags = words.filter(|word| word.starts_with("--"));
        flags.map(str::to_string).collect()
    };
    if hint.starts_with("leave out ") {
        let first = hint.split([',', ';']).next().unwrap_or(hint);
        let named = flags(if hint.contains("one of them") {
            message
        } else {
            first
        });
        let given = named.iter().filter(|flag| line.contains(flag.as_str()));
        return given.map(|flag| without(line, flag)).collect();
    }
    let words: Vec<_> = hint.split([' ', ',', ';', ':', '?']).collect();
    let pairs = words.windows(2).filter(|pair| {
        let is_value = pair[1].starts_with(|c: char| c.is_ascii_alphanumeric());
        pair[0].starts_with("--") && is_value && !["and", "or", "for", "too"].contains(&pair[1])
    });
    let with = |line: String, pair: &[&str]| without(&line, pair[0]) + &pair.join(" ");
    if hint.contains(" or ") {
        return pairs.map(|pair| with(line.to_string(), pair)).collect();
    }
    let changed = pairs.fold(line.to_string(), |line, pair| with(line, pair) + " ");
    if changed == line {
        Vec::new()
    } else {
        vec![changed]
    }
}

/// Checks that all command lines proposed by an error or by remarks are accepted, and returns the number of these lines.
fn accepted(line: &str) -> usize {
    let (code, out, err) = run(line);
    let advice: Vec<_> = if code == 2 {
        let hint = err.split_once("\nhint: ").map(|(_, hint)| hint.trim());
        hint.into_iter().collect()
    } else {
        out.lines()
            .filter(|line| line.starts_with("note: ") && line.contains("write --"))
            .collect()
    };
    let lines = advice.iter().flat_map(|hint| asked(line, &err, hint));
    let lines: Vec<_> = lines.collect();
    let refused = lines.iter().filter(|pasted| run(pasted.trim()).0 == 2);
    let refused: Vec<_> = refused.collect();
    // If the hint lets the user choose which of two flags to leave out, one accepted line is enough: in the other line, a
    // further flag may need the one that was left out.
    let is_choice = err.contains("leave out one of them") && refused.len() < lines.len();
    assert!(
        is_choice || refused.is_empty(),
        "{line}\n{advice:?}\n{refused:?}"
    );
    lines.len()
}

#[test]
fn what_a_hint_asks_for_is_accepted() {
    let sizes = [
        "--n 1000 --p 1%",
        "--n 1000 --m 10000",
        "--m 10000 --p 1%",
        "--n 1E --m 16",
        "--n 1000 --m 100",
    ];
    let filters = [
        "classic",
        "partitioned",
        "blocked",
        "split-block",
        "plain-blocked",
        "counting",
        "scalable",
    ];
    let filters = filters.map(|name| format!("--filter {name}"));
    let options = [
        "",
        "--k 3",
        "--round 8",
        "--round pow2",
        "--hash-bits 40",
        "--confidence 99%",
        "--bits-per-item 10",
        "--distinct 50%",
        "--model textbook",
        "--set-bits 9",
        "--cost-false-hit 5 --lookups 1M",
        "--counter-bits 16",
        "--format rust",
        "--expansion 2",
        "--level-ratio 2",
        "--prevalence 1%",
        "--hash-bits 40 --confidence 99%",
    ];
    let mut tried = accepted("--n 1000 --p 1% --like guav");
    for size in sizes {
        // A hint about an option does not repair a question that is refused even without the option. So options are added only
        // to questions that are accepted.
        let questions = filters.each_ref().map(|filter| format!("{size} {filter}"));
        tried += questions
            .iter()
            .map(|question| accepted(question))
            .sum::<usize>();
        let mut questions: Vec<_> = questions
            .into_iter()
            .filter(|question| run(question).0 < 2)
            .collect();
        questions.push(size.to_string());
        for question in questions {
            for option in options {
                tried += accepted(&format!("{question} {option}"));
            }
        }
        for system in SYSTEMS {
            let question = format!("{size} --like {}", system.name);
            tried += accepted(&question);
            if run(&question).0 == 2 {
                continue;
            }
            for option in ["--k 3", "--round 8", "--filter counting", "--format go"] {
                tried += accepted(&format!("{question} {option}"));
            }
        }
    }
    assert!(tried > 100, "{tried}");
    let both = accepted("--m 10000 --k 3 --fill 47% --set-bits 9");
    assert_eq!(both, 2);
    for line in [
        "--bits-per-item 10 --round 8",
        "--bits-per-item 10 --confidence 99% --p 1%",
    ] {
        assert_eq!(
            run(&format!("{} --n 1000", without(line, "--round"))).0,
            0,
            "{line}"
        );
    }
    for refused in [
        "table --n 5 --k 3",
        "compare --n 5",
        "table --p 1%",
        "compare --n 5 --p 1% --k 3",
    ] {
        let err = run(refused).2;
        let hints = asked(refused, &err, err.split_once("\nhint: ").expect(refused).1);
        assert_eq!(hints.len(), 1, "{err}");
        assert_eq!(run(hints[0].trim()).0, 0, "{err}");
    }
}
