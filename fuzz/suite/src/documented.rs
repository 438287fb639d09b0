//! A plain implementation of the layout of bits and files that `bloom_core::persist` documents. Every optimised code path of
//! bloom-core is compared with this implementation, which shares no code with bloom-core except the hasher and
//! `HashQuality::folds`.

use bloom_fuzz_kit::AnyState;
use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasher, BuildHasherDefault};

use fnv::FnvHasher;
use rapidhash::v3::rapidhash_v3;

use crate::spec::{Spec, quality};

/// The first bytes of every file.
const MAGIC: [u8; 8] = [0x89, b'B', b'L', b'O', b'O', b'M', b'\r', b'\n'];
/// The integers whose hashes are stored in a file.
const PROBES: [u64; 4] = [0, 1, 0x0123_4567_89ab_cdef, u64::MAX];

/// The value of each bit or counter that is not 0, by its position. The map's hasher, FNV, is fast and has no random seed.
type Counts = HashMap<u64, u8, BuildHasherDefault<FnvHasher>>;

/// A filter in the documented layout. Each bit or counter is a number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Documented {
    layout: Layout,
    /// How many times a hash is multiplied and folded before its first use: 0 to 2.
    folds: u8,
    /// Whether the filter was intersected with another one since it was created or cleared.
    intersected: bool,
    /// The number of bits or counters.
    cells: u64,
    /// The bits or counters that are not 0, by position. A bit is a counter that saturates at 1.
    counts: Counts,
    highest: u8,
}

/// What the layout depends on: the kind of filter and its size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Layout {
    Basic { bits: u64, hashes: u8 },
    Blocked { blocks: u64 },
    Counting { bits: u64, hashes: u8, wide: bool },
    Partitioned { bits: u64, hashes: u8 },
}

impl Layout {
    /// Calls `each` with every position of a hash. A position that the hash has twice is passed twice.
    fn positions(self, hash: u64, folds: u8, mut each: impl FnMut(u64)) {
        let fold = |one: u64, other: u64| {
            let product = u128::from(one) * u128::from(other);
            (product >> 64) as u64 ^ product as u64
        };
        let step = |state: u64| {
            let product = state.wrapping_mul(0xd134_2543_de82_ef95);
            product.wrapping_add(hash)
        };
        let mixed = match folds {
            2 => fold(fold(hash, 0xbf58_476d_1ce4_e5b9), 0x94d0_49bb_1331_11eb),
            1 => fold(hash, 0x94d0_49bb_1331_11eb),
            _ => hash,
        };
        let mut next = mixed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut made = 0;
        let mut probe = || {
            let probe = next;
            made += 1;
            next = if made % 4 == 0 {
                step(probe)
            } else {
                probe.rotate_left(16)
            };
            probe
        };
        let reduce =
            |probe: u64, below: u64| ((u128::from(probe) * u128::from(below)) >> 64) as u64;
        match self {
            Self::Basic { bits, hashes } | Self::Counting { bits, hashes, .. } => {
                (0..hashes).for_each(|_| each(reduce(probe(), bits)));
            }
            Self::Partitioned { bits, hashes } => {
                let hashes = u64::from(hashes);
                let mut start = 0;
                for slice in 0..hashes {
                    let length = bits / hashes + u64::from(slice < bits % hashes);
                    each(start + reduce(probe(), length));
                    start += length;
                }
            }
            Self::Blocked { blocks } => {
                let block = reduce(mixed, blocks);
                let lanes = step(mixed);
                let bit = |lane: u64| lanes >> (16 + 6 * lane) & 63;
                (0..8).for_each(|lane| each((block * 8 + lane) * 64 + bit(lane)));
            }
        }
    }
}

impl Documented {
    /// Creates an empty filter; `None` for a scalable filter, because only its stages have this layout.
    pub(crate) fn new(spec: Spec, state: AnyState) -> Option<Self> {
        let (layout, highest) = match spec {
            Spec::Basic { bits, hashes } => (Layout::Basic { bits, hashes }, 1),
            Spec::Blocked { blocks } => (Layout::Blocked { blocks }, 1),
            Spec::Counting { bits, hashes, wide } => {
                let highest = if wide { 255 } else { 15 };
                (Layout::Counting { bits, hashes, wide }, highest)
            }
            Spec::Partitioned { bits, hashes } => (Layout::Partitioned { bits, hashes }, 1),
            Spec::Scalable { .. } => return None,
        };
        let cells = match layout {
            Layout::Blocked { blocks } => blocks * 512,
            Layout::Basic { bits, .. }
            | Layout::Counting { bits, .. }
            | Layout::Partitioned { bits, .. } => bits,
        };
        Some(Self {
            layout,
            folds: quality(state).folds(),
            intersected: false,
            cells,
            counts: Counts::default(),
            highest,
        })
    }

    /// Returns an empty filter of the same size.
    pub(crate) fn empty(&self) -> Self {
        Self {
            counts: Counts::default(),
            intersected: false,
            ..*self
        }
    }

    /// Returns the number of bits or counters.
    pub(crate) fn cells(&self) -> u64 {
        self.cells
    }

