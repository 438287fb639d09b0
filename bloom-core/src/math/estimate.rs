//! How many items a filter holds, read off its bits.

use super::error::{MathError, check_size};

/// An estimate of a number of items.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The estimated number of distinct items.
    pub items: f64,
    /// Its standard deviation.
    pub standard_deviation: f64,
}

/// Returns the number of distinct items that explains `ones` set bits, with its standard
/// deviation; `None` where every bit is set, for then any large number explains it.
///
/// ```text
/// n = ln(1 - X/m) / (k ln(1 - 1/m)),  sd = sqrt(m (e^a - 1 - a)) / k,  a = -ln(1 - X/m)
/// ```
///
/// n inverts the expected number of set bits exactly; the standard deviation is asymptotic in m.
/// Sources: Swamidass and Baldi (2007); Whang, Vander-Zanden and Taylor (1990) for the deviation.
///
/// # Errors
///
/// `bits` must be from 1 to 2^63, `hashes` at least 1 and `ones` at most `bits`.
///
/// # Examples
///
/// ```
/// use bloom_core::math::estimate_items;
///
/// let estimate = estimate_items(10_000, 7, 5_034)?.expect("not every bit is set");
/// assert!((estimate.items - 1_000.0).abs() < 1.0);
/// assert_eq!(estimate_items(64, 3, 64)?, None);
/// # Ok::<(), bloom_core::math::MathError>(())
/// ```
pub fn estimate_items(bits: u64, hashes: u8, ones: u64) -> Result<Option<Estimate>, MathError> {
    check_size(bits, hashes)?;
    if ones > bits {
        return Err(MathError::TooManyOnes { ones, bits });
    }
    if ones == 0 {
        return Ok(Some(Estimate {
            items: 0.0,
            standard_deviation: 0.0,
        }));
    }
    if ones == bits {
        return Ok(None);
    }
    let (m, k) = (bits as f64, f64::from(hashes));
    let load = -libm::log1p(-(ones as f64) / m);
    let items = load / (-k * libm::log1p(-1.0 / m));
    // e^a - 1 - a, by its series where the difference would cancel.
    let spread = if load < 1e-4 {
        load * load / 2.0 * (1.0 + load / 3.0 * (1.0 + load / 4.0))
    } else {
        libm::expm1(load) - load
    };
    Ok(Some(Estimate {
        items,
        standard_deviation: libm::sqrt(m * spread) / k,
    }))
}
