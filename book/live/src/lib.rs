//! Brings the filters of `bloom-core` and the calculator of `bloom-params` into the pages of the book: the crates,
//! compiled to WebAssembly, compute what the pages show.
//!
//! - `filter`: a filter of a page: classic, counting or growing.
//! - `same_rate`: a growing filter that misses its rate, for the chapter on growing.
//! - `session`: all filters of a page, each with a number, and the buffers for texts and lists of numbers.
//! - `calculator`: answers what a page asks the calculator. It exists only with the feature `calculator`.
//! - `exports`: the functions that a page calls. Only this module is compiled for WebAssembly alone; all others
//!   are tested natively.

// Without std a panic has no text. With std, the texts of panics would be a third of the WebAssembly module of filters.
#![cfg_attr(all(target_arch = "wasm32", not(feature = "calculator")), no_std)]
// Each of the two WebAssembly modules exports a part of the functions, and natively only tests call
// them. So a build may have functions that nothing calls.
#![allow(dead_code)]

extern crate alloc;

#[cfg(feature = "calculator")]
mod calculator;
#[cfg(target_arch = "wasm32")]
mod exports;
mod filter;
mod same_rate;
mod session;
