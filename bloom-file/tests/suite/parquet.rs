//! Parquet files: what is listed, queried and added to a copy, by the crate `parquet` as another reader.

use std::fs::{self, File};
use std::path::Path;
use std::sync::Arc;

use ::parquet::basic::{BrotliLevel, Compression, GzipLevel, ZstdLevel};
use ::parquet::bloom_filter::Sbbf;
use ::parquet::data_type::{
    BoolType, ByteArray, ByteArrayType, DoubleType, FixedLenByteArrayType, FloatType, Int32Type,
    Int64Type,
};
use ::parquet::file::metadata::{KeyValue, ParquetMetaData, SortingColumn};
use ::parquet::file::properties::{
    EnabledStatistics, WriterProperties, WriterPropertiesBuilder, WriterVersion,
};
use ::parquet::file::reader::FileReader;
use ::parquet::file::serialized_reader::SerializedFileReader;
use ::parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use ::parquet::schema::parser::parse_message_type;
use bloom_testing::assert_bytes;
use serde_json::Value;

use crate::common::{Ran, file, run};

const SCHEMA: &str = "message users {
    required int64 user_id;
    optional binary name (UTF8);
    required double score;
    required float ratio;
    optional int32 part;
    required fixed_len_byte_array(4) code;
    required boolean flag;
    repeated int64 visits;
    required int32 day (DATE);
    required int64 price (DECIMAL(12, 2));
    required int32 port (UINT_32);
}";

/// Columns that can have filters.
const COLUMNS: [&str; 10] = [
    "user_id", "name", "score", "ratio", "part", "code", "visits", "day", "price", "port",
];

const GROUPS: usize = 4;
const ROWS: usize = 500;

// The values of a row; rows are counted through the file.
fn user_id(row: usize) -> i64 {
    7 * row as i64
}

fn name(row: usize) -> Option<String> {
    (!row.is_multiple_of(5)).then(|| format!("user-{row}"))
}

fn score(row: usize) -> f64 {
    [
        -0.0,
        f64::from_bits(0xfff8_0000_0000_0001),
        0.25 * row as f64,
    ][row.min(2)]
}

fn part(row: usize) -> Option<i32> {
    (!row.is_multiple_of(3)).then_some((row % 50) as i32)
}

fn code(row: usize) -> [u8; 4] {
    (row as u32).wrapping_mul(0x9e37_79b9).to_be_bytes()
}

fn port(row: usize) -> u32 {
    u32::MAX - row as u32
}

/// How a file is written.
#[derive(Clone, Copy)]
struct Form {
    version: WriterVersion,
    dictionary: bool,
    compression: Compression,
}

const PLAIN: Form = Form {
    version: WriterVersion::PARQUET_1_0,
    dictionary: false,
    compression: Compression::UNCOMPRESSED,
};

fn properties(form: Form) -> WriterProperties {
    let sorted = SortingColumn {
        column_idx: 0,
        descending: false,
        nulls_first: false,
    };
    WriterProperties::builder()
        .set_writer_version(form.version)
        .set_dictionary_enabled(form.dictionary)
        .set_compression(form.compression)
        .set_created_by("a writer of tests".to_owned())
        .set_key_value_metadata(Some(vec![KeyValue::new(
            "key".to_owned(),
            "value".to_owned(),
        )]))
        .set_sorting_columns(Some(vec![sorted]))
        .set_data_page_row_count_limit(200)
        .set_write_batch_size(50)
        .build()
}

fn bytes(form: Form) -> Vec<u8> {
    with_properties(properties(form), GROUPS, ROWS)
}

fn with_properties(properties: WriterProperties, groups: usize, rows: usize) -> Vec<u8> {
    let schema = Arc::new(parse_message_type(SCHEMA).unwrap());
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties)).unwrap();
    for group in 0..groups {
        let mut next = writer.next_row_group().unwrap();
        write(&mut next, group * rows..(group + 1) * rows);
        next.close().unwrap();
    }
    writer.into_inner().unwrap()
}

