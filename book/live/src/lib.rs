//! Brings the filters of `bloom-core` and the calculator of `bloom-params` into the pages of the book: the crates,
//! compiled to WebAssembly, compute what the pages show.
//!
//! - `filter`: one filter: classic, counting or growing.
//! - `same_rate`: the filter that grows and misses its rate.
//! - `session`: the filters of a page by their numbers, and the buffers that texts and numbers pass through.
//! - `calculator`: questions as texts, with the feature of that name.
//! - `exports`: the functions that a page calls. Only this module is for WebAssembly alone; all others are
//!   tested natively.

// Without std a panic has no text; the panic texts of std would be a third of the module of filters.
#![cfg_attr(all(target_arch = "wasm32", not(feature = "calculator")), no_std)]
// Each of the two WebAssembly modules exports a part of the functions, and natively only tests call
// them.
#![allow(dead_code)]

extern crate alloc;

#[cfg(feature = "calculator")]
mod calculator;
#[cfg(target_arch = "wasm32")]
mod exports;
mod filter;
mod same_rate;
mod session;
