//! Tests filters that threads share: no insert is lost, and a shared filter has the same bits as a filter that one thread has
//! filled with the same items.
//!
//! These tests are a program of their own, because CI builds them without debug assertions. Only in such builds was the
//! compiler seen to move a query out of a loop that waits for another thread's insert.

#![cfg(target_has_atomic = "64")]

use std::any::Any;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicUsize};
use std::sync::{Barrier, Mutex, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use bloom_core::{
    AtomicBlockedBloomFilter, AtomicBloomFilter, BlockedBloomFilter, BlockedShape, BloomFilter,
    Filter, FixedState, IncompatibleError, Shape,
};
use bloom_testing::{Need, assert_bytes, has, in_child};

const ITEMS: u64 = 40_000;

/// Returns the number of threads: as many as the machine runs at once, but at least four.
fn threads() -> u64 {
    thread::available_parallelism().map_or(4, |threads| threads.get().max(4) as u64)
}

/// Reports that `test` cannot detect races, if the machine never runs two threads at the same time. The test runs anyway.
fn needs_two_processors(test: &str) {
    _ = has(Need::Processors, &format!("races in {test}"));
}

/// Evaluates the body for each kind of filter that threads can share. In the body, the parameter is the type of the filter that
/// is not shared; `into_shared` makes a shared filter of it.
macro_rules! for_each_kind {
    (|$plain:ident| $body:block) => {{
        {
            type $plain<T> = BloomFilter<T>;
            $body
        }
        {
            type $plain<T> = BlockedBloomFilter<T>;
            $body
        }
    }};
}

#[test]
fn threads_set_the_same_bits_as_one_thread() {
    needs_two_processors("threads_set_the_same_bits_as_one_thread");
    for_each_kind!(|Plain| {
        for rate in [0.3, 0.01, 1e-6] {
            let shared = Plain::<u64>::with_rate(ITEMS, rate).unwrap().into_shared();
            thread::scope(|scope| {
                for thread in 0..threads() {
                    let shared = &shared;
                    // Nearly every item is inserted by two threads: by one of them in a call for this item alone, by the other
                    // in a batch.
                    scope.spawn(move || {
                        let own = ITEMS / threads();
                        let items: Vec<u64> = (thread * own..(thread + 2) * own)
                            .map(|item| item % ITEMS)
                            .collect();
                        let (singly, batch) = items.split_at(items.len() / 2);
                        for item in singly {
                            shared.insert(item);
                        }
                        shared.insert_many(batch);
                        assert!(items.iter().all(|item| shared.contains(item)));
                    });
                }
            });
            let mut plain = Plain::<u64>::with_rate(ITEMS, rate).unwrap();
            plain.extend(0..ITEMS);
            assert_eq!(shared.to_plain().unwrap(), plain);
            assert_eq!(shared.fill(), plain.fill());
            assert_eq!(shared.estimated_items(), plain.estimated_items());
            assert_eq!(shared.false_positive_rate(), plain.false_positive_rate());
            assert_eq!(shared.memory_bytes(), plain.memory_bytes());
            let bytes = plain.to_bytes().unwrap();
            assert_bytes!(shared.to_bytes().unwrap(), bytes);
            assert_eq!(shared.into_plain().to_bytes().unwrap(), bytes);
        }
    });
}

#[test]
fn one_thread_answers_as_the_plain_filter_does() {
    for_each_kind!(|Plain| {
        let mut plain = Plain::<u64>::with_rate(1_000, 0.2).unwrap();
        let mut shared = plain.clone().into_shared();
        assert!(shared.is_empty());
        let items: Vec<u64> = (0..1_500).map(|item| item * item % 1_009).collect();
        for item in &items[..700] {
            assert_eq!(shared.insert(item), plain.insert(item));
        }
        assert_eq!(shared.insert_many(&items), plain.insert_many(&items));
        let hashes: Vec<u64> = (0..500).map(|hash| hash * 0x1234_5678_9abc).collect();
        assert_eq!(shared.insert_hashes(&hashes), plain.insert_hashes(&hashes));
        shared.extend(5_000..5_010);
        (&shared).extend(6_000..6_010);
        plain.extend((5_000..5_010).chain(6_000..6_010));
        let queried: Vec<u64> = (0..8_000).collect();
        let expected: Vec<bool> = queried.iter().map(|item| plain.contains(item)).collect();
        let singly = queried.iter().map(|item| shared.contains(item));
        assert!(singly.eq(expected.iter().copied()));
        let mut batch = Vec::new();
        shared.contains_many(&queried, &mut batch);
        assert_eq!(batch, expected);
        assert_eq!(
            Filter::try_insert(&mut shared, &9_999),
            Ok(plain.insert(&9_999))
        );
        assert_eq!(shared.to_plain().unwrap(), plain);
        shared.clear();
        assert!(shared.is_empty() && !shared.contains(&0));
    });
}

#[test]
fn a_new_item_is_new_to_at_least_one_thread() {
    const ROUNDS: usize = 2_000;
    needs_two_processors("a_new_item_is_new_to_at_least_one_thread");
    for_each_kind!(|Plain| {
        let shared = Plain::<u64>::with_rate(ROUNDS as u64, 1e-9)
            .unwrap()
            .into_shared();
        let new: Vec<AtomicUsize> = (0..ROUNDS).map(|_| AtomicUsize::new(0)).collect();
        let threads = 4;
        let start = Barrier::new(threads);
        thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    for (item, new) in new.iter().enumerate() {
                        start.wait();
                        new.fetch_add(usize::from(shared.insert(&(item as u64))), Relaxed);
                    }
                });
            }
        });
        assert!(
            new.iter()
                .all(|new| (1..=threads).contains(&new.load(Relaxed)))
        );
        let plain = shared.into_plain();
        assert!((0..ROUNDS as u64).all(|item| plain.contains(&item)));
    });
}

