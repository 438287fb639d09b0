//! Tests filters in the bytes of a file: a file is filled in place, its bytes are owned by the filter or read piece by piece,
//! and damaged bytes are refused.

use super::*;
use crate::saved::flipped;

/// Returns memory of at least this many bytes that starts on a cache line. Its bits are set.
fn aligned(bytes: u64) -> Vec<Block> {
    vec![Block::from([u64::MAX; 8]); bytes.div_ceil(64) as usize]
}

#[test]
fn a_file_filled_in_place_is_the_file_of_the_filter_on_the_heap() {
    macro_rules! check {
        ($filter:ident, $shape:expr, $bits:expr) => {{
            let length = file_bytes($bits) as usize;
            let mut memory = aligned(length as u64);
            let file = &mut Block::bytes_of_mut(&mut memory)[..length];
            let mut owned = $filter::<u64>::new($shape).unwrap();
            let mut mapped = $filter::<u64, _, _>::create_file($shape, file).unwrap();
            fill_alike(&mut mapped, &mut owned);
            mapped.seal();
            let file = &mut Block::bytes_of_mut(&mut memory)[..length];
            assert!(
                file == &owned.to_bytes().unwrap()[..],
                "the file differs from that of the filter on the heap"
            );

            // The file is reopened, and one more item is inserted.
            let mut mapped = $filter::<u64, _, _>::reopen_file(file).unwrap();
            mapped.insert(&77_777);
            owned.insert(&77_777);
            assert!(mapped.contains(&77_777));
            mapped.seal();
            let file = &Block::bytes_of_mut(&mut memory)[..length];
            assert!(
                file == &owned.to_bytes().unwrap()[..],
                "the file differs from that of the filter on the heap"
            );
        }};
    }
    if cfg!(target_endian = "big") {
        let length = file_bytes(shape().bits());
        let mut memory = aligned(length);
        let file = &mut Block::bytes_of_mut(&mut memory)[..length as usize];
        let refused = BloomFilter::<u64, _, _>::create_file(shape(), file).unwrap_err();
        assert_eq!(refused, FileError::BigEndian);
        return;
    }
    check!(BloomFilter, shape(), shape().bits());
    check!(PartitionedBloomFilter, shape(), shape().bits());
    check!(CountingBloomFilter, shape(), 4 * shape().bits());
    check!(BlockedBloomFilter, blocks(), blocks().bits());
}

/// If a hasher is passed to the constructor, filters in an array and in a file set the same bits as a filter on the heap, and
/// fold (mix) each hash twice.
#[test]
fn other_memory_takes_other_hashers_too() {
    let state = FixedState::with_seed(7);
    let mut owned = BloomFilter::<u64, _>::with_hasher(shape(), state).unwrap();
    let mut array = BloomFilter::<u64, _, _>::with_hasher_in(shape(), [0; 60], state).unwrap();
    fill_alike(&mut array, &mut owned);
    assert_eq!(array.hash_quality(), HashQuality::Any);
    assert_eq!(array.to_plain().unwrap(), owned);
    if cfg!(target_endian = "big") {
        return;
    }
    let length = file_bytes(shape().bits()) as usize;
    let mut memory = aligned(length as u64);
    let mut owned = BloomFilter::<u64, _>::with_hasher(shape(), state).unwrap();
    let file = &mut Block::bytes_of_mut(&mut memory)[..length];
    let create = BloomFilter::<u64, _, _>::create_file_with_hasher;
    let mut mapped = create(shape(), file, state).unwrap();
    fill_alike(&mut mapped, &mut owned);
    mapped.seal();
    let file = &mut Block::bytes_of_mut(&mut memory)[..length];
    let wrong = BloomFilter::<u64, _, _>::reopen_file(file).unwrap_err();
    let saved_with_default = false;
    assert_eq!(wrong, LoadError::Hasher { saved_with_default }.into());
    let mut mapped = BloomFilter::<u64, _, _>::reopen_file_with_hasher(file, state).unwrap();
    assert_eq!(mapped.insert(&77_777), owned.insert(&77_777));
    mapped.seal();
    let file = &Block::bytes_of_mut(&mut memory)[..length];
    assert!(
        file == &owned.to_bytes().unwrap()[..],
        "the file differs from that of the filter on the heap"
    );
}

