//! The bits of a small filter: which items set them, and what queries find.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::axes::check;
use crate::curves::MOST_SERIES;
use crate::data::field;
use crate::drawing::{Drawing, Layout};
use crate::error::FigureError;
use crate::look::Look;
use crate::rows::Rows;
use crate::scene::Scene;
use crate::words::{counted, listed};

/// The most bits that can be told apart.
pub const MOST_BITS: u64 = 64;

/// The longest name of an item.
pub const LONGEST_NAME: usize = 16;

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
    fn phrase(self) -> String {
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

impl DiagramOf {
    /// Works out the diagram.
    ///
    /// # Errors
    ///
    /// See the fields; names must be of 1 to 16 letters, positions below `bits`, of one block, and
    /// one of each slice, and only counters let items be removed. Slices have at least one bit each;
    /// stages have at most 64 bits together, and no positions by hand.
    pub fn diagram(&self) -> Result<Diagram, FigureError> {
        let holds = (1..=MOST_BITS).contains(&self.bits);
        check("m", "from 1 to 64 to be drawn", holds, self.bits)?;
        let holds = (1..=16).contains(&self.hashes);
        check("k", "from 1 to 16 to be drawn", holds, self.hashes)?;
        check(
            "insert",
            "at least one item",
            !self.inserts.is_empty(),
            "none",
        )?;
        let counting = self.kind == Kind::Counting;
        let removable = counting || self.removes.is_empty();
        check("remove", "of a counting filter", removable, "another one")?;
        let mut rows = Rows::new(self)?;
        let inserts = Self::named("insert", &self.inserts)?;
        let inserts = inserts.map(|name| rows.insert(name));
        let inserts = inserts.collect::<Result<Vec<_>, _>>()?;
        let removes = Self::named("remove", &self.removes)?;
        let removes = removes.map(|name| rows.remove(name));
        let removes = removes.collect::<Result<Vec<_>, _>>()?;
        let queries = Self::named("query", &self.queries)?;
        let queries = queries.map(|name| rows.ask(name));
        let queries = queries.collect::<Result<Vec<_>, _>>()?;
        let Rows { counts, groups, .. } = rows;
        let set = counts.iter().filter(|count| **count > 0).count();
        let noun = if counting { "counter" } else { "bit" };
        let verdicts = queries
            .iter()
            .map(|(item, verdict)| format!("{} is {}", item.name, verdict.phrase()));
        let verdicts = listed(&verdicts.collect::<Vec<_>>());
        let colon = if verdicts.is_empty() { "" } else { ": " };
        let (title, kind) = self.names(&groups);
        Ok(Diagram {
            title,
            note: self.note().to_owned(),
            description: format!(
                "A {kind}, {set} of its {} set by {}{colon}{verdicts}.",
                counted(counts.len() as u64, noun),
                listed(&self.inserts),
            ),
            kind: self.kind,
            counts,
            groups,
            inserts,
            removes,
            queries,
        })
    }

    /// Checks a list of names.
    fn named<'a>(
        parameter: &'static str,
        names: &'a [String],
    ) -> Result<impl Iterator<Item = &'a str> + use<'a>, FigureError> {
        if names.len() > MOST_SERIES {
            return Err(FigureError::TooMany {
                parameter,
                most: MOST_SERIES,
                got: names.len(),
            });
        }
        for name in names {
            let letters = name.chars().count();
            let holds = (1..=LONGEST_NAME).contains(&letters) && !name.contains(char::is_control);
            check("name", "of 1 to 16 letters", holds, letters)?;
        }
        Ok(names.iter().map(String::as_str))
    }

    /// The title, and the kind of filter in a sentence.
    fn names(&self, groups: &[Group]) -> (String, String) {
        let (bits, k) = (self.bits, self.hashes);
        // Positions by hand may be fewer or more.
        let all_k = self
            .positions
            .values()
            .all(|given| given.len() == usize::from(k));
        let hashes = if all_k {
            format!(", {}", counted(k.into(), "hash"))
        } else {
            String::new()
        };
        match self.kind {
            Kind::Classic => (
                format!("{}{hashes}", counted(bits, "bit")),
                "Bloom filter".to_owned(),
            ),
            Kind::Counting => (
                format!("{}{hashes}", counted(bits, "counter")),
                "counting Bloom filter".to_owned(),
            ),
            Kind::Partitioned => {
                let slices = counted(k.into(), "slice");
                let (least, longer) = (bits / u64::from(k), bits % u64::from(k));
                let lengths = match longer {
                    0 => counted(least, "bit"),
                    _ => format!("{least} or {}", counted(least + 1, "bit")),
                };
                (
                    format!("{slices} of {lengths}{hashes}"),
                    format!("Bloom filter in {slices}"),
                )
            }
            Kind::Blocked(blocks) => (
                format!(
                    "{} of {}{hashes}",
                    counted(blocks, "block"),
                    counted(bits / blocks, "bit")
                ),
                format!("Bloom filter in {}", counted(blocks, "block")),
            ),
            Kind::Scalable => {
                let lengths = groups.iter();
                let lengths =
                    lengths.map(|group| (group.positions.end - group.positions.start).to_string());
                let stages = counted(groups.len() as u64, "stage");
                (
                    format!("{stages} of {} bits", listed(&lengths.collect::<Vec<_>>())),
                    format!("growing Bloom filter in {stages}"),
                )
            }
        }
    }

    fn note(&self) -> &'static str {
        match self.kind {
            Kind::Classic => {
                "Every item sets its bits; grey ones belong to several. A query is found if all its \
                 bits are set; a dashed arrow meets a clear one."
            }
            Kind::Counting => {
                "Every hash of an inserted item adds 1, every hash of a removed one takes 1 away; \
                 where two of an item meet is one arrow. A query is found if none of its counters \
                 is 0."
            }
            Kind::Partitioned => {
                "Each hash has a slice of its own, where it sets one bit; grey ones belong to several \
                 items. A query is found if its bit in every slice is set; a dashed arrow meets a \
                 clear one."
            }
            Kind::Blocked(_) => {
                "The hashes of an item set bits in one block: a query reads no other. Grey bits \
                 belong to several items; a dashed arrow meets a clear bit."
            }
            Kind::Scalable => {
                "Items go to the last stage; when half its bits are set, the next begins, twice as \
                 long, with one hash more. A query is found if all its bits in any stage are set."
            }
        }
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

impl Layout for Diagram {
    fn scene(&self, look: Look) -> Scene {
        crate::bits_scene::scene(self, look)
    }
}

impl Drawing for Diagram {
    fn title(&self) -> &str {
        &self.title
    }

    fn description(&self) -> &str {
        &self.description
    }

    fn csv(&self) -> String {
        let mut text = "kind,name,position,value\n".to_owned();
        let mut lines = |kind: &str, item: &Item, value: &str| {
            for position in &item.positions {
                text += &format!("{kind},{},{position},{value}\n", field(&item.name));
            }
        };
        for item in &self.inserts {
            lines("insert", item, "");
        }
        for (item, lets_go) in &self.removes {
            lines("remove", item, if *lets_go { "removed" } else { "refused" });
        }
        for (item, verdict) in &self.queries {
            lines("query", item, verdict.text());
        }
        let kind = match self.kind {
            Kind::Counting => "counter",
            _ => "bit",
        };
        for (position, count) in self.counts.iter().enumerate() {
            let group = self.groups.iter();
            let group = group.map(|group| (&group.label, &group.positions));
            let name = group
                .filter(|(_, positions)| positions.contains(&(position as u64)))
                .map(|(label, _)| field(label))
                .collect::<String>();
            let value = self.value(*count);
            text += &format!("{kind},{name},{position},{value}\n");
        }
        text
    }
}
