//! Defines a column of a Parquet file, and how lines of text become keys of its physical type.

use ::parquet::basic::{ConvertedType, LogicalType, Type};
use ::parquet::schema::types::ColumnDescPtr;
use bloom_formats::Key;
use bloom_params::InputError;
use bloom_params::numbers::counted;
use bloom_params::units::on_one_line;

use super::source::Source;
use crate::key::{KeyType, must_be, number};

/// The maximum number of column names in a hint.
const MAX_NAMES: usize = 12;

/// A column that can have filters.
pub(super) struct Column {
    pub(super) index: usize,
    /// The name, as it is displayed.
    pub(super) name: String,
    descr: ColumnDescPtr,
    /// The logical type, such as TIMESTAMP_MICROS or UINT_32; empty if there is none.
    logical: String,
    /// The types of its keys; the first is the default.
    types: &'static [KeyType],
}

impl Column {
    /// Returns the column of this name. The name is the path to a leaf of the schema, with its parts joined by dots.
    pub(super) fn by_name(source: &Source<'_>, name: &str) -> Result<Self, InputError> {
        let columns = source.columns();
        let refused = |message: String, hint: &str| {
            Err(source.of_file(&InputError::new(message).with_hint(hint)))
        };
        let paths = columns.iter().map(|descr| descr.path().string());
        let mut found = paths.clone().enumerate().filter(|(_, path)| path == name);
        let first = found.next();
        let name = on_one_line(name);
        let Some((index, _)) = first else {
            let names: Vec<_> = paths
                .take(MAX_NAMES)
                .map(|path| on_one_line(&path))
                .collect();
            let message = format!("--column must be a column of the file, got {name}");
            let more = if columns.len() > MAX_NAMES {
                ", ..."
            } else {
                ""
            };
            let hint = format!(
                "it has {}: {}{more}",
                counted(columns.len() as u64, "column"),
                names.join(", ")
            );
            return refused(message, &hint);
        };
        if found.next().is_some() {
            let message = format!("--column must name one column, got {name}, the name of several");
            return refused(
                message,
                "they cannot be told apart by name: rename one where the file is written",
            );
        }
        let descr = &columns[index];
        let logical = logical(descr);
        let types: &[KeyType] = match descr.physical_type() {
            Type::INT32 => &[KeyType::I32],
            Type::INT64 => &[KeyType::I64],
            Type::FLOAT => &[KeyType::F32],
            Type::DOUBLE => &[KeyType::F64],
            Type::BYTE_ARRAY if logical != "DECIMAL" => &[KeyType::Text, KeyType::Hex],
            Type::BYTE_ARRAY | Type::FIXED_LEN_BYTE_ARRAY => &[KeyType::Hex, KeyType::Text],
            kind @ (Type::BOOLEAN | Type::INT96) => {
                let message = format!("--column must not be of type {kind}, got {name}");
                return refused(message, "Parquet has no filters of this type");
            }
        };
        Ok(Self {
            index,
            name,
            descr: descr.clone(),
            logical,
            types,
        })
    }

    /// Returns the type that was named, or the column's default; refuses a type that the column does not have.
    pub(super) fn key_type(&self, named: Option<KeyType>) -> Result<KeyType, InputError> {
        let keys = named.unwrap_or(self.types[0]);
        if self.types.contains(&keys) {
            return Ok(keys);
        }
        let names: Vec<_> = self.types.iter().map(|keys| keys.name()).collect();
        Err(InputError::new(format!(
            "keys of column {}, which is {}, must be {}, got {}",
            self.name,
            self.kind(),
            names.join(" or "),
            keys.name()
        )))
    }

    /// Returns the physical type, and the logical one if there is any.
    fn kind(&self) -> String {
        let physical = self.descr.physical_type();
        match self.logical.as_str() {
            "" => physical.to_string(),
            logical => format!("{physical} ({logical})"),
        }
    }

    /// Returns a note on how keys are written, if a person would write the values of the column in another way.
    pub(super) fn as_stored(&self) -> Option<String> {
        let text = match self.logical.split('_').next()? {
            "DATE" => "the number of days since 1970-01-01",
            "TIMESTAMP" => "the time since 1970-01-01 00:00 in the unit of the column",
            "TIME" => "the time since midnight in the unit of the column",
            "DECIMAL" if self.types[0] == KeyType::Hex => {
                "the big-endian bytes of its digits, read as one integer"
            }
            "DECIMAL" => "its digits as one integer, without the decimal point",
            _ => return None,
        };
        Some(format!(
            "a key of column {}, which is {}, is written as {text}",
            self.name,
            self.kind()
        ))
    }

    /// Reads a line as a key; `buffer` keeps bytes that are computed from the line.
    pub(super) fn read<'a>(
        &self,
        keys: KeyType,
        line: &'a [u8],
        buffer: &'a mut Vec<u8>,
    ) -> Result<Key<'a>, InputError> {
        let refused = |error: InputError| error.with_hint(self.as_stored().unwrap_or_default());
        match keys {
            _ if !self.logical.starts_with("UINT") => {}
            KeyType::I32 => {
                let value: u32 = number(line, "an unsigned 32-bit integer")?;
                return Ok(Key::Int(value as i32));
            }
            _ => {
                let value: u64 = number(line, "an unsigned 64-bit integer")?;
                return Ok(Key::Long(value as i64));
            }
        }
        let key = keys.read(line, buffer).map_err(refused)?;
        let (physical, length) = (self.descr.physical_type(), self.descr.type_length());
        if let (Type::FIXED_LEN_BYTE_ARRAY, Key::Text(bytes) | Key::Bytes(bytes)) = (physical, key)
            && i32::try_from(bytes.len()) != Ok(length)
        {
            let what = format!("{length} bytes, written as --keys {}", keys.name());
            return Err(refused(must_be(&what, line)));
        }
        Ok(key)
    }
}

/// Returns the name of the logical type; empty if there is none. If the column has a converted type, as in older files, the
/// name of this type is returned instead.
fn logical(descr: &ColumnDescPtr) -> String {
    match (descr.converted_type(), descr.logical_type_ref()) {
        (ConvertedType::NONE, None) => String::new(),
        (ConvertedType::NONE, Some(LogicalType::Integer(kind))) => {
            let sign = if kind.is_signed { "" } else { "U" };
            format!("{sign}INT_{}", kind.bit_width)
        }
        (ConvertedType::NONE, Some(LogicalType::Timestamp(kind))) => {
            format!("TIMESTAMP_{:?}", kind.unit)
        }
        (ConvertedType::NONE, Some(LogicalType::Time(kind))) => format!("TIME_{:?}", kind.unit),
        (ConvertedType::NONE, Some(logical)) => {
            let name = format!("{logical:?}").to_uppercase();
            let end = name.find(|letter: char| !letter.is_alphanumeric());
            name[..end.unwrap_or(name.len())].to_owned()
        }
        (converted, _) => converted.to_string(),
    }
}
