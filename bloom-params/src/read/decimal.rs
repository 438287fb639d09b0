//! Computes with decimal numbers of any length, exactly as written. Only the last step, the conversion to `f64`, rounds.

/// A number as written, `digits × 10^exponent`. Its digits have no zero at either end, so the
/// number zero has no digits.
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

    /// Multiplies by a factor of at most 2^60, digit by digit, so that a product of any length is exact.
    pub(crate) fn times(&self, factor: u64) -> Self {
        // A step holds less than ten times the factor: at most 9 times the factor, and a carry below the factor.
        debug_assert!(factor <= 1 << 60);
        let mut carry = 0;
        // The factor has at most 19 digits, so the product has at most 19 more.
        let digits = self.digits.bytes().rev().chain([b'0'; 19]);
        let product: Vec<u8> = digits
            .map(|digit| {
                carry += u64::from(digit - b'0') * factor;
                let last = (carry % 10) as u8;
                carry /= 10;
                b'0' + last
            })
            .collect();
        let digits: String = product.into_iter().rev().map(char::from).collect();
        Self::new(&digits, self.exponent)
    }

    /// Raises this whole number to a power. The result is exact if it is a whole number that fits a `u64`. Otherwise it only
    /// stands for a power that no parameter may have: it is 10^(2^63 - 1), or 10^-(2^63) for a negative exponent.
    pub(crate) fn raised(&self, exponent: i64) -> Self {
        let base = self.whole();
        if exponent == 0 || base == Some(1) {
            return Self::new("1", 0);
        }
        if exponent < 0 {
            return Self::new("1", i64::MIN);
        }
        // Cutting the exponent to `u32` changes no result: powers of 0 are 0, and with an exponent
        // this large, powers of 2 and more overflow anyway.
        let size = u32::try_from(exponent).unwrap_or(u32::MAX);
        let power = base.and_then(|base| base.checked_pow(size));
        power.map_or(Self::new("1", i64::MAX), |power| {
            Self::new(&power.to_string(), 0)
        })
    }

    /// Returns the exponent of the lowest power of ten above the number; the field `exponent` if the number is 0.
    pub(crate) fn magnitude(&self) -> i64 {
        let digits = self.digits.len() as u64;
        self.exponent.saturating_add_unsigned(digits)
    }

    /// Returns the number, if it is whole and fits a `u64`.
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

    /// Returns the part before the point, and whether digits follow the point; `None` if the part does not fit a `u64`.
    pub(crate) fn split(&self) -> Option<(u64, bool)> {
        if self.exponent >= 0 {
            return Some((self.whole()?, false));
        }
        let before = usize::try_from(self.magnitude()).unwrap_or(0);
        let whole = match &self.digits[..before] {
            "" => 0,
            digits => digits.parse().ok()?,
        };
        Some((whole, true))
    }

    /// Returns the nearest `f64`; of two that are equally near, the even one.
    ///
    /// The number is doubled or halved until 64 bits are before the point, so [`times`](Self::times) is enough. The standard
    /// library uses a table of powers instead, with which the calculator page of the book would load 10 kB more.
    pub(crate) fn to_f64(&self) -> f64 {
        match self.magnitude() {
            _ if self.digits.is_empty() => return 0.0,
            ..-330 => return 0.0,
            311.. => return f64::INFINITY,
            _ => {}
        }
        // After the first 800 digits, it matters only whether all others are zeros. They are not, because the last digit of a
        // `Decimal` is no zero. So a 1 stands for them.
        let cut = self.digits.len().saturating_sub(800);
        let mut number = if cut > 0 {
            let kept = &self.digits[..800];
            Self::new(&format!("{kept}1"), self.exponent + cut as i64 - 1)
        } else {
            Self::new(&self.digits, self.exponent)
        };
        // The value is (`whole` + rest) 2^exponent, where the rest is below 1, and above 0 if `more` is true.
        let mut exponent = 0;
        let (whole, more) = loop {
            match number.split() {
                None => {
                    // To halve is to multiply by five and move the point one digit to the left; here 25 times at once.
                    number = number.times(5_u64.pow(25));
                    number.exponent -= 25;
                    exponent += 25;
                }
                Some((whole, more)) if whole >> 63 == 1 || exponent < -1200 => break (whole, more),
                Some((whole, _)) => {
                    let shift = whole.leading_zeros().min(60);
                    number = number.times(1 << shift);
                    exponent -= shift as i32;
                }
            }
        };
        // 53 bits are kept, and fewer if the result is subnormal.
        let drop = (-1074 - exponent).max(11);
        if drop > 64 {
            return 0.0;
        }
        let kept = u128::from(whole) >> drop;
        let rest = (u128::from(whole) << (128 - drop)) | u128::from(more);
        let half = 1 << 127;
        let up = rest > half || rest == half && kept & 1 == 1;
        // The leading bit of a normal number is part of `kept`, and so adds one to the biased exponent.
        let biased = (exponent + drop + 1074) as u64;
        let bits = (biased << 52) + kept as u64 + u64::from(up);
        f64::from_bits(bits.min(f64::INFINITY.to_bits()))
    }
}

