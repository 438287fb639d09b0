//! Tests with Parquet files that are cut, damaged or encrypted, and with commands that do not fit a Parquet file.

use super::*;

#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn what_does_not_fit_a_parquet_file_is_refused() {
    let from = file("refused.parquet", &bytes(PLAIN));
    let into = copy(&from, "refused-copy.parquet", &["user_id"], &[]);
    let before = fs::read(&from).unwrap();
    let plain = run(
        &["build", "--format", "spark", "-n", "9", "-p", "1%"],
        b"a\n",
    )
    .out;
    let plain = file("refused-plain", &plain);
    for (command, message) in [
        ("query INTO 7", "query of a Parquet file needs --column"),
        (
            "query PLAIN --column user_id 7",
            "--column needs a Parquet file, got",
        ),
        (
            "query INTO --column id 7",
            "--column must be a column of the file, got id",
        ),
        (
            "query INTO --column id 7",
            "hint: it has 11 columns: user_id, name, score,",
        ),
        (
            "query INTO --column flag true",
            "--column must not be of type BOOLEAN, got flag",
        ),
        (
            "query INTO --column user_id x",
            "key must be a 64-bit integer, got x",
        ),
        (
            "query INTO --column user_id --keys text x",
            "keys of column user_id, which is INT64, must be i64, got text",
        ),
        (
            "query INTO --column name --keys i64 7",
            "keys of column name, which is BYTE_ARRAY (UTF8), must be text or hex, got i64",
        ),
        (
            "query INTO --column day 2020-01-01",
            "hint: a key of column day, which is INT32 (DATE), is written as the number of days since 1970-01-01",
        ),
        (
            "query INTO --column code 00ff",
            "key must be 4 bytes, written as --keys hex, got 00ff",
        ),
        (
            "query INTO --column port -1",
            "key must be an unsigned 32-bit integer, got -1",
        ),
        (
            "build --into FROM --column user_id FROM",
            "--into must be another file than",
        ),
        (
            "build --into /no/such/x --column user_id FROM",
            "cannot write /no/such/x",
        ),
        (
            "build --into INTO --column user_id -p 2 FROM",
            "p must be between 0 and 1",
        ),
        (
            "build --into INTO --column user_id -n 10G FROM",
            "row group 0, column user_id: Parquet filter: bits must be at most 1073741824, got",
        ),
        (
            "build --into INTO --column user_id PLAIN",
            "Parquet file must end with PAR1, got",
        ),
        ("build --into INTO FROM", "--column <COLUMN>"),
        ("build --into INTO --column user_id", "<FILE>"),
        ("build -n 9 -p 1%", "--format <FORMAT>"),
        (
            "build --into INTO --format spark --column a FROM",
            "cannot be used with",
        ),
    ] {
        let args = command.split(' ').map(|word| match word {
            "FROM" => &from,
            "INTO" => &into,
            "PLAIN" => &plain,
            other => other,
        });
        refused(&run(&args.collect::<Vec<_>>(), b""), message);
    }
    assert_eq!(fs::read(&from).unwrap(), before);
    // Numbers are stored in zigzag code. The changed byte turns the 2,000 rows into -2,001, and the 500 values of the last
    // column into -501 or 499.
    let negative = "numbers of rows and values must be at least 0";
    for (count, byte, message) in [
        ([0x16, 0xa0, 0x1f, 0x19], 0xa1, negative),
        ([0x16, 0xe8, 0x07, 0x16], 0xe9, negative),
        (
            [0x16, 0xe8, 0x07, 0x16],
            0xe6,
            "column port: number of values, nulls included, must be 499, got 500",
        ),
    ] {
        let at = before.windows(4).rposition(|bytes| bytes == count).unwrap();
        let mut damaged = before.clone();
        damaged[at + 1] = byte;
        let damaged = file("counts.parquet", &damaged);
        refused(
            &run(
                &["build", "--into", &into, "--column", "port", &damaged],
                b"",
            ),
            message,
        );
    }
    let by_input = run(&["inspect", "-"], &before);
    refused(
        &by_input,
        "it is a Parquet file: bloom-file inspect FILE lists its filters",
    );
}

#[test]
fn the_hint_of_a_parquet_file_names_commands_that_take_a_filter_out() {
    let from = file("hinted.parquet", &bytes(PLAIN));
    let into = copy(&from, "hinted-copy.parquet", &["user_id"], &[]);
    let hint = "bloom-file convert FILE --offset BYTES --to parquet extracts one of them";
    for command in [
        vec!["convert", &into, "--to", "parquet"],
        vec!["merge", &into],
    ] {
        refused(&run(&command, b""), hint);
    }
    let listed = run(&["inspect", &into, "--json"], b"");
    let listed: Value = serde_json::from_slice(&listed.out).unwrap();
    let offset = listed["chunks"][0]["bloom_filter_offset"].to_string();
    let alone = run(
        &["convert", &into, "--offset", &offset, "--to", "parquet"],
        b"",
    );
    assert_eq!(alone.code, 0, "{}", alone.err);
    let alone = file("hinted-alone", &alone.out);
    for (path, more) in [(&alone, &[][..]), (&into, &["--offset", &offset])] {
        let inspected = run(&[&["inspect", path], more].concat(), b"");
        let text = "--format parquet";
        assert!(inspected.text().contains(text), "{inspected:?}");
        let args = [&["query", path, "--keys", "i64", "7"], more].concat();
        assert_eq!(run(&args, b"").text(), "yes\n");
    }
}

