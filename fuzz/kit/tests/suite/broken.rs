//! Examines filters with one defect each: the report must say that the promise which the defect violates is broken. A sound
//! filter must pass.

use std::cell::Cell;
use std::hash::BuildHasher;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use crate::plain::{Defect, Plain, Sound, with};
use bloom_core::FixedState;
use bloom_fuzz_kit::{AnyState, Examination, Outcome, Report, examine};
use bloom_testing::{Need, not_run};

/// Defines tests that examine a filter with a defect, and check that the named promise breaks. If a defect does not show at the
/// sizes of [`examined`], its test has sizes and rates of its own.
macro_rules! broken {
    ($($test:ident breaks $promise:literal $(at $sizes:tt $rates:tt)? { $($body:item)* })*) => {
        $(
            #[test]
            fn $test() {
                struct It;
                impl Defect for It {
                    $($body)*
                }
                let at = None$(.or(Some((&$sizes[..], &$rates[..]))))?;
                assert_breaks(&with(&It, || examined_at(at)), $promise);
            }
        )*
    };
}

/// Examines a filter at small sizes and one rate, which suffice for most defects.
fn examined() -> Report {
    examined_at(None)
}

fn examined_at(at: Option<(&[u64], &[f64])>) -> Report {
    let (sizes, rates) = at.unwrap_or((&[100, 1_000], &[0.01]));
    Examination::<Plain>::new()
        .sizes(sizes.iter().copied())
        .rates(rates.iter().copied())
        .run()
}

#[track_caller]
pub(crate) fn assert_breaks(report: &Report, promise: &str) {
    assert!(!report.passed());
    let broken = matches!(report.of(promise), Some(Outcome::Breaks(_)));
    assert!(broken, "{promise} must break:\n{report}");
}

#[test]
fn a_sound_filter_keeps_every_promise() {
    let report = with(&Sound, examine::<Plain>);
    report.assert_passed();
    let offered = |promise: &str| !matches!(report.of(promise), Some(Outcome::NotOffered) | None);
    for promise in [
        "batches",
        "clear",
        "copy",
        "remove",
        "merge",
        "intersect",
        "save and load",
        "threads",
        "degenerate hashers",
    ] {
        assert!(offered(promise), "{promise}:\n{report}");
    }
    println!("{report}");
}

