//! Hashes columns of keys. Arrow columns are not copied: they are read through Arrow's C data interface, which pyarrow, pandas,
//! Polars and DuckDB offer.

use std::fmt::Display;
use std::hash::Hash;
use std::iter::once;
use std::panic::{AssertUnwindSafe, catch_unwind};

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, Int64Array, downcast_integer, new_empty_array};
use arrow_schema::extension::EXTENSION_TYPE_NAME_KEY;
use arrow_schema::{ArrowError, DataType};
use pyo3::prelude::*;
use pyo3_arrow::input::AnyArray;

use crate::error::{memory, mistyped, value};
use crate::filter::Any;
use crate::part::{DATES, Part, of};

/// The Arrow extension types whose keys are the values of their storage type.
const KNOWN: [&str; 2] = ["arrow.json", "arrow.uuid"];

fn unfit(part: Part, got: impl Display) -> PyErr {
    let rule = format!("column of keys must be of a type that fits {}", part.name());
    mistyped(format!("{rule}, got {got}: cast it"))
}

/// The hashes of keys, in their order.
#[derive(Default)]
pub(crate) struct Column {
    pub(crate) hashes: Vec<u64>,
    /// The indices of nulls, which are not keys. `hashes` has 0 for them.
    nulls: Vec<usize>,
}

impl Column {
    /// Returns the hashes of an Arrow column, while other threads run. Arrow requires that a column is never changed. If a
    /// column shares its memory with a NumPy array, the array must not be changed meanwhile.
    pub(crate) fn of_arrow(keys: &Bound<'_, PyAny>, part: Part) -> PyResult<Self> {
        // An Arrow array can be passed on only once; after that it has no buffers. For an array without buffers, pyo3-arrow
        // panics.
        let chunks = catch_unwind(AssertUnwindSafe(|| {
            keys.extract::<AnyArray>()?.into_reader()
        }));
        let read = |_| value("column of keys must not have been read before");
        let chunks = chunks.map_err(read)??;
        // Refuses a column whose values mean something else than their type says, such as numbers of months or addresses of
        // objects. An extension type declares such a meaning. Polars declares none for its columns of objects, but these are
        // its only columns with bytes of a fixed length.
        let field = chunks.field();
        let extension = field.metadata().get(EXTENSION_TYPE_NAME_KEY);
        let extension = extension.filter(|name| !KNOWN.contains(&name.as_str()));
        let dtype = keys.getattr("dtype").map(|dtype| dtype.to_string());
        let is_bytes = matches!(field.data_type(), DataType::FixedSizeBinary(_));
        if extension.is_some() || is_bytes && dtype.is_ok_and(|name| name == "Object") {
            return Err(unfit(part, extension.map_or("Object", |name| name)));
        }
        if *field.data_type() == DataType::Null {
            // All values are nulls, whatever the type of the keys. Only their number is read: Polars gives such a column more
            // buffers than the interface knows.
            return Self::default().with((0..keys.len()?).map(|_| Ok(None::<u64>)));
        }
        // Begins with an empty chunk, so that the type is checked even if the column has no chunks.
        let empty = new_empty_array(field.data_type());
        let chunks = once(Ok(empty)).chain(chunks);
        let chunks: Vec<ArrayRef> = chunks.collect::<Result<_, ArrowError>>().map_err(value)?;
        keys.py().detach(|| {
            let mut column = Self::default();
            for chunk in chunks {
                // Python can make a column of any bytes, so its offsets and its text are checked. An empty chunk is not
                // checked, because nothing in it is read, and the check would refuse offsets that do not start at 0.
                if !chunk.is_empty() {
                    chunk.to_data().validate_full().map_err(value)?;
                }
                column = column.and(&chunk, part)?;
            }
            Ok(column)
        })
    }

    fn and(self, chunk: &dyn Array, part: Part) -> PyResult<Self> {
        match (part, chunk.data_type()) {
            (Part::Str, DataType::Utf8) => self.with(chunk.as_string::<i32>().iter().map(Ok)),
            (Part::Str, DataType::LargeUtf8) => self.with(chunk.as_string::<i64>().iter().map(Ok)),
            (Part::Str, DataType::Utf8View) => self.with(chunk.as_string_view().iter().map(Ok)),
            (Part::Bytes, DataType::Binary) => self.with(chunk.as_binary::<i32>().iter().map(Ok)),
            (Part::Bytes, DataType::LargeBinary) => {
                self.with(chunk.as_binary::<i64>().iter().map(Ok))
            }
            (Part::Bytes, DataType::BinaryView) => self.with(chunk.as_binary_view().iter().map(Ok)),
            (Part::Bytes, DataType::FixedSizeBinary(_)) => {
                self.with(chunk.as_fixed_size_binary().iter().map(Ok))
            }
            (Part::I64, DataType::Timestamp(unit, _)) => {
                // The numbers are not copied. The units are numbered from seconds, 0, to nanoseconds, 3.
                let numbers = chunk.to_data().into_builder().data_type(DataType::Int64);
                let numbers = Int64Array::from(numbers.build().map_err(value)?);
                let nanoseconds = 1_000_i64.pow(3 - *unit as u32);
                self.with(numbers.iter().map(|number| {
                    let key = number.map(|number| number.checked_mul(nanoseconds).ok_or(number));
                    let key = key.transpose();
                    key.map_err(|got| value(format!("{DATES}, got {got} in another unit")))
                }))
            }
            (Part::I64 | Part::U64 | Part::U32, got) => {
                macro_rules! take {
                    ($stored:ty) => {{
                        let keys = chunk.as_primitive::<$stored>().iter();
                        self.integers(part, keys.map(|key| key.map(i128::from)))
                    }};
                }
                downcast_integer! { got => (take), got => Err(unfit(part, got)) }
            }
            (_, got) => Err(unfit(part, got)),
        }
    }

    /// Appends the hashes of integers, whatever their width; `None` is a null.
    pub(crate) fn integers(
        self,
        part: Part,
        numbers: impl Iterator<Item = Option<i128>>,
    ) -> PyResult<Self> {
        match part {
            Part::U32 => self.with(numbers.map(|n| n.map(|n| part.fit::<u32>(n)).transpose())),
            Part::U64 => self.with(numbers.map(|n| n.map(|n| part.fit::<u64>(n)).transpose())),
            _ => self.with(numbers.map(|n| n.map(|n| part.fit::<i64>(n)).transpose())),
        }
    }

    /// Appends the hashes of keys; `None` is a null.
    pub(crate) fn with<K: Hash>(
        mut self,
        keys: impl Iterator<Item = PyResult<Option<K>>>,
    ) -> PyResult<Self> {
        let room = self.hashes.try_reserve(keys.size_hint().0);
        room.map_err(memory)?;
        for key in keys {
            let key = key?;
            if key.is_none() {
                self.nulls.try_reserve(1).map_err(memory)?;
                self.nulls.push(self.hashes.len());
            }
            self.hashes.push(key.map_or(0, |key| of(&key)));
        }
        Ok(self)
    }

    /// Returns the hashes, or an error if there are nulls, which are not keys.
    pub(crate) fn keys(&self) -> PyResult<&[u64]> {
        if self.nulls.is_empty() {
            return Ok(&self.hashes);
        }
        let (nulls, all) = (self.nulls.len(), self.hashes.len());
        let rule = format!("a null is not a key, and {nulls} of {all} values");
        Err(value(format!("{rule} are null: drop them")))
    }

    /// Returns for each key whether a filter contains it, and `false` for a null.
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
