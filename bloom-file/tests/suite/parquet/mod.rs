//! Tests with Parquet files: their filters are listed, queried, and added to copies of the files. The crate `parquet` also
//! reads the copies and their filters.

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

use crate::common::{file, refused, run};

mod build;
mod listed;
mod refused;

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

// Each of the next functions returns the value of one column in a row. Rows are numbered through the whole file.

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
    // Each row has two visits.
    let (definitions, repetitions) = (vec![1; 2 * rows().len()], [0, 1].repeat(rows().len()));
    let visits = rows().flat_map(|row| [row as i64, -(row as i64)]);
    column!(Int64Type, visits, Some(&definitions), Some(&repetitions));
    column!(Int32Type, rows().map(|row| row as i32));
    column!(Int64Type, rows().map(|row| row as i64));
    column!(Int32Type, rows().map(|row| port(row) as i32));
}

/// Returns a Parquet file of the users 1 to 100,000 in four row groups, each of which has ids from the whole range.
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

/// Returns the offset at which the footer of a file starts.
fn footer_start(bytes: &[u8]) -> usize {
    let end = bytes.len() - 8;
    let (size, _) = bytes[end..].split_first_chunk().unwrap();
    end - u32::from_le_bytes(*size) as usize
}

/// Returns the bytes of a file, with `footer` in place of its own footer.
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

/// Adds filters of these columns to a copy of a file, and returns the path of the copy.
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

/// Returns the metadata of a file without the offsets and lengths of its filters.
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
