//! A diagram as data: the bits of a small filter, who set them, and what queries found.

use std::collections::BTreeMap;
use std::ops::Range;

/// The most bits that can be told apart.
pub const MOST_BITS: u64 = 64;

/// A kind of filter, as it is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Bits.
    Classic,
    /// Counters in place of bits, from which items can be removed.
    Counting,
    /// A slice of the bits for each hash, the first ones longer by a bit where k does not divide m.
    Partitioned,
    /// So many blocks of equal length: an item has all its bits in one.
    Blocked(u64),
    /// Stages: where half of the bits of one are set, the next begins, twice as long and with one
    /// hash more.
    Scalable,
}

/// The question: which bits do these items set, and what do these queries find?
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiagramOf {
    /// The kind of filter.
    pub kind: Kind,
    /// The bits m, or counters, up to 64; of a scalable filter those of its first stage.
    pub bits: u64,
    /// The hashes k; of a scalable filter those of its first stage.
    pub hashes: u8,
    /// The items inserted, in their order, up to 8.
    pub inserts: Vec<String>,
    /// The items removed after that, up to 8.
    pub removes: Vec<String>,
    /// The items asked for at the end, up to 8.
    pub queries: Vec<String>,
    /// Positions set by hand; other items have those of a real filter.
    pub positions: BTreeMap<String, Vec<u64>>,
}

/// What a filter says of an item, and whether it is right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// A bit is clear, and the item is not in.
    Absent,
    /// All bits are set, and the item is in.
    Present,
    /// All bits are set, and the item is not in.
    FalsePositive,
    /// A bit is clear, and the item is in: removing what was never in can do that.
    FalseNegative,
}

impl Verdict {
    /// Returns the verdict in words.
    pub fn text(self) -> &'static str {
        match self {
            Self::Absent => "absent",
            Self::Present => "present",
            Self::FalsePositive => "false positive",
            Self::FalseNegative => "false negative",
        }
    }

    /// Returns what follows `is` in a sentence.
    pub(super) fn phrase(self) -> String {
        match self {
            Self::Absent | Self::Present => self.text().to_owned(),
            Self::FalsePositive | Self::FalseNegative => format!("a {}", self.text()),
        }
    }
}

/// An item and its positions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// Its name.
    pub name: String,
    /// Its positions, counted through all slices, blocks or stages: one for each hash, of which two
    /// may be the same. None if a scalable filter found the item before it was inserted.
    pub positions: Vec<u64>,
}

/// A row of bits that are drawn together: a slice, a block, a stage, or all there are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// What it is, in a few words; empty where there is only one.
    pub label: String,
    /// Its positions.
    pub positions: Range<u64>,
}

/// The bits of a filter with the items that set them and the queries that read them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagram {
    /// What the picture shows, in a few words.
    pub title: String,
    /// How to read it.
    pub note: String,
    /// What it says, in one sentence.
    pub description: String,
    /// The kind of filter.
    pub kind: Kind,
    /// How often each position is set, after inserts and removals; a bit is set if it is above 0.
    pub counts: Vec<u64>,
    /// The rows of bits, in their order.
    pub groups: Vec<Group>,
    /// The items inserted.
    pub inserts: Vec<Item>,
    /// The items removed, and whether the filter let them go.
    pub removes: Vec<(Item, bool)>,
    /// The items asked for, and what the filter says of each.
    pub queries: Vec<(Item, Verdict)>,
}

impl Group {
    /// Returns whether an item has positions here, all of them set.
    pub(crate) fn finds(&self, item: &Item, counts: &[u64]) -> bool {
        let here = item.positions.iter();
        let mut here = here
            .filter(|position| self.positions.contains(position))
            .peekable();
        here.peek().is_some() && here.all(|position| counts[*position as usize] > 0)
    }
}

impl Diagram {
    /// Returns what is written in a cell that is set so often: a bit is no counter.
    pub(crate) fn value(&self, count: u64) -> u64 {
        match self.kind {
            Kind::Counting => count,
            _ => count.min(1),
        }
    }
}
