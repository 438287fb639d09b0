//! Tests the reports, errors and hints of the command `bloom-file`, and the completions and the manual for shells.

use bloom_core::BloomFilter;

use crate::common::{build, file, numbers, refused, run};

#[test]
fn inspect_prints_items_rate_and_verdict() {
    let path = file("inspected", &build("spark", "i64", &numbers(0..1_200)).out);
    let inspected = run(&["inspect", &path, "--p", "1%"], b"");
    assert_eq!(inspected.code, 1);
    let text = inspected.text();
    for part in [
        "Spark filter, version 2, seed 0 (--format spark)",
        "items    estimated from the set bits, ± ",
        "9,600 bits     1,200 bytes (1.17 KiB), ",
        "7 hashes",
        "target 0.01: not met",
        "on average a filter of this size keeps p = 0.01 up to 996 items; this one has about 1,192",
    ] {
        let text = text.replace("\n      ", " ");
        assert!(text.contains(part), "{part} in {text}");
    }
    assert!(text.contains("6.3e-5, computed"), "{text}");
    let kept = run(&["inspect", &path, "--p", "3%"], b"");
    assert_eq!(kept.code, 0, "{}", kept.text());
    assert!(kept.text().contains("target 0.03: met"));
}

#[test]
fn the_rate_of_a_small_filter_is_measured_and_reported_as_measured() {
    let args = ["-n", "50", "-p", "1%", "--keys", "i64"];
    let built = run(
        &[&["build", "-f", "guava"], &args[..]].concat(),
        &numbers(3_000..3_050),
    );
    let measured = "± 0.0001, measured on 1,048,576 random keys";
    assert!(built.note().contains(measured), "{}", built.err);
    let path = file("small", &built.out);
    let inspect = |target: &str| run(&["inspect", &path, "--p", target], b"");
    // The mean rate of filters of this size with 50 items is 0.00995, which meets 1 %. The rate of this filter, computed over
    // all pairs of hash values, is 0.01139, which does not.
    let inspected = inspect("1%");
    assert_eq!(inspected.code, 1, "{}", inspected.text());
    let text = inspected
        .text()
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    assert!(
        text.contains(measured) && text.contains("p 0.0113"),
        "{text}"
    );
    let doubt = "within three standard deviations";
    assert!(!text.contains(doubt), "{text}");
    assert!(inspect("1.12%").text().contains(doubt));
    let json = run(&["inspect", &path, "--json"], b"");
    let page: serde_json::Value = serde_json::from_slice(&json.out).unwrap();
    let filter = &page["filters"][0];
    assert_eq!(filter["p_keys"], 1 << 20);
    assert!((0.000_09..0.000_12).contains(&filter["p_sd"].as_f64().unwrap()));
}

#[test]
fn the_reason_why_there_is_no_estimate_is_true() {
    let inspect = |name: &str, bytes: &[u8]| {
        let inspected = run(&["inspect", &file(name, bytes)], b"");
        inspected.text().replace("\n      ", " ")
    };
    let mut common = BloomFilter::<str>::with_rate(100, 0.01).unwrap();
    common.insert("a");
    common.intersect_with(&common.clone()).unwrap();
    let text = inspect("intersected", &common.to_bytes().unwrap());
    assert!(text.contains("items    no estimate\n"), "{text}");
    assert!(
        text.contains("cannot be estimated after an intersection"),
        "{text}"
    );
    // A dynamic filter is a series of filters, called rows. Here every bit of the first row is set, and the second row has one
    // key.
    let args = ["build", "-f", "hadoop-dynamic"];
    let size = ["-m", "64", "-k", "1", "-n", "1k"];
    let built = run(&[&args[..], &size].concat(), &numbers(0..1_001));
    assert!(!built.note().contains("every bit"), "{}", built.err);
    let text = inspect("full-row", &built.out);
    assert!(text.contains("items    no estimate; the system"), "{text}");
    let full = run(
        &["build", "-f", "bloom-core", "-m", "64", "-k", "1"],
        &numbers(0..1_001),
    );
    assert!(full.note().contains("(every bit is set)"), "{}", full.err);
    let text = inspect("full", &full.out);
    assert!(text.contains("every bit is set: no estimate\n"), "{text}");
}

