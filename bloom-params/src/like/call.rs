//! What to write in a program, a shell or a configuration to get the filter of an answer from its
//! library.
//!
//! Where the library would miss the rate asked for, the call passes another value, with which it
//! keeps that rate.

use super::build::Request;
use super::pass::{Argument, Pass};
use super::{Library, library};
use crate::solution::Solution;
use crate::words::{as_typed, underscored};

/// The language of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Language {
    /// Go.
    Go,
    /// Java.
    Java,
    /// Python.
    Python,
    /// Rust.
    Rust,
    /// A command, a statement, properties, or a call without whole numbers.
    Other,
}

/// How a call to a library is written, with `{n}`, `{m}`, `{m/n}`, `{bytes}`, `{k}` and `{p}` in place
/// of values.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Template {
    pub(crate) language: Language,
    /// The call for n and p; empty if the library takes no p.
    pub(crate) rate: &'static str,
    /// The call for n and m; empty if the library takes no m.
    pub(crate) bits: &'static str,
    /// Imports, and a statement with the `{call}`; empty where there is nothing to import.
    pub(crate) code: &'static str,
}

/// A template without texts, for the row that all others start from.
pub(super) const NO_CALL: Template = Template {
    language: Language::Other,
    rate: "",
    bits: "",
    code: "",
};

/// What to write to get a filter from a library.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Call {
    /// A line of code, a command or a few properties.
    pub text: String,
    /// The line of code as a statement, with its imports; `None` where there is nothing to import.
    pub code: Option<String>,
    /// The value in that text in place of the one asked for; `None` where that one keeps the rate, or
    /// where none does.
    pub pass: Option<Pass>,
    /// The value asked for; `None` where the library has only one size.
    pub given: Option<Argument>,
}

impl Solution {
    /// Returns what to write to get this filter from its library, or, if it misses the rate asked for,
    /// one that keeps it; `None` if no library chose its size.
    ///
    /// # Examples
    ///
    /// ```
    /// use bloom_params::{Query, like};
    ///
    /// let rbloom = like::library("rbloom").ok_or("not known")?;
    /// let query = Query { items: Some(2_000), rate: Some(0.01), ..Query::default() };
    /// let call = rbloom.solve(query)?.call().ok_or("no library")?;
    /// // It rounds the hashes down, so 0.01 would give 0.010134.
    /// assert_eq!(call.text, "Bloom(2_000, 0.00985)");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn call(&self) -> Option<Call> {
        let like = self.like.as_ref()?;
        let library = library(like.name)?;
        let pass = match self.met {
            Some(false) => library.pass(self),
            _ => None,
        };
        let given = Request::of(self);
        let mut text = match &pass {
            Some(pass) => library.written(pass.request, (pass.bits, pass.hashes)),
            None => library.written(given, (self.bits, self.hashes)),
        };
        if let Some(times) = like.expansion {
            text += &format!(" EXPANSION {times}");
        }
        let code = library.code().map(|_| library.call.code);
        Some(Call {
            code: code.map(|code| code.replace("{call}", &text)),
            text,
            pass,
            given: library.value(given),
        })
    }
}

impl Library {
    /// Returns the language of its [`Call::code`]; `None` if it has none.
    pub fn code(&self) -> Option<Language> {
        Some(self.call.language).filter(|_| !self.call.code.is_empty())
    }

    /// Returns the language of its calls.
    #[cfg(feature = "json")]
    pub(crate) fn language(&self) -> Language {
        self.call.language
    }

    /// Returns the call for a request, which builds a filter of this size.
    fn written(&self, request: Request, (bits, hashes): (u64, u8)) -> String {
        let count = |count| self.call.language.count(count);
        let (template, given) = match request.bits {
            Some(given) if !self.call.bits.is_empty() => (self.call.bits, given),
            _ => (self.call.rate, bits),
        };
        template
            .replace("{n}", &count(request.items))
            .replace("{m}", &count(given))
            .replace("{m/n}", &self.per_item(given, request.items).to_string())
            .replace("{bytes}", &count(given.div_ceil(8)))
            .replace("{k}", &hashes.to_string())
            .replace("{p}", &request.rate.map_or(String::new(), as_typed))
    }
}

impl Language {
    /// Returns its name; `None` for what is no language of programs.
    #[cfg(feature = "json")]
    pub(crate) fn name(self) -> Option<&'static str> {
        match self {
            Self::Go => Some("go"),
            Self::Java => Some("java"),
            Self::Python => Some("python"),
            Self::Rust => Some("rust"),
            Self::Other => None,
        }
    }

    /// Writes a count as programs in this language do.
    fn count(self, count: u64) -> String {
        let text = underscored(count);
        match self {
            Self::Other => count.to_string(),
            Self::Java if i32::try_from(count).is_err() => format!("{text}L"),
            _ => text,
        }
    }
}
