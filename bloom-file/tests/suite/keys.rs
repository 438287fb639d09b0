//! Tests how lines become keys, and what is reported if keys are queried as another type than they were inserted as.

use std::fs;

use crate::common::{Ran, build, file, numbers, refused, run, run_slowly};
use bloom_testing::assert_bytes;

/// If keys are queried as another type than they were inserted as, a warning names the type of the insertion.
#[test]
fn keys_of_another_type_are_noticed() {
    for (format, inserted, queried) in [
        ("spark", "i64", "text"),
        ("spark", "xxhash64-i64", "i64"),
        ("guava", "i64", "i32"),
        ("guava", "utf16", "text"),
        ("parquet", "i32", "i64"),
        ("orc", "i64", "f64"),
        ("hadoop", "i64-be", "i64-le"),
        ("dcso", "i32-le", "text"),
    ] {
        let path = file(
            &format!("mistaken-{format}-{inserted}"),
            &build(format, inserted, &numbers(0..1_000)).out,
        );
        let query = |keys: &str, flags: &[&str], range| {
            let args = [
                "query", &path, "--format", format, "--count", "--keys", keys,
            ];
            run(&[&args, flags].concat(), &numbers(range))
        };
        let mistaken = query(queried, &[], 0..1_000);
        let message = format!("With --keys {inserted}, 1,000 of 1,000 different keys");
        let text = mistaken.err.replace("\n         ", " ");
        assert!(text.starts_with("warning: "), "{format}: {text}");
        assert!(text.contains(&message), "{format}: {text}");
        assert_eq!(mistaken.code, 0);
        assert_eq!(query(queried, &["--strict"], 0..1_000).code, 1, "{format}");
        // Keys of the right type, and keys that are absent, give no warning.
        let right = query(inserted, &["--strict"], 0..1_000);
        assert_eq!((right.code, right.err.as_str()), (0, ""), "{format}");
        let strangers = query(inserted, &["--strict"], 50_000..60_000);
        assert_eq!(strangers.code, 0, "{format}");
        let note = strangers.note();
        assert!(
            note.starts_with("note: ") && note.contains("of 10,000 keys found ("),
            "{note}"
        );
        assert!(
            note.contains("%); false positives alone explain "),
            "{note}"
        );
        // A key that is queried again and again is one key, and proves nothing about types.
        let again = b"17\n".repeat(5_000);
        let args = [
            "query", &path, "--format", format, "--strict", "--count", "--keys", queried,
        ];
        assert_eq!(run(&args, &again).code, 0, "{format}");
    }
}

#[test]
fn bad_lines_are_skipped_on_demand_and_counted() {
    let input = b"1\nx\n2\n\n3\n";
    let args = [
        "build", "-f", "spark", "-n", "1k", "-p", "1%", "--keys", "i64",
    ];
    refused(
        &run(&args, input),
        "line 2: key must be a 64-bit integer, got x",
    );
    let built = run(&[&args[..], &["--skip-bad-lines"]].concat(), input);
    let note = "skipped 2 lines without a key of type i64; the first is line 2: key must be a 64-bit integer";
    assert!(built.note().contains(note), "{}", built.err);
    assert!(
        built.note().contains("3 keys (about 3 distinct)"),
        "{}",
        built.err
    );
    assert_bytes!(built.out, run(&args, b"1\n2\n3\n").out);
    let path = file("skipped", &built.out);
    let query = |flags: &[&str]| {
        let args = ["query", &path, "--keys", "i64", "--skip-bad-lines"];
        run(&[&args, flags].concat(), input)
    };
    assert_eq!(query(&[]).text(), "yes\nbad\nyes\nbad\nyes\n");
    assert_eq!(query(&["--only", "yes"]).text(), "1\n2\n3\n");
    assert_eq!(query(&["--count"]).text(), "yes 3\nno 0\nbad 2\n");
    assert!(query(&[]).note().contains(note));
    // The number of the line counts from the start of the input, even if the input is read in several chunks.
    let mut long = numbers(0..300_000);
    long.extend(b"y\n");
    let counted = run(
        &[
            "query",
            &path,
            "--keys",
            "i64",
            "--skip-bad-lines",
            "--count",
        ],
        &long,
    );
    assert!(
        counted
            .note()
            .contains("skipped 1 line without a key of type i64; the first is line 300,001"),
        "{}",
        counted.err
    );
}

#[test]
fn carriage_returns_are_noted() {
    let built = build("spark", "text", b"a\r\nb\r\n");
    assert!(
        built.note().contains("lines end with CR LF"),
        "{}",
        built.err
    );
    let path = file("returns", &built.out);
    let queried = run(&["query", &path], b"a\r\nb\r\n");
    assert_eq!(queried.text(), "yes\nyes\n");
    assert!(
        queried.note().contains("lines end with CR LF"),
        "{}",
        queried.err
    );
    assert_eq!(run(&["query", &path], b"a\r\nb\n").err, "");
    // If lines arrive one by one, the first line alone does not decide whether the note is printed.
    let slowly: [&[u8]; 3] = [b"a\r\n", b"b\r", b"\na\r\n"];
    assert_eq!(
        run_slowly(&["query", &path, "--only", "no"], &slowly).err,
        queried.err
    );
    assert_eq!(run_slowly(&["query", &path], &[b"a\r\n", b"b\n"]).err, "");
}

