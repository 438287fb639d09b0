//! Tests the remarks below an answer: each is printed where it applies, and nowhere else.

use crate::common;

use bloom_params::Query;
use bloom_params::numbers::grouped;

fn answer(line: &str) -> String {
    common::run(line).1
}

#[track_caller]
fn assert_says(line: &str, remark: &str) {
    let text = answer(line);
    assert!(
        text.contains(remark),
        "{line} does not say {remark:?}:\n{text}"
    );
}

#[track_caller]
fn assert_silent(line: &str, remark: &str) {
    let text = answer(line);
    assert!(!text.contains(remark), "{line} says {remark:?}:\n{text}");
}

#[test]
fn one_is_singular() {
    assert_says("--n 1 --m 8 --k 1", "1 item\n");
    assert_says("--n 1 --m 8 --k 1", "1 byte,");
    assert_says("--n 1 --m 8 --k 1", "1 hash ");
    assert_says("--n 2 --m 8 --k 2", "2 items\n");
    assert_says("--n 2 --m 8 --k 2", "2 hashes ");
    assert_says("--n 8 --m 8 --k 1", "1 byte, 1 bit per item\n");
    assert_says("--n 10000 --m 10001 --k 1", ", 1 bit per item\n");
    assert_says("--n 2 --m 1 --k 1", ", 0.5 bits per item\n");
    assert_says("--m 1 --p 0.5", "1 item at 0.5 needs 1 bit in any");
    assert_says("--m 1 --p 0.3", "1 item at 0.3 needs 2 bits in any");
    assert_says("--n 2 --m 4 --p 0.3", "this size holds 1 item\n");
    assert_says(
        "--n 5 --m 0.001k",
        "m     1 bit      1 byte, 0.2 bits per item; for bytes write 0.001kB",
    );
    assert_says(
        "--n 5 --m 0.009k",
        "9 bits     2 bytes, 1.8 bits per item; for bytes write 0.009kB",
    );
}

#[test]
fn nothing_printed_counts_one_in_the_plural() {
    let ones = ["bits", "bytes", "items", "hashes", "times"].map(|unit| format!(" 1 {unit}"));
    for n in 1..=4 {
        for m in 1..=12 {
            for rest in [
                "",
                "--k 1",
                "--p 0.5",
                "--p 0.9",
                "--k 1 --p 0.3",
                "--k 2 --p 0.1",
            ] {
                for mix in [format!("--n {n} --m {m} {rest}"), format!("--m {m} {rest}")] {
                    let text = answer(&mix);
                    let plural = ones.iter().find(|one| text.contains(*one));
                    assert_eq!(plural, None, "{mix}: {text}");
                }
            }
        }
    }
}

#[test]
fn overfilling_is_printed_with_the_true_numbers_of_items() {
    assert_says(
        "--n 2000 --p 0.01",
        "p 0.0275 with 2,500 items (1.25 n), p 0.157 with 4,000",
    );
    assert_says("--n 10 --m 100", "with 12 items (1.2 n)");
    assert_silent("--m 3 --p 0.001", "overfilled");
}

#[test]
fn the_floor_of_the_hash_is_printed_from_a_hundredth_of_the_rate_on() {
    // With 10^9 items the rate of a 64-bit hash alone is 5.42e-11.
    assert_says("--n 1G --p 5.3e-9", "a 64-bit hash adds 5.42e-11");
    assert_silent("--n 1G --p 5.5e-9", "64-bit");
    // With 2^64 - 1 items, p is 1 - e^-2 and the rate of the hash alone is 1 - 1/e, so e^-2 × (1 - 1/e) is added.
    assert_says(
        "--n 18446744073709551615 --m 2^63 --k 1",
        "a 64-bit hash adds 0.0855 ((1 - p) (1 - (1 - 2^-64)^n))\n",
    );
    // Where p is 1 there is nothing to add.
    assert_silent("-n 2^63 -m 10", "64-bit");
    // n / 2^64 is accurate to three digits for the second of the next two questions, and not for the first.
    assert_says("--n 2^54 --p 1e-3", "adds 0.000975 ((1 - p) (1");
    assert_says("--n 2^53 --p 1e-5", "adds 0.000488 (n / 2^64)");
}

