//! The error of estimating the number of items: why there is no estimate.

use core::fmt;

use crate::error::has_causes;
use crate::incompatible::IncompatibleError;

/// Why there is no estimate of the items of one filter or of a pair of filters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum EstimateError {
    /// All bits are set: in the filter, in the union of the two filters, in one slice of a
    /// partitioned filter, or in one stage of a scalable filter. Any large number of items may have
    /// set them, so they do not tell how many items there are.
    Full,
    /// A filter was intersected with another one, or united with the result of an intersection. Its
    /// bits are then not those of a set of items.
    Intersected,
    /// The two filters cannot be compared, because their shapes, hashers or other properties
    /// differ.
    Incompatible(IncompatibleError),
}

impl fmt::Display for EstimateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Full => f.write_str(
                "items cannot be estimated: all bits of the filter, or of a part of it, are set",
            ),
            Self::Intersected => f.write_str(
                "items cannot be estimated after an intersection: some of the filter's bits may not have been set by any common item",
            ),
            Self::Incompatible(error) => error.fmt(f),
        }
    }
}

has_causes!(EstimateError: Incompatible(IncompatibleError));