#[test]
fn an_item_is_found_by_a_thread_that_learned_of_its_insert() {
    needs_two_processors("an_item_is_found_by_a_thread_that_learned_of_its_insert");
    let seen = BlockedBloomFilter::<u64>::with_rate(ITEMS, 0.01)
        .unwrap()
        .into_shared();
    let (tell, learn) = mpsc::sync_channel(64);
    thread::scope(|scope| {
        for thread in 0..3 {
            let (seen, tell) = (&seen, tell.clone());
            scope.spawn(move || {
                for item in (thread..ITEMS).step_by(3) {
                    seen.insert(&item);
                    tell.send(item).unwrap();
                }
            });
        }
        drop(tell);
        assert!(learn.iter().all(|item| seen.contains(&item)));
    });
}

#[test]
fn a_thread_that_waits_for_an_item_finds_it() {
    in_child(|| {
        for_each_kind!(|Plain| {
            // Points to the leaked filters, because the address sanitizer would report memory to which nothing points.
            static LEAKED: Mutex<Vec<&(dyn Any + Sync)>> = Mutex::new(Vec::new());
            // This test can fail only in optimized builds: in these, a compiler that takes the bits for constant moves the
            // query out of the loop.
            for items in [100, 20_000_000] {
                let seen = Plain::<u64>::with_rate(items, 0.01).unwrap().into_shared();
                // The filter is leaked, so that the test can fail. A scope would wait for ever for a thread that does not see
                // the item. Through an `Arc`, every query would read the bits again, even if the compiler took them for
                // constant.
                let seen: &'static _ = Box::leak(Box::new(seen));
                LEAKED.lock().unwrap().push(seen);
                let waiting = thread::spawn(|| while !seen.contains(&7) {});
                thread::sleep(Duration::from_millis(20));
                seen.insert(&7);
                let start = Instant::now();
                while !waiting.is_finished() {
                    assert!(
                        start.elapsed() < Duration::from_secs(20),
                        "a thread does not see an insert of another: {seen:?}"
                    );
                    thread::sleep(Duration::from_millis(1));
                }
            }
        });
    });
}

