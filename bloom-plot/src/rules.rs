//! The rules by which widespread programs size a filter, and the exact rate of each size.
//!
//! The rules of libraries come from the calculator, so that a chart and `bloom-params --like`
//! agree.

use bloom_core::Shape;
use bloom_core::math::{MathError, Model, Rate, blocked, exact, usual_rule};
use bloom_params::{Filter, Query, like};

use crate::error::FigureError;
use crate::measure::{Sample, Work, measure_as};
use crate::split_block::{PARQUET, measure_split};

/// A rule from items and rate to a size.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Rule {
    /// m = ceil(-n ln p/ln^2 2), k = round(m/n ln 2): the rule of textbooks and calculators.
    Usual,
    /// This project's rule: the smallest size that suffices by the exact model.
    Exact,
    /// The rule of a library, by its name in `bloom-params --like`.
    Library(String),
}

impl Rule {
    /// Returns the rule with this name: `textbook`, `ours`, or else a library.
    pub(crate) fn named(name: &str) -> Self {
        match name {
            "textbook" => Self::Usual,
            "ours" => Self::Exact,
            _ => Self::Library(name.to_owned()),
        }
    }

    /// Returns the size by this rule.
    pub(crate) fn size(&self, items: u64, rate: f64) -> Result<Size, FigureError> {
        let (bits, hashes) = match self {
            Self::Usual => {
                let too_many = MathError::NeedsTooManyBits { items, rate };
                let usual = usual_rule(items, rate)?.ok_or(too_many)?;
                (usual.bits, usual.hashes.min(255) as u8)
            }
            Self::Exact => Model::Exact.min_size(items, rate)?,
            Self::Library(name) => {
                let library = like::library(name).ok_or_else(|| FigureError::Refused {
                    parameter: "library",
                    rule: "one that takes n and p",
                    got: format!("{name:?}"),
                })?;
                let built = library.solve(Query {
                    items: Some(items),
                    rate: Some(rate),
                    ..Query::default()
                })?;
                if let Filter::SplitBlock { .. } = built.asked.filter {
                    return Ok(Size::Split(built.bits / PARQUET.bits()));
                }
                (built.bits, built.hashes)
            }
        };
        Ok(Size::Plain(Shape::new(bits, hashes)?))
    }

    /// Returns the exact rate of a size over the requested rate.
    pub(crate) fn over_asked(&self, rate: f64, got: Rate) -> f64 {
        let got = if *self == Self::Exact {
            // Sizing compares with more digits than `f64` holds, so the rounded rate may exceed the
            // requested one.
            got.at_most(rate)
        } else {
            got
        };
        (got.ln() - rate.ln()).exp()
    }
}

/// The size of a filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Size {
    /// A plain filter.
    Plain(Shape),
    /// A number of Parquet blocks.
    Split(u64),
}

impl Size {
    /// Returns the bits.
    pub(crate) fn bits(self) -> u64 {
        match self {
            Self::Plain(shape) => shape.bits(),
            Self::Split(blocks) => blocks * PARQUET.bits(),
        }
    }

    /// Returns the exact rate.
    pub(crate) fn rate(self, items: u64) -> Result<Rate, FigureError> {
        Ok(match self {
            Self::Plain(shape) => exact::rate(items, shape.bits(), shape.hashes())?,
            Self::Split(blocks) => blocked::rate(items, blocks, PARQUET)?,
        })
    }

    /// Measures real filters of this size.
    pub(crate) fn measure(self, work: &mut Work, items: u64) -> Result<Sample, FigureError> {
        match self {
            Self::Plain(shape) => Ok(measure_as(work, items, shape)?),
            Self::Split(blocks) => measure_split(work, items, blocks),
        }
    }
}
