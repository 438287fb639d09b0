//! Tests the command line as a user sees it: answers, refusals and exit codes.

use std::io::{self, Write};

use crate::common::{json, prints, refused, run};
use bloom_testing::rows;

/// Checks the numbers of each mix, and which quantities the answer lists as solved.
#[test]
fn every_valid_mix_is_solved() {
    for (line, n, m, k, solved) in [
        ("--n 2000 --p 0.01", 2000, 19188, 7, "[\"m\",\"k\"]"),
        ("--n 2000 --k 5 --p 0.01", 2000, 19700, 5, "[\"m\"]"),
        ("--n 2000 --m 20000", 2000, 20000, 7, "[\"k\",\"p\"]"),
        ("--n 2000 --m 20000 --k 5", 2000, 20000, 5, "[\"p\"]"),
        ("--m 20000 --p 0.01", 2084, 20000, 7, "[\"n\",\"k\"]"),
        ("--m 20000 --k 5 --p 0.01", 2030, 20000, 5, "[\"n\"]"),
        ("--n 2000 --m 20000 --p 0.01", 2000, 20000, 5, "[\"k\"]"),
        ("--n 2000 --m 20000 --k 5 --p 0.01", 2000, 20000, 5, "[]"),
    ] {
        let (code, answer) = json(line);
        assert_eq!(code, 0, "{line}");
        let found = (
            answer["n"].as_u64(),
            answer["m"].as_u64(),
            answer["k"].as_u64(),
        );
        assert_eq!(found, (Some(n), Some(m), Some(k)), "{line}");
        assert_eq!(answer["solved"].to_string(), solved, "{line}");
    }
}

#[test]
fn every_spelling_of_a_question_is_the_same_question() {
    let (_, answer, _) = run("--n 2000 --p 0.01");
    for line in [
        "-n 2000 -p 0.01",
        "-n2000 -p0.01",
        "--n=2_000 --p=1%",
        "--items 2,000 --rate 1e-2",
        "-n 2k -p 1/100",
        "-p .01 -n 2e3",
    ] {
        assert_eq!(run(line).1, answer, "{line}");
    }
    assert_eq!(
        run("--items 10 --bits 100 --hashes 3").1,
        run("-n 10 -m 100 -k 3").1
    );
}

#[test]
fn the_range_of_hashes_stands_beside_the_fewest() {
    let (_, answer) = json("--n 2000 --m 20000 --p 0.01");
    assert_eq!(
        answer["k_range"].to_string(),
        r#"{"best":7,"max":9,"min":5}"#
    );
    prints(
        "--n 2000 --m 20000 --p 0.01",
        &["every k from 5 to 9 meets the target; 7 is best"],
    );
}

#[test]
fn the_model_decides_size_and_rate() {
    let (_, answer) = json("--n 2000 --p 0.01 --model asymptotic");
    assert_eq!(
        (answer["m"].as_u64(), answer["k"].as_u64()),
        (Some(19186), Some(7))
    );
    let (_, answer) = json("--n 2000 --m 20000 --k 5 --model asymptotic");
    let p = answer["p"].as_f64().unwrap();
    assert!((p / 0.009_430_929_226_122_473 - 1.0).abs() < 1e-14, "{p}");
    assert_eq!(answer["model"], "asymptotic");
    prints(
        "--n 2000 --p 0.01 --model asymptotic",
        &["the exact rate of this size is 0.0100043, over the target"],
    );
}

#[test]
fn a_missed_rate_exits_1_and_still_answers() {
    for line in [
        "--n 2000 --m 19171 --k 7 --p 0.01",
        "--n 2000 --m 10000 --p 0.01",
        "--m 3 --p 0.001",
        "--m 3 --k 2 --p 0.001",
    ] {
        let (code, out, err) = run(line);
        assert_eq!(code, 1, "{line}");
        assert!(
            out.contains("not met") && err.is_empty(),
            "{line}: {out}{err}"
        );
        let (code, answer) = json(line);
        assert_eq!(code, 1, "{line}");
        assert_eq!(answer["met"], false, "{line}");
    }
    prints(
        "--n 2000 --m 10000 --p 0.01",
        &[
            "no number of hashes meets the target: with the best, p is 9.19 times the target",
            "2,000 items at 0.01 need 13,288 bits in any structure, 19,188 in a Bloom filter (k = 7)",
            "this size holds 1,042 items",
        ],
    );
    let (_, answer) = json("--m 3 --p 0.001");
    assert_eq!(answer["n"], 0);
    assert_eq!(answer["p"], 0.0);
    assert!(answer["ln_p"].is_null() && answer["bits_per_item"].is_null());
}

