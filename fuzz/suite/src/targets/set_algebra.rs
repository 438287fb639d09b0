//! The body of the target `set_algebra`: unions and intersections of filters must obey the laws of sets, and filters that
//! cannot be combined must be refused.

use crate::hashed::Run;
use arbitrary::{Arbitrary, Unstructured};
use bloom_core::IncompatibleError;
use bloom_fuzz_kit::{AnyState, Checked, Promise, Subject, Violation, ensure, law};

use super::runs;
use crate::family::ByHash;
use crate::spec::{Spec, counter_bits, with_filter};

/// Three filters with the same size and hasher, and a fourth filter, which in most cases has another size or another hasher.
#[derive(Debug, Clone, PartialEq)]
pub struct SetAlgebra {
    /// The kind and size of the three filters.
    pub spec: Spec,
    /// The hasher of the three filters.
    pub state: AnyState,
    /// The items, which are hashes, of each of the three filters.
    pub sets: [Run; 3],
    /// The kind and size of the fourth filter. If its kind differs from the kind of the three filters, the fourth filter is not
    /// used.
    pub other: Spec,
    /// The hasher of the fourth filter.
    pub other_state: AnyState,
}

runs!(SetAlgebra);

impl SetAlgebra {
    fn check(&self) -> Checked {
        with_filter!(self.spec, ByHash<u64>, |build| self.check_with(build))
    }

    /// Runs the case on filters from `build`, which returns `None` if the spec is for another kind of filter. The items of the
    /// filters are hashes. Checks nothing for scalable filters, which have no union and no intersection.
    ///
    /// # Errors
    ///
    /// If a law does not hold, or if a filter with another size or hasher is not refused.
    pub fn check_with<F: Subject<u64> + Clone + PartialEq>(
        &self,
        build: impl Fn(Spec, AnyState) -> Option<F>,
    ) -> Checked {
        if let Spec::Scalable { .. } = self.spec {
            return Ok(());
        }
        let empty = build(self.spec, self.state).expect("it builds filters of this kind");
        self.check_laws(&empty)?;
        let other = build(self.other, self.other_state);
        other.map_or(Ok(()), |other| self.check_other(&empty, &other))
    }

    fn check_laws<F: Subject<u64> + Clone + PartialEq>(&self, empty: &F) -> Checked {
        let [a, b, c] = self.sets.map(|set| filled(empty, set));
        let same = |words, one: &F, other: &F| {
            // Only the payloads are compared, because the header records whether a filter was intersected, and has a checksum.
            let payload = |filter: &F| {
                filter
                    .save()
                    .map(|bytes| bytes[128..bytes.len() - 8].to_vec())
            };
            let same = payload(one) == payload(other) && one == other;
            law(same, words, &"other bytes")
        };
        let (ab, meet) = (union(&a, &b)?, intersection(&a, &b)?);
        let (bc, both) = (union(&b, &c)?, intersection(&b, &c)?);
        same("a ∪ b must be b ∪ a", &ab, &union(&b, &a)?)?;
        same(
            "(a ∪ b) ∪ c must be a ∪ (b ∪ c)",
            &union(&ab, &c)?,
            &union(&a, &bc)?,
        )?;
        same("a ∪ ∅ must be a", &union(&a, empty)?, &a)?;
        let mut inserted = a.clone();
        for hash in self.sets[1].hashes() {
            inserted.insert(&hash);
        }
        same("a ∪ b must be the filter of both", &ab, &inserted)?;
        same("a ∩ b must be b ∩ a", &meet, &intersection(&b, &a)?)?;
        let (left, right) = (intersection(&meet, &c)?, intersection(&a, &both)?);
        same("(a ∩ b) ∩ c must be a ∩ (b ∩ c)", &left, &right)?;
        same("a ∩ a must be a", &intersection(&a, &a)?, &a)?;
        same("a ∩ ∅ must be ∅", &intersection(&a, empty)?, empty)?;
        same("a ∩ (a ∪ b) must be a", &intersection(&a, &ab)?, &a)?;
        // The next two laws do not hold for a counting filter, because its union adds the counters.
        if !matches!(self.spec, Spec::Counting { .. }) {
            same("a ∪ a must be a", &union(&a, &a)?, &a)?;
            let apart = union(&meet, &intersection(&a, &c)?)?;
            let together = intersection(&a, &bc)?;
            same("a ∩ (b ∪ c) must be (a ∩ b) ∪ (a ∩ c)", &together, &apart)?;
        }
        let [in_a, in_b] = [self.sets[0], self.sets[1]].map(Run::hashes);
        for hash in in_a.iter().chain(&in_b) {
            let found = ab.contains(hash);
            law(found, "the items of either set must be in the union", hash)?;
        }
        for hash in in_a.iter().filter(|hash| in_b.contains(hash)) {
            let found = meet.contains(hash);
            law(
                found,
                "the items of both sets must be in the intersection",
                hash,
            )?;
        }
        Ok(())
    }