#[test]
fn carriage_returns_are_noted_where_they_are_a_part_of_the_key() {
    let noted = |ran: &Ran| ran.note().contains("lines end with CR LF");
    for (format, keys, is_part) in [
        ("guava", "utf16", true),
        ("spark", "xxhash64-text", true),
        ("spark", "i64", false),
    ] {
        let built = build(format, keys, b"1\r\n2\r\n");
        assert_eq!((built.code, noted(&built)), (0, is_part), "{keys}");
        let path = file(&format!("returns-{keys}"), &built.out);
        let queried = run(&["query", &path, "--keys", keys], b"1\r\n2\r\n");
        assert_eq!(noted(&queried), is_part, "{keys}");
    }
}

#[test]
fn only_lines_that_are_no_key_are_skipped() {
    let args = ["build", "-n", "100", "-p", "1%", "--skip-bad-lines", "-f"];
    let full = run(
        &[&args[..], &["redis-nonscaling"]].concat(),
        &numbers(0..1_000),
    );
    refused(&full, "line 101: ");
    let core = [&args[..], &["bloom-core"]].concat();
    let skipped = run(&core, b"a\n\xff\nb\n");
    assert_bytes!(skipped.out, run(&core, b"a\nb\n").out);
    let note = "skipped 1 line without a key of type text; the first is line 2: key must be UTF-8";
    assert!(skipped.note().contains(note), "{}", skipped.err);
    refused(
        &build("bloom-core", "text", b"\xff\n"),
        "line 1: key must be UTF-8, got",
    );
}

/// The expected bytes of each integer type were worked out by hand.
#[test]
fn integers_of_either_byte_order_are_their_bytes() {
    let by = |keys: &str, key: &str| build("hadoop", keys, format!("{key}\n").as_bytes()).out;
    let is = |keys: &str, two_bytes: &str, minus_2: &str| {
        assert_eq!(by(keys, "258"), by("hex", two_bytes), "{keys}");
        assert_eq!(by(keys, "-2"), by("hex", minus_2), "{keys}");
    };
    is("i64-be", "0000000000000102", "fffffffffffffffe");
    is("i64-le", "0201000000000000", "feffffffffffffff");
    is("i32-be", "00000102", "fffffffe");
    is("i32-le", "02010000", "feffffff");
}

/// A text and the hexadecimal digits of its bytes have the same hash.
#[test]
fn hexadecimal_digits_are_hashed_as_their_bytes() {
    let of = |keys: &str, key: &[u8]| build("spark", keys, key).out;
    for kind in ["", "xxhash64-"] {
        let (text, hex) = (format!("{kind}text"), format!("{kind}hex"));
        assert!(
            of(&text, b"user-7\n") == of(&hex, b"757365722d37\n"),
            "{hex}"
        );
    }
    assert!(of("xxhash64-hex", b"757365722d37\n") != of("hex", b"757365722d37\n"));
}

/// Every line is a key, even an empty line or a last line without a line feed.
#[test]
fn lines_are_keys_whether_empty_or_without_a_line_feed() {
    let path = file("short-lines", &build("redis", "text", b"a\n\nb\n").out);
    let query = |flags: &[&str], input: &[u8]| {
        let ran = run(&[&["query", &path], flags].concat(), input);
        (ran.code, ran.text().to_owned())
    };
    let expect = |code, text: &str| (code, text.to_owned());
    for end in ["", "\n"] {
        let input = format!("a\n\nzz{end}");
        let input = input.as_bytes();
        assert_eq!(query(&[], input), expect(0, "yes\nyes\nno\n"));
        assert_eq!(query(&["--only", "yes"], input), expect(0, "a\n\n"));
        assert_eq!(query(&["--only", "no"], input), expect(0, "zz\n"));
        assert_eq!(query(&["--count"], input), expect(0, "yes 2\nno 1\n"));
        // The answer for a single key is the exit code.
        for (key, code, answer, count) in [
            ("zz", 1, "no\n", "yes 0\nno 1\n"),
            ("a", 0, "yes\n", "yes 1\nno 0\n"),
        ] {
            let input = format!("{key}{end}");
            assert_eq!(query(&[], input.as_bytes()), expect(code, answer));
            assert_eq!(query(&["--count"], input.as_bytes()), expect(code, count));
        }
    }
    assert_eq!(query(&["--count"], b""), expect(0, "yes 0\nno 0\n"));
    let built = run(
        &["build", "--format", "redis", "-n", "1k", "-p", "1%"],
        b"a\n\nb",
    );
    assert_eq!(built.out, fs::read(&path).unwrap());
}

