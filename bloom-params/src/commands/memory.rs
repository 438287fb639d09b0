//! How much memory there is, and whether a filter fits in it.

use crate::args::InputError;
use crate::numbers::bytes_of_bits;
use crate::solution::Solution;

/// What is taken for free where the system does not tell.
const UNTOLD: u64 = 4 << 30;

/// Refuses a filter of so many bytes where three quarters of the free memory are less.
pub(super) fn check(solution: &Solution, bytes: u128) -> Result<(), InputError> {
    let free = free_bytes().unwrap_or(UNTOLD);
    if bytes <= u128::from(free / 4 * 3) {
        return Ok(());
    }
    Err(InputError::Unmeasurable {
        reason: format!(
            "the filter needs {}, and {} are free",
            bytes_of_bits(bytes * 8),
            bytes_of_bits(u128::from(free) * 8)
        ),
        hint: super::plan::scaled_down(solution),
    })
}

/// The memory that Linux says is available.
fn free_bytes() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text
        .lines()
        .find(|line| line.starts_with("MemAvailable:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1024)
}
