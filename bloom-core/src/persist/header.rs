//! Encodes and decodes the header of a saved filter: the 128 bytes before the words that hold its
//! bits.

use core::hash::BuildHasher;

use rapidhash::v3::rapidhash_v3;

use super::kind::FilterKind;
#[cfg(feature = "alloc")]
use crate::error::ShapeError;
use crate::hash::{FixedState, probe_hashes};
use crate::quality::HashQuality;
#[cfg(feature = "alloc")]
use crate::scalable::shape::ScalableShape;

/// The first bytes of a file. As in PNG, the first byte is not text and the last two are a line
/// end, so that damage by a text-mode transfer can be distinguished from other damage.
pub(super) const MAGIC: [u8; 8] = *b"\x89BLOOM\r\n";

/// The version of the layout that is written, and the only one that can be read.
pub(super) const VERSION: u16 = 1;

/// The size of the header: two cache lines, so that the words start on a cache line if the file
/// does.
pub(crate) const HEADER_BYTES: usize = 128;

/// The size of the checksum at the end of the file.
pub(crate) const CHECKSUM_BYTES: usize = 8;

/// The size of a file without words.
pub(super) const MIN_BYTES: u64 = (HEADER_BYTES + CHECKSUM_BYTES) as u64;

const VERSION_AT: usize = 8;
const KIND_AT: usize = 10;
const COUNTER_BITS_AT: usize = 11;
const HASHES_AT: usize = 12;
const DEFAULT_HASHER_AT: usize = 13;
const FOLDS_AT: usize = 14;
const INTERSECTED_AT: usize = 15;
const SIZE_AT: usize = 16;
const WORDS_AT: usize = 24;
const SEED_AT: usize = 32;
const PROBES_AT: usize = 40;
const ITEMS_AT: usize = 72;
const RATE_AT: usize = 80;
const TIGHTENING_AT: usize = 88;
const GROWTH_AT: usize = 96;
const MAX_STAGES_AT: usize = 100;
const MAX_BYTES_AT: usize = 104;

/// The offset of the header checksum, which covers the bytes before it.
pub(super) const HEADER_CHECKSUM_AT: usize = 112;

/// The bytes that a file has instead of its header checksum while it is filled in place.
pub(super) const UNSEALED: [u8; 8] = *b"UNSEALED";

/// What the header says about the sizes of a filter.
pub struct Sizes {
    pub(super) kind: FilterKind,
    /// The number of bits, counters, blocks or stages.
    pub(super) size: u64,
    /// The number of words in the payload.
    pub(super) words: u64,
    /// The number of hashes k; 0 for a scalable filter, whose stages have their own numbers of
    /// hashes.
    pub(super) hashes: u8,
    /// The width of a counter; 0 if there are no counters.
    pub(super) counter_bits: u8,
    /// How the filter grows; `None` unless it is scalable.
    #[cfg(feature = "alloc")]
    pub(super) growth: Option<ScalableShape>,
}

impl Sizes {
    /// Creates sizes in which the fields that only some kinds have are 0 or `None`.
    pub(super) fn new(kind: FilterKind, size: u64, words: u64) -> Self {
        Self {
            kind,
            size,
            words,
            hashes: 0,
            counter_bits: 0,
            #[cfg(feature = "alloc")]
            growth: None,
        }
    }
}

/// The contents of a header.
pub(super) struct Header {
    pub(super) sizes: Sizes,
    /// The hashes of four fixed integers, by which hashers are compared.
    pub(super) probes: [u64; 4],
    pub(super) quality: HashQuality,
    pub(super) intersected: bool,
}

impl Header {
    pub(super) fn new(
        sizes: Sizes,
        hash_builder: &impl BuildHasher,
        quality: HashQuality,
        intersected: bool,
    ) -> Self {
        Self {
            sizes,
            probes: probe_hashes(hash_builder),
            quality,
            intersected,
        }
    }

