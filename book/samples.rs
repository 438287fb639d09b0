//! Runs every Rust sample of the book and of the README, as documentation tests.
//!
//! A new chapter gets a line here; a test sees to it.

#[cfg(doctest)]
mod pages {
    #[doc = include_str!("src/introduction.md")]
    mod introduction {}

    #[doc = include_str!("src/rate.md")]
    mod rate {}

    #[doc = include_str!("../README.md")]
    mod readme {}
}
