//! The body of the target `bytes_in`: any bytes must give an error, or a filter that saves the same bytes and takes no more
//! memory than there are bytes. They must never cause a panic.

use crate::hashed::Run;
use arbitrary::{Arbitrary, Result, Unstructured};
use bloom_core::{
    BlockedBloomFilter, BlockedBloomFilterRef, BloomFilter, BloomFilterRef, CountingBloomFilter,
    LoadError, PartitionedBloomFilter, ScalableBloomFilter,
};
use bloom_fuzz_kit::{AnyState, Checked, Inserted, Integer, Promise, Subject, ensure, law};
use rapidhash::v3::rapidhash_v3;

use super::{Source, runs};
use crate::family::ByItem;
use crate::spec::{Spec, with_filter};

/// The offset of the payload, which is the bits or counters, in a saved filter.
const PAYLOAD: usize = 128;
/// An [`Edit::Grow`] appends fewer words of 8 bytes than this.
const MAX_WORDS: u16 = 64;
/// The items that are inserted into a loaded filter.
const FRESH: std::ops::Range<u64> = 1_000_000..1_000_020;

/// Opens the bytes in place, without copying the bits, and compares the outcome with loading them. `open_verified_with_hasher`
/// must accept exactly the bytes that load, and otherwise return the same error as loading. `open_with_hasher` must also accept
/// bytes of which only the checksum is wrong. An opened filter must answer queries. The bytes are shifted by one from the
/// allocator's alignment.
macro_rules! check_borrowed {
    ($bytes:expr, $borrowed:ident, $plain:ident) => {{
        let mut shifted = vec![0xff];
        shifted.extend(&$bytes);
        let bytes = &shifted[1..];
        let state = AnyState::Seeded(0);
        let plain = $plain::<u64, AnyState>::from_bytes_with_hasher(bytes, state);
        let opened = $borrowed::<u64, AnyState>::open_with_hasher(bytes, state);
        let verified = $borrowed::<u64, AnyState>::open_verified_with_hasher(bytes, state);
        let (error, expected) = (verified.err(), plain.as_ref().err());
        law(
            error.as_ref() == expected,
            "bytes must verify in place exactly if they load",
            &(error, expected),
        )?;
        if let Ok(opened) = opened {
            let checksum = opened.verify_checksum().err();
            law(
                checksum.as_ref() == expected,
                "bytes that open must load, except if only the checksum is wrong",
                &(checksum, expected),
            )?;
            let hashes: Vec<u64> = (0..40).map(|hash| hash * 0x0123_4567_89ab_cdef).collect();
            let singly: Vec<bool> = hashes.iter().map(|it| opened.contains_hash(*it)).collect();
            let mut batch = vec![false; hashes.len()];
            opened
                .contains_hashes_into(&hashes, &mut batch)
                .expect("as many answers");
            law(
                singly == batch,
                "a batch must equal its queries",
                &(singly, batch),
            )?;
            if let Ok(plain) = plain {
                let same = opened.to_plain().is_ok_and(|copy| copy == plain);
                law(
                    same,
                    "the borrowed filter must equal the loaded one",
                    &plain,
                )?;
            }
        } else {
            law(plain.is_err(), "bytes that load must open in place", &plain)?;
        }
    }};
}

/// Bytes that are loaded as each of the five kinds of filters.
#[derive(Debug, Clone, PartialEq)]
pub struct BytesIn {
    /// Where the bytes are from.
    pub source: Source<(Spec, Run)>,
    /// What is repaired after all edits.
    pub mend: Mend,
}

/// An edit of the bytes. The offset of a bit or a byte is taken modulo the number of bits or bytes, and the number of a word (8
/// bytes) modulo the number of words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edit {
    /// Flips the bit at this offset.
    Flip(u16),
    /// Sets the byte at this offset to this value.
    SetByte(u16, u8),
    /// Sets the word with this number to this value.
    SetWord(u16, u64),
    /// Adds this value to the word with this number.
    AddToWord(u16, u64),
    /// Copies the word with the first number to the word with the second number.
    CopyWord(u16, u16),
    /// Truncates the bytes to this length, modulo the present length.
    Cut(u16),
    /// Appends up to 63 words that are filled with this byte.
    Grow(u16, u8),
    /// Inserts the payload up to the word with this number a second time, right before this word.
    Repeat(u16),
}

