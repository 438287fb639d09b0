//! The bits of a small filter: which items set them, and what queries find.

use std::collections::BTreeMap;

use bloom_core::{CountingBloomFilter, Shape};

use crate::axes::check;
use crate::curves::MOST_SERIES;
use crate::data::field;
use crate::drawing::{Drawing, Layout};
use crate::error::FigureError;
use crate::look::Look;
use crate::scene::Scene;
use crate::words::listed;

/// The bytes of a saved filter before its bits.
const HEADER_BYTES: usize = 128;

/// The most bits that can be told apart.
pub const MOST_BITS: u64 = 64;

/// The longest name of an item.
pub const LONGEST_NAME: usize = 16;

/// The question: which bits do these items set, and what do these queries find?
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiagramOf {
    /// The bits m, or counters, up to 64.
    pub bits: u64,
    /// The hashes k.
    pub hashes: u8,
    /// Whether bits are counters, from which items can be removed.
    pub counting: bool,
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
}

/// An item and its positions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// Its name.
    pub name: String,
    /// Its positions, one for each hash; two may be the same.
    pub positions: Vec<u64>,
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
    /// Whether bits are counters.
    pub counting: bool,
    /// How often each position is set, after inserts and removals; a bit is set if it is above 0.
    pub counts: Vec<u64>,
    /// The items inserted.
    pub inserts: Vec<Item>,
    /// The items removed, and whether the filter let them go.
    pub removes: Vec<(Item, bool)>,
    /// The items asked for, and what the filter says of each.
    pub queries: Vec<(Item, Verdict)>,
}

impl DiagramOf {
    /// Works out the diagram.
    ///
    /// # Errors
    ///
    /// See the fields; names must be of 1 to 16 letters, positions below `bits`, and only
    /// counters let items be removed.
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
        let removable = self.counting || self.removes.is_empty();
        check("remove", "of a counting filter", removable, "a plain one")?;
        let inserts = self.items("insert", &self.inserts)?;
        let removes = self.items("remove", &self.removes)?;
        let queries = self.items("query", &self.queries)?;
        let mut counts = vec![0_u64; self.bits as usize];
        let mut members: Vec<&str> = Vec::new();
        for item in &inserts {
            for position in &item.positions {
                counts[*position as usize] += 1;
            }
            members.push(&item.name);
        }
        let found = |counts: &[u64], item: &Item| {
            let mut positions = item.positions.iter();
            positions.all(|position| counts[*position as usize] > 0)
        };
        let mut removed = Vec::new();
        for item in removes {
            let lets_go = found(&counts, &item);
            if lets_go {
                for position in &item.positions {
                    let count = &mut counts[*position as usize];
                    *count = count.saturating_sub(1);
                }
                if let Some(index) = members.iter().position(|name| *name == item.name) {
                    members.swap_remove(index);
                }
            }
            removed.push((item, lets_go));
        }
        let judged = queries.into_iter().map(|item| {
            let is_in = members.contains(&&*item.name);
            let verdict = match (found(&counts, &item), is_in) {
                (true, true) => Verdict::Present,
                (true, false) => Verdict::FalsePositive,
                (false, true) => Verdict::FalseNegative,
                (false, false) => Verdict::Absent,
            };
            (item, verdict)
        });
        let queries: Vec<(Item, Verdict)> = judged.collect();
        let set = counts.iter().filter(|count| **count > 0).count();
        let kind = if self.counting { "counters" } else { "bits" };
        let verdicts = queries
            .iter()
            .map(|(item, verdict)| format!("{} is {}", item.name, verdict.text()));
        let verdicts = listed(&verdicts.collect::<Vec<_>>());
        let colon = if verdicts.is_empty() { "" } else { ": " };
        Ok(Diagram {
            title: format!("{} {kind}, {} hashes", self.bits, self.hashes),
            note: if self.counting {
                "Every arrow of an insert adds 1, every arrow of a removal takes 1 away. A query is \
                 found if none of its counters is 0."
            } else {
                "Every item sets its bits; grey ones belong to several. A query is found if all its \
                 bits are set; a dashed arrow meets a clear one."
            }
            .to_owned(),
            description: format!(
                "A Bloom filter of {} {kind}, {set} of them set by {}{colon}{verdicts}.",
                self.bits,
                listed(&self.inserts),
            ),
            counting: self.counting,
            counts,
            inserts,
            removes: removed,
            queries,
        })
    }

    fn items(&self, parameter: &'static str, names: &[String]) -> Result<Vec<Item>, FigureError> {
        if names.len() > MOST_SERIES {
            return Err(FigureError::TooMany {
                parameter,
                most: MOST_SERIES,
                got: names.len(),
            });
        }
        let items = names.iter().map(|name| {
            let letters = name.chars().count();
            let holds = (1..=LONGEST_NAME).contains(&letters) && !name.contains(char::is_control);
            check("name", "of 1 to 16 letters", holds, letters)?;
            let mut positions = match self.positions.get(name) {
                Some(positions) => positions.clone(),
                None => self.real_positions(name)?,
            };
            let past = positions.iter().find(|position| **position >= self.bits);
            check(
                "positions",
                "below m",
                past.is_none(),
                past.copied().unwrap_or(0),
            )?;
            check(
                "positions",
                "1 to 16",
                (1..=16).contains(&positions.len()),
                positions.len(),
            )?;
            if !self.counting {
                // A bit that is set twice is set.
                positions.sort_unstable();
                positions.dedup();
            }
            Ok(Item {
                name: name.clone(),
                positions,
            })
        });
        items.collect()
    }

    /// Returns the positions that a real filter has for this item, read off its counters: one that
    /// two hashes chose is there twice.
    fn real_positions(&self, name: &str) -> Result<Vec<u64>, FigureError> {
        let shape = Shape::new(self.bits, self.hashes)?;
        let mut filter = CountingBloomFilter::<str>::new(shape)?;
        filter.insert(name);
        let bytes = filter.to_bytes()?;
        // Counters are of 4 bits, the lowest first.
        let counters = (0..self.bits).flat_map(|position| {
            let pair = bytes[HEADER_BYTES + position as usize / 2];
            let count = usize::from(pair >> (position % 2 * 4) & 15);
            std::iter::repeat_n(position, count)
        });
        Ok(counters.collect())
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
        let kind = if self.counting { "counter" } else { "bit" };
        for (position, count) in self.counts.iter().enumerate() {
            let value = if self.counting {
                *count
            } else {
                (*count).min(1)
            };
            text += &format!("{kind},,{position},{value}\n");
        }
        text
    }
}