fn write(group: &mut SerializedRowGroupWriter<'_, Vec<u8>>, rows: std::ops::Range<usize>) {
    macro_rules! column {
        ($type:ty, $values:expr, $definitions:expr, $repetitions:expr) => {{
            let mut column = group.next_column().unwrap().unwrap();
            let values: Vec<_> = $values.collect();
            let written = column.typed::<$type>();
            written
                .write_batch(&values, $definitions, $repetitions)
                .unwrap();
            column.close().unwrap();
        }};
        ($type:ty, $values:expr) => {
            column!($type, $values, None, None)
        };
    }
    let rows = || rows.clone();
    let present = |is: bool| i16::from(is);
    column!(Int64Type, rows().map(user_id));
    let definitions: Vec<_> = rows().map(|row| present(name(row).is_some())).collect();
    let names = rows()
        .filter_map(name)
        .map(|name| ByteArray::from(name.as_str()));
    column!(ByteArrayType, names, Some(&definitions), None);
    column!(DoubleType, rows().map(score));
    column!(FloatType, rows().map(|row| score(row) as f32));
    let definitions: Vec<_> = rows().map(|row| present(part(row).is_some())).collect();
    column!(Int32Type, rows().filter_map(part), Some(&definitions), None);
    let codes = rows().map(|row| ByteArray::from(code(row).to_vec()).into());
    column!(FixedLenByteArrayType, codes);
    column!(BoolType, rows().map(|row| row % 2 == 0));
    // Two visits a row.
    let (definitions, repetitions) = (vec![1; 2 * rows().len()], [0, 1].repeat(rows().len()));
    let visits = rows().flat_map(|row| [row as i64, -(row as i64)]);
    column!(Int64Type, visits, Some(&definitions), Some(&repetitions));
    column!(Int32Type, rows().map(|row| row as i32));
    column!(Int64Type, rows().map(|row| row as i64));
    column!(Int32Type, rows().map(|row| port(row) as i32));
}

/// Returns a table of the users 1 to 100,000 in four row groups, each of which has ids from the whole range.
pub(crate) fn users() -> Vec<u8> {
    let schema = "message users { required int64 user_id; required binary country (UTF8); }";
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let properties = WriterProperties::builder().set_compression(Compression::SNAPPY);
    let properties = Arc::new(
        properties
            .set_statistics_enabled(EnabledStatistics::Chunk)
            .build(),
    );
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, properties).unwrap();
    for group in 0..4_i64 {
        let mut next = writer.next_row_group().unwrap();
        let mut column = next.next_column().unwrap().unwrap();
        let ids: Vec<_> = (0..25_000).map(|row| 4 * row + group + 1).collect();
        column
            .typed::<Int64Type>()
            .write_batch(&ids, None, None)
            .unwrap();
        column.close().unwrap();
        let mut column = next.next_column().unwrap().unwrap();
        let country = |id: &i64| ["DE", "FR", "US"][*id as usize % 3].into();
        let countries: Vec<_> = ids.iter().map(country).collect();
        column
            .typed::<ByteArrayType>()
            .write_batch(&countries, None, None)
            .unwrap();
        column.close().unwrap();
        next.close().unwrap();
    }
    writer.into_inner().unwrap()
}

fn refused(ran: &Ran, message: &str) {
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(ran.out.is_empty(), "{ran:?}");
    assert!(ran.note().contains(message), "{message} in {}", ran.err);
}

/// Where the footer of a file starts.
fn footer_start(bytes: &[u8]) -> usize {
    let end = bytes.len() - 8;
    let (size, _) = bytes[end..].split_first_chunk().unwrap();
    end - u32::from_le_bytes(*size) as usize
}

/// Returns a file with another footer.
fn with_footer(bytes: &[u8], footer: &[u8]) -> Vec<u8> {
    let size = (footer.len() as u32).to_le_bytes();
    [&bytes[..footer_start(bytes)], footer, &size, b"PAR1"].concat()
}

fn footer(bytes: &[u8]) -> &[u8] {
    &bytes[footer_start(bytes)..bytes.len() - 8]
}

fn reader(path: &str) -> SerializedFileReader<File> {
    SerializedFileReader::new(File::open(path).unwrap()).unwrap()
}

/// Adds filters to a copy and returns its name.
fn copy(from: &str, name: &str, columns: &[&str], more: &[&str]) -> String {
    let into = file(name, b"");
    let columns = columns.iter().flat_map(|column| ["--column", column]);
    let columns: Vec<_> = columns.collect();
    let ran = run(
        &[&["build", "--into", &into, from][..], &columns, more].concat(),
        b"",
    );
    assert_eq!((ran.code, ran.out.len()), (0, 0), "{}", ran.err);
    into
}