/// What is repaired in the bytes after all edits, so that a loader does not refuse them for a wrong checksum alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mend {
    /// Nothing.
    AsIs,
    /// The checksums.
    Checksum,
    /// The number of payload words that the header states, and the checksums.
    WordsAndChecksum,
}

runs!(BytesIn);

impl BytesIn {
    /// Returns the bytes.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = self.source.bytes(|&(spec, items)| saved(spec, items));
        if bytes.len() >= PAYLOAD + 8 {
            let end = bytes.len() - 8;
            if self.mend == Mend::WordsAndChecksum {
                let words = (end - PAYLOAD) as u64 / 8;
                put(&mut bytes, 24, words);
            }
            if self.mend != Mend::AsIs {
                let checksum = rapidhash_v3(&bytes[..112]);
                put(&mut bytes, 112, checksum);
                let checksum = rapidhash_v3(&bytes[..end]);
                put(&mut bytes, end, checksum);
            }
        }
        bytes
    }

    fn check(&self) -> Checked {
        let bytes = self.bytes();
        let mut loaded = Vec::new();
        macro_rules! load {
            ($filter:ident) => {{
                let outcome =
                    $filter::<u64, AnyState>::from_bytes_with_hasher(&bytes, AnyState::Seeded(0));
                match outcome {
                    Ok(filter) => {
                        loaded.push(stringify!($filter));
                        let held = filter.memory_bytes();
                        check_loaded(ByItem(filter), held, &bytes)?;
                    }
                    Err(error) => check_error(&error)?,
                }
            }};
        }
        load!(BloomFilter);
        load!(BlockedBloomFilter);
        check_borrowed!(bytes, BloomFilterRef, BloomFilter);
        check_borrowed!(bytes, BlockedBloomFilterRef, BlockedBloomFilter);
        load!(CountingBloomFilter);
        load!(PartitionedBloomFilter);
        load!(ScalableBloomFilter);
        law(
            loaded.len() <= 1,
            "bytes must load as one kind of filter at most",
            &loaded,
        )?;
        let end = bytes.len().saturating_sub(8);
        let sound = rapidhash_v3(&bytes[..end]).to_le_bytes() == bytes[end..];
        law(
            sound || loaded.is_empty(),
            "bytes with another checksum must be refused",
            &loaded,
        )?;
        let whole = match &self.source {
            Source::Saved { edits, .. } => edits.0.is_empty(),
            Source::Raw(_) => false,
        };
        law(
            !whole || loaded.len() == 1,
            "a saved filter must load",
            &loaded,
        )
    }
}

fn check_error(error: &LoadError) -> Checked {
    law(
        !matches!(error, LoadError::Memory(_)),
        "no more memory must be requested than there are bytes",
        &error,
    )?;
    let text = error.to_string();
    law(
        !text.is_empty() && !text.contains('\n'),
        "an error must be one line",
        &text,
    )
}

/// A loaded filter must hold no more memory than `bytes` has, save the same bytes, report a rate from 0 to 1, and find further
/// items that it accepts.
fn check_loaded<F: Subject<u64>>(mut filter: F, held: u64, bytes: &[u8]) -> Checked {
    law(
        held <= bytes.len() as u64,
        "a filter must hold no more than its bytes",
        &(held, bytes.len()),
    )?;
    law(
        filter.save().as_deref() == Some(bytes),
        "a loaded filter must save the same bytes",
        &"other bytes",
    )?;
    let rate = filter.predicted_rate();
    ensure(
        rate.is_some_and(|rate| (0.0..=1.0).contains(&rate)),
        Promise::RateIsShare,
        || format!("{rate:?}"),
    )?;
    if may_grow_large(bytes) {
        return Ok(());
    }
    for item in FRESH {
        let taken = !matches!(filter.insert(&item), Inserted::Refused(_));
        ensure(
            !taken || filter.contains(&item),
            Promise::InsertedIsFound,
            || format!("none for {item}"),
        )?;
    }
    Ok(())
}

