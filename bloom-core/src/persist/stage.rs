//! Reads and writes a stage of a scalable filter as words: a header of 64 bytes, the bits, and
//! zeros up to a multiple of 64 bytes.

use alloc::vec::Vec;
use core::iter;

use super::error::{LoadError, StageError};
use super::header::words_for;
use super::source::{ReadError, Source};
use super::words::{check_are, check_unused};
use crate::error::MemoryError;
use crate::filter::Table;
use crate::math::{MathError, exact};
use crate::scalable::{ScalableShape, Stage, StageState, fullest};
use crate::shape::Shape;

/// The number of words in the header of a stage, which takes 64 bytes. The bits of a stage are padded to a
/// multiple of this number of words.
const LINE_WORDS: u64 = 8;

/// The relative amount by which a stage may exceed its rate, so that no file is rejected because
/// two versions of the library round the last digit of a logarithm differently.
const ROUNDING: f64 = 1e-9;

/// Returns the words of a stage in a file: its header, its bits, and the zeros after them.
pub(super) fn stage_words(stage: &StageState) -> impl Iterator<Item = u64> {
    let words = stage.table().cells.words();
    let fields = stage.stage();
    let padding = words.len().next_multiple_of(LINE_WORDS as usize) - words.len();
    stage_header(fields.shape, fields.expected_items, fields.items)
        .into_iter()
        .chain(words.iter().copied())
        .chain(iter::repeat_n(0, padding))
}

/// Returns the header of a stage; the last three words are reserved and 0.
fn stage_header(shape: Shape, expected_items: u64, items: u64) -> [u64; LINE_WORDS as usize] {
    let (bits, hashes) = (shape.bits(), shape.hashes().into());
    let words = words_for(bits, 1);
    [bits, hashes, expected_items, items, words, 0, 0, 0]
}

/// Reads `stages` stages that grew by `shape`; these stages must be the whole payload.
pub(super) fn read_stages<E>(
    shape: ScalableShape,
    stages: u64,
    payload: &mut Source<'_, E>,
) -> Result<Vec<StageState>, ReadError<E>> {
    let max_stages = shape.max_stages();
    if stages == 0 || stages > max_stages.into() {
        return Err(LoadError::Stages { max_stages, stages }.into());
    }
    // Every stage has a header of `LINE_WORDS` words and at least one bit, which is padded to
    // `LINE_WORDS` words.
    payload.check_left(2 * LINE_WORDS * stages)?;
    let mut read: Vec<StageState> = Vec::new();
    let bits = payload.words.saturating_mul(64);
    let (mut items_before, mut bytes_before) = (0, 0);
    for number in 0..stages as u32 {
        let rules = Rules {
            shape,
            number,
            is_last: u64::from(number) + 1 == stages,
            items_before,
            bytes_before,
        };
        let stage = rules.read_stage(payload)?;
        items_before += stage.stage().items;
        bytes_before += stage.table().memory_bytes();
        let room = read.try_reserve(1);
        room.map_err(|_| LoadError::Memory(MemoryError { bits }))?;
        read.push(stage);
    }
    if payload.taken < payload.words {
        let (expected, got) = (payload.taken, payload.words);
        return Err(LoadError::Words { expected, got }.into());
    }
    Ok(read)
}

/// What the rules for a stage depend on: the shape of the filter, the number of the stage, and the
/// stages before it.
struct Rules {
    shape: ScalableShape,
    number: u32,
    is_last: bool,
    items_before: u64,
    bytes_before: u64,
}