    /// Returns how many positions a hash has.
    pub(crate) fn hashes(&self) -> u64 {
        match self.layout {
            Layout::Blocked { .. } => 8,
            Layout::Basic { hashes, .. }
            | Layout::Counting { hashes, .. }
            | Layout::Partitioned { hashes, .. } => hashes.into(),
        }
    }

    /// Returns whether the filter is divided: into slices, each of which has one position of a hash, or into blocks, one of
    /// which has all positions of a hash.
    pub(crate) fn is_in_parts(&self) -> bool {
        matches!(
            self.layout,
            Layout::Blocked { .. } | Layout::Partitioned { .. }
        )
    }

    /// Inserts a hash.
    pub(crate) fn insert(&mut self, hash: u64) {
        self.layout.positions(hash, self.folds, |position| {
            let count = self.counts.entry(position).or_default();
            *count = (*count).saturating_add(1).min(self.highest);
        });
    }

    /// Returns whether every position of a hash is set.
    pub(crate) fn contains(&self, hash: u64) -> bool {
        let mut all_set = true;
        let test = |position| all_set &= self.count(position) > 0;
        self.layout.positions(hash, self.folds, test);
        all_set
    }

    /// Removes one insertion of a hash, and returns `true`. If a counter shows that the hash is absent, changes nothing and
    /// returns `false`.
    pub(crate) fn remove(&mut self, hash: u64) -> bool {
        let mut times = BTreeMap::<u64, u8>::new();
        let count = |position| *times.entry(position).or_default() += 1;
        self.layout.positions(hash, self.folds, count);
        let highest = self.highest;
        let short = |(position, times): (&u64, &u8)| {
            let count = self.count(*position);
            count < highest && count < *times
        };
        if times.iter().any(short) {
            return false;
        }
        for (position, times) in times {
            let count = self.counts.entry(position).or_default();
            if *count < highest {
                *count -= times;
            }
        }
        true
    }

    /// Intersects this filter with another one: each bit or counter becomes the smaller of the two filters' values.
    pub(crate) fn intersect_with(&mut self, other: &Self) {
        self.intersected = true;
        for (position, count) in &mut self.counts {
            *count = (*count).min(other.count(*position));
        }
    }

    /// Returns whether the filter was intersected with another one since it was created or cleared.
    pub(crate) fn is_intersected(&self) -> bool {
        self.intersected
    }

    fn count(&self, position: u64) -> u8 {
        self.counts.get(&position).copied().unwrap_or(0)
    }

    /// Returns how many bits or counters pass a test. The test must reject 0.
    fn how_many(&self, test: impl Fn(u8) -> bool) -> u64 {
        self.counts.values().filter(|count| test(**count)).count() as u64
    }

    /// Returns the share of bits or counters that are not 0.
    pub(crate) fn fill(&self) -> f64 {
        self.how_many(|count| count > 0) as f64 / self.cells as f64
    }

    /// Returns the number of saturated counters.
    pub(crate) fn saturated(&self) -> u64 {
        self.how_many(|count| count == self.highest)
    }

    /// Returns the bytes of the saved filter, as the tables of `bloom_core::persist` describe them.
    pub(crate) fn to_bytes(&self, state: AnyState) -> Vec<u8> {
        let (kind, counter_bits, hashes, size, cell_bits) = match self.layout {
            Layout::Basic { bits, hashes } => (1, 0, hashes, bits, 1),
            Layout::Blocked { blocks } => (2, 0, 8, blocks, 1),
            Layout::Counting { bits, hashes, wide } => {
                let width = if wide { 8 } else { 4 };
                (3, width, hashes, bits, width.into())
            }
            Layout::Partitioned { bits, hashes } => (4, 0, hashes, bits, 1),
        };
        let mut words = vec![0_u64; (self.cells as usize * cell_bits).div_ceil(64)];
        for (position, count) in &self.counts {
            let bit = *position as usize * cell_bits;
            words[bit / 64] |= u64::from(*count) << (bit % 64);
        }
        let probes = PROBES.map(|probe| state.hash_one(probe));
        let default = PROBES.map(|probe| AnyState::Seeded(0).hash_one(probe));
        let mut bytes = Vec::from(MAGIC);
        bytes.extend(1_u16.to_le_bytes());
        bytes.extend([
            kind,
            counter_bits,
            hashes,
            u8::from(probes == default),
            self.folds,
            self.intersected.into(),
        ]);
        bytes.extend(size.to_le_bytes());
        bytes.extend((words.len() as u64).to_le_bytes());
        bytes.extend([0; 8]);
        bytes.extend(probes.iter().flat_map(|probe| probe.to_le_bytes()));
        bytes.resize(112, 0);
        let checksum = rapidhash_v3(&bytes);
        bytes.extend(checksum.to_le_bytes());
        bytes.resize(128, 0);
        bytes.reserve_exact(8 * words.len() + 8);
        for word in words {
            bytes.extend_from_slice(&word.to_le_bytes());
        }
        let checksum = rapidhash_v3(&bytes);
        bytes.extend(checksum.to_le_bytes());
        bytes
    }
}
