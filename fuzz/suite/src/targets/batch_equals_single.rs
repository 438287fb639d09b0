//! The body of the target `batch_equals_single`: a batch call must set the same bits and return the same answers as one call
//! for each item.

use crate::hashed::Run;
use crate::repro::List;
use arbitrary::{Arbitrary, Result, Unstructured};
use bloom_core::Filter;
use bloom_fuzz_kit::{AnyState, Checked, Subject, law};

use super::runs;
use crate::family::ByItem;
use crate::spec::{Spec, with_filter};

/// A filter of `u64`, and batches of items, which are inserted and queried alternately.
#[derive(Debug, Clone, PartialEq)]
pub struct BatchEqualsSingle {
    /// The filter.
    pub spec: Spec,
    /// The hasher.
    pub state: AnyState,
    /// The first batch is inserted, the second is queried, and so on.
    pub batches: List<Run>,
}

runs!(BatchEqualsSingle);

impl BatchEqualsSingle {
    fn check(&self) -> Checked {
        with_filter!(self.spec, ByItem<u64>, |build| self.check_both(build))
    }

    fn check_both<F: Filter<u64>>(
        &self,
        build: impl Fn(Spec, AnyState) -> Option<ByItem<F>>,
    ) -> Checked
    where
        ByItem<F>: Subject<u64>,
        F::InsertError: PartialEq,
    {
        let build = || build(self.spec, self.state).expect("it builds filters of this kind");
        let (mut batch, mut single) = (build(), build());
        for (number, run) in self.batches.0.iter().enumerate() {
            let items = run.hashes();
            let outcome = if number % 2 == 0 {
                check_inserts(&mut batch.0, &mut single.0, &items)
            } else {
                check_answers(&batch.0, &single.0, &items)
            };
            outcome.map_err(|violation| violation.after(number, run))?;
        }
        law(
            batch.save() == single.save(),
            "a batch must leave the same bytes",
            &"other bytes",
        )
    }
}

fn check_inserts<F: Filter<u64>>(batch: &mut F, single: &mut F, items: &[u64]) -> Checked
where
    F::InsertError: PartialEq,
{
    let together = batch.try_insert_many(items);
    let mut apart = Ok(0);
    for item in items {
        match single.try_insert(item) {
            Ok(new) => apart = apart.map(|count| count + u64::from(new)),
            Err(error) => {
                apart = Err(error);
                break;
            }
        }
    }
    law(
        together == apart,
        "a batch must count the same new items, or fail with the same error",
        &(together, apart),
    )
}

fn check_answers<F: Filter<u64>>(batch: &F, single: &F, items: &[u64]) -> Checked {
    // `contains_many` must replace the answers that the vector has before the call.
    let mut together = vec![true; 5];
    batch.contains_many(items, &mut together);
    let apart: Vec<bool> = items.iter().map(|item| single.contains(item)).collect();
    law(
        together == apart,
        "a batch must give the same answers as single queries",
        &(&together, &apart),
    )
}

impl<'a> Arbitrary<'a> for BatchEqualsSingle {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        // Batches prefetch only in filters larger than the caches, so one case in 32 has such a filter. The bytes of the two
        // filters are compared only once, at the end of the case, so that a large filter takes little time.
        let spec = match u.int_in_range(0..=31)? {
            0 => Spec::beyond_the_caches(u)?,
            _ => u.arbitrary()?,
        };
        Ok(Self {
            spec,
            state: u.arbitrary()?,
            batches: List::rest(u, 12)?,
        })
    }
}
