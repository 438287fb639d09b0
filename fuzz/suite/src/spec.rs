//! The kind and size of one of the five filters of bloom-core, drawn from raw bytes.

use arbitrary::{Arbitrary, Result, Unstructured};
use bloom_core::{
    BlockedBloomFilter, BlockedShape, BloomFilter, CounterBits, CountingBloomFilter, HashQuality,
    PartitionedBloomFilter, ScalableBloomFilter, ScalableShape, Shape,
};
use bloom_fuzz_kit::AnyState;

use crate::family::{ByHash, ByItem};

/// The kind of a filter of bloom-core, with a valid size. The stated ranges are those from which `Arbitrary` draws; some fuzz
/// targets also draw larger filters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Spec {
    /// A `BloomFilter`.
    Basic {
        /// 1 to 4096, or about 2^16.
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
        /// 1 to 4096 counters, or about 2^16.
        bits: u64,
        /// 1 to 255.
        hashes: u8,
        /// Whether counters have 8 bits instead of 4.
        wide: bool,
    },
    /// A `PartitionedBloomFilter`.
    Partitioned {
        /// At least the number of hashes, up to 4096 or about 2^16.
        bits: u64,
        /// 1 to 255.
        hashes: u8,
    },
    /// A `ScalableBloomFilter`.
    Scalable {
        /// The expected items of the first stage, which is the first of the filters that a growing filter consists of: 1 to 64.
        items: u64,
        /// The rate of all stages together, which the filter must keep however much it grows.
        rate: f64,
        /// The expected items of each stage divided by those of the stage before: 1 to 4.
        growth: u32,
        /// The rate of each stage divided by the rate of the stage before.
        tightening: f64,
        /// The most stages: 1 to 12.
        max_stages: u32,
    },
}

/// Returns the hash quality that filters with this hasher declare: how evenly the hasher mixes its bits. For the default
/// hasher, the declared quality depends on the seed, so that every quality is tested.
#[must_use]
pub fn quality(state: AnyState) -> HashQuality {
    match state {
        AnyState::Seeded(seed) => match seed % 4 {
            1 => HashQuality::Any,
            2 => HashQuality::Avalanching,
            _ => HashQuality::Folded,
        },
        AnyState::Fnv | AnyState::Identity | AnyState::Zeros | AnyState::Ones => HashQuality::Any,
    }
}

/// A filter that can be built from a spec.
pub(crate) trait Build: Sized {
    /// Builds an empty filter; `None` if the spec is for another kind of filter.
    fn build(spec: Spec, state: AnyState) -> Option<Self>;
}

impl<F> Build for ByHash<F>
where
    ByItem<F>: Build,
{
    fn build(spec: Spec, state: AnyState) -> Option<Self> {
        ByItem::build(spec, state).map(Self)
    }
}

macro_rules! build {
    ($($filter:ident from $spec:pat => $new:ident($($size:expr),+);)*) => {
        $(
            impl<T: ?Sized> Build for ByItem<$filter<T, AnyState>> {
                fn build(spec: Spec, state: AnyState) -> Option<Self> {
                    let $spec = spec else { return None };
                    let filter = $filter::$new($($size,)+ state).expect("a small filter fits in memory");
                    Some(ByItem(filter.with_hash_quality(quality(state)).expect("it is empty")))
                }
            }
        )*
    };
}

build! {
    BloomFilter from Spec::Basic { bits, hashes } => with_hasher(shape(bits, hashes));
    BlockedBloomFilter from Spec::Blocked { blocks } => with_hasher(blocked(blocks));
    CountingBloomFilter from Spec::Counting { bits, hashes, wide } =>
        with_counter_bits_and_hasher(shape(bits, hashes), counter_bits(wide));
    PartitionedBloomFilter from Spec::Partitioned { bits, hashes } =>
        with_hasher(shape(bits, hashes));
    ScalableBloomFilter from it @ Spec::Scalable { .. } => with_hasher(it.scalable());
}

fn shape(bits: u64, hashes: u8) -> Shape {
    Shape::new(bits, hashes).expect(VALID)
}

fn blocked(blocks: u64) -> BlockedShape {
    BlockedShape::new(blocks).expect(VALID)
}

pub(crate) fn counter_bits(wide: bool) -> CounterBits {
    if wide {
        CounterBits::Eight
    } else {
        CounterBits::Four
    }
}

