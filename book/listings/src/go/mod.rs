//! Rebuilds the programs of *A Golang Implemented Bloom Filter*, one file each.

pub mod basic;
pub mod calculator;
pub mod counting;
pub mod scalable;
