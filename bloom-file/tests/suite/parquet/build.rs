//! Tests of copies of Parquet files to which filters of their own values are added.

use super::*;

#[test]
fn a_copy_has_the_same_data_and_filters_of_all_values() {
    let zstd = Compression::ZSTD(ZstdLevel::default());
    let forms = [
        (WriterVersion::PARQUET_1_0, false, Compression::UNCOMPRESSED),
        (WriterVersion::PARQUET_1_0, true, Compression::SNAPPY),
        (WriterVersion::PARQUET_2_0, true, zstd),
        (
            WriterVersion::PARQUET_2_0,
            false,
            Compression::GZIP(GzipLevel::default()),
        ),
        (WriterVersion::PARQUET_1_0, false, Compression::LZ4_RAW),
        (
            WriterVersion::PARQUET_1_0,
            true,
            Compression::BROTLI(BrotliLevel::default()),
        ),
    ];
    for (index, (version, dictionary, compression)) in forms.into_iter().enumerate() {
        let original = bytes(Form {
            version,
            dictionary,
            compression,
        });
        let from = file(&format!("original-{index}.parquet"), &original);
        let into = copy(
            &from,
            &format!("copy-{index}.parquet"),
            &COLUMNS,
            &["--p", "0.1%"],
        );
        let start = footer_start(&original);
        assert!(
            fs::read(&into).unwrap()[..start] == original[..start],
            "{compression}"
        );
        assert_eq!(
            without_places(&into),
            without_places(&from),
            "{compression}"
        );
        for (name, group) in COLUMNS
            .iter()
            .flat_map(|name| (0..GROUPS).map(move |group| (name, group)))
        {
            let filter = filter(&into, group, name).unwrap();
            let rows = group * ROWS..(group + 1) * ROWS;
            let missing = rows.clone().find(|row| !is_in(&filter, name, *row));
            assert_eq!(missing, None, "{compression}, row group {group}, {name}");
        }
        // Of 10,000 absent keys, about 10 or fewer are expected to be found. If the keys were random, 40 or more would be found
        // by chance less than once in 10^9 runs.
        let filter = filter(&into, 0, "user_id").unwrap();
        let found = (0..10_000)
            .filter(|key| filter.check(&(7 * key + 1_i64)))
            .count();
        assert!(found < 40, "{found}");
    }
}

/// The copy keeps a field that bloom-file does not know, such as one of a later version of Parquet. If the file lacks the field
/// for the orders of columns, which says how statistics compare values, the copy lacks it, too.
#[test]
fn the_rest_of_the_footer_stays_byte_for_byte() {
    let original = bytes(PLAIN);
    let known = footer(&original);
    // The unknown field has the number 100, in the long form, and is a binary of 5 bytes.
    let unknown = [&known[..known.len() - 1], b"\x08\xc8\x01\x05later\x00"].concat();
    // The orders of columns are the last field of the footer: a list of 11 unions of empty structs.
    let length = 2 + 3 * 11;
    let orders = known.len() - 1 - length;
    assert_eq!(known[orders..orders + 2], [0x19, 0xbc]);
    let without = [&known[..orders], &[0]].concat();
    for (name, changed) in [("later", &unknown), ("no-orders", &without)] {
        let changed_file = with_footer(&original, changed);
        let from = file(&format!("{name}.parquet"), &changed_file);
        let into = copy(&from, &format!("{name}-copy.parquet"), &["user_id"], &[]);
        let copied = fs::read(&into).unwrap();
        // The footer stays as it is from the key "key" on, which follows the row groups.
        let at = changed
            .windows(3)
            .rposition(|bytes| bytes == b"key")
            .unwrap();
        assert!(footer(&copied).ends_with(&changed[at..]), "{name}");
        // In a copy of the copy, only the offsets of the filters differ, and they take the same number of bytes.
        let again = copy(&into, &format!("{name}-again.parquet"), &["user_id"], &[]);
        let again = fs::read(again).unwrap();
        let differing = footer(&copied)
            .iter()
            .zip(footer(&again))
            .filter(|(one, other)| one != other);
        assert_eq!(footer(&copied).len(), footer(&again).len(), "{name}");
        assert!((1..=GROUPS * 4).contains(&differing.count()), "{name}");
    }
}

