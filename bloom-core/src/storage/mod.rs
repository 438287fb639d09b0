//! What filters are made of: bits, counters and blocks, and the loops over them that every query
//! runs.
//!
//! The only `unsafe` code of the workspace is in the files here that allow it, each block with its
//! reason: no bounds checks where a position is below the number of bits by its making
//! (`bits.rs`, which asks for cleared memory too and has a line of assembly, `draws.rs` and
//! `blocks.rs`), the instructions that not every machine has (`machine.rs`; `avx512_draws.rs` for
//! bits, `avx2.rs`, `avx512.rs` and `block_loops.rs` for blocks, and `avx512_in_place.rs`, in assembly,
//! for one query of either or an insert into blocks), the hint to fetch memory early (`groups.rs`), and
//! assembly without an instruction, which the compiler does not look beyond (`hashes.rs`).

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "x86_64")]
mod avx512_draws;
#[cfg(target_arch = "x86_64")]
mod avx512_in_place;
mod bits;
#[cfg(target_arch = "x86_64")]
mod block_loops;
mod blocks;
mod counters;
mod draws;
mod groups;
mod hashes;
mod machine;

pub(crate) use bits::Bits;
pub(crate) use blocks::{BLOCK_BITS, Blocks, LANE_BITS, LANES};
pub use counters::CounterBits;
pub(crate) use counters::Counters;
pub(crate) use groups::{CACHED_BYTES, Pending, answers_to, in_groups, places_for};
pub(crate) use hashes::{Hashes, hashes_of, ready};
