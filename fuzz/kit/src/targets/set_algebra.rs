//! The body of the target `set_algebra`: the laws of union and intersection, and pairs that do not
//! fit.

use arbitrary::{Arbitrary, Result, Unstructured};
use bloom_core::{
    BlockedBloomFilter, BlockedShape, BloomFilter, CounterBits, CountingBloomFilter,
    IncompatibleError, PartitionedBloomFilter, Shape,
};

use super::runs;
use crate::hashes::{ByHash, Run};
use crate::promise::{Violation, law};
use crate::spec::{MEMORY, Spec, VALID, with_flat_filter};
use crate::state::AnyState;

/// Three filters of one kind, and a fourth of another size or hasher.
#[derive(Debug, Clone, PartialEq)]
pub struct SetAlgebra {
    /// What the three are.
    pub spec: Spec,
    /// What the three hash with.
    pub state: AnyState,
    /// What is in each of them.
    pub sets: [Run; 3],
    /// What the fourth is, if it is of the same kind.
    pub other: Spec,
    /// What the fourth hashes with.
    pub other_state: AnyState,
}

runs!(SetAlgebra);

impl SetAlgebra {
    fn check(&self) -> std::result::Result<(), Violation> {
        if let Spec::Scalable { .. } = self.spec {
            return Ok(());
        }
        with_flat_filter!(self.spec, self.state, |empty| self.check_laws(&empty))?;
        self.check_stranger()
    }

