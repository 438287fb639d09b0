//! Implements one trait, `Foreign`, for the filters of all systems whose formats bloom-formats reads, such as Guava and Redis,
//! so that each fuzz target of these formats is written once.

use bloom_fuzz_kit::{Checked, law};
use std::fmt;

use arbitrary::{Arbitrary, Result, Unstructured};
use bloom_formats::{
    DataSketchesBloom, DcsoBloom, Filter, FormatError, GoBloom, GuavaBloom, GuavaStrategy,
    HadoopBloom, HadoopDynamicBloom, HadoopHash, HiveBloom, Key, OrcBloom, OrcStream, ParquetBloom,
    RedisBloom, RedisGrowth, SparkBloom, SparkVersion,
};

/// A system whose filters bloom-formats reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum System {
    /// A `SparkBloom`.
    Spark,
    /// A `GuavaBloom`.
    Guava,
    /// A `ParquetBloom`.
    Parquet,
    /// A `RedisBloom`.
    Redis,
    /// A `GoBloom`.
    Go,
    /// A `HadoopBloom`.
    Hadoop,
    /// A `HadoopDynamicBloom`.
    HadoopDynamic,
    /// An `OrcBloom`.
    Orc,
    /// A `HiveBloom`.
    Hive,
    /// A `DataSketchesBloom`.
    DataSketches,
    /// A `DcsoBloom`.
    Dcso,
}

impl System {
    /// All systems, in the order of the numbers by which a fuzzer's input selects them.
    pub const ALL: [Self; 11] = [
        Self::Spark,
        Self::Guava,
        Self::Parquet,
        Self::Redis,
        Self::Go,
        Self::Hadoop,
        Self::HadoopDynamic,
        Self::Orc,
        Self::Hive,
        Self::DataSketches,
        Self::Dcso,
    ];

    /// Returns the system that a byte selects.
    pub(crate) fn of(byte: u8) -> Self {
        Self::ALL[usize::from(byte) % Self::ALL.len()]
    }
}

/// The size and the options of a filter of another system, as far as the system lets a caller choose them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// The number of bits, 1 to 4096, rounded up as the system requires; or, if the system computes the size from items and a
    /// rate, the number of items.
    pub bits: u16,
    /// The hashes, at least 1. If the system computes the size from items and a rate, more hashes mean a lower rate.
    pub hashes: u8,
    /// Selects what else can vary in this system's filters: a version, a strategy, a seed or a type of hash; how a filter of
    /// RedisBloom grows; or how many items each part (row) of a dynamic filter of Hadoop takes.
    pub variant: u8,
}

impl<'a> Arbitrary<'a> for Size {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        Ok(Self {
            bits: u.int_in_range(1..=4096)?,
            // Most cases have 1 to 12 hashes.
            hashes: match u.arbitrary::<u8>()? {
                few @ 0..240 => few % 12 + 1,
                many => (many - 240) * 17,
            }
            .max(1),
            variant: u.arbitrary()?,
        })
    }
}

/// What a filter reports about itself (fill, rate, estimate and warnings) is checked only if the filter has at most this many
/// hashes.
const MAX_JUDGED_HASHES: u8 = 16;

type Read<T> = std::result::Result<T, FormatError>;

