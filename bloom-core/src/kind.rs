//! The kinds of filters: the types that the first parameter of [`Bloom`](crate::Bloom) can be. Each filter is an alias of
//! `Bloom` with one of them.

use crate::sealed::Sealed;

/// The kind of [`BloomFilter`](crate::BloomFilter): an item sets bits anywhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Basic {}

/// The kind of [`BlockedBloomFilter`](crate::BlockedBloomFilter): all bits of an item are in one
/// cache line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Blocked {}

/// The kind of [`CountingBloomFilter`](crate::CountingBloomFilter): counters in place of bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counting {}

/// The kind of [`PartitionedBloomFilter`](crate::PartitionedBloomFilter): each hash has its own slice
/// of the bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Partitioned {}

/// The kind of [`ScalableBloomFilter`](crate::ScalableBloomFilter): it adds stages as it grows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scalable {}

impl Sealed for Basic {}
impl Sealed for Blocked {}
impl Sealed for Counting {}
impl Sealed for Partitioned {}
impl Sealed for Scalable {}
