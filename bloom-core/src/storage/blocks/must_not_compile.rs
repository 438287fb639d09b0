//! This file must not compile: it loads a cache line by a plain load, although other threads may
//! write the line. CI compiles this file, and expects the error that the field of [`Line`] is
//! private.
#![allow(unsafe_code)]

use super::view::{AnyBlock, Line};

pub(super) fn load<L: AnyBlock>(line: Line<'_, L>) -> [u64; 8] {
    // SAFETY: this is not safe, and must not compile.
    unsafe { core::ptr::from_ref(line.0).cast::<[u64; 8]>().read() }
}
