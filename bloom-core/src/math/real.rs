//! Contains the elementary functions that the formulas share, built on `libm`.

/// The leading 32 bits of ln 2. The product of this number with an integer below 2^21 is exact.
pub(super) const LN_2_HIGH: f64 = f64::from_bits(0x3fe6_2e42_fee0_0000);

/// ln 2 - [`LN_2_HIGH`].
pub(super) const LN_2_LOW: f64 = 1.908_214_929_270_587_7e-10;

/// Returns ln(1 - e^-x) for x >= 0 without cancellation; minus infinity for x = 0.
///
/// Source: Mächler (2012), *Accurately computing log(1 - exp(-|a|))*.
pub(super) fn ln_one_minus_exp(x: f64) -> f64 {
    if x > core::f64::consts::LN_2 {
        libm::log1p(-libm::exp(-x))
    } else {
        libm::log(-libm::expm1(-x))
    }
}

/// Returns k × n, the number of throws: each of the k hashes of an item sets (is "thrown at") one
/// random bit. The result is a float, because the product may not fit in a `u64`.
pub(super) fn throws(items: u64, hashes: u32) -> f64 {
    (u128::from(items) * u128::from(hashes)) as f64
}

/// Returns ln((1 - 1/m)^throws), the logarithm of the expected share of clear bits among m = `bits`
/// bits.
///
/// The formula is exact. For m = 1 and at least one throw, the result is minus infinity, because
/// the first throw sets the only bit.
pub(super) fn ln_clear(throws: f64, bits: u64) -> f64 {
    throws * libm::log1p(-1.0 / bits as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_logarithm_keeps_its_digits_at_both_ends() {
        for x in [40.0, 100.0, 700.0] {
            let (got, expected) = (ln_one_minus_exp(x), -libm::exp(-x));
            assert!((got / expected - 1.0).abs() < 1e-15, "{x}: {got}");
        }
        for x in [1e-20, 1e-300] {
            let (got, expected) = (ln_one_minus_exp(x), libm::log(x));
            assert!((got / expected - 1.0).abs() < 1e-15, "{x}: {got}");
        }
    }
}
