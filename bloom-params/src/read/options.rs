//! Lists the options that only some kinds of filters have, such as the bits of a block, by the names of their flags.

use crate::kind::filter::Filter;
use crate::say::value::Value;

/// Returns the options of this kind of filter: the key of each in JSON, and its value.
pub(crate) fn options(filter: Filter) -> Vec<(&'static str, Value)> {
    match filter {
        Filter::Classic | Filter::Partitioned => Vec::new(),
        Filter::OfSystem { .. } => options(filter.layout()),
        Filter::PlainBlocked { block_bits } | Filter::SplitBlock { block_bits } => {
            vec![("block_bits", block_bits.into())]
        }
        Filter::Counting { counter_bits } => vec![("counter_bits", counter_bits.into())],
        Filter::Scalable {
            initial,
            growth,
            tightening,
        } => vec![
            ("initial", initial.into()),
            ("growth", growth.into()),
            ("tightening", tightening.into()),
        ],
    }
}
