//! Exercise (★) of the chapter *What a yes is worth*: protected names, which a blocklist must
//! not block.

use std::collections::BTreeSet;

use bloom_core::BloomFilter;

/// Returns the protected names that the filter finds. They are false positives, because no
/// protected name was inserted into the filter.
pub fn exceptions(filter: &BloomFilter<str>, protected: &[String]) -> BTreeSet<String> {
    let _ = filter;
    protected.iter().cloned().collect()
}

/// Returns whether a name is blocked: the filter finds it, and it is not an exception.
pub fn is_blocked(filter: &BloomFilter<str>, exceptions: &BTreeSet<String>, name: &str) -> bool {
    let _ = exceptions;
    filter.contains(name)
}
