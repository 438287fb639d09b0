#![doc = include_str!("../README.md")]
//!
//! # The formats
//!
//! | type | system | module |
//! | --- | --- | --- |
//! | [`SparkBloom`] | Apache Spark, versions 1 and 2, runtime filters | [`spark`] |
//! | [`GuavaBloom`] | Google Guava, both strategies | [`guava`] |
//! | [`ParquetBloom`] | Apache Parquet, with or without the header of a filter | [`parquet`] |
//! | [`RedisBloom`] | RedisBloom, dumps of its chains of Bloom filters | [`redis`] |
//! | [`GoBloom`] | bits-and-blooms/bloom in Go, also in its JSON form | [`go`] |
//! | [`HadoopBloom`], [`HadoopDynamicBloom`] | Apache Hadoop, Apache Hudi | [`hadoop`] |
//! | [`OrcBloom`] | Apache ORC | [`orc`] |
//! | [`HiveBloom`] | Apache Hive, blocked filters | [`hive`] |
//! | [`DataSketchesBloom`] | Apache DataSketches, the libraries in Java and C++ | [`datasketches`] |
//! | [`DcsoBloom`] | DCSO bloom, flor and poppy 1, with the data attached to a filter | [`dcso`] |
//!
//! All of these types implement the trait [`Filter`], which takes any [`Key`], so a `Box<dyn Filter>` can hold a filter of any
//! format. Each type also has its own `contains` and `insert`, which take only the keys of its system. All types but
//! [`RedisBloom`] and [`HadoopDynamicBloom`] have one bit array, and are aliases of one type, [`Bloom`].
//!
//! Many files do not say which format they have. So the caller chooses the format, by the type whose `from_bytes` reads the
//! file. Items are hashed as the system hashes them, never through [`core::hash::Hash`].
//!
//! - The functions that read a filter allocate its memory only if the input has all bytes that the header states. They never
//!   panic.
//! - `from_bytes` returns an error for a header that the system does not write, and for bytes that follow the filter. Where the
//!   system ignores such bytes, `from_bytes_lenient` reads the filter and returns the bytes that follow it.
//! - `borrowed` returns a filter in place: its queries read the given bytes, which may be those of a mapped file. `copied`
//!   returns a copy that owns its bits, and an insert into a filter in place first makes such a copy.
//! - `to_bytes` returns the bytes that the system writes for the same items.
//! - `present_rate` returns the false-positive rate that a filter has with the system's hashing, and how well this rate is
//!   known. `warnings` returns reasons not to trust a filter.

#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
// Code that only some formats need is always compiled. It is unused if the features of these formats are off.
#![cfg_attr(not(feature = "default"), allow(dead_code))]

extern crate alloc;
#[cfg(feature = "map")]
extern crate std;

#[cfg(feature = "datasketches")]
pub mod datasketches;
#[cfg(feature = "dcso")]
pub mod dcso;
#[cfg(feature = "go")]
pub mod go;
#[cfg(feature = "guava")]
pub mod guava;
#[cfg(feature = "hadoop")]
pub mod hadoop;
#[cfg(feature = "hive")]
pub mod hive;
#[cfg(feature = "map")]
pub mod map;
#[cfg(feature = "orc")]
pub mod orc;
#[cfg(feature = "parquet")]
pub mod parquet;
#[cfg(feature = "redis")]
pub mod redis;
#[cfg(feature = "spark")]
pub mod spark;

mod bloom;
mod error;
mod filter;
mod plain;
mod rate;
mod reader;
mod size;
mod sums;
#[cfg(any(feature = "go", feature = "hadoop"))]
mod text;
mod warning;
mod words;

pub use bloom::{Bloom, System};
#[cfg(feature = "datasketches")]
pub use datasketches::{DataSketchesBloom, DataSketchesKey};
#[cfg(feature = "dcso")]
pub use dcso::DcsoBloom;
pub use error::{Field, Format, FormatError, KeyType, Must, Rule, Value};
pub use filter::{ByteKey, Filter, Key};
#[cfg(feature = "go")]
pub use go::GoBloom;
#[cfg(feature = "guava")]
pub use guava::{GuavaBloom, GuavaKey, GuavaStrategy};
#[cfg(feature = "hadoop")]
pub use hadoop::{HadoopBloom, HadoopDynamicBloom, HadoopHash};
#[cfg(feature = "hive")]
pub use hive::HiveBloom;
#[cfg(feature = "orc")]
pub use orc::{OrcBloom, OrcKey, OrcStream};
#[cfg(feature = "parquet")]
pub use parquet::{ParquetBloom, ParquetKey};
pub use rate::Rate;
#[cfg(feature = "redis")]
pub use redis::{RedisBloom, RedisGrowth, RedisLink};
#[cfg(feature = "spark")]
pub use spark::{SparkBloom, SparkKey, SparkVersion};
pub use warning::Warning;
