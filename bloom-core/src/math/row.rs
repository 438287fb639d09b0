//! Defines `Row`, the list of numbers that the computation of the exact false-positive rate uses.
//! It also works without an allocator.
//!
//! The exact rate is a sum over d, the number of distinct bits that the k hashes of a query hit. A
//! row has one number for each d.

use core::ops::{Deref, DerefMut};

/// The maximum number of throws (hashes) of a query whose rate is computed without an allocator.
/// Without one, `Shape::for_rate` returns at most 32 hashes, but its search also computes rates
/// with 33.
#[cfg(not(feature = "alloc"))]
const MAX_THROWS: u32 = 33;

/// Returns whether a row is too short for a query of this many throws. With an allocator, no row
/// is.
pub(super) fn is_too_long(throws: u32) -> bool {
    #[cfg(not(feature = "alloc"))]
    return throws > MAX_THROWS;
    #[cfg(feature = "alloc")]
    {
        let _ = throws;
        false
    }
}

/// Numbers on the heap.
#[cfg(feature = "alloc")]
type Numbers<R> = alloc::vec::Vec<R>;

/// Numbers on the stack: 34 numbers (for d = 0 to 33), each of at most 16 bytes.
#[cfg(not(feature = "alloc"))]
type Numbers<R> = [R; MAX_THROWS as usize + 1];

/// A row of numbers: on the heap, or, without an allocator, on the stack.
pub(super) struct Row<R> {
    numbers: Numbers<R>,
    count: usize,
}

impl<R: Copy + From<f64>> Row<R> {
    /// Returns the row of `number(0)` to `number(count - 1)`.
    pub(super) fn of(count: usize, number: impl Fn(usize) -> R) -> Self {
        #[cfg(feature = "alloc")]
        let numbers = (0..count).map(number).collect();
        #[cfg(not(feature = "alloc"))]
        let mut numbers = [R::from(0.0); MAX_THROWS as usize + 1];
        #[cfg(not(feature = "alloc"))]
        (0..count).for_each(|index| numbers[index] = number(index));
        Self { numbers, count }
    }
}

impl<R> Deref for Row<R> {
    type Target = [R];

    fn deref(&self) -> &[R] {
        &self.numbers[..self.count]
    }
}

impl<R> DerefMut for Row<R> {
    fn deref_mut(&mut self) -> &mut [R] {
        &mut self.numbers[..self.count]
    }
}