/// Returns the metadata of a file without the places of its filters.
fn without_places(path: &str) -> ParquetMetaData {
    let mut metadata = reader(path).metadata().clone().into_builder();
    for group in metadata.take_row_groups() {
        let mut group = group.into_builder();
        let columns = group.take_columns().into_iter().map(|column| {
            let column = column.into_builder();
            let column = column
                .set_bloom_filter_offset(None)
                .set_bloom_filter_length(None);
            column.build().unwrap()
        });
        let group = group
            .set_column_metadata(columns.collect())
            .build()
            .unwrap();
        metadata = metadata.add_row_group(group);
    }
    metadata.build()
}

fn filter(path: &str, group: usize, name: &str) -> Option<Sbbf> {
    let reader = reader(path);
    let group = reader.metadata().row_group(group);
    let mut columns = group.columns().iter();
    let column = columns
        .find(|column| column.column_path().string() == name)
        .unwrap();
    Sbbf::read_from_column_chunk(column, &File::open(path).unwrap()).unwrap()
}

fn is_in(filter: &Sbbf, name: &str, row: usize) -> bool {
    match name {
        "user_id" => filter.check(&user_id(row)),
        "name" => name_is_in(filter, row),
        "score" => filter.check(&score(row)),
        "ratio" => filter.check(&(score(row) as f32)),
        "part" => part(row).is_none_or(|part| filter.check(&part)),
        "code" => filter.check(&code(row)[..]),
        "visits" => filter.check(&(row as i64)) && filter.check(&-(row as i64)),
        "day" => filter.check(&(row as i32)),
        "price" => filter.check(&(row as i64)),
        "port" => filter.check(&(port(row) as i32)),
        other => panic!("no column {other}"),
    }
}

fn name_is_in(filter: &Sbbf, row: usize) -> bool {
    name(row).is_none_or(|name| filter.check(name.as_str()))
}

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
        // 10 of 10,000 expected; more than these by chance in less than one of 10^9 runs.
        let filter = filter(&into, 0, "user_id").unwrap();
        let found = (0..10_000)
            .filter(|key| filter.check(&(7 * key + 1_i64)))
            .count();
        assert!(found < 40, "{found}");
    }
}

