//! Opens a Parquet file, and reads its footer and its filters. Data pages are not read here.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use ::parquet::file::metadata::{
    ColumnChunkMetaData, ParquetMetaData, ParquetStatisticsPolicy, RowGroupMetaData,
};
use ::parquet::file::reader::FileReader;
use ::parquet::file::serialized_reader::{ReadOptionsBuilder, SerializedFileReader};
use ::parquet::schema::types::ColumnDescPtr;
use bloom_params::InputError;
use bloom_params::numbers::grouped;
use bloom_params::units::on_one_line;

use super::{ENCRYPTED, footer};
use crate::file::{self, display, of_file};
use crate::systems::{self, Opened, Reading, System};

/// The number of bytes of a filter that are read first: enough for any header, and for all of the smallest filter.
const FIRST: u64 = 64;

/// The minimum size of a Parquet file in bytes: 4 magic bytes at each end, and 4 bytes for the length of the footer.
const MIN: u64 = 12;

/// A Parquet file.
pub(super) struct Source<'a> {
    path: &'a Path,
    pub(super) file: File,
    pub(super) reader: SerializedFileReader<File>,
    /// The bytes of the footer, without its length and the magic bytes.
    pub(super) footer: Vec<u8>,
    /// Where the footer starts.
    pub(super) footer_start: u64,
}

/// Returns the system of all filters in Parquet files.
pub(super) fn system() -> &'static System {
    systems::by_name("parquet").expect("it is one of the systems")
}

impl<'a> Source<'a> {
    /// Reads the footer of a file, and checks what the crate `parquet` assumes without checking it.
    pub(super) fn open(path: &'a Path) -> Result<Self, InputError> {
        if path.as_os_str() == "-" {
            let message = "a Parquet file cannot be read from the standard input";
            return Err(InputError::new(message).with_hint(
                "a Parquet file is read from its end, which the standard input does not allow",
            ));
        }
        let unread = |error| InputError::new(format!("{} cannot be read: {error}", display(path)));
        let refused = |message: String| of_file(path, &InputError::new(message));
        let file = File::open(path).map_err(unread)?;
        let length = file.metadata().map_err(unread)?.len();
        if length < MIN {
            let message = format!("Parquet file must have at least {MIN} bytes, got {length}");
            return Err(refused(message));
        }
        let tail = read(&file, length - 8, 8).map_err(unread)?;
        let (size, magic) = tail.split_first_chunk().expect("it has 8 bytes");
        if magic == ENCRYPTED {
            return Err(refused("footer must not be encrypted".to_owned()));
        }
        if magic != file::PARQUET {
            let got = magic.escape_ascii();
            let message =
                format!("Parquet file must end with PAR1, got {got}: it is cut or damaged");
            return Err(refused(message));
        }
        let size = u64::from(u32::from_le_bytes(*size));
        let Some(footer_start) = (length - 8).checked_sub(size).filter(|start| *start >= 4) else {
            let message = format!(
                "footer must be at most {} bytes, got {}: the file is cut or damaged",
                grouped(length - MIN),
                grouped(size)
            );
            return Err(refused(message));
        };
        let footer = read(&file, footer_start, size).map_err(unread)?;
        let damaged = |why: &str| refused(format!("footer is damaged: {why}"));
        let is_encrypted = footer::is_encrypted(&footer);
        if is_encrypted.ok_or_else(|| damaged("it is not a Thrift message"))? {
            let message = "columns and footer must not be encrypted";
            return Err(refused(message.to_owned()));
        }
        // Statistics are skipped: they are not needed, and damage in them must not be an error.
        let options = ReadOptionsBuilder::new()
            .with_encoding_stats_policy(ParquetStatisticsPolicy::SkipAll)
            .with_column_stats_policy(ParquetStatisticsPolicy::SkipAll)
            .with_size_stats_policy(ParquetStatisticsPolicy::SkipAll)
            .build();
        let again = file.try_clone().map_err(unread)?;
        let reader = SerializedFileReader::new_with_options(again, options)
            .map_err(|error| damaged(&error.to_string()))?;
        let metadata = reader.metadata();
        let has_counts = |group: &RowGroupMetaData| {
            let mut counts = group.columns().iter().map(ColumnChunkMetaData::num_values);
            counts.all(|count| count >= 0)
        };
        if metadata.file_metadata().num_rows() < 0 || !metadata.row_groups().iter().all(has_counts)
        {
            return Err(damaged("numbers of rows and values must be at least 0"));
        }
        Ok(Self {
            path,
            file,
            reader,
            footer,
            footer_start,
        })
    }

    pub(super) fn metadata(&self) -> &ParquetMetaData {
        self.reader.metadata()
    }

    /// Returns the columns: the leaves of the schema.
    pub(super) fn columns(&self) -> &[ColumnDescPtr] {
        self.metadata().file_metadata().schema_descr().columns()
    }

    pub(super) fn row_groups(&self) -> usize {
        self.metadata().num_row_groups()
    }

    pub(super) fn chunk(&self, group: usize, column: usize) -> &ColumnChunkMetaData {
        self.metadata().row_group(group).column(column)
    }

    /// Adds the names of the file and of the column chunk to an error.
    pub(super) fn of_chunk(&self, group: usize, column: usize, error: &InputError) -> InputError {
        let name = on_one_line(&self.chunk(group, column).column_path().string());
        let message = format!("row group {group}, column {name}: {error}");
        let error = InputError::new(message).with_hint(error.hint().unwrap_or_default());
        of_file(self.path, &error)
    }

    /// Adds the name of the file to an error.
    pub(super) fn of_file(&self, error: &InputError) -> InputError {
        of_file(self.path, error)
    }

    /// Returns the bytes of a filter, if the column chunk has one.
    pub(super) fn filter(
        &self,
        group: usize,
        column: usize,
    ) -> Result<Option<Vec<u8>>, InputError> {
        let Some(offset) = self.chunk(group, column).bloom_filter_offset() else {
            return Ok(None);
        };
        let refused = |message: String| self.of_chunk(group, column, &InputError::new(message));
        let end = self.footer_start;
        let inside = u64::try_from(offset)
            .ok()
            .filter(|start| (4..end).contains(start));
        let Some(start) = inside else {
            let message = format!(
                "bloom_filter_offset must be from 4 to {}, got {offset}",
                end - 1
            );
            return Err(refused(message));
        };
        let read = |count: u64| {
            let bytes = read(&self.file, start, count.min(end - start));
            bytes.map_err(|error| refused(format!("filter cannot be read: {error}")))
        };
        let first = read(FIRST)?;
        // The length is taken from the header, as not every writer fills in bloom_filter_length.
        let length = match (system().open)(&first, Reading::Part) {
            Ok((_, rest)) => Some((first.len() - rest) as u64),
            Err(error) => error.length().map(|(_, needed, _)| needed),
        };
        length.map_or(Ok(first), read).map(Some)
    }

    /// Reads a filter from its bytes.
    pub(super) fn opened<'b>(
        &self,
        group: usize,
        column: usize,
        bytes: &'b [u8],
    ) -> Result<Opened<'b>, InputError> {
        let filter = system().read(bytes);
        filter.map_err(|error| self.of_chunk(group, column, &error.into()))
    }
}

fn read(mut file: &File, start: u64, count: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(start))?;
    file.take(count).read_to_end(&mut bytes)?;
    Ok(bytes)
}