/// Returns the `f64` nearest to `top / bottom`, for 0 < `top` < `bottom`.
pub(crate) fn quotient(top: u64, bottom: u64) -> f64 {
    let (top, bottom) = (u128::from(top), u128::from(bottom));
    let shift = top.leading_zeros();
    let numerator = top << shift;
    // The quotient has at least 64 bits, more than an `f64` keeps. Its last bit is the sticky bit, which is set if there is a
    // remainder. So only the conversion rounds.
    let exact = (numerator / bottom) | u128::from(numerator % bottom != 0);
    exact as f64 * f64::from_bits(u64::from(1023 - shift) << 52)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn as_std_parses(digits: &str, exponent: i64) {
        let std: f64 = format!("{digits}e{exponent}").parse().unwrap();
        let own = Decimal::new(digits, exponent).to_f64();
        assert_eq!(own.to_bits(), std.to_bits(), "{digits}e{exponent}");
    }

    #[test]
    fn numbers_are_parsed_as_by_std_at_ties_and_at_both_ends() {
        for (digits, exponent) in [
            ("9007199254740993", 0),
            ("9007199254740995", 0),
            ("90071992547409930000000000000000000000001", -25),
            ("17976931348623157", 292),
            ("17976931348623158079", 289),
            ("179769313486231581", 291),
            ("22250738585072014", -324),
            ("22250738585072011", -324),
            ("24703282292062327", -340),
            ("24703282292062328", -340),
            ("1", 309),
            ("1", i64::MAX),
        ] {
            as_std_parses(digits, exponent);
        }
        // Exactly halfway between two of the smallest `f64`: every digit counts.
        for number in [1_u64, 3, 5, (1 << 53) - 1, (1 << 54) + 2] {
            // number / 2^1075 = number * 5^1075 / 10^1075
            let mut tie = Decimal::new(&number.to_string(), -1075);
            for _ in 0..1075 {
                tie = tie.times(5);
            }
            let (digits, exponent) = (tie.digits.clone(), tie.exponent);
            as_std_parses(&digits, exponent);
            as_std_parses(&format!("{digits}{}1", "0".repeat(900)), exponent - 901);
        }
    }

    proptest! {
        #[test]
        fn numbers_are_parsed_as_by_std(
            digits in "[0-9]{1,40}|[0-9]{700,900}",
            exponent in -400..400_i64,
        ) {
            as_std_parses(&digits, exponent);
            as_std_parses(&digits, exponent - digits.len() as i64);
        }
    }

    /// The expected values are those of exact division. Near the middle between two `f64`, the remainder decides.
    #[test]
    fn a_quotient_is_rounded_once_whatever_follows_its_last_digit() {
        for (top, bottom, nearest) in [
            // Exactly halfway: rounds to the even neighbour, which is below.
            (4_611_686_018_452_670_976, 1 << 63, 0.500_000_000_002_741_1),
            // The next two quotients are a little above halfway. In the first, the 64th bit shows that, and not only the
            // remainder.
            (
                11_964_122_507_074_235_457,
                13_935_500_888_991_235_141,
                0.858_535_520_350_449_1,
            ),
            (
                10_563_312_573_407_487_289,
                12_116_768_281_132_624_443,
                0.871_792_901_235_549_1,
            ),
            (1, 3, 1.0 / 3.0),
            (1, u64::MAX, 1.0 / u64::MAX as f64),
        ] {
            assert_eq!(quotient(top, bottom), nearest, "{top}/{bottom}");
        }
    }

    #[test]
    fn an_exponent_of_any_size_is_read() {
        let read = |exponent| Decimal::new("25", exponent).to_f64();
        assert_eq!(read(-2), 0.25);
        assert_eq!(read(-325), 2.5e-324);
        for exponent in [-326, -402, -403, -70_000, i64::MIN] {
            assert_eq!(read(exponent), 0.0, "{exponent}");
        }
        let zeros = "0".repeat(100_000);
        assert_eq!(
            Decimal::new(&format!("{zeros}125{zeros}"), -100_003).to_f64(),
            0.125
        );
    }
}
