//! Draws one of the five filters, and its size, from raw bytes.

use arbitrary::{Arbitrary, Result, Unstructured};
use bloom_core::{
    BlockedBloomFilter, BlockedShape, BloomFilter, CounterBits, CountingBloomFilter,
    PartitionedBloomFilter, ScalableBloomFilter, ScalableShape, Shape,
};

use crate::documented::Documented;
use crate::family::ByHash;
use crate::key::{Hashed, Key};
use crate::promise::Checked;
use crate::repro;
use crate::runner::Beside;
use crate::script::Script;
use crate::state::AnyState;
use crate::subject::Subject;

/// A filter of bloom-core, valid and small.
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
        /// Counters of 8 bits, not of 4.
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

/// A filter that can be built from a spec.
pub(crate) trait Build: Sized {
    /// Builds an empty filter; `None` if the spec is of another kind.
    fn build(spec: Spec, state: AnyState) -> Option<Self>;
}

impl<F: Build> Build for ByHash<F> {
    fn build(spec: Spec, state: AnyState) -> Option<Self> {
        F::build(spec, state).map(Self)
    }
}

macro_rules! build {
    ($($filter:ident from $spec:pat => $new:ident($($size:expr),+);)*) => {
        $(
            impl<T: ?Sized> Build for $filter<T, AnyState> {
                fn build(spec: Spec, state: AnyState) -> Option<Self> {
                    let $spec = spec else { return None };
                    Some(Self::$new($($size,)+ state).expect("a small filter fits in memory"))
                }
            }
        )*
    };
}

build! {
    BloomFilter from Spec::Basic { bits, hashes } => with_hasher(shape(bits, hashes));
    BlockedBloomFilter from Spec::Blocked { blocks } => with_hasher(blocked(blocks));
    CountingBloomFilter from Spec::Counting { bits, hashes, wide } =>
        with_counter_bits(shape(bits, hashes), counter_bits(wide));
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

/// A filter used by items: the filter itself.
pub(crate) type ByItem<F> = F;

/// Calls a function with the [`Build::build`] of the spec's filter, by items of a type or [`ByHash`].
///
/// It is a macro because the five filters are five types.
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
                    type Built<T> = $by<bloom_core::$filter<T, crate::state::AnyState>>;
                    let $build = <Built<$item> as crate::spec::Build>::build;
                    $body
                }
            )*
        }
    };
}
pub(crate) use with_filter;

const VALID: &str = "a drawn size is valid";

impl Spec {
    /// Draws another spec of the same kind, with one size slightly different.
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

    /// The shape of a filter that is defined by bits and hashes.
    pub(crate) fn shape(self) -> Option<Shape> {
        match self {
            Self::Basic { bits, hashes }
            | Self::Counting { bits, hashes, .. }
            | Self::Partitioned { bits, hashes } => Some(shape(bits, hashes)),
            Self::Blocked { .. } | Self::Scalable { .. } => None,
        }
    }

    /// The shape of a scalable filter.
    ///
    /// # Panics
    ///
    /// If the spec is not of a scalable filter.
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

/// A filter and a script for it.
#[derive(Debug, Clone, PartialEq)]
pub struct FamilyCase<K: Key> {
    /// The filter.
    pub spec: Spec,
    /// The hasher.
    pub state: AnyState,
    /// The script.
    pub script: Script<K>,
}

impl<K: Key> FamilyCase<K> {
    /// Runs the script on a filter of bloom-core, by items.
    ///
    /// # Errors
    ///
    /// The filter must keep every promise.
    pub fn check(&self) -> Checked {
        with_filter!(self.spec, ByItem<K::Item>, |build| self.check_with(build))
    }

    /// Runs the script on a filter from `build`, which is called with the case's spec and hasher.
    ///
    /// # Errors
    ///
    /// The filter must keep every promise, and have the documented bits unless it grows.
    pub fn check_with<F: Subject<K::Item>>(
        &self,
        build: impl Fn(Spec, AnyState) -> Option<F>,
    ) -> Checked {
        self.check_beside(build, false)
    }

    /// [`check_with`](Self::check_with); `loose` is the field of [`Beside`].
    pub(crate) fn check_beside<F: Subject<K::Item>>(
        &self,
        build: impl Fn(Spec, AnyState) -> Option<F>,
        loose: bool,
    ) -> Checked {
        let Self {
            spec,
            state,
            script,
        } = self;
        let layout = Documented::new(*spec);
        let beside = layout.map(|layout| Beside {
            layout,
            state: *state,
            loose,
        });
        let build = || build(*spec, *state).expect("it builds filters of this kind");
        script.check_beside(build, beside)
    }

    /// Runs the script.
    ///
    /// # Panics
    ///
    /// If the filter breaks a promise.
    pub fn run(&self) {
        repro::expect_kept(self, self.check());
    }
}

impl FamilyCase<Hashed> {
    /// Runs the script on a filter of bloom-core, by hashes.
    pub(crate) fn check_hashes(&self, loose: bool) -> Checked {
        with_filter!(self.spec, ByHash<u64>, |build| self
            .check_beside(build, loose))
    }
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

/// Draws bits and hashes: at the edges of words and of slices made of words, small, or larger.
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