#[test]
fn sizes_beyond_2_to_46_bits_are_reported_as_nearly_minimal() {
    assert_silent("--m 2^46 --p 0.01", "beyond 2^46");
    assert_says("--m 70368744177665 --p 0.01", "beyond 2^46");
    assert_silent("--n 1e13 --m 2^50", "beyond 2^46");
}

#[test]
fn the_usual_rule_is_judged_fairly() {
    assert_says(
        "--n 2000 --p 0.01",
        "whose exact rate 0.0100416 is over the target",
    );
    assert_says(
        "--n 1 --p 0.5",
        "m = 2, k = 1, whose exact rate 0.5 is within the target",
    );
    assert_silent("--n 2000 --m 20000", "usual rule");
    // The exact rate is 0.50000000000095, printed with enough digits to differ from the target.
    assert_says(
        "--n 1e11 --p 0.5",
        "whose exact rate 0.500000000001 is over the target",
    );
    // The exact rate is 0.50000000000011. Whether it is above the target is decided exactly, but its last digits are uncertain.
    assert_says(
        "--n 1e12 --p 0.5",
        "whose exact rate 0.5 is over the target by less than 1 part in 10^12",
    );
    // The exact rate is 0.499999999999999974, too near the target for a decision.
    assert_says(
        "--n 1e17 --p 0.5",
        "whose exact rate 0.5 is the target to 12 digits",
    );
}

#[test]
fn what_another_model_hides_is_reported() {
    assert_says(
        "--n 2000 --p 0.01 --model textbook",
        "the exact rate of this size is 0.01000181, over the target\n",
    );
    assert_says(
        "--n 2000 --m 20000 --p 0.01 --model textbook",
        "the exact rate of this size is 0.0094336, within the target\n",
    );
    assert_says(
        "--n 2000 --m 20000 --model textbook",
        "the exact rate of this size is 0.0081974\n",
    );
    assert_says(
        "--n 1e12 --p .01 --model asymptotic",
        "0.01, over the target by less than 1 part in 10^12\n",
    );
    assert_silent("--m 3 --p .001 --model textbook", "formula's");
    // Beyond 2^46 bits no exact decision is made, and none is needed here.
    assert_says(
        "-n 1e13 -m 2^50 -k 1 -p .1 --model textbook",
        "note: p is by the textbook formula; the exact rate of this size is 0.0088425, within the target\n",
    );
}

#[test]
fn a_missed_target_is_reported_with_the_excess_and_what_would_meet_it() {
    let line = "--n 2000 --m 19171 --k 7 --p 0.01";
    assert_says(line, "p is 0.415 % over the target");
    assert_says("--n 2000 --m 10000 --p 0.01", "p is 9.19 times the target");
    assert_says(
        "--n 2000 --m 10000 --p 0.01 --model asymptotic",
        "19,186 in a Bloom filter",
    );
    // The note gives the most items for the given k, and not for the best k.
    let query = Query {
        bits: Some(19_171),
        hashes: Some(4),
        rate: Some(0.01),
        ..Query::default()
    };
    let fits = grouped(query.solve().unwrap().items);
    assert_says(
        "--n 2000 --m 19171 --k 4 --p 0.01",
        &format!("this size holds {fits} items"),
    );
    // The note gives the rate with one item, for the best hashes or for those given. A further note says how many bits the item
    // needs.
    assert_says(
        "--m 100 --p 1e-20",
        "with one and k = 54, p is 1.9161e-19, 19.2 times",
    );
    assert_says(
        "--m 100 --p 1e-20",
        "1 item at 1e-20 needs 67 bits in any structure",
    );
    assert_says(
        "--m 3 --k 2 --p 0.001",
        "with one and k = 2, p is 0.33334, 333 times the target",
    );
    assert_says(
        "--m 1 --p 0.99",
        "with one and k = 1, p is 1, 1.01 % over the target",
    );
}

