//! A counting filter with all operations that the kit examines except batches of queries. Tests plant defects in it, which the
//! kit must find.

use std::hash::BuildHasher;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Mutex, RwLock};

use bloom_fuzz_kit::{AnyState, Candidate, Inserted, Shared, Subject};

/// A defect of the filter [`Plain`]. Each method returns what a correct filter would use, unless a defect overrides the method.
pub(crate) trait Defect: Send + Sync {
    /// The position that is used for the correct position `right`.
    fn position(&self, right: usize, _inserting: bool) -> usize {
        right
    }
    /// The part of an item that is hashed.
    fn hashed(&self, item: u64) -> u64 {
        item
    }
    /// Whether an insertion has no effect; `count` is the number of earlier insertions.
    fn drops(&self, _count: u64) -> bool {
        false
    }
    /// Whether an insertion reports its item as new; `count` is the number of earlier insertions.
    fn answered(&self, new: bool, _count: u64) -> bool {
        new
    }
    /// Whether every counter of a new filter is 1, so that the filter finds every item.
    fn is_full(&self) -> bool {
        false
    }
    /// The number of bits as a share of the correct number.
    fn shrinks(&self) -> f64 {
        1.0
    }
    /// A counter of a union, from the two counters, their index and the number of counters.
    fn united(&self, ours: u8, theirs: u8, _index: usize, _cells: usize) -> u8 {
        ours.saturating_add(theirs)
    }
    /// The number of insertions that a union counts, from the numbers of the two filters.
    fn counted(&self, ours: u64, theirs: u64) -> u64 {
        ours + theirs
    }
    /// What a refused union does to the counters of the filter.
    fn refuses(&self, _counters: &mut [u8]) {}
    /// A counter of an intersection, from the two counters and their index.
    fn common(&self, ours: u8, theirs: u8, _index: usize) -> u8 {
        ours.min(theirs)
    }
    /// The hasher of a copy; `count` is the number of insertions.
    fn copied(&self, hasher: AnyState, _count: u64) -> AnyState {
        hasher
    }
    /// The number of hashes that is restored from a file.
    fn hashes(&self, hashes: u8) -> u8 {
        hashes
    }
    /// The number of insertions that is restored from a file.
    fn restored(&self, count: u64) -> u64 {
        count
    }
    /// How many items of a batch are inserted.
    fn of_batch(&self, length: usize) -> usize {
        length
    }
    /// A counter after an insertion.
    fn raised(&self, counter: u8) -> u8 {
        counter.saturating_add(1)
    }
    /// Whether a removal lowers the counter that hash number `probe` of the item selects.
    fn lowers(&self, _probe: usize, _counter: u8) -> bool {
        true
    }
    /// The counters that are read from these bytes; `None` if the file is refused. There should be `cells` of them.
    fn loaded(&self, bytes: &[u8], cells: usize) -> Option<Vec<u8>> {
        (bytes.len() == cells).then(|| bytes.to_vec())
    }
    /// The number of insertions after clearing.
    fn cleared(&self, _count: u64) -> u64 {
        0
    }
    /// The rate that is reported.
    fn reported(&self, rate: f64) -> f64 {
        rate
    }
    /// The number of items that is estimated; `count` is the number of insertions.
    fn estimated(&self, items: f64, _count: u64) -> f64 {
        items
    }
    /// The number of bits of the shared filter as a share of the correct number.
    fn shrinks_shared(&self) -> f64 {
        1.0
    }
    /// Whether an insertion into the shared filter is atomic.
    fn is_atomic(&self) -> bool {
        true
    }
}

/// No defect.
pub(crate) struct Sound;
impl Defect for Sound {}

/// The defect of all filters that are built while it is here. The defect is not a parameter of the filter's type, because the
/// examination would then be compiled once for each defect.
static DEFECT: RwLock<&'static dyn Defect> = RwLock::new(&Sound);

/// Runs code in which every filter that is built has this defect. If tests call this function at the same time, one call waits
/// for the other.
pub(crate) fn with<R>(defect: &'static dyn Defect, run: impl FnOnce() -> R) -> R {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _only = ONE_AT_A_TIME.lock();
    *DEFECT.write().expect("no panic under the lock") = defect;
    let outcome = run();
    *DEFECT.write().expect("no panic under the lock") = &Sound;
    outcome
}

fn defect() -> &'static dyn Defect {
    *DEFECT.read().expect("no panic under the lock")
}

/// A counting filter with one byte per counter. It accepts three times as many items as it was built for.
pub(crate) struct Plain {
    counters: Vec<u8>,
    hashes: u8,
    hasher: AnyState,
    count: u64,
    limit: u64,
    defect: &'static dyn Defect,
}

