//! Computes the hashes of the distinct values of a column chunk.

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

use ::parquet::basic::LogicalType;
use ::parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use ::parquet::data_type::{DataType, FixedLenByteArray};
use ::parquet::errors::ParquetError;
use ::parquet::file::reader::FileReader;
use bloom_formats::ParquetKey;
use bloom_params::InputError;

use super::source::Source;

/// The maximum number of records that are read at a time.
const BATCH: usize = 1 << 14;

thread_local! {
    /// Whether this thread is in [`guarded`].
    static IS_GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Returns the hashes of the values that are not null, each once and sorted.
///
/// If 0.0 or -0.0 is a value, the hashes of both are returned. If any NaN is a value, the hash of the canonical NaN, which is
/// Rust's `NAN`, is returned, too.
pub(super) fn hashes(
    source: &Source<'_>,
    group: usize,
    column: usize,
) -> Result<Vec<u64>, InputError> {
    let refused = |message: String| source.of_chunk(group, column, &InputError::new(message));
    let unread = |error: ParquetError| refused(format!("values cannot be read: {error}"));
    let chunk = source.chunk(group, column);
    if chunk.file_path().is_some() {
        return Err(refused(
            "values are in another file, to which the Parquet file refers".to_owned(),
        ));
    }
    let start = chunk
        .dictionary_page_offset()
        .unwrap_or(chunk.data_page_offset());
    let is_inside = start
        .checked_add(chunk.compressed_size())
        .is_some_and(|end| {
            start >= 4 && chunk.compressed_size() >= 0 && end as u64 <= source.footer_start
        });
    if !is_inside {
        return Err(refused(format!(
            "values must be in the file before its footer, got {} bytes from {start} on",
            chunk.compressed_size()
        )));
    }
    let all = || {
        let reader = source.reader.get_row_group(group)?;
        match reader.get_column_reader(column)? {
            ColumnReader::Int32ColumnReader(reader) => {
                read(reader, |value| ParquetKey::Int32(*value))
            }
            ColumnReader::Int64ColumnReader(reader) => {
                read(reader, |value| ParquetKey::Int64(*value))
            }
            ColumnReader::FloatColumnReader(reader) => {
                read(reader, |value| ParquetKey::Float(*value))
            }
            ColumnReader::DoubleColumnReader(reader) => {
                read(reader, |value| ParquetKey::Double(*value))
            }
            ColumnReader::ByteArrayColumnReader(reader) => {
                read(reader, |value| ParquetKey::ByteArray(value.data()))
            }
            ColumnReader::FixedLenByteArrayColumnReader(reader) => {
                fn key(value: &FixedLenByteArray) -> ParquetKey<'_> {
                    ParquetKey::ByteArray(value.data())
                }
                match source.columns()[column].logical_type_ref() {
                    Some(LogicalType::Float16) => read_with(reader, key, equal_half),
                    _ => read(reader, key),
                }
            }
            ColumnReader::BoolColumnReader(_) | ColumnReader::Int96ColumnReader(_) => {
                unreachable!("such columns are refused")
            }
        }
    };
    let levels = chunk.num_values();
    let (mut hashes, count) = guarded(all).map_err(unread)?;
    // A filter with only some of the values would answer no for the others.
    if i64::try_from(count) != Ok(levels) {
        return Err(refused(format!(
            "number of values, nulls included, must be {levels}, got {count}"
        )));
    }
    hashes.sort_unstable();
    hashes.dedup();
    Ok(hashes)
}

/// Runs code of the crate `parquet` that may panic if pages are damaged. Such a panic prints nothing, and becomes an error.
///
/// All threads share one panic hook. It is replaced once, by a hook that ignores panics of guarded code and passes all other
/// panics to the hook that was there before.
fn guarded<T>(read: impl FnOnce() -> Result<T, ParquetError>) -> Result<T, ParquetError> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !IS_GUARDED.get() {
                before(info);
            }
        }));
    });
    IS_GUARDED.set(true);
    let read = panic::catch_unwind(AssertUnwindSafe(read));
    IS_GUARDED.set(false);
    read.unwrap_or_else(|_| Err(ParquetError::General("its pages are damaged".to_owned())))
}

