//! Defines the cells (bits or counters) of each kind of filter, and picks the kernels, which are
//! the functions that test and set cells.

use super::cell::{Bit, Counter, Ranges, Slices, Whole};
use super::kernel::{Kernels, kernels};
use crate::error::ShapeError;
use crate::math::MathError;
use crate::shape::Shape;
use crate::storage::cpu::Cpu;
use crate::storage::words::Word;

/// The kind of cells that a filter has, and where the positions of a hash can be. Each layout picks
/// its kernels, so that a program contains only the kernels of the filters that it uses.
pub trait Layout {
    /// Checks that a filter of this layout can have this shape.
    fn check(_: Shape) -> Result<(), ShapeError> {
        Ok(())
    }

    /// Returns the ranges of the probes for `count` cells and `k` hashes, packed into one number by
    /// [`Ranges::extent`].
    fn extent(count: u64, k: u8) -> u64 {
        Whole::extent(count, k)
    }

    /// Picks the kernels for cells of `width` bits and `k` hashes. `far` means that the filter is
    /// larger than the caches.
    fn kernels<W: Word>(width: u8, cpu: Cpu, k: u8, far: bool) -> Kernels<W>;
}

/// Bits: each position of a hash can be any bit.
#[derive(Debug)]
pub enum Anywhere {}

/// Bits, divided into k slices: each hash has one position in every slice.
#[derive(Debug)]
pub enum Sliced {}

/// Counters: each position of a hash can be any counter.
#[derive(Debug)]
pub enum Counted {}

impl Layout for Anywhere {
    fn kernels<W: Word>(_: u8, cpu: Cpu, k: u8, far: bool) -> Kernels<W> {
        kernels::<W, Bit>(cpu, k, far)
    }
}

impl Layout for Sliced {
    fn check(shape: Shape) -> Result<(), ShapeError> {
        let (bits, hashes) = (shape.bits(), shape.hashes());
        if bits < hashes.into() {
            return Err(MathError::FewerBitsThanHashes { bits, hashes }.into());
        }
        Ok(())
    }

    fn extent(count: u64, k: u8) -> u64 {
        Slices::extent(count, k)
    }

    fn kernels<W: Word>(_: u8, cpu: Cpu, k: u8, far: bool) -> Kernels<W> {
        kernels::<W, Bit<Slices>>(cpu, k, far)
    }
}

impl Layout for Counted {
    fn kernels<W: Word>(width: u8, cpu: Cpu, k: u8, far: bool) -> Kernels<W> {
        match width {
            4 => kernels::<W, Counter<4>>(cpu, k, far),
            _ => kernels::<W, Counter<8>>(cpu, k, far),
        }
    }
}

/// Returns the start and the number of bits of every slice of a filter in the layout [`Sliced`].
pub(crate) fn slices(shape: Shape) -> impl Iterator<Item = (u64, u64)> {
    let mut slices = Slices::among(shape.bits(), shape.hashes());
    (0..shape.hashes()).map(move |index| slices.next(index))
}
