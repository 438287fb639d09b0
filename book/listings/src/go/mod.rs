//! The programs of *A Golang Implemented Bloom Filter*, a file each.

pub mod basic;
pub mod calculator;
pub mod counting;
pub mod scalable;
