//! Rewrites the offsets and lengths of filters in the footer of a Parquet file, which is a struct in the compact protocol of
//! Thrift.
//!
//! All other fields stay as they are. The crate `parquet` can write footers, too, but it leaves out the fields that it does not
//! know. It also adds the field `column_orders` if a file has none, and so declares old statistics to be valid. These are the
//! numbers of the fields that are read or changed here:
//!
//! | struct | fields |
//! | --- | --- |
//! | file | 4 row groups, 8 encryption |
//! | row group | 1 columns |
//! | column chunk | 3 metadata, 8 and 9 encryption |
//! | metadata | 14 `bloom_filter_offset`, 15 `bloom_filter_length` |
//!
//! Sources: apache/parquet-format `parquet.thrift`; apache/thrift `thrift-compact-protocol.md`.

use std::borrow::Cow;

const ROW_GROUPS: i16 = 4;
const ENCRYPTION_OF_FILE: i16 = 8;
const COLUMNS: i16 = 1;
const METADATA: i16 = 3;
const ENCRYPTION_OF_CHUNK: [i16; 2] = [8, 9];
const OFFSET: i16 = 14;
const LENGTH: i16 = 15;

// Types in the headers of fields, lists and maps.
const TRUE: u8 = 1;
const FALSE: u8 = 2;
const INT_8: u8 = 3;
const INT_16: u8 = 4;
const INT_32: u8 = 5;
const INT_64: u8 = 6;
const DOUBLE: u8 = 7;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const SET: u8 = 10;
const MAP: u8 = 11;
const STRUCT: u8 = 12;
const UUID: u8 = 13;

/// A footer with deeper nesting is taken as damaged: Parquet's structs have about 8 levels.
const MAX_DEPTH: u32 = 64;

/// Where a filter is: offset and length in bytes.
pub(super) type Place = (u64, u32);

/// Returns whether the file or a column is encrypted; `None` if the footer is damaged.
pub(super) fn is_encrypted(footer: &[u8]) -> Option<bool> {
    let mut found = false;
    let mut file = Struct::read(&mut Input(footer), 0)?;
    file.for_each(ROW_GROUPS, |_, group| {
        group.for_each(COLUMNS, |_, chunk| {
            found |= ENCRYPTION_OF_CHUNK.iter().any(|id| chunk.has(*id));
            Some(())
        })
    })?;
    Some(found || file.has(ENCRYPTION_OF_FILE))
}

/// Returns the footer with the offsets and lengths that `place` returns for a row group and a column. A column chunk for which
/// `place` returns `None` stays as it is. Returns `None` if the footer is damaged.
pub(super) fn with_places(
    footer: &[u8],
    place: impl Fn(usize, usize) -> Option<Place>,
) -> Option<Vec<u8>> {
    let mut input = Input(footer);
    let mut file = Struct::read(&mut input, 0)?;
    file.for_each(ROW_GROUPS, |group, columns| {
        columns.for_each(COLUMNS, |column, chunk| {
            let Some((offset, length)) = place(group, column) else {
                return Some(());
            };
            let metadata = chunk.get(METADATA).filter(|field| field.kind == STRUCT)?;
            let mut inner = Struct::read(&mut Input(&metadata.value), 0)?;
            inner.set(OFFSET, INT_64, zigzag(offset));
            inner.set(LENGTH, INT_32, zigzag(length.into()));
            metadata.value = Cow::Owned(inner.bytes());
            Some(())
        })
    })?;
    Some([file.bytes(), input.0.to_vec()].concat())
}

/// The fields of a struct, in the order of the file.
struct Struct<'a>(Vec<Field<'a>>);

struct Field<'a> {
    id: i16,
    kind: u8,
    value: Cow<'a, [u8]>,
}

impl<'a> Struct<'a> {
    fn read(input: &mut Input<'a>, depth: u32) -> Option<Self> {
        let (mut fields, mut id) = (Vec::new(), 0_i16);
        loop {
            let header = input.byte()?;
            let (step, kind) = (header >> 4, header & 15);
            if kind == 0 {
                return Some(Self(fields));
            }
            id = match step {
                0 => unzigzag(input.varint()?).try_into().ok()?,
                step => id.checked_add(step.into())?,
            };
            let start = input.0;
            if kind != TRUE && kind != FALSE {
                input.skip(kind, depth)?;
            }
            let value = Cow::Borrowed(&start[..start.len() - input.0.len()]);
            fields.push(Field { id, kind, value });
        }
    }