#[test]
fn encrypted_files_are_refused() {
    let plain = bytes(PLAIN);
    let mut sealed = plain.clone();
    let end = sealed.len() - 4;
    sealed[..4].copy_from_slice(b"PARE");
    sealed[end..].copy_from_slice(b"PARE");
    // This footer can be read, but its field 8 states the encryption algorithm AES_GCM_V1.
    let known = footer(&plain);
    let signed = [&known[..known.len() - 1], &[0x1c, 0x1c, 0, 0, 0]].concat();
    let into = file("encrypted-copy.parquet", b"before");
    for (name, bytes, message) in [
        ("sealed", sealed, "footer must not be encrypted"),
        (
            "signed",
            with_footer(&plain, &signed),
            "columns and footer must not be encrypted",
        ),
    ] {
        let path = file(&format!("{name}.parquet"), &bytes);
        refused(&run(&["inspect", &path], b""), message);
        refused(
            &run(&["query", &path, "--column", "user_id", "1"], b""),
            message,
        );
        refused(
            &run(
                &["build", "--into", &into, "--column", "user_id", &path],
                b"",
            ),
            message,
        );
    }
    assert_eq!(fs::read(into).unwrap(), b"before");
}

/// Inspects a file and copies it with filters, in this process, where a panic makes the test fail. Returns both exit codes.
fn codes(path: &str, into: &str) -> [u8; 2] {
    let run = |args: &[&str]| {
        let args = std::iter::once("bloom-file").chain(args.iter().copied());
        bloom_file::run(args, &mut Vec::new(), &mut Vec::new()).unwrap()
    };
    let columns = COLUMNS.map(|column| ["--column", column]).concat();
    [
        run(&["inspect", path]),
        run(&[&["build", "--into", into, path][..], &columns].concat()),
    ]
}

#[test]
fn cut_files_are_refused_at_every_length() {
    let whole = bytes(PLAIN);
    let into = file("cut-copy.parquet", b"");
    let from = file("cut-whole.parquet", &whole);
    let whole = fs::read(copy(
        &from,
        "cut-filters.parquet",
        &["user_id", "name"],
        &[],
    ))
    .unwrap();
    let steps = (4..whole.len()).step_by(97);
    for length in steps.chain(whole.len() - 40..whole.len()) {
        let path = file("cut.parquet", &whole[..length]);
        assert_eq!(codes(&path, &into), [2, 2], "{length} bytes");
    }
}

/// Returns a file with filters that is so small that many of its bytes can be damaged, one after another.
fn small(version: WriterVersion, dictionary: bool) -> Vec<u8> {
    let form = Form {
        version,
        dictionary,
        compression: Compression::SNAPPY,
    };
    let name = format!("small-{dictionary}-{}.parquet", version.as_num());
    let from = file(&name, &with_properties(properties(form), 1, 5));
    fs::read(copy(
        &from,
        &format!("filters-{name}"),
        &["user_id", "name"],
        &[],
    ))
    .unwrap()
}

#[test]
fn no_damaged_byte_of_a_footer_causes_a_panic() {
    let whole = small(WriterVersion::PARQUET_1_0, true);
    let into = file("flipped-copy.parquet", b"");
    let mut refused = 0;
    for at in footer_start(&whole)..whole.len() {
        for mask in [1, 0xff] {
            let mut damaged = whole.clone();
            damaged[at] ^= mask;
            let path = file("flipped.parquet", &damaged);
            let codes = codes(&path, &into);
            refused += codes
                .map(|code| usize::from(code == 2))
                .iter()
                .sum::<usize>();
        }
    }
    // Damage in names, statistics and the like is not detected, so some commands succeed. Each byte of the footer is damaged in
    // two ways, and two commands read each damaged file. On average, more than one of these four runs is refused.
    assert!(refused > whole.len() - footer_start(&whole), "{refused}");
}

#[test]
fn no_damaged_byte_of_a_page_or_filter_causes_a_panic() {
    for (version, dictionary) in [
        (WriterVersion::PARQUET_1_0, true),
        (WriterVersion::PARQUET_1_0, false),
        (WriterVersion::PARQUET_2_0, true),
        (WriterVersion::PARQUET_2_0, false),
    ] {
        let whole = small(version, dictionary);
        let into = file("pages-copy.parquet", b"");
        for at in (4..footer_start(&whole)).step_by(3) {
            let mut damaged = whole.clone();
            damaged[at] ^= 0xff;
            codes(&file("pages.parquet", &damaged), &into);
        }
    }
}

#[test]
fn a_dash_is_the_standard_input_even_if_a_file_has_this_name() {
    let filter = file(
        "dash-filter",
        &crate::common::build("guava", "text", b"a\n").out,
    );
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("dash");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("-"), users()).unwrap();
    let ran = std::process::Command::new(env!("CARGO_BIN_EXE_bloom-file"))
        .args(["inspect", "-"])
        .current_dir(folder)
        .stdin(File::open(filter).unwrap())
        .output()
        .unwrap();
    assert!(ran.stdout.starts_with(b"Guava filter"), "{ran:?}");
}

#[test]
fn an_error_says_why_a_file_cannot_be_queried_by_column() {
    let path = file("reasons.parquet", &users());
    let query = |path: &str, more: &[&str]| {
        run(
            &[&["query", path, "5", "--column", "user_id"], more].concat(),
            b"",
        )
    };
    refused(
        &query("no-such-file", &[]),
        "no-such-file cannot be read: No such file",
    );
    let message = "--format must be parquet with --column, got guava";
    refused(&query(&path, &["-f", "guava"]), message);
    let into = path.clone() + "-into";
    let built = run(&["build", "--into", &into, "--column", "user_id", "-"], b"");
    refused(
        &built,
        "a Parquet file cannot be read from the standard input",
    );
}
