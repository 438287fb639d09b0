//! A diagram as data: the bits of a small Bloom filter, the items that set these bits, and what queries find.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The most bits that a reader can tell apart.
pub const MAX_BITS: u64 = 64;

/// The most arrows above the bits, and the most below them, that a reader can follow.
const MAX_ARROWS: usize = 48;

/// A kind of filter in a diagram.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A bit array.
    Classic,
    /// Counters in place of bits, so that items can be removed.
    Counting,
    /// One slice of the bits for each hash. If k does not divide m, the first slices have one bit more than the others.
    Partitioned,
    /// This many blocks of equal length. All bits of an item are in one block.
    Blocked(u64),
    /// Stages, which are parts by which the filter grows. When half of the bits of a stage are set, the next stage begins, with
    /// twice the bits and one hash more.
    Scalable,
}

impl Kind {
    /// The kinds of filters by name. The blocked filter has its default number of blocks.
    pub(crate) const ALL: &[(&str, Self)] = &[
        ("classic", Self::Classic),
        ("counting", Self::Counting),
        ("partitioned", Self::Partitioned),
        ("blocked", Self::Blocked(4)),
        ("scalable", Self::Scalable),
    ];

    /// Returns what a filter of this kind has at each position: `bit` or `counter`.
    pub(crate) fn cell(self) -> &'static str {
        match self {
            Self::Counting => "counter",
            _ => "bit",
        }
    }

    /// Returns the name of the parts that the bits are divided into; `None` if they are not divided.
    pub(super) fn group(self) -> Option<&'static str> {
        match self {
            Self::Classic | Self::Counting => None,
            Self::Partitioned => Some("slice"),
            Self::Blocked(_) => Some("block"),
            Self::Scalable => Some("stage"),
        }
    }
}

/// The question: which bits do these items set, and what do these queries find?
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiagramOf {
    /// The kind of filter.
    pub kind: Kind,
    /// The number of bits or counters m, up to 64; for a scalable filter, the bits of its first stage.
    pub bits: u64,
    /// The number of hashes k; for a scalable filter, the hashes of its first stage.
    pub hashes: u8,
    /// The items to insert, in order, up to 8.
    pub inserts: Vec<String>,
    /// The items to remove after all insertions, up to 8.
    pub removes: Vec<String>,
    /// The items to query at the end, up to 8.
    pub queries: Vec<String>,
    /// The positions of items for which they are given. Other items have the positions of a real filter.
    pub positions: BTreeMap<String, Vec<u64>>,
}

/// The result of a query, compared with the truth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// True negative: a bit is clear, and the item was not inserted.
    Absent,
    /// True positive: all bits are set, and the item was inserted.
    Present,
    /// False positive: all bits are set, but the item was not inserted.
    FalsePositive,
    /// False negative: a bit is clear, but the item was inserted. Removing an item that was never
    /// inserted can cause this.
    FalseNegative,
}

impl Verdict {
    /// Returns the verdict in one or two words.
    pub fn text(self) -> &'static str {
        match self {
            Self::Absent => "absent",
            Self::Present => "present",
            Self::FalsePositive => "false positive",
            Self::FalseNegative => "false negative",
        }
    }

    /// Returns the words that follow `is` in a sentence.
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
    /// The name of the item.
    pub name: String,
    /// The positions of the item, counted through all slices, blocks or stages. They are the positions given for the item, or
    /// else one position for each hash, possibly with repeats. A query of a scalable filter has positions in every stage. Empty
    /// if the item was not inserted because a scalable filter already found it.
    pub positions: Vec<u64>,
}

/// A row of bits that are drawn together: a slice of a partitioned filter, a block of a blocked one, a stage of a growing one,
/// or the whole filter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// What the row is, such as `slice 0`; empty if the row is a whole classic or counting filter.
    pub label: String,
    /// The positions of the row's bits in the filter.
    pub positions: Range<u64>,
}

