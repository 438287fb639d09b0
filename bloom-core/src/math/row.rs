//! Defines `Row`, a list of numbers that also works without an allocator.
//!
//! The exact rate is a sum over the number of distinct bits that a query hits. A row has one number
//! for each term of the sum.

use core::ops::{Deref, DerefMut};

/// The maximum number of throws (hashes) of a query whose rate is computed without an allocator.
/// `Shape::for_rate` then accepts at most 32 hashes; its search also computes the rate for one
/// more.
#[cfg(not(feature = "alloc"))]
const MAX_THROWS: u32 = 33;

/// Returns whether a row is too short for a query of this many throws.
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

/// Numbers on the stack: 34 numbers of at most 16 bytes.
#[cfg(not(feature = "alloc"))]
type Numbers<R> = [R; MAX_THROWS as usize + 1];

/// A row of numbers: on the heap, or, without an allocator, on the stack.
pub(super) struct Row<R> {
    numbers: Numbers<R>,
    count: usize,
}

impl<R: Copy + From<f64>> Row<R> {
    /// Returns the values of `number` at 0 to `count` - 1.
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
