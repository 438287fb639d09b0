//! Tests filters that are queried in the bytes of their file, here called borrowed filters. They answer as the saved filter
//! does, at any alignment of the bytes. Bytes that `from_bytes` refuses are refused when they are opened or when they are
//! verified.

use bloom_core::{
    AnswersError, BlockedBloomFilter, BlockedBloomFilterRef, BloomFilter, BloomFilterRef,
    FilterKind, FixedState, LoadError,
};
use proptest::prelude::*;

use crate::forged::{KINDS, PAYLOAD, put, repair_checksum};
use crate::saved::{GOLDEN, flipped, golden};

/// Runs the body for standard and for blocked filters: `$plain` is a filter that is saved, `$borrowed` queries the saved bytes.
macro_rules! for_each_pair {
    (|$borrowed:ident, $plain:ident| $body:block) => {{
        {
            use BloomFilter as $plain;
            use BloomFilterRef as $borrowed;
            $body
        }
        {
            use BlockedBloomFilter as $plain;
            use BlockedBloomFilterRef as $borrowed;
            $body
        }
    }};
}

#[test]
fn a_borrowed_filter_answers_as_the_saved_one_at_any_alignment() {
    for_each_pair!(|Borrowed, Plain| {
        for (items, rate) in [(1_u64, 0.5), (300, 0.3), (2_000, 0.01), (1_000, 1e-6)] {
            let mut plain = Plain::<u64>::with_rate(items, rate).unwrap();
            plain.extend(0..items);
            let file = plain.to_bytes().unwrap();
            for offset in [0, 1, 3, 8, 63] {
                let mut shifted = vec![0xff; offset];
                shifted.extend(&file);
                let borrowed = Borrowed::<u64>::open(&shifted[offset..]).unwrap();
                assert_eq!(borrowed.verify_checksum(), Ok(()));
                assert_eq!(borrowed.shape(), plain.shape());
                assert_eq!(borrowed.fill(), plain.fill());
                assert_eq!(borrowed.is_empty(), plain.is_empty());
                assert_eq!(borrowed.memory_bytes(), plain.memory_bytes());
                assert_eq!(borrowed.estimated_items(), plain.estimated_items());
                assert_eq!(borrowed.false_positive_rate(), plain.false_positive_rate());
                let expected = plain.expected_false_positive_rate(items);
                assert_eq!(borrowed.expected_false_positive_rate(items), expected);

                let queried: Vec<u64> = (0..3 * items).collect();
                let (mut ours, mut theirs) = (Vec::new(), Vec::new());
                borrowed.contains_many(&queried, &mut ours);
                plain.contains_many(&queried, &mut theirs);
                assert_eq!(ours, theirs);
                assert!(
                    queried
                        .iter()
                        .map(|item| borrowed.contains(item))
                        .eq(theirs.iter().copied())
                );
                ours.fill(false);
                borrowed.contains_many_into(&queried, &mut ours).unwrap();
                assert_eq!(ours, theirs);
                let hashes: Vec<u64> = queried.iter().map(|item| borrowed.hash_of(item)).collect();
                ours.resize(hashes.len(), false);
                borrowed.contains_hashes_into(&hashes, &mut ours).unwrap();
                assert_eq!(ours, theirs);
                ours.fill(false);
                borrowed.contains_hashes_into(&hashes, &mut ours).unwrap();
                assert_eq!(ours, theirs);
                assert_eq!(borrowed.to_plain().unwrap(), plain);
                assert!(borrowed.clone().contains(&0));
            }
        }
    });
}

#[test]
fn opening_reads_no_bits_and_verifying_reads_all() {
    for_each_pair!(|Borrowed, Plain| {
        let mut plain = Plain::<u64>::with_rate(10_000, 0.01).unwrap();
        plain.extend(0..10_000);
        let whole = plain.to_bytes().unwrap();
        for at in [PAYLOAD, PAYLOAD + 4_000, whole.len() - 1] {
            let mut bytes = whole.clone();
            bytes[at] ^= 1;
            let borrowed = Borrowed::<u64>::open(&bytes[..]).unwrap();
            let error = Plain::<u64>::from_bytes(&bytes).unwrap_err();
            assert!(matches!(error, LoadError::Checksum { .. }), "{error}");
            assert_eq!(borrowed.verify_checksum(), Err(error));
            assert_eq!(Borrowed::<u64>::open_verified(&bytes).unwrap_err(), error);
        }
    });
}

/// Opens the bytes as a standard and as a blocked filter. `open_verified` must accept the bytes if and only if `from_bytes`
/// does, and must otherwise return the same error. If the bytes open without being verified, queries one by one and in a batch
/// must return the same answers.
fn check_any(bytes: &[u8]) {
    for_each_pair!(|Borrowed, Plain| {
        let state = FixedState::new();
        let loaded = Plain::<u64>::from_bytes(bytes);
        let verified = Borrowed::<u64>::open_verified(bytes);
        match (&loaded, &verified) {
            (Ok(plain), Ok(borrowed)) => assert_eq!(borrowed.to_plain().unwrap(), *plain),
            (Err(one), Err(other)) => assert_eq!(one, other),
            _ => panic!("{loaded:?}, {verified:?}"),
        }
        match Borrowed::<u64>::open_with_hasher(bytes, state) {
            Ok(borrowed) => {
                let checksum = borrowed.verify_checksum();
                assert_eq!(checksum.err(), loaded.err());
                // The answers may be wrong, but must be the same for single queries and for a batch.
                let answers: Vec<bool> = (0..50).map(|hash| borrowed.contains_hash(hash)).collect();
                let mut batch = Vec::new();
                batch.resize(50, false);
                borrowed
                    .contains_hashes_into(&(0..50).collect::<Vec<u64>>(), &mut batch)
                    .unwrap();
                assert_eq!(answers, batch);
                assert!((0.0..=1.0).contains(&borrowed.fill()));
                assert!((0.0..=1.0).contains(&borrowed.false_positive_rate()));
            }
            Err(_) => assert!(loaded.is_err()),
        }
    });
}

