//! Checks whether a filter fits in the free memory.

use crate::answer::Solution;
use crate::error::InputError;
use crate::say::numbers::bytes_of_bits;

/// The free memory to assume where the operating system does not report it.
const ASSUMED: u64 = 4 << 30;

/// Refuses a filter of `bytes` bytes if that is more than three quarters of the free memory.
pub(super) fn check(solution: &Solution, bytes: u128) -> Result<(), InputError> {
    let free = free_bytes().unwrap_or(ASSUMED);
    if bytes <= most_of(free) {
        return Ok(());
    }
    let message = format!(
        "the filter needs {}, and {} are free",
        bytes_of_bits(bytes * 8),
        bytes_of_bits(u128::from(free) * 8)
    );
    Err(InputError::new(message).with_hint(super::plan::scaled_down(solution)))
}

/// Returns how much of the free memory a filter may take.
fn most_of(free: u64) -> u128 {
    u128::from(free / 4 * 3)
}

/// Returns the memory that Linux reports as available.
fn free_bytes() -> Option<u64> {
    available(&std::fs::read_to_string("/proc/meminfo").ok()?)
}

/// Returns the available memory that the text of `/proc/meminfo` states, in bytes.
fn available(text: &str) -> Option<u64> {
    let mut lines = text.lines();
    let amount = lines.find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: u64 = amount.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_quarters_of_the_available_memory_may_be_taken() {
        let text = "MemTotal:       16000000 kB\nMemFree:         1000000 kB\nMemAvailable:    8000000 kB\n";
        let without = "MemTotal:       16000000 kB\n";
        assert_eq!([text, without].map(available), [Some(8_192_000_000), None]);
        assert_eq!(most_of(8_192_000_000), 6_144_000_000);
    }

    #[test]
    fn a_filter_larger_than_any_memory_is_refused() {
        let query = crate::Query {
            items: Some(1_000),
            rate: Some(0.01),
            ..crate::Query::default()
        };
        let solution = query.solve().unwrap();
        assert!(check(&solution, 1).is_ok());
        let refused = check(&solution, 1 << 70).unwrap_err().to_string();
        let needed = "the filter needs 1,180,591,620,717,411,303,424 bytes";
        assert!(refused.contains(needed), "{refused}");
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn this_machine_reports_its_memory() {
        // At least a megabyte, and less than an exabyte.
        assert!((1 << 20..1 << 60).contains(&free_bytes().unwrap()));
    }
}
