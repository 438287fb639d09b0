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

/// The name of this project's rule: the smallest size that suffices by the exact model.
const OURS: &str = "ours";

/// Returns the size by the rule with this name: `ours`; `textbook`, which is m = ceil(-n ln p/ln^2 2),
/// k = round(m/n ln 2), as calculators have it too; or a library of `bloom-params --like`.
pub(crate) fn size(rule: &str, items: u64, rate: f64) -> Result<Filter, FigureError> {
    let (bits, hashes) = match rule {
        OURS => Model::Exact.min_size(items, rate)?,
        "textbook" => {
            let too_many = MathError::NeedsTooManyBits { items, rate };
            let usual = usual_rule(items, rate)?.ok_or(too_many)?;
            (usual.bits, usual.hashes.min(255) as u8)
        }
        _ => {
            // One that takes m has no size of its own for a rate.
            let library = like::system(rule).filter(|library| library.takes_rate());
            let takes_both = "must be one that takes n and p";
            let wrong = || FigureError::refused("library", takes_both, format!("{rule:?}"));
            let query = Query {
                items: Some(items),
                rate: Some(rate),
                filter: bloom_params::Filter::of_system(library.ok_or_else(wrong)?),
                ..Query::default()
            };
            let built = query.solve().map_err(|error| FigureError::Library {
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

/// Returns the exact rate of a rule's size over the requested rate.
pub(crate) fn over_asked(rule: &str, rate: f64, got: Rate) -> f64 {
    let got = match rule {
        // Sizing compares with more digits than `f64` holds, so the rounded rate may exceed the
        // requested one.
        OURS => got.at_most(rate),
        _ => got,
    };
    (got.ln() - rate.ln()).exp()
}

/// Returns whether each size of a rule takes a search.
pub(crate) fn is_slow(rule: &str) -> bool {
    rule == OURS
}