    /// If `other` has another size or hasher, it must be refused with the matching error, and the refusal must change nothing.
    /// Otherwise a union with it must succeed.
    fn check_other<F: Subject<u64> + Clone + PartialEq>(&self, empty: &F, other: &F) -> Checked {
        let (mut one, two) = (filled(empty, self.sets[0]), filled(other, self.sets[1]));
        let differences = self.differences();
        if differences.is_empty() {
            return union(&one, &two).map(|_| ());
        }
        law(
            one != two,
            "filters of other sizes or hashers must not be equal",
            &"equal",
        )?;
        let before = one.save();
        for outcome in [one.merge(&two), one.intersect(&two)] {
            let error = outcome.clone().and_then(Result::err);
            law(
                error.is_some_and(|error| differences.contains(&error)),
                "another size or hasher must be refused with its own error",
                &outcome,
            )?;
        }
        law(
            one.save() == before,
            "a refusal must change nothing",
            &"other bytes",
        )
    }

    /// Returns the errors that may be returned when the fourth filter is combined with one of the three: none if its size and
    /// hasher are the same.
    fn differences(&self) -> Vec<String> {
        let mut all = Vec::new();
        if self.state != self.other_state {
            all.push(IncompatibleError::Hasher);
        }
        match (self.spec, self.other) {
            (Spec::Blocked { blocks: ours }, Spec::Blocked { blocks: theirs })
                if ours != theirs =>
            {
                all.push(IncompatibleError::Blocks { ours, theirs });
            }
            (Spec::Counting { wide: ours, .. }, Spec::Counting { wide: theirs, .. })
                if ours != theirs =>
            {
                let (ours, theirs) = (counter_bits(ours), counter_bits(theirs));
                all.push(IncompatibleError::CounterBits { ours, theirs });
            }
            _ => {}
        }
        if let (Some(ours), Some(theirs)) = (self.spec.shape(), self.other.shape())
            && ours != theirs
        {
            all.push(IncompatibleError::Shape { ours, theirs });
        }
        all.iter().map(ToString::to_string).collect()
    }
}

fn filled<F: Subject<u64> + Clone>(empty: &F, set: Run) -> F {
    let mut filter = empty.clone();
    let hashes = set.hashes();
    filter.insert_many(&hashes.iter().collect::<Vec<_>>());
    filter
}

fn union<F: Subject<u64> + Clone>(one: &F, other: &F) -> Result<F, Violation> {
    let mut both = one.clone();
    combined(both.merge(other).as_ref())?;
    Ok(both)
}

fn intersection<F: Subject<u64> + Clone>(one: &F, other: &F) -> Result<F, Violation> {
    let mut both = one.clone();
    combined(both.intersect(other).as_ref())?;
    Ok(both)
}

fn combined(outcome: Option<&Result<(), String>>) -> Checked {
    ensure(outcome == Some(&Ok(())), Promise::AlikeAreCombined, || {
        format!("{outcome:?}")
    })
}

impl<'a> Arbitrary<'a> for SetAlgebra {
    fn arbitrary(u: &mut Unstructured<'a>) -> arbitrary::Result<Self> {
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