/// Returns the printed n, m, k and p.
fn printed(out: &str) -> [String; 4] {
    ["n", "m", "k", "p"].map(|name| {
        let mut words = out.lines().map(str::split_whitespace);
        words
            .find_map(|mut words| (words.next() == Some(name)).then(|| words.next()).flatten())
            .unwrap_or_else(|| panic!("no {name} in {out}"))
            .to_string()
    })
}

#[test]
fn what_is_printed_is_met_when_pasted_back() {
    let mut lines = vec![
        "-n 2000 -p 0.01".to_string(),
        "-n 1 -m 1000000 -k 1".to_string(),
        "-n 1 -m 3 -k 1".to_string(),
        "-n 1000000000 -p 1e-8".to_string(),
        "-m 7 -p 0.5".to_string(),
        "-n 2000 -p 0.01 --model textbook".to_string(),
    ];
    for n in [1, 2, 3, 10, 77, 1_000, 12_345] {
        for p in ["0.9", "0.5", "1%", "0.001", "1e-6", "1/3", "2^-20", "1e-15"] {
            lines.push(format!("-n {n} -p {p}"));
            lines.push(format!("-n {n} -m {} -k 3", n * 9));
        }
    }
    // If the target is a power of two, the exact rate of the answer may be within a rounding error of the target.
    for n in [1, 2, 3, 5, 7, 10, 61, 100, 271] {
        for (k, j) in (1..=2).flat_map(|k| (1..=60).map(move |j| (k, j))) {
            lines.push(format!("-n {n} -k {k} -p 2^-{j}"));
        }
    }
    let missed = ["-n 2000 -m 19171 -k 7 -p 0.01", "-n 9 -m 20 -p 1e-6"];
    lines.extend(missed.map(str::to_string));
    let mut compared = 0;
    for line in lines {
        let (code, out, err) = run(&line);
        if code == 2 {
            assert!(err.contains("m must be at most 2^63 bits"), "{line}: {err}");
            continue;
        }
        compared += 1;
        assert_eq!(code == 1, missed.contains(&line.as_str()), "{line}");
        let [n, m, k, p] = printed(&out);
        let model = line
            .split_once("--model")
            .map_or("exact", |(_, name)| name.trim());
        let pasted = format!("-n {n} -m {m} -k {k} -p {p} --model {model}");
        assert_eq!(run(&pasted).0, 0, "{line} gave {pasted}");
    }
    assert!(compared > 1_000, "only {compared} answers were pasted");
    assert_eq!(printed(&run("-n 2000 -p 0.01").1)[3], "0.0099994");
    // The rates are (1 - (4/5)^2)^3 × (1 - (5/6)^2) = 0.014256 on the first two lines and 1 - (4/5)^3 = 0.488 on the third. The
    // f64 nearest to these rates are slightly less, so the printed rates are slightly more. The last rate is 1 - 5.4e-16, which
    // is above 0.9999999999999994: the 95 × 6 = 570 positions leave one of the 16 bits clear with a probability of 1.7e-15, and
    // p is then (15/16)^6.
    for (line, p) in [
        ("-n 2 -m 21 -k 4 --filter partitioned", "0.014257"),
        ("-n 2 -m 21 -k 4 -p 2^-6 --filter partitioned", "0.014257"),
        ("-n 3 -m 5 -k 1", "0.48801"),
        ("-n 95 -m 16 -k 6", "0.9999999999999996"),
    ] {
        assert_eq!(printed(&run(line).1)[3], p, "{line}");
    }
}

#[test]
fn more_than_255_hashes_are_never_used_and_that_is_reported() {
    let (_, answer) = json("--n 10 --p 1e-300");
    assert_eq!(answer["k"], 255);
    assert_eq!(answer["k_capped"], true);
    assert!(run("--n 10 --p 1e-300").1.contains("k is at most 255"));
    let (_, answer) = json("--n 1 --m 1M --p 1%");
    assert_eq!(answer["k_capped"], true);
    assert!(run("--n 1 --m 1M --p 1%").1.contains("k is at most 255"));
    assert!(!run("--n 10 --p 1e-10").1.contains("k is at most 255"));
}

