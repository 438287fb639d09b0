//! The body of the target `foreign_round_trip`: a filter in the format of another system must find what was inserted, also
//! after it is written, read and merged.

use crate::repro::List;
use arbitrary::{Arbitrary, Result, Unstructured};
use bloom_formats::{
    DataSketchesBloom, DcsoBloom, GoBloom, GuavaBloom, HadoopBloom, HadoopDynamicBloom, HiveBloom,
    OrcBloom, ParquetBloom, RedisBloom, SparkBloom,
};
use bloom_fuzz_kit::{Bytes, Checked, Promise, ensure, law};

use super::runs;
use crate::foreign::{Foreign, Size, System, with_system};

/// Two filters in the format of one system, with the same size.
#[derive(Debug, Clone, PartialEq)]
pub struct ForeignRoundTrip {
    /// The system.
    pub system: System,
    /// The size of both filters.
    pub size: Size,
    /// The keys of the first filter.
    pub keys: List<Bytes>,
    /// The keys of the second filter.
    pub others: List<Bytes>,
}

runs!(ForeignRoundTrip);

impl ForeignRoundTrip {
    fn check(&self) -> Checked {
        with_system!(
            self.system,
            check_filters(self.size, &self.keys, &self.others)
        )
    }
}

fn check_filters<F: Foreign>(size: Size, keys: &List<Bytes>, others: &List<Bytes>) -> Checked {
    let new = F::build(size).expect("every size can be built");
    let (mut ours, mut theirs, mut both) = (new.clone(), new.clone(), new);
    // A key may be refused: Hadoop refuses an empty key, and a full filter of RedisBloom that may not grow refuses keys that it
    // does not find.
    let mut taken = (Vec::new(), Vec::new());
    for key in &keys.0 {
        if insert(&mut ours, key)? {
            taken.0.push(&key.0[..]);
        }
        both.put(&key.0);
    }
    for key in &others.0 {
        if insert(&mut theirs, key)? {
            taken.1.push(&key.0[..]);
        }
        both.put(&key.0);
    }
    check_round_trip(&ours, &taken.0, &taken.1)?;
    check_round_trip(&theirs, &taken.1, &taken.0)?;
    let merged = ours.merge(&theirs);
    if F::MERGES {
        law(
            merged == Ok(()),
            "a merge of filters of one size must succeed",
            &merged,
        )?;
        law(
            ours.essence() == both.essence(),
            "a merged filter must equal the filter of all keys",
            &(&ours, &both),
        )?;
        let all = [&taken.0[..], &taken.1].concat();
        check_round_trip(&ours, &all, &[])?;
    }
    Ok(())
}

/// Inserts a key, and returns whether the filter accepted it.
fn insert<F: Foreign>(
    filter: &mut F,
    key: &Bytes,
) -> std::result::Result<bool, bloom_fuzz_kit::Violation> {
    let found = filter.has(&key.0);
    let Some(new) = filter.put(&key.0) else {
        return Ok(false);
    };
    ensure(new != found, Promise::NewIsNotFound, || {
        format!("{new} for {key:?}")
    })?;
    Ok(true)
}

fn check_round_trip<F: Foreign>(filter: &F, keys: &[&[u8]], others: &[&[u8]]) -> Checked {
    let lost = keys.iter().find(|key| !filter.has(key));
    ensure(lost.is_none(), Promise::InsertedIsFound, || {
        format!("{lost:?}")
    })?;
    let bytes = filter.to_bytes().expect("a small filter can be written");
    let read = F::read(&bytes);
    law(
        read.as_ref() == Ok(filter),
        "a written filter must be read as the same filter",
        &(filter, &read),
    )?;
    let queried = [keys, others].concat();
    let answers: Vec<bool> = queried.iter().map(|key| filter.has(key)).collect();
    let in_place = F::look_up(&bytes, &queried);
    law(
        in_place.as_ref() == Ok(&answers),
        "a filter that is read in place must give the same answers",
        &(filter, in_place),
    )
}

impl<'a> Arbitrary<'a> for ForeignRoundTrip {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        Ok(Self {
            system: System::of(u.arbitrary()?),
            size: u.arbitrary()?,
            keys: u.arbitrary()?,
            others: List::rest(u, 40)?,
        })
    }
}