#[test]
fn long_input_is_answered_in_order() {
    let path = file("ordered", &build("spark", "i64", &numbers(0..1_000)).out);
    // The input is longer than the buffer, so that it is read in more than one chunk.
    let queried = run(
        &["query", &path, "--keys", "i64", "--only", "no"],
        &numbers(1_000..900_000),
    );
    let kept: Vec<i64> = queried
        .text()
        .lines()
        .map(|line| line.parse().unwrap())
        .collect();
    assert!(kept.is_sorted() && kept.len() > 880_000, "{}", kept.len());
    let mut wrong = numbers(0..700_000);
    wrong.extend(b"x\n1\n");
    let queried = run(&["query", &path, "--keys", "i64"], &wrong);
    assert_eq!(queried.code, 2);
    assert!(
        queried
            .err
            .contains("line 700001: key must be a 64-bit integer, got x")
    );
    assert_eq!(queried.text().lines().count(), 700_000);
}

#[test]
fn lines_may_be_empty_long_or_without_an_end() {
    let long = "x".repeat(9 << 20);
    let input = format!("\n{long}\nlast");
    let path = file(
        "lines",
        &build("bits-and-blooms", "text", input.as_bytes()).out,
    );
    let queried = run(&["query", &path], input.as_bytes());
    assert_eq!(queried.text(), "yes\nyes\nyes\n");
    assert_eq!(run(&["query", &path], b"").text(), "");
}

#[test]
fn the_answer_for_a_single_key_is_the_exit_code() {
    let path = file("single", &build("spark", "i64", b"-7\n").out);
    let query = |key: &str| run(&["query", &path, "--keys", "i64", key], b"");
    let (held, not) = (query("-7"), query("8"));
    assert_eq!((held.code, held.text()), (0, "yes\n"));
    assert_eq!((not.code, not.text()), (1, "no\n"));
    let by_input = |key: &[u8]| run(&["query", &path, "--keys", "i64"], key).code;
    assert_eq!(
        [by_input(b"-7\n"), by_input(b"8\n"), by_input(b"8\n9\n")],
        [0, 1, 0]
    );
    refused(&query("seven"), "key must be a 64-bit integer, got seven");
}

#[test]
fn a_bad_line_does_not_count_as_an_absent_key() {
    let path = file("bad-line", &build("spark", "i64", b"1\n").out);
    let code = |input: &[u8]| {
        let args = ["query", &path, "--keys", "i64", "--skip-bad-lines"];
        run(&args, input).code
    };
    assert_eq!([code(b"x\n"), code(b"8\nx\n"), code(b"1\nx\n")], [0, 1, 0]);
}

#[test]
fn numbers_that_are_out_of_range_are_refused() {
    let query = |format: &str, keys: &str, key: &str| {
        let built = build(format, keys, format!("{key}\n").as_bytes());
        (built.code, built.err)
    };
    for (keys, key) in [("f64", "1e400"), ("f32", "3.4e39"), ("f32", "-1e300")] {
        let (code, err) = query("parquet", keys, key);
        assert_eq!(code, 2, "{keys} {key}");
        assert!(err.contains("key must be a number up to "), "{err}");
    }
    for key in ["inf", "-Infinity", "NaN", "1e-400", "3.4028235e38"] {
        assert_eq!(query("parquet", "f32", key).0, 0, "{key}");
        assert_eq!(query("orc", "f64", key).0, 0, "{key}");
    }
}

#[test]
fn a_byte_order_mark_is_noted() {
    let marked = b"\xef\xbb\xbfa\nb\n";
    let built = build("spark", "text", marked);
    let text = "the first line begins with a byte order mark";
    assert!(built.note().contains(text), "{}", built.err);
    let path = file("mark", &built.out);
    assert!(run(&["query", &path], marked).note().contains(text));
    assert_eq!(run(&["query", &path], b"b\n\xef\xbb\xbfa\n").err, "");
}

#[cfg(unix)]
#[test]
fn keys_on_the_command_line_are_any_bytes() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    use std::process::{Command, Stdio};
    let path = file("any-bytes", &build("redis", "text", b"\xffa\n").out);
    let run = |args: &[&OsStr]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bloom-file"));
        command.args(args).stdin(Stdio::null()).output().unwrap()
    };
    let [query, convert, chunks] = ["query", "convert", "--chunks"].map(OsStr::new);
    let key = OsStr::from_bytes(b"\xffa");
    let queried = run(&[query, OsStr::new(&path), key]);
    assert_eq!(queried.stdout, b"yes\n", "{queried:?}");
    let converted = run(&[convert, OsStr::new(&path), chunks, key]).stdout;
    assert!(converted.windows(8).any(|part| part == b"$2\r\n\xffa\r\n"));
}
