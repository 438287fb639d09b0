//! Stores the rows of a dynamic filter of Hadoop, which are Bloom filters with equal numbers of bits and hashes, so that a
//! query examines many rows at once.
//!
//! A query looks a key up in all rows, and so does an insert, which returns whether the key is new. A key has the same
//! positions in all rows. So in memory that the filter owns, all rows but the last 1 to 64 are in groups of 64 rows. The bits
//! of a group at one position are the bits of one word, and the words of all groups at this position lie side by side. One
//! cache line has the bits of 512 rows. The insert of 10^6 keys, 1,000 into each row, took 17 to 20 s when each row was a bit
//! array of its own, and 0.6 to 1.1 s with these groups.

use alloc::borrow::Cow;
use alloc::vec;
use alloc::vec::Vec;

use bloom_core::Shape;

use crate::error::{Format, FormatError};
use crate::plain::Plain;
use crate::words::{Order, Words};

/// The number of rows of a group, which have their bits at a position in one word.
const GROUP: usize = 64;

/// The number of words in a cache line.
const LINE: usize = 8;

/// Rows with equal numbers of bits and hashes.
#[derive(Clone)]
pub(super) struct Rows<'a> {
    pub(super) shape: Shape,
    /// The rows that are in groups. The words of position 0 come first, `width` of them, then those of position 1, and so on.
    /// Bit i of word j of a position is the position's bit in row 64 j + i. Empty if the rows are read in place.
    groups: Vec<u64>,
    /// The number of words that each position has in `groups`: 0 or a power of two.
    width: usize,
    /// The number of groups. Each position has one word in use for each group; the other words of the position are free.
    grouped: usize,
    /// The rows that are in no group, one after another. If the rows are read in place, these are all rows of the file;
    /// otherwise they are the last rows, at most 64.
    last: Cow<'a, [u8]>,
    /// The number of bytes of the header before the bits of each row in `last`; 0 if the rows are not read in place.
    header_bytes: usize,
}

impl<'a> Rows<'a> {
    pub(super) fn none(shape: Shape) -> Self {
        Self::in_place(shape, &[], 0)
    }

