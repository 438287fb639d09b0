//! Which of the five filters, in which size: drawn from raw bytes.

use arbitrary::{Arbitrary, Result, Unstructured};
use bloom_core::{
    BlockedBloomFilter, BlockedShape, BloomFilter, CounterBits, CountingBloomFilter,
    PartitionedBloomFilter, ScalableBloomFilter, ScalableShape, Shape,
};

use crate::key::Key;
use crate::paste;
use crate::promise::Violation;
use crate::script::Script;
use crate::state::AnyState;

/// A filter of bloom-core, valid and small.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Spec {
    /// A `BloomFilter`.
    Basic {
        /// 1 to 4096.
        bits: u64,
        /// 1 to 255.
        hashes: u8,
    },
    /// A `BlockedBloomFilter`.
    Blocked {
        /// 1 to 16.
        blocks: u64,
    },
    /// A `CountingBloomFilter`.
    Counting {
        /// 1 to 4096 counters.
        bits: u64,
        /// 1 to 255.
        hashes: u8,
        /// Counters of 8 bits, not of 4.
        wide: bool,
    },
    /// A `PartitionedBloomFilter`.
    Partitioned {
        /// At least as many as hashes, up to 4096.
        bits: u64,
        /// 1 to 255.
        hashes: u8,
    },
    /// A `ScalableBloomFilter`.
    Scalable {
        /// Expected items of the first stage, 1 to 64.
        items: u64,
        /// The compound rate.
        rate: f64,
        /// 1 to 4.
        growth: u32,
        /// The tightening ratio.
        tightening: f64,
        /// 1 to 12.
        max_stages: u32,
    },
}

/// Calls a function with what builds the filter of a spec.
///
/// A macro, for the five filters are five types.
macro_rules! with_filter {
    ($spec:expr, $state:expr, |$build:ident| $body:expr) => {{
        let state = $state;
        match $spec {
            Spec::Basic { bits, hashes } => {
                let shape = Shape::new(bits, hashes).expect(VALID);
                let $build = || BloomFilter::with_hasher(shape, state).expect(MEMORY);
                $body
            }
            Spec::Blocked { blocks } => {
                let shape = BlockedShape::new(blocks).expect(VALID);
                let $build = || BlockedBloomFilter::with_hasher(shape, state).expect(MEMORY);
                $body
            }
            Spec::Counting { bits, hashes, wide } => {
                let shape = Shape::new(bits, hashes).expect(VALID);
                let width = if wide {
                    CounterBits::Eight
                } else {
                    CounterBits::Four
                };
                let $build =
                    || CountingBloomFilter::with_counter_bits(shape, width, state).expect(MEMORY);
                $body
            }
            Spec::Partitioned { bits, hashes } => {
                let shape = Shape::new(bits, hashes).expect(VALID);
                let $build = || PartitionedBloomFilter::with_hasher(shape, state).expect(MEMORY);
                $body
            }
            Spec::Scalable { .. } => {
                let shape = $spec.scalable();
                let $build = || ScalableBloomFilter::with_hasher(shape, state).expect(MEMORY);
                $body
            }
        }
    }};
}

/// Calls a function with an empty filter by hash of a spec that is not scalable.
macro_rules! with_flat_filter {
    ($spec:expr, $state:expr, |$filter:ident| $body:expr) => {{
        match $spec {
            Spec::Basic { bits, hashes } => {
                let shape = Shape::new(bits, hashes).expect(VALID);
                let $filter = BloomFilter::with_hasher(shape, $state).expect(MEMORY);
                $body
            }
            Spec::Blocked { blocks } => {
                let shape = BlockedShape::new(blocks).expect(VALID);
                let $filter = BlockedBloomFilter::with_hasher(shape, $state).expect(MEMORY);
                $body
            }
            Spec::Counting { bits, hashes, wide } => {
                let shape = Shape::new(bits, hashes).expect(VALID);
                let width = if wide {
                    CounterBits::Eight
                } else {
                    CounterBits::Four
                };
                let $filter =
                    CountingBloomFilter::with_counter_bits(shape, width, $state).expect(MEMORY);
                $body
            }
            Spec::Partitioned { bits, hashes } => {
                let shape = Shape::new(bits, hashes).expect(VALID);
                let $filter = PartitionedBloomFilter::with_hasher(shape, $state).expect(MEMORY);
                $body
            }
            Spec::Scalable { .. } => unreachable!("the caller leaves scalable filters out"),
        }
    }};
}
pub(crate) use with_filter;
pub(crate) use with_flat_filter;

pub(crate) const VALID: &str = "a drawn size is valid";
pub(crate) const MEMORY: &str = "a small filter fits in memory";

