//! The small filter of a diagram, while items are inserted, removed and queried.

use std::iter::repeat_n;

use bloom_core::{CountingBloomFilter, FixedState, PartitionedBloomFilter, Shape};

use super::model::{DiagramOf, Group, Item, Kind, MAX_BITS, Verdict};
use crate::axes::{check, require};
use crate::error::FigureError;

/// The bits or counters of a filter in rows (the slices, blocks or stages, or one row for the whole filter), and the items that
/// it holds.
pub(crate) struct Rows<'a> {
    of: &'a DiagramOf,
    pub(crate) counts: Vec<u64>,
    pub(crate) groups: Vec<Group>,
    members: Vec<&'a str>,
}

impl<'a> Rows<'a> {
    pub(crate) fn new(of: &'a DiagramOf) -> Result<Self, FigureError> {
        let mut rows = Self {
            of,
            counts: Vec::new(),
            groups: Vec::new(),
            members: Vec::new(),
        };
        let count = match of.kind {
            Kind::Classic | Kind::Counting => 1,
            Kind::Partitioned => {
                let slices = of.hashes.into();
                let rule = format!("at least k = {slices} in a partitioned filter");
                check("m", &rule, of.bits >= slices, of.bits)?;
                slices
            }
            Kind::Blocked(blocks) => {
                let holds = blocks > 0 && of.bits.is_multiple_of(blocks);
                check("blocks", "a divisor of m", holds, blocks)?;
                blocks
            }
            Kind::Scalable => {
                if let Some(name) = of.positions.keys().next() {
                    let rule = format!("of {name} cannot be given for a scalable filter");
                    return Err(FigureError::stated("positions", rule));
                }
                1
            }
        };
        // If k does not divide m, the first slices have one bit more than the others.
        for index in 0..count {
            rows.add_group(of.bits / count + u64::from(index < of.bits % count));
        }
        Ok(rows)
    }

    fn add_group(&mut self, bits: u64) {
        // Stages are counted from 1; slices and blocks are counted from 0.
        let number = self.groups.len() + usize::from(self.of.kind == Kind::Scalable);
        let group = self.of.kind.group();
        let label = group.map_or_else(String::new, |group| format!("{group} {number}"));
        let start = self.counts.len() as u64;
        self.counts.resize((start + bits) as usize, 0);
        self.groups.push(Group {
            label,
            positions: start..start + bits,
        });
    }

    fn finds(&self, item: &Item) -> bool {
        let mut groups = self.groups.iter();
        let finds = |group: &Group| group.finds(item, &self.counts);
        match self.of.kind {
            Kind::Partitioned => groups.all(finds),
            _ => groups.any(finds),
        }
    }

    pub(crate) fn insert(&mut self, name: &'a str) -> Result<Item, FigureError> {
        let mut item = self.item(name)?;
        if self.of.kind == Kind::Scalable {
            if self.finds(&item) {
                item.positions.clear();
            } else {
                self.grow_if_half_full()?;
                let stage = self.groups.len() - 1;
                item.positions = self.stage_positions(stage, name)?;
            }
        }
        for position in &item.positions {
            self.counts[*position as usize] += 1;
        }
        self.members.push(name);
        Ok(item)
    }

    /// Adds a stage to a scalable filter if half of the bits of the last stage are set.
    fn grow_if_half_full(&mut self) -> Result<(), FigureError> {
        let last = self.groups[self.groups.len() - 1].positions.clone();
        let length = last.end - last.start;
        let set = last.filter(|position| self.counts[*position as usize] > 0);
        if 2 * set.count() as u64 >= length {
            let all = self.counts.len() as u64 + 2 * length;
            let rule = "must have at most 64 bits together";
            require("stages", rule, all <= MAX_BITS, all)?;
            self.add_group(2 * length);
        }
        Ok(())
    }

    /// Removes an item. Returns the item with its positions, and whether the filter accepted the removal.
    pub(crate) fn remove(&mut self, name: &'a str) -> Result<(Item, bool), FigureError> {
        let item = self.item(name)?;
        let accepted = self.finds(&item);
        if accepted {
            for position in &item.positions {
                let count = &mut self.counts[*position as usize];
                *count = count.saturating_sub(1);
            }
            if let Some(index) = self.members.iter().position(|member| *member == name) {
                self.members.swap_remove(index);
            }
        }
        Ok((item, accepted))
    }