#[test]
fn a_target_missed_by_little_or_by_twice_is_reported_in_the_right_words() {
    // The answer for this m, k and p has 2^63 ln 2 items, or 6.393e18. The question has one item
    // more.
    let line = "-n 6393154322601329153 -m 2^63 -k 1 -p 0.5";
    assert_says(line, "\nnote: p is less than 1e-10 % over the target\n");
    // The only bit is set, so p is 1.
    assert_says("-n 1 -m 1 -k 1 -p 0.5", "\nnote: p is 2 times the target\n");
    assert_says(
        "-n 1 -m 1 -k 1 -p 0.501",
        "\nnote: p is 99.6 % over the target\n",
    );
    // The rate with a library's double hashing is judged, not the rate of ideal hashes.
    assert_says(
        "-n 100 -p 1% --like guava",
        "\nnote: p is 9.38 % over the target\n",
    );
    // The note says nothing about the hashes: they are given, and need not be the best.
    assert_says(
        "-n 2000 -m 19171 -k 7 -p 0.01",
        "\nnote: p is 0.415 % over the target\n",
    );
}

#[test]
fn small_targets_are_written_short() {
    assert_says("--n 2000 --p 0.00001", "target 1e-5: met");
    assert_says("--n 2000 --p 0.0001", "target 0.0001: met");
}

#[test]
fn a_rate_that_is_met_is_never_printed_above_its_target() {
    // The first rate, rounded up to five digits, would be 0.01. The second exceeds its target if it grows
    // by 1 part in 10^16.
    for (line, target) in [
        ("--n 1000000000 --p 0.009999954", 0.009_999_954),
        ("--n 271 --k 1 --p 6.4e-12", 6.4e-12),
    ] {
        let text = answer(line);
        let row = text.lines().find(|row| row.starts_with("p ")).unwrap();
        let printed: f64 = row.split_whitespace().nth(1).unwrap().parse().unwrap();
        assert!(printed <= target, "{text}");
        let json = answer(&format!("{line} --json"));
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert!(json["p"].as_f64().unwrap() <= target);
        assert_eq!(json["met"], true);
    }
}

#[test]
fn the_hashes_that_meet_the_target_are_printed_as_a_range_or_as_the_only_one() {
    assert_says(
        "--n 2000 --m 20000 --p 0.01",
        "every k from 5 to 9 meets the target; 7 is best with p 0.0081974",
    );
    assert_says(
        "--n 2000 --m 19188 --p 0.01",
        "only k = 7 meets the target\n",
    );
}

#[cfg(target_os = "linux")]
#[test]
fn an_answer_that_cannot_be_written_exits_2() {
    let full = std::fs::OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_bloom-params"))
        .args(["--n", "2000", "--p", "0.01"])
        .stdout(full)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(
        message.starts_with("error: cannot write the output"),
        "{message}"
    );
}

#[test]
fn a_size_that_looks_like_that_of_one_item_is_reported() {
    let note = "note: m is the size of the whole filter; for 10 bits per item write --m 10000000\n";
    assert!(answer("-n 1M -m 10").ends_with(note));
    assert_says("-n 1000 -m 64", "; for 64 bits per item write --m 64000\n");
    assert_says(
        "-n 1000 -m 65",
        "note: n is larger than m; if the two are swapped, ",
    );
    assert_says(
        "-n 9 -m 2 --filter counting",
        "for 2 counters per item write --m 18\n",
    );
    for line in [
        "-n 10 -m 64",
        "-n 1M -m 65",
        "-m 10 -p .1",
        "-n 2^63 -m 10",
        "-n 1000 --bits-per-item 0.002",
    ] {
        assert!(!answer(line).contains("whole filter"), "{line}");
    }
}

/// One item with two hashes sets two of ten bits in nine of ten cases. Then p is 0.04; the mean over all cases is
/// 0.037.
#[test]
fn an_item_that_keeps_p_in_the_mean_only_is_not_reported_to_miss_it() {
    let line = "-m 10 -k 2 -p 0.039 --confidence 99%";
    let (code, out, _) = common::run(line);
    assert_eq!(code, 1);
    let note = "note: not even one item meets the target: with one and k = 2, 10 % of single \
                filters keep 0.039 (asked: 99 %); the mean p is 0.037001\n";
    assert!(out.contains(note), "{out}");
}

