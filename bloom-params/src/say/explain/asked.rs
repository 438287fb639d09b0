//! Puts the given quantities of a question into words.

use crate::kind::filter::Filter;
use crate::question::Query;
use crate::say::numbers::counted;
use crate::say::words::{as_typed, bits_as_shown, listed, position, set, share, with_article};

/// Lists the given quantities in words, like `n = 2,000 items and k = 5 hashes`.
pub(super) fn known(asked: &Query) -> String {
    let who = asked.confidence.map_or(String::new(), |part| {
        format!(" in {} of single filters", share(part, 15))
    });
    let rate = |p| {
        let p = as_typed(p);
        format!("a false-positive rate p of at most {p}{who}")
    };
    let what = position(asked.filter);
    let known = [
        asked.items.map(|n| format!("n = {}", counted(n, "item"))),
        asked.bits.map(|m| format!("m = {}", counted(m, what))),
        asked
            .hashes
            .map(|k| format!("k = {}", counted(k.into(), "hash"))),
        asked
            .hash_bits
            .map(|bits| format!("a hash of {}", counted(bits.into(), "bit"))),
        asked.bits_per_item.map(|bits| {
            let bits = bits_as_shown(bits, 9);
            format!("m/n = {bits} per item")
        }),
        asked.rate.map(rate),
        asked
            .set_bits
            .map(|ones| format!("X = {} {}", counted(ones, what), set(asked.filter))),
        asked
            .cost
            .map(|_| "what false positives and bits cost".to_string()),
    ];
    listed(&known.into_iter().flatten().collect::<Vec<_>>())
}

/// Names the kind of filter, in words that go after the given quantities. The text is empty for a classic filter and for a
/// filter that a library or a database builds.
pub(super) fn with_filter(filter: Filter) -> String {
    let name = with_article(filter);
    match filter {
        Filter::Classic | Filter::OfSystem { .. } => String::new(),
        Filter::Partitioned | Filter::Scalable { .. } => format!(", for {name}"),
        Filter::PlainBlocked { block_bits } | Filter::SplitBlock { block_bits } => {
            let bits = counted(block_bits.into(), "bit");
            format!(", for {name} with blocks of {bits}")
        }
        Filter::Counting { counter_bits } => {
            format!(", for {name} with counters of {counter_bits} bits")
        }
    }
}
