//! Each filter as a header and words: the only form in which the code for files sees it.

use core::hash::BuildHasher;

use super::error::LoadError;
use super::header::{Header, words_for};
use super::kind::FilterKind;
use super::opened::Opened;
use super::stage::{read_stages, stage_words};
#[cfg(target_has_atomic = "64")]
use crate::atomic::{AtomicBlockedBloomFilter, AtomicBloomFilter};
use crate::basic::BloomFilter;
use crate::blocked::BlockedBloomFilter;
use crate::counting::CountingBloomFilter;
use crate::partitioned::PartitionedBloomFilter;
use crate::scalable::{ScalableBloomFilter, ScalableShape};
use crate::shape::BlockedShape;
use crate::shape::Shape;
use crate::storage::CounterBits;

/// A filter as a header and words.
pub(super) trait Parts {
    /// Returns the header of its file.
    fn header(&self) -> Header;

    /// Returns the words of the payload, as many as the header specifies.
    fn payload(&self) -> impl Iterator<Item = u64>;
}

/// A filter that is built from its file.
pub(super) trait Load: Parts + Sized {
    /// The builder of its hasher.
    type Hasher: BuildHasher;

    /// The kind of the filter in its files.
    const KIND: FilterKind;

    /// Builds the filter from a file of its kind, which is checked as a whole, and its hasher.
    /// Header fields that are not used here are checked by the caller.
    fn read(file: Opened<'_>, hash_builder: Self::Hasher) -> Result<Self, LoadError>;
}

/// A filter of a [`Shape`] whose payload is its bits.
macro_rules! impl_parts_of_bits {
    ($($filter:ident, $kind:expr;)*) => {$(
        impl<T: ?Sized, S: BuildHasher> Parts for $filter<T, S> {
            fn header(&self) -> Header {
                Header::of_bits(Self::KIND, self.shape(), self.hasher())
            }

            fn payload(&self) -> impl Iterator<Item = u64> {
                self.bits().words().iter().copied()
            }
        }

        impl<T: ?Sized, S: BuildHasher> Load for $filter<T, S> {
            type Hasher = S;

            const KIND: FilterKind = $kind;

            fn read(file: Opened<'_>, hash_builder: S) -> Result<Self, LoadError> {
                let shape = Shape::new(file.header.size(), file.header.hashes())?;
                file.payload.check_units(shape.bits(), 1)?;
                let mut filter = Self::with_hasher(shape, hash_builder)?;
                file.payload.copy_to(filter.bits_mut().words_mut());
                Ok(filter)
            }
        }
    )*};
}

impl_parts_of_bits!(BloomFilter, FilterKind::Basic; PartitionedBloomFilter, FilterKind::Partitioned;);

impl<T: ?Sized, S: BuildHasher> Parts for BlockedBloomFilter<T, S> {
    fn header(&self) -> Header {
        Header::of_blocks(self.shape(), self.hasher())
    }

    fn payload(&self) -> impl Iterator<Item = u64> {
        self.blocks().lanes()
    }
}

impl<T: ?Sized, S: BuildHasher> Load for BlockedBloomFilter<T, S> {
    type Hasher = S;

    const KIND: FilterKind = FilterKind::Blocked;

    fn read(file: Opened<'_>, hash_builder: S) -> Result<Self, LoadError> {
        let shape = BlockedShape::new(file.header.size())?;
        file.payload.check_units(shape.bits(), 1)?;
        let mut filter = Self::with_hasher(shape, hash_builder)?;
        file.payload.copy_to(filter.blocks_mut().words_mut());
        Ok(filter)
    }
}

#[cfg(target_has_atomic = "64")]
impl<T: ?Sized, S: BuildHasher> Parts for AtomicBloomFilter<T, S> {
    fn header(&self) -> Header {
        Header::of_bits(FilterKind::Basic, self.shape(), self.hasher())
    }

    fn payload(&self) -> impl Iterator<Item = u64> {
        self.bits.iter()
    }
}

#[cfg(target_has_atomic = "64")]
impl<T: ?Sized, S: BuildHasher> Parts for AtomicBlockedBloomFilter<T, S> {
    fn header(&self) -> Header {
        Header::of_blocks(self.shape(), self.hasher())
    }

    fn payload(&self) -> impl Iterator<Item = u64> {
        self.blocks.lanes()
    }
}

impl<T: ?Sized, S: BuildHasher> Parts for CountingBloomFilter<T, S> {
    fn header(&self) -> Header {
        let (shape, width) = (self.shape(), self.counter_bits().bits());
        let words = words_for(shape.bits(), width);
        Header {
            hashes: shape.hashes(),
            counter_bits: width as u8,
            ..Header::new(Self::KIND, shape.bits(), words, self.hasher())
        }
    }

    fn payload(&self) -> impl Iterator<Item = u64> {
        self.counters().words().iter().copied()
    }
}

impl<T: ?Sized, S: BuildHasher> Load for CountingBloomFilter<T, S> {
    type Hasher = S;

    const KIND: FilterKind = FilterKind::Counting;

    fn read(file: Opened<'_>, hash_builder: S) -> Result<Self, LoadError> {
        let counter_bits = match file.header.counter_bits() {
            4 => CounterBits::Four,
            8 => CounterBits::Eight,
            other => return Err(LoadError::CounterBits(other)),
        };
        let shape = Shape::new(file.header.size(), file.header.hashes())?;
        file.payload
            .check_units(shape.bits(), counter_bits.bits())?;
        let mut filter = Self::with_counter_bits_and_hasher(shape, counter_bits, hash_builder)?;
        file.payload.copy_to(filter.counters_mut().words_mut());
        Ok(filter)
    }
}

impl<T: ?Sized, S: BuildHasher> Parts for ScalableBloomFilter<T, S> {
    fn header(&self) -> Header {
        let stages = self.filled_stages();
        let words = stages.iter().map(|stage| stage_words(stage).count() as u64);
        Header {
            growth: Some(self.shape()),
            ..Header::new(Self::KIND, stages.len() as u64, words.sum(), self.hasher())
        }
    }

    fn payload(&self) -> impl Iterator<Item = u64> {
        self.filled_stages().iter().flat_map(stage_words)
    }
}

impl<T: ?Sized, S: BuildHasher> Load for ScalableBloomFilter<T, S> {
    type Hasher = S;

    const KIND: FilterKind = FilterKind::Scalable;

    fn read(file: Opened<'_>, hash_builder: S) -> Result<Self, LoadError> {
        let header = file.header;
        let mut shape = ScalableShape::new(header.items(), header.rate())?
            .with_growth(header.growth())?
            .with_tightening(header.tightening())?
            .with_max_stages(header.max_stages())?;
        if header.max_bytes() > 0 {
            shape = shape.with_max_bytes(header.max_bytes())?;
        }
        let stages = read_stages(shape, header.size(), file.payload)?;
        Ok(Self::from_stages(shape, stages, hash_builder))
    }
}
