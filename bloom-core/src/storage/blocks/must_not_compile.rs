//! A kernel that loads lines which threads may share as if they were its own. CI compiles it, and expects that the
//! memory of a line is private.
#![allow(unsafe_code)]

use super::view::{AnyBlock, Line};

pub(super) fn load<L: AnyBlock>(line: Line<'_, L>) -> [u64; 8] {
    // SAFETY: there is no reason.
    unsafe { core::ptr::from_ref(line.0).cast::<[u64; 8]>().read() }
}