    /// Returns the bytes of the header.
    pub(super) fn encode(&self) -> [u8; HEADER_BYTES] {
        let default = FixedState::new();
        let is_default = self.probes == probe_hashes(&default);
        let seed = if is_default { default.seed() } else { 0 };
        let mut header = [0; HEADER_BYTES];
        let mut put = |at: usize, field: &[u8]| {
            header[at..at + field.len()].copy_from_slice(field);
        };
        put(0, &MAGIC);
        put(VERSION_AT, &VERSION.to_le_bytes());
        put(KIND_AT, &[self.sizes.kind.code()]);
        put(COUNTER_BITS_AT, &[self.sizes.counter_bits]);
        put(HASHES_AT, &[self.sizes.hashes]);
        put(DEFAULT_HASHER_AT, &[is_default.into()]);
        put(FOLDS_AT, &[self.quality.folds()]);
        put(INTERSECTED_AT, &[self.intersected.into()]);
        put(SIZE_AT, &self.sizes.size.to_le_bytes());
        put(WORDS_AT, &self.sizes.words.to_le_bytes());
        put(SEED_AT, &seed.to_le_bytes());
        for (index, probe) in self.probes.iter().enumerate() {
            put(PROBES_AT + 8 * index, &probe.to_le_bytes());
        }
        #[cfg(feature = "alloc")]
        if let Some(growth) = self.sizes.growth {
            put(ITEMS_AT, &growth.items().to_le_bytes());
            put(RATE_AT, &growth.rate().to_le_bytes());
            put(TIGHTENING_AT, &growth.tightening().to_le_bytes());
            put(GROWTH_AT, &growth.growth().to_le_bytes());
            put(MAX_STAGES_AT, &growth.max_stages().to_le_bytes());
            let max_bytes = growth.max_bytes().unwrap_or(0);
            put(MAX_BYTES_AT, &max_bytes.to_le_bytes());
        }
        let checksum = Fields(&header).computed_checksum();
        header[HEADER_CHECKSUM_AT..][..CHECKSUM_BYTES].copy_from_slice(&checksum.to_le_bytes());
        header
    }
}

/// A header as read: its fields are not validated.
#[derive(Clone, Copy)]
pub struct Fields<'a>(pub(super) &'a [u8; HEADER_BYTES]);

impl Fields<'_> {
    pub(super) fn magic(self) -> [u8; 8] {
        self.field(0)
    }

    pub(super) fn version(self) -> u16 {
        u16::from_le_bytes(self.field(VERSION_AT))
    }

    pub(super) fn kind_code(self) -> u8 {
        self.0[KIND_AT]
    }

    pub(super) fn counter_bits(self) -> u8 {
        self.0[COUNTER_BITS_AT]
    }

    pub(super) fn hashes(self) -> u8 {
        self.0[HASHES_AT]
    }

    /// Returns the quality of the hashes; `None` if the stored number of folds is not 0, 1 or 2.
    pub(super) fn quality(self) -> Option<HashQuality> {
        HashQuality::of_folds(self.folds())
    }

    pub(super) fn folds(self) -> u8 {
        self.0[FOLDS_AT]
    }

    pub(super) fn is_intersected(self) -> bool {
        self.0[INTERSECTED_AT] == 1
    }

    pub(super) fn is_unsealed(self) -> bool {
        self.field(HEADER_CHECKSUM_AT) == UNSEALED
    }

    pub(super) fn stored_checksum(self) -> u64 {
        self.integer(HEADER_CHECKSUM_AT)
    }

    /// Returns the checksum of the bytes before the header checksum.
    pub(super) fn computed_checksum(self) -> u64 {
        rapidhash_v3(&self.0[..HEADER_CHECKSUM_AT])
    }

    pub(super) fn is_default_hasher(self) -> bool {
        self.0[DEFAULT_HASHER_AT] == 1
    }

    pub(super) fn size(self) -> u64 {
        self.integer(SIZE_AT)
    }

    pub(super) fn words(self) -> u64 {
        self.integer(WORDS_AT)
    }

    pub(super) fn probes(self) -> [u64; 4] {
        core::array::from_fn(|index| self.integer(PROBES_AT + 8 * index))
    }

    /// Returns how a scalable filter grows.
    #[cfg(feature = "alloc")]
    pub(super) fn growing_shape(self) -> Result<ScalableShape, ShapeError> {
        let rate = f64::from_le_bytes(self.field(RATE_AT));
        let shape = ScalableShape::new(self.integer(ITEMS_AT), rate)?
            .with_growth(u32::from_le_bytes(self.field(GROWTH_AT)))?
            .with_tightening(f64::from_le_bytes(self.field(TIGHTENING_AT)))?
            .with_max_stages(u32::from_le_bytes(self.field(MAX_STAGES_AT)))?;
        match self.integer(MAX_BYTES_AT) {
            0 => Ok(shape),
            bytes => shape.with_max_bytes(bytes),
        }
    }

    fn integer(self, at: usize) -> u64 {
        u64::from_le_bytes(self.field(at))
    }

    fn field<const BYTES: usize>(self, at: usize) -> [u8; BYTES] {
        let field = self.0[at..].first_chunk();
        *field.expect("every field lies inside the header")
    }
}

/// Returns the number of words that `units` units of `unit_bits` bits fill, where `unit_bits`
/// divides 64.
pub(super) fn words_for(units: u64, unit_bits: u32) -> u64 {
    units.div_ceil(u64::from(u64::BITS / unit_bits))
}
