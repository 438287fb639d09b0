//! A filter as the page of `bloom_core::persist` describes it, read plainly: the oracle of every
//! path that is made for speed. It shares no code with bloom-core.

use std::collections::BTreeMap;
use std::hash::BuildHasher;

use rapidhash::v3::rapidhash_v3;

use crate::spec::Spec;
use crate::state::AnyState;

/// The first bytes of every file.
const MARK: [u8; 8] = [0x89, b'B', b'L', b'O', b'O', b'M', b'\r', b'\n'];
/// The integers whose hashes are in a file.
const PROBES: [u64; 4] = [0, 1, 0x0123_4567_89ab_cdef, u64::MAX];

/// The bits or counters of a filter, one number each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Documented {
    layout: Layout,
    /// How many bits or counters there are.
    cells: u64,
    /// Those that are not 0: bits are counters that go up to 1.
    counts: BTreeMap<u64, u8>,
    highest: u8,
}

/// What of a spec the layout depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Layout {
    Basic { bits: u64, hashes: u8 },
    Blocked { blocks: u64 },
    Counting { bits: u64, hashes: u8, wide: bool },
    Partitioned { bits: u64, hashes: u8 },
}

impl Documented {
    /// Creates an empty filter; `None` for a scalable one, of which only the stages are like this.
    pub(crate) fn new(spec: Spec) -> Option<Self> {
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
            cells,
            counts: BTreeMap::new(),
            highest,
        })
    }

    /// The positions of a hash, as often as it has them.
    fn positions(&self, hash: u64) -> Vec<u64> {
        let mut stirred = hash;
        stirred ^= stirred >> 30;
        stirred = stirred.wrapping_mul(0xbf58_476d_1ce4_e5b9);
        stirred ^= stirred >> 27;
        let mut state = stirred.wrapping_mul(0x94d0_49bb_1331_11eb);
        let mut draws = std::iter::from_fn(|| {
            let draw = state >> 12 << 12;
            state = state
                .wrapping_mul(0xd134_2543_de82_ef95)
                .wrapping_add(0x9e37_79b9_7f4a_7c15);
            Some(draw)
        });
        let reduce = |draw: u64, below: u64| (u128::from(draw) * u128::from(below)) >> 64;
        let positions: Vec<u128> = match self.layout {
            Layout::Basic { bits, hashes } | Layout::Counting { bits, hashes, .. } => {
                let draws = draws.take(hashes.into());
                draws.map(|draw| reduce(draw, bits)).collect()
            }
            Layout::Partitioned { bits, hashes } => {
                let hashes = u64::from(hashes);
                let mut start = 0;
                let mut positions = Vec::new();
                for (slice, draw) in (0..hashes).zip(draws) {
                    let length = bits / hashes + u64::from(slice < bits % hashes);
                    positions.push(u128::from(start) + reduce(draw, length));
                    start += length;
                }
                positions
            }
            Layout::Blocked { blocks } => {
                let block = reduce(draws.next().expect("draws have no end"), blocks);
                let lanes = stirred.wrapping_mul(0xd134_2543_de82_ef95);
                let bit = |lane: u128| u128::from(lanes >> (16 + 6 * lane) & 63);
                (0..8)
                    .map(|lane| (block * 8 + lane) * 64 + bit(lane))
                    .collect()
            }
        };
        positions
            .into_iter()
            .map(|position| position as u64)
            .collect()
    }

    /// Returns how many bits or counters there are.
    pub(crate) fn cells(&self) -> u64 {
        self.cells
    }

    fn count(&self, position: u64) -> u8 {
        self.counts.get(&position).copied().unwrap_or(0)
    }

    /// Inserts a hash and returns whether one of its positions was clear.
    pub(crate) fn insert(&mut self, hash: u64) -> bool {
        let mut new = false;
        for position in self.positions(hash) {
            let count = self.counts.entry(position).or_default();
            new |= *count == 0;
            *count = (*count).saturating_add(1).min(self.highest);
        }
        new
    }

    /// Returns whether every position of a hash is set.
    pub(crate) fn contains(&self, hash: u64) -> bool {
        let positions = self.positions(hash);
        positions.iter().all(|position| self.count(*position) > 0)
    }

    /// Takes one insert of a hash back, unless a counter says that there was none.
    pub(crate) fn remove(&mut self, hash: u64) -> bool {
        let mut times = BTreeMap::<u64, u8>::new();
        for position in self.positions(hash) {
            *times.entry(position).or_default() += 1;
        }
        let highest = self.highest;
        let short = |(position, times): (&u64, &u8)| {
            let count = self.count(*position);
            count < highest && count < *times
        };
        if times.iter().any(short) {
            return false;
        }
        for (position, times) in times {
            if self.count(position) < highest {
                *self.counts.entry(position).or_default() -= times;
            }
        }
        self.counts.retain(|_, count| *count > 0);
        true
    }

    pub(crate) fn union_with(&mut self, other: &Self) {
        for (position, more) in &other.counts {
            let count = self.counts.entry(*position).or_default();
            *count = count.saturating_add(*more).min(self.highest);
        }
    }

    pub(crate) fn intersect_with(&mut self, other: &Self) {
        for (position, count) in &mut self.counts {
            *count = (*count).min(other.count(*position));
        }
        self.counts.retain(|_, count| *count > 0);
    }

    /// Returns the share of bits or counters that are not 0.
    pub(crate) fn fill(&self) -> f64 {
        self.counts.len() as f64 / self.cells as f64
    }

    /// Returns the number of counters at their highest.
    pub(crate) fn saturated(&self) -> u64 {
        let highest = |count: &&u8| **count == self.highest;
        self.counts.values().filter(highest).count() as u64
    }

    /// Returns the file, byte by byte as the page's tables say.
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
        for (cell, count) in &self.counts {
            let bit = *cell as usize * cell_bits;
            words[bit / 64] |= u64::from(*count) << (bit % 64);
        }
        let probes = PROBES.map(|probe| state.hash_one(probe));
        let default = PROBES.map(|probe| AnyState::Seeded(0).hash_one(probe));
        let mut bytes = Vec::from(MARK);
        bytes.extend(1_u16.to_le_bytes());
        bytes.extend([
            kind,
            counter_bits,
            hashes,
            u8::from(probes == default),
            0,
            0,
        ]);
        bytes.extend(size.to_le_bytes());
        bytes.extend((words.len() as u64).to_le_bytes());
        bytes.extend([0; 8]);
        bytes.extend(probes.iter().flat_map(|probe| probe.to_le_bytes()));
        bytes.resize(128, 0);
        bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        let checksum = rapidhash_v3(&bytes);
        bytes.extend(checksum.to_le_bytes());
        bytes
    }
}
