//! What other calculators and libraries call the flags.

/// The flag to write, what it is, and other names for it.
const SYNONYMS: [(&str, &str, &[&str]); 14] = [
    (
        "--n",
        "items are",
        &[
            "capacity",
            "cardinality",
            "count",
            "elements",
            "entries",
            "expected",
            "expected-elements",
            "expected-insertions",
            "expected-items",
            "insertions",
            "keys",
            "max-elements",
            "max-items",
            "members",
            "ndv",
            "num",
            "num-elements",
            "num-items",
            "num-keys",
            "number",
            "objects",
            "records",
            "values",
        ],
    ),
    (
        "--m",
        "bits, or bytes like 64KiB, are",
        &[
            "array-size",
            "bit-size",
            "bytes",
            "filter-size",
            "length",
            "max-bytes",
            "mem",
            "memory",
            "num-bits",
            "space",
            "storage",
            "width",
        ],
    ),
    (
        "--k",
        "hashes are",
        &[
            "functions",
            "hash-count",
            "hash-fns",
            "hash-functions",
            "hash-funcs",
            "nhash",
            "num-hash-functions",
            "num-hashes",
            "rounds",
        ],
    ),
    (
        "--p",
        "the false-positive rate is",
        &[
            "eps",
            "epsilon",
            "error",
            "error-rate",
            "false-positive",
            "false-positive-probability",
            "false-positive-rate",
            "false-positives",
            "fp",
            "fp-prob",
            "fp-probability",
            "fp-rate",
            "fpp",
            "fpr",
            "prob",
            "probability",
            "target",
        ],
    ),
    (
        "--explain",
        "the derivation is",
        &["derivation", "derive", "steps", "verbose", "why"],
    ),
    (
        "--filter",
        "the kind of filter is",
        &["kind", "structure", "type", "variant"],
    ),
    ("--like", "a library is", &["lib", "library"]),
    ("--lookups", "lookups are", &["queries"]),
    (
        "--hash-bits",
        "the width of the hash is",
        &["hash-size", "hash-width"],
    ),
    ("--format", "the form of the answer is", &["form", "output"]),
    ("--format rust", "Rust code is", &["rust"]),
    ("--format csv", "comma-separated values are", &["csv"]),
    (
        "--format markdown",
        "a table of Markdown is",
        &["markdown", "md"],
    ),
    ("--version", "the version is", &["v"]),
];

/// Returns the flag that is probably meant by a name, and what it is; `name` comes with its dashes.
pub(crate) fn meant(name: &str) -> Option<(&'static str, &'static str)> {
    let name = name
        .trim_start_matches('-')
        .to_lowercase()
        .replace('_', "-");
    let found = SYNONYMS
        .iter()
        .find(|(_, _, names)| names.contains(&name.as_str()));
    found.map(|(flag, what, _)| (*flag, *what))
}

/// Returns a hint for names that stand for no single flag.
pub(crate) fn told(name: &str) -> Option<&'static str> {
    let name = name
        .trim_start_matches('-')
        .to_lowercase()
        .replace('_', "-");
    match name.as_str() {
        "size" => Some("the items to store are --n, the bits of the filter --m"),
        "bits-per-item" | "bits-per-key" | "bits-per-element" | "bpk" => {
            Some("write --m: the bits of the whole filter, n times those of an item")
        }
        "?" | "usage" => Some("bloom-params --help tells all"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_stands_twice() {
        let mut names: Vec<_> = SYNONYMS.iter().flat_map(|(_, _, names)| *names).collect();
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all);
    }
}
