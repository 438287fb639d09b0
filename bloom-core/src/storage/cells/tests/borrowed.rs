//! Checks that cells (bits or counters) in bytes, as they are in a file, give the same answers as
//! cells on the heap.

use super::*;

/// Returns `offset` bytes of 255, and after them the little-endian bytes of the words.
pub(super) fn bytes_of<L: Layout>(cells: &Cells<L>, offset: usize) -> Vec<u8> {
    let words = cells.words().iter().flat_map(|word| word.to_le_bytes());
    core::iter::repeat_n(0xff, offset).chain(words).collect()
}

/// Checks the answers of the cells in `bytes`, which are the bytes of `cells`. Uses the kernels
/// (functions that test the cells of a hash) of every instruction set of this machine, both those
/// for filters in cache and those for larger ones (`far`).
pub(super) fn check_borrowed<L: Defined>(cells: &Cells<L>, bytes: &[u8], hashes: &[Mixed]) {
    for (name, cpu) in levels() {
        for far in [false, true] {
            let words = bytes.as_chunks::<8>().0;
            let mut borrowed = Cells::<L, _>::of(words, cells.shape(), cells.width);
            borrowed.choose(cpu, far);
            let what = (name, far, cells.shape());
            check_answers(what, &borrowed, hashes, |hash| {
                contains_by_definition(cells, hash)
            });
            assert_eq!(borrowed.ones(), cells.ones(), "{what:?}");
            assert_eq!(borrowed.is_empty(), cells.is_empty(), "{what:?}");
            assert_eq!(borrowed.memory_bytes(), cells.memory_bytes(), "{what:?}");
        }
    }
}

fn cells_in_bytes_answer_alike<L: Defined>() {
    for (k, count) in [
        (1, 64),
        (3, 1_000),
        (7, 700),
        (9, 4_099),
        (13, 900),
        (17, 2_000),
        (7, FAR),
    ] {
        for width in L::WIDTHS.iter().copied() {
            let mut cells = clear::<L>(count, k, width);
            let queried = if cfg!(miri) {
                12
            } else {
                (count / 5).min(1_000)
            };
            let hashes: Vec<Mixed> = (0..queried).map(mix).collect();
            cells.insert_each(prehashed(&hashes[..hashes.len() / 3]));
            for offset in (0..9).step_by(if cfg!(miri) { 5 } else { 1 }) {
                let bytes = bytes_of(&cells, offset);
                check_borrowed(&cells, &bytes[offset..], &hashes);
            }
        }
    }
}

#[test]
fn cells_in_bytes_answer_alike_at_any_alignment() {
    cells_in_bytes_answer_alike::<Anywhere>();
    cells_in_bytes_answer_alike::<Sliced>();
    cells_in_bytes_answer_alike::<Counted>();
}