broken! {
    an_index_of_16_bits_on_insertion breaks "every item found" {
        fn position(&self, right: usize, inserting: bool) -> usize {
            if inserting { right & 0xffff } else { right }
        }
    }

    every_10000th_item_dropped breaks "every item found" at [1_000, 1 << 14] [0.1] {
        fn drops(&self, count: u64) -> bool {
            count % 10_000 == 9_999
        }
    }

    items_after_the_2000th_dropped breaks "every item found" {
        fn drops(&self, count: u64) -> bool {
            count >= 2_000
        }
    }

    the_high_half_of_items_ignored breaks "target rate" {
        fn hashed(&self, item: u64) -> u64 {
            item & 0xffff_ffff
        }
    }

    the_top_bit_of_items_ignored breaks "target rate" {
        fn hashed(&self, item: u64) -> u64 {
            item << 1
        }
    }

    // The next three filters have too few bits. With fewer bits, a larger share of them is set, and the rate is about the k-th
    // power of this share.
    a_rate_5_percent_too_high breaks "target rate" {
        fn shrinks(&self) -> f64 {
            0.989_5
        }
    }

    a_rate_10_percent_too_high breaks "target rate" {
        fn shrinks(&self) -> f64 {
            0.979_5
        }
    }

    a_rate_20_percent_too_high breaks "target rate" {
        fn shrinks(&self) -> f64 {
            0.961
        }
    }

    a_union_that_drops_the_last_word breaks "merge" {
        fn united(&self, ours: u8, theirs: u8, index: usize, cells: usize) -> u8 {
            if index / 8 == (cells - 1) / 8 { ours } else { ours.saturating_add(theirs) }
        }
    }

    a_saved_file_that_forgets_the_count breaks "save and load" {
        fn restored(&self, _: u64) -> u64 {
            0
        }
    }

    a_batch_that_skips_the_last_group breaks "batches" {
        fn of_batch(&self, length: usize) -> usize {
            if length > 64 { length / 8 * 8 } else { length }
        }
    }

    a_batch_of_100_that_loses_its_last_item breaks "batches" {
        fn of_batch(&self, length: usize) -> usize {
            length - usize::from(length == 100)
        }
    }

    a_batch_of_65536_that_loses_its_last_item breaks "batches" {
        fn of_batch(&self, length: usize) -> usize {
            length - usize::from(length == 65_536)
        }
    }

    // This defect stands for positions that are stored in an `f32`, which lose their last bit if they have more than 24 bits.
    an_index_beyond_21_bits_that_loses_its_last_on_insertion breaks "every item found" at [1_000, 1 << 14] [0.1, 1e-6] {
        fn position(&self, right: usize, inserting: bool) -> usize {
            if inserting && right >> 21 > 0 { right & !1 } else { right }
        }
    }

    a_predicted_rate_that_is_the_requested_one breaks "predicted rate" {
        fn reported(&self, _: f64) -> f64 {
            0.01
        }
    }

    an_estimate_of_twice_the_items breaks "estimated items" {
        fn estimated(&self, items: f64, _: u64) -> f64 {
            2.0 * items
        }
    }

    an_estimate_that_counts_repetitions breaks "repeated insertion" at [1_000] [0.1] {
        fn estimated(&self, _: f64, count: u64) -> f64 {
            count as f64
        }
    }

    an_estimate_that_forgets_a_union breaks "merge" at [1_000] [0.01] {
        fn counted(&self, ours: u64, _: u64) -> u64 {
            ours
        }
        fn estimated(&self, _: f64, count: u64) -> f64 {
            count as f64
        }
    }

    an_answer_that_is_wrong_after_20000_items breaks "every item found" at [1_000, 1 << 15] [0.1] {
        fn answered(&self, new: bool, count: u64) -> bool {
            new && count < 20_000
        }
    }

    the_sign_of_items_ignored breaks "target rate" at [1_000] [0.1] {
        fn hashed(&self, item: u64) -> u64 {
            (item as i64).unsigned_abs()
        }
    }

    a_hash_of_32_bits breaks "target rate" at [1_000, 1 << 16] [0.1, 1e-6] {
        fn hashed(&self, item: u64) -> u64 {
            FixedState::new().hash_one(item) >> 32
        }
    }

    an_index_of_24_bits breaks "target rate" at [1_000, 1 << 17] [0.1, 1e-6] {
        fn position(&self, right: usize, _: bool) -> usize {
            right & 0xff_ffff
        }
    }

    one_filter_in_200_that_is_full breaks "target rate" at [100] [0.01] {
        fn is_full(&self) -> bool {
            static BUILT: AtomicU64 = AtomicU64::new(1);
            BUILT.fetch_add(1, Ordering::Relaxed).is_multiple_of(200)
        }
    }

    a_file_of_10_hashes_at_most breaks "save and load" at [1_000] [0.1, 1e-6] {
        fn hashes(&self, hashes: u8) -> u8 {
            hashes.min(10)
        }
    }

    a_copy_of_an_empty_filter_with_another_hasher breaks "copy" at [1_000] [0.1] {
        fn copied(&self, hasher: AnyState, count: u64) -> AnyState {
            if count == 0 { AnyState::Seeded(1) } else { hasher }
        }
    }

    a_copy_with_the_default_hasher breaks "degenerate hashers" at [1_000] [0.1] {
        fn copied(&self, _: AnyState, _: u64) -> AnyState {
            AnyState::default()
        }
    }

    a_refused_union_that_fills_the_filter breaks "merge" at [1_000] [0.1] {
        fn refuses(&self, counters: &mut [u8]) {
            counters.fill(1);
        }
    }

    an_intersection_that_is_a_union_of_some_counters breaks "intersect" at [1_000] [0.1] {
        fn common(&self, ours: u8, theirs: u8, index: usize) -> u8 {
            if index.is_multiple_of(50) { ours.max(theirs) } else { ours.min(theirs) }
        }
    }

    a_removal_that_leaves_the_first_counter breaks "remove" {
        fn lowers(&self, probe: usize, _: u8) -> bool {
            probe > 0
        }
    }

    a_removal_that_leaves_counters_of_5 breaks "remove" {
        fn lowers(&self, _: usize, counter: u8) -> bool {
            counter != 5
        }
    }

    a_file_that_panics_without_its_last_bytes breaks "hostile bytes" {
        fn loaded(&self, bytes: &[u8], cells: usize) -> Option<Vec<u8>> {
            (bytes.len() <= cells && bytes.len() + 8 > cells).then(|| bytes[..cells].to_vec())
        }
    }

    a_file_cut_short_and_filled_with_zeros breaks "hostile bytes" {
        fn loaded(&self, bytes: &[u8], cells: usize) -> Option<Vec<u8>> {
            let zeros = std::iter::repeat_n(0, cells.min(1_000).saturating_sub(bytes.len()));
            Some(bytes.iter().copied().chain(zeros).collect())
        }
    }

    a_clear_that_keeps_the_count breaks "clear" {
        fn cleared(&self, count: u64) -> u64 {
            count
        }
    }

    a_shared_filter_of_half_the_bits breaks "threads" {
        fn shrinks_shared(&self) -> f64 {
            0.5
        }
    }

    a_union_whose_counters_wrap breaks "repeated insertion" {
        fn united(&self, ours: u8, theirs: u8, _: usize, _: usize) -> u8 {
            ours.wrapping_add(theirs)
        }
    }

    a_counter_that_wraps breaks "repeated insertion" {
        fn raised(&self, counter: u8) -> u8 {
            counter.wrapping_add(1)
        }
    }
}

/// On one processor, the kit reports that it did not test threads, and this test reports that it was not run.
#[test]
fn a_shared_insertion_that_is_not_atomic_breaks_threads() {
    struct It;
    impl Defect for It {
        fn is_atomic(&self) -> bool {
            false
        }
    }
    let report = with(&It, examined);
    if let Some(Outcome::NotTested(why)) = report.of("threads") {
        return not_run(Need::Processors, why);
    }
    assert_breaks(&report, "threads");
}

/// In a round in which one thread waits so long for the other that it yields its processor, the two may not run at the same
/// time. So the round must not count.
#[test]
fn rounds_in_which_a_thread_gives_its_processor_away_do_not_count() {
    struct It;
    impl Defect for It {
        fn is_atomic(&self) -> bool {
            thread_local!(static CALLS: Cell<u64> = const { Cell::new(0) });
            let calls = CALLS.replace(CALLS.get() + 1);
            // A round has eight items of ten positions each. The thread that the kit starts has no name.
            if calls.is_multiple_of(80) && thread::current().name().is_none() {
                thread::sleep(Duration::from_micros(60));
            }
            true
        }
    }
    let report = with(&It, examined);
    let Some(Outcome::NotTested(why)) = report.of("threads") else {
        panic!("it must report that it did not test threads:\n{report}");
    };
    if why.starts_with("one processor") {
        return not_run(Need::Processors, why);
    }
    assert!(why.starts_with("threads ran at the same time in "), "{why}");
}
