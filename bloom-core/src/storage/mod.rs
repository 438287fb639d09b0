//! The storage of the filters: bits, blocks and counters, and the kernels that query and set them.
//!
//! ```text
//! cpu.rs       which instructions this machine has: detected once, carried as a token
//! cache.rs     what filters out of cache need: the threshold and prefetches
//! batch.rs     batches: many hashes, taken in groups
//! memory.rs    fallible allocation
//! opaque.rs    operations hidden from the optimizer: folds, scalars, and answers of cells by a branch
//! words.rs     where words are stored: on the heap, owned or shared by threads, or in the bytes of a file
//! cells/       bits, slices and counters: mod.rs their operations; cell.rs what a cell is, and where a hash can have its
//!              cells; view.rs cells as kernels see them; kernel.rs, avx512.rs the kernels; layout.rs the cells and kernels
//!              of each filter; counters.rs removals and words of counters; shared.rs inserts by threads
//! blocks/      blocks of one cache line: mod.rs their operations; view.rs; portable.rs, x86.rs, neon.rs the kernels;
//!              vectors.rs where there are no vectors; batch.rs their batches; shared.rs
//! testing.rs   helpers that the tests of several kernels share
//! ```
//!
//! A **kernel** takes plain data: a view of words or lines, and a hash. It knows neither the filter nor the other
//! kernels. The portable kernel defines which bits a hash sets; the others do the same with other instructions, and
//! tests check every kernel against that definition.
//!
//! # Dispatch
//!
//! Four things decide which function runs:
//!
//! | what | where | cells | blocks |
//! | --- | --- | --- | --- |
//! | the level of the machine and whether it gathers words fast, a token in the filter | `cpu.rs`, `Cpu::detect` | picks the kernels | vectors or portable |
//! | the number of hashes and the kind of cell | `cells/layout.rs`, `cells/kernel.rs` | picks the kernels | always eight |
//! | the size: in cache, or far from it | `cache.rs`, `is_far` | picks the kernel of queries | batches prefetch |
//! | single calls or a batch | `batch.rs`, `cells/mod.rs` | another kernel; out of cache, two probes first, and prefetches | inlined in one loop |
//!
//! Cells pick pointers to functions when the filter is created, and call them. Blocks have one query of a few
//! instructions, which is inlined with vectors of either level; without vectors it is called on x86-64, inlined elsewhere. On
//! architectures other than x86-64 the tokens have no values, and no code is compiled for their levels.
//!
//! To add a level or a kernel, see MAP.md, *How to add*.
//!
//! All `unsafe` code of the library is in this directory, except for the trait `StableBytes`. It consists of:
//! access to a word or a line without a bounds check, since [`reduce`](crate::probe::reduce) returns a position below the
//! number of bits; calls of functions compiled for instructions that a token proves present; loads and stores of whole
//! lines; views of words and blocks as bytes, and of bytes as words and blocks; zeroed memory from the allocator; the
//! conversion of words and blocks to atomic ones and back; CPUID and prefetches; and inline assembly. Assembly is used in
//! `opaque.rs`, for setting two lanes at once, and for blocks with vectors (a call would take a good part of a query, and
//! threads may share the line).

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