#[test]
fn a_filter_that_grows_reports_no_items_at_the_target_rate() {
    for (format, items) in [("redis", 1), ("hadoop-dynamic", 1), ("redis-nonscaling", 0)] {
        let path = file(
            &format!("grows-{format}"),
            &build(format, "text", &numbers(0..500)).out,
        );
        let inspected = run(&["inspect", &path, "--p", "1%"], b"");
        let is_said = inspected
            .text()
            .contains("on average a filter of this size");
        assert_eq!(is_said, items == 0, "{format}: {}", inspected.text());
        let json = run(&["inspect", &path, "--p", "1%", "--json"], b"");
        let page: serde_json::Value = serde_json::from_slice(&json.out).unwrap();
        assert_eq!(
            page["filters"][0]["n_at_target"].is_null(),
            items == 1,
            "{format}"
        );
    }
}

#[test]
fn the_count_of_stored_keys_is_at_most_the_count_of_keys() {
    let note = |format: &str, keys: &[u8]| build(format, "text", keys).note();
    let twice = [numbers(0..900), numbers(0..900)].concat();
    assert!(note("redis", &twice).contains("1,800 keys ("));
    assert!(note("redis", &twice).contains(" stored), n = "));
    assert!(note("hadoop-dynamic", &twice).contains("1,800 keys, n = "));
    // From the set bits of this filter, the number of keys is estimated as 40,016. The note reports at most 40,000, the number
    // of keys in the input.
    let args = ["build", "-f", "parquet", "-n", "100k", "-p", "1%"];
    let built = run(&args, &numbers(60_001..100_001));
    assert!(
        built.note().contains("40,000 keys (about "),
        "{}",
        built.err
    );
    assert!(!built.note().contains("about 40,0") || built.note().contains("about 40,000 "));
    // DataSketches does not insert the empty string.
    let empty = note("datasketches", b"\n\na\n");
    assert!(
        empty.starts_with("note: 1 key (about 1 distinct), "),
        "{empty}"
    );
    assert!(
        empty.contains("skipped 2 empty keys: datasketches ignores the empty key"),
        "{empty}"
    );
}

#[test]
fn bytes_that_follow_a_filter_are_reported() {
    let mut bytes = build("guava", "text", b"a\n").out;
    bytes.extend(b"xy");
    let path = file("trailing", &bytes);
    refused(&run(&["query", &path, "a"], b""), "fit none");
    let queried = run(&["query", &path, "--format", "guava", "a"], b"");
    assert_eq!((queried.code, queried.text()), (0, "yes\n"));
    assert_eq!(
        queried.err,
        "note: the filter is followed by 2 bytes, which guava ignores\n"
    );
    let inspected = run(&["inspect", &path, "--format", "guava"], b"");
    assert!(
        inspected
            .text()
            .contains("note: the filter is followed by 2 bytes")
    );
    // A filter inside a file is read at its offset.
    bytes.truncate(bytes.len() - 2);
    let inside = file("inside", &[b"1234", &bytes[..]].concat());
    let queried = run(&["query", &inside, "--offset", "4", "a"], b"");
    assert_eq!((queried.code, queried.text()), (0, "yes\n"));
}

