//! Plots what Bloom filters do: theory beside points measured on real filters, as SVG and PNG.
//!
//! A picture is made in three steps, each plain data to the next:
//!
//! 1. a question, such as [`RateByItems`], works out a [`Figure`]: curves, measured points, names;
//! 2. the figure is laid out for a [`Size`]: lines, discs and texts at places;
//! 3. [`chart::svg`] or [`chart::png`] paints them, and [`output`] puts the file in place whole.
//!
//! ```
//! use bloom_plot::{RateByItems, Size, chart};
//!
//! let question = RateByItems {
//!     bits: 20_000,
//!     hashes: vec![3, 5, 7],
//!     best: false,
//!     items: None,
//!     effort: None,
//! };
//! let figure = question.figure()?;
//! let picture = chart::svg(&figure, Size::default())?;
//! assert!(picture.contains("k = 7"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What is where
//!
//! - [`curves`]: what a figure is; knows of no drawing.
//! - `questions/`: one file for each question, such as [`RateByItems`]: the rate while a filter fills.
//! - [`diagram`]: the bits, counters, slices, blocks or stages of a small filter, who set them, and
//!   what queries find.
//! - [`measure`]: real filters, filled and asked.
//! - [`interval`]: what the measured hits say, and how surely.
//! - [`chart`]: the only module that knows the drawing library.
//! - [`output`]: files, whole or not at all, and standard output.
//!
//! A [`Look`] is a size and a theme, light or dark; [`Drawing::csv`] returns the data behind a
//! picture.
//!
//! Pictures need no font of the system: they carry or are measured with `DejaVu` Sans, a free font
//! under the Bitstream Vera licence.

pub mod chart;
pub mod curves;
pub mod diagram;
pub mod interval;
pub mod measure;
pub mod output;

mod axes;
mod data;
mod double_hashing;
mod drawing;
mod enumeration;
mod error;
mod font;
mod frame;
mod geometry;
mod growing;
mod heads;
mod limits;
mod look;
mod marks;
mod measuring;
mod names;
mod plot;
mod questions;
mod raster;
mod row;
mod rules;
mod sampling;
mod saved;
mod scene;
mod series;
mod size;
mod split_block;
mod style;
mod ticks;
mod words;

pub use curves::Figure;
pub use drawing::Drawing;
pub use error::{ChartError, FigureError};
pub use look::{Look, Theme};
pub use questions::*;
pub use size::{Size, SizeError};