/// Returns whether the bytes are of a growing filter whose next part (stage) would be large. Then no items are inserted,
/// because much memory for a large stage is no fault.
fn may_grow_large(bytes: &[u8]) -> bool {
    let field = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"));
    let (stages, items, growth) = (field(16), field(72), field(96) & u64::from(u32::MAX));
    let stages = u32::try_from(stages).unwrap_or(u32::MAX);
    bytes[10] == 5 && growth.saturating_pow(stages).saturating_mul(items) > 100_000
}

fn saved(spec: Spec, items: Run) -> Vec<u8> {
    fn fill<F: Subject<u64>>(mut filter: F, items: Run) -> Vec<u8> {
        for item in items.hashes() {
            filter.insert(&item);
        }
        filter.save().expect("every filter can be saved")
    }
    with_filter!(spec, ByItem<u64>, |build| {
        let filter = build(spec, AnyState::Seeded(0)).expect("it builds filters of this kind");
        fill(filter, items)
    })
}

fn put(bytes: &mut [u8], at: usize, field: u64) {
    bytes[at..at + 8].copy_from_slice(&field.to_le_bytes());
}

impl Edit {
    pub(super) fn apply(self, bytes: &mut Vec<u8>) {
        let length = bytes.len();
        if length < 8 {
            return;
        }
        let word = |at: u16| usize::from(at) % (length / 8) * 8;
        let read = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().expect("a word"));
        match self {
            Self::Flip(bit) => {
                let bit = usize::from(bit) % (8 * length);
                bytes[bit / 8] ^= 1 << (bit % 8);
            }
            Self::SetByte(at, byte) => bytes[usize::from(at) % length] = byte,
            Self::SetWord(at, field) => put(bytes, word(at), field),
            Self::AddToWord(at, more) => {
                let field = read(word(at)).wrapping_add(more);
                put(bytes, word(at), field);
            }
            Self::CopyWord(from, to) => {
                let field = read(word(from));
                put(bytes, word(to), field);
            }
            Self::Cut(at) => bytes.truncate(usize::from(at) % length),
            Self::Grow(words, filler) => {
                bytes.resize(length + 8 * usize::from(words % MAX_WORDS), filler);
            }
            Self::Repeat(to) => {
                let to = word(to);
                if to > PAYLOAD && length < 1 << 16 {
                    let again = bytes[PAYLOAD..to].to_vec();
                    bytes.splice(to..to, again);
                }
            }
        }
    }
}

impl<'a> Arbitrary<'a> for Edit {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        // Draws the number of a word. Words near the start, most of which are the header, are drawn more often.
        fn place(u: &mut Unstructured<'_>) -> Result<u16> {
            match u.int_in_range(0..=2)? {
                0 => u.arbitrary(),
                _ => u.int_in_range(0..=20),
            }
        }
        Ok(match u.int_in_range(0..=8)? {
            0 | 1 => Self::Flip(u.arbitrary()?),
            2 => Self::SetByte(u.arbitrary()?, u.arbitrary()?),
            3 => Self::SetWord(place(u)?, u.arbitrary::<Integer>()?.0),
            4 => Self::AddToWord(place(u)?, u.arbitrary::<Integer>()?.0),
            5 => Self::CopyWord(place(u)?, place(u)?),
            6 => Self::Cut(u.arbitrary()?),
            7 => Self::Grow(u.arbitrary()?, u.arbitrary()?),
            _ => Self::Repeat(u.int_in_range(0..=200)?),
        })
    }
}

impl<'a> Arbitrary<'a> for BytesIn {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let mend = match u.int_in_range(0..=3)? {
            0 => Mend::AsIs,
            1 => Mend::Checksum,
            _ => Mend::WordsAndChecksum,
        };
        let is_raw = u.int_in_range(0..=1)? == 0;
        let source = Source::rest(u, is_raw)?;
        Ok(Self { source, mend })
    }
}
