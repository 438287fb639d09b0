//! Stores the bits and counters of the filters, and contains the functions (*kernels*) that test
//! and set them.
//!
//! ```text
//! cpu.rs       detects once which instructions this machine has
//! cache.rs     tells whether a filter is out of cache (larger than the caches), and prefetches
//! batch.rs     batches (calls for many items), whose hashes are taken in groups
//! memory.rs    allocates zeroed words and blocks, or returns `None`
//! opaque.rs    operations that are hidden from the optimizer
//! words.rs     64-bit words with one owner, shared by threads, or in the bytes of a file
//! cells/       cells, which are bits or counters packed into words
//!   mod.rs         the operations on cells
//!   cell.rs        what a cell is, and which cells a hash can have
//!   view.rs        what a kernel receives: a pointer to the words, and the number of cells
//!   kernel.rs, avx512.rs           the kernels
//!   layout.rs      the cells and kernels of each kind of filter
//!   counters.rs    removals, and arithmetic on words of counters
//!   shared.rs      inserts by several threads
//! blocks/      blocks of one cache line: eight lanes of 64 bits
//!   mod.rs         the operations on blocks
//!   view.rs        what a kernel receives: a slice of blocks
//!   portable.rs, x86.rs, neon.rs   the kernels
//!   vectors.rs     a stand-in for architectures without a vector kernel
//!   batch.rs       batches
//!   shared.rs      inserts by several threads
//! testing.rs   helpers that the tests of several kernels share
//! ```
//!
//! A **kernel** is a function that tests or sets the bits (or counters) at the positions of one or
//! more hashes. It receives plain data, a view of words or blocks and the hashes, and knows neither
//! the filter nor the other kernels. For a hash, all kernels of a filter use the same positions,
//! but different instructions. Tests check every kernel against a definition that takes the
//! positions of a hash one by one.
//!
//! # Dispatch
//!
//! A **level** is a set of instructions, such as AVX2, for which kernels are compiled. Four things
//! decide which kernel runs:
//!
//! | what | where | cells | blocks |
//! | --- | --- | --- | --- |
//! | the level, and whether one instruction loads eight words fast | `cpu.rs` | picks the kernels | vectors or not |
//! | the number of hashes and the kind of cell | `cells/layout.rs`, `cells/kernel.rs` | picks the kernels | always eight |
//! | the size: in cache or out of cache | `cache.rs`, `is_far` | picks the kernel of queries | batches prefetch |
//! | single calls or a batch | `batch.rs` | a batch has a kernel of its own | a batch is one loop, with the kernel inlined |
//!
//! A filter of cells picks its kernels when it is created, and calls them by function pointers. Out
//! of cache, a batch of cells prefetches, and first tests two probes of each hash (`cells/mod.rs`).
//! A query of a block takes only a few instructions, so the kernel of blocks with vectors is
//! inlined. The one without vectors is called on x86-64 and inlined elsewhere. `cpu.rs` represents
//! each level by a token. On architectures other than x86-64, no token has a value, and no code is
//! compiled for AVX2 and AVX-512.
//!
//! To add a level or a kernel, see MAP.md, *How to add*.
//!
//! All `unsafe` code of the crate is in this directory, except for the trait `StableBytes`. The
//! `unsafe` code consists of: access to a word or a block without a bounds check, because
//! [`reduce`](crate::probe::reduce) returns a position below the number of bits; calls of functions
//! compiled for instructions that a token proves to exist; loads and stores of whole blocks; views
//! of words and blocks as bytes, and of bytes as words and blocks; zeroed memory from the
//! allocator; the conversion of words and blocks to atomic ones and back; CPUID and prefetches; and
//! inline assembly. Assembly is used in `opaque.rs`, to set two lanes of a block at once, and in
//! the vector kernels of blocks. These kernels are assembly because a call of a function would take
//! a good part of the time of a query, and because other threads may write the block during the
//! query.

mod batch;
mod blocks;
mod cache;
mod cells;
mod cpu;
mod memory;
mod opaque;
#[cfg(test)]
mod testing;
mod words;

pub(crate) use batch::{Hashes, Pending, hashes_of, in_groups, in_order, prehashed};
pub use blocks::Block;
pub(crate) use blocks::{AnyBlock, BLOCK_BITS, Blocks, LANE_BITS, LANES};
#[cfg(all(feature = "alloc", target_has_atomic = "64"))]
pub(crate) use blocks::{AtomicBlocks, SharedBlocks};
pub(crate) use cache::LINE_BYTES;
#[cfg(feature = "alloc")]
pub(crate) use cache::is_far;
#[cfg(all(feature = "alloc", target_has_atomic = "64"))]
pub(crate) use cells::AtomicBits;
pub use cells::CounterBits;
pub(crate) use cells::{Anywhere, Cells, Counted, Layout, Sliced, slices, words_of};
pub(crate) use memory::{Unit, units_mut};
pub(crate) use opaque::fold;
pub(crate) use words::{OwnedWords, Store, StoreMut, Word};
