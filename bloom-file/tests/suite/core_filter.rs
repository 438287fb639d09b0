//! Tests of [`CoreFilter`], the type for bloom-core filters of all kinds: what each kind does, and what it refuses.

use bloom_core::{
    BlockedBloomFilter, BloomFilter, CountingBloomFilter, PartitionedBloomFilter,
    ScalableBloomFilter,
};
use bloom_file::{CoreError, CoreFilter};

type Any = CoreFilter<Vec<u8>>;

/// Returns an empty filter of each kind, for 1,000 items at 1 %.
fn empty() -> Vec<Any> {
    vec![
        CoreFilter::Basic(BloomFilter::with_rate(1_000, 0.01).unwrap()),
        CoreFilter::Blocked(BlockedBloomFilter::with_rate(1_000, 0.01).unwrap()),
        CoreFilter::Partitioned(PartitionedBloomFilter::with_rate(1_000, 0.01).unwrap()),
        CoreFilter::Counting(CountingBloomFilter::with_rate(1_000, 0.01).unwrap()),
        CoreFilter::Scalable(ScalableBloomFilter::with_rate(1_000, 0.01).unwrap()),
    ]
}

/// Returns the hashes of these numbers. Different numbers have different hashes.
fn hashes(numbers: std::ops::Range<u64>) -> Vec<u64> {
    let filter = BloomFilter::<u64>::with_rate(1, 0.5).unwrap();
    numbers.map(|number| filter.hash_of(&number)).collect()
}

/// Returns a filter that is filled with these hashes.
fn filled(mut filter: Any, hashes: &[u64]) -> Any {
    filter.insert_hashes(hashes).unwrap();
    filter
}

fn hits(filter: &Any, hashes: &[u64]) -> usize {
    let mut answers = vec![false; hashes.len()];
    filter.contains_hashes_into(hashes, &mut answers).unwrap();
    answers.iter().filter(|hit| **hit).count()
}

fn finds_all(filter: &Any, hashes: &[u64]) -> bool {
    hits(filter, hashes) == hashes.len()
}

#[test]
fn every_kind_finds_its_keys_owned_in_place_and_copied() {
    let (inside, outside) = (hashes(0..900), hashes(1_000..2_000));
    for filter in empty() {
        let kind = filter.kind();
        assert!(filter.is_empty(), "{kind}");
        let filter = filled(filter, &inside);
        let saved = Any::open(filter.to_bytes().unwrap(), None).unwrap();
        let copy: Any = saved.to_plain().unwrap();
        for filter in [&filter, &saved, &copy] {
            assert!(finds_all(filter, &inside), "{kind}");
            assert!(filter.contains_hash(inside[7]), "{kind}");
            let hits = hits(filter, &outside);
            assert!(hits < 40, "{kind}: {hits} of 1,000");
            assert_eq!(filter.kind(), kind);
            assert_eq!(
                filter.to_bytes().unwrap(),
                saved.to_bytes().unwrap(),
                "{kind}"
            );
            let items = filter.estimated_items().unwrap().items;
            assert!((850.0..950.0).contains(&items), "{kind}: {items}");
            let rate = filter.false_positive_rate();
            assert!((0.0005..0.02).contains(&rate), "{kind}: {rate}");
            assert!(
                (0.2..0.55).contains(&filter.fill()),
                "{kind}: {}",
                filter.fill()
            );
            assert!(filter.bits() > 9_000 && filter.hashes() > 3, "{kind}");
        }
        assert!(filter.equals(&copy).unwrap(), "{kind}");
        let more = filled(copy, &outside[..50]);
        assert!(!filter.equals(&more).unwrap(), "{kind}");
    }
}

#[test]
fn a_union_contains_both_and_an_intersection_the_common_keys() {
    let (left, right) = (hashes(0..400), hashes(300..700));
    for (ours, theirs) in empty().into_iter().zip(empty()) {
        let kind = ours.kind().to_string();
        let (mut both, theirs) = (filled(ours, &left), filled(theirs, &right));
        let mut common: Any = both.to_plain().unwrap();
        let refusals = [both.union_with(&theirs), common.intersect_with(&theirs)];
        if kind.contains("Scalable") {
            for refused in refusals {
                let message = refused.unwrap_err().to_string();
                assert!(message.contains("depend on the order of keys"), "{message}");
            }
            continue;
        }
        assert!(refusals.iter().all(Result::is_ok), "{kind}: {refusals:?}");
        assert!(
            finds_all(&both, &left) && finds_all(&both, &right),
            "{kind}"
        );
        assert!(finds_all(&common, &left[300..]), "{kind}");
        let hits = hits(&common, &left[..300]);
        assert!(hits < 60, "{kind}: {hits} of 300");
    }
}

