//! Contains operations in assembly, because the compiler makes slower code of the same operations
//! in Rust. Architectures other than x86-64, and Miri, use the operations in Rust.
#![allow(unsafe_code)]

/// Returns the XOR of the two halves of the 128-bit product of two integers, as
/// [`probe::fold`](crate::probe::fold) does.
///
/// When the compiler measures the length of a loop, it counts a piece of assembly as one instruction, so the
/// multiplication and the XOR count as one. A loop of queries is then short enough for the compiler to make a copy of it for
/// each number of folds. If the loop branched on the number of folds instead, a query of blocks would take 1.35 ns instead of
/// 1.21 (Zen 5).
#[allow(clippy::inline_always)]
#[inline(always)]
pub(crate) fn fold(one: u64, other: u64) -> u64 {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    {
        let folded;
        // SAFETY: the assembly reads and writes only registers.
        unsafe {
            core::arch::asm!(
                "mul {other}",
                "xor rax, rdx",
                other = in(reg) other,
                inout("rax") one => folded,
                out("rdx") _,
                options(pure, nomem, nostack),
            );
        }
        folded
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    crate::probe::fold(one, other)
}

/// Returns its argument, behind an optimization barrier that keeps it out of vectors.
///
/// Without the barrier, the compiler hashes several items in one vector, but extracts each item for its multiplication
/// and reinserts it. The compiler also combines words of several hashes in a vector to test them. Both are slower than
/// scalar code.
#[allow(clippy::inline_always)]
#[inline(always)]
pub(super) fn scalar(word: u64) -> u64 {
    #[cfg(all(target_arch = "x86_64", not(miri), not(bloom_vectors = "none")))]
    // SAFETY: the assembly is a comment.
    unsafe {
        core::arch::asm!("/* {} */", in(reg) word, options(nomem, nostack, preserves_flags));
    }
    word
}

/// Returns the answer of a single query of cells out of cache, by a branch.
///
/// The processor predicts the branch, so whatever depends on the answer, like the caller's next
/// query, starts before the last word of this query arrives. In a filter of 2e7 items a query that
/// depends on the previous answer takes 55 ns instead of 84 at a rate of 1 %, and 75 instead of 106
/// at 0.1 % (Xeon, AVX-512). Other queries take the same time with and without this branch, because
/// every query already branches on the words before the last.
///
/// A query of blocks reads a single line, so it answers without a branch: see the trade-offs in `bench/LIMITS.md`.
///
/// The branch is assembly, so that the compiler cannot replace it by the answer itself.
#[inline]
pub(super) fn predicted(answer: bool) -> bool {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    {
        let mut answer = u32::from(answer);
        // SAFETY: the assembly reads and writes only a register.
        unsafe {
            core::arch::asm!(
                "test {answer:e}, {answer:e}",
                // What follows no longer depends on the old answer.
                "je 3f",
                "mov {answer:e}, 1",
                "jmp 4f",
                "3:",
                "xor {answer:e}, {answer:e}",
                "4:",
                answer = inout(reg) answer,
                options(pure, nomem, nostack),
            );
        }
        answer != 0
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    {
        answer && core::hint::black_box(true)
    }
}