#[test]
fn a_union_adds_a_plain_filter_while_threads_insert() {
    needs_two_processors("a_union_adds_a_plain_filter_while_threads_insert");
    for_each_kind!(|Plain| {
        let shared = Plain::<u64>::with_rate(ITEMS, 0.01).unwrap().into_shared();
        let mut other = Plain::<u64>::new(shared.shape()).unwrap();
        other.extend(0..ITEMS / 2);
        thread::scope(|scope| {
            scope.spawn(|| (ITEMS / 2..ITEMS).for_each(|item| _ = shared.insert(&item)));
            shared.union_with(&other).unwrap();
        });
        other.extend(ITEMS / 2..ITEMS);
        assert_eq!(shared.into_plain(), other);
    });
}

#[test]
fn a_copy_with_bits_of_an_intersected_filter_has_no_estimate() {
    needs_two_processors("a_copy_with_bits_of_an_intersected_filter_has_no_estimate");
    for_each_kind!(|Plain| {
        let mut other = Plain::<u64>::with_rate(ITEMS, 0.01).unwrap();
        other.extend(0..ITEMS);
        other.intersect_with(&other.clone()).unwrap();
        let mut partial = 0;
        for _ in 0..50 {
            let shared = Plain::<u64>::new(other.shape()).unwrap().into_shared();
            thread::scope(|scope| {
                scope.spawn(|| shared.union_with(&other).unwrap());
                loop {
                    let copy = shared.to_plain().unwrap();
                    assert!(copy.is_empty() || copy.estimated_items().is_err());
                    if copy == other {
                        break;
                    }
                    partial += u32::from(!copy.is_empty());
                }
            });
        }
        println!("{partial} copies in the middle of a union");
    });
}

#[test]
fn a_filter_is_saved_while_threads_insert() {
    needs_two_processors("a_filter_is_saved_while_threads_insert");
    for_each_kind!(|Plain| {
        let shared = Plain::<u64>::with_rate(ITEMS, 0.01).unwrap().into_shared();
        (0..ITEMS / 4).for_each(|item| _ = shared.insert(&item));
        let stop = AtomicBool::new(false);
        let saved: Vec<_> = thread::scope(|scope| {
            scope.spawn(|| {
                let mut items = (ITEMS / 4..ITEMS).cycle();
                while !stop.load(Relaxed) {
                    shared.insert(&items.next().unwrap());
                }
            });
            let saved = (0..20).map(|_| shared.to_bytes()).collect();
            stop.store(true, Relaxed);
            saved
        });
        for bytes in saved {
            // `from_bytes` accepts the bytes only if their checksum is that of the words written, even if bits changed
            // meanwhile.
            let saved = Plain::<u64>::from_bytes(&bytes.unwrap()).unwrap();
            assert!((0..ITEMS / 4).all(|item| saved.contains(&item)));
        }
    });
}

#[test]
fn filters_of_another_shape_or_hasher_are_refused() {
    let shape = Shape::new(1_000, 7).unwrap();
    let shared = BloomFilter::<u64>::new(shape).unwrap().into_shared();
    let theirs = Shape::new(1_001, 7).unwrap();
    let mut other = BloomFilter::new(theirs).unwrap();
    other.insert(&1);
    let error = IncompatibleError::Shape {
        ours: shape,
        theirs,
    };
    assert_eq!(shared.check_compatible(&other), Err(error));
    assert_eq!(shared.union_with(&other), Err(error));
    let state = FixedState::with_seed(7);
    let shared = BloomFilter::<u64, _>::with_hasher(shape, state)
        .unwrap()
        .into_shared();
    let other = BloomFilter::with_hasher(shape, FixedState::new()).unwrap();
    assert_eq!(shared.union_with(&other), Err(IncompatibleError::Hasher));
    assert!(shared.is_empty());
    let shared = BlockedBloomFilter::<u64>::new(BlockedShape::new(3).unwrap())
        .unwrap()
        .into_shared();
    let other = BlockedBloomFilter::new(BlockedShape::new(4).unwrap()).unwrap();
    let error = IncompatibleError::Blocks { ours: 3, theirs: 4 };
    assert_eq!(shared.union_with(&other), Err(error));
}

