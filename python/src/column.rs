//! Columns of keys as hashes: those of Arrow, by its C data interface, in which pyarrow, pandas, Polars and DuckDB have
//! theirs. Nothing of a column is copied but its hashes.

use std::fmt::Display;
use std::hash::Hash;
use std::panic::{AssertUnwindSafe, catch_unwind};

use arrow_array::cast::AsArray;
use arrow_array::types::{ArrowPrimitiveType, Int64Type, UInt32Type, UInt64Type};
use arrow_array::{Array, ArrayRef};
use arrow_cast::{CastOptions, cast_with_options};
use arrow_schema::extension::EXTENSION_TYPE_NAME_KEY;
use arrow_schema::{ArrowError, DataType, TimeUnit};
use pyo3::prelude::*;
use pyo3_arrow::input::AnyArray;

use crate::error::{memory, mistyped, value};
use crate::filter::Any;
use crate::part::{Part, of};

/// Returns a column as one of a type that has all of its values. A timestamp may have no nanoseconds.
fn widened(chunk: &dyn Array, to: &DataType) -> PyResult<ArrayRef> {
    let options = CastOptions {
        safe: false,
        ..CastOptions::default()
    };
    cast_with_options(chunk, to, &options).map_err(value)
}

/// The extensions whose values are those of the type.
const KNOWN: [&str; 2] = ["arrow.json", "arrow.uuid"];

/// The unsigned integers whose values are all values of `u32`, and of `i64`.
const SHORT: [DataType; 3] = [DataType::UInt32, DataType::UInt16, DataType::UInt8];

fn unfit(part: Part, got: impl Display) -> PyErr {
    let name = part.name();
    mistyped(format!(
        "column of keys must fit {name}, got {got}: cast it"
    ))
}

/// The hashes of keys, in their order.
#[derive(Default)]
pub(crate) struct Column {
    pub(crate) hashes: Vec<u64>,
    /// The places of nulls, which are no keys; their hashes are 0.
    nulls: Vec<usize>,
}

impl Column {
    /// Returns the hashes of keys, of which those that are none are nulls.
    pub(crate) fn of<K: Hash>(keys: impl IntoIterator<Item = Option<K>>) -> PyResult<Self> {
        let mut column = Self::default();
        column.extend(keys)?;
        Ok(column)
    }

    /// Returns the hashes of a column of Arrow, while other threads run.
    pub(crate) fn of_arrow(keys: &Bound<'_, PyAny>, part: Part) -> PyResult<Self> {
        // An array that was handed over before has no buffers, which nothing but a panic says.
        let chunks = catch_unwind(AssertUnwindSafe(|| {
            keys.extract::<AnyArray>()?.into_reader()
        }));
        let read = |_| value("column of keys must be one that nobody has read");
        let chunks = chunks.map_err(read)??;
        // The values may be others than those of the type: numbers of months, or addresses of objects. An extension says so;
        // Polars does not, but has bytes of a fixed length only for objects.
        let field = chunks.field();
        let extension = field.metadata().get(EXTENSION_TYPE_NAME_KEY);
        let extension = extension.filter(|name| !KNOWN.contains(&name.as_str()));
        let dtype = keys.getattr("dtype").map(|dtype| dtype.to_string());
        let is_bytes = matches!(field.data_type(), DataType::FixedSizeBinary(_));
        if extension.is_some() || is_bytes && dtype.is_ok_and(|name| name == "Object") {
            return Err(unfit(part, extension.map_or("Object", |name| name)));
        }
        if *field.data_type() == DataType::Null {
            // What has nothing but nulls has any type. Only their number is asked for: those of Polars have more buffers than
            // the interface knows.
            return Self::of::<u64>((0..keys.len()?).map(|_| None));
        }
        let chunks: Vec<ArrayRef> = chunks.collect::<Result<_, ArrowError>>().map_err(value)?;
        keys.py().detach(|| {
            let mut column = Self::default();
            for chunk in chunks {
                // Python can make a column of any bytes, and neither their offsets nor their text must be believed.
                // Without a value there is nothing to believe, and offsets that start behind others are taken for wrong.
                if !chunk.is_empty() {
                    chunk.to_data().validate_full().map_err(value)?;
                }
                column.add(&chunk, part)?;
            }
            Ok(column)
        })
    }

    fn add(&mut self, chunk: &dyn Array, part: Part) -> PyResult<()> {
        match (part, chunk.data_type()) {
            (Part::Str, DataType::Utf8) => self.extend(chunk.as_string::<i32>()),
            (Part::Str, DataType::LargeUtf8) => self.extend(chunk.as_string::<i64>()),
            (Part::Str, DataType::Utf8View) => self.extend(chunk.as_string_view()),
            (Part::Bytes, DataType::Binary) => self.extend(chunk.as_binary::<i32>()),
            (Part::Bytes, DataType::LargeBinary) => self.extend(chunk.as_binary::<i64>()),
            (Part::Bytes, DataType::BinaryView) => self.extend(chunk.as_binary_view()),
            (Part::Bytes, DataType::FixedSizeBinary(_)) => {
                self.extend(chunk.as_fixed_size_binary())
            }
            (Part::I64, DataType::Timestamp(_, zone)) => {
                let unit = DataType::Timestamp(TimeUnit::Nanosecond, zone.clone());
                self.integers::<Int64Type>(&widened(chunk, &unit)?)
            }
            (Part::I64, got) if got.is_signed_integer() => self.integers::<Int64Type>(chunk),
            (Part::I64, got) if SHORT.contains(got) => self.integers::<Int64Type>(chunk),
            (Part::U64, got) if got.is_unsigned_integer() => self.integers::<UInt64Type>(chunk),
            (Part::U32, got) if SHORT.contains(got) => self.integers::<UInt32Type>(chunk),
            (_, got) => Err(unfit(part, got)),
        }
    }

    fn integers<A: ArrowPrimitiveType<Native: Hash>>(&mut self, chunk: &dyn Array) -> PyResult<()> {
        self.extend(widened(chunk, &A::DATA_TYPE)?.as_primitive::<A>())
    }

    fn extend<K: Hash>(&mut self, keys: impl IntoIterator<Item = Option<K>>) -> PyResult<()> {
        let keys = keys.into_iter();
        self.hashes
            .try_reserve(keys.size_hint().0)
            .map_err(memory)?;
        for key in keys {
            if key.is_none() {
                self.nulls.try_reserve(1).map_err(memory)?;
                self.nulls.push(self.hashes.len());
            }
            self.hashes.push(key.map_or(0, |key| of(&key)));
        }
        Ok(())
    }

    /// Returns the hashes of a column in which all are keys.
    pub(crate) fn keys(&self) -> PyResult<&[u64]> {
        if self.nulls.is_empty() {
            return Ok(&self.hashes);
        }
        let (nulls, all) = (self.nulls.len(), self.hashes.len());
        Err(value(format!(
            "a null is no key, and {nulls} of {all} are: drop them"
        )))
    }

    /// Returns for each key whether a filter contains it, and for nulls that it does not.
    pub(crate) fn answers(&self, any: &Any) -> PyResult<Vec<bool>> {
        let mut answers = Vec::new();
        answers.try_reserve(self.hashes.len()).map_err(memory)?;
        answers.resize(self.hashes.len(), false);
        let stored = any.contains_hashes_into(&self.hashes, &mut answers);
        stored.map_err(value)?;
        for place in &self.nulls {
            answers[*place] = false;
        }
        Ok(answers)
    }
}
