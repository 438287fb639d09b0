//! The kinds of filters: the types that the first parameter of [`Bloom`](crate::Bloom) can be. Each filter is an alias of
//! `Bloom` with one of them.

use crate::sealed::Sealed;

/// Bits anywhere: [`BloomFilter`](crate::BloomFilter).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Basic {}

/// All bits of an item in one cache line: [`BlockedBloomFilter`](crate::BlockedBloomFilter).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Blocked {}

/// Counters: [`CountingBloomFilter`](crate::CountingBloomFilter).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counting {}

/// A slice of the bits for each hash: [`PartitionedBloomFilter`](crate::PartitionedBloomFilter).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Partitioned {}

/// Stages: [`ScalableBloomFilter`](crate::ScalableBloomFilter).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scalable {}

impl Sealed for Basic {}
impl Sealed for Blocked {}
impl Sealed for Counting {}
impl Sealed for Partitioned {}
impl Sealed for Scalable {}