#[test]
fn a_rate_under_the_range_of_f64_is_0_with_its_logarithm() {
    let (_, answer) = json("--n 1 --m 2^62 --k 255");
    assert_eq!(answer["p"], 0.0);
    assert!(answer["ln_p"].as_f64().unwrap() < -9_000.0);
    prints("--n 1 --m 2^62 --k 255", &["e-"]);
}

#[test]
fn the_floor_of_the_hash_is_printed_where_it_matters() {
    assert!(
        run("--n 1G --p 1e-9")
            .1
            .contains("a 64-bit hash adds 5.42e-11 (n / 2^64)")
    );
    assert!(!run("--n 1G --p 1e-6").1.contains("64-bit"));
}

/// `64mb` means bits, like `64m`, but many people mean bytes by it.
#[test]
fn a_size_with_a_small_b_is_printed_as_bits_and_bytes() {
    let megabytes = "64mb is 64,000,000 bits (8,000,000 bytes); for bytes write 64MB";
    let decimal = "8,000,000 bytes (7.63 MiB), 9.593 bits per item; for bytes write 64MB";
    prints("--m 64mb --p 1%", &[decimal]);
    let binary = "8,388,608 bytes (8 MiB), 9.593 bits per item; for bytes write 64MiB";
    prints("--m 64mib --p 1%", &[binary]);
    let counters = prints(
        "--m 64Mb --p 1% --filter counting",
        &["64,000,000 counters", "32,000,000 bytes"],
    );
    assert!(counters.contains("bytes write 64MB"), "{counters}");
    for line in ["--m 64mb --p 1% --json", "table --m 64mb --p 1%"] {
        assert_eq!(run(line).2, format!("note: {megabytes}\n"), "{line}");
    }
    let (_, _, err) = run("verify -n 30 --m 1kb -k 3 --trials 30");
    let note = "note: 1kb is 1,000 bits (125 bytes); for bytes write 1kB\n";
    assert_eq!(err, note);
    for line in [
        "--m 20kbit --p 1%",
        "--m 64MB --p 1%",
        "table --m 64MB --p 1%",
    ] {
        let (_, out, err) = run(line);
        assert!(!(out + &err).contains("for bytes write"), "{line}");
    }
}

#[test]
fn a_size_without_a_unit_is_printed_as_bits_and_bytes() {
    let note = "1G is 1,000,000,000 bits (125,000,000 bytes); for bytes write 1GB";
    prints(
        "--n 1000 --m 1G",
        &["125,000,000 bytes", "for bytes write 1GB"],
    );
    let (_, _, err) = run("--n 1000 --m 1G --json");
    assert!(err.contains(note), "{err}");
    assert!(!run("--n 1000 --m 1Gbit").1.contains("for bytes write"));
}

#[test]
fn impossible_mixes_are_refused_with_those_that_work() {
    for line in ["--n 5", "--m 5", "--k 5"] {
        let (code, out, err) = run(line);
        assert_eq!((code, out.as_str()), (2, ""), "{line}");
        assert!(err.starts_with("error: nothing follows from"), "{err}");
        assert!(err.contains("hint: give n and p, or n, k and p"), "{err}");
    }
}

#[test]
fn no_arguments_print_a_guide_as_an_error() {
    let (code, out, err) = run("");
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(err.contains("bloom-params --n 2000 --p 1%"), "{err}");
}