    /// Queries an item. Returns the item with its positions, and the answer compared with the truth.
    pub(crate) fn query(&mut self, name: &'a str) -> Result<(Item, Verdict), FigureError> {
        let item = self.item(name)?;
        let verdict = match (self.finds(&item), self.members.contains(&name)) {
            (true, true) => Verdict::Present,
            (true, false) => Verdict::FalsePositive,
            (false, true) => Verdict::FalseNegative,
            (false, false) => Verdict::Absent,
        };
        Ok((item, verdict))
    }

    /// Returns an item with all its positions: those that the user gave, or else those of a real filter.
    fn item(&self, name: &str) -> Result<Item, FigureError> {
        let of = self.of;
        let mut positions = match (of.positions.get(name), of.kind) {
            (Some(positions), _) => self.checked(positions)?,
            (None, Kind::Classic | Kind::Counting) => {
                real_positions(name, of.bits, of.hashes, FixedState::new())?
            }
            (None, Kind::Partitioned) => partitioned_positions(name, of.bits, of.hashes)?,
            (None, Kind::Blocked(blocks)) => {
                // The block is chosen by a hasher with another seed, so that the positions inside are independent of the block.
                let block = real_positions(name, blocks, 1, FixedState::with_seed(1))?;
                let length = of.bits / blocks;
                let inside = real_positions(name, length, of.hashes, FixedState::new())?;
                let place = |inside| block[0] * length + inside;
                inside.into_iter().map(place).collect()
            }
            (None, Kind::Scalable) => {
                let stages = (0..self.groups.len()).map(|stage| self.stage_positions(stage, name));
                stages.collect::<Result<Vec<_>, _>>()?.concat()
            }
        };
        positions.sort_unstable();
        Ok(Item {
            name: name.to_owned(),
            positions,
        })
    }

    /// Returns the positions of an item in a stage of a scalable filter. Each stage has one hash more than the stage before.
    fn stage_positions(&self, stage: usize, name: &str) -> Result<Vec<u64>, FigureError> {
        let all = &self.groups[stage].positions;
        let hashes = self.of.hashes + stage as u8;
        let inside = real_positions(name, all.end - all.start, hashes, FixedState::new())?;
        Ok(inside
            .into_iter()
            .map(|inside| all.start + inside)
            .collect())
    }

    /// Checks the positions that the user gave for an item, and returns them.
    fn checked(&self, positions: &[u64]) -> Result<Vec<u64>, FigureError> {
        let all = self.counts.len() as u64;
        for position in positions {
            check("positions", "below m", *position < all, *position)?;
        }
        let (number, rule) = (positions.len(), "of an item must have 1 to 16 entries");
        require("positions", rule, (1..=16).contains(&number), number)?;
        let inside = |group: &Group| {
            let inside = positions.iter();
            let inside = inside.filter(|position| group.positions.contains(position));
            inside.count()
        };
        if self.of.kind == Kind::Partitioned {
            for group in &self.groups {
                let (got, label) = (inside(group), &group.label);
                let given = format!("{got} in {label}");
                check("positions", "one in each slice", got == 1, &given)?;
            }
        } else {
            let mut groups = self.groups.iter();
            let holds = groups.any(|group| inside(group) == positions.len());
            check("positions", "in one block", holds, "several blocks")?;
        }
        Ok(positions.to_vec())
    }
}

/// Returns the positions of this item in a real filter, in ascending order. The filter is a counting one, and the positions are
/// read from its counters, so a position that two hashes choose appears twice.
fn real_positions(
    name: &str,
    bits: u64,
    hashes: u8,
    hasher: FixedState,
) -> Result<Vec<u64>, FigureError> {
    let shape = Shape::new(bits, hashes)?;
    let mut filter = CountingBloomFilter::<str>::with_seed(shape, hasher.seed())?;
    filter.insert(name);
    let counts = (0..).zip(filter.counts());
    let positions = counts.flat_map(|(position, count)| repeat_n(position, count.into()));
    Ok(positions.collect())
}

/// Returns the positions of this item in a real partitioned filter, one in each slice.
fn partitioned_positions(name: &str, bits: u64, hashes: u8) -> Result<Vec<u64>, FigureError> {
    let mut filter = PartitionedBloomFilter::<str>::new(Shape::new(bits, hashes)?)?;
    filter.insert(name);
    let words = filter.words();
    let is_set = |bit: &u64| words[(bit / 64) as usize] >> (bit % 64) & 1 == 1;
    Ok((0..bits).filter(is_set).collect())
}