/// Remarks and long rows are wrapped at 80 columns. A word that is longer than a line stays whole.
#[test]
fn answers_fit_80_columns() {
    for line in [
        "--n 2000 --p 1%",
        "--n 50M --p 0.1% --like redis",
        "--n 1e15 --p 0.1% --filter split-block",
        "--n 1e12 --p 1% --filter scalable --overfill",
        "--n 2000 --m 10000 --p 1% --filter plain-blocked",
        "--n 18446744073709551615 --p 0.1 --confidence 99.999%",
        "--p 1e-9",
        "--n 1M --m 16G",
        "compare --n 1e12 --p 1e-9 --sources",
        "table --n 1e15",
    ] {
        let (_, out, _) = common::run_folded(line);
        let long = out.lines().find(|line| line.chars().count() > 80);
        assert_eq!(long, None, "{line}");
    }
    let (_, out, _) = common::run_folded("--n 50M --p 0.1% --like redis");
    assert!(out.contains("\n      "), "no remark is broken: {out}");
}

#[test]
fn what_is_said_of_blocks_is_true_of_blocks() {
    // k is always 8.
    let line = "-n 2000 -p 1% --filter blocked --round pow2";
    assert_says(line, "note: m is rounded up as asked\n");
    assert_silent(&format!("{line} --explain"), "chosen");
    assert_says(
        "-n 2000 -p 1% --filter plain-blocked --round pow2",
        "and k chosen for it",
    );
    // One item takes a whole block of 512 bits. But 51 items fit in one block, too, with 10.04 bits per item, while many items
    // take 10.1.
    assert_says(
        "-p 1% --filter blocked",
        "for few items it may be more or less; ",
    );
    let many = common::object("-p 1% --filter blocked")["bits_per_item"]
        .as_f64()
        .unwrap();
    let few = common::object("-n 51 -p 1% --filter blocked")["bits_per_item"]
        .as_f64()
        .unwrap();
    assert!(few < many, "{few} {many}");
    assert_says(
        "--bits-per-item 10.04 --filter blocked",
        "for few items p may be higher or lower; ",
    );
}

#[test]
fn sizes_that_cannot_be_typed_are_not_proposed() {
    assert_silent("-n 1E -m 16", "per item write");
    assert_says(
        "-n 1E -m 9",
        "for 9 bits per item write --m 9000000000000000000\n",
    );
    // 1 EB is 8e18 bits, and 2 EB are 1.6e19 bits, more than 2^63.
    assert_says("-n 1E -m 1E", "; for bytes write 1EB");
    assert_silent("-n 1E -m 2E", "for bytes");
    // No counter has more than 16 bits, and no first stage has fewer items than one.
    let line = "-n 1M -m 8 -k 1 --filter counting --counter-bits";
    assert_says(&format!("{line} 15"), "write a larger --counter-bits");
    assert_silent(&format!("{line} 16"), "write a larger --counter-bits");
    assert_silent(
        "-m 10 -p 1e-9 --filter scalable --initial 1",
        "or a smaller --initial",
    );
}

#[test]
fn distinct_items_are_told_from_inserts() {
    let line = "-n 1000 --distinct 50% -m 100";
    assert_says(line, "if the two are swapped, write --n 100 --m 1000\n");
    assert_says(
        "-n 1 -p 1% --distinct 50%",
        "of 1 insert, 50 % are distinct, rounded up\n",
    );
    assert_says(
        "-n 1000 -p 1% --distinct 80%",
        "of 1,000 inserts, 80 % are distinct\n",
    );
}

/// The bounds are those of `with_hash_floor`, whose tests enumerate all filters of some sizes.
#[test]
fn a_hash_of_few_bits_is_reported_to_raise_p() {
    for (bits, most) in [(1, "6 %"), (4, "1.4 %"), (8, "0.2 %")] {
        let line = format!("-n 3 -m 64 -k 2 --hash-bits {bits}");
        assert_says(&line, &format!("p is too high, by up to {most}"));
    }
    assert_silent("-n 3 -m 64 -k 2 --hash-bits 9", "too high");
    assert_silent("-m 64 -k 2 --set-bits 9 --hash-bits 4", "too high");
}