/// What the checks need from a filter of another system besides [`Filter`].
pub(crate) trait Foreign: Filter + Clone + PartialEq + fmt::Debug + 'static {
    /// Whether a merge of filters of one size gives the filter of all their keys.
    const MERGES: bool = true;

    /// Whether [`read_part`](Self::read_part) also accepts bytes that [`read`](Self::read) refuses even without the bytes that
    /// follow the filter.
    const FORGIVES: bool = false;

    fn build(size: Size) -> Read<Self>;

    fn read(bytes: &[u8]) -> Read<Self>;

    /// Reads a filter, and returns the number of bytes that follow it.
    fn read_part(bytes: &[u8]) -> Read<(Self, usize)>;

    /// Opens a filter without copying its bits, and returns for each key whether it is found.
    fn look_up(bytes: &[u8], keys: &[&[u8]]) -> Read<Vec<bool>>;

    /// Whether the insertion of a key needs little or no further memory.
    fn is_small(&self) -> bool {
        true
    }

    /// Inserts a key, and returns whether it was new; `None` if the filter refuses the key, or if the insertion might take much
    /// memory.
    fn put(&mut self, key: &[u8]) -> Option<bool> {
        let is_small = self.is_small();
        is_small
            .then(|| Filter::insert(self, Key::Bytes(key)).ok())
            .flatten()
    }

    /// Returns whether a key is found.
    fn has(&self, key: &[u8]) -> bool {
        Filter::contains(self, Key::Bytes(key)) == Ok(true)
    }

    /// Returns the bytes that are equal in any two filters with the same keys: the bytes of the saved filter without the
    /// numbers that depend on how the keys were inserted.
    fn essence(&self) -> Vec<u8> {
        self.to_bytes().expect("the bytes of a small filter")
    }

    /// Whether these bytes have an old format of the system. The filter that is read from them is written in a newer format.
    fn is_rewritten(_bytes: &[u8]) -> bool {
        false
    }

    /// Whether the filter cannot be read in place.
    fn is_scattered(&self) -> bool {
        false
    }

    /// Returns the number of hashes; if the parts of a filter differ, the largest one. With many hashes, it takes tens of
    /// milliseconds to compute what the filter reports about itself.
    fn hashes(&self) -> u8 {
        Filter::shape(self).hashes()
    }

    /// Whether it would take long to compute what the filter reports about itself.
    fn is_slow_to_judge(&self) -> bool {
        self.hashes() > MAX_JUDGED_HASHES
    }

    /// If the system has further formats, reads the bytes in each of them, and checks that what was read can be written and
    /// read again.
    fn check_other_forms(_bytes: &[u8]) -> Checked {
        Ok(())
    }
}

macro_rules! foreign {
    ($type:ident, |$size:ident| $build:expr, $({ $($more:tt)* })?) => {
        impl Foreign for $type<'static> {
            fn build($size: Size) -> Read<Self> {
                $build
            }

            fn read(bytes: &[u8]) -> Read<Self> {
                Self::from_bytes(bytes)
            }

            fn read_part(bytes: &[u8]) -> Read<(Self, usize)> {
                let (filter, rest) = Self::from_bytes_lenient(bytes)?;
                Ok((filter, rest.len()))
            }

            fn look_up(bytes: &[u8], keys: &[&[u8]]) -> Read<Vec<bool>> {
                let filter = $type::borrowed(bytes)?;
                let found = |key: &&[u8]| Filter::contains(&filter, Key::Bytes(key)) == Ok(true);
                Ok(keys.iter().map(found).collect())
            }

            $($($more)*)?
        }
    };
}

foreign!(SparkBloom, |size| {
    let version = match size.variant {
        0 => SparkVersion::V1,
        seed => SparkVersion::V2 {
            seed: i32::from(seed) - 128,
        },
    };
    // Spark computes the number of hashes from the bits m and the items n: (m/n) ln 2.
    let (bits, hashes) = (u64::from(size.bits), u64::from(size.hashes));
    Self::with_bits(version, (bits * 7 / 10).div_ceil(hashes).max(1), bits)
},);

foreign!(GuavaBloom, |size| {
    let strategy = match size.variant % 2 {
        0 => GuavaStrategy::Mitz32,
        _ => GuavaStrategy::Mitz64,
    };
    Self::with_bits(strategy, size.bits.into(), size.hashes.into())
},);

foreign!(
    ParquetBloom,
    |size| Self::with_bitset_bytes(u64::from(size.bits).div_ceil(256) * 32),
    {
        fn check_other_forms(bytes: &[u8]) -> Checked {
            let written = Self::from_bitset(bytes).and_then(|filter| filter.to_bitset());
            law(
                written.is_err() || written.as_deref() == Ok(bytes),
                "a bitset must be written as it was read",
                &written,
            )
        }
    }
);

foreign!(
    RedisBloom,
    |size| {
        let growth = match size.variant % 4 {
            0 => RedisGrowth::Never,
            growth => RedisGrowth::By(growth.into()),
        };
        Self::with_rate(growth, size.bits.into(), 0.25 / f64::from(size.hashes))
    },
    {
        const MERGES: bool = false;

        fn hashes(&self) -> u8 {
            let hashes = self.links().map(|link| link.shape.hashes());
            hashes.max().unwrap_or(0)
        }

        // If a damaged file has a growth factor above 3, which `build` never requests, the next part of the filter may take any
        // amount of memory.
        fn is_small(&self) -> bool {
            matches!(self.growth(), RedisGrowth::Never | RedisGrowth::By(1..=3))
        }
    }
);

foreign!(
    GoBloom,
    |size| Self::with_bits(size.bits.into(), size.hashes.into()),
    {
        fn check_other_forms(bytes: &[u8]) -> Checked {
            let Ok(filter) = Self::from_json(bytes) else {
                return Ok(());
            };
            let again = filter
                .to_json()
                .and_then(|json| Self::from_json(json.as_bytes()));
            law(again.as_ref() == Ok(&filter), "JSON must read back", &again)
        }
    }
);