#[cfg(target_endian = "little")]
#[test]
fn a_file_open_for_writing_opens_nowhere_until_it_is_sealed() {
    let length = file_bytes(shape().bits()) as usize;
    let mut memory = aligned(length as u64);
    let whole = BloomFilter::<u64>::new(shape())
        .unwrap()
        .to_bytes()
        .unwrap();
    for reopened in [false, true] {
        let file = &mut Block::bytes_of_mut(&mut memory)[..length];
        let mut mapped = if reopened {
            file.copy_from_slice(&whole);
            BloomFilter::<u64, _, _>::reopen_file(file).unwrap()
        } else {
            BloomFilter::<u64, _, _>::create_file(shape(), file).unwrap()
        };
        mapped.insert(&1);
        // The file is not sealed, as if the program had ended here.
        let file = &mut Block::bytes_of_mut(&mut memory)[..length];
        for error in [
            BloomFilter::<u64>::from_bytes(file).unwrap_err(),
            BloomFilterRef::<u64>::open(file).unwrap_err(),
            BloomFilterRef::<u64>::open_verified(file).unwrap_err(),
        ] {
            assert_eq!(error, LoadError::Unsealed, "{reopened}");
            assert!(
                error.to_string().starts_with("file must be sealed"),
                "{error}"
            );
        }
        let refused = BloomFilter::<u64, _, _>::reopen_file(file).unwrap_err();
        assert_eq!(refused, FileError::Load(LoadError::Unsealed));
    }
}

#[cfg(target_endian = "little")]
#[test]
fn a_file_of_another_length_or_alignment_is_refused_with_its_value() {
    let expected = file_bytes(shape().bits());
    let mut memory = aligned(expected + 192);
    let bytes = Block::bytes_of_mut(&mut memory);
    let blocks = BlockedShape::new(2).unwrap();
    let of_blocks = file_bytes(blocks.bits());
    for by in [-8, -4, -1, 1, 4, 8, 64] {
        let got = expected.checked_add_signed(by).unwrap();
        let file = &mut bytes[..got as usize];
        let error = BloomFilter::<u64, _, _>::create_file(shape(), file).unwrap_err();
        assert_eq!(error, FileError::Length { expected, got });
        let (expected, got) = (of_blocks, of_blocks.checked_add_signed(by).unwrap());
        let file = &mut bytes[..got as usize];
        let error = BlockedBloomFilter::<u64, _, _>::create_file(blocks, file).unwrap_err();
        assert_eq!(error, FileError::Length { expected, got });
    }
    for got in [0, 135, 136] {
        let file = &mut bytes[..got as usize];
        let error = BloomFilter::<u64, _, _>::create_file(shape(), file).unwrap_err();
        assert_eq!(error, FileError::Length { expected, got });
    }
    for offset in [1, 8, 32, 63] {
        let file = &mut bytes[offset..][..expected as usize];
        let error = BloomFilter::<u64, _, _>::create_file(shape(), file).unwrap_err();
        assert_eq!(error, FileError::Alignment { offset });
        let text = "bytes must start at an address that is a multiple of 64";
        assert!(error.to_string().starts_with(text), "{error}");
    }
}

#[test]
fn bytes_that_a_filter_owns_answer_as_borrowed_ones() {
    let mut owned = BloomFilter::<u64>::with_rate(ITEMS, 0.01).unwrap();
    owned.extend(0..ITEMS);
    let mut blocked = BlockedBloomFilter::<u64>::with_rate(ITEMS, 0.01).unwrap();
    blocked.extend(0..ITEMS);
    let (file, lines) = (owned.to_bytes().unwrap(), blocked.to_bytes().unwrap());
    macro_rules! check {
        ($bytes:ty, $from:expr) => {{
            let saved = BloomFilter::<u64, FixedState, Saved<$bytes>>::open($from(&file)).unwrap();
            // The filter may be moved, even to another thread.
            let saved = std::thread::spawn(move || saved).join().unwrap();
            saved.verify_checksum().unwrap();
            assert!((0..3_000).all(|item| saved.contains(&item) == owned.contains(&item)));
            assert_eq!(saved.to_plain().unwrap(), owned);
            let saved =
                BlockedBloomFilter::<u64, FixedState, Saved<$bytes>>::open_verified($from(&lines))
                    .unwrap();
            assert!((0..3_000).all(|item| saved.contains(&item) == blocked.contains(&item)));
        }};
    }
    check!(Vec<u8>, |file: &Vec<u8>| file.clone());
    check!(Box<[u8]>, |file: &Vec<u8>| file.clone().into_boxed_slice());
    check!(Arc<[u8]>, |file: &Vec<u8>| Arc::from(&file[..]));
}

/// Bytes that break the promise of `StableBytes`: they become fewer after a filter has opened them.
#[allow(unsafe_code)]
mod shrinking {
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    use bloom_core::StableBytes;

    pub(super) struct Shrinking(pub(super) Vec<u8>, pub(super) AtomicUsize);

