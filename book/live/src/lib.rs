//! The filters of `bloom-core` and the calculator of `bloom-params` for the pages of the book: what the pages show
//! comes from the crates that the book is about, compiled to WebAssembly.
//!
//! - `filter`: one filter: classic, counting or growing.
//! - `same_rate`: the filter that grows and misses its rate.
//! - `session`: the filters of a page by their numbers, and the buffers that texts and numbers pass through.
//! - `calculator`: questions as texts, with the feature of that name.
//! - `exports`: the functions that a page calls. Only they are special to WebAssembly; all else is tested
//!   natively.

// Without std a panic has no text; the panic texts of std would be a third of the module of filters.
#![cfg_attr(all(target_arch = "wasm32", not(feature = "calculator")), no_std)]
// Each of the two modules exports only its part, and natively only tests call these functions.
#![allow(dead_code)]

extern crate alloc;

#[cfg(feature = "calculator")]
mod calculator;
#[cfg(target_arch = "wasm32")]
mod exports;
mod filter;
mod same_rate;
mod session;
