//! What filters are made of: bits, blocks and counters, and the loops over them that every query runs.
//!
//! ```text
//! cpu.rs       which instructions this machine has: found once, carried as a token
//! cache.rs     what is done beyond the caches: prefetching, answers by a branch
//! batch.rs     many hashes in a row, in groups
//! memory.rs    fallible allocation
//! words.rs     where words are kept: on the heap, alone or shared by threads, or in the bytes of a file
//! bits/        mod.rs the bits and the choice of a kernel; view.rs what kernels see of them;
//!              portable.rs, avx2.rs, avx512.rs the kernels
//! blocks/      the same for blocks of one cache line, and batch.rs their batches
//! counters.rs  counters of a counting filter
//! testing.rs   what the tests of several kernels share
//! ```
//!
//! **Kernels** take data: a view of words or lines, a hash. They know no filter and no choice. The portable one is
//! the definition of what a hash sets; the others do the same with other instructions, and `tests.rs` beside them
//! holds all of them to it. **The choice** of a kernel is above them, in `mod.rs`, by the token of `cpu.rs`. For a
//! new level, see CONTRIBUTING.md, *How to add*.
//!
//! The only `unsafe` code of the library is here: a word or a line without a bounds check, since
//! [`reduce`](crate::probe::reduce) makes a position below the number of bits; a call into code compiled for
//! instructions of which a token proves that the machine has them; loads and stores of whole lines; cleared memory
//! from the allocator; questions to the processor and hints to its caches; and assembly, where a call would cost a
//! good part of what the query does.

mod batch;
mod bits;
mod blocks;
mod cache;
mod counters;
mod cpu;
mod memory;
#[cfg(test)]
mod testing;
mod words;

pub(crate) use batch::{Hashes, Pending, hashes_of, in_groups, in_order, prehashed, reset_answers};
#[cfg(target_has_atomic = "64")]
pub(crate) use bits::AtomicBits;
pub(crate) use bits::Bits;
#[cfg(target_has_atomic = "64")]
pub(crate) use blocks::AtomicBlocks;
pub(crate) use blocks::{BLOCK_BITS, Blocks, LANE_BITS, LANES};
pub(crate) use cache::CACHED_BYTES;
pub use counters::CounterBits;
pub(crate) use counters::Counters;