/// What nothing here knows is in the copy, too: a field of a later version, and that there are no orders of columns.
#[test]
fn the_rest_of_the_footer_stays_byte_for_byte() {
    let original = bytes(PLAIN);
    let known = footer(&original);
    // Field 100, in the long form: a binary of 5 bytes.
    let unknown = [&known[..known.len() - 1], b"\x08\xc8\x01\x05later\x00"].concat();
    // The orders are the last field: a list of 11 unions of empty structs.
    let length = 2 + 3 * 11;
    let orders = known.len() - 1 - length;
    assert_eq!(known[orders..orders + 2], [0x19, 0xbc]);
    let without = [&known[..orders], &[0]].concat();
    for (name, changed) in [("later", &unknown), ("no-orders", &without)] {
        let changed_file = with_footer(&original, changed);
        let from = file(&format!("{name}.parquet"), &changed_file);
        let into = copy(&from, &format!("{name}-copy.parquet"), &["user_id"], &[]);
        let copied = fs::read(&into).unwrap();
        // What follows the row groups.
        let at = changed
            .windows(3)
            .rposition(|bytes| bytes == b"key")
            .unwrap();
        assert!(footer(&copied).ends_with(&changed[at..]), "{name}");
        // Once more: only the places differ, in bytes of the same number.
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

/// The files of Spark, DuckDB and ClickHouse: with as many bits, the filter of a column's values is the engine's own.
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
        // And each query has the answer that the engine's filter has.
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

/// SQL takes these as equal, and an engine hashes the one it is asked for.
#[test]
fn both_zeros_and_the_usual_nan_are_in_a_filter_of_either() {
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

#[test]
fn inspect_lists_each_row_group_and_column() {
    let from = file("listed-from.parquet", &bytes(PLAIN));
    let into = copy(
        &from,
        "listed.parquet",
        &["user_id", "name"],
        &["--p", "2%"],
    );
    let ran = run(&["inspect", &into], b"");
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let lines: Vec<_> = ran.text().lines().collect();
    assert!(
        lines[0].ends_with("listed.parquet: Parquet file, 2,000 rows in 4 row groups"),
        "{}",
        lines[0]
    );
    let cells = |line: &str| {
        line.split_whitespace()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        cells(lines[2]).join(" "),
        "row group column values n m fill p"
    );
    assert_eq!(cells(lines[6])[..3], ["3", "user_id", "500"]);
    assert_eq!(cells(lines[7])[..3], ["0", "name", "500"]);
    assert_eq!(cells(lines[11]).join(" "), "all score 2,000 no filter");
    assert_eq!(lines.len(), 3 + 2 * GROUPS + 9);

    // The same of each filter as when its place is named.
    let page = run(&["inspect", &into, "--json", "--p", "2%"], b"");
    assert_eq!(page.code, 0, "{}", page.err);
    let page: Value = serde_json::from_slice(&page.out).unwrap();
    let chunks = page["chunks"].as_array().unwrap();
    assert_eq!(chunks.len(), 2 * GROUPS + 9);
    for chunk in &chunks[..2 * GROUPS] {
        let offset = chunk["bloom_filter_offset"].to_string();
        let alone = run(
            &[
                "inspect", &into, "--format", "parquet", "--offset", &offset, "--json", "--p", "2%",
            ],
            b"",
        );
        let mut alone: Value = serde_json::from_slice(&alone.out).unwrap();
        let alone = &mut alone["filters"][0];
        alone["trailing_bytes"] = 0.into();
        assert_eq!(*alone, chunk["filter"]);
        let items = chunk["filter"]["n"].as_f64().unwrap();
        let expected = if chunk["column"] == "name" {
            400.0
        } else {
            500.0
        };
        let deviation = chunk["filter"]["n_sd"].as_f64().unwrap();
        assert!((items - expected).abs() < 6.2 * deviation, "{chunk}");
    }
    assert_eq!(chunks[2 * GROUPS]["row_group"], Value::Null);
    assert_eq!(chunks[2 * GROUPS]["filter"], Value::Null);
}

#[test]
fn one_filter_over_the_target_is_an_exit_code() {
    let from = file("missed-from.parquet", &bytes(PLAIN));
    // For fewer items than there are.
    let into = copy(
        &from,
        "missed.parquet",
        &["user_id", "part"],
        &["-n", "200"],
    );
    let ran = run(&["inspect", &into, "--p", "1%"], b"");
    assert_eq!(ran.code, 1);
    let ends = |end: &str| {
        ran.text()
            .lines()
            .filter(|line| line.ends_with(end))
            .count()
    };
    assert_eq!(
        (ends("  not met"), ends("  met")),
        (GROUPS, GROUPS),
        "{}",
        ran.text()
    );
    let line = ran.text().lines().nth(2).unwrap();
    assert!(line.ends_with("p  target 0.01"), "{line}");
    assert_eq!(run(&["inspect", &into, "--p", "50%"], b"").code, 0);
}

#[test]
fn a_query_names_the_row_groups_of_each_type_of_key() {
    let from = file("asked-from.parquet", &bytes(PLAIN));
    let into = copy(&from, "asked.parquet", &COLUMNS, &["--p", "1e-6"]);
    let hex = |bytes: [u8; 4]| bytes.map(|byte| format!("{byte:02x}")).concat();
    for (column, key, answer) in [
        ("user_id", user_id(1_200).to_string(), "yes 2"),
        ("user_id", "8".to_owned(), "no"),
        ("name", name(1_999).unwrap(), "yes 3"),
        ("score", "125.25".to_owned(), "yes 1"),
        ("score", "-0".to_owned(), "yes 0"),
        ("ratio", "125.25".to_owned(), "yes 1"),
        ("part", "49".to_owned(), "yes 0 1 2 3"),
        ("code", hex(code(700)), "yes 1"),
        ("visits", "-1700".to_owned(), "yes 3"),
        ("day", "3".to_owned(), "yes 0"),
        ("price", "1234".to_owned(), "yes 2"),
        ("port", port(600).to_string(), "yes 1"),
    ] {
        let ran = run(&["query", &into, "--column", column, &key], b"");
        assert_eq!(ran.text(), format!("{answer}\n"), "{column} {key}");
        assert_eq!(ran.code, i32::from(answer == "no"), "{column} {key}");
        let lines = run(
            &["query", &into, "--column", column],
            format!("{key}\n{key}").as_bytes(),
        );
        assert_eq!(
            (lines.code, lines.text()),
            (0, format!("{answer}\n{answer}\n").as_str())
        );
        // Of keys without a point or a calendar nothing is said.
        assert_eq!(
            ran.err.contains("note: a key of column"),
            ["day", "price"].contains(&column)
        );
    }
    let by_text = run(
        &["query", &into, "--column", "code", "--keys", "text", "abcd"],
        b"",
    );
    assert_eq!((by_text.code, by_text.text()), (1, "no\n"));
}

#[test]
fn counts_and_keys_are_those_of_all_row_groups() {
    let from = file("counted-from.parquet", &bytes(PLAIN));
    let into = copy(
        &from,
        "counted.parquet",
        &["user_id", "part"],
        &["--p", "1e-6"],
    );
    let keys: String = [0, 1, user_id(999), user_id(998)]
        .map(|key| format!("{key}\n"))
        .concat();
    let ask = |file: &str, flags: &[&str]| {
        let ran = run(
            &[&["query", file, "--column", "user_id"], flags].concat(),
            keys.as_bytes(),
        );
        (ran.code, ran.text().to_owned())
    };
    assert_eq!(ask(&into, &["--only", "yes"]).1, "0\n6993\n6986\n");
    assert_eq!(ask(&into, &["--only", "no"]).1, "1\n");
    let counts = "yes 3\nno 1\nrow group 0: 1\nrow group 1: 2\nrow group 2: 0\nrow group 3: 0\n";
    assert_eq!(ask(&into, &["--count"]), (0, counts.to_owned()));
    let skip = ["query", &into, "--column", "user_id", "--skip-bad-lines"];
    let ran = run(&skip, b"7\nx\n8\n");
    assert_eq!((ran.code, ran.text()), (0, "yes 0\nbad\nno\n"));
    assert!(
        ran.note()
            .contains("1 line without a key of type i64 skipped"),
        "{}",
        ran.err
    );
    let ran = run(&[&skip[..], &["--count"]].concat(), b"7\nx\n8\n");
    assert!(
        ran.text()
            .starts_with("yes 1\nno 1\nbad 1\nrow group 0: 1\n"),
        "{}",
        ran.text()
    );
    refused(
        &run(&skip[..4], b"x\n"),
        "line 1: key must be an integer of 64 bits, got x",
    );
    // Without filters, each key may be anywhere.
    assert_eq!(ask(&from, &[]), (0, "unknown 0 1 2 3\n".repeat(4)));
    assert_eq!(ask(&from, &["--only", "no"]).1, "");
    assert_eq!(ask(&from, &["--only", "yes"]).1, keys);
    let alone = run(&["query", &from, "--column", "user_id", "1"], b"");
    assert_eq!((alone.code, alone.text()), (0, "unknown 0 1 2 3\n"));
    assert!(
        ask(&from, &["--count"])
            .1
            .starts_with("yes 0\nunknown 4\nrow group 0: unknown\n")
    );
    // A filter in some row groups only: the place of the one in row group 1 is taken out, by way of another field.
    let mut mixed = fs::read(&into).unwrap();
    let place = reader(&into)
        .metadata()
        .row_group(1)
        .column(0)
        .bloom_filter_offset()
        .unwrap() as u64;
    let (mut offset, mut rest) = (vec![], place << 1);
    while rest > 127 {
        offset.push(rest as u8 | 128);
        rest >>= 7;
    }
    offset.push(rest as u8);
    let at = mixed
        .windows(offset.len())
        .rposition(|bytes| bytes == offset)
        .unwrap();
    // The field before is number 13 or less: its number becomes one that nothing knows, the next one is relative to it.
    assert_eq!(mixed[at - 1] & 15, 6);
    mixed[at - 1] += 5 << 4;
    let mixed = file("mixed.parquet", &mixed);
    assert_eq!(
        ask(&mixed, &[]).1,
        "yes 0 unknown 1\nunknown 1\nunknown 1\nunknown 1\n"
    );
    let listed = run(&["inspect", &mixed], b"");
    let line = listed.text().lines().nth(4).unwrap();
    assert!(
        line.trim_start().starts_with("1  user_id") && line.contains("no filter"),
        "{line}"
    );
}

#[expect(clippy::too_many_lines, reason = "a table")]
#[test]
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
    for (args, message) in [
        (
            vec!["query", &into, "7"],
            "query of a Parquet file needs --column",
        ),
        (
            vec!["query", &plain, "--column", "user_id", "7"],
            "--column needs a Parquet file, got",
        ),
        (
            vec!["query", &into, "--column", "id", "7"],
            "--column must be a column of the file, got id",
        ),
        (
            vec!["query", &into, "--column", "id", "7"],
            "hint: it has 11 columns, the first user_id, name, score,",
        ),
        (
            vec!["query", &into, "--column", "flag", "true"],
            "--column must not be of type BOOLEAN, got flag",
        ),
        (
            vec!["query", &into, "--column", "user_id", "x"],
            "key must be an integer of 64 bits, got x",
        ),
        (
            vec!["query", &into, "--column", "user_id", "--keys", "text", "x"],
            "keys of column user_id, which is INT64, must be i64, got text",
        ),
        (
            vec!["query", &into, "--column", "name", "--keys", "i64", "7"],
            "keys of column name, which is BYTE_ARRAY (UTF8), must be text or hex, got i64",
        ),
        (
            vec!["query", &into, "--column", "day", "2020-01-01"],
            "hint: a key of column day, which is INT32 (DATE), is the days since 1970-01-01",
        ),
        (
            vec!["query", &into, "--column", "code", "00ff"],
            "key must be 4 bytes, as --keys hex, got 00ff",
        ),
        (
            vec!["query", &into, "--column", "port", "-1"],
            "key must be an integer of 32 bits from 0 on, got -1",
        ),
        (
            vec!["build", "--into", &from, "--column", "user_id", &from],
            "--into must be another file than",
        ),
        (
            vec![
                "build",
                "--into",
                "/no/such/x",
                "--column",
                "user_id",
                &from,
            ],
            "cannot write /no/such/x",
        ),
        (
            vec![
                "build", "--into", &into, "--column", "user_id", "-p", "2", &from,
            ],
            "p must be between 0 and 1",
        ),
        (
            vec![
                "build", "--into", &into, "--column", "user_id", "-n", "10G", &from,
            ],
            "row group 0, column user_id: Parquet filter: bits must be at most 1073741824, got",
        ),
        (
            vec!["build", "--into", &into, "--column", "user_id", &plain],
            "Parquet file must end with PAR1, got",
        ),
        (vec!["build", "--into", &into, &from], "--column <COLUMN>"),
        (
            vec!["build", "--into", &into, "--column", "user_id"],
            "<FILE>",
        ),
        (vec!["build", "-n", "9", "-p", "1%"], "--format <FORMAT>"),
        (
            vec![
                "build", "--into", &into, "--format", "spark", "--column", "a", &from,
            ],
            "cannot be used with",
        ),
    ] {
        refused(&run(&args, b""), message);
    }
    assert_eq!(fs::read(&from).unwrap(), before);
    // 2,000 rows in zigzag become -2,001; 500 values of the last column become -501 and 499.
    let negative = "numbers of rows and values must be at least 0";
    for (count, byte, message) in [
        ([0x16, 0xa0, 0x1f, 0x19], 0xa1, negative),
        ([0x16, 0xe8, 0x07, 0x16], 0xe9, negative),
        (
            [0x16, 0xe8, 0x07, 0x16],
            0xe6,
            "column port: values must be 499 with nulls, got 500",
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
        "it is a Parquet file, which is read from its end",
    );
}

#[test]
fn encrypted_files_are_refused() {
    let plain = bytes(PLAIN);
    let mut sealed = plain.clone();
    let end = sealed.len() - 4;
    sealed[..4].copy_from_slice(b"PARE");
    sealed[end..].copy_from_slice(b"PARE");
    // Field 8 of a footer that can be read: the algorithm AES_GCM_V1.
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

/// Runs commands in this process, where a panic is a failure of the test, and returns their exit codes.
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

/// A small file, so that every byte has its turn.
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
fn no_byte_of_a_footer_brings_a_panic() {
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
    // The rest is in names, statistics and the like.
    assert!(refused > whole.len() - footer_start(&whole), "{refused}");
}

#[test]
fn no_byte_of_a_page_or_filter_brings_a_panic() {
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
