//! Fallible allocation: cleared words or lines, or a copy of some, and `None` where the allocator refuses.
#![allow(unsafe_code)]

use alloc::alloc::{Layout, alloc_zeroed};
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ptr;

/// A type of which bytes of 0 are a value.
///
/// # Safety
///
/// They must be.
pub(super) unsafe trait Clearable: Copy {}

// SAFETY: 0 is an integer.
unsafe impl Clearable for u64 {}

/// Returns values of bytes of 0, at least one; `None` if the allocator refuses them.
///
/// Memory that is fresh from the system is 0 already and is not written: a large filter costs only
/// what it uses of it.
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
    // SAFETY: the global allocator gave this memory for so many values, and bytes of 0 are values.
    let values = unsafe { Box::from_raw(values) };
    Some(values.into_vec())
}

/// Copies values; `None` if the allocator refuses the copy.
pub(super) fn copied<T: Clearable>(values: &[T]) -> Option<Vec<T>> {
    let mut copy = Vec::new();
    copy.try_reserve_exact(values.len()).ok()?;
    copy.extend_from_slice(values);
    Some(copy)
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;

    #[test]
    fn cleared_memory_is_clear() {
        for count in [1, 2, 63, 4_097] {
            // Memory that was used before, so that the allocator has some to give that is not 0.
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
        // Their bytes are more than an object may have, or more than 64 bits can say.
        for count in [1 << 60, 1 << 61, u64::MAX] {
            assert_eq!(cleared::<u64>(count), None, "{count}");
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "Miri stops where its allocator refuses")]
    fn words_that_the_allocator_refuses_are_none() {
        assert_eq!(cleared::<u64>(1 << 57), None);
    }

    #[test]
    fn a_copy_has_the_same_values() {
        let words = [1, 2, u64::MAX];
        assert_eq!(copied(&words).as_deref(), Some(&words[..]));
    }
}