fn hash_of(size: Size) -> HadoopHash {
    match size.variant % 2 {
        0 => HadoopHash::Jenkins,
        _ => HadoopHash::Murmur,
    }
}

/// Returns whether the bytes have Hadoop's old format, which has no version and starts with the number of hashes.
fn is_without_version(bytes: &[u8]) -> bool {
    bytes[0] < 0x80
}

foreign!(
    HadoopBloom,
    |size| Self::with_bits(hash_of(size), size.bits.into(), size.hashes.into()),
    {
        fn is_rewritten(bytes: &[u8]) -> bool {
            is_without_version(bytes)
        }

        fn check_other_forms(bytes: &[u8]) -> Checked {
            let text = str::from_utf8(bytes).unwrap_or_default();
            let Ok(filter) = Self::from_base64(text) else {
                return Ok(());
            };
            let again = filter.to_base64().and_then(|text| Self::from_base64(&text));
            law(again.as_ref() == Ok(&filter), "text must read back", &again)
        }
    }
);

foreign!(
    HadoopDynamicBloom,
    |size| {
        let (bits, hashes) = (size.bits.into(), size.hashes.into());
        Self::with_bits(hash_of(size), bits, hashes, u64::from(size.variant / 2) + 1)
    },
    {
        // A dynamic filter consists of plain filters, the rows. A merge combines these row by row, so the result differs from a
        // filter into which all keys were inserted.
        const MERGES: bool = false;

        fn is_rewritten(bytes: &[u8]) -> bool {
            is_without_version(bytes)
        }
    }
);

foreign!(
    OrcBloom,
    |size| Self::with_bits(size.bits.into(), size.hashes.into()),
    {
        fn is_scattered(&self) -> bool {
            self.stream() == OrcStream::Original
        }
    }
);

foreign!(
    HiveBloom,
    |size| {
        let blocks = u64::from(size.bits).div_ceil(512);
        Self::with_blocks(blocks, i64::from(size.hashes).min(127))
    },
    {
        fn is_slow_to_judge(&self) -> bool {
            self.hashes() > MAX_JUDGED_HASHES || !self.blocks().is_multiple_of(8)
        }
    }
);

foreign!(
    DataSketchesBloom,
    |size| Self::with_bits(size.variant.into(), size.bits.into(), size.hashes.into()),
    {
        const FORGIVES: bool = true;

        // A filter that is saved empty allocates its bits at the first insertion, and a damaged file may request any number of
        // bits.
        fn is_small(&self) -> bool {
            self.shape().bits() <= 0x10_0000
        }

        fn essence(&self) -> Vec<u8> {
            let mut bytes = self.to_bytes().expect("the bytes of a small filter");
            // Removes the field with the number of set bits.
            bytes.drain(24.min(bytes.len())..32.min(bytes.len()));
            bytes
        }
    }
);

foreign!(
    DcsoBloom,
    |size| {
        let rate = 0.5_f64.powi(size.hashes.min(30).into());
        Self::with_rate(size.bits.into(), rate)
    },
    {
        fn essence(&self) -> Vec<u8> {
            let mut bytes = self.to_bytes().expect("the bytes of a small filter");
            // Removes the field with the number of inserted items.
            bytes.drain(40..48);
            bytes
        }
    }
);

/// Calls a function whose type parameter, a [`Foreign`], is the filter type of a system.
macro_rules! with_system {
    ($system:expr, $function:ident($($argument:expr),*)) => {
        match $system {
            System::Spark => $function::<SparkBloom<'_>>($($argument),*),
            System::Guava => $function::<GuavaBloom<'_>>($($argument),*),
            System::Parquet => $function::<ParquetBloom<'_>>($($argument),*),
            System::Redis => $function::<RedisBloom<'_>>($($argument),*),
            System::Go => $function::<GoBloom<'_>>($($argument),*),
            System::Hadoop => $function::<HadoopBloom<'_>>($($argument),*),
            System::HadoopDynamic => $function::<HadoopDynamicBloom<'_>>($($argument),*),
            System::Orc => $function::<OrcBloom<'_>>($($argument),*),
            System::Hive => $function::<HiveBloom<'_>>($($argument),*),
            System::DataSketches => $function::<DataSketchesBloom<'_>>($($argument),*),
            System::Dcso => $function::<DcsoBloom<'_>>($($argument),*),
        }
    };
}
pub(crate) use with_system;