/// Returns the positions that belong to a hash.
fn positions(
    defect: &'static dyn Defect,
    hash: u64,
    cells: usize,
    hashes: u8,
    inserting: bool,
) -> impl Iterator<Item = usize> {
    // Two rounds of shifts and multiplications make every bit of a weak hash affect all positions.
    let mut state = hash;
    for multiplier in [0xbf58_476d_1ce4_e5b9, 0x94d0_49bb_1331_11eb] {
        state = (state ^ (state >> 31)).wrapping_mul(multiplier);
    }
    state ^= state >> 32;
    let next = move || {
        // The multiplication by an odd number and the addition give other high bits for each position.
        state = state
            .wrapping_mul(0xd134_2543_de82_ef95)
            .wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (state ^ (state >> 32)).wrapping_mul(0x94d0_49bb_1331_11eb);
        defect.position(
            ((u128::from(mixed) * cells as u128) >> 64) as usize,
            inserting,
        )
    };
    std::iter::repeat_with(next).take(hashes.into())
}

impl Plain {
    pub(crate) fn build(
        items: u64,
        rate: f64,
        defect: &'static dyn Defect,
    ) -> Result<Self, String> {
        let (cells, hashes) = size(items, rate)?;
        let cell = u8::from(defect.is_full());
        Ok(Self {
            counters: vec![cell; (cells as f64 * defect.shrinks()) as usize],
            hashes,
            hasher: AnyState::default(),
            count: 0,
            limit: 3 * items,
            defect,
        })
    }

    /// Returns the share of counters that are not 0.
    fn fill(&self) -> f64 {
        let set = self.counters.iter().filter(|counter| **counter > 0).count();
        set as f64 / self.counters.len() as f64
    }

    fn positions(&self, item: u64, inserting: bool) -> impl Iterator<Item = usize> + use<> {
        positions(
            self.defect,
            self.hasher.hash_one(self.defect.hashed(item)),
            self.counters.len(),
            self.hashes,
            inserting,
        )
    }
}

/// Returns the smallest number of bits that keeps a rate for these items, and the number of hashes.
fn size(items: u64, rate: f64) -> Result<(usize, u8), String> {
    let shape = bloom_core::Shape::for_rate(items, rate).map_err(|error| error.to_string())?;
    Ok((shape.bits() as usize, shape.hashes()))
}

impl Subject<u64> for Plain {
    fn insert(&mut self, item: &u64) -> Inserted {
        if self.count >= self.limit {
            return Inserted::Refused("full".to_owned());
        }
        let new = self.defect.answered(!self.contains(item), self.count);
        self.count += 1;
        if self.defect.drops(self.count - 1) {
            return Inserted::as_new(new);
        }
        for position in self.positions(*item, true) {
            self.counters[position] = self.defect.raised(self.counters[position]);
        }
        Inserted::as_new(new)
    }

    fn contains(&self, item: &u64) -> bool {
        self.positions(*item, false)
            .all(|position| self.counters[position] > 0)
    }

    fn insert_many(&mut self, items: &[&u64]) -> Option<Result<(), String>> {
        for item in &items[..self.defect.of_batch(items.len())] {
            if let Inserted::Refused(error) = self.insert(item) {
                return Some(Err(error));
            }
        }
        Some(Ok(()))
    }

    fn clear(&mut self) -> Option<()> {
        self.counters.fill(0);
        self.count = self.defect.cleared(self.count);
        Some(())
    }

    fn remove(&mut self, item: &u64) -> Option<bool> {
        if !self.contains(item) {
            return Some(false);
        }
        self.count = self.count.saturating_sub(1);
        for (probe, position) in self.positions(*item, false).enumerate() {
            let counter = self.counters[position];
            if counter < u8::MAX && self.defect.lowers(probe, counter) {
                self.counters[position] -= 1;
            }
        }
        Some(true)
    }

    fn merge(&mut self, other: &Self) -> Option<Result<(), String>> {
        let is_alike = (self.counters.len(), self.hashes) == (other.counters.len(), other.hashes);
        if !is_alike || self.count + other.count > self.limit {
            self.defect.refuses(&mut self.counters);
            return Some(Err("full, or of another size".to_owned()));
        }
        self.count = self.defect.counted(self.count, other.count);
        let cells = self.counters.len();
        for (index, (ours, theirs)) in self.counters.iter_mut().zip(&other.counters).enumerate() {
            *ours = self.defect.united(*ours, *theirs, index, cells);
        }
        Some(Ok(()))
    }