    fn check_laws<F: ByHash>(&self, empty: &F) -> std::result::Result<(), Violation> {
        let [a, b, c] = self.sets.map(|set| filled(empty, set));
        let same = |one: &F, other: &F, words: &'static str| {
            law(one.bytes() == other.bytes() && one == other, words, || {
                format!("fill {} instead of {}", one.fill(), other.fill())
            })
        };
        let (ab, ba) = (union(&a, &b)?, union(&b, &a)?);
        same(&ab, &ba, "a union must be the same either way")?;
        let (left, right) = (union(&ab, &c)?, union(&a, &union(&b, &c)?)?);
        same(&left, &right, "unions must be the same in any order")?;
        same(
            &union(&a, empty)?,
            &a,
            "a union with nothing must change nothing",
        )?;
        let mut inserted = a.clone();
        for hash in self.sets[1].hashes() {
            inserted.insert_hash(hash);
        }
        same(&ab, &inserted, "a union must be as inserting both")?;
        let (meet, teem) = (intersection(&a, &b)?, intersection(&b, &a)?);
        same(&meet, &teem, "an intersection must be the same either way")?;
        let (left, right) = (
            intersection(&meet, &c)?,
            intersection(&a, &intersection(&b, &c)?)?,
        );
        same(&left, &right, "intersections must be the same in any order")?;
        same(
            &intersection(&a, &a)?,
            &a,
            "an intersection with itself must change nothing",
        )?;
        same(
            &intersection(&a, empty)?,
            empty,
            "an intersection with nothing must be nothing",
        )?;
        same(
            &intersection(&a, &ab)?,
            &a,
            "a filter must be in each union of it",
        )?;
        if !matches!(self.spec, Spec::Counting { .. }) {
            same(
                &union(&a, &a)?,
                &a,
                "a union with itself must change nothing",
            )?;
            let apart = union(&meet, &intersection(&a, &c)?)?;
            let together = intersection(&a, &union(&b, &c)?)?;
            same(&together, &apart, "an intersection must go through a union")?;
        }
        let [in_a, in_b] = [self.sets[0], self.sets[1]].map(Run::hashes);
        for hash in in_a.iter().chain(&in_b) {
            let found = ab.contains_hash(*hash);
            law(found, "what is in either must be in the union", || {
                format!("{hash:#x}")
            })?;
        }
        for hash in in_a.iter().filter(|hash| in_b.contains(hash)) {
            let found = meet.contains_hash(*hash);
            law(found, "what is in both must be in the intersection", || {
                format!("{hash:#x}")
            })?;
        }
        Ok(())
    }

    /// Another size or hasher must be refused as such, and change nothing.
    fn check_stranger(&self) -> std::result::Result<(), Violation> {
        let (spec, state) = (self.other, self.other_state);
        let agree = state == self.state;
        let shape = |bits, hashes| Shape::new(bits, hashes).expect(VALID);
        let shapes = |bits, hashes, other_bits, other_hashes| {
            let (ours, theirs) = (shape(bits, hashes), shape(other_bits, other_hashes));
            move |error: IncompatibleError| {
                ours != theirs && error == IncompatibleError::Shape { ours, theirs }
            }
        };
        let hasher = move |error: IncompatibleError| !agree && error == IncompatibleError::Hasher;
        match (self.spec, spec) {
            (
                Spec::Basic { bits, hashes },
                Spec::Basic {
                    bits: other,
                    hashes: more,
                },
            ) => {
                let one = BloomFilter::with_hasher(shape(bits, hashes), self.state).expect(MEMORY);
                let two = BloomFilter::with_hasher(shape(other, more), state).expect(MEMORY);
                let told = shapes(bits, hashes, other, more);
                let fits = agree && (bits, hashes) == (other, more);
                self.refuse(&one, &two, fits, |error| told(error) || hasher(error))
            }
            (
                Spec::Partitioned { bits, hashes },
                Spec::Partitioned {
                    bits: other,
                    hashes: more,
                },
            ) => {
                let ours = shape(bits, hashes);
                let one = PartitionedBloomFilter::with_hasher(ours, self.state).expect(MEMORY);
                let theirs = shape(other, more);
                let two = PartitionedBloomFilter::with_hasher(theirs, state).expect(MEMORY);
                let told = shapes(bits, hashes, other, more);
                let fits = agree && (bits, hashes) == (other, more);
                self.refuse(&one, &two, fits, |error| told(error) || hasher(error))
            }
            (Spec::Blocked { blocks: ours }, Spec::Blocked { blocks: theirs }) => {
                let blocked = |blocks, state| {
                    let shape = BlockedShape::new(blocks).expect(VALID);
                    BlockedBloomFilter::with_hasher(shape, state).expect(MEMORY)
                };
                let (one, two) = (blocked(ours, self.state), blocked(theirs, state));
                let told =
                    |error| ours != theirs && error == IncompatibleError::Blocks { ours, theirs };
                let fits = agree && ours == theirs;
                self.refuse(&one, &two, fits, |error| told(error) || hasher(error))
            }
            (
                Spec::Counting { bits, hashes, wide },
                Spec::Counting {
                    bits: other,
                    hashes: more,
                    wide: wider,
                },
            ) => {
                let width = |wide| {
                    if wide {
                        CounterBits::Eight
                    } else {
                        CounterBits::Four
                    }
                };
                let counting = |bits, hashes, wide, state| {
                    CountingBloomFilter::with_counter_bits(shape(bits, hashes), width(wide), state)
                        .expect(MEMORY)
                };
                let one = counting(bits, hashes, wide, self.state);
                let two = counting(other, more, wider, state);
                let told = shapes(bits, hashes, other, more);
                let (ours, theirs) = (width(wide), width(wider));
                let counters = |error| {
                    wide != wider && error == IncompatibleError::CounterBits { ours, theirs }
                };
                let fits = agree && (bits, hashes, wide) == (other, more, wider);
                let told = |error| told(error) || counters(error) || hasher(error);
                self.refuse(&one, &two, fits, told)
            }
            _ => Ok(()),
        }
    }

    fn refuse<F: ByHash>(
        &self,
        one: &F,
        two: &F,
        fits: bool,
        told: impl Fn(IncompatibleError) -> bool,
    ) -> std::result::Result<(), Violation> {
        let (mut one, two) = (filled(one, self.sets[0]), filled(two, self.sets[1]));
        if fits {
            return law(
                one.union_with(&two).is_ok(),
                "two alike must fit",
                String::new,
            );
        }
        law(
            one != two,
            "filters of other sizes or hashers must not be equal",
            || "equal".to_owned(),
        )?;
        let before = one.bytes();
        for outcome in [one.union_with(&two), one.intersect_with(&two)] {
            law(
                outcome.is_err_and(&told),
                "another size or hasher must be refused as such",
                || format!("{outcome:?}"),
            )?;
        }
        law(
            one.bytes() == before,
            "a refusal must change nothing",
            || "other bytes".to_owned(),
        )
    }
}

fn filled<F: ByHash>(empty: &F, set: Run) -> F {
    let mut filter = empty.clone();
    filter.insert_hashes(&set.hashes());
    filter
}

fn union<F: ByHash>(one: &F, other: &F) -> std::result::Result<F, Violation> {
    let mut both = one.clone();
    let outcome = both.union_with(other);
    law(outcome.is_ok(), "two alike must fit", || {
        format!("{outcome:?}")
    })?;
    Ok(both)
}

fn intersection<F: ByHash>(one: &F, other: &F) -> std::result::Result<F, Violation> {
    let mut both = one.clone();
    let outcome = both.intersect_with(other);
    law(outcome.is_ok(), "two alike must fit", || {
        format!("{outcome:?}")
    })?;
    Ok(both)
}

impl<'a> Arbitrary<'a> for SetAlgebra {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let spec: Spec = u.arbitrary()?;
        let state = u.arbitrary()?;
        let (other, other_state) = match u.int_in_range(0..=2)? {
            0 => (spec, u.arbitrary()?),
            1 => (spec.near(u)?, state),
            _ => (u.arbitrary()?, u.arbitrary()?),
        };
        let sets = [u.arbitrary()?, u.arbitrary()?, u.arbitrary()?];
        Ok(Self {
            spec,
            state,
            sets,
            other,
            other_state,
        })
    }
}
