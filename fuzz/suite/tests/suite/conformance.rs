//! All five filters of bloom-core must pass the examination of bloom-fuzz-kit, and a filter that is broken on purpose must fail
//! it. Small filters must have the exact rate on average. Each check of a rate fails for a correct filter with a probability of
//! at most 1e-9.

use std::hash::BuildHasher;

use bloom_core::math::measured::Band;
use bloom_core::math::{blocked, exact};
use bloom_core::{
    BlockedBloomFilter, BloomFilter, CountingBloomFilter, FixedState, PartitionedBloomFilter,
    ScalableBloomFilter, Shape,
};
use bloom_fuzz_kit::{ALARM, AnyState, Candidate, Inserted, Outcome, Row, Subject, examine};
use bloom_fuzz_suite::ByItem;
use bloom_testing::{Need, not_run};

macro_rules! conforms {
    ($($test:ident $filter:ident lacks $lacks:expr;)*) => {
        $(
            #[test]
            fn $test() {
                let report = examine::<ByItem<$filter<u64, AnyState>>>();
                report.assert_passed();
                if let Some(Outcome::NotTested(why)) = report.of("threads") {
                    not_run(Need::Processors, why);
                }
                let lacking = |row: &&Row| row.outcome == Outcome::NotOffered;
                let lacking = report.rows.iter().filter(lacking).map(|row| row.promise);
                let expected: &[&str] = &$lacks;
                assert_eq!(lacking.collect::<Vec<_>>(), expected, "{report}");
                assert_eq!(report.notes, [""; 0]);
            }
        )*
    };
}

conforms! {
    the_basic_filter_conforms BloomFilter lacks ["remove"];
    the_blocked_filter_conforms BlockedBloomFilter lacks ["remove", "exact model"];
    the_counting_filter_conforms CountingBloomFilter lacks ["threads"];
    the_partitioned_filter_conforms PartitionedBloomFilter lacks ["remove", "threads", "exact model"];
    the_scalable_filter_conforms ScalableBloomFilter
        lacks ["remove", "merge", "intersect", "threads", "exact model", "estimated items"];
}

/// A filter that has too few bits, divides the rate that it reports by 1.1, does not save its items, and accepts every size and
/// rate.
struct Boaster(BloomFilter<u64>);

impl Subject<u64> for Boaster {
    fn insert(&mut self, item: &u64) -> Inserted {
        Inserted::as_new(self.0.insert(item))
    }

    fn contains(&self, item: &u64) -> bool {
        self.0.contains(item)
    }

    fn save(&self) -> Option<Vec<u8>> {
        Some(vec![u8::from(self.0.is_empty()); 16])
    }

    fn load(&self, bytes: &[u8]) -> Option<Result<Self, String>> {
        // The number of bytes is not checked, so fewer than four bytes cause a panic.
        let filter =
            Shape::new(64, bytes[3]).map(|shape| BloomFilter::new(shape).expect("64 bits"));
        Some(filter.map(Boaster).map_err(|error| error.to_string()))
    }

    fn predicted_rate(&self) -> Option<f64> {
        Some(self.0.false_positive_rate() / 1.1)
    }
}

impl Candidate for Boaster {
    type Item = u64;

    fn with_rate(items: u64, rate: f64) -> Result<Self, String> {
        // The filter has only six sevenths of the bits that it needs, and an invalid rate is replaced by 0.5.
        let rate = if rate > 0.0 && rate < 1.0 { rate } else { 0.5 };
        let shape =
            Shape::for_rate((items * 6 / 7).max(1), rate).map_err(|error| error.to_string())?;
        Ok(Self(
            BloomFilter::new(shape).map_err(|error| error.to_string())?,
        ))
    }
}

#[test]
fn a_filter_that_boasts_is_found_out() {
    let report = examine::<Boaster>();
    for check in [
        "save and load",
        "target rate",
        "predicted rate",
        "hostile bytes",
    ] {
        assert!(
            matches!(report.of(check), Some(Outcome::Breaks(_))),
            "{check}: {report}"
        );
    }
    let lost = report.of("save and load").expect("it is a check");
    let Outcome::Breaks(lost) = lost else {
        panic!("{lost:?}")
    };
    // The smallest case of a lost item must have one insertion, and no other step with an item.
    assert_eq!(
        lost.split(": ")
            .next()
            .map(|case| case.matches("Insert").count()),
        Some(1),
        "{lost}"
    );
    assert_eq!(lost.matches("Integer").count(), 1, "{lost}");
    assert_eq!(report.of("remove"), Some(&Outcome::NotOffered));
}

/// Queries each of many small filters once. Every filter has a seed of its own, so the number of hits has a binomial
/// distribution with the exact mean rate.
#[test]
fn small_filters_have_the_exact_rate_on_average() {
    let filters = 200_000;
    for (items, bits, hashes) in [(6, 64, 7), (10, 100, 3), (20, 128, 4)] {
        let shape = Shape::new(bits, hashes).unwrap();
        let rate = exact::rate(items, bits, hashes).unwrap().value();
        let hits = (0..filters).filter(|seed| {
            let mut filter =
                BloomFilter::<u64, _>::with_hasher(shape, FixedState::with_seed(*seed)).unwrap();
            filter.extend(0..items);
            filter.contains(&items)
        });
        let band = Band::new(filters, rate, rate, ALARM).unwrap();
        let hits = hits.count() as u64;
        assert!(
            band.contains(hits),
            "{items}, {bits}, {hashes}: {hits} of {filters}, rate {rate}"
        );
        // A rate that is 1.5 times as high would nearly always be noticed. With plain double hashing, the rate of the filter of
        // 64 bits would be 3.8 times as high.
        assert!(band.power(1.5 * rate) > 0.999);
    }
    let block = blocked::Block::Split {
        lanes: 8,
        lane_bits: 64,
    };
    let rate = blocked::rate(100, 2, block).unwrap().value();
    let hits = (0..filters).filter(|seed| {
        let shape = bloom_core::BlockedShape::new(2).unwrap();
        let state = FixedState::with_seed(*seed);
        let mut filter = BlockedBloomFilter::<u64, _>::with_hasher(shape, state).unwrap();
        filter.extend(0..100);
        filter.contains_hash(state.hash_one(100_u64))
    });
    let (band, hits) = (
        Band::new(filters, rate, rate, ALARM).unwrap(),
        hits.count() as u64,
    );
    assert!(band.contains(hits), "{hits} of {filters}, rate {rate}");
    assert!(band.power(1.25 * rate) > 0.999);
}
