//! *What a yes is worth* (★): the exceptions of a blocklist.

use std::collections::BTreeSet;

use bloom_core::BloomFilter;

/// Returns those of the protected names that are false positives of the filter. None of the
/// protected names was inserted into it.
pub fn exceptions(filter: &BloomFilter<str>, protected: &[String]) -> BTreeSet<String> {
    let _ = filter;
    protected.iter().cloned().collect()
}

/// Returns whether a name is blocked: found, and no exception.
pub fn is_blocked(filter: &BloomFilter<str>, exceptions: &BTreeSet<String>, name: &str) -> bool {
    let _ = exceptions;
    filter.contains(name)
}