impl Spec {
    /// Draws another of the same kind, one of whose sizes differs a little.
    pub(crate) fn near(self, u: &mut Unstructured<'_>) -> Result<Self> {
        let more = u64::from(u.int_in_range(1..=3_u8)?);
        let turn: bool = u.arbitrary()?;
        Ok(match self {
            Self::Basic { bits, hashes } if turn => Self::Basic {
                bits: bits + more,
                hashes,
            },
            Self::Basic { bits, hashes } => Self::Basic {
                bits,
                hashes: near(hashes),
            },
            Self::Blocked { blocks } => Self::Blocked {
                blocks: blocks + more,
            },
            Self::Counting { bits, hashes, wide } if turn => Self::Counting {
                bits,
                hashes,
                wide: !wide,
            },
            Self::Counting { bits, hashes, wide } => Self::Counting {
                bits: bits + more,
                hashes,
                wide,
            },
            Self::Partitioned { bits, hashes } => Self::Partitioned {
                bits: bits + more,
                hashes,
            },
            Self::Scalable { .. } => self,
        })
    }

    /// The positions of an item; of a scalable filter, whose stages differ, 1.
    pub(crate) fn hashes(self) -> u8 {
        match self {
            Self::Basic { hashes, .. }
            | Self::Counting { hashes, .. }
            | Self::Partitioned { hashes, .. } => hashes,
            Self::Blocked { .. } => 8,
            Self::Scalable { .. } => 1,
        }
    }

    /// The shape of a scalable filter.
    ///
    /// # Panics
    ///
    /// If the spec is another's.
    pub(crate) fn scalable(self) -> ScalableShape {
        let Self::Scalable {
            items,
            rate,
            growth,
            tightening,
            max_stages,
        } = self
        else {
            panic!("not a scalable filter: {self:?}")
        };
        ScalableShape::new(items, rate)
            .and_then(|shape| shape.with_growth(growth))
            .and_then(|shape| shape.with_tightening(tightening))
            .and_then(|shape| shape.with_max_stages(max_stages))
            .expect(VALID)
    }
}

/// Another number of hashes.
fn near(hashes: u8) -> u8 {
    if hashes == 1 { 2 } else { hashes - 1 }
}

/// A filter and what is done to it.
#[derive(Debug, Clone, PartialEq)]
pub struct FamilyCase<K> {
    /// The filter.
    pub spec: Spec,
    /// What it hashes with.
    pub state: AnyState,
    /// What is done.
    pub script: Script<K>,
}

impl<K: Key> FamilyCase<K>
where
    K::Item: 'static,
{
    /// Runs the script.
    ///
    /// # Errors
    ///
    /// The filter must keep every promise.
    pub fn check(&self) -> std::result::Result<(), Violation> {
        with_filter!(self.spec, self.state, |build| self
            .script
            .check::<_>(|| typed::<K, _>(build())))
    }

    /// Runs the script.
    ///
    /// # Panics
    ///
    /// If the filter breaks a promise.
    pub fn run(&self) {
        paste::expect_kept(self, self.check());
    }
}

/// Tells the compiler of which items a filter is.
fn typed<K: Key, F: crate::Subject<K::Item>>(filter: F) -> F {
    filter
}

impl<'a, K: Key> Arbitrary<'a> for FamilyCase<K> {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        Ok(Self {
            spec: u.arbitrary()?,
            state: u.arbitrary()?,
            script: u.arbitrary()?,
        })
    }
}

impl<'a> Arbitrary<'a> for Spec {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        Ok(match u.int_in_range(0..=4)? {
            0 => {
                let (bits, hashes) = size(u)?;
                Self::Basic { bits, hashes }
            }
            1 => Self::Blocked {
                blocks: u.int_in_range(1..=16)?,
            },
            2 => {
                let (bits, hashes) = size(u)?;
                let wide = u.arbitrary()?;
                Self::Counting { bits, hashes, wide }
            }
            3 => {
                let (bits, hashes) = size(u)?;
                let bits = bits.max(hashes.into());
                Self::Partitioned { bits, hashes }
            }
            _ => Self::Scalable {
                items: u.int_in_range(1..=64)?,
                rate: *u.choose(&[0.5, 0.1, 0.01, 1e-3, 1e-6, 0.999, 1e-12])?,
                growth: u.int_in_range(1..=4)?,
                tightening: *u.choose(&[0.85, 0.5, 0.99, 0.1])?,
                max_stages: u.int_in_range(1..=12)?,
            },
        })
    }
}

/// Draws bits and hashes: around words, small, or of some size.
pub(crate) fn size(u: &mut Unstructured<'_>) -> Result<(u64, u8)> {
    let bits = match u.int_in_range(0..=3)? {
        0 => *u.choose(&[1, 2, 3, 15, 16, 17, 63, 64, 65, 127, 128, 129])?,
        1 | 2 => u.int_in_range(1..=256)?,
        _ => u.int_in_range(1..=4096)?,
    };
    let hashes = match u.int_in_range(0..=7)? {
        0..=6 => u.int_in_range(1..=16)?,
        _ => u.int_in_range(1..=255)?,
    };
    Ok((bits, hashes))
}
