//! Tests scalable filters that have reached a limit and may not grow by another stage (one more Bloom filter): which items they
//! still take, and which errors they return.

use super::*;

#[test]
fn a_filter_that_may_not_grow_still_takes_other_items() {
    // The set bits of this filter reach their limit before the filter has its 1,000 expected items.
    let shape = shape(1_000, 0.01, 2, 0.85).with_max_stages(1).unwrap();
    let mut filter = ScalableBloomFilter::<u64>::new(shape).unwrap();
    let mut hashes = hashes(2);
    let inserted: Vec<u64> = hashes
        .by_ref()
        .take_while(|hash| filter.insert_hash(*hash).is_ok())
        .collect();
    let error = GrowError::TooManyStages { max_stages: 1 };
    assert!(
        inserted
            .iter()
            .all(|hash| filter.insert_hash(*hash) == Ok(false))
    );
    assert!(inserted.len() < 1_000);
    let others: Vec<_> = hashes
        .take(10_000)
        .map(|hash| filter.insert_hash(hash))
        .collect();
    assert!(others.contains(&Ok(true)) && others.contains(&Err(error)));
}

#[test]
fn a_limit_of_bytes_is_kept_and_saved() {
    let shape = shape(100, 0.01, 2, 0.85).with_max_bytes(2_000).unwrap();
    let mut filter = ScalableBloomFilter::<u64>::new(shape).unwrap();
    let mut stored = Vec::new();
    let error = hashes(1)
        .find_map(|hash| match filter.insert_hash(hash) {
            Ok(new) => {
                stored.extend(new.then_some(hash));
                None
            }
            Err(error) => Some(error),
        })
        .unwrap();
    // The stages have about 1357, 2779, 5687 and 11642 bits: three of them fit into 2000 bytes, and four do not.
    assert_eq!(filter.stages().count(), 3);
    let GrowError::TooManyBytes { max_bytes, bytes } = error else {
        panic!("{error}");
    };
    assert!(max_bytes == 2_000 && bytes > 2_000);
    let message = format!(
        "stages must take at most 2000 bytes together, but with the next one they would take {bytes}"
    );
    assert_eq!(error.to_string(), message);
    let held = filter.memory_bytes();
    assert!(held <= 2_000);
    assert!(stored.iter().all(|hash| filter.contains_hash(*hash)));
    assert_eq!(filter.inserted_items(), stored.len() as u64);

    let mut saved = filter.to_bytes().unwrap();
    let mut loaded = ScalableBloomFilter::<u64>::from_bytes(&saved).unwrap();
    assert_eq!(loaded.shape().max_bytes(), Some(2_000));
    // A full filter still takes items that set few new bits. `find` looks for an item that the filter refuses.
    let refused = |hash: &u64| filter.clone().insert_hash(*hash).is_err();
    let absent = hashes(9).find(refused).unwrap();
    assert_eq!(loaded.insert_hash(absent), Err(error));
    // Sets the limit in the file to as many bytes as the stages take, and then to one byte less.
    put(&mut saved, 104, held);
    repair_checksum(&mut saved);
    assert!(ScalableBloomFilter::<u64>::from_bytes(&saved).is_ok());
    put(&mut saved, 104, held - 1);
    repair_checksum(&mut saved);
    let refused = ScalableBloomFilter::<u64>::from_bytes(&saved).unwrap_err();
    let number = filter.stages().count() as u32 - 1;
    let error = ShapeError::TooManyBytes {
        stage: number,
        max_bytes: held - 1,
        bytes: held,
    };
    let error = StageError::Shape(error);
    assert_eq!(
        refused,
        LoadError::Stage {
            stage: number,
            error
        }
    );

    // The limit also applies to the first stage, before memory is allocated for it.
    let shape = ScalableShape::new(1 << 50, 0.9).unwrap();
    let error = ScalableBloomFilter::<u64>::new(shape.with_max_bytes(1 << 40).unwrap());
    assert!(matches!(
        error,
        Err(BuildError::Shape(ShapeError::TooManyBytes { stage: 0, .. }))
    ));
    let error = shape.with_max_bytes(0).unwrap_err().to_string();
    assert_eq!(error, "bytes must be at least 1, got 0");
}

#[test]
fn the_error_of_a_stage_under_the_hash_floor_names_the_stage_and_the_given_rate() {
    let message = |shape: ScalableShape| {
        let mut filter = match ScalableBloomFilter::<u64>::new(shape) {
            Ok(filter) => filter,
            Err(error) => return error.to_string(),
        };
        let error = hashes(1).find_map(|hash| filter.insert_hash(hash).err());
        error.unwrap().to_string()
    };
    assert_eq!(
        message(ScalableShape::new(1 << 40, 1e-5).unwrap()),
        "false-positive rate of stage 0 must be at least 5.960e-6 for 1099511627776 items, 100 times \
         the rate of collisions of 64-bit hashes, got 1.500e-6, its share of the rate 1e-5"
    );
    let least = message(ScalableShape::new(1, 5e-324).unwrap());
    assert!(
        least.starts_with("false-positive rate of stage 0"),
        "{least}"
    );
    assert!(
        least.ends_with("got 0.000e0, its share of the rate 5e-324"),
        "{least}"
    );
    let tightest = message(shape(2, 0.25, 2, 5e-324));
    let share =
        tightest.strip_prefix("no further stage can be added: false-positive rate of stage 1");
    assert!(
        share.is_some_and(|share| share.ends_with("got 0.000e0, its share of the rate 2.5e-1")),
        "{tightest}"
    );
}
