//! Splits a table (the bits, counters, blocks or stages of a filter) into sizes and words, and
//! builds a table from them. The code for files knows tables only in this form.

use super::error::LoadError;
use super::header::{Fields, Sizes, words_for};
#[cfg(feature = "alloc")]
use super::source::{ReadError, Source};
#[cfg(feature = "alloc")]
use super::stage::{read_stages, stage_words};
#[cfg(feature = "alloc")]
use super::words::{check_unused, check_words};
use crate::cell_table::{CellKind, CellTable};
use crate::filter::Table;
#[cfg(feature = "alloc")]
use crate::filter::{Heap, Raw};
#[cfg(feature = "alloc")]
use crate::scalable::Stages;
use crate::shape::{BlockedShape, Shape};
use crate::storage::{AnyBlock, Blocks, Layout as _, Store, Word};

/// A table that can be written as sizes and words.
pub trait Parts: Table {
    /// Returns the fields of the header that describe the table.
    fn sizes(&self) -> Sizes;

    /// Returns the words of the payload, as many as the header specifies.
    fn payload(&self) -> impl Iterator<Item = u64>;
}

/// A table that is built from its file.
#[cfg(feature = "alloc")]
pub trait Load: Parts + Sized {
    /// Builds the table from a header of its kind and the payload after it. The caller checks the
    /// header fields that are not used here.
    fn read<E>(header: Fields<'_>, payload: &mut Source<'_, E>) -> Result<Self, ReadError<E>>;
}

/// A table of a fixed size, whose payload is its words and nothing else.
pub trait Payload: Parts + Sized {
    /// The size of the table, as the header states it.
    type Size: Copy;

    /// The type that holds the words.
    type Store;

    /// Reads the size, and checks that a table can have it.
    fn size(header: Fields<'_>) -> Result<Self::Size, LoadError>;

    /// Returns the number of bits or counters in the payload, and the width of each in bits.
    fn cells(size: Self::Size) -> (u64, u32);

    /// Wraps the payload, which was checked to have this size.
    fn over(size: Self::Size, store: Self::Store) -> Self;

    /// Returns the storage of the words.
    fn store(&self) -> &Self::Store;

    /// Returns the storage of the words for writing.
    fn store_mut(&mut self) -> &mut Self::Store;
}

/// A [`Payload`] on the heap.
#[cfg(feature = "alloc")]
pub trait Allocate: Payload + Raw {
    /// Creates an empty table.
    fn empty(size: <Self as Payload>::Size) -> Result<Self, LoadError>;
}

#[cfg(feature = "alloc")]
impl<A: Allocate> Load for A {
    fn read<E>(header: Fields<'_>, payload: &mut Source<'_, E>) -> Result<Self, ReadError<E>> {
        let size = <Self as Payload>::size(header)?;
        let (cells, cell_bits) = Self::cells(size);
        check_words(cells, cell_bits, header.words())?;
        let mut table = Self::empty(size)?;
        payload.take(table.words_mut())?;
        let last = table.words().last().copied().unwrap_or(0);
        check_unused(last, cells, cell_bits, payload.offset())?;
        Ok(table)
    }
}

impl<K: CellKind, W: Store<Item: Word>> Parts for CellTable<K, W> {
    fn sizes(&self) -> Sizes {
        let (shape, width) = (self.shape(), self.cells.width());
        Sizes {
            hashes: shape.hashes(),
            counter_bits: if K::WIDTH == 1 { 0 } else { width },
            ..Sizes::new(
                Self::KIND,
                shape.bits(),
                words_for(shape.bits(), width.into()),
            )
        }
    }

    fn payload(&self) -> impl Iterator<Item = u64> {
        self.cells.iter()
    }
}

impl<K: CellKind, W: Store<Item: Word>> Payload for CellTable<K, W> {
    /// The shape, and the width of a cell (a bit or a counter) in bits.
    type Size = (Shape, u8);
    type Store = W;

    fn size(header: Fields<'_>) -> Result<(Shape, u8), LoadError> {
        let width = match (K::WIDTH, header.counter_bits()) {
            (1, _) => 1,
            (_, width @ (4 | 8)) => width,
            (_, other) => return Err(LoadError::CounterBits(other)),
        };
        let shape = Shape::new(header.size(), header.hashes())?;
        K::Layout::check(shape)?;
        Ok((shape, width))
    }

    fn cells((shape, width): (Shape, u8)) -> (u64, u32) {
        (shape.bits(), width.into())
    }

    fn over((shape, width): (Shape, u8), store: W) -> Self {
        Self::of(shape, width, store)
    }

    fn store(&self) -> &W {
        self.cells.store()
    }

    fn store_mut(&mut self) -> &mut W {
        self.cells.store_mut()
    }
}

#[cfg(feature = "alloc")]
impl<K: CellKind> Allocate for CellTable<K> {
    fn empty((shape, width): (Shape, u8)) -> Result<Self, LoadError> {
        Ok(Self::with_width(shape, width)?)
    }
}

impl<L: Store<Item: AnyBlock>> Parts for Blocks<L> {
    fn sizes(&self) -> Sizes {
        let shape = self.shape();
        Sizes {
            hashes: shape.hashes(),
            ..Sizes::new(Self::KIND, shape.blocks(), words_for(shape.bits(), 1))
        }
    }

    fn payload(&self) -> impl Iterator<Item = u64> {
        self.lanes()
    }
}

impl<L: Store<Item: AnyBlock>> Payload for Blocks<L> {
    type Size = BlockedShape;
    type Store = L;

    fn size(header: Fields<'_>) -> Result<BlockedShape, LoadError> {
        Ok(BlockedShape::new(header.size())?)
    }

    fn cells(shape: BlockedShape) -> (u64, u32) {
        (shape.bits(), 1)
    }

    fn over(shape: BlockedShape, store: L) -> Self {
        Self::of(store, shape.blocks())
    }

    fn store(&self) -> &L {
        Self::store(self)
    }

    fn store_mut(&mut self) -> &mut L {
        Self::store_mut(self)
    }
}

#[cfg(feature = "alloc")]
impl Allocate for Blocks {
    fn empty(shape: BlockedShape) -> Result<Self, LoadError> {
        Ok(<Self as Heap>::new(shape)?)
    }
}

#[cfg(feature = "alloc")]
impl Parts for Stages {
    fn sizes(&self) -> Sizes {
        let stages = self.filled();
        let words = stages.iter().map(|stage| stage_words(stage).count() as u64);
        Sizes {
            growth: Some(self.shape()),
            ..Sizes::new(Self::KIND, stages.len() as u64, words.sum())
        }
    }

    fn payload(&self) -> impl Iterator<Item = u64> {
        self.filled().iter().flat_map(stage_words)
    }
}

#[cfg(feature = "alloc")]
impl Load for Stages {
    fn read<E>(header: Fields<'_>, payload: &mut Source<'_, E>) -> Result<Self, ReadError<E>> {
        let shape = header.growing_shape().map_err(LoadError::from)?;
        let stages = read_stages(shape, header.size(), payload)?;
        Ok(Self::of(shape, stages))
    }
}
