#![doc = include_str!("../README.md")]
//!
//! # From a question to a picture
//!
//! A picture is made in three steps, each of which passes plain data to the next:
//!
//! 1. a struct that states a question, such as [`RateByItems`], computes a [`Figure`]: curves, labels and, if requested, points
//!    [measured](Measurable) on real filters;
//! 2. the layout places lines, discs and texts for a [`Size`];
//! 3. [`chart::svg`], [`chart::png`] or [`chart::pdf`] paints these lines, discs and texts, and [`output`] writes the file
//!    atomically.
//!
//! # What is where
//!
//! - [`curves`]: the figure as data, independent of drawing.
//! - `questions/`: one file per question, such as [`RateByItems`]: how does the rate rise while a filter fills? The fields of
//!   its struct are the values of flags, or computed from them.
//! - [`command`]: the command line.
//! - [`diagram`]: the bits or counters of a small filter, which may consist of slices, blocks or stages; which items set these
//!   bits; and what queries find.
//! - [`measure`]: fills and queries real filters.
//! - [`interval`]: the confidence intervals of measured rates.
//! - [`chart`]: SVG, PNG and PDF; the only module that uses the libraries for PNG and PDF.
//! - [`output`]: writes files atomically, or to standard output.
//!
//! A [`Look`] is what does not depend on the data: the size, the typeface and the theme (light, dark, or both in one SVG).
//! [`Drawing::csv`] returns the data behind a picture.

pub mod chart;
pub mod curves;
pub mod diagram;
pub mod interval;
pub mod measure;
pub mod output;

mod args;
mod axes;
mod compared;
mod data;
mod deviations;
mod drawing;
mod error;
mod filter;
mod font;
mod frame;
mod geometry;
mod heads;
mod labels;
mod look;
mod marks;
mod measuring;
mod names;
mod overlay;
mod parse;
mod plot;
mod questions;
mod rules;
mod sampling;
mod scene;
mod series;
mod size;
mod style;
mod svg;
mod teeth;
mod ticks;
mod words;

pub use args::command;
pub use curves::Figure;
pub use drawing::Drawing;
pub use error::{ChartError, FigureError};
pub use font::Typeface;
pub use look::{Look, Theme};
pub use measuring::Measurable;
pub use questions::*;
pub use size::Size;