#[test]
fn filters_of_the_column_are_replaced_and_others_kept() {
    let with = |column: &str, builder: WriterPropertiesBuilder| {
        builder.set_column_bloom_filter_enabled(column.into(), true)
    };
    let builder = with("part", with("user_id", properties(PLAIN).into_builder()));
    let from = file(
        "replaced-from.parquet",
        &with_properties(builder.build(), GROUPS, ROWS),
    );
    let into = file("replaced.parquet", b"");
    let ran = run(
        &[
            "build", "--into", &into, "--column", "user_id", "-p", "3%", &from,
        ],
        b"",
    );
    assert!(
        ran.note()
            .contains("user_id: replaces 4 filters of the file"),
        "{}",
        ran.err
    );
    assert!(
        ran.note()
            .contains("user_id: 4 filters, n up to 500: m = 16,384 in all, p = "),
        "{}",
        ran.err
    );
    let (before, after) = (reader(&from), reader(&into));
    for group in 0..GROUPS {
        let place = |reader: &SerializedFileReader<File>, column| {
            reader
                .metadata()
                .row_group(group)
                .column(column)
                .bloom_filter_offset()
        };
        assert_eq!(place(&before, 4), place(&after, 4));
        assert!(place(&before, 0) < place(&after, 0));
        assert!((0..ROWS).all(|row| is_in(
            &filter(&into, group, "user_id").unwrap(),
            "user_id",
            group * ROWS + row
        )));
    }
}

/// For files of Spark, DuckDB and ClickHouse, the filter that is built has the size and the bytes of the engine's own filter.
#[test]
fn filters_of_other_writers_are_built_byte_for_byte() {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("../bloom-formats/tests/golden");
    let json = |name: &str| -> Value {
        serde_json::from_slice(&fs::read(golden.join(name)).unwrap()).unwrap()
    };
    let files = json("parquet/manifest.json");
    let files = files["filters"].as_array().unwrap();
    assert_eq!(files.len(), 4);
    for facts in files {
        let from = golden.join("parquet").join(facts["file"].as_str().unwrap());
        let into = copy(from.to_str().unwrap(), "golden-copy.parquet", &["v"], &[]);
        let filter = |path: &Path| {
            let reader = reader(path.to_str().unwrap());
            let chunk = reader.metadata().row_group(0).column(0);
            let start = chunk.bloom_filter_offset().unwrap() as usize;
            fs::read(path).unwrap()[start..][..chunk.bloom_filter_length().unwrap() as usize]
                .to_vec()
        };
        assert_bytes!(filter(Path::new(&into)), filter(&from));
        // Each query has the same answer as in the manifest.
        let set = json(facts["keys"].as_str().unwrap());
        let keys = set["queries"].as_array().unwrap().iter();
        let keys = keys.map(|key| key.as_str().map_or(key.to_string(), str::to_owned));
        let (mut lines, mut expected) = (String::new(), String::new());
        for (key, answer) in keys.zip(facts["answers"].as_str().unwrap().chars()) {
            if !key.contains('\n') {
                lines += &format!("{key}\n");
                expected += if answer == '1' { "yes 0\n" } else { "no\n" };
            }
        }
        let ran = run(&["query", &into, "--column", "v"], lines.as_bytes());
        assert_eq!(ran.text(), expected, "{facts}");
    }
}

/// In SQL, 0.0 and -0.0 are equal, and so are all NaNs. But an engine looks up only the hash of the value in the query, so a
/// filter with one of two equal values must have the other one, too.
#[test]
fn the_other_zero_and_the_usual_nan_are_added() {
    let from = file("zeros-from.parquet", &bytes(PLAIN));
    let into = copy(&from, "zeros.parquet", &["score", "ratio"], &[]);
    let (score, ratio) = (
        filter(&into, 0, "score").unwrap(),
        filter(&into, 0, "ratio").unwrap(),
    );
    assert!(score.check(&0.0_f64) && score.check(&-0.0_f64) && score.check(&f64::NAN));
    assert!(ratio.check(&0.0_f32) && ratio.check(&-0.0_f32) && ratio.check(&f32::NAN));
    let other = filter(&into, 1, "score").unwrap();
    assert!(!other.check(&0.0_f64) && !other.check(&f64::NAN));
}