#[test]
fn malformed_lines_exit_2_with_one_clear_message() {
    for (line, [message]) in rows(
        r#"
        $ --n 2000 --p 0 => p must be between 0 and 1 (exclusive), got
        $ --n 2000 --p 1 => p must be between 0 and 1 (exclusive), got
        $ --n 2000 --p 2 => p must be between 0 and 1 (exclusive), got
        $ --n 2000 --p 100% => p must be between 0 and 1 (exclusive), got
        $ --n 2000 --p -0.5 => p must be between 0 and 1 (exclusive), got -0.5
        $ --n 2000 --p -1% => p must be between 0 and 1 (exclusive), got -1%
        $ --n 2000 --p -1e-3 => p must be between 0 and 1 (exclusive), got -1e-3
        $ --n 2000 --p -5k => got -5k
        $ --n 2000 --p nan => got nan
        $ --n 2000 --p inf => got inf
        $ --n 2000 --p -inf => got -inf
        $ --n 2000 --p 1e-400 => got 1e-400
        $ --n 2000 --p 0,01 => got 0,01
        $ --n 2000 --p 1:100 => got 1:100
        $ --n 2000 --p 1/0 => got 1/0
        $ --n 2000 --p 0x1p-7 => got 0x1p-7
        $ --n 2000 --p abc => got abc
        $ --n 2000 --p 1%% => got 1%%
        $ --n 0 --p 0.01 => n must be at least 1, got 0
        $ --n -5 --p 0.01 => n must be at least 1, got -5
        $ --n 2.5 --p 0.01 => n must be a whole number, got 2.5
        $ --n 1.0001k --p 0.01 => n must be a whole number, got 1.0001k
        $ --n 1e30 --p 0.01 => n must be at most 18,446,744,073,709,551,615, got 1e30
        $ --n 2^64 --p 0.01 => n must be at most
        $ --n 1e999999999999 --p 0.01 => n must be at most
        $ --n 2,00 --p 0.01 => got 2,00
        $ --n 2__000 --p 0.01 => got 2__000
        $ --n 2KB --p 0.01 => got 2KB
        $ --n NaN --p 0.01 => got NaN
        $ --n ٢٠٠٠ --p 0.01 => n must
        $ --n 2000 --m 0 => m must be at least 1, got 0
        $ --n 2000 --m 1ZiB => got 1ZiB
        $ --n 2000 --m 2^64 => m must be at most 2^63
        $ --n 2000 --m 0.3b => got 0.3b
        $ --n 2000 --m 5XB => got 5XB
        $ --n 2000 --m 16Ki => got 16Ki
        $ --n 2000 --m 20000 --k 0 => k must be at least 1, got 0
        $ --n 2000 --m 20000 --k 256 => k must be between 1 and 255, got 256
        $ --n 2000 --m 20000 --k 2.5 => k must be a whole number, got 2.5
        $ --n 2000 --m 20000 --k -3 => k must
        $ --n= --p 0.01 => --n needs a value, got an empty one
        $ --n 2000 => nothing follows from n alone
        $ --json => nothing to solve: none of n, m, k and p is given
        $ --n 1 --n 2 --p .1 => '--n <ITEMS>' cannot be used multiple times
        $ --n 2000 --p 0.01 --model classic
          --model must be one of exact, textbook and asymptotic, got classic
        $ --n 2000 --p 0.01 --jsn => unexpected argument '--jsn' found
        $ --n 1e18 --p 1e-300
          m must be at most 2^63 bits, but n = 1,000,000,000,000,000,000 at p = 1e-300
        $ --m 2^63 --k 1 --p 0.999 => "n must be at most 18,446,744,073,709,551,615, but m = "
    "#,
    ) {
        for line in [line.to_string(), format!("{line} --json")] {
            if line == "--json --json" || line == "--n --json" {
                continue;
            }
            refused(&line, &[&message]);
        }
    }
}

/// A writer that takes this many bytes and then fails with an error of this kind.
struct Closing(usize, io::ErrorKind);

impl Write for Closing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = bytes.len().min(self.0);
        self.0 -= taken;
        if taken == 0 {
            return Err(self.1.into());
        }
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_closed_pipe_is_no_error_and_a_full_disk_is() {
    for line in [
        &["bloom-params", "-n5", "-p.1"][..],
        &["bloom-params", "--help"],
    ] {
        for bytes in [0, 10] {
            let mut gone = Closing(bytes, io::ErrorKind::BrokenPipe);
            let code = bloom_params::run(line, &mut gone, &mut io::sink());
            assert_eq!(code.unwrap(), 0);
            let mut full = Closing(bytes, io::ErrorKind::StorageFull);
            let code = bloom_params::run(line, &mut full, &mut io::sink());
            assert_eq!(code.unwrap_err().kind(), io::ErrorKind::StorageFull);
        }
    }
}

#[test]
fn colours_are_only_for_terminals() {
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_bloom-params"))
        .args(["--n", "2000", "--p", "0.01"])
        .output()
        .unwrap();
    assert!(output.status.success());
    assert!(
        !output.stdout.contains(&0x1b),
        "an escape sequence in a pipe"
    );
    let (mut coloured, mut err) = (Vec::new(), Vec::new());
    let args = ["bloom-params", "--n", "2000", "--p", "0.01"];
    bloom_params::run(args, &mut coloured, &mut err).unwrap();
    assert!(coloured.contains(&0x1b), "no colours at all");
}
