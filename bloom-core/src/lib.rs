//! The formulas of Bloom filters, without `std`.

#![no_std]

extern crate alloc;

pub mod math;
