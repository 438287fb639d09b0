//! The rules by which widespread programs size a filter, and the rate of each size.
//!
//! The rules and rates of libraries come from the crate `bloom-params`, so that a chart and
//! `bloom-params --like` agree.

use bloom_core::Shape;
use bloom_core::math::{MathError, Model, usual_rule};
use bloom_params::{Query, like};
use bloom_systems::double_hashing::Excess;

use crate::error::FigureError;
use crate::filter::Filter;

/// The name of this project's rule: the smallest size that suffices by the exact model.
const OURS: &str = "ours";

/// Returns the size by the rule with this name: `ours`; `textbook`, which is m = ceil(-n ln p/ln^2 2),
/// k = round(m/n ln 2), as other calculators compute it; or a library of `bloom-params --like`. The second value is what the
/// positions of the library add to the rate of independent positions.
pub(crate) fn size(rule: &str, items: u64, rate: f64) -> Result<(Filter, Excess), FigureError> {
    let (bits, hashes) = match rule {
        OURS => Model::Exact.min_size(items, rate)?,
        "textbook" => {
            let too_many = MathError::NeedsTooManyBits { items, rate };
            let usual = usual_rule(items, rate)?.ok_or(too_many)?;
            (usual.bits, usual.hashes.min(255) as u8)
        }
        _ => {
            // A library that takes m has no size of its own for a rate.
            let library = like::system(rule).filter(|library| library.takes_rate());
            let takes_both = "must be one that takes n and p";
            let wrong = || FigureError::refused("library", takes_both, format!("{rule:?}"));
            let library = library.ok_or_else(wrong)?;
            let query = Query {
                items: Some(items),
                rate: Some(rate),
                filter: bloom_params::Filter::of_system(library),
                ..Query::default()
            };
            let built = query.solve().map_err(|error| FigureError::Library {
                error: error.into(),
                hint: None,
            })?;
            let filter = Filter::OfSystem(library, built.bits, built.hashes);
            return Ok((filter, built.excess));
        }
    };
    let filter = Filter::Plain(Shape::new(bits, hashes)?);
    Ok((filter, Excess::default()))
}

/// Returns the rate that a rule's size has with independent positions. The excess that [`size`] returns is not included.
pub(crate) fn rate(rule: &str, items: u64, rate: f64, filter: Filter) -> Result<f64, FigureError> {
    let got = filter.rate(items)?;
    Ok(match rule {
        // Sizing compares with more digits than `f64` holds, so the rounded rate may exceed the
        // requested one.
        OURS => got.at_most(rate).value(),
        _ => got.value(),
    })
}

/// Returns whether each size of a rule takes a search.
pub(crate) fn is_slow(rule: &str) -> bool {
    rule == OURS
}