#[test]
fn a_shared_filter_is_filled_and_combined_as_a_whole() {
    let (left, right) = (hashes(0..400), hashes(300..700));
    for filter in empty() {
        let kind = filter.kind().to_string();
        let shared = filter.into_shared();
        if !["BloomFilter", "BlockedBloomFilter"].contains(&kind.as_str()) {
            assert!(matches!(shared, Err(CoreError::Kind(_))), "{kind}");
            continue;
        }
        let mut shared: Any = shared.unwrap().into_shared().unwrap();
        let saved = Any::open(shared.to_bytes().unwrap(), None).unwrap();
        assert!(
            matches!(saved.into_shared(), Err(CoreError::InPlace)),
            "{kind}"
        );
        assert!(
            shared
                .insert_hashes_shared(&left)
                .is_some_and(|new| new > 390),
            "{kind}"
        );
        let other = filled(shared.to_plain().unwrap(), &right);
        shared.union_with(&other).unwrap();
        assert!(
            finds_all(&shared, &left) && finds_all(&shared, &right),
            "{kind}"
        );
        assert!(
            shared.insert_hashes_shared(&[1]).is_some(),
            "{kind} is still shared"
        );
    }
}

#[test]
fn operations_that_a_kind_does_not_have_are_refused() {
    let keys = hashes(0..100);
    for filter in empty() {
        let kind = filter.kind().to_string();
        let mut filter = filled(filter, &keys);
        let removed = filter.remove_hash(keys[0]);
        if kind.contains("Counting") {
            assert!(removed.unwrap() && !filter.contains_hash(keys[0]));
        } else {
            assert!(matches!(removed, Err(CoreError::Kind(_))), "{kind}");
        }
        assert!(filter.insert_hashes_shared(&keys).is_none(), "{kind}");
        filter.clear().unwrap();
        assert!(filter.is_empty(), "{kind}");
        // A scalable filter is copied when it is opened, so it can be changed.
        let mut saved = Any::open(filter.to_bytes().unwrap(), None).unwrap();
        if !kind.contains("Scalable") {
            assert!(
                matches!(saved.insert_hash(1), Err(CoreError::InPlace)),
                "{kind}"
            );
            assert!(matches!(saved.clear(), Err(CoreError::InPlace)), "{kind}");
            assert!(
                matches!(saved.union_with(&filter), Err(CoreError::InPlace)),
                "{kind}"
            );
        }
        let other = empty()
            .into_iter()
            .find(|other| other.kind() != filter.kind())
            .unwrap();
        let message = filter.union_with(&other).unwrap_err().to_string();
        assert!(
            message.starts_with("kind of both filters must be equal"),
            "{message}"
        );
        assert!(!filter.equals(&other).unwrap(), "{kind}");
    }
}

/// Opening a filter in place does not read its bits, so that damage to them is not found. Operations whose results would hide
/// the damage are refused.
#[test]
fn damaged_bytes_in_place_are_not_copied_written_or_united() {
    for filter in empty() {
        let mut bytes = filled(filter, &hashes(0..900)).to_bytes().unwrap();
        let at = bytes.len() - 100;
        bytes[at..at + 40].fill(0x5a);
        // A scalable filter is not read in place, so opening it finds the damage.
        let Ok(damaged) = Any::open(bytes, None) else {
            continue;
        };
        let kind = damaged.kind();
        let refused = |refused: Result<(), CoreError>| {
            let message = refused.unwrap_err().to_string();
            assert!(message.contains("checksum"), "{kind}: {message}");
        };
        refused(damaged.to_plain::<Vec<u8>>().map(drop));
        refused(damaged.to_bytes().map(drop));
        let same = empty().into_iter().find(|same| same.kind() == kind);
        let mut same = same.expect("one of each kind");
        refused(same.union_with(&damaged));
        assert!(same.is_empty());
    }
}
