//! Loads a line by a plain load, although threads may share the line, and so must not compile. CI
//! compiles this file, and expects the error that the field of a line is private.
#![allow(unsafe_code)]

use super::view::{AnyBlock, Line};

pub(super) fn load<L: AnyBlock>(line: Line<'_, L>) -> [u64; 8] {
    // SAFETY: this is not safe, and must not compile.
    unsafe { core::ptr::from_ref(line.0).cast::<[u64; 8]>().read() }
}
