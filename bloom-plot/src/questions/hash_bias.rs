//! Which bits the hashes of well-known programs set: where a filter is full, and where empty.

use bloom_core::math::{exact, expected_fill};
use bloom_core::{BloomFilter, Shape};
use bloom_params::numbers::{grouped, nearest};

use crate::axes::{axis, check, check_list, tops};
use crate::curves::{Figure, MOST_SERIES, Point, Scale, Series};
use crate::error::FigureError;
use crate::row::Row;
use crate::saved::cell;
use crate::weak::{Hashing, Keys};

/// The slices that the bits are counted in.
const SLICES: u64 = 64;

/// Items that were not inserted, asked for the note.
const QUERIES: u64 = 200_000;

/// The question: do the hashes of these programs use all bits alike?
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HashBias {
    /// The ways of hashing, a curve for each.
    pub hashings: Vec<Hashing>,
    /// What the items look like.
    pub keys: Keys,
    /// The items n, up to 5 million.
    pub items: u64,
    /// The bits m, a power of two from 2^10 to 2^28.
    pub bits: u64,
    /// The hashes k, from 1 to 7.
    pub hashes: u8,
}

impl HashBias {
    /// Works out the figure: real rows of bits, filled, and the share of set bits in each of 64
    /// slices; the dashed line is the expected fill. There is nothing random in it.
    ///
    /// # Errors
    ///
    /// See the fields.
    pub fn figure(&self) -> Result<Figure, FigureError> {
        let (items, bits, hashes) = (self.items, self.bits, self.hashes);
        let names: Vec<&str> = self.hashings.iter().map(|one| one.name()).collect();
        check_list("hashing", &names, MOST_SERIES - 1)?;
        let holds = (1..=5_000_000).contains(&items);
        check("n", "from 1 to 5,000,000", holds, items)?;
        let holds = bits.is_power_of_two() && (1 << 10..=1 << 28).contains(&bits);
        check("m", "a power of two from 2^10 to 2^28", holds, bits)?;
        check("k", "from 1 to 7", (1..=7).contains(&hashes), hashes)?;
        let expected = expected_fill(items, bits, hashes)?;
        let rate = exact::rate(items, bits, hashes)?.value();
        let mut series = Vec::new();
        let mut told = Vec::new();
        for hashing in &self.hashings {
            let (row, hits) = self.fill(*hashing)?;
            let slice = bits / SLICES;
            let points = (0..SLICES).map(|index| {
                let ones = row.ones(index * slice, (index + 1) * slice);
                Point {
                    x: 100.0 * (index as f64 + 0.5) / SLICES as f64,
                    y: ones as f64 / slice as f64,
                }
            });
            series.push(Series {
                label: hashing.name().to_owned(),
                curve: points.collect(),
                ..Series::default()
            });
            told.push(format!("{} {}", hashing.name(), grouped(hits)));
        }
        series.push(Series {
            label: "expected".to_owned(),
            curve: vec![
                Point {
                    x: 0.0,
                    y: expected,
                },
                Point {
                    x: 100.0,
                    y: expected,
                },
            ],
            dashed: true,
            ..Series::default()
        });
        let hits = told.join(", ");
        let top = (1.05 * tops(&series).fold(0.0, f64::max)).min(1.0);
        Ok(Figure {
            title: format!(
                "Which of {} bits {} {} set, k = {hashes}",
                grouped(bits),
                grouped(items),
                self.keys.name()
            ),
            note: format!(
                "Share of set bits in each 64th of a real filter. False positives of {} others, {} \
                 expected: {hits}.",
                grouped(QUERIES),
                nearest(QUERIES as f64 * rate, 3),
            ),
            description: format!(
                "The share of set bits along a Bloom filter, by the way it hashes: good hashes set \
                 {} % everywhere, weak ones crowd into some parts and leave others empty. Of {} \
                 queries for others these were found: {hits}.",
                nearest(100.0 * expected, 3),
                grouped(QUERIES),
            ),
            x: axis("position in % of m", Scale::Linear, 0.0, 100.0),
            y: axis("share of set bits", Scale::Linear, 0.0, top),
            series,
            marks: Vec::new(),
        })
    }

    /// Fills a row of bits and asks for other items; returns it with the number found.
    fn fill(&self, hashing: Hashing) -> Result<(Row, u64), FigureError> {
        let (bits, hashes) = (self.bits, self.hashes);
        let mut row = Row::new(bits)?;
        let inserts = (0..self.items).map(|index| self.keys.item(index));
        let mut others = (self.items..self.items + QUERIES).map(|index| self.keys.item(index));
        if hashing == Hashing::Ours {
            let mut filter = BloomFilter::<str>::new(Shape::new(bits, hashes)?)?;
            filter.extend(inserts);
            let bytes = filter.to_bytes()?;
            let set = (0..bits).filter(|position| cell(&bytes, *position, 1) == 1);
            set.for_each(|position| row.set(position));
            let hits = others.filter(|item| filter.contains(item.as_str())).count();
            return Ok((row, hits as u64));
        }
        for item in inserts {
            hashing.positions(&item, bits, hashes, |position| row.set(position));
        }
        let mut hits = 0;
        others.by_ref().for_each(|item| {
            let mut found = true;
            hashing.positions(&item, bits, hashes, |position| {
                found &= row.is_set(position);
            });
            hits += u64::from(found);
        });
        Ok((row, hits))
    }
}
