//! Allocates zeroed words (64 bits) and blocks (512 bits) for filters, or returns `None` if the
//! allocator refuses. Also views bytes as words or blocks.
#![allow(unsafe_code)]

#[cfg(feature = "alloc")]
use alloc::alloc::{Layout, alloc_zeroed};
#[cfg(feature = "alloc")]
use alloc::boxed::Box;
#[cfg(feature = "alloc")]
use alloc::vec::Vec;
#[cfg(feature = "alloc")]
use core::ptr;

/// A type for which bytes of 0 are a valid value.
///
/// # Safety
///
/// A value whose bytes are all 0 is valid.
pub(super) unsafe trait Clearable: Copy {}

// SAFETY: 0 is a valid integer.
unsafe impl Clearable for u64 {}

/// A word or a block. Any bytes are a valid word or block.
///
/// # Safety
///
/// Any bytes are a valid value, and there is no padding.
pub unsafe trait Unit: Copy {}

// SAFETY: an integer.
unsafe impl Unit for u64 {}

// SAFETY: eight integers.
unsafe impl Unit for super::Block {}

/// Returns bytes as words or blocks; `None` if the bytes are not aligned for this type, or if their
/// number is not a multiple of its size.
pub(crate) fn units_mut<U: Unit>(bytes: &mut [u8]) -> Option<&mut [U]> {
    // SAFETY: any bytes are a valid unit.
    let (before, units, after) = unsafe { bytes.align_to_mut() };
    (before.is_empty() && after.is_empty()).then_some(units)
}

/// Returns `count` zeroed values, at least one; `None` if the allocator refuses the memory.
///
/// Fresh memory from the system is already 0, so it is not written. A large filter therefore uses
/// physical memory only for the pages in which it sets bits.
#[cfg(feature = "alloc")]
pub(super) fn cleared<T: Clearable>(count: u64) -> Option<Vec<T>> {
    let count = usize::try_from(count).ok()?;
    let layout = Layout::array::<T>(count).ok()?;
    assert!(layout.size() > 0, "a filter has bits");
    // SAFETY: the layout is not empty.
    let bytes = unsafe { alloc_zeroed(layout) };
    if bytes.is_null() {
        return None;
    }
    let values = ptr::slice_from_raw_parts_mut(bytes.cast::<T>(), count);
    // SAFETY: the global allocator returned this memory for `count` values, and bytes of 0 are valid values.
    let values = unsafe { Box::from_raw(values) };
    Some(values.into_vec())
}

#[cfg(all(test, feature = "alloc"))]
mod tests {
    use alloc::vec;

    use super::*;

    #[test]
    fn cleared_memory_is_clear() {
        for count in [1, 2, 63, 4_097] {
            // This memory is freed with bits set, so the allocator may return memory that is not 0.
            drop(vec![u64::MAX; count as usize]);
            assert_eq!(
                cleared::<u64>(count),
                Some(vec![0; count as usize]),
                "{count}"
            );
        }
    }

    #[test]
    fn more_words_than_an_address_space_holds_are_refused() {
        // The bytes of so many words exceed the size limit of an object, or overflow 64 bits.
        for count in [1 << 60, 1 << 61, u64::MAX] {
            assert_eq!(cleared::<u64>(count), None, "{count}");
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "Miri aborts if its allocator refuses")]
    fn words_that_the_allocator_refuses_are_none() {
        // 2^60 bytes: a valid size, but more than any machine has.
        assert_eq!(cleared::<u64>(1 << 57), None);
    }
}
