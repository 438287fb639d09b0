//! Compares a filter of bloom-core with a plain implementation of the documented layout of its bits. A script applies each step
//! to both, so that the comparison reveals every wrong bit.

use bloom_fuzz_kit::{AnyState, Checked, Key, Model, Promise, Step, Subject, ensure};

use crate::documented::Documented;
use crate::readings::Read;
use crate::spec::Spec;

/// An item is found exactly if all its positions are set in the documented layout.
pub const FOUND_IS_SET: Promise =
    Promise::Law("an item must be found exactly if all its positions are set");
/// The saved bytes are those of the documented layout.
pub const BYTES_ARE_DOCUMENTED: Promise =
    Promise::Law("the bytes must be those of the documented layout");
/// The share of set bits and the reported rate are from 0 to 1; both are 0 if no bit is set, and 1 if all bits are set.
pub const READINGS_ARE_SHARES: Promise =
    Promise::Law("fill and rate must be from 0 to 1 and match the set bits");
/// The estimated number of items is finite. There is no estimate if every bit is set or the filter was intersected. In a
/// blocked or partitioned filter, there may be no estimate even before every bit is set.
pub const ESTIMATE_UNLESS_FULL: Promise =
    Promise::Law("the estimate must be finite, and none if all bits are set");

/// A script ends after its steps have computed this many positions, because longer scripts take more time and hardly find more.
const MAX_POSITIONS: u64 = 10_000;
/// Filters of up to this many bits or counters are compared with the layout after each step. Larger filters, up to
/// [`MAX_CELLS`], are compared only at the end of the script.
const SMALL: u64 = 1 << 14;
/// In a filter with more bits or counters than this, no step and no check visits all of them, because that takes too long.
const MAX_CELLS: u64 = 1 << 22;

/// The documented layout with which a filter is compared, and the options of the comparison. A filter that grows has no such
/// layout.
pub(crate) struct Beside {
    layout: Option<Documented>,
    state: AnyState,
    /// Whether a script also removes items that are false positives. Such a removal is documented to cause false negatives, so
    /// the multiset of items is emptied after it.
    loose: bool,
    positions: u64,
}

impl Beside {
    pub(crate) fn new(spec: Spec, state: AnyState, loose: bool) -> Self {
        Self {
            layout: Documented::new(spec, state),
            state,
            loose,
            positions: 0,
        }
    }

    fn is_larger_than(&self, cells: u64) -> bool {
        self.layout.as_ref().is_some_and(|it| it.cells() > cells)
    }
}

impl<K: Key, F: Subject<K::Item> + Read> Model<K, F> for Beside {
    fn is_done(&mut self, step: &Step<K>) -> bool {
        let is_done = self.positions >= MAX_POSITIONS;
        self.positions += self.layout.as_ref().map_or(0, Documented::hashes) * step.uses();
        is_done
    }

    fn is_large(&self) -> bool {
        self.is_larger_than(MAX_CELLS)
    }

    fn removes_false_positives(&self) -> bool {
        self.loose && self.layout.is_some()
    }

    fn insert(&mut self, key: &K) {
        if let Some(layout) = &mut self.layout {
            layout.insert(key.hash(self.state));
        }
    }

    fn remove(&mut self, key: &K) -> bool {
        let hash = key.hash(self.state);
        self.layout.as_mut().is_some_and(|it| it.remove(hash))
    }

    fn intersect(&mut self, keys: &[K]) {
        if let Some(layout) = &mut self.layout {
            let mut other = layout.empty();
            for key in keys {
                other.insert(key.hash(self.state));
            }
            layout.intersect_with(&other);
        }
    }

    fn clear(&mut self) {
        if let Some(layout) = &mut self.layout {
            *layout = layout.empty();
        }
    }

    fn check_answer(&self, key: &K, found: bool) -> Checked {
        let hash = key.hash(self.state);
        let agrees = self
            .layout
            .as_ref()
            .is_none_or(|it| found == it.contains(hash));
        ensure(agrees, FOUND_IS_SET, || format!("{found} for {key:?}"))
    }

    fn check(&self, filter: &F, at_end: bool) -> Checked {
        let most = if at_end { MAX_CELLS } else { SMALL };
        match &self.layout {
            Some(layout) if layout.cells() <= most => check_bits(layout, self.state, filter),
            _ => Ok(()),
        }
    }
}

/// Compares the saved bytes of a filter, and what it reports about its bits, with the layout.
fn check_bits<T: ?Sized, F: Subject<T> + Read>(
    layout: &Documented,
    state: AnyState,
    filter: &F,
) -> Checked {
    let (bytes, plain) = (filter.save(), layout.to_bytes(state));
    let is_same = bytes.as_ref().is_none_or(|bytes| *bytes == plain);
    ensure(is_same, BYTES_ARE_DOCUMENTED, || {
        let bytes = bytes.unwrap_or_default();
        let mut both = bytes.iter().zip(&plain);
        let differs = both.position(|(one, other)| one != other);
        let lengths = (bytes.len(), plain.len());
        format!("{lengths:?} bytes, the first that differs at {differs:?}")
    })?;
    let Some(readings) = filter.readings() else {
        return Ok(());
    };
    let rate = filter.predicted_rate().unwrap_or_default();
    let fill = layout.fill();
    let (empty, full) = (fill == 0.0, fill == 1.0);
    let agree = readings.fill == fill
        && readings.empty == empty
        && readings.saturated.is_none_or(|it| it == layout.saturated())
        && (!empty || rate == 0.0)
        && (!full || rate == 1.0);
    ensure(agree, READINGS_ARE_SHARES, || {
        format!("{readings:?} and rate {rate} at fill {fill}")
    })?;
    let finite = readings.estimate.is_none_or(|it| {
        let numbers = [it.items, it.standard_deviation];
        numbers.iter().all(|it| (0.0..=f64::MAX).contains(it))
    });
    // There may be no estimate if one slice or block is full, even before the whole filter is full.
    let is_none = readings.estimate.is_none();
    let fits = if layout.is_intersected() {
        is_none
    } else if layout.is_in_parts() {
        is_none || !full
    } else {
        is_none == full
    };
    ensure(finite && fits, ESTIMATE_UNLESS_FULL, || {
        format!("{readings:?}")
    })
}
