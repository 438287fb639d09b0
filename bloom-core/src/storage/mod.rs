//! The storage of the filters: bits, blocks and counters, and the kernels that query and set them.
//!
//! ```text
//! cpu.rs       which instructions this machine has: detected once, carried as a token
//! cache.rs     what filters out of cache need: prefetches, answers by a branch
//! batch.rs     batches: many hashes, taken in groups
//! memory.rs    fallible allocation
//! words.rs     where words are stored: on the heap, owned or shared by threads, or in the bytes of a file
//! bits/        mod.rs the bits and the dispatch to a kernel; view.rs the bits as kernels see them;
//!              portable.rs, avx2.rs, avx512.rs the kernels; shared.rs inserts by threads
//! blocks/      the same for blocks of one cache line, and batch.rs their batches
//! counters.rs  counters of a counting filter
//! testing.rs   helpers that the tests of several kernels share
//! ```
//!
//! A **kernel** takes plain data: a view of words or lines, and a hash. It knows neither the filter nor the other
//! kernels. The portable kernel defines which bits a hash sets; the others do the same with other instructions, and
//! `tests.rs` beside them checks every kernel against that definition. **Dispatch** is in `mod.rs`, by the token of
//! `cpu.rs`. To add a level, see CONTRIBUTING.md, *How to add*.
//!
//! All `unsafe` code of the library is in this directory: access to a word or a line without a bounds check, since
//! [`reduce`](crate::probe::reduce) returns a position below the number of bits; calls of functions compiled for
//! instructions that a token proves present; loads and stores of whole lines; zeroed memory from the allocator, and its
//! words as atomic ones; CPUID and prefetches; and inline assembly, where a call would cost a good part of the query, and
//! for two lanes at once.

mod batch;
mod blocks;
mod cache;
mod cells;
mod cpu;
mod memory;
#[cfg(test)]
mod testing;
mod words;

pub(crate) use batch::{Hashes, Pending, hashes_of, in_groups, in_order, prehashed};
pub use blocks::Block;
pub(crate) use blocks::{AnyBlock, BLOCK_BITS, Blocks, LANE_BITS, LANES};
#[cfg(all(feature = "alloc", target_has_atomic = "64"))]
pub(crate) use blocks::{AtomicBlocks, SharedBlocks};
#[cfg(feature = "alloc")]
pub(crate) use cache::CACHED_BYTES;
pub(crate) use cache::LINE_BYTES;
#[cfg(all(feature = "alloc", target_has_atomic = "64"))]
pub(crate) use cells::AtomicBits;
pub use cells::CounterBits;
pub(crate) use cells::{Anywhere, Cells, Counted, Layout, Sliced, slices, words_of};
pub(crate) use memory::{Unit, units_mut};
pub(crate) use words::{OwnedWords, Store, StoreMut, Word};
