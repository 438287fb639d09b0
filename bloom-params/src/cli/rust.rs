//! The answer as Rust code that builds this filter with bloom-core.

use crate::filters::Filter;
use crate::query::QueryError;
use crate::solution::Solution;

/// Returns lines that build the filter.
///
/// # Errors
///
/// bloom-core has no such filter.
pub(crate) fn render(solution: &Solution) -> Result<String, QueryError> {
    let (m, k) = (underscored(solution.bits), solution.hashes);
    let shape = format!("Shape::new({m}, {k})?");
    let filter = solution.asked.filter;
    let absent = QueryError::NotBuilt { filter };
    let (names, call) = match filter {
        Filter::Classic => (
            "BloomFilter, Shape",
            format!("BloomFilter::<str>::new({shape})?"),
        ),
        Filter::Partitioned => (
            "PartitionedBloomFilter, Shape",
            format!("PartitionedBloomFilter::<str>::new({shape})?"),
        ),
        Filter::Counting { counter_bits: 4 } => (
            "CountingBloomFilter, Shape",
            format!("CountingBloomFilter::<str>::new({shape})?"),
        ),
        Filter::Counting { counter_bits: 8 } => (
            "CounterBits, CountingBloomFilter, Shape",
            format!("CountingBloomFilter::<str>::with_counter_bits({shape}, CounterBits::Eight)?"),
        ),
        Filter::Counting { .. } => return Err(absent),
        Filter::SplitBlock { block_bits: 512 } => (
            "BlockedBloomFilter, BlockedShape",
            format!(
                "BlockedBloomFilter::<str>::new(BlockedShape::new({})?)?",
                underscored(solution.bits / 512)
            ),
        ),
        Filter::SplitBlock { .. } | Filter::Blocked { .. } => {
            return Err(absent);
        }
        Filter::Scalable { .. } => {
            let grown = solution.grown.as_ref();
            let growth = grown.expect("a filter that grows has its stages").growth;
            (
                "ScalableBloomFilter, ScalableShape",
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

/// Writes a count with underscores, as Rust code does for long ones.
fn underscored(count: u64) -> String {
    crate::numbers::grouped(count).replace(',', "_")
}