#[test]
fn errors_tell_what_to_do_instead() {
    let spark = build("spark", "i64", &numbers(0..1_000)).out;
    let path = file("hinted", &spark);
    // The key is an integer in the filter, but is queried as text.
    let queried = run(&["query", &path, "5"], b"");
    assert_eq!((queried.code, queried.text()), (1, "no\n"));
    assert_eq!(queried.err, "note: with --keys i64 the answer is yes\n");
    let short = file("short", &spark[..spark.len() - 3]);
    let message = "hint: most likely a filter of spark that is 3 bytes too short";
    refused(&run(&["inspect", &short], b""), message);
    let long = file("long", &[spark.as_slice(), b"abc"].concat());
    let message = "hint: most likely a filter of spark that is 3 bytes too long";
    refused(&run(&["inspect", &long], b""), message);
    let zipped = file("zipped", &[b"\x1f\x8b".as_slice(), &spark].concat());
    refused(&run(&["inspect", &zipped], b""), "hint: it is compressed");
    let bare = file("hinted-bare", &build("parquet-bitset", "text", b"a\n").out);
    refused(&run(&["query", &bare, "a"], b""), "--format parquet-bitset");
    refused(
        &run(&["inspect", &path, "--offset", "99999"], b""),
        "--offset must be within",
    );
    refused(
        &run(&["inspect", &path, "--offset", "-1"], b""),
        "--offset must be a whole number",
    );
    refused(&run(&["merge", "-", "-"], b""), "only one FILE may be -");
    // If the format is named, a merge leaves out bytes that follow a filter.
    let longer = file("longer", &[&spark[..], b"x"].concat());
    let merged = run(&["merge", "--format", "spark", &path, &longer], b"");
    assert_eq!(
        (merged.code, merged.out == spark),
        (0, true),
        "{}",
        merged.err
    );
    assert!(
        merged.note().contains("the filter is followed by 1 byte"),
        "{}",
        merged.err
    );
    // Base64 is also read if it is wrapped in lines of 76 characters.
    let text = String::from_utf8(build("hudi", "text", b"a\n").out).unwrap();
    let lines: Vec<_> = text.as_bytes().chunks(76).collect();
    let wrapped = file("wrapped", &lines.join(&b'\n'));
    assert_eq!(run(&["query", &wrapped, "a"], b"").text(), "yes\n");
}

#[test]
fn one_hash_is_printed_in_the_singular() {
    for (rate, hashes) in [("50%", " 1 hash\n"), ("25%", " 2 hashes\n")] {
        let built = run(
            &["build", "--format", "dcso", "-n", "1k", "-p", rate],
            b"a\n",
        );
        let path = file("few-hashes", &built.out);
        let inspected = run(&["inspect", &path, "--format", "dcso"], b"");
        assert!(inspected.text().contains(hashes), "{}", inspected.text());
    }
}

/// Commands that must fail, each with a part of its message. PLAIN is a filter of Spark, NONE a file that is no filter.
const BAD: &str = "
inspect /no/such/file | /no/such/file cannot be read
inspect NONE | none must be a filter of a known format, got 7 bytes
inspect PLAIN --format guava | Guava filter: hashes must be from 1 to 255, got 0
inspect PLAIN --p 2 | p must be between 0 and 1
inspect PLAIN --offset x | --offset must be a whole number
query PLAIN --keys f64 1 | keys of a spark filter must be one of text, hex, i64, i32
query - | filter and keys must not both come from the standard input
query PLAIN a --strict | '[KEY]' cannot be used with '--strict'
query PLAIN --strict a | '--strict' cannot be used with '[KEY]'
query PLAIN --threads 2 a | '--threads <N>' cannot be used with '[KEY]'
build --format spark -n 0 -p 1% | n must be at least 1
build --format redis -n 1k -p 0.3 | false-positive rate must be at most 0.25, got 0.3
build --format spark -n 1k -p 1% -o /no/such/folder/x | cannot write /no/such/folder/x
build --format sparc -n 1k -p 1% | a similar value exists: 'spark'
man sing | invalid value 'sing'
";