    /// Returns a copy with the rows in memory of its own.
    pub(super) fn owned(&self) -> Result<Rows<'static>, FormatError> {
        let mut owned = Rows::none(self.shape);
        for row in self.each() {
            owned.add()?;
            let start = owned.last.len() - owned.row_bytes();
            owned.last.to_mut()[start..].copy_from_slice(row.words.bytes());
        }
        Ok(owned)
    }

    /// Copies the rows into memory of their own, if they are read in place.
    pub(super) fn own(&mut self) -> Result<(), FormatError> {
        if let Cow::Borrowed(_) = self.last {
            *self = self.owned()?;
        }
        Ok(())
    }

    /// Adds a row without a set bit. The rows must not be read in place.
    pub(super) fn add(&mut self) -> Result<(), FormatError> {
        let bytes = self.row_bytes();
        if self.last.len() == GROUP * bytes {
            self.group()?;
        }
        let last = self.last.to_mut();
        last.try_reserve(bytes)
            .map_err(|_| Format::Hadoop.memory(bytes as u64))?;
        last.resize(last.len() + bytes, 0);
        Ok(())
    }

    /// Makes a group of the last 64 rows: moves their bits into the next free word of each position.
    fn group(&mut self) -> Result<(), FormatError> {
        if self.grouped == self.width {
            self.widen()?;
        }
        let bytes = self.row_bytes();
        for (position, words) in self.groups.chunks_exact_mut(self.width).enumerate() {
            let rows = self.last.chunks_exact(bytes).rev();
            words[self.grouped] =
                rows.fold(0, |word, row| word << 1 | u64::from(bit(row, position)));
        }
        self.grouped += 1;
        self.last.to_mut().clear();
        Ok(())
    }

    /// Doubles the number of words of each position; the new words are free.
    fn widen(&mut self) -> Result<(), FormatError> {
        let width = (2 * self.width).max(1);
        let length = (self.shape.bits() as usize).saturating_mul(width);
        let mut groups = Vec::new();
        let reserved = groups.try_reserve_exact(length);
        reserved.map_err(|_| Format::Hadoop.memory((length as u64).saturating_mul(8)))?;
        groups.resize(length, 0);
        let wide = groups.chunks_exact_mut(width);
        for (wide, words) in wide.zip(self.groups.chunks_exact(self.width.max(1))) {
            wide[..self.width].copy_from_slice(words);
        }
        (self.groups, self.width) = (groups, width);
        Ok(())
    }

    /// Sets the bits at the positions of a key in the last row.
    pub(super) fn insert<I: Iterator<Item = u64>>(&mut self, probes: &mut Probes<I>) {
        let start = self.last.len() - self.row_bytes();
        for index in 0..self.shape.hashes().into() {
            let position = probes.position(index);
            self.last.to_mut()[start + position / 8] |= 1 << (position % 8);
        }
    }

    /// Sets in each row all bits that are set in the row of the same index of `other`, which must have equal numbers of rows,
    /// bits and hashes.
    pub(super) fn unite(&mut self, other: &Rows<'_>) {
        let (grouped, bytes) = (self.grouped * GROUP, self.row_bytes());
        for (index, theirs) in other.each().enumerate() {
            if index < grouped {
                let words = self.groups[index / GROUP..].iter_mut().step_by(self.width);
                for (position, word) in (0..).zip(words) {
                    *word |= u64::from(theirs.words.contains(position)) << (index % GROUP);
                }
            } else {
                let ours = self.last.to_mut()[(index - grouped) * bytes..].iter_mut();
                for (byte, theirs) in ours.zip(theirs.words.bytes()) {
                    *byte |= theirs;
                }
            }
        }
    }

    /// Makes rows that are read in place, from bytes in which each row follows a header.
    pub(super) fn in_place(shape: Shape, bytes: &'a [u8], header_bytes: usize) -> Self {
        Self {
            shape,
            groups: Vec::new(),
            width: 0,
            grouped: 0,
            last: Cow::Borrowed(bytes),
            header_bytes,
        }
    }

    /// Returns the number of rows.
    pub(super) fn count(&self) -> u64 {
        (self.grouped * GROUP + self.last.len() / self.row_bytes()) as u64
    }

    /// Returns the number of rows in which the bits at all positions of a key are set. Stops as soon as this number is `enough`
    /// or more.
    pub(super) fn matches<I>(&self, probes: &mut Probes<I>, enough: u64) -> u64
    where
        I: Iterator<Item = u64>,
    {
        let (hashes, mut count) = (usize::from(self.shape.hashes()), 0);
        let length = LINE.min(self.width);
        for line in (0..self.grouped).step_by(LINE) {
            let mut rows = [u64::MAX; LINE];
            for index in 0..hashes {
                let start = probes.position(index) * self.width + line;
                let words = &self.groups[start..start + length];
                let any = rows.iter_mut().zip(words).fold(0, |any, (rows, word)| {
                    *rows &= word;
                    any | *rows
                });
                if any == 0 {
                    rows = [0; LINE];
                    break;
                }
            }
            let counts = rows[..length].iter().map(|rows| rows.count_ones());
            count += u64::from(counts.sum::<u32>());
            if count >= enough {
                return count;
            }
        }
        for row in self.last_rows() {
            count += u64::from((0..hashes).all(|index| bit(row, probes.position(index)) != 0));
            if count >= enough {
                break;
            }
        }
        count
    }

    /// Returns each row as a bit array, from the first row on.
    pub(super) fn each(&self) -> impl Iterator<Item = Plain<'_>> {
        let grouped = (0..self.grouped * GROUP / 8).flat_map(|eight| self.eight_rows(eight));
        let rows = grouped.map(Cow::Owned);
        let rows = rows.chain(self.last_rows().map(Cow::Borrowed));
        rows.map(|bits| {
            Plain::new(
                Format::Hadoop,
                self.shape,
                Words::new(bits, Order::LowFirst),
            )
        })
    }

    /// Returns the bits of each row that is in no group.
    fn last_rows(&self) -> impl Iterator<Item = &[u8]> {
        let rows = self.last.chunks_exact(self.row_bytes());
        rows.map(|row| &row[self.header_bytes..])
    }

    /// Returns the bits of eight rows of a group: rows 8 × `index` to 8 × `index` + 7. If these rows were read one by one, each
    /// word would be loaded from memory eight times.
    fn eight_rows(&self, index: usize) -> Vec<Vec<u8>> {
        let mut rows = vec![vec![0; self.row_bytes()]; 8];
        let words = self.groups[index / 8..].iter().step_by(self.width);
        for (position, word) in words.enumerate() {
            let byte = word.to_le_bytes()[index % 8];
            for (shift, row) in rows.iter_mut().enumerate() {
                row[position / 8] |= (byte >> shift & 1) << (position % 8);
            }
        }
        rows
    }

    /// Returns the number of bytes that a row has in `last`, including its header if it has one.
    fn row_bytes(&self) -> usize {
        self.header_bytes + self.shape.bits().div_ceil(8) as usize
    }
}

#[inline]
fn bit(row: &[u8], position: usize) -> u8 {
    row[position / 8] >> (position % 8) & 1
}

impl PartialEq for Rows<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.shape == other.shape && self.each().eq(other.each())
    }
}

/// The positions of a key. Each is computed when it is first needed, and then kept.
pub(super) struct Probes<I> {
    rest: I,
    known: [u32; 255],
    count: usize,
}

impl<I: Iterator<Item = u64>> Probes<I> {
    /// `positions` must yield at least one position for each hash.
    pub(super) fn new(positions: I) -> Self {
        Self {
            rest: positions,
            known: [0; 255],
            count: 0,
        }
    }

    #[inline]
    fn position(&mut self, index: usize) -> usize {
        while self.count <= index {
            let next = self.rest.next().expect("there is one for each hash");
            self.known[self.count] = next as u32;
            self.count += 1;
        }
        self.known[index] as usize
    }
}