/// Returns hashes, and the number of values, nulls included. The hashes are those of the values that are not null, and of the
/// keys that [`equal`] returns for these values.
fn read<T: DataType>(
    reader: ColumnReaderImpl<T>,
    key: impl Fn(&T::T) -> ParquetKey<'_>,
) -> Result<(Vec<u64>, usize), ParquetError> {
    read_with(reader, key, equal)
}

/// Does what [`read`] does, but calls the caller's function `equal` for each value.
fn read_with<T: DataType>(
    mut reader: ColumnReaderImpl<T>,
    key: impl Fn(&T::T) -> ParquetKey<'_>,
    equal: fn(ParquetKey<'_>) -> Option<ParquetKey<'_>>,
) -> Result<(Vec<u64>, usize), ParquetError> {
    let (mut hashes, mut count) = (Vec::new(), 0);
    let (mut values, mut definitions, mut repetitions) = (Vec::new(), Vec::new(), Vec::new());
    loop {
        let (records, _, levels) = reader.read_records(
            BATCH,
            Some(&mut definitions),
            Some(&mut repetitions),
            &mut values,
        )?;
        if records == 0 && levels == 0 {
            return Ok((hashes, count));
        }
        count += levels;
        for key in values.iter().map(&key) {
            hashes.push(key.hash());
            hashes.extend(equal(key).map(ParquetKey::hash));
        }
        values.clear();
        definitions.clear();
        repetitions.clear();
    }
}

/// Returns another key that SQL treats as equal to this key. If the filter lacked the hash of the other key, an engine that
/// looks up the other key would get a wrong no.
fn equal(key: ParquetKey<'_>) -> Option<ParquetKey<'_>> {
    match key {
        ParquetKey::Float(value) if value == 0.0 => Some(ParquetKey::Float(-value)),
        ParquetKey::Float(value) if value.is_nan() => Some(ParquetKey::Float(f32::NAN)),
        ParquetKey::Double(value) if value == 0.0 => Some(ParquetKey::Double(-value)),
        ParquetKey::Double(value) if value.is_nan() => Some(ParquetKey::Double(f64::NAN)),
        _ => None,
    }
}

/// Does what [`equal`] does, for a 16-bit float in little-endian bytes.
fn equal_half(key: ParquetKey<'_>) -> Option<ParquetKey<'_>> {
    let ParquetKey::ByteArray(&[low, high]) = key else {
        return None;
    };
    let other: &[u8; 2] = match u16::from_le_bytes([low, high]) {
        0 => &[0, 0x80],
        0x8000 => &[0, 0],
        bits if bits & 0x7fff > 0x7c00 => &[0, 0x7e],
        _ => return None,
    };
    Some(ParquetKey::ByteArray(other))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;

    use super::*;

    #[test]
    fn only_panics_of_guarded_code_are_silent() {
        static REPORTED: AtomicUsize = AtomicUsize::new(0);
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            // Other tests may panic meanwhile.
            if info
                .payload_as_str()
                .is_some_and(|text| text.starts_with("planted"))
            {
                REPORTED.fetch_add(1, Ordering::Relaxed);
            }
            before(info);
        }));
        let read = guarded::<()>(|| {
            let other = thread::spawn(|| panic!("planted in another thread"));
            assert!(other.join().is_err());
            panic!("planted in guarded code");
        });
        assert!(read.is_err());
        assert_eq!(REPORTED.load(Ordering::Relaxed), 1);
        assert!(panic::catch_unwind(|| panic!("planted after guarded code")).is_err());
        assert_eq!(REPORTED.load(Ordering::Relaxed), 2);
    }
}
