//! Runs every Rust sample of the book and of the README, as documentation tests.
//!
//! Each page with a Rust sample has a module here; a test checks this.

#[cfg(doctest)]
mod pages {
    #[doc = include_str!("src/introduction.md")]
    mod introduction {}

    #[doc = include_str!("src/idea.md")]
    mod idea {}

    #[doc = include_str!("src/try.md")]
    mod try_it {}

    #[doc = include_str!("src/rate.md")]
    mod rate {}

    #[doc = include_str!("src/sizes.md")]
    mod sizes {}

    #[doc = include_str!("src/exact.md")]
    mod exact {}

    #[doc = include_str!("src/hashing.md")]
    mod hashing {}

    #[doc = include_str!("src/deleting.md")]
    mod deleting {}

    #[doc = include_str!("src/growing.md")]
    mod growing {}

    #[doc = include_str!("src/faster.md")]
    mod faster {}

    #[doc = include_str!("src/sharing.md")]
    mod sharing {}

    #[doc = include_str!("src/distributed.md")]
    mod distributed {}

    #[doc = include_str!("src/python.md")]
    mod python {}

    #[doc = include_str!("src/estimates.md")]
    mod estimates {}

    #[doc = include_str!("src/yes.md")]
    mod worth_of_a_yes {}

    #[doc = include_str!("src/testing.md")]
    mod testing {}

    #[doc = include_str!("src/practice.md")]
    mod practice {}

    #[doc = include_str!("src/errata.md")]
    mod errata {}

    #[doc = include_str!("src/cheatsheet.md")]
    mod cheatsheet {}

    #[doc = include_str!("src/calculator.md")]
    mod calculator {}

    #[doc = include_str!("src/command.md")]
    mod command {}

    #[doc = include_str!("src/formulas.md")]
    mod formulas {}

    #[doc = include_str!("src/constant-time.md")]
    mod constant_time {}

    #[doc = include_str!("src/notation.md")]
    mod notation {}

    #[doc = include_str!("src/glossary.md")]
    mod glossary {}

    #[doc = include_str!("src/lecturers.md")]
    mod lecturers {}

    #[doc = include_str!("src/code.md")]
    mod code {}

    #[doc = include_str!("src/speed.md")]
    mod speed {}

    #[doc = include_str!("src/others.md")]
    mod others {}

    #[doc = include_str!("src/documents.md")]
    mod documents {}

    #[doc = include_str!("src/bibliography.md")]
    mod bibliography {}

    #[doc = include_str!("../README.md")]
    mod readme {}
}
