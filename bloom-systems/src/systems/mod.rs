//! Describes the systems: libraries, databases and printed programs that build Bloom filters. Each library, or a few related
//! ones, have a file, which also describes older versions. Programs that are printed in documents share a file.
//!
//! To add a library, add a file, its `mod` line, and a line in [`SYSTEMS`] for each version.

use prelude::*;

pub mod bip37;
pub mod bits_and_blooms;
pub mod bloomfilter;
pub mod cassandra;
pub mod clickhouse;
pub mod datasketches;
pub mod dcso;
pub mod documents;
pub mod fastbloom;
pub mod guava;
pub mod hadoop;
pub mod hbase;
pub mod hive;
pub mod impala;
pub mod kudu;
pub mod leveldb;
pub mod orc;
pub mod parquet;
pub mod parquet_java;
pub mod pebble;
pub mod postgres;
pub mod pybloom_live;
pub mod pyprobables;
pub mod rbloom;
pub mod redis;
mod related;
pub mod rocksdb;
pub mod sbbf_rs_safe;
pub mod scylla;
pub mod spark;
pub mod stream_lib;
pub mod valkey;

pub use related::{Related, related};

/// All systems that [`system`](crate::system()) finds by name. [`hive::HIVE`] is not among them.
pub static SYSTEMS: &[System] = &[
    guava::GUAVA,
    guava::BEFORE_33_4,
    spark::SPARK,
    spark::V1,
    spark::DATA_FRAME,
    redis::GROWING,
    redis::NON_SCALING,
    redis::VERSION_2,
    redis::VERSION_2_NON_SCALING,
    valkey::VALKEY,
    parquet::PARQUET,
    parquet_java::PARQUET_JAVA,
    rocksdb::ROCKSDB,
    leveldb::LEVELDB,
    pebble::PEBBLE,
    orc::ORC,
    hadoop::HADOOP,
    hadoop::HUDI,
    hbase::HBASE,
    impala::IMPALA,
    kudu::KUDU,
    clickhouse::CLICKHOUSE,
    postgres::POSTGRES,
    cassandra::CASSANDRA,
    scylla::SCYLLA,
    stream_lib::STREAM_LIB,
    fastbloom::FASTBLOOM,
    bloomfilter::BLOOMFILTER,
    sbbf_rs_safe::SBBF_RS_SAFE,
    bits_and_blooms::BITS_AND_BLOOMS,
    bits_and_blooms::BEFORE_2_0,
    datasketches::DATASKETCHES,
    datasketches::CPP,
    dcso::DCSO,
    rbloom::RBLOOM,
    pybloom_live::PYBLOOM_LIVE,
    pyprobables::PYPROBABLES,
    bip37::BIP37,
    bip37::PYTHON,
    documents::GOLANG_IMPLEMENTED,
    documents::TO_VISIT_QUEUE,
    documents::LARGE_DATA,
];

/// What the files of systems import.
mod prelude {
    pub(super) use super::SYSTEM;
    pub(super) use core::f64::consts::LN_2;

    pub(super) use crate::Positions;
    pub(super) use crate::double_hashing::Scheme;
    pub(super) use crate::refusal::Refusal;
    pub(super) use crate::rule::{
        Bits, Expansion, Full, Hashes, JAVA_LONGS, Language, NoHash, Own, RateStep, Rounded,
        SQUARE, Sizing, Step, Table, Takes, Template, USUAL,
    };
    pub(super) use crate::system::{Layout, Limit, System};
}

/// The values that a system has unless its file gives others: the most common rule for m and k, k bits anywhere in the filter,
/// ideal hashes and no limits.
const SYSTEM: System = System {
    name: "",
    aliases: &[],
    version: "",
    source: "",
    note: "",
    sizing: USUAL,
    layout: Layout::Whole,
    positions: Positions::Independent,
    full: Full::TakesMore,
    expansion: None,
    limit: None,
    call: Template::of_rate(Language::Other, ""),
};
