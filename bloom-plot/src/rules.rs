//! The rules by which widespread programs size a filter, and the exact rate of each size.
//!
//! The rules of libraries come from the calculator, so that a chart and `bloom-params --like`
//! agree.

use bloom_core::Shape;
use bloom_core::math::{MathError, Model, Rate, usual_rule};
use bloom_params::{Query, like};
use bloom_systems::systems::parquet;

use crate::error::FigureError;
use crate::filter::Filter;

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
    pub(crate) fn size(&self, items: u64, rate: f64) -> Result<Filter, FigureError> {
        let (bits, hashes) = match self {
            Self::Usual => {
                let too_many = MathError::NeedsTooManyBits { items, rate };
                let usual = usual_rule(items, rate)?.ok_or(too_many)?;
                (usual.bits, usual.hashes.min(255) as u8)
            }
            Self::Exact => Model::Exact.min_size(items, rate)?,
            Self::Library(name) => {
                // One that takes m has no size of its own for a rate.
                let library = like::system(name).filter(|library| library.takes_rate());
                let library = library.ok_or_else(|| {
                    FigureError::refused(
                        "library",
                        "must be one that takes n and p",
                        format!("{name:?}"),
                    )
                })?;
                let built = Query {
                    items: Some(items),
                    rate: Some(rate),
                    filter: bloom_params::Filter::of_system(library),
                    ..Query::default()
                }
                .solve();
                let built = built.map_err(|error| FigureError::Library {
                    error: error.into(),
                    hint: None,
                })?;
                if let bloom_params::Filter::SplitBlock { .. } = built.asked.filter.layout() {
                    return Ok(Filter::Split(built.bits / parquet::BLOCK.bits()));
                }
                (built.bits, built.hashes)
            }
        };
        Ok(Filter::Plain(Shape::new(bits, hashes)?))
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