#[test]
fn bad_input_is_refused_with_its_name_and_rule() {
    let plain = file("plain", &build("spark", "text", b"a\n").out);
    let none = file("none", b"nothing");
    for line in BAD.trim().lines() {
        let (command, message) = line.split_once(" | ").expect("two columns");
        let args = command.split(' ').map(|word| match word {
            "PLAIN" => plain.as_str(),
            "NONE" => none.as_str(),
            word => word,
        });
        refused(&run(&args.collect::<Vec<_>>(), b""), message);
    }
    let bad = build("spark", "hex", b"00\n0g\n");
    refused(
        &bad,
        "line 2: key must be pairs of hexadecimal digits, got 0g",
    );
    let bytes_alone = build("redis", "i64", b"1\n");
    refused(
        &bytes_alone,
        "hint: Redis stores a number as its decimal digits",
    );
}

#[test]
fn bare_bitsets_are_never_guessed() {
    let path = file("bare", &build("parquet-bitset", "text", b"a\n").out);
    refused(&run(&["query", &path, "a"], b""), "fit none");
    refused(&run(&["inspect", &path], b""), "--format parquet-bitset");
    let inspected = run(&["inspect", &path, "--format", "parquet-bitset"], b"");
    let text = inspected.text().replace("\n      ", " ");
    assert!(text.contains("nothing in the bytes proves"), "{text}");
}

#[test]
fn the_error_names_what_a_damaged_file_most_likely_is() {
    let whole = run(
        &["build", "-f", "spark", "-n", "1M", "-p", "1%"],
        &numbers(0..1_000),
    )
    .out;
    assert_eq!(whole.len(), 1_198_152);
    let cut = file("cut", &whole[..500_000]);
    let hint = "most likely a filter of spark that is 698,152 bytes too short";
    refused(&run(&["inspect", &cut, "--p", "1%"], b""), hint);
    // A bitset of Parquet, which has no header, may be any bytes whose length is a multiple of 32. A cut file of such a length
    // is not taken for a bitset.
    let cut = file("cut-32", &whole[..32 * 1_000]);
    refused(&run(&["inspect", &cut], b""), "1,166,152 bytes too short");
    // The first flip changes the number of words in the header, and the second one changes the version.
    for (byte, bit) in [(13, 0x10), (3, 4)] {
        let mut flipped = whole.clone();
        flipped[byte] ^= bit;
        let flipped = file("flipped", &flipped);
        let hint = "most likely a filter of spark with one flipped bit in its header";
        refused(&run(&["inspect", &flipped], b""), hint);
    }
    let own = build("bloom-core", "text", b"a\n").out;
    let cut = file("cut-own", &own[..own.len() - 8]);
    let hint = "hint: it has the magic bytes of a bloom-core filter, but ";
    refused(&run(&["inspect", &cut], b""), hint);
}

#[test]
fn shells_get_completions_and_a_manual() {
    for shell in ["bash", "fish", "zsh"] {
        let script = run(&["completions", shell], b"");
        assert!(script.text().contains("spark-dataframe"), "{shell}");
    }
    // The script completes the names of files after `merge`.
    let zsh = run(&["completions", "zsh"], b"");
    assert!(zsh.text().contains("files -- The filters:_files"));
    assert!(run(&["man"], b"").text().contains("bloom-file"));
    assert!(run(&["man", "query"], b"").text().contains("only"));
    let guide = run(&[], b"");
    assert_eq!(guide.code, 2);
    assert!(guide.err.contains("bloom-file inspect"));
}

#[test]
fn the_hints_of_forms_are_true() {
    let hudi = file("hint-hudi", &build("hudi", "text", b"a\n").out);
    let cut = std::fs::read(&hudi).unwrap();
    let cut = file("hint-cut", &cut[..cut.len() - 8]);
    let ran = run(&["query", &cut, "a", "-f", "hudi"], b"");
    refused(&ran, "hint: these bytes are counted in the decoded base64");
    let hadoop = file("hint-hadoop", &build("hadoop", "text", b"a\n").out);
    let ran = run(&["convert", &hadoop, "--to", "hadoop-dynamic"], b"");
    refused(&ran, "hint: the two systems set different bits for a key");
}
