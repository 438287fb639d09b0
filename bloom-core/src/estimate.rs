//! The error of estimating the number of items: why there is no estimate.

use core::fmt;

use crate::error::has_causes;
use crate::incompatible::IncompatibleError;

/// Why there is no estimate of the items of one filter or of a pair of filters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum EstimateError {
    /// All bits are set in the filter, in one of its slices or stages, or in the union of two filters.
    /// Any large number of items sets all bits, so such a filter does not tell their number.
    Full,
    /// The filter was intersected with another, so that its bits are not those of a set of items.
    Intersected,
    /// The filters cannot be compared.
    Incompatible(IncompatibleError),
}

impl fmt::Display for EstimateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Full => f.write_str(
                "items cannot be estimated: all bits of the filter, or of a part of it, are set",
            ),
            Self::Intersected => f.write_str(
                "items cannot be estimated after an intersection: the filter may have bits that no common item set",
            ),
            Self::Incompatible(error) => error.fmt(f),
        }
    }
}

has_causes!(EstimateError: Incompatible(IncompatibleError));
