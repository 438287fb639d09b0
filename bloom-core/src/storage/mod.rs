//! What filters are made of: bits, blocks and counters, and the loops over them that every query runs.
//!
//! ```text
//! cpu.rs       which instructions this machine has: found once, carried as a token
//! batch.rs     many hashes in a row: groups of them, prefetching
//! memory.rs    fallible allocation
//! bits/        mod.rs the bits and the choice of a kernel; portable.rs, avx2.rs, avx512.rs the kernels
//! blocks/      the same for blocks of one cache line
//! counters.rs  counters of a counting filter
//! ```
//!
//! **Kernels** take data: a view of words, a line, a hash. They know no filter and no choice. The portable one says what a hash sets; the others do the same with other instructions, and
//! `tests.rs` beside them holds all of them to it. **The choice** of a kernel is above them, in `mod.rs`, by the
//! token of `cpu.rs`.
//!
//! The only `unsafe` code of the library is here: a word or a line without a bounds check, since
//! [`reduce`](crate::probe::reduce) makes a position below the number of bits; a call into code compiled for
//! instructions of which a token proves that the machine has them; loads and stores of whole lines; cleared memory
//! from the allocator; questions to the processor and hints to its caches; and assembly, where a call would cost a
//! good part of what the query does.

mod batch;
mod bits;
mod blocks;
mod counters;
mod cpu;
mod memory;

pub(crate) use batch::{
    CACHED_BYTES, Hashes, Pending, answers_to, hashes_of, in_groups, prehashed, reset_answers,
};
pub(crate) use bits::Bits;
pub(crate) use blocks::{BLOCK_BITS, Blocks, LANE_BITS, LANES};
pub use counters::CounterBits;
pub(crate) use counters::Counters;