    // SAFETY: this implementation breaks the promise on purpose. The filter must notice that the bytes become fewer.
    unsafe impl StableBytes for Shrinking {
        fn bytes(&self) -> &[u8] {
            &self.0[..self.1.load(Relaxed)]
        }
    }
}

#[test]
#[should_panic(expected = "the bytes of the filter have become fewer since it was opened")]
fn bytes_that_shrink_are_noticed_before_they_are_read() {
    let file = BloomFilter::<u64>::new(shape())
        .unwrap()
        .to_bytes()
        .unwrap();
    let length = file.len();
    let bytes = shrinking::Shrinking(file, length.into());
    let saved = BloomFilter::<u64, FixedState, Saved<_>>::open(bytes).unwrap();
    assert!(!saved.contains(&1));
    saved
        .bytes()
        .1
        .store(200, std::sync::atomic::Ordering::Relaxed);
    let _ = saved.contains(&1);
}

#[test]
fn a_filter_read_piece_by_piece_is_the_one_loaded_at_once() {
    macro_rules! check {
        ($filter:ident, $items:expr) => {
            check!($filter, $items, $items)
        };
        ($filter:ident, $expected:expr, $items:expr) => {{
            let mut owned = $filter::<u64>::with_rate($expected, 0.01).unwrap();
            let items: Vec<u64> = (0..$items).collect();
            owned.try_insert_many(&items).unwrap();
            let file = owned.to_bytes().unwrap();
            let followed = [&file[..], b"more"].concat();
            let mut source = &followed[..];
            let read = $filter::<u64>::read_from(|bytes| source.read_exact(bytes)).unwrap();
            assert!(read == owned && source == b"more");

            // For damaged bytes, `read_from` returns the same error as `from_bytes`.
            for at in (0..file.len()).step_by(1 + file.len() / 400) {
                let mut damaged = file.clone();
                damaged[at] ^= 1 << (at % 8);
                let mut source = &damaged[..];
                let read = $filter::<u64>::read_from(|bytes| source.read_exact(bytes));
                let Err(ReadError::Load(error)) = read else {
                    // If damage makes a length too large, `read_from` notices it only when the source has no more bytes.
                    assert!(matches!(read, Err(ReadError::Source(_))), "byte {at}");
                    continue;
                };
                assert_eq!(
                    error,
                    $filter::<u64>::from_bytes(&damaged).unwrap_err(),
                    "byte {at}"
                );
            }
            for length in [0, 127, 128, 136, file.len() - 1] {
                let mut source = &file[..length];
                let read = $filter::<u64>::read_from(|bytes| source.read_exact(bytes));
                assert!(matches!(read, Err(ReadError::Source(_))), "{length} bytes");
            }
        }};
    }
    check!(BloomFilter, 20_000);
    check!(BloomFilter, 3);
    check!(BlockedBloomFilter, 20_000);
    check!(PartitionedBloomFilter, 500);
    check!(CountingBloomFilter, 500);
    check!(ScalableBloomFilter, 3, 0);
    check!(ScalableBloomFilter, 200, 20_000);
}

#[test]
fn damage_of_a_header_is_found_in_place_wherever_it_is() {
    let mut filter = BloomFilter::<u64>::with_rate(ITEMS, 0.01).unwrap();
    filter.extend(0..ITEMS);
    let file = filter.to_bytes().unwrap();
    for bit in 0..8 * 128 {
        let error = BloomFilterRef::<u64>::open(&flipped(&file, bit)).err();
        let named = match bit / 8 {
            0..8 => matches!(error, Some(LoadError::Magic(_))),
            8..10 => matches!(error, Some(LoadError::Version(_))),
            10..120 => matches!(error, Some(LoadError::HeaderChecksum { .. })),
            _ => matches!(error, Some(LoadError::Byte { .. })),
        };
        assert!(named, "bit {bit}: {error:?}");
    }
    let mut blocked = BlockedBloomFilter::<u64>::with_rate(ITEMS, 0.01).unwrap();
    blocked.extend(0..ITEMS);
    let file = blocked.to_bytes().unwrap();
    for bit in 0..8 * 128 {
        let damaged = flipped(&file, bit);
        assert!(
            BlockedBloomFilterRef::<u64>::open(&damaged).is_err(),
            "bit {bit}"
        );
    }
    // Damage after the header is found by `open_verified`, which compares the checksum of the file.
    for bit in 8 * 128..8 * file.len() {
        let damaged = flipped(&file, bit);
        let error = BlockedBloomFilterRef::<u64>::open_verified(&damaged).unwrap_err();
        assert!(
            matches!(error, LoadError::Checksum { .. }),
            "bit {bit}: {error}"
        );
    }
}
