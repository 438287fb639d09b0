//! Tests the texts of errors and shapes, the causes of errors, and the fewest bits of a partitioned filter.

use std::error::Error;

use bloom_core::math::MathError;
use bloom_core::{
    BloomFilter, BuildError, CounterBits, GrowError, IncompatibleError, PartitionedBloomFilter,
    ScalableShape, Shape, ShapeError,
};

fn source(error: &dyn Error) -> Option<String> {
    error.source().map(ToString::to_string)
}

#[test]
fn an_error_returns_its_cause_as_source() {
    let shape = ShapeError::Math(MathError::NoBits);
    let large = BloomFilter::<u64>::new(Shape::new(1 << 62, 1).unwrap());
    let Err(BuildError::Memory(memory)) = large else {
        panic!("2^62 bits do not fit in memory");
    };
    assert_eq!(source(&shape), Some(MathError::NoBits.to_string()));
    assert_eq!(source(&BuildError::Shape(shape)), Some(shape.to_string()));
    assert_eq!(
        source(&BuildError::Memory(memory)),
        Some(memory.to_string())
    );
    assert_eq!(source(&GrowError::Shape(shape)), Some(shape.to_string()));
    assert_eq!(source(&GrowError::Memory(memory)), Some(memory.to_string()));
    let floor = ShapeError::RateUnderHashFloor {
        items: 1,
        rate: 1e-20,
        floor: 1e-19,
    };
    assert_eq!(source(&floor), None);
    assert_eq!(source(&memory), None);
}

#[test]
fn a_shape_prints_singular_and_plural_nouns() {
    let text = |bits, hashes| Shape::new(bits, hashes).unwrap().to_string();
    assert_eq!(text(1, 1), "1 bit and 1 hash");
    assert_eq!(text(2, 1), "2 bits and 1 hash");
    assert_eq!(text(19_188, 7), "19188 bits and 7 hashes");
}

#[test]
fn errors_about_one_item_name_it_in_the_singular() {
    let floor = |items| ShapeError::RateUnderHashFloor {
        items,
        rate: 1e-20,
        floor: 1e-19,
    };
    for (items, said) in [
        (1, " for 1 item, 100 times"),
        (2, " for 2 items, 100 times"),
    ] {
        assert!(floor(items).to_string().contains(said), "{}", floor(items));
    }
    let stage = ShapeError::StageUnderHashFloor {
        stage: 0,
        items: 1,
        rate: 1e-19,
        share: 1e-20,
        floor: 1e-19,
    };
    assert!(stage.to_string().contains(" for 1 item, "), "{stage}");
    let (items, rate) = (1, 1e-18);
    let allocator = ShapeError::NeedsAllocator { items, rate }.to_string();
    assert!(allocator.contains(" for 1 item needs "), "{allocator}");
    let shape = ScalableShape::new(1, 0.5).unwrap().to_string();
    assert!(shape.starts_with("from 1 item at a "), "{shape}");
}

#[test]
fn errors_of_incompatible_filters_name_both_values() {
    let shape = |bits| Shape::new(bits, 3).unwrap();
    let shapes = IncompatibleError::Shape {
        ours: shape(64),
        theirs: shape(65),
    };
    for (error, said) in [
        (
            shapes,
            "shapes of both filters must agree, got 64 bits and 3 hashes and 65 bits and 3 hashes",
        ),
        (
            IncompatibleError::Blocks { ours: 2, theirs: 3 },
            "blocks of both filters must agree, got 2 and 3",
        ),
        (
            IncompatibleError::CounterBits {
                ours: CounterBits::Four,
                theirs: CounterBits::Eight,
            },
            "counter bits of both filters must agree, got 4 and 8",
        ),
        (
            IncompatibleError::Hasher,
            "hashers of both filters must agree, got two that hash the same value differently",
        ),
    ] {
        assert_eq!(error.to_string(), said);
    }
}

#[test]
fn slices_of_one_bit_are_the_smallest() {
    let filter = |bits| PartitionedBloomFilter::<u64>::new(Shape::new(bits, 7).unwrap());
    assert!(filter(7).is_ok());
    let error = ShapeError::Math(MathError::FewerBitsThanHashes { bits: 6, hashes: 7 });
    assert_eq!(filter(6).unwrap_err(), BuildError::Shape(error));
}
