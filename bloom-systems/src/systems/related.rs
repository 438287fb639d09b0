//! Lists names of software that users may ask for, but that this crate does not describe as systems.

/// Software that this crate does not describe as a system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Related {
    /// The names, in lower case.
    pub names: &'static [&'static str],
    /// The name of the described system that is most like it, if there is one.
    pub like: Option<&'static str>,
    /// How the software is related to the system `like`; without `like`, what its filters are.
    pub why: &'static str,
}

/// The software that [`related`] finds.
static RELATED: &[Related] = &[
    Related {
        names: &["lucene", "solr"],
        like: None,
        why: "Lucene takes no p: its optional filter of terms aims at 0.1023 with a power of two of bits, so that p is from \
              0.01 to 0.1, depending on n",
    },
    Related {
        names: &["elasticsearch"],
        like: None,
        why: "it has Bloom filters of ids only, with 10 bits per document and 7 hashes, and no setting changes that",
    },
    Related {
        names: &["ribbon", "rocksdb-ribbon", "ribbonfilter"],
        like: Some("rocksdb"),
        why: "a ribbon filter has no k; it is given the bits per item of a Bloom filter and keeps the same rate in two \
              thirds to three quarters of the bits (by its source)",
    },
    Related {
        names: &["tikv", "kvrocks", "ceph"],
        like: Some("rocksdb"),
        why: "it stores its data in RocksDB",
    },
    Related {
        names: &["iceberg"],
        like: Some("parquet-java"),
        why: "its filters are those of Parquet files",
    },
    Related {
        names: &["duckdb"],
        like: Some("parquet"),
        why: "its filters are those of Parquet files, by a rule of its own",
    },
    Related {
        names: &["pybloom"],
        like: Some("pybloom-live"),
        why: "pybloom-live continues it",
    },
];

/// Returns the entry for a name in upper or lower case; `None` if the name is not listed.
pub fn related(name: &str) -> Option<&'static Related> {
    let is_name = |known: &&str| known.eq_ignore_ascii_case(name);
    RELATED
        .iter()
        .find(|related| related.names.iter().any(is_name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::system;

    #[test]
    fn a_related_name_has_no_system_and_its_nearest_has_one() {
        for related in RELATED {
            assert!(related.names.iter().all(|name| system(name).is_none()));
            assert!(
                related.like.is_none_or(|like| system(like).is_some()),
                "{related:?}"
            );
        }
        assert!(related("TiKV").is_some() && related("guava").is_none());
    }
}
