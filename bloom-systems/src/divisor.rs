//! Computes remainders by a divisor that is known in advance, such as the bits of a filter. Multiplications take the place of
//! divisions, which took more time than everything else in a query of the filter.
//!
//! With the number c, the divisor m, and M = floor((2^64 - 1) / m):
//!
//! ```text
//! any c:             q = floor(c M / 2^64),  r = c - q m,  less m if r >= m
//! c < 2^31, m <= 2^31:  r = floor(((c (M + 1)) mod 2^64) m / 2^64)
//! ```
//!
//! In the first line, M >= 2^64/m - 1, so that c M / 2^64 > c/m - 1, and q is the quotient or one less. In the second line,
//! (M + 1) m = 2^64 + e with 0 <= e < m. So the result is floor(r + c e / 2^64) for the remainder r. This is r itself, because
//! c e < 2^62. Both lines are exact.
//!
//! Sources: Barrett (1986); Lemire, Kaser and Kurz (2019), *Faster remainder by direct computation*.

/// A divisor with its reciprocal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Divisor {
    divisor: u64,
    reciprocal: u64,
}

impl Divisor {
    /// Prepares a divisor, which is at least 1.
    pub const fn new(divisor: u64) -> Self {
        let reciprocal = u64::MAX / divisor;
        Self {
            divisor,
            reciprocal,
        }
    }

    /// Returns `number` modulo the divisor.
    #[inline]
    pub fn remainder(self, number: u64) -> u64 {
        let rest = number - high(number, self.reciprocal) * self.divisor;
        // There is no branch, because a processor could not predict whether `rest` is too large.
        rest.min(rest.wrapping_sub(self.divisor))
    }

    /// Returns a number from -2^31 to 2^31 modulo the divisor, which is at most 2^62.
    #[inline]
    pub(crate) fn remainder_of_signed(self, number: i64) -> u64 {
        // This multiple of the divisor is at least 2^31, so the sum is not negative. There is no branch, because a
        // processor could not predict the sign.
        let more = self.divisor << 31_u32.saturating_sub(self.divisor.ilog2());
        self.remainder(more.wrapping_add_signed(number))
    }

    /// Returns the sum of two remainders modulo the divisor.
    #[inline]
    pub fn sum(self, one: u64, other: u64) -> u64 {
        let sum = one + other;
        sum.min(sum.wrapping_sub(self.divisor))
    }

    /// Returns a divisor of at most 2^31 that leaves the same remainders of numbers below 2^31 as this divisor.
    #[inline]
    pub(crate) fn narrow(self) -> NarrowDivisor {
        const REACH: Divisor = Divisor::new(1 << 31);
        NarrowDivisor(if self.divisor > REACH.divisor {
            REACH
        } else {
            self
        })
    }
}

/// A divisor of at most 2^31.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NarrowDivisor(Divisor);

impl NarrowDivisor {
    /// Returns `number`, which is below 2^31, modulo the divisor.
    #[inline]
    pub(crate) fn remainder(self, number: u32) -> u64 {
        let Divisor {
            divisor,
            reciprocal,
        } = self.0;
        // For the divisor 1, the sum of the reciprocal and 1 wraps to 0, which gives the remainder 0.
        high(
            reciprocal.wrapping_add(1).wrapping_mul(number.into()),
            divisor,
        )
    }
}

/// Returns the upper half of a product.
#[inline]
fn high(a: u64, b: u64) -> u64 {
    ((u128::from(a) * u128::from(b)) >> 64) as u64
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    /// Calls a function with pairs of a divisor and a number. Both are random with all bit lengths,
    /// or next to a power of two. Further numbers are next to multiples of the divisor.
    fn each(mut check: impl FnMut(u64, u64)) {
        let mut state = 1_u64;
        let mut random = |bits: u32| {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            state.rotate_right(23) >> (64 - bits)
        };
        let beside = |number: u64| [-1_i64, 0, 1].map(|by| number.wrapping_add_signed(by));
        let powers: Vec<u64> = (0..64).flat_map(|bit| beside(1 << bit)).collect();
        let lengths = (1..=64).cycle().take(64 * 200);
        let divisors: Vec<u64> = lengths.map(&mut random).chain(powers.clone()).collect();
        for divisor in divisors.into_iter().filter(|&divisor| divisor > 0) {
            let some = (1..=64).map(&mut random).collect::<Vec<u64>>();
            let multiples = some
                .iter()
                .flat_map(|number| beside(number / divisor * divisor));
            let ends = beside(u64::MAX / divisor * divisor)
                .into_iter()
                .chain([0, u64::MAX]);
            let numbers = some.iter().copied().chain(multiples).chain(ends);
            for number in numbers.chain(powers.iter().copied()) {
                check(divisor, number);
            }
        }
    }

    #[test]
    fn remainders_are_those_of_a_division() {
        each(|divisor, number| {
            let remainder = Divisor::new(divisor).remainder(number);
            assert_eq!(remainder, number % divisor, "{number} mod {divisor}");
        });
    }

    #[test]
    fn remainders_of_signed_numbers_and_sums_are_those_of_a_division() {
        each(|divisor, number| {
            let divisor = divisor.min(1 << 62);
            let bits = Divisor::new(divisor);
            for number in [i64::from(number as i32), -(1 << 31), 1 << 31] {
                let expected = i128::from(number).rem_euclid(divisor.into());
                assert_eq!(i128::from(bits.remainder_of_signed(number)), expected);
            }
            let (one, other) = (number % divisor, (number >> 7) % divisor);
            assert_eq!(bits.sum(one, other), (one + other) % divisor);
        });
    }

    #[test]
    fn remainders_of_31_bits_are_those_of_a_division() {
        each(|divisor, number| {
            for number in [number >> 33, number & 0x7fff_ffff] {
                let remainder = Divisor::new(divisor).narrow().remainder(number as u32);
                assert_eq!(remainder, number % divisor, "{number} mod {divisor}");
            }
        });
    }
}
