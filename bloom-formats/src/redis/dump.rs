//! Reads and writes dumps of filters of RedisBloom. Such a filter is a chain: a list of Bloom filters, which are called links.
//! The layout of a dump is described in the [parent module](super).

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;
use core::iter;

use super::link::{Link, link};
use super::{RedisBloom, WIDE_HASHES};
use crate::error::{Field, Format, FormatError, Must, Rule, Value};
use crate::reader::Reader;
use crate::words::{append, reserved};

const HEADER_BYTES: u64 = 20;
const LINK_BYTES: u64 = 53;
const CHUNK_BYTES: usize = 16 << 20;

/// The bytes with which each command begins. A command is an array of four strings, and the first string is the name of the
/// command.
const COMMAND: &[u8] = b"*4\r\n$12\r\nBF.LOADCHUNK\r\n";
const END: &[u8] = b"\r\n";

impl RedisBloom<'static> {
    /// Reads the chunks that `BF.SCANDUMP` returned, each with the number that Redis calls its iterator.
    ///
    /// # Errors
    ///
    /// The iterators must be those that `BF.SCANDUMP` returns, and the chunks together must be as for
    /// [`from_bytes`](Self::from_bytes).
    pub fn from_chunks<'a>(
        chunks: impl IntoIterator<Item = (u64, &'a [u8])>,
    ) -> Result<Self, FormatError> {
        let (mut bytes, mut header) = (Vec::new(), 0);
        for (iterator, data) in chunks {
            if bytes.is_empty() {
                header = data.len() as u64;
            }
            // The first chunk is the header. It has no bits, and so its iterator is 1.
            let expected = 1 + bytes.len() as u64 + data.len() as u64 - header;
            if iterator != expected {
                return Err(Format::RedisBloom.field(Field::Iterator, Must::DataSoFar, iterator));
            }
            bytes
                .try_reserve(data.len())
                .map_err(|_| Format::RedisBloom.memory(data.len() as u64))?;
            bytes.extend_from_slice(data);
        }
        Self::from_bytes(&bytes)
    }

    /// Reads the commands that [`to_commands`](Self::to_commands) returns. Returns the filter, and the key under which the
    /// commands store it in the Redis database.
    ///
    /// # Errors
    ///
    /// The bytes must be such commands for one key, and their chunks must be as for [`from_chunks`](Self::from_chunks).
    pub fn from_commands(bytes: &[u8]) -> Result<(Self, &[u8]), FormatError> {
        let mut reader = Reader::new(Format::RedisBloom, bytes);
        let (mut chunks, mut first) = (Vec::new(), None);
        while !reader.rest().is_empty() {
            reader.expect(COMMAND)?;
            let key = argument(&mut reader)?;
            let ours = *first.get_or_insert(key);
            if let Some(at) = ours.iter().zip(key).position(|(ours, byte)| ours != byte)
                && ours.len() == key.len()
            {
                let start = reader.offset() - (key.len() + END.len()) as u64;
                let (rule, got) = (Must::BeByte(ours[at]), Value::Byte(key[at]));
                return Err(Format::RedisBloom.field(Field::Byte(start + at as u64), rule, got));
            }
            if key != ours {
                let [ours, theirs] = [ours, key].map(|key| Value::from(key.len() as u64));
                let field = Field::BytesOfKey;
                return Err(Format::RedisBloom.error(Rule::Differs {
                    field,
                    ours,
                    theirs,
                }));
            }
            let iterator = argument(&mut reader)?;
            let number = core::str::from_utf8(iterator).ok();
            let number = number.and_then(|number| number.parse().ok()).unwrap_or(0);
            chunks.push((number, argument(&mut reader)?));
        }
        Ok((Self::from_chunks(chunks)?, first.unwrap_or_default()))
    }

    /// Returns whether these bytes begin like the commands that [`to_commands`](Self::to_commands) returns.
    #[must_use]
    pub fn is_commands(bytes: &[u8]) -> bool {
        bytes.starts_with(COMMAND)
    }

    /// Reads a dump: the data of all chunks, one after another.
    ///
    /// # Errors
    ///
    /// As in Redis, the options must be known, and there must be at least one link. The number of items of the chain must be
    /// the sum over its links. In each link, the rate must be between 0 and 1, the number of bits must be 8 times the number of
    /// bytes, and the number of hashes must follow from the bits per item.
    ///
    /// This crate also requires a growth of at least 1, numbers of bits that are not rounded and are those that Redis computes,
    /// at most 255 hashes, and hashes of 64 bits. The number of bytes must be the one that follows from the header, and the
    /// memory must be available.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, FormatError> {
        RedisBloom::borrowed(bytes)?.copied()
    }

    /// Reads a filter. The returned rest is empty: Redis does not ignore bytes after a filter, so none may follow here.
    ///
    /// # Errors
    ///
    /// As for [`from_bytes`](Self::from_bytes).
    pub fn from_bytes_lenient(bytes: &[u8]) -> Result<(Self, &[u8]), FormatError> {
        Ok((Self::from_bytes(bytes)?, &[]))
    }
}

impl<'a> RedisBloom<'a> {
    /// Reads a filter in place. The returned rest is empty: Redis does not ignore bytes after a filter, so none may follow
    /// here.
    ///
    /// # Errors
    ///
    /// As for [`borrowed`](Self::borrowed).
    pub fn borrowed_lenient(bytes: &'a [u8]) -> Result<(Self, &'a [u8]), FormatError> {
        Ok((Self::borrowed(bytes)?, &[]))
    }

