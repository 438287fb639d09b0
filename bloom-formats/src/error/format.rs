//! Names the systems whose filters this crate reads. Makes the errors and the checks that all formats share.

use core::fmt;

use super::{Field, FormatError, Must, Rule, Value};

/// A system whose filters this crate reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// Apache Spark.
    Spark,
    /// Google Guava.
    Guava,
    /// Apache Parquet.
    Parquet,
    /// RedisBloom.
    RedisBloom,
    /// bits-and-blooms/bloom, a library in Go.
    Go,
    /// Apache Hadoop, and Apache Hudi, which uses Hadoop's filters.
    Hadoop,
    /// Apache ORC.
    Orc,
    /// Apache Hive.
    Hive,
    /// Apache DataSketches.
    DataSketches,
    /// DCSO bloom, a library in Go.
    Dcso,
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Spark => "Spark",
            Self::Guava => "Guava",
            Self::Parquet => "Parquet",
            Self::RedisBloom => "RedisBloom",
            Self::Go => "Go",
            Self::Hadoop => "Hadoop",
            Self::Orc => "ORC",
            Self::Hive => "Hive",
            Self::DataSketches => "DataSketches",
            Self::Dcso => "DCSO",
        })
    }
}

impl Format {
    /// Returns the error of a broken rule.
    pub(crate) fn error(self, rule: Rule) -> FormatError {
        FormatError { format: self, rule }
    }

    /// Returns the error of a field that breaks a rule.
    pub(crate) fn field(self, field: Field, rule: Must, got: impl Into<Value>) -> FormatError {
        let got = got.into();
        self.error(Rule::Field { field, rule, got })
    }

    /// Returns the error of a refused allocation.
    pub(crate) fn memory(self, bytes: u64) -> FormatError {
        self.error(Rule::Memory { bytes })
    }

    /// Returns a shape of this many bits and hashes, or an error if a filter of this crate cannot have them.
    pub(crate) fn shape(self, bits: u64, hashes: i64) -> Result<bloom_core::Shape, FormatError> {
        if bits == 0 || bits > 1 << 63 {
            return Err(self.field(Field::Bits, Must::Range(1, 1 << 63), bits));
        }
        let is_read = matches!(self, Self::Spark | Self::Go);
        let rule = if hashes < 1 && is_read {
            Must::AtLeastOneHash
        } else {
            Must::Range(1, 255)
        };
        let few = u8::try_from(hashes).ok().filter(|&few| few > 0);
        let few = few.ok_or_else(|| self.field(Field::Hashes, rule, hashes))?;
        Ok(bloom_core::Shape::new(bits, few).expect("bits and hashes are checked"))
    }

    /// Returns an error unless a field has equal values in two filters that are to be merged.
    pub(crate) fn equal(
        self,
        field: Field,
        ours: impl Into<Value>,
        theirs: impl Into<Value>,
    ) -> Result<(), FormatError> {
        let (ours, theirs) = (ours.into(), theirs.into());
        if ours == theirs {
            return Ok(());
        }
        Err(self.error(Rule::Differs {
            field,
            ours,
            theirs,
        }))
    }
}
