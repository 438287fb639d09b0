//! Bits in the bytes of a file answer as owned ones do.

use super::*;

/// The little-endian bytes of the words, after `offset` others.
pub(super) fn bytes_of(bits: &Bits, offset: usize) -> Vec<u8> {
    let words = bits.words().iter().flat_map(|word| word.to_le_bytes());
    core::iter::repeat_n(0xff, offset).chain(words).collect()
}

/// Runs every query on the bits in these bytes, with every choice of a kernel.
pub(super) fn check_borrowed(bits: &Bits, bytes: &[u8], k: u8, hashes: &[Mixed]) {
    let expected: Vec<bool> = hashes
        .iter()
        .map(|hash| contains_by_definition(bits, *hash, k))
        .collect();
    for (name, choose) in choices(bits.count) {
        let mut chosen = clear(bits.count);
        choose(&mut chosen);
        let mut borrowed = Bits::of(bytes.as_chunks::<8>().0, bits.count);
        (borrowed.cpu, borrowed.gather) = (chosen.cpu, chosen.gather);
        let what = (name, bits.count, k);
        let mut singly = hashes.iter().map(|hash| borrowed.contains(*hash, k));
        assert!(singly.by_ref().eq(expected.iter().copied()), "{what:?}");
        let mut answers = vec![false; hashes.len()];
        borrowed.contains_each(prehashed(hashes), k, &mut answers);
        assert_eq!(answers, expected, "{what:?}");
        assert_eq!(borrowed.ones(), bits.ones(), "{what:?}");
        assert_eq!(borrowed.is_empty(), bits.is_empty(), "{what:?}");
        assert_eq!(borrowed.memory_bytes(), bits.memory_bytes(), "{what:?}");
    }
}

#[test]
fn bits_in_bytes_answer_alike_at_any_alignment() {
    for (k, count) in [
        (1, 64),
        (3, 1_000),
        (7, 700),
        (9, 4_099),
        (13, 900),
        (17, 2_000),
    ] {
        let mut bits = clear(count);
        let asked = if cfg!(miri) { 12 } else { count / 5 };
        let hashes: Vec<Mixed> = (0..asked).map(mix).collect();
        for hash in &hashes[..hashes.len() / 3] {
            bits.insert(*hash, k);
        }
        for offset in (0..9).step_by(if cfg!(miri) { 5 } else { 1 }) {
            let bytes = bytes_of(&bits, offset);
            check_borrowed(&bits, &bytes[offset..], k, &hashes);
        }
    }
}