    fn intersect(&mut self, other: &Self) -> Option<Result<(), String>> {
        if self.counters.len() != other.counters.len() {
            return Some(Err("of another size".to_owned()));
        }
        for (index, (ours, theirs)) in self.counters.iter_mut().zip(&other.counters).enumerate() {
            *ours = self.defect.common(*ours, *theirs, index);
        }
        // How many items are left after an intersection is unknown, so the number is set to 0, and the filter again accepts as
        // many items as a new one.
        self.count = 0;
        Some(Ok(()))
    }

    fn save(&self) -> Option<Vec<u8>> {
        let cells = self.counters.len() as u64;
        let head = [self.count, self.limit, self.hashes.into(), cells];
        let mut bytes: Vec<u8> = head.iter().flat_map(|word| word.to_le_bytes()).collect();
        // The header is padded to 64 bytes, which is more than the headers of most formats have.
        bytes.resize(64, 0);
        bytes.extend(&self.counters);
        Some(bytes)
    }

    fn load(&self, bytes: &[u8]) -> Option<Result<Self, String>> {
        let Some((head, counters)) = bytes.split_at_checked(64) else {
            return Some(Err("cut short".to_owned()));
        };
        let word = |at: usize| u64::from_le_bytes(head[at..at + 8].try_into().expect("eight"));
        let Ok(hashes @ 1..) = u8::try_from(word(16)) else {
            return Some(Err("no such number of hashes".to_owned()));
        };
        let counters = self.defect.loaded(counters, word(24) as usize);
        let Some(counters) = counters.filter(|it| !it.is_empty()) else {
            return Some(Err("no such number of counters".to_owned()));
        };
        Some(Ok(Self {
            counters,
            hashes: self.defect.hashes(hashes),
            hasher: self.hasher,
            count: self.defect.restored(word(0)),
            limit: word(8),
            defect: self.defect,
        }))
    }

    fn copy(&self) -> Option<Self> {
        Some(Self {
            counters: self.counters.clone(),
            hasher: self.defect.copied(self.hasher, self.count),
            ..*self
        })
    }

    fn predicted_rate(&self) -> Option<f64> {
        Some(self.defect.reported(self.fill().powi(self.hashes.into())))
    }

    fn estimated_items(&self) -> Option<f64> {
        let empty = 1.0 - self.fill();
        let items = -(self.counters.len() as f64) / f64::from(self.hashes) * empty.ln();
        (empty > 0.0).then_some(self.defect.estimated(items, self.count))
    }

    fn bits(&self) -> Option<u64> {
        Some(8 * self.counters.len() as u64)
    }
}

impl Candidate for Plain {
    type Item = u64;

    fn with_rate(items: u64, rate: f64) -> Result<Self, String> {
        Self::build(items, rate, defect())
    }

    fn with_hasher(items: u64, rate: f64, hasher: AnyState) -> Option<Result<Self, String>> {
        let filter = Self::build(items, rate, defect());
        Some(filter.map(|it| Self { hasher, ..it }))
    }

    fn shared(items: u64, rate: f64) -> Option<Box<dyn Shared<u64>>> {
        let (cells, hashes) = size(items, rate).ok()?;
        let cells = (cells as f64 * defect().shrinks_shared()) as usize;
        let mut bytes = Vec::new();
        bytes.resize_with(cells.div_ceil(8), || AtomicU8::new(0));
        Some(Box::new(Together {
            bytes,
            hashes,
            defect: defect(),
        }))
    }
}

/// A form of the filter that several threads can use at the same time.
struct Together {
    bytes: Vec<AtomicU8>,
    hashes: u8,
    defect: &'static dyn Defect,
}

impl Together {
    fn positions(&self, item: u64) -> impl Iterator<Item = usize> + use<> {
        let hash = AnyState::default().hash_one(self.defect.hashed(item));
        positions(self.defect, hash, 8 * self.bytes.len(), self.hashes, false)
    }
}

impl Shared<u64> for Together {
    fn insert(&self, item: &u64) {
        for position in self.positions(*item) {
            let (byte, bit) = (&self.bytes[position / 8], 1 << (position % 8));
            if self.defect.is_atomic() {
                byte.fetch_or(bit, Ordering::Relaxed);
            } else {
                byte.store(byte.load(Ordering::Relaxed) | bit, Ordering::Relaxed);
            }
        }
    }

    fn contains(&self, item: &u64) -> bool {
        let is_set = |position: usize| {
            self.bytes[position / 8].load(Ordering::Relaxed) >> (position % 8) & 1 == 1
        };
        self.positions(*item).all(is_set)
    }
}
