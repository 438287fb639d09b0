//! The answer as Rust code that builds this filter with bloom-core.

use crate::filters::Filter;
use crate::query::QueryError;
use crate::solution::Solution;
use crate::words::underscored;

/// Returns lines that build the filter.
///
/// # Errors
///
/// bloom-core has no such filter.
pub(crate) fn render(solution: &Solution) -> Result<String, QueryError> {
    let (m, k) = (underscored(solution.bits), solution.hashes);
    let shape = format!("Shape::new({m}, {k})?");
    let filter = solution.asked.filter;
    let of_shape = |name: &str| {
        let call = format!("{name}::<str>::new({shape})?");
        (format!("{name}, Shape"), call)
    };
    let (names, call) = match filter {
        Filter::Classic => of_shape("BloomFilter"),
        Filter::Partitioned => of_shape("PartitionedBloomFilter"),
        Filter::Counting { counter_bits: 4 } => of_shape("CountingBloomFilter"),
        Filter::Counting { counter_bits: 8 } => (
            "CounterBits, CountingBloomFilter, Shape".to_string(),
            format!("CountingBloomFilter::<str>::with_counter_bits({shape}, CounterBits::Eight)?"),
        ),
        Filter::SplitBlock { block_bits: 512 } => (
            "BlockedBloomFilter, BlockedShape".to_string(),
            format!(
                "BlockedBloomFilter::<str>::new(BlockedShape::new({})?)?",
                underscored(solution.bits / 512)
            ),
        ),
        Filter::Counting { .. } | Filter::SplitBlock { .. } | Filter::PlainBlocked { .. } => {
            return Err(QueryError::NotBuilt { filter });
        }
        Filter::Scalable { .. } => {
            let grown = solution.grown.as_ref();
            let growth = grown.expect("a filter that grows has its stages").growth;
            (
                "ScalableBloomFilter, ScalableShape".to_string(),
                format!(
                    "ScalableBloomFilter::<str>::new(\n    ScalableShape::new({}, {:?})?\n        \
                     .with_growth({})?\n        .with_tightening({:?})?,\n)?",
                    underscored(growth.items),
                    growth.rate,
                    growth.growth,
                    growth.tightening
                ),
            )
        }
    };
    Ok(format!(
        "use bloom_core::{{{names}}};\n\nlet mut filter = {call};\n"
    ))
}