impl Rules {
    fn read_stage<E>(&self, payload: &mut Source<'_, E>) -> Result<StageState, ReadError<E>> {
        let at = payload.offset();
        let mut line = [0; LINE_WORDS as usize];
        payload.check_left(LINE_WORDS)?;
        payload.take(&mut line)?;
        let [bits, hashes, expected_items, items, ..] = line;
        let wrong = |error| LoadError::Stage {
            stage: self.number,
            error,
        };
        // If `hashes` does not fit in a byte and is truncated here, the comparison of the whole
        // stage header below finds a difference.
        let shape = Shape::new(bits, hashes as u8).map_err(|error| wrong(error.into()))?;
        check_are(stage_header(shape, expected_items, items), &line, at)?;
        self.check_items(expected_items, items).map_err(wrong)?;
        let words = words_for(bits, 1);
        let bytes = self.bytes_before + words * 8;
        let enough = self.shape.check_bytes(self.number, bytes);
        enough.map_err(|error| wrong(error.into()))?;

        let padded = words.next_multiple_of(LINE_WORDS);
        payload.check_left(padded)?;
        let rate = self.shape.stages().stage_rate(self.number);
        let mut stage = StageState::new(shape, expected_items, rate).map_err(LoadError::from)?;
        payload.take(stage.words_mut())?;
        let last = stage.words_mut().last().copied().unwrap_or(0);
        check_unused(last, bits, 1, payload.offset())?;
        let at = payload.offset();
        let padding = &mut line[..(padded - words) as usize];
        payload.take(padding)?;
        check_are(iter::repeat(0), padding, at)?;
        let stage = stage.counted(items);
        self.check_ones(stage.stage()).map_err(wrong)?;
        self.check_rate(shape, expected_items).map_err(wrong)?;
        Ok(stage)
    }

    /// Checks that `expected_items` is the number that the growth gives for this stage. Also checks
    /// that the stage has at most this number of items, that it has at least one item unless it is
    /// the only stage, and that its rate is not too low for 64-bit hashes.
    fn check_items(&self, expected_items: u64, items: u64) -> Result<(), StageError> {
        let stages = self.number.saturating_add(1);
        let expected = self.shape.stages().stage_items(self.number);
        let expected =
            expected.ok_or(StageError::Shape(MathError::TooManyStages(stages).into()))?;
        if expected_items != expected {
            return Err(StageError::ExpectedItems {
                expected,
                got: expected_items,
            });
        }
        let least = u64::from(!self.is_last || self.number > 0);
        if items < least || items > expected {
            return Err(StageError::Items {
                least,
                most: expected,
                got: items,
            });
        }
        let items = self.items_before.saturating_add(expected_items);
        Ok(self.shape.check_hash_floor(self.number, items)?)
    }

    /// Checks that a stage of this shape with its expected items has at most the rate that the
    /// stage may have.
    fn check_rate(&self, shape: Shape, expected_items: u64) -> Result<(), StageError> {
        let rate = self.shape.stages().stage_rate(self.number);
        let got = exact::rate(expected_items, shape.bits(), shape.hashes());
        let got = got
            .map_err(|error| StageError::Shape(error.into()))?
            .value();
        if got > rate * (1.0 + ROUNDING) {
            return Err(StageError::Rate { rate, got });
        }
        Ok(())
    }

    /// Checks three rules. The items can have set this many bits, where each item set at least one. In a
    /// stage of more than one item, the set bits do not exceed the number that keeps the rate of the
    /// stage. The stage is full unless it is the last.
    fn check_ones(&self, stage: Stage) -> Result<(), StageError> {
        let Stage {
            shape,
            expected_items,
            items,
            ones,
        } = stage;
        let hashes = u64::from(shape.hashes());
        let rate = self.shape.stages().stage_rate(self.number);
        let (mut least, mut most) = (items, items.saturating_mul(hashes));
        if !self.is_last && items < expected_items {
            // The stage had no room for one more item, which would have set at most k bits.
            least = least.max((fullest(shape, rate * (1.0 - ROUNDING)) + 1).saturating_sub(hashes));
        }
        if items > 1 {
            most = most.min(fullest(shape, rate * (1.0 + ROUNDING)));
        }
        if ones < least || ones > most {
            return Err(StageError::SetBits {
                least,
                most,
                got: ones,
            });
        }
        Ok(())
    }
}
