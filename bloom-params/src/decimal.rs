//! Numbers as written, of any length: nothing is lost before the one rounding to `u64` or `f64`.

/// A number as written, `digits × 10^exponent`, with no zero at either end of its digits (so none
/// at all for zero).
pub(crate) struct Decimal {
    digits: String,
    pub(crate) exponent: i64,
}

impl Decimal {
    pub(crate) fn new(digits: &str, exponent: i64) -> Self {
        let trimmed = digits.trim_end_matches('0');
        let zeros = digits.len() - trimmed.len();
        let exponent = exponent.saturating_add_unsigned(zeros as u64);
        let digits = trimmed.trim_start_matches('0').to_owned();
        Self { digits, exponent }
    }

    /// Multiplies digit by digit, so that no length of number loses anything.
    pub(crate) fn times(&self, factor: u64) -> Self {
        let mut carry = 0;
        // A factor has 20 digits at most, and so the product no more in addition.
        let digits = self.digits.bytes().rev().chain([b'0'; 20]);
        let product: Vec<u8> = digits
            .map(|digit| {
                carry += u128::from(digit - b'0') * u128::from(factor);
                let last = (carry % 10) as u8;
                carry /= 10;
                b'0' + last
            })
            .collect();
        let digits: String = product.into_iter().rev().map(char::from).collect();
        Self::new(&digits, self.exponent)
    }

    /// The power with this whole number as base. One that no `u64` holds is answered at once with
    /// a number as far out of range.
    pub(crate) fn raised(&self, exponent: i64) -> Self {
        let base = self.whole();
        if exponent == 0 || base == Some(1) {
            return Self::new("1", 0);
        }
        if exponent < 0 {
            return Self::new("1", i64::MIN);
        }
        // Only 0 as base has a power this high, and it is the same one.
        let size = u32::try_from(exponent).unwrap_or(u32::MAX);
        let power = base.and_then(|base| base.checked_pow(size));
        power.map_or(Self::new("1", i64::MAX), |power| {
            Self::new(&power.to_string(), 0)
        })
    }

    /// The power of ten just above the number.
    pub(crate) fn magnitude(&self) -> i64 {
        let digits = self.digits.len() as u64;
        self.exponent.saturating_add_unsigned(digits)
    }

    /// The number, if a `u64` holds it.
    pub(crate) fn whole(&self) -> Option<u64> {
        if self.digits.is_empty() {
            return Some(0);
        }
        if self.exponent < 0 || self.magnitude() > 20 {
            return None;
        }
        let zeros = "0".repeat(self.exponent as usize);
        format!("{}{zeros}", self.digits).parse().ok()
    }

    /// The nearest `f64`, for a number above 0 and below 1.
    pub(crate) fn to_f64(&self) -> f64 {
        // The standard parser is exact for digits of any number, but not for exponents of any size.
        if self.magnitude() < -400 {
            return 0.0;
        }
        let text = format!("0.{}e{}", self.digits, self.magnitude());
        text.parse().unwrap_or(0.0)
    }
}

/// The `f64` nearest to `top / bottom`, for 0 < `top` < `bottom`.
pub(crate) fn quotient(top: u64, bottom: u64) -> f64 {
    let (top, bottom) = (u128::from(top), u128::from(bottom));
    let shift = top.leading_zeros();
    let numerator = top << shift;
    // The quotient has 64 bits or more, so its last bit only says whether anything follows: with the
    // remainder folded into it, the one rounding is that of the conversion.
    let exact = (numerator / bottom) | u128::from(numerator % bottom != 0);
    exact as f64 * f64::from_bits(u64::from(1023 - shift) << 52)
}
