//! The answer as Rust code that builds this filter with bloom-core.

use bloom_core::{ScalableShape, Shape};

use crate::filters::Filter;
use crate::query::{Query, QueryError};
use crate::solution::Solution;
use crate::words::underscored;

/// Returns lines that build the filter, and comments on other ways to build it.
///
/// # Errors
///
/// bloom-core has no such filter.
pub(crate) fn render(solution: &Solution) -> Result<String, QueryError> {
    let (m, k) = (underscored(solution.bits), solution.hashes);
    let shape = format!("Shape::new({m}, {k})?");
    let filter = solution.asked.filter;
    let of_shape = |name| (name, "Shape", format!("{name}::<str>::new({shape})?"));
    let (name, others, call) = match filter {
        Filter::Classic => of_shape("BloomFilter"),
        Filter::Partitioned => of_shape("PartitionedBloomFilter"),
        Filter::Counting { counter_bits: 4 } => of_shape("CountingBloomFilter"),
        Filter::Counting { counter_bits: 8 } => {
            let name = "CountingBloomFilter";
            let call = format!("{name}::<str>::with_counter_bits({shape}, CounterBits::Eight)?");
            (name, "CounterBits, Shape", format!("\n    {call}"))
        }
        Filter::SplitBlock { block_bits: 512 } => {
            let blocks = underscored(solution.bits / 512);
            let call = format!("BlockedBloomFilter::<str>::new(BlockedShape::new({blocks})?)?");
            ("BlockedBloomFilter", "BlockedShape", call)
        }
        Filter::Counting { .. } | Filter::SplitBlock { .. } | Filter::PlainBlocked { .. } => {
            return Err(QueryError::NotBuilt { filter });
        }
        Filter::Scalable { .. } => {
            let grown = solution.grown.as_ref();
            let growth = grown.expect("a filter that grows has its stages").growth;
            let call = format!(
                "ScalableBloomFilter::<str>::new(\n    ScalableShape::new({}, {:?})?\n        \
                 .with_growth({})?\n        .with_tightening({:?})?,\n)?",
                underscored(growth.items),
                growth.rate,
                growth.growth,
                growth.tightening
            );
            ("ScalableBloomFilter", "ScalableShape", call)
        }
    };
    let mut names: Vec<_> = others.split(", ").chain([name]).collect();
    names.sort_unstable();
    let mut code = format!("use bloom_core::{{{}}};\n\n", names.join(", "));
    if let Some((items, rate)) = with_rate(solution) {
        let items = underscored(items);
        code += &format!("// The same filter: {name}::<str>::with_rate({items}, {rate:?})?\n");
    }
    if let "BloomFilter" | "BlockedBloomFilter" = name {
        code += &format!("// The same bits, for threads that insert at once: Atomic{name}\n");
    }
    let space = if call.starts_with('\n') { "" } else { " " };
    Ok(code + &format!("let mut filter ={space}{call};\n"))
}

/// Returns the items and the rate for which bloom-core builds the same filter, if it does.
fn with_rate(solution: &Solution) -> Option<(u64, f64)> {
    let asked = &solution.asked;
    if let Some(grown) = &solution.grown {
        let growth = grown.growth;
        let shape = ScalableShape::new(growth.items, growth.rate).ok()?;
        let is_default = (shape.growth(), shape.tightening()) == (growth.growth, growth.tightening);
        return is_default.then_some((growth.items, growth.rate));
    }
    let sized = Query {
        items: asked.items,
        rate: asked.rate,
        filter: asked.filter,
        ..Query::default()
    };
    let has_option = asked.filter == Filter::Counting { counter_bits: 8 };
    let (items, rate) = (asked.items?, asked.rate?);
    // It refuses a rate near that of its 64-bit hash alone.
    let is_refused = Shape::for_rate(items, rate).is_err();
    let differs = *asked != sized || solution.like.is_some() || has_option || is_refused;
    (!differs).then_some((items, rate))
}
