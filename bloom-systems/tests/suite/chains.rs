//! Compares the computed upper bound of the rate of RedisBloom's chains with the rates of chains that are filled and queried
//! here.
//!
//! A chain is a filter that has grown: a series of Bloom filters that are queried one after the other. All of them derive their
//! positions from the same two hash values of a key, so that they do not hit independently.

use bloom_systems::random::split_mix;
use bloom_systems::{First, Rates, Request, System, system};

/// A filter of a chain.
struct Filter {
    made_for: u64,
    items: u64,
    hashes: u8,
    set: Vec<bool>,
}

impl Filter {
    fn new(system: &System, items: u64, rate: f64) -> Self {
        // `rate` is halved already, so the system's change of the rate is left out.
        let mut sizing = system.sizing;
        sizing.rate = &[];
        let built = System { sizing, ..*system }.build(Request::for_rate(items, rate));
        let built = built.expect("a small filter");
        Self {
            made_for: items,
            items: 0,
            hashes: built.hashes,
            set: vec![false; built.bits as usize],
        }
    }

    fn hits(&self, system: &System, key: u64) -> bool {
        let set = |position: u64| self.set[position as usize];
        system.visit(key, self.set.len() as u64, self.hashes, set)
    }
}

/// Returns the mean false-positive rate of 40 chains, and its standard error. The first filter of a chain is for `n` items at
/// half of `p`. Each further filter is for `times` as many items, and half of the rate, as the filter before it. Items are
/// inserted until the chain has `items` items.
fn measured(system: &System, (n, p, times, items): (u64, f64, u64, u64)) -> (f64, f64) {
    let (mut state, queries, chains) = (n, 30_000, 40);
    let mut shares = Vec::new();
    for _ in 0..chains {
        let mut rate = p / 2.0;
        let mut filters = vec![Filter::new(system, n, rate)];
        let mut taken = 0;
        while taken < items {
            let key = split_mix(&mut state);
            if filters.iter().any(|filter| filter.hits(system, key)) {
                continue;
            }
            taken += 1;
            let last = filters.last().expect("one at least");
            if last.items == last.made_for {
                let made_for = last.made_for * times;
                rate /= 2.0;
                filters.push(Filter::new(system, made_for, rate));
            }
            let last = filters.last_mut().expect("one at least");
            let (bits, hashes) = (last.set.len() as u64, last.hashes);
            last.items += 1;
            system.visit(key, bits, hashes, |position| {
                last.set[position as usize] = true;
                true
            });
        }
        let found = |_: &i32| {
            let key = split_mix(&mut state);
            filters.iter().any(|filter| filter.hits(system, key))
        };
        let hits = (0..queries).filter(found).count();
        shares.push(hits as f64 / f64::from(queries));
    }
    let count = f64::from(chains);
    let mean = shares.iter().sum::<f64>() / count;
    let squares = shares.iter().map(|share| (share - mean).powi(2));
    let variance = squares.sum::<f64>() / (count - 1.0);
    (mean, (variance / count).sqrt())
}

/// These chains differ in items and rates from those to which the formula of the bound was fitted. A bound may be up to six
/// standard errors below the measured rate; a standard error is 1.2 to 2 % of the rate. Bounds that assume independent filters
/// would be 2.16, 1.56, 1.13 and 1.12 times the measured rates of the first four chains. `widest`, the last number of each
/// chain, limits the ratio of the bound to the measured rate.
#[test]
fn the_bound_of_a_chain_is_above_its_rate_and_below_that_of_independent_filters() {
    let redis = system("redis").expect("a known system");
    let rates = Rates::new(redis);
    let judge = rates.judge(1.0);
    for (n, p, times, items, widest) in [
        (14, 0.01, 1, 280, 1.5),
        (30, 0.02, 1, 900, 1.4),
        (18, 0.005, 2, 500, 1.08),
        (80, 0.01, 1, 1_600, 1.1),
        // Keys that a query finds already are not inserted or counted. So a full filter has more set bits than n random keys
        // set. In this chain, that raises the rate by 7 %.
        (193, 0.239, 1, 272, 1.06),
    ] {
        let built = redis
            .build(Request::for_rate(n, p))
            .expect("a small filter");
        let rate = judge(n, built.bits, built.hashes).expect("a size").rate;
        let first = First {
            items: n,
            bits: built.bits,
            hashes: built.hashes,
            rate,
            requested: Some(p),
        };
        let (bound, _) = redis
            .grown(first, Some(times), items, &judge)
            .expect("it grows");
        let (found, error) = measured(redis, (n, p, times, items));
        let chain = format!(
            "{n} items at {p} grown {times} times to {items}: bound {bound}, measured {found} ± {error}"
        );
        assert!(bound > found - 6.0 * error, "{chain}");
        assert!(bound < widest * found, "{chain}");
    }
}