/// Evaluates an expression in which a name stands for [`Build::build`] of the filter type that the spec names, wrapped by
/// [`ByItem`] or [`ByHash`].
///
/// This is a macro because the five filters are five types.
macro_rules! with_filter {
    ($spec:expr, $by:ident<$item:ty>, |$build:ident| $body:expr) => {
        with_filter!(@ $spec, $by<$item>, |$build| $body, Basic BloomFilter,
            Blocked BlockedBloomFilter, Counting CountingBloomFilter,
            Partitioned PartitionedBloomFilter, Scalable ScalableBloomFilter)
    };
    (@ $spec:expr, $by:ident<$item:ty>, |$build:ident| $body:expr, $($kind:ident $filter:ident),*) => {
        match $spec {
            $(
                crate::spec::Spec::$kind { .. } => {
                    type Built<T> = $by<bloom_core::$filter<T, bloom_fuzz_kit::AnyState>>;
                    let $build = <Built<$item> as crate::spec::Build>::build;
                    $body
                }
            )*
        }
    };
}
pub(crate) use with_filter;

const VALID: &str = "a drawn size is valid";

/// The number of bits (8 MiB) above which filters use the code for filters larger than the caches, and batches prefetch.
const CACHED_BITS: u64 = 1 << 26;

impl Spec {
    /// Draws a filter of fixed size, slightly larger than bloom-core assumes the caches to be.
    pub(crate) fn beyond_the_caches(u: &mut Unstructured<'_>) -> Result<Self> {
        let bits = CACHED_BITS + u.int_in_range(1..=100)?;
        let hashes = u.int_in_range(1..=20)?;
        Ok(match u.int_in_range(0..=3)? {
            0 => Self::Basic { bits, hashes },
            1 => Self::Blocked {
                blocks: bits.div_ceil(512),
            },
            2 => Self::Counting {
                bits: bits.div_ceil(4),
                hashes,
                wide: false,
            },
            _ => Self::Partitioned { bits, hashes },
        })
    }

    /// Draws a spec of the same kind of filter that differs slightly from this one in one number, or in the width of the
    /// counters. The spec of a scalable filter stays the same.
    pub(crate) fn near(self, u: &mut Unstructured<'_>) -> Result<Self> {
        let more = u64::from(u.int_in_range(1..=3_u8)?);
        let turn: bool = u.arbitrary()?;
        let mut near = self;
        match &mut near {
            Self::Basic { hashes, .. } if !turn => {
                *hashes = if *hashes == 1 { 2 } else { *hashes - 1 };
            }
            Self::Counting { wide, .. } if turn => *wide = !*wide,
            Self::Basic { bits, .. }
            | Self::Counting { bits, .. }
            | Self::Partitioned { bits, .. }
            | Self::Blocked { blocks: bits } => *bits += more,
            Self::Scalable { .. } => {}
        }
        Ok(near)
    }

    /// Returns the shape of a filter whose size is a number of bits or counters and a number of hashes; `None` for the other
    /// kinds.
    pub(crate) fn shape(self) -> Option<Shape> {
        match self {
            Self::Basic { bits, hashes }
            | Self::Counting { bits, hashes, .. }
            | Self::Partitioned { bits, hashes } => Some(shape(bits, hashes)),
            Self::Blocked { .. } | Self::Scalable { .. } => None,
        }
    }

    /// Returns the shape of a scalable filter.
    ///
    /// # Panics
    ///
    /// If the filter is not scalable.
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

/// Draws a number of bits and a number of hashes. A quarter of the numbers of bits are near a power of two up to 2^16, half are
/// any number up to 256, and a quarter any number up to 4096.
pub(crate) fn size(u: &mut Unstructured<'_>) -> Result<(u64, u8)> {
    let bits = match u.int_in_range(0..=3)? {
        0 => *u.choose(&[
            1, 2, 3, 15, 16, 17, 63, 64, 65, 127, 128, 129, 511, 512, 65_535, 65_536,
        ])?,
        1 | 2 => u.int_in_range(1..=256)?,
        _ => u.int_in_range(1..=4096)?,
    };
    let hashes = match u.int_in_range(0..=7)? {
        0..=6 => u.int_in_range(1..=16)?,
        _ => u.int_in_range(1..=255)?,
    };
    Ok((bits, hashes))
}
