//! Defines the hot paths whose instructions are counted.
//!
//! The preparation of a path takes the same number of instructions, however often the path is called. So the exact number of
//! instructions per call is the difference between the counts of two runs, divided by the difference between their numbers of
//! calls.

use std::borrow::Borrow;
use std::hash::{BuildHasher, Hash};
use std::hint::black_box;

use bloom_core::{
    BlockedBloomFilter, BlockedShape, BloomFilter, CountingBloomFilter, Filter, FixedState,
    PartitionedBloomFilter, ScalableBloomFilter, Shape,
};
use foldhash::fast::FixedState as FoldHash;

/// The number of items of a filter, and the maximum number of calls of a path.
pub(crate) const ITEMS: usize = 8192;

const N: u64 = ITEMS as u64;

/// A rate of 1 %: a classic filter has k = 7.
const P: f64 = 0.01;

/// A rate of 0.1 %: a classic filter has k = 10.
const SMALL_P: f64 = 0.001;

/// The number of bits of a filter of 32 MiB, large enough that the library runs its code for large filters.
const LARGE: u64 = 1 << 28;

/// A hot path: its name, and a function that prepares it and then calls it as often as the argument says.
pub(crate) type Path = (&'static str, fn(usize));

/// Makes a path from a name, a function of this module and a filter. The path passes the filter and the number of calls to the
/// function.
macro_rules! path {
    ($name:literal, $run:path, $filter:expr) => {
        ($name, |calls| $run($filter, calls))
    };
}

/// Every hot path. Names must not change, because `baseline.txt` lists the counts by name.
pub(crate) const PATHS: &[Path] = &[
    ("hash u64", |calls| hash::<u64>(calls)),
    ("hash text", |calls| hash::<str>(calls)),
    path!("bloom insert", insert::<u64>, bloom(P)),
    path!("bloom present", present::<u64>, bloom(P)),
    path!("bloom absent", absent::<u64>, bloom(P)),
    path!("bloom present, k = 10", present::<u64>, bloom(SMALL_P)),
    path!("bloom absent, k = 10", absent::<u64>, bloom(SMALL_P)),
    path!("bloom present, large", present::<u64>, large_bloom()),
    path!("bloom absent, large", absent::<u64>, large_bloom()),
    path!("bloom present, text", present::<str>, bloom(P)),
    ("bloom present, foldhash", |calls| {
        let filter = BloomFilter::with_rate_and_hasher(N, P, FoldHash::default());
        present::<u64>(filter.expect("in range"), calls);
    }),
    path!("bloom insert, batch", insert_in_batches, bloom(P)),
    path!(
        "bloom insert, batch, large",
        insert_in_batches,
        large_bloom()
    ),
    path!("bloom present, batch", query_in_batches, bloom(P)),
    path!(
        "bloom present, batch, large",
        query_in_batches,
        large_bloom()
    ),
    path!("blocked insert", insert::<u64>, blocked(P)),
    path!("blocked present", present::<u64>, blocked(P)),
    path!("blocked absent", absent::<u64>, blocked(P)),
    path!("blocked present, text", present::<str>, blocked(P)),
    ("blocked present, foldhash", |calls| {
        let filter = BlockedBloomFilter::with_rate_and_hasher(N, P, FoldHash::default());
        present::<u64>(filter.expect("in range"), calls);
    }),
    path!("blocked insert, batch", insert_in_batches, blocked(P)),
    path!(
        "blocked insert, batch, large",
        insert_in_batches,
        large_blocked()
    ),
    path!("blocked present, batch", query_in_batches, blocked(P)),
    path!(
        "blocked present, batch, large",
        query_in_batches,
        large_blocked()
    ),
    // The next two are filters of other crates. They have the hasher of our paths whose names end in `foldhash`, and are
    // compared with those paths.
    ("fastbloom present, foldhash", |calls| {
        let mut filter = fastbloom::BloomFilter::with_false_pos(P)
            .hasher(FoldHash::default())
            .expected_items(ITEMS);
        let (items, _) = keys::<u64>();
        for item in &items {
            filter.insert(item);
        }
        for item in &items[..calls] {
            black_box(filter.contains(item));
        }
    }),
    ("sbbf-rs-safe present, foldhash", |calls| {
        // For 1 % this filter needs 10.53 bits per item, but its constructor takes only a whole number of bits per item.
        let mut filter = sbbf_rs_safe::Filter::new(11, ITEMS);
        let (items, _) = keys::<u64>();
        let state = FoldHash::default();
        for item in &items {
            filter.insert_hash(state.hash_one(item));
        }
        for item in &items[..calls] {
            black_box(filter.contains_hash(state.hash_one(item)));
        }
    }),
    path!("counting insert", insert::<u64>, counting()),
    path!("counting present", present::<u64>, counting()),
    path!("counting absent", absent::<u64>, counting()),
    ("counting remove", remove),
    path!("counting insert, batch", insert_in_batches, counting()),
    path!("counting present, batch", query_in_batches, counting()),
    path!("scalable insert", insert::<u64>, scalable()),
    path!("scalable present", present::<u64>, scalable()),
    path!("scalable absent", absent::<u64>, scalable()),
    path!("scalable present, batch", query_in_batches, scalable()),
    path!("partitioned insert", insert::<u64>, partitioned()),
    path!("partitioned present", present::<u64>, partitioned()),
    path!("partitioned absent", absent::<u64>, partitioned()),
    path!(
        "partitioned insert, batch",
        insert_in_batches,
        partitioned()
    ),
    path!(
        "partitioned present, batch",
        query_in_batches,
        partitioned()
    ),
    ("bloom union", |calls| {
        let (mut filter, other) = (full::<u64, _>(bloom(P)), full::<u64, _>(bloom(P)));
        for _ in 0..calls {
            black_box(&mut filter)
                .union_with(&other)
                .expect("one shape");
        }
    }),
    ("blocked union", |calls| {
        let (mut filter, other) = (full::<u64, _>(blocked(P)), full::<u64, _>(blocked(P)));
        for _ in 0..calls {
            black_box(&mut filter)
                .union_with(&other)
                .expect("one shape");
        }
    }),
    ("blocked fill", |calls| {
        let filter = full::<u64, _>(blocked(P));
        for _ in 0..calls {
            black_box(black_box(&filter).fill());
        }
    }),
    ("bloom fill", |calls| {
        let filter = full::<u64, _>(bloom(P));
        for _ in 0..calls {
            black_box(black_box(&filter).fill());
        }
    }),
];

fn bloom<T: Key + ?Sized>(rate: f64) -> BloomFilter<T> {
    BloomFilter::with_rate(N, rate).expect("in range")
}

fn large_bloom() -> BloomFilter<u64> {
    let shape = Shape::new(LARGE, 7).expect("in range");
    BloomFilter::new(shape).expect("32 MiB of memory")
}

fn blocked<T: Key + ?Sized>(rate: f64) -> BlockedBloomFilter<T> {
    BlockedBloomFilter::with_rate(N, rate).expect("in range")
}

fn large_blocked() -> BlockedBloomFilter<u64> {
    let shape = BlockedShape::new(LARGE / 512).expect("in range");
    BlockedBloomFilter::new(shape).expect("32 MiB of memory")
}

fn counting() -> CountingBloomFilter<u64> {
    CountingBloomFilter::with_rate(N, P).expect("in range")
}

/// Creates a filter that adds a larger part whenever the last part is full: after all items it has four parts.
fn scalable() -> ScalableBloomFilter<u64> {
    ScalableBloomFilter::with_rate(N / 8, P).expect("in range")
}

fn partitioned() -> PartitionedBloomFilter<u64> {
    PartitionedBloomFilter::with_rate(N, P).expect("in range")
}

/// A kind of key.
trait Key: Hash {
    type Owned: Borrow<Self>;

    fn of(number: u64) -> Self::Owned;
}

impl Key for u64 {
    type Owned = u64;

    fn of(number: u64) -> u64 {
        // The factor is odd, so distinct numbers give distinct keys.
        number.wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

impl Key for str {
    type Owned = String;

    fn of(number: u64) -> String {
        format!("{:016x}", <u64 as Key>::of(number))
    }
}

/// Returns the items to insert, and the same number of absent items.
fn keys<T: Key + ?Sized>() -> (Vec<T::Owned>, Vec<T::Owned>) {
    let items = (0..N).map(T::of);
    let others = (N..2 * N).map(T::of);
    (items.collect(), others.collect())
}

fn hash<T: Key + ?Sized>(calls: usize) {
    let (items, _) = keys::<T>();
    let state = FixedState::new();
    for item in &items[..calls] {
        black_box(state.hash_one(black_box(item.borrow())));
    }
}

fn insert<T: Key + ?Sized>(mut filter: impl Filter<T>, calls: usize) {
    let (items, _) = keys::<T>();
    for item in &items[..calls] {
        black_box(filter.try_insert(item.borrow()).expect("room"));
    }
}

/// Inserts all items into a filter and returns it.
fn full<T: Key + ?Sized, F: Filter<T>>(mut filter: F) -> F {
    for item in keys::<T>().0 {
        filter.try_insert(item.borrow()).expect("room");
    }
    filter
}

fn present<T: Key + ?Sized>(filter: impl Filter<T>, calls: usize) {
    let filter = full(filter);
    let (items, _) = keys::<T>();
    query(&filter, &items[..calls]);
}

fn absent<T: Key + ?Sized>(filter: impl Filter<T>, calls: usize) {
    let filter = full(filter);
    let (_, others) = keys::<T>();
    query(&filter, &others[..calls]);
}

fn query<T: Key + ?Sized>(filter: &impl Filter<T>, keys: &[T::Owned]) {
    for key in keys {
        black_box(filter.contains(key.borrow()));
    }
}

/// Keys per batch.
const BATCH: usize = 1024;

fn insert_in_batches(mut filter: impl Filter<u64>, calls: usize) {
    let (items, _) = keys::<u64>();
    for items in items[..calls].chunks(BATCH) {
        black_box(filter.try_insert_many(items).expect("room"));
    }
}

fn query_in_batches(filter: impl Filter<u64>, calls: usize) {
    let filter = full::<u64, _>(filter);
    let (items, _) = keys::<u64>();
    let mut answers = Vec::with_capacity(BATCH);
    for items in items[..calls].chunks(BATCH) {
        filter.contains_many(items, &mut answers);
        black_box(&answers);
    }
}

fn remove(calls: usize) {
    let mut filter = counting();
    let (items, _) = keys::<u64>();
    filter.extend(&items);
    for item in &items[..calls] {
        black_box(filter.remove(item));
    }
}