    fn bytes(&self) -> Vec<u8> {
        let (mut bytes, mut last) = (Vec::new(), 0);
        for Field { id, kind, value } in &self.0 {
            let step = i32::from(*id) - i32::from(last);
            if (1..=15).contains(&step) {
                bytes.push((step as u8) << 4 | kind);
            } else {
                bytes.push(*kind);
                let id = i64::from(*id);
                push_varint(&mut bytes, (id << 1 ^ id >> 63) as u64);
            }
            bytes.extend_from_slice(value);
            last = *id;
        }
        bytes.push(0);
        bytes
    }

    fn get(&mut self, id: i16) -> Option<&mut Field<'a>> {
        self.0.iter_mut().find(|field| field.id == id)
    }

    fn has(&self, id: i16) -> bool {
        self.0.iter().any(|field| field.id == id)
    }

    /// Replaces a field, or inserts it before the fields with larger numbers.
    fn set(&mut self, id: i16, kind: u8, value: Vec<u8>) {
        self.0.retain(|field| field.id != id);
        let place = self.0.iter().position(|field| field.id > id);
        let value = Cow::Owned(value);
        let place = place.unwrap_or(self.0.len());
        self.0.insert(place, Field { id, kind, value });
    }

    /// Calls `change` for each struct of the list in field `id`. Returns `None` if there is no such list, if the list or one
    /// of its structs is damaged, or if `change` returns `None`.
    fn for_each(
        &mut self,
        id: i16,
        mut change: impl FnMut(usize, &mut Struct<'_>) -> Option<()>,
    ) -> Option<()> {
        let field = self.get(id).filter(|field| field.kind == LIST)?;
        let mut input = Input(&field.value);
        let (kind, count) = input.list()?;
        // An empty list may have any type of elements.
        if kind != STRUCT && count > 0 {
            return None;
        }
        let header = field.value.len() - input.0.len();
        let mut bytes = field.value[..header].to_vec();
        for index in 0..count {
            let mut element = Struct::read(&mut input, 0)?;
            change(index, &mut element)?;
            bytes.extend(element.bytes());
        }
        field.value = Cow::Owned(bytes);
        Some(())
    }
}

/// The bytes that are not read yet.
struct Input<'a>(&'a [u8]);

impl Input<'_> {
    fn byte(&mut self) -> Option<u8> {
        let (byte, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*byte)
    }

    fn advance(&mut self, count: u64) -> Option<()> {
        self.0 = self.0.get(usize::try_from(count).ok()?..)?;
        Some(())
    }

    fn varint(&mut self) -> Option<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 127) << shift;
            if byte < 128 {
                return Some(value);
            }
        }
        None
    }

    /// Reads the header of a list: the type and the number of its elements. The number must be at most the number of bytes
    /// left, because each element takes at least one byte.
    fn list(&mut self) -> Option<(u8, usize)> {
        let header = self.byte()?;
        let count = match header >> 4 {
            15 => self.varint()?,
            count => count.into(),
        };
        let count = usize::try_from(count).ok()?;
        (count <= self.0.len()).then_some((header & 15, count))
    }

    fn skip(&mut self, kind: u8, depth: u32) -> Option<()> {
        if depth > MAX_DEPTH {
            return None;
        }
        match kind {
            // A Boolean takes a byte only inside of lists and maps: in a struct, the type of the field is the value.
            TRUE | FALSE | INT_8 => self.advance(1),
            INT_16 | INT_32 | INT_64 => self.varint().map(drop),
            DOUBLE => self.advance(8),
            UUID => self.advance(16),
            BINARY => {
                let length = self.varint()?;
                self.advance(length)
            }
            LIST | SET => {
                let (kind, count) = self.list()?;
                (0..count).try_for_each(|_| self.skip(kind, depth + 1))
            }
            MAP => {
                let count = self.varint()?;
                if count == 0 {
                    return Some(());
                }
                let kinds = self.byte()?;
                (0..count).try_for_each(|_| {
                    self.skip(kinds >> 4, depth + 1)?;
                    self.skip(kinds & 15, depth + 1)
                })
            }
            STRUCT => Struct::read(self, depth + 1).map(drop),
            _ => None,
        }
    }
}

fn unzigzag(value: u64) -> i64 {
    (value >> 1) as i64 ^ -((value & 1) as i64)
}

/// Returns a number in the zigzag code of Thrift. The numbers are offsets and lengths, far below 2^63.
fn zigzag(value: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    push_varint(&mut bytes, value << 1);
    bytes
}

fn push_varint(bytes: &mut Vec<u8>, mut value: u64) {
    while value > 127 {
        bytes.push(value as u8 | 128);
        value >>= 7;
    }
    bytes.push(value as u8);
}
