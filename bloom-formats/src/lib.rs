//! The Bloom filters of other systems: read, judged, queried, filled, merged and written, byte for byte
//! as the system does it.
//!
//! ```
//! use bloom_formats::{SparkBloom, SparkVersion};
//!
//! let mut filter = SparkBloom::with_rate(SparkVersion::V1, 1_000, 0.03)?;
//! filter.insert("user-7")?;
//! let file = filter.to_bytes()?;
//!
//! let read = SparkBloom::from_bytes(&file)?;
//! assert!(read.contains("user-7"));
//! let items = read.estimated_items().expect("not every bit is set");
//! assert!((items.items - 1.0).abs() < 0.01);
//! # Ok::<(), bloom_formats::FormatError>(())
//! ```
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
//! | [`DcsoBloom`] | DCSO bloom and flor, with their data | [`dcso`] |
//!
//! All of them are a [`Filter`], which takes any [`Key`]: for code that is the same for all formats, `Box<dyn Filter>`. The
//! methods of each type, which have the same names, take the keys of its system alone. Those with one bit array are aliases of
//! one type, [`Bloom`].
//!
//! A format has no mark by which it is known: the caller names it by the type. Items are hashed as the system
//! hashes them, never through [`core::hash::Hash`].
//!
//! - Bytes are checked before memory is taken: what the header promises must be there. Nothing panics.
//! - `from_bytes` refuses what is damaged; `from_bytes_lenient` returns the bytes that follow a filter where
//!   the system ignores them.
//! - `borrowed` reads in place: queries look at the bytes that are given, which may be those of a mapped file.
//!   An insert copies them first, and so does `copied`.
//! - `to_bytes` writes what the system writes for the same items.
//! - `false_positive_rate` is that of the filter at hand, with the hashing that the system has. `warnings`
//!   names what a filter cannot deliver.
//!
//! The crate needs `alloc` but no `std`.

#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

pub mod datasketches;
pub mod dcso;
pub mod go;
pub mod guava;
pub mod hadoop;
pub mod hash;
pub mod hive;
pub mod orc;
pub mod parquet;
pub mod redis;
pub mod spark;

mod bloom;
mod divisor;
mod error;
mod filter;
mod plain;
mod reader;
mod size;
mod sums;
mod text;
mod warning;
mod words;

pub use bloom::Bloom;
pub use datasketches::{DataSketchesBloom, DataSketchesKey};
pub use dcso::DcsoBloom;
pub use error::{Field, Format, FormatError, KeyType, Must, Rule, Value};
pub use filter::{ByteKey, Filter, Key};
pub use go::GoBloom;
pub use guava::{GuavaBloom, GuavaKey, GuavaStrategy};
pub use hadoop::{HadoopBloom, HadoopDynamicBloom, HadoopHash};
pub use hive::HiveBloom;
pub use orc::{OrcBloom, OrcKey, OrcStream};
pub use parquet::{ParquetBloom, ParquetKey};
pub use redis::{RedisBloom, RedisGrowth, RedisLink};
pub use spark::{SparkBloom, SparkKey, SparkVersion};
pub use warning::Warning;
