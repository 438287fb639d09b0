//! Values without a flag and flags that there are not: what is told, and what was probably meant.

mod common;

use common::{run, run_args};

#[test]
fn hints_say_what_was_probably_meant() {
    for (line, hint) in [
        ("--n 2000 --p 1", "for 1 percent write --p 1%"),
        ("--n 2000 --p 0,01", "write 0.01"),
        (
            "--n 5 --m 16ki",
            "for bytes write 16KiB, for bits write 16Kib",
        ),
        ("2000 0.01", "--n 2000 --p 0.01"),
        ("5k 1%", "--n 5k --p 1%"),
        ("2000 16KiB", "--n 2000 --m 16KiB"),
        // From the last to the first.
        ("1% 2000", "--n 2000 --p 1%"),
        ("16KiB 2000", "--n 2000 --m 16KiB"),
        ("1% 16KiB", "--m 16KiB --p 1%"),
        // Each with the flag of the other.
        (
            "--n 1% --p 2000",
            "the two seem to be swapped: write --n 2000 --p 1%",
        ),
        (
            "--m 2000 --n 16KiB",
            "the two seem to be swapped: write --n 2000 --m 16KiB",
        ),
        (
            "--p 2000 --m 16KiB --n .1",
            "the two seem to be swapped: write --n 2000 --p .1",
        ),
        (
            "-n 5 -k 20000 -m 7",
            "the two seem to be swapped: write --m 20000 --k 7",
        ),
        ("16KiB 1%", "--m 16KiB --p 1%"),
        ("2000 20000 5", "--n 2000 --m 20000 --k 5"),
        ("2000 20000 5 1%", "--n 2000 --m 20000 --k 5 --p 1%"),
        ("5", "--n 5, and one value more: --m or --p"),
        ("0.5", "--p 0.5, and one value more: --n or --m"),
        ("16KiB 5", "--m 16KiB --k 5, and one value more: --n or --p"),
        (
            "--n 5 --p .1 extra",
            "it belongs to no flag: write --m or --k before it, or leave it out",
        ),
        (
            "--k 5 2000 1%",
            "they belong to no flag: write --n, --m or --p before them, or leave them out",
        ),
        ("-n5 -m9 -k1 -p.1 9", "it belongs to no flag: leave it out"),
        // A unit that a blank parts from its number.
        ("--m 10 MB --p 1%", "write --m 10MB in one"),
        ("--n 5 --p 0.1 %", "write --p 0.1% in one"),
        ("--n 2 000 --p 1%", "write --n 2000 in one"),
        ("--n 2 000 000 --p 1%", "write --n 2000000 in one"),
        ("--n 2000 p 1%", "flags have dashes: write --p 1%"),
        ("n=2000 p=1%", "flags have dashes: write --n 2000 --p 1%"),
        (
            "n 2000 m 16KiB",
            "flags have dashes: write --n 2000 --m 16KiB",
        ),
        ("version", "write bloom-params --version"),
    ] {
        let hint = format!("hint: {hint}\n");
        assert!(run(line).2.ends_with(&hint), "{line}: {}", run(line).2);
    }
    let flags =
        "hint: write values with their flags, like --n 2000 --p 0.01; --help has all of them\n";
    for line in ["n=2000 p=x", "-5", "1 2 3 4 5", "1% 2%"] {
        assert!(run(line).2.ends_with(flags), "{line}: {}", run(line).2);
    }
}

#[test]
fn values_without_a_flag_are_named() {
    for (line, message) in [
        ("5", "values need a flag, got 5\n"),
        ("-5", "values need a flag, got -5\n"),
        ("2000 -0.01", "values need a flag, got 2000 and -0.01\n"),
        ("1 2 3 4 5", "values need a flag, got 1, 2, 3, 4 and 5\n"),
        ("--n 5 --p .1 extra", "values need a flag, got extra\n"),
        ("--n 5 -- extra", "values need a flag, got extra\n"),
        // First what is wrong with the flags: one without its value leaves that of another over.
        ("--p --n 2000", "--p needs a value, got --n\n"),
    ] {
        for line in [line.to_string(), format!("--json {line}")] {
            let (code, out, err) = run(&line);
            assert_eq!((code, out.as_str()), (2, ""), "{line}");
            assert!(
                err.starts_with(&format!("error: {message}")),
                "{line}: {err}"
            );
        }
    }
    for (args, message) in [
        (
            &["--json", ""][..],
            "error: values need a flag, got an empty one\nhint: write values with their flags",
        ),
        (
            &["--n", "5", "--p", ".1", " "],
            "error: values need a flag, got an empty one\nhint: it belongs to no flag",
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
}

#[test]
fn unknown_flags_get_a_near_one_or_no_tip_at_all() {
    for (line, near) in [
        ("--itms 5", Some("--items")),
        ("--jsn --n 5", Some("--json")),
        ("--hash 5", Some("--hashes")),
        ("--foo", None),
        ("--foo 5 --n 5", None),
        ("-x 5", None),
        ("-items 5", Some("--items")),
        ("--n 5 -rate 1%", Some("--rate")),
        // Not the value odel of -m, nor the short -h.
        ("-model exact --n 5", Some("--model")),
        ("--n 5 -prevalence 1%", Some("--prevalence")),
        ("-hashes 5 --n 5", Some("--hashes")),
        ("-like guava --n 5", Some("--like")),
        ("verify -trials 50", Some("--trials")),
        ("-json", Some("--json")),
    ] {
        let (code, out, err) = run(line);
        assert_eq!((code, out.as_str()), (2, ""), "{line}");
        let flag = line
            .split(' ')
            .find(|arg| arg.starts_with('-') && *arg != "--n");
        let message = format!("error: there is no flag {}\n", flag.unwrap());
        let hint = near.map_or(
            "hint: bloom-params --help lists the flags\n".to_string(),
            |near| format!("hint: did you mean {near}?\n"),
        );
        assert_eq!(err, message + &hint, "{line}");
    }
    assert!(
        run("5 -1%")
            .2
            .starts_with("error: values need a flag, got -1%\n")
    );
}

#[test]
fn a_flag_with_one_dash_is_no_value_that_happens_to_read_so() {
    let (code, _, err) = run("-model=exact --n 5");
    assert!(code == 2 && err.contains("did you mean --model?"), "{err}");
    // Values directly behind a short flag stay values, and so does what stands after --.
    assert_eq!(run("-n2000 -p1%").0, 0);
    assert!(
        run("-n 5 -p .1 -- -model")
            .2
            .contains("values need a flag, got -model")
    );
    assert_eq!(run("-help").0, 0);
}

/// Groups stand behind one to three digits.
#[test]
fn digits_behind_more_than_a_group_are_no_part_of_the_number() {
    let told = "hint: it belongs to no flag: write --m or --k before it, or leave it out\n";
    let (_, _, err) = run("-n 2000 000 -p 1%");
    assert!(err.ends_with(told), "{err}");
    let (_, _, err) = run("-n 2 000 -p 1%");
    assert!(err.ends_with("hint: write --n 2000 in one\n"), "{err}");
}
