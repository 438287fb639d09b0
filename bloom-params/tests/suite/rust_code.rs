//! The code of `--format rust` compiles and builds the filter of the answer: this file contains that code, and a
//! test compares it with what is printed.

use std::error::Error;

use crate::common::{object, refused, run};

/// The source of this file.
const SOURCE: &str = include_str!("rust_code.rs");

/// Bits and hashes.
type Size = (u64, u64);

fn classic() -> Result<[Size; 2], Box<dyn Error>> {
    use bloom_core::{BloomFilter, Shape};

    // The same filter: BloomFilter::<str>::with_rate(2_000, 0.01)?
    // The same bits, for inserts from several threads: filter.into_shared()
    let mut filter = BloomFilter::<str>::new(Shape::new(19_188, 7)?)?;

    filter.insert("item");
    let same = BloomFilter::<str>::with_rate(2_000, 0.01)?;
    let shared = BloomFilter::<str>::new(filter.shape())?.into_shared();
    shared.insert("item");
    assert_eq!(shared.into_plain(), filter);
    Ok([filter.shape(), same.shape()].map(size))
}

fn partitioned() -> Result<[Size; 2], Box<dyn Error>> {
    use bloom_core::{PartitionedBloomFilter, Shape};

    // The same filter: PartitionedBloomFilter::<str>::with_rate(2_000, 0.01)?
    let mut filter = PartitionedBloomFilter::<str>::new(Shape::new(19_190, 7)?)?;

    filter.insert("item");
    let same = PartitionedBloomFilter::<str>::with_rate(2_000, 0.01)?;
    Ok([filter.shape(), same.shape()].map(size))
}

fn counting() -> Result<[Size; 2], Box<dyn Error>> {
    use bloom_core::{CountingBloomFilter, Shape};

    // The same filter: CountingBloomFilter::<str>::with_rate(2_000, 0.01)?
    let mut filter = CountingBloomFilter::<str>::new(Shape::new(19_188, 7)?)?;

    filter.insert("item");
    let same = CountingBloomFilter::<str>::with_rate(2_000, 0.01)?;
    assert!(filter.remove("item"));
    assert_eq!(filter, same);
    Ok([filter.shape(), same.shape()].map(size))
}

fn counting_in_bytes() -> Result<[Size; 2], Box<dyn Error>> {
    use bloom_core::{CounterBits, CountingBloomFilter, Shape};

    let mut filter =
        CountingBloomFilter::<str>::with_counter_bits(Shape::new(19_188, 7)?, CounterBits::Eight)?;

    filter.insert("item");
    Ok([filter.shape(), filter.shape()].map(size))
}

fn blocked() -> Result<[Size; 2], Box<dyn Error>> {
    use bloom_core::{BlockedBloomFilter, BlockedShape};

    // The same filter: BlockedBloomFilter::<str>::with_rate(2_000, 0.01)?
    // The same bits, for inserts from several threads: filter.into_shared()
    let mut filter = BlockedBloomFilter::<str>::new(BlockedShape::new(40)?)?;

    filter.insert("item");
    let same = BlockedBloomFilter::<str>::with_rate(2_000, 0.01)?;
    let shared = BlockedBloomFilter::<str>::new(filter.shape())?.into_shared();
    shared.insert("item");
    assert_eq!(shared.into_plain(), filter);
    Ok([filter.shape(), same.shape()].map(|shape| (shape.bits(), 8)))
}

fn scalable() -> Result<[Size; 2], Box<dyn Error>> {
    use bloom_core::{ScalableBloomFilter, ScalableShape};

    // The same filter: ScalableBloomFilter::<str>::with_rate(1_000, 0.01)?
    let mut filter = ScalableBloomFilter::<str>::new(
        ScalableShape::new(1_000, 0.01)?
            .with_growth(2)?
            .with_tightening(0.85)?,
    )?;

    filter.insert("item")?;
    let same = ScalableBloomFilter::<str>::with_rate(1_000, 0.01)?;
    assert_eq!(filter.shape(), same.shape());
    let stage = |filter: &ScalableBloomFilter<str>| filter.stages().next().map(|s| size(s.shape));
    Ok([stage(&filter), stage(&same)].map(Option::unwrap))
}

fn size(shape: bloom_core::Shape) -> Size {
    (shape.bits(), shape.hashes().into())
}

#[test]
fn the_code_compiles_and_builds_the_filter_of_the_answer() -> Result<(), Box<dyn Error>> {
    for (flags, built) in [
        ("", classic()?),
        ("--filter partitioned", partitioned()?),
        ("--filter counting", counting()?),
        ("--filter counting --counter-bits 8", counting_in_bytes()?),
        ("--filter blocked", blocked()?),
        ("--filter scalable --initial 1000", scalable()?),
    ] {
        let line = format!("-n 2000 -p 1% {flags}");
        let (code, out, err) = run(&format!("{line} --format rust"));
        assert_eq!((code, err.as_str()), (0, ""), "{line}");
        let indent = |text: &str| match text {
            "" => "\n".to_string(),
            text => format!("    {text}\n"),
        };
        let inside: String = out.lines().map(indent).collect();
        let body = format!("-> Result<[Size; 2], Box<dyn Error>> {{\n{inside}\n");
        assert!(SOURCE.contains(&body), "{line}:\n{out}");
        let answer = object(&line);
        let stage = match &answer["stages"][0] {
            serde_json::Value::Null => &answer,
            stage => stage,
        };
        let expected = (stage["m"].as_u64().unwrap(), stage["k"].as_u64().unwrap());
        assert_eq!(built, [expected; 2], "{line}");
    }
    Ok(())
}

/// For these questions `with_rate` would build other filters, or would refuse the rate because it is near the lowest rate that
/// a 64-bit hash allows.
#[test]
fn a_call_with_a_rate_is_offered_only_for_the_same_filter() {
    for line in [
        "-n 2000 -m 20000",
        "-n 2000 -m 20000 -p 1%",
        "-n 2000 -k 5 -p 1%",
        "-m 20000 -p 1%",
        "-n 2000 -p 1% --round 64",
        "-n 2000 -p 1% --confidence 99%",
        "-n 2000 -p 1% --model textbook",
        "-n 2000 -p 1% --filter counting --counter-bits 8",
        "-n 2000 -p 1% --filter scalable --growth 3",
        "-n 2000 -p 1% --filter scalable --tightening 0.5",
        "-n 1T -p 1e-9",
    ] {
        let (code, out, err) = run(&format!("{line} --format rust"));
        assert!(code < 2 && !out.contains("with_rate"), "{line}: {out}{err}");
    }
    let refused = bloom_core::Shape::for_rate(1_000_000_000_000, 1e-9);
    assert!(refused.is_err(), "{refused:?}");
}

#[test]
fn a_filter_that_bloom_core_lacks_is_refused_with_one_that_it_has() {
    let lacks = "-n 2000 -p 1% --format rust --filter plain-blocked";
    refused(
        lacks,
        &[
            "bloom-core has no plain-blocked filter",
            "ask for --filter blocked",
        ],
    );
}
