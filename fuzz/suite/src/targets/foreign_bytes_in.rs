//! The body of the target `foreign_bytes_in`: any bytes, read as a filter of another system such as Guava, must give an error
//! or a filter that is written as the same bytes.

use crate::beside::{ESTIMATE_UNLESS_FULL, READINGS_ARE_SHARES};
use crate::repro::List;
use arbitrary::{Arbitrary, Result, Unstructured};
use bloom_formats::{
    DataSketchesBloom, DcsoBloom, FormatError, GoBloom, GuavaBloom, HadoopBloom,
    HadoopDynamicBloom, HiveBloom, OrcBloom, ParquetBloom, RedisBloom, Rule, SparkBloom,
};
use bloom_fuzz_kit::{Bytes, Checked, Promise, ensure, law};

use super::{Source, runs};
use crate::foreign::{Foreign, Size, System, with_system};

/// The keys that are queried in, and inserted into, the filter that was read.
const KEYS: [&[u8]; 4] = [b"a", b"user-7", &[0xff; 9], &[0; 16]];

/// Bytes that are read as a filter of one system.
#[derive(Debug, Clone, PartialEq)]
pub struct ForeignBytesIn {
    /// The system.
    pub system: System,
    /// The source of the bytes.
    pub source: Source<(Size, List<Bytes>)>,
}

runs!(ForeignBytesIn);

impl ForeignBytesIn {
    /// Returns the bytes.
    pub fn bytes(&self) -> Vec<u8> {
        let save = |(size, keys): &_| with_system!(self.system, built(*size, keys));
        self.source.bytes(save)
    }

    fn check(&self) -> Checked {
        let bytes = self.bytes();
        with_system!(self.system, check_bytes(&bytes))
    }
}

fn built<F: Foreign>(size: Size, keys: &List<Bytes>) -> Vec<u8> {
    let mut filter = F::build(size).expect("every size can be built");
    for key in &keys.0 {
        filter.put(&key.0);
    }
    filter.to_bytes().expect("a small filter can be written")
}

fn check_bytes<F: Foreign>(bytes: &[u8]) -> Checked {
    F::check_other_forms(bytes)?;
    let (strict, part) = (F::read(bytes), F::read_part(bytes));
    if let Err(error) = &strict {
        check_error(error)?;
    }
    let Ok((filter, rest)) = part else {
        let both = strict.is_err() && F::look_up(bytes, &[]).is_err();
        return law(both, "refused bytes must be refused in every way", &part);
    };
    let bytes = &bytes[..bytes.len() - rest];
    let alone = F::read(bytes);
    law(
        if rest == 0 {
            strict == alone
        } else {
            strict.is_err()
        },
        "a filter must be refused if a byte follows it",
        &(&strict, rest),
    )?;
    law(
        F::FORGIVES || alone.as_ref() == Ok(&filter),
        "a filter must be the same without the bytes that follow it",
        &(&filter, &alone),
    )?;
    let saved = filter
        .to_bytes()
        .expect("what was read has a size that can be written");
    if alone.is_ok() && !F::is_rewritten(bytes) {
        law(
            saved == bytes,
            "a filter must be written as the bytes that were read",
            &filter,
        )?;
    }
    let again = F::read(&saved);
    law(
        again
            .as_ref()
            .is_ok_and(|again| again.essence() == filter.essence()),
        "a written filter must be read as the same filter",
        &(&filter, &again),
    )?;
    let found: Vec<bool> = KEYS.iter().map(|key| filter.has(key)).collect();
    let in_place = F::look_up(bytes, &KEYS);
    law(
        filter.is_scattered() || alone.is_err() || in_place.as_ref() == Ok(&found),
        "a filter that is read in place must give the same answers",
        &(&filter, in_place),
    )?;
    if !filter.is_slow_to_judge() {
        check_readings(&filter)?;
    }
    let mut filter = filter;
    for (key, found) in KEYS.iter().zip(found) {
        let known = found || filter.has(key);
        if let Some(new) = filter.put(key) {
            ensure(new != known, Promise::NewIsNotFound, || format!("{key:?}"))?;
            ensure(filter.has(key), Promise::InsertedIsFound, || {
                format!("{key:?}")
            })?;
        }
    }
    Ok(())
}

fn check_error(error: &FormatError) -> Checked {
    law(
        !matches!(error.rule, Rule::Memory { .. }),
        "no more memory must be requested than there are bytes",
        &error,
    )?;
    let text = error.to_string();
    let line = !text.is_empty() && !text.contains(char::is_control);
    law(
        line,
        "an error must be one line without control characters",
        &text,
    )
}

fn check_readings<F: Foreign>(filter: &F) -> Checked {
    let shares = [filter.fill(), filter.false_positive_rate()];
    ensure(
        shares.iter().all(|share| (0.0..=1.0).contains(share)),
        READINGS_ARE_SHARES,
        || format!("{shares:?} of {filter:?}"),
    )?;
    let items = filter.estimated_items().map(|estimate| estimate.items);
    ensure(
        items.is_none_or(|items| items.is_finite() && items >= 0.0),
        ESTIMATE_UNLESS_FULL,
        || format!("{items:?} of {filter:?}"),
    )?;
    let warnings = filter.warnings();
    law(
        warnings
            .iter()
            .all(|warning| !warning.to_string().is_empty()),
        "a warning must say what it is about",
        &warnings,
    )
}

impl<'a> Arbitrary<'a> for ForeignBytesIn {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        // The first byte of the input selects the system, and whether the other bytes are loaded as they are or describe a
        // filter that is saved and edited.
        let first: u8 = u.arbitrary()?;
        let system = System::of(first % 128);
        let source = Source::rest(u, first < 128)?;
        Ok(Self { system, source })
    }
}
