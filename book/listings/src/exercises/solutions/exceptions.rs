//! The exceptions of a blocklist.

use std::collections::BTreeSet;

use bloom_core::BloomFilter;

/// Returns those of the protected names that are false positives of the filter. None of the
/// protected names was inserted into it.
pub fn exceptions(filter: &BloomFilter<str>, protected: &[String]) -> BTreeSet<String> {
    let false_positives = protected
        .iter()
        .filter(|name| filter.contains(name.as_str()));
    false_positives.cloned().collect()
}

/// Returns whether a name is blocked: found, and no exception.
pub fn is_blocked(filter: &BloomFilter<str>, exceptions: &BTreeSet<String>, name: &str) -> bool {
    filter.contains(name) && !exceptions.contains(name)
}