    /// Reads a dump, the data of all chunks, in place: queries read these bytes, which may be those of a mapped file.
    ///
    /// # Errors
    ///
    /// As for [`from_bytes`](RedisBloom::from_bytes), but memory is needed only for a list of the links, and not for their
    /// bits.
    pub fn borrowed(bytes: &'a [u8]) -> Result<Self, FormatError> {
        let mut reader = Reader::new(Format::RedisBloom, bytes);
        let items = reader.u64_le()?;
        let [count, options, growth] = [reader.u32_le()?, reader.u32_le()?, reader.u32_le()?];
        if count == 0 {
            return Err(Format::RedisBloom.field(Field::Links, Must::AtLeast(1), 0));
        }
        if options > 15 || options & WIDE_HASHES == 0 {
            return Err(Format::RedisBloom.field(Field::Options, Must::WideHashes, options));
        }
        if growth == 0 {
            return Err(Format::RedisBloom.field(Field::Growth, Must::AtLeast(1), 0));
        }
        // Memory for the list of links is allocated only if the input has the fields of all links.
        let mut headers = Reader::new(Format::RedisBloom, bytes);
        let headers = headers.take(HEADER_BYTES + u64::from(count) * LINK_BYTES)?;
        let mut data = Reader::new(Format::RedisBloom, bytes);
        data.take(headers.len() as u64)?;
        let mut links = Vec::new();
        links
            .try_reserve_exact(count as usize)
            .map_err(|_| Format::RedisBloom.memory(headers.len() as u64))?;
        for _ in 0..count {
            links.push(link(&mut reader, &mut data)?);
        }
        let sum = links
            .iter()
            .try_fold(0_u64, |sum, link| sum.checked_add(link.facts.items));
        if sum != Some(items) {
            return Err(Format::RedisBloom.field(Field::Items, Must::SumOfLinks, items));
        }
        let chain = Self {
            options,
            growth,
            links,
        };
        crate::reader::complete(Format::RedisBloom, bytes, (chain, data.rest()))
    }
}

impl RedisBloom<'_> {
    /// Returns the chunks for `BF.LOADCHUNK`, each with its iterator, as `BF.SCANDUMP` returns them.
    ///
    /// # Errors
    ///
    /// The memory must be available.
    pub fn to_chunks(&self) -> Result<Vec<(u64, Vec<u8>)>, FormatError> {
        let mut chunks = Vec::new();
        for (iterator, part) in self.chunks() {
            let mut data = reserved(Format::RedisBloom, part.len() as u64)?;
            data.extend_from_slice(&part);
            chunks.push((iterator, data));
        }
        Ok(chunks)
    }

    /// Returns the commands `BF.LOADCHUNK` that create the filter under a key of the Redis database. They are in the protocol
    /// of Redis, which `redis-cli --pipe` reads.
    ///
    /// # Errors
    ///
    /// The memory must be available.
    pub fn to_commands(&self, key: &[u8]) -> Result<Vec<u8>, FormatError> {
        let mut commands = Vec::new();
        let mut push = |bytes: &[u8]| append(Format::RedisBloom, &mut commands, bytes);
        for (iterator, part) in self.chunks() {
            push(COMMAND)?;
            for argument in [key, iterator.to_string().as_bytes(), &part] {
                push(format!("${}\r\n", argument.len()).as_bytes())?;
                push(argument)?;
                push(END)?;
            }
        }
        Ok(commands)
    }

    fn chunks(&self) -> impl Iterator<Item = (u64, Cow<'_, [u8]>)> {
        let header = iter::once((1, Cow::Owned(self.header())));
        let parts = self
            .links
            .iter()
            .flat_map(|link| link.data().chunks(CHUNK_BYTES));
        let data = parts.scan(1, |iterator, part| {
            *iterator += part.len() as u64;
            Some((*iterator, Cow::Borrowed(part)))
        });
        header.chain(data)
    }

    pub(super) fn header(&self) -> Vec<u8> {
        let mut header = Vec::new();
        header.extend(self.items().to_le_bytes());
        header.extend((self.links.len() as u32).to_le_bytes());
        header.extend(self.options.to_le_bytes());
        header.extend(self.growth.to_le_bytes());
        for Link { facts, .. } in &self.links {
            header.extend((facts.shape.bits() / 8).to_le_bytes());
            header.extend(facts.shape.bits().to_le_bytes());
            header.extend(facts.items.to_le_bytes());
            header.extend(facts.rate.to_le_bytes());
            header.extend(facts.bits_per_item.to_le_bytes());
            header.extend(u32::from(facts.shape.hashes()).to_le_bytes());
            header.extend(facts.expected_items.to_le_bytes());
            header.push(0);
        }
        header
    }
}

/// Reads an argument of a command: its length in digits, and its bytes.
fn argument<'a>(reader: &mut Reader<'a>) -> Result<&'a [u8], FormatError> {
    reader.expect(b"$")?;
    let mut length = 0_u64;
    loop {
        let offset = reader.offset();
        let [digit] = reader.array()?;
        match char::from(digit).to_digit(10) {
            Some(number) if length < 1 << 32 => length = 10 * length + u64::from(number),
            _ if digit == END[0] => break,
            _ => {
                let (field, got) = (Field::Byte(offset), Value::Byte(digit));
                return Err(Format::RedisBloom.field(field, Must::BeByte(END[0]), got));
            }
        }
    }
    reader.expect(&END[1..])?;
    let argument = reader.take(length)?;
    reader.expect(END)?;
    Ok(argument)
}