/// One thread inserts into the first of two filters. Meanwhile another thread counts the set bits of the first filter, of the
/// second and of their union. The three counts are from different moments, but must still give an estimate.
#[test]
fn a_pair_is_estimated_while_threads_insert() {
    needs_two_processors("a_pair_is_estimated_while_threads_insert");
    for_each_kind!(|Plain| {
        for _ in 0..100 {
            let empty = || Plain::<u64>::with_rate(2_000, 0.01).unwrap().into_shared();
            let (one, two) = (empty(), empty());
            let done = AtomicBool::new(false);
            thread::scope(|scope| {
                scope.spawn(|| {
                    for item in 0..2_000 {
                        one.insert(&item);
                    }
                    done.store(true, Release);
                });
                while !done.load(Acquire) {
                    let pair = one.estimated_pair(&two).unwrap();
                    assert!(
                        pair.union.items >= 0.0 && pair.union.items < 2_500.0,
                        "{pair:?}"
                    );
                }
            });
        }
    });
}

#[test]
fn shared_filters_are_send_and_sync_and_print_their_shape() {
    fn check<F: Send + Sync>() {}
    check::<AtomicBloomFilter<*const u8>>();
    check::<AtomicBlockedBloomFilter<*const u8>>();
    let shared = BloomFilter::<u64>::new(Shape::new(100, 3).unwrap())
        .unwrap()
        .into_shared();
    assert_eq!(
        format!("{shared:?}"),
        "BloomFilter { bits: 100, hashes: 3, .. }"
    );
    let shared = BlockedBloomFilter::<u64>::new(BlockedShape::new(3).unwrap())
        .unwrap()
        .into_shared();
    assert_eq!(
        format!("{shared:?}"),
        "BlockedBloomFilter { blocks: 3, bits: 1536, hashes: 8, .. }"
    );
}

/// Eight threads insert and query, as in a service under load. Each thread announces how many items it has inserted, and the
/// other threads must find these items. This takes 10 s for each kind of filter, or the seconds in the environment variable
/// `BLOOM_SERVICE_SECONDS`.
#[test]
#[ignore = "takes 20 s: cargo test --release -p bloom-core --test threads -- --ignored"]
fn a_service_under_load_has_no_false_negative() {
    const THREADS: u64 = 8;
    const ITEMS: u64 = 48_000_000;
    needs_two_processors("a_service_under_load_has_no_false_negative");
    let seconds = std::env::var("BLOOM_SERVICE_SECONDS").map_or(10, |seconds| {
        let whole = seconds.parse();
        whole.unwrap_or_else(|_| panic!("BLOOM_SERVICE_SECONDS must be whole, got {seconds}"))
    });
    for_each_kind!(|Plain| {
        let shared = Plain::<u64>::with_rate(ITEMS, 0.01).unwrap().into_shared();
        let inserted: [AtomicUsize; THREADS as usize] = Default::default();
        let stop = AtomicBool::new(false);
        thread::scope(|scope| {
            for thread in 0..THREADS {
                let (shared, inserted, stop) = (&shared, &inserted, &stop);
                scope.spawn(move || {
                    let item = |thread: u64, index: u64| thread << 40 | index;
                    for index in 0_u64.. {
                        if stop.load(Relaxed) {
                            break;
                        }
                        // A thread that has inserted its share of the expected items inserts them again.
                        shared.insert(&item(thread, index % (ITEMS / THREADS)));
                        let done = (index + 1).min(ITEMS / THREADS) as usize;
                        inserted[thread as usize].store(done, Release);
                        // Queries an item that another thread has announced as inserted.
                        let other = (thread + 1 + index % (THREADS - 1)) % THREADS;
                        let known = inserted[other as usize].load(Acquire);
                        if known > 0 {
                            let queried = index.wrapping_mul(0x9e37_79b9) % known as u64;
                            assert!(shared.contains(&item(other, queried)), "a false negative");
                        }
                    }
                });
            }
            let start = Instant::now();
            while start.elapsed() < Duration::from_secs(seconds) {
                thread::sleep(Duration::from_millis(100));
            }
            stop.store(true, Relaxed);
        });
        assert!(inserted.iter().all(|done| done.load(Relaxed) > 10_000));
        drop(shared.into_plain());
    });
}
