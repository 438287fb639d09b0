//! Contains three small operations of queries in assembly, because the compiler makes slower code
//! from them in Rust. Architectures other than x86-64, and Miri, use the operations in Rust.
#![allow(unsafe_code)]

/// Returns the XOR of the two halves of the 128-bit product of two integers, as
/// [`probe::fold`](crate::probe::fold) does.
///
/// A filter folds each hash 0, 1 or 2 times. When the compiler measures the length of a loop, it
/// counts a piece of assembly as one instruction, so the multiplication and the XOR count as one. A
/// loop of queries is then short enough for the compiler to make a copy of it for each number of
/// folds. If the loop branched on the number of folds instead, a query of a blocked filter would
/// take 1.35 ns instead of 1.21 (Zen 5).
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

/// Returns `word`, behind an optimization barrier that keeps the compiler from putting it into a
/// vector.
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

/// Returns `answer` by a branch, for a single query of a filter that is larger than the caches. The
/// filter has bits or counters that are not divided into blocks.
///
/// The processor predicts the branch, so code that depends on the answer, like the caller's next
/// query, starts before the last word of this query arrives. In a filter of 2e7 items, a query that
/// depends on the previous answer takes 55 ns with the branch and 84 without at a rate of 1 %, and
/// 75 and 106 ns at 0.1 % (Xeon, AVX-512). Queries that do not depend on the previous answer take
/// the same time with and without this branch, because every query already branches on all words
/// before the last.
///
/// A query of a blocked filter reads a single cache line, so it answers without a branch: see the
/// trade-offs in `bench/LIMITS.md`.
///
/// The branch is assembly, because the compiler would replace a branch in Rust by the answer
/// itself.
#[inline]
pub(super) fn predicted(answer: bool) -> bool {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    {
        let mut answer = u32::from(answer);
        // SAFETY: the assembly reads and writes only a register.
        unsafe {
            core::arch::asm!(
                "test {answer:e}, {answer:e}",
                // Each path writes a constant, so later code does not wait for the value of the answer.
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
