//! Stores the bits, blocks and counters of the filters, and contains the kernels that query and set
//! them.
//!
//! ```text
//! cpu.rs       detects once which instructions this machine has
//! cache.rs     the size from which a filter is out of cache, and prefetches
//! batch.rs     batches: many hashes, taken in groups
//! memory.rs    fallible allocation
//! opaque.rs    operations that are hidden from the optimizer
//! words.rs     where words are stored: on the heap, owned or shared by threads, or in a file
//! cells/       cells, which are bits or counters packed into words
//!   mod.rs         the operations on cells
//!   cell.rs        what a cell is, and which cells a hash can have
//!   view.rs        cells as kernels see them
//!   kernel.rs, avx512.rs           the kernels
//!   layout.rs      the cells and kernels of each filter
//!   counters.rs    removals, and arithmetic on words of counters
//!   shared.rs      inserts by several threads
//! blocks/      blocks of one cache line
//!   mod.rs         the operations on blocks
//!   view.rs        blocks as kernels see them
//!   portable.rs, x86.rs, neon.rs   the kernels
//!   vectors.rs     stands in for the vector kernel on other architectures
//!   batch.rs       batches
//!   shared.rs      inserts by several threads
//! testing.rs   helpers that the tests of several kernels share
//! ```
//!
//! A **kernel** is a function that tests or sets the bits of a hash. It takes plain data: a view of
//! words or cache lines, and the hash. It knows neither the filter nor the other kernels. All
//! kernels set the same bits, with different instructions. Tests check every kernel against a
//! definition that takes the positions of a hash one by one.
//!
//! # Dispatch
//!
//! Four things decide which function runs:
//!
//! | what | where | cells | blocks |
//! | --- | --- | --- | --- |
//! | the instructions of the machine, and whether it gathers words fast (a token in the filter) | `cpu.rs`, `Cpu::detect` | picks the kernels | vectors or portable |
//! | the number of hashes and the kind of cell | `cells/layout.rs`, `cells/kernel.rs` | picks the kernels | always eight hashes |
//! | the size: in cache or out of cache | `cache.rs`, `is_far` | picks the kernel of queries | batches prefetch |
//! | single calls or a batch | `batch.rs`, `cells/mod.rs` | a batch has its own kernel; out of cache it prefetches, and tests two probes first | a batch is one loop, inlined |
//!
//! Cells pick pointers to functions when the filter is created, and call them. A query of a block
//! takes only a few instructions. With vectors it is inlined; without vectors it is called on
//! x86-64 and inlined elsewhere. On architectures other than x86-64 the tokens have no values, and
//! no code is compiled for their levels.
//!
//! To add a level or a kernel, see MAP.md, *How to add*.
//!
//! All `unsafe` code of the crate is in this directory, except for the trait `StableBytes`. It
//! consists of: access to a word or a line without a bounds check, because
//! [`reduce`](crate::probe::reduce) returns a position below the number of bits; calls of functions
//! compiled for instructions that a token proves present; loads and stores of whole lines; views of
//! words and blocks as bytes, and of bytes as words and blocks; zeroed memory from the allocator;
//! the conversion of words and blocks to atomic ones and back; CPUID and prefetches; and inline
//! assembly. Assembly is used in `opaque.rs`, to set two lanes at once, and for blocks with
//! vectors. For blocks, a call would take a good part of the time of a query, and threads may share
//! the line.

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
