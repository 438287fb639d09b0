//! Computes m and k for n items and a rate p by a rule: this project's, the textbook's or a library's. Also computes the rate
//! of such a filter, as if its positions were independent.
//!
//! The size by a library's rule comes from the crate `bloom-params`, so that a chart and `bloom-params --like` agree.

use bloom_core::Shape;
use bloom_core::math::{MathError, Model, usual_rule};
use bloom_params::{Query, like};
use bloom_systems::double_hashing::Excess;

use crate::error::FigureError;
use crate::filter::Filter;

/// The name of this project's rule: the smallest size that suffices by the exact model.
const OURS: &str = "ours";

/// Returns the filter that a rule gives for n items and a rate p. The rule is `ours`, `textbook` or the name of a library of
/// `bloom-params --like`. The textbook rule is m = ceil(-n ln p / (ln 2)^2), k = round((m/n) ln 2), as widespread calculators
/// compute them.
///
/// The second value of the pair bounds and estimates what the rate gains because the library's positions are not independent;
/// it is 0 for `ours` and `textbook`.
pub(crate) fn size(rule: &str, items: u64, rate: f64) -> Result<(Filter, Excess), FigureError> {
    let (bits, hashes) = match rule {
        OURS => Model::Exact.min_size(items, rate)?,
        "textbook" => {
            let too_many = MathError::NeedsTooManyBits { items, rate };
            let usual = usual_rule(items, rate)?.ok_or(too_many)?;
            (usual.bits, usual.hashes.min(255) as u8)
        }
        _ => {
            // A library that takes m from its caller has no rule that gives m for a rate, so it is refused.
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

/// Returns the rate of a filter from [`size`], as if its positions were independent. What dependent positions add, the second
/// value of [`size`], is not included.
pub(crate) fn rate(rule: &str, items: u64, rate: f64, filter: Filter) -> Result<f64, FigureError> {
    let got = filter.rate(items)?;
    Ok(match rule {
        // The size was found by comparing the exact rate with the requested one in more digits than an `f64` holds. So a rate
        // that meets the request may round to just above it.
        OURS => got.at_most(rate).value(),
        _ => got.value(),
    })
}

/// Returns whether a rule is slow because it searches for m and k: this project's rule.
pub(crate) fn is_slow(rule: &str) -> bool {
    rule == OURS
}
