//! Rebuilds the programs of the article *A Golang Implemented Bloom Filter*, one in each file.

pub mod basic;
pub mod calculator;
pub mod counting;
pub mod scalable;
