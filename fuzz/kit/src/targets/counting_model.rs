//! The body of the target `counting_model`: the counting filter beside a multiset, and beside its
//! counters as the documented layout has them.

use std::collections::BTreeMap;

use arbitrary::{Arbitrary, Result, Unstructured};
use bloom_core::{CounterBits, CountingBloomFilter, Shape};

use super::{rest, runs};
use crate::documented::Documented;
use crate::hashes::{Beside, Deed};
use crate::paste::List;
use crate::promise::{Promise, Violation, ensure};
use crate::spec::{MEMORY, Spec, VALID, size};
use crate::state::AnyState;

/// A counting filter and hashes for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CountingModel {
    /// Counters, 1 to 4096.
    pub bits: u64,
    /// Hashes.
    pub hashes: u8,
    /// Counters of 8 bits, not of 4.
    pub wide: bool,
    /// Removes also what is not in: refused, or documented to make false negatives.
    pub loose: bool,
    /// What is done.
    pub deeds: List<Deed>,
}

runs!(CountingModel);

impl CountingModel {
    fn check(&self) -> std::result::Result<(), Violation> {
        let (bits, hashes, wide) = (self.bits, self.hashes, self.wide);
        let spec = Spec::Counting { bits, hashes, wide };
        let state = AnyState::Identity;
        let shape = Shape::new(bits, hashes).expect(VALID);
        let width = if wide {
            CounterBits::Eight
        } else {
            CounterBits::Four
        };
        let filter = CountingBloomFilter::with_counter_bits(shape, width, state).expect(MEMORY);
        let plain = Documented::new(spec).expect("counting filters are documented");
        let mut beside = Beside::new(filter, plain, state);
        let mut inside = BTreeMap::<u64, u64>::new();
        for (number, deed) in Deed::affordable(&self.deeds.0, hashes).iter().enumerate() {
            if self.count(deed, &mut inside) {
                let mut checked = beside.apply(deed).and_then(|()| beside.check_bytes());
                // What adds loses nothing that the end would not show.
                if matches!(deed, Deed::Remove(_) | Deed::Meet(_)) {
                    checked = checked.and_then(|()| self.check_found(&beside.filter, &inside));
                }
                checked.map_err(|violation| violation.after(number, deed))?;
            }
        }
        self.check_found(&beside.filter, &inside)
    }

    /// Does a deed to the multiset; returns whether it is to be done.
    fn count(&self, deed: &Deed, inside: &mut BTreeMap<u64, u64>) -> bool {
        let mut add = |hash, times: u64| *inside.entry(hash).or_default() += times;
        match *deed {
            Deed::Add(hash) => add(hash, 1),
            Deed::AddOften(hash, times) => add(hash, times.into()),
            Deed::AddRun(run) | Deed::Unite(run) => {
                run.hashes().into_iter().for_each(|hash| add(hash, 1));
            }
            Deed::Check(_) => {}
            Deed::Remove(hash) => match inside.get_mut(&hash) {
                Some(count) if *count > 0 => *count -= 1,
                _ => return self.loose,
            },
            Deed::Meet(run) => {
                let hashes = run.hashes();
                let in_both = |hash| hashes.iter().filter(|other| **other == hash).count() as u64;
                for (hash, count) in inside {
                    *count = (*count).min(in_both(*hash));
                }
            }
            Deed::Forget => inside.clear(),
        }
        true
    }

    /// What is in must be found, unless something was removed that was not in.
    fn check_found(
        &self,
        filter: &CountingBloomFilter<u64, AnyState>,
        inside: &BTreeMap<u64, u64>,
    ) -> std::result::Result<(), Violation> {
        let mut held = inside.iter().filter(|(_, count)| **count > 0);
        let lost = held.find(|(hash, _)| !filter.contains(*hash));
        ensure(
            self.loose || lost.is_none(),
            Promise::InsertedIsFound,
            || format!("none for {lost:?}"),
        )
    }
}

impl<'a> Arbitrary<'a> for CountingModel {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let (bits, hashes) = size(u)?;
        Ok(Self {
            bits: bits.min(512),
            hashes,
            wide: u.arbitrary()?,
            loose: u.int_in_range(0..=2)? == 2,
            deeds: rest(u, 64)?,
        })
    }
}
