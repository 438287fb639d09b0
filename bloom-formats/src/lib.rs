#![doc = include_str!("../README.md")]
//!
//! # The formats
//!
//! | type | system | module |
//! | --- | --- | --- |
//! | [`SparkBloom`] | Apache Spark, versions 1 and 2, runtime filters | [`spark`] |
//! | [`GuavaBloom`] | Google Guava, both strategies | [`guava`] |
//! | [`ParquetBloom`] | Apache Parquet, with and without its header | [`parquet`] |
//! | [`RedisBloom`] | RedisBloom, dumps of chains | [`redis`] |
//! | [`GoBloom`] | bits-and-blooms/bloom of Go, also its JSON | [`go`] |
//! | [`HadoopBloom`], [`HadoopDynamicBloom`] | Apache Hadoop, Apache Hudi | [`hadoop`] |
//! | [`OrcBloom`] | Apache ORC | [`orc`] |
//! | [`HiveBloom`] | Apache Hive, blocked filters | [`hive`] |
//! | [`DataSketchesBloom`] | Apache DataSketches, of Java and C++ | [`datasketches`] |
//! | [`DcsoBloom`] | DCSO bloom, flor and poppy 1, with attached data | [`dcso`] |
//!
//! All of these types implement [`Filter`], which takes any [`Key`]: code for all formats can hold a `Box<dyn Filter>`. Each
//! type also has methods of the same names that take only the keys of its system. The types of filters with one bit array are
//! aliases of one type, [`Bloom`].
//!
//! The formats have no magic bytes in common: the caller chooses the format by its type. Items are hashed as the system
//! hashes them, never through [`core::hash::Hash`].
//!
//! - Readers take memory for a filter only if all bytes that its header promises are there. They never panic.
//! - `from_bytes` refuses what is damaged; `from_bytes_lenient` returns the bytes that follow a filter where
//!   the system ignores them.
//! - `borrowed` reads in place: queries read the given bytes, which may be those of a mapped file. An insert first
//!   copies the bits, and so does `copied`.
//! - `to_bytes` writes what the system writes for the same items.
//! - `present_rate` returns the false-positive rate of this filter, with the system's hashing, and how well the rate is
//!   known. `warnings` gives reasons not to trust a filter.

#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
// Code that only some formats need is always compiled, and is unused if the features of these formats are off.
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
