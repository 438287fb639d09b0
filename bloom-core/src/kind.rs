//! The kinds of filters: the types that the first parameter of [`Bloom`](crate::Bloom) can be. Each filter is an alias
//! of `Bloom` with one of these types; for example, `BloomFilter` is `Bloom` with the kind `Basic`.

use crate::sealed::Sealed;

/// The kind of [`BloomFilter`](crate::BloomFilter): an item sets bits anywhere in the filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Basic {}

/// The kind of [`BlockedBloomFilter`](crate::BlockedBloomFilter): all bits of an item are in one
/// cache line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Blocked {}

/// The kind of [`CountingBloomFilter`](crate::CountingBloomFilter): counters in place of bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counting {}

/// The kind of [`PartitionedBloomFilter`](crate::PartitionedBloomFilter): the bits are divided into
/// as many slices as there are hashes, and an item sets one bit in each slice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Partitioned {}

/// The kind of [`ScalableBloomFilter`](crate::ScalableBloomFilter): a series of filters, its
/// stages, to which a new one is added when the last has no room.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scalable {}

impl Sealed for Basic {}
impl Sealed for Blocked {}
impl Sealed for Counting {}
impl Sealed for Partitioned {}
impl Sealed for Scalable {}