/// The bits of a filter with the items that set them and the queries that probe them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagram {
    /// The title: what the diagram shows, in a few words.
    pub title: String,
    /// The legend: how to read the diagram.
    pub note: String,
    /// What the diagram shows, in one sentence.
    pub description: String,
    /// The kind of filter.
    pub kind: Kind,
    /// How many times each position is set, after all insertions and removals. A bit is set if its number is above 0.
    pub counts: Vec<u64>,
    /// The rows of bits, in order.
    pub groups: Vec<Group>,
    /// The items to insert, in order.
    pub inserts: Vec<Item>,
    /// The items removed, and whether the filter accepted the removal.
    pub removes: Vec<(Item, bool)>,
    /// The items queried, and the result for each.
    pub queries: Vec<(Item, Verdict)>,
}

impl Group {
    /// Returns whether an item has positions in this row, and the bits at all these positions are set.
    pub(crate) fn finds(&self, item: &Item, counts: &[u64]) -> bool {
        let positions = item.positions.iter();
        let mut here = positions
            .filter(|position| self.positions.contains(position))
            .peekable();
        here.peek().is_some() && here.all(|position| counts[*position as usize] > 0)
    }
}

impl Item {
    /// Returns each position of the item once, with whether several hashes of the item select the position.
    pub(crate) fn arrows(&self) -> BTreeMap<u64, bool> {
        let mut arrows = BTreeMap::new();
        for position in &self.positions {
            let several = arrows.contains_key(position);
            arrows.insert(*position, several);
        }
        arrows
    }
}

impl Diagram {
    /// Returns the arrows of a query: each position, with whether several hashes select it. If stages of a scalable filter find
    /// the item, only these stages get arrows.
    pub(crate) fn arrows_of_query(&self, item: &Item) -> BTreeMap<u64, bool> {
        let groups = self.groups.iter();
        let stages = groups.filter(|_| self.kind == Kind::Scalable);
        let finders = stages.filter(|stage| stage.finds(item, &self.counts));
        let found: Vec<_> = finders.map(|stage| &stage.positions).collect();
        let mut arrows = item.arrows();
        arrows.retain(|position, _| {
            found.is_empty() || found.iter().any(|positions| positions.contains(position))
        });
        arrows
    }

    /// Returns the arrows above the bits, by the name of the item that is inserted or removed, and the arrows below the bits,
    /// by the name of the item that is queried.
    fn all_arrows(&self) -> [Vec<(&str, BTreeMap<u64, bool>)>; 2] {
        let removed = self.removes.iter().filter(|(_, accepted)| *accepted);
        let items = self.inserts.iter().chain(removed.map(|(item, _)| item));
        let above = items.map(|item| (&*item.name, item.arrows()));
        let queries = self.queries.iter();
        let below = queries.map(|(item, _)| (&*item.name, self.arrows_of_query(item)));
        [above.collect(), below.collect()]
    }

    /// Returns each position that several hashes of one item select, with the name of the item.
    pub(super) fn collisions(&self) -> BTreeSet<(&str, u64)> {
        let items = self.all_arrows().into_iter().flatten();
        let collisions = items.flat_map(|(name, arrows)| {
            let several = arrows.into_iter().filter(|(_, several)| *several);
            several.map(move |(position, _)| (name, position))
        });
        collisions.collect()
    }

    /// Returns whether there are more arrows than a reader can follow. Then a row of discs is drawn for each item instead.
    pub(crate) fn is_dense(&self) -> bool {
        self.all_arrows().iter().any(|row| {
            let counts = row.iter().map(|(_, arrows)| arrows.len());
            counts.sum::<usize>() > MAX_ARROWS
        })
    }

    /// Returns whether an item was removed.
    pub(crate) fn is_gone(&self, item: &Item) -> bool {
        let mut removes = self.removes.iter();
        removes.any(|(removed, accepted)| *accepted && removed.name == item.name)
    }

    /// Returns the number that is shown for a position: the count of a counter, or 0 or 1 for a bit.
    pub(crate) fn value(&self, count: u64) -> u64 {
        match self.kind {
            Kind::Counting => count,
            _ => count.min(1),
        }
    }
}