/// Writes a file of one row group with the columns of `schema`, each with one value of two bytes, and returns its path.
fn of_pairs(name: &str, schema: &str, values: &[[u8; 2]]) -> String {
    let schema = parse_message_type(schema).unwrap();
    let mut written = Vec::new();
    let properties = Arc::new(properties(PLAIN));
    let mut writer = SerializedFileWriter::new(&mut written, schema.into(), properties).unwrap();
    let mut group = writer.next_row_group().unwrap();
    for value in values {
        let mut column = group.next_column().unwrap().unwrap();
        let value = [value.to_vec().into()];
        let typed = column.typed::<FixedLenByteArrayType>();
        typed.write_batch(&value, None, None).unwrap();
        column.close().unwrap();
    }
    group.close().unwrap();
    writer.close().unwrap();
    file(name, &written)
}

#[test]
fn the_other_zero_and_the_usual_nan_of_16_bits_are_added() {
    let schema = "message m { required fixed_len_byte_array(2) a (FLOAT16);
        required fixed_len_byte_array(2) b (FLOAT16); required fixed_len_byte_array(2) c (FLOAT16); }";
    let from = of_pairs("halves.parquet", schema, &[[0, 0], [0, 0x80], [1, 0xfe]]);
    let into = copy(&from, "halves-into.parquet", &["a", "b", "c"], &[]);
    let query = |column: &str, key: &str| run(&["query", &into, key, "--column", column], b"").code;
    assert_eq!(
        [query("a", "0080"), query("b", "0000"), query("c", "007e")],
        [0; 3]
    );
    assert_eq!([query("a", "0081"), query("c", "0000")], [1; 2]);
}

#[test]
fn a_name_that_two_columns_have_is_refused() {
    let two = "required fixed_len_byte_array(2)";
    let schema = format!("message m {{ {two} a.b; required group a {{ {two} b; }} {two} c; }}");
    let from = of_pairs("doubled.parquet", &schema, &[[0, 0]; 3]);
    let queried = run(&["query", &from, "0000", "--column", "a.b"], b"");
    refused(
        &queried,
        "--column must name one column, got a.b, the name of several",
    );
    assert_eq!(run(&["query", &from, "0000", "--column", "c"], b"").code, 0);
    let into = from.clone() + "-into";
    let built = run(&["build", "--into", &into, "--column", "a.b", &from], b"");
    refused(
        &built,
        "--column must name one column, got a.b, the name of several",
    );
}

#[test]
fn a_type_names_its_nanoseconds() {
    let schema = "message m { required fixed_len_byte_array(2) a;
        required int64 t (TIMESTAMP(NANOS, true)); required int64 u (TIME(NANOS, false)); }";
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let mut written = Vec::new();
    let writer = SerializedFileWriter::new(&mut written, schema, Arc::new(properties(PLAIN)));
    writer.unwrap().close().unwrap();
    let path = file("nanos.parquet", &written);
    for (column, kind) in [("t", "TIMESTAMP_NANOS"), ("u", "TIME_NANOS")] {
        let queried = run(&["query", &path, "5", "--column", column], b"");
        assert!(
            queried
                .note()
                .contains(&format!("which is INT64 ({kind}), is written as the")),
            "{}",
            queried.err
        );
    }
}

#[test]
fn names_of_columns_stay_on_their_line() {
    let schema = "message m { required fixed_len_byte_array(2) a\u{1b}[31m; }";
    let from = of_pairs("escapes.parquet", schema, &[[0, 0]]);
    let inspected = run(&["inspect", &from], b"");
    assert!(
        inspected.text().contains("a\\u{1b}[31m"),
        "{}",
        inspected.text()
    );
    let queried = run(&["query", &from, "0000", "--column", "x\ny"], b"");
    refused(&queried, "--column must be a column of the file, got x\\ny");
    assert!(
        queried.err.contains("it has 1 column: a\\u{1b}[31m"),
        "{}",
        queried.err
    );
}