#[test]
fn damaged_golden_files_open_as_they_load() {
    for (name, _) in GOLDEN {
        let whole = golden(name);
        check_any(&whole);
        for length in 0..whole.len() {
            check_any(&whole[..length]);
        }
        for bit in 0..8 * whole.len() {
            let mut bytes = flipped(&whole, bit);
            check_any(&bytes);
            repair_checksum(&mut bytes);
            check_any(&bytes);
        }
        for more in [1, 7, 8, 64, 512] {
            let mut bytes = whole.clone();
            bytes.resize(bytes.len() + more, 0);
            check_any(&bytes);
        }
    }
}

#[test]
fn the_kind_and_the_hasher_must_be_the_expected_ones() {
    for (name, kind) in GOLDEN {
        let bytes = golden(name);
        for_each_pair!(|Borrowed, Plain| {
            let own = std::any::type_name::<Plain<u64>>().contains("::Blocked");
            let requested = if own {
                FilterKind::Blocked
            } else {
                FilterKind::Basic
            };
            match Borrowed::<u64>::open(&bytes[..]) {
                Err(LoadError::Kind {
                    requested: by,
                    stored,
                }) => {
                    assert_eq!((by, stored), (requested, kind), "{name}");
                    assert_ne!(requested, kind, "{name}");
                }
                other => assert_eq!(requested, kind, "{name}: {other:?}"),
            }
        });
    }
    assert_eq!(KINDS.len(), 5);
    let state = FixedState::with_seed(42);
    let filter = BloomFilter::<str, _>::with_rate_and_hasher(100, 0.01, state).unwrap();
    let bytes = filter.to_bytes().unwrap();
    let error = BloomFilterRef::<str>::open(&bytes).unwrap_err();
    assert_eq!(
        error,
        LoadError::Hasher {
            saved_with_default: false
        }
    );
    let opened = BloomFilterRef::<str, _>::open_with_hasher(&bytes, state).unwrap();
    assert_eq!(*opened.hasher(), state);
    assert!(BloomFilterRef::<str, _>::open_verified_with_hasher(&bytes, state).is_ok());
}

#[test]
fn a_batch_needs_a_place_for_each_answer() {
    let plain = BloomFilter::<u64>::with_rate(10, 0.01).unwrap();
    let bytes = plain.to_bytes().unwrap();
    let borrowed = BloomFilterRef::<u64>::open(&bytes).unwrap();
    let mut answers = [true; 3];
    let error = borrowed
        .contains_many_into(&[1, 2], &mut answers)
        .unwrap_err();
    assert_eq!(
        error,
        plain.contains_many_into(&[1, 2], &mut answers).unwrap_err()
    );
    assert_eq!(
        borrowed.contains_hashes_into(&[1, 2], &mut answers),
        Err(error)
    );
    assert_eq!(
        error.to_string(),
        "length of answers must be 2, the number of items, got 3"
    );
    let AnswersError {
        items,
        answers: places,
        ..
    } = error;
    assert_eq!((items, places, answers), (2, 3, [true; 3]));
}

#[test]
fn a_filter_in_memory_is_compatible_if_shape_and_hasher_agree() {
    for_each_pair!(|Borrowed, Plain| {
        let state = FixedState::with_seed(42);
        let with =
            |items, state| Plain::<u64, _>::with_rate_and_hasher(items, 0.01, state).unwrap();
        let plain = with(1_000, state);
        let bytes = plain.to_bytes().unwrap();
        let borrowed = Borrowed::<u64, _>::open_with_hasher(&bytes[..], state).unwrap();
        assert_eq!(borrowed.check_compatible(&plain), Ok(()));
        for other in [with(2_000, state), with(1_000, FixedState::new())] {
            let error = borrowed.check_compatible(&other).unwrap_err();
            assert_eq!(plain.check_compatible(&other), Err(error));
            assert_eq!(plain.clone().union_with(&other), Err(error));
        }
    });
}

#[test]
fn debug_shows_the_shape() {
    let bytes = golden("basic");
    let opened = BloomFilterRef::<u64>::open(&bytes).unwrap();
    let shape = opened.shape();
    let (bits, hashes) = (shape.bits(), shape.hashes());
    let expected = format!("BloomFilter {{ bits: {bits}, hashes: {hashes}, .. }}");
    assert_eq!(format!("{opened:?}"), expected);
    let bytes = golden("blocked");
    let opened = BlockedBloomFilterRef::<u64>::open(&bytes).unwrap();
    let blocks = opened.shape().blocks();
    let expected = format!(
        "BlockedBloomFilter {{ blocks: {blocks}, bits: {}, hashes: 8, .. }}",
        blocks * 512
    );
    assert_eq!(format!("{opened:?}"), expected);
}

proptest! {
    #[test]
    fn any_bytes_open_as_they_load(
        (index, edits) in (0..GOLDEN.len(), prop::collection::vec((any::<u16>(), any::<u64>()), 1..5)),
        mend in any::<bool>(),
    ) {
        let mut bytes = golden(GOLDEN[index].0);
        let last = bytes.len() / 8 - 1;
        for (at, word) in edits {
            put(&mut bytes, usize::from(at) % last * 8, word);
        }
        if mend {
            repair_checksum(&mut bytes);
        }
        check_any(&bytes);
    }
}
