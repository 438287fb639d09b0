//! Tests which stages are refused when a scalable filter is loaded. A scalable filter grows by adding Bloom filters, its
//! stages. A saved stage must have as many set bits as inserts can give it, and enough bits for its rate.

use bloom_core::{FixedState, LoadError, ScalableBloomFilter, ScalableShape, StageError};

use crate::forged::{PAYLOAD, put, repair_checksum};

/// Saves a filter of two stages, and changes the bytes: the first stage has 90 items, 10 fewer than it is sized for, and `ones`
/// set bits. Returns the result of loading these bytes.
fn with_ones(ones: u64) -> Result<(), LoadError> {
    let shape = ScalableShape::new(100, 0.01).unwrap();
    let mut filter = ScalableBloomFilter::<u64>::new(shape).unwrap();
    for item in 0..150 {
        filter.insert(&item).unwrap();
    }
    let first = filter.stages().next().unwrap();
    assert_eq!((first.shape.bits(), first.shape.hashes()), (1_357, 9));
    let mut bytes = filter.to_bytes().unwrap();
    put(&mut bytes, PAYLOAD + 24, 90);
    let (mut have, bits) = (first.ones, PAYLOAD + 64);
    for bit in 0..1_357 {
        let (byte, mask) = (bits + bit / 8, 1 << (bit % 8));
        if have > ones && bytes[byte] & mask != 0 {
            bytes[byte] ^= mask;
            have -= 1;
        } else if have < ones && bytes[byte] & mask == 0 {
            bytes[byte] ^= mask;
            have += 1;
        }
    }
    repair_checksum(&mut bytes);
    ScalableBloomFilter::<u64>::from_bytes(&bytes).map(|_| ())
}

#[test]
fn a_saved_stage_must_be_as_full_as_a_grown_one() {
    // The first stage has 1357 bits, 9 hashes and a rate of 0.0015. With X set bits its rate is (X/1357)^9, so X is at most
    // 658. An item sets at most 9 bits. With fewer than 650 set bits there is room for any item, so the filter would not have
    // added the second stage.
    let most = (1357.0 * 0.0015_f64.powf(1.0 / 9.0)).floor() as u64;
    for ones in [most - 8, most] {
        assert_eq!(with_ones(ones), Ok(()));
    }
    for ones in [most - 9, most + 1] {
        let error = StageError::SetBits {
            least: most - 8,
            most,
            got: ones,
        };
        assert_eq!(with_ones(ones), Err(LoadError::Stage { stage: 0, error }));
    }
}

#[test]
fn a_saved_stage_of_one_bit_too_few_is_refused() {
    let empty = ScalableBloomFilter::<u64, _>::with_rate_and_hasher(100, 0.01, FixedState::new());
    let mut bytes = empty.unwrap().to_bytes().unwrap();
    put(&mut bytes, PAYLOAD, 1_356);
    repair_checksum(&mut bytes);
    let error = ScalableBloomFilter::<u64>::from_bytes(&bytes).unwrap_err();
    let LoadError::Stage {
        stage: 0,
        error: StageError::Rate { rate, got },
    } = error
    else {
        panic!("{error}");
    };
    // With one bit too few, the rate of the stage is above the rate that it must keep, but by less than 1 %.
    assert!(got > rate && got < 1.01 * rate, "{got} for {rate}");
}
