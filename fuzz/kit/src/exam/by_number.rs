//! Wraps a filter of items of any type as a filter of numbers, each of which stands for one item. So the checks are written
//! once, for numbers.

use std::borrow::Borrow;
use std::ops::Range;

use bloom_core::math::measured::Band;

use super::ALARM;
use crate::item::{Item, Kind};
use crate::subject::{Candidate, Inserted, Subject};

/// A filter that is called with numbers. Each number stands for an item of a kind, such as random integers or texts.
pub(super) struct ByNumber<F: Candidate> {
    pub(super) filter: F,
    kind: Kind<F::Item>,
}

impl<F: Candidate> ByNumber<F> {
    pub(super) fn new(filter: F, kind: Kind<F::Item>) -> Self {
        Self { filter, kind }
    }

    /// Inserts an item. The filter must report it as new exactly if a query just before the insertion does not find it.
    pub(super) fn insert_checked(&mut self, number: u64) -> Result<Inserted, String> {
        let item = self.kind.item(number);
        let found = self.filter.contains(item.borrow());
        let inserted = self.filter.insert(item.borrow());
        if inserted.agrees_with(found) {
            return Ok(inserted);
        }
        let before = if found { "found" } else { "not found" };
        Err(format!(
            "item {number} was {before} just before, and its insertion returns {inserted:?}"
        ))
    }

    /// Inserts items in order. Returns an error at the first item that is refused, or wrongly reported as new or as known.
    pub(super) fn fill(&mut self, numbers: Range<u64>) -> Result<(), String> {
        let end = numbers.end;
        for number in numbers {
            if let Inserted::Refused(error) = self.insert_checked(number)? {
                return Err(format!("item {number} of {end} is refused: {error}"));
            }
        }
        Ok(())
    }

    /// Checks that all these items are found.
    pub(super) fn check_found(&self, numbers: impl Iterator<Item = u64>) -> Result<(), String> {
        let mut queried = 0_u64;
        let mut lost = numbers
            .inspect(|_| queried += 1)
            .filter(|it| !self.contains(it));
        let Some(first) = lost.next() else {
            return Ok(());
        };
        let count = 1 + lost.count();
        Err(format!(
            "item {first} is lost; in all {count} of {queried} are lost"
        ))
    }

    /// Returns how many of these items are found.
    pub(super) fn hits(&self, numbers: Range<u64>) -> u64 {
        numbers.filter(|number| self.contains(number)).count() as u64
    }

    /// Checks that the filter finds about the share of these absent items that it reports as its rate. Passes if the filter
    /// reports no rate.
    pub(super) fn check_own_rate(&self, absent: Range<u64>) -> Result<(), String> {
        let Some(own) = self.predicted_rate() else {
            return Ok(());
        };
        let (queries, hits) = (absent.end - absent.start, self.hits(absent));
        let band = Band::new(queries, own, own, ALARM)
            .map_err(|error| format!("a rate of {own}: {error}"))?;
        if band.contains(hits) {
            return Ok(());
        }
        Err(format!(
            "finds {hits} of {queries} absent items, and reports a rate of {own}"
        ))
    }

    /// The observable state of the filter: its answers for these items, and what it reports about itself.
    pub(super) fn seen(&self, numbers: Range<u64>) -> Seen {
        Seen {
            first: numbers.start,
            answers: numbers.map(|number| self.contains(&number)).collect(),
            reported: self.reported(),
        }
    }

    /// What the filter reports about itself, as text.
    fn reported(&self) -> String {
        let (rate, items) = (self.predicted_rate(), self.estimated_items());
        let classic = self.filter.classic();
        format!("rate {rate:?}, items {items:?}, bits and hashes {classic:?}")
    }

    fn items(&self, numbers: &[&u64]) -> Vec<<F::Item as Item>::Owned> {
        numbers
            .iter()
            .map(|number| self.kind.item(**number))
            .collect()
    }
}

/// The observable state of a filter.
pub(super) struct Seen {
    first: u64,
    answers: Vec<bool>,
    reported: String,
}

impl Seen {
    /// Returns whether the filter found an item.
    pub(super) fn found(&self, number: u64) -> bool {
        self.answers[(number - self.first) as usize]
    }

    /// Checks that two filters gave the same answers and reported the same about themselves.
    pub(super) fn check_equal(&self, other: &Self) -> Result<(), String> {
        let mut both = self.answers.iter().zip(&other.answers);
        if let Some(at) = both.position(|(ours, theirs)| ours != theirs) {
            let (item, ours, theirs) =
                (self.first + at as u64, self.answers[at], other.answers[at]);
            return Err(format!(
                "item {item} is found by one and not by the other: {ours}, {theirs}"
            ));
        }
        if self.reported != other.reported {
            return Err(format!("reports {} and {}", self.reported, other.reported));
        }
        Ok(())
    }
}

impl<F: Candidate> Subject<u64> for ByNumber<F> {
    fn insert(&mut self, number: &u64) -> Inserted {
        self.filter.insert(self.kind.item(*number).borrow())
    }

    fn contains(&self, number: &u64) -> bool {
        self.filter.contains(self.kind.item(*number).borrow())
    }

    fn insert_many(&mut self, numbers: &[&u64]) -> Option<Result<(), String>> {
        let items = self.items(numbers);
        let items: Vec<&F::Item> = items.iter().map(Borrow::borrow).collect();
        self.filter.insert_many(&items)
    }

    fn contains_many(&self, numbers: &[&u64]) -> Option<Vec<bool>> {
        let items = self.items(numbers);
        let items: Vec<&F::Item> = items.iter().map(Borrow::borrow).collect();
        self.filter.contains_many(&items)
    }

    fn clear(&mut self) -> Option<()> {
        self.filter.clear()
    }

    fn remove(&mut self, number: &u64) -> Option<bool> {
        self.filter.remove(self.kind.item(*number).borrow())
    }

    fn merge(&mut self, other: &Self) -> Option<Result<(), String>> {
        self.filter.merge(&other.filter)
    }

    fn intersect(&mut self, other: &Self) -> Option<Result<(), String>> {
        self.filter.intersect(&other.filter)
    }

    fn save(&self) -> Option<Vec<u8>> {
        self.filter.save()
    }

    fn load(&self, bytes: &[u8]) -> Option<Result<Self, String>> {
        let loaded = self.filter.load(bytes)?;
        Some(loaded.map(|filter| Self::new(filter, self.kind.clone())))
    }

    fn copy(&self) -> Option<Self> {
        let copy = self.filter.copy()?;
        Some(Self::new(copy, self.kind.clone()))
    }

    fn predicted_rate(&self) -> Option<f64> {
        self.filter.predicted_rate()
    }

    fn estimated_items(&self) -> Option<f64> {
        self.filter.estimated_items()
    }

    fn bits(&self) -> Option<u64> {
        self.filter.bits()
    }
}
