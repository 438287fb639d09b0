//! The body of the target `scalable_growth`: a filter that grows by adding parts (stages) must find the inserted hashes, and
//! keep its rate and its limits.

use crate::hashed::Run;
use crate::repro::{List, Real};
use bloom_fuzz_kit::{AnyState, Checked, Promise, ensure, law};
use std::collections::BTreeSet;

use arbitrary::{Arbitrary, Result, Unstructured};
use bloom_core::{GrowError, ScalableBloomFilter, ScalableShape};

use super::runs;

/// The maximum number of hashes to insert. So few hashes keep the stages small, although a stage may expect 5 times as many
/// items as the one before.
const MAX_HASHES: usize = 600;
/// In this many refused insertions, it is checked that the filter does not change.
const MAX_REFUSALS: usize = 3;

/// The parameters of a growing filter, valid or not, and the hashes to insert.
#[derive(Debug, Clone, PartialEq)]
pub struct ScalableGrowth {
    /// Expected items of the first stage.
    pub items: u64,
    /// The rate that all stages together must keep.
    pub rate: Real,
    /// The expected items of a stage divided by the expected items of the stage before.
    pub growth: u32,
    /// The rate of a stage divided by the rate of the stage before.
    pub tightening: Real,
    /// Maximum number of stages.
    pub max_stages: u32,
    /// The hashes to insert.
    pub runs: List<Run>,
}

runs!(ScalableGrowth);

type Scalable = ScalableBloomFilter<u64, AnyState>;

impl ScalableGrowth {
    fn check(&self) -> Checked {
        let shape = ScalableShape::new(self.items, self.rate.0)
            .and_then(|shape| shape.with_growth(self.growth))
            .and_then(|shape| shape.with_tightening(self.tightening.0))
            .and_then(|shape| shape.with_max_stages(self.max_stages));
        let filter = shape
            .ok()
            .map(|shape| Scalable::with_hasher(shape, AnyState::Identity));
        let Some(Ok(mut filter)) = filter else {
            // Invalid parameters must be refused by an error and not by a panic; nothing else is promised.
            return Ok(());
        };
        let hashes: Vec<u64> = self.runs.0.iter().flat_map(|run| run.hashes()).collect();
        let mut inside = BTreeSet::new();
        let mut refusals = 0;
        for hash in hashes.iter().take(MAX_HASHES) {
            let (found, stages) = (filter.contains_hash(*hash), filter.stages().count());
            let before = (refusals < MAX_REFUSALS && stages as u32 == self.max_stages)
                .then(|| filter.clone());
            match filter.insert_hash(*hash) {
                Ok(new) => {
                    law(
                        new != found,
                        "a hash must be new exactly if it was not found",
                        &(new, found, hash),
                    )?;
                    // The hash is queried again only at the end, because insertions clear no bits.
                    inside.insert(*hash);
                }
                Err(error) => {
                    refusals += 1;
                    self.check_refusal(&filter, before.as_ref(), error)?;
                }
            }
        }
        self.check_whole(&filter, &inside)?;
        check_cleared(filter, &inside)
    }

    fn check_refusal(
        &self,
        filter: &Scalable,
        before: Option<&Scalable>,
        error: GrowError,
    ) -> Checked {
        let max_stages = self.max_stages;
        let stages = filter.stages().count() as u32;
        let is_right = match error {
            GrowError::TooManyStages { max_stages: most } => {
                most == max_stages && stages == max_stages
            }
            GrowError::Shape(_) => stages < max_stages,
            _ => false,
        };
        law(
            is_right,
            "a refusal must name the limit that was hit",
            &(error, stages),
        )?;
        law(
            before.is_none_or(|before| before == filter),
            "a refusal must change nothing",
            &filter,
        )
    }

    fn check_whole(&self, filter: &Scalable, inside: &BTreeSet<u64>) -> Checked {
        check_found(filter, inside)?;
        let stages = filter.stages().count();
        law(
            (1..=self.max_stages as usize).contains(&stages),
            "the number of stages must keep its limit",
            &stages,
        )?;
        let counted: u64 = filter.stages().map(|stage| stage.items).sum();
        let inserted = filter.inserted_items();
        let honest = inserted == counted && inserted <= inside.len() as u64;
        law(
            honest,
            "each item must count once, for the stage that took it",
            &(inserted, counted, inside.len()),
        )?;
        self.check_rate(filter)?;
        let bytes = filter.to_bytes().expect("memory for a small file");
        let loaded = Scalable::from_bytes_with_hasher(&bytes, AnyState::Identity);
        law(
            loaded.as_ref() == Ok(filter),
            "a saved filter must load as an equal filter",
            &loaded,
        )
    }
}

impl ScalableGrowth {
    /// Stage i, counted from 0, must keep its share P (1 - r) r^i of the rate P, where r is the tightening ratio. So all stages
    /// together keep the rate P. There is one documented exception: in a stage with a single item, the rate of the item's k
    /// bits may exceed the share.
    fn check_rate(&self, filter: &Scalable) -> Checked {
        let (rate, tightening) = (self.rate.0, self.tightening.0);
        let mut over = 0;
        for (number, stage) in (0..).zip(filter.stages()) {
            let (bits, hashes) = (stage.shape.bits(), stage.shape.hashes());
            let share = rate * (1.0 - tightening) * tightening.powi(number);
            let own = (stage.ones as f64 / bits as f64).powi(hashes.into());
            // Both values are rounded, so a tiny excess is tolerated.
            let keeps = own <= share * (1.0 + 1e-9);
            over += u32::from(!keeps);
            law(
                keeps || stage.items == 1 && stage.ones <= hashes.into(),
                "a stage of more than one item must keep its share of the rate",
                &(own, share, stage),
            )?;
        }
        let expected = filter.expected_false_positive_rate();
        law(
            expected <= rate || over > 0,
            "the compound rate must be kept",
            &(expected, filter.stages().count()),
        )
    }
}

fn check_found(filter: &Scalable, inside: &BTreeSet<u64>) -> Checked {
    let lost = inside.iter().find(|hash| !filter.contains_hash(**hash));
    ensure(lost.is_none(), Promise::InsertedIsFound, || {
        format!("none for {lost:x?}")
    })
}

fn check_cleared(mut filter: Scalable, inside: &BTreeSet<u64>) -> Checked {
    filter.clear();
    let found = inside.iter().any(|hash| filter.contains_hash(*hash));
    let stages = filter.stages().count();
    let new = filter.is_empty() && !found && stages == 1 && filter.inserted_items() == 0;
    law(new, "a cleared filter must equal a new one", &filter)
}

impl<'a> Arbitrary<'a> for ScalableGrowth {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let rate = match u.int_in_range(0..=2)? {
            0 => *u.choose(&[1e-12, 1e-15, 3e-16, 0.999_999, 0.0, 1.0, f64::NAN, -1.0])?,
            _ => *u.choose(&[0.5, 0.1, 0.01, 1e-3, 1e-6])?,
        };
        Ok(Self {
            items: u.int_in_range(0..=100)?,
            rate: Real(rate),
            growth: u.int_in_range(0..=5)?,
            tightening: Real(*u.choose(&[0.85, 0.5, 0.99, 0.01, 1.0, 0.0, f64::NAN])?),
            max_stages: u.int_in_range(0..=24)?,
            runs: List::rest(u, 24)?,
        })
    }
}
