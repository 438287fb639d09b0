//! Measures one cell: a number of items, a rate, and a kind of key.
//!
//! A candidate is a filter together with its hash function. Each round times every operation once with every candidate, in
//! rotating order, so that disturbances of the machine affect all candidates alike. For the same reason, a ratio of speeds is
//! computed from two times of one round. Only the inserts of a filter of more than 2^20 items are timed otherwise: the filter
//! is built once, in parts, and each part has a time.

use std::time::Duration;

use crate::candidate::Name;
use crate::check::{self, Checked};
use crate::keys::{Item, Numbers};
use crate::operation::Operation;
use crate::runner::{DynRunner, Part};

/// How often and how long to measure, and how much to check.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Effort {
    /// Number of rounds.
    pub(crate) rounds: usize,
    /// Minimum time of an operation of one candidate in a round; a faster operation is repeated.
    pub(crate) run: Duration,
    /// The maximum number of items of a filter to look up, to check that they are found.
    pub(crate) checked_items: usize,
}

/// The maximum number of keys whose insertion is timed as a whole. A filter with more items is built in several parts of this
/// size.
const PART_KEYS: usize = 1 << 20;

/// The maximum number of items that are removed and inserted again in a round: enough to touch most cache lines of a large
/// filter.
const REMOVED_KEYS: usize = 1 << 19;

/// The maximum number of queries that are timed to estimate the time of one query.
const CALIBRATION_KEYS: usize = 1 << 15;

/// The measurements of one cell.
pub(crate) struct Cell {
    /// Number of inserted items.
    pub(crate) items: u64,
    /// The requested rate.
    pub(crate) rate: f64,
    /// The kind of key.
    pub(crate) keys: &'static str,
    /// One row per candidate.
    pub(crate) rows: Vec<Row>,
}

/// The measurements of one candidate.
pub(crate) struct Row {
    /// The candidate.
    pub(crate) name: Name,
    /// Memory of the full filter, in bits per item.
    pub(crate) bits_per_item: f64,
    /// The results of its checks.
    pub(crate) checked: Checked,
    /// Nanoseconds per key, by operation in the order of [`Operation::ALL`] and by round, or by part for the inserts of a
    /// filter that is built in parts. The list of an operation is empty if the candidate lacks the operation or did not pass
    /// its checks.
    pub(crate) samples: Samples,
}

/// Nanoseconds per key by operation and round. `None` stands for a part after which a static filter, which is built from all
/// keys at once, was not yet built.
pub(crate) type Samples = [Vec<Option<f64>>; Operation::ALL.len()];

impl Row {
    /// Returns the samples of an operation.
    pub(crate) fn samples(&self, operation: Operation) -> &[Option<f64>] {
        &self.samples[operation as usize]
    }
}

/// Measures a cell.
pub(crate) fn cell<T: Item + ?Sized>(
    mut runners: Vec<Box<dyn DynRunner<T>>>,
    rate: f64,
    keys: &'static str,
    numbers: Numbers,
    seed: u64,
    effort: Effort,
) -> Cell {
    let items = T::arena(numbers.items);
    let items = T::stored(&items);
    let mut samples = build(&mut runners, &items, effort);

    let arenas = [numbers.present, numbers.absent, numbers.mix].map(T::arena);
    let [present, absent, mix] = [0, 1, 2].map(|index| T::stored(&arenas[index]));
    let queries = [&present[..], &absent[..]];
    let checked = check::check(&runners, &items, queries, rate, seed, effort.checked_items);
    for (index, checked) in checked.iter().enumerate() {
        if !checked.is_sound() {
            samples[index] = Samples::default();
        }
    }

    let sound: Vec<usize> = (0..runners.len())
        .filter(|index| checked[*index].is_sound())
        .collect();
    for (operation, index, queried) in query(&runners, &sound, [&present, &absent, &mix], effort) {
        samples[index][operation as usize].push(Some(queried));
    }
    let removed = &items[..items.len().min(REMOVED_KEYS)];
    for (index, time) in remove(&mut runners, &sound, removed, effort) {
        samples[index][Operation::Remove as usize].push(Some(time));
    }

    let count = items.len() as u64;
    let rows = runners.iter().zip(checked).zip(samples);
    let rows = rows.map(|((runner, checked), samples)| Row {
        name: runner.name(),
        bits_per_item: runner.bytes() as f64 * 8.0 / count as f64,
        checked,
        samples,
    });
    Cell {
        items: count,
        rate,
        keys,
        rows: rows.collect(),
    }
}

/// Returns the order of the candidates in a round: it starts one candidate later than in the previous round.
fn order(count: usize, round: usize) -> impl Iterator<Item = usize> {
    (0..count).map(move |place| (place + round) % count)
}

/// Builds every filter by single calls and, if its crate has them, by batch calls, and returns the times.
fn build<T: Item + ?Sized>(
    runners: &mut [Box<dyn DynRunner<T>>],
    items: &[T::Stored<'_>],
    effort: Effort,
) -> Vec<Samples> {
    let mut samples: Vec<Samples> = runners.iter().map(|_| Samples::default()).collect();
    let whole = items.len() <= PART_KEYS;
    // A filter that is built in several parts has a time for each part, so it is built only once.
    let passes = if whole { effort.rounds } else { 1 };
    let repeats = if whole {
        calibrate_builds(runners, items, effort.run)
    } else {
        vec![[1; 2]; runners.len()]
    };
    let parts = items.len().div_ceil(PART_KEYS);
    for pass in 0..passes {
        for (number, keys) in items.chunks(PART_KEYS).enumerate() {
            for (which, operation) in Operation::BUILDS.into_iter().enumerate() {
                for index in order(runners.len(), pass + number) {
                    if runners[index].does(operation) {
                        let part = Part {
                            first: number == 0,
                            last: number + 1 == parts,
                            repeats: repeats[index][which],
                        };
                        let sample = runners[index].build(operation, keys, part);
                        samples[index][operation as usize].push(sample);
                    }
                }
            }
        }
    }
    samples
}

/// Returns how often each candidate builds its filter in a round, by single calls and by batch calls.
fn calibrate_builds<T: Item + ?Sized>(
    runners: &mut [Box<dyn DynRunner<T>>],
    keys: &[T::Stored<'_>],
    run: Duration,
) -> Vec<[usize; 2]> {
    let calibrate = |runner: &mut Box<dyn DynRunner<T>>| {
        Operation::BUILDS.map(|operation| {
            if !runner.does(operation) {
                return 1;
            }
            // The first build warms up and measures the filter's size.
            runner.build(operation, keys, Part::WHOLE);
            let each = runner.build(operation, keys, Part::WHOLE);
            let each = each.expect("a whole filter");
            repeats(run, each * 1e-9 * keys.len() as f64)
        })
    };
    runners.iter_mut().map(calibrate).collect()
}

/// Returns how often to repeat something that takes this many seconds, so that all repetitions take at least `run`.
fn repeats(run: Duration, seconds: f64) -> usize {
    (run.as_secs_f64() / seconds).ceil().max(1.0) as usize
}

/// Queries the filters that passed their checks, whose indices are in `sound`. Returns the operation, the index of the filter
/// and the nanoseconds per query, for one round after the other.
fn query<T: Item + ?Sized>(
    runners: &[Box<dyn DynRunner<T>>],
    sound: &[usize],
    [present, absent, mix]: [&[T::Stored<'_>]; 3],
    effort: Effort,
) -> Vec<(Operation, usize, f64)> {
    let keys = |operation: Operation| match operation.single() {
        Operation::Present => present,
        Operation::Absent => absent,
        _ => mix,
    };
    // Every round must give the same number of positive answers: for inserted items all answers, for absent items the number of
    // false positives that is counted here.
    let found: Vec<usize> = runners.iter().map(|runner| runner.count(absent)).collect();
    let expected = |operation: Operation, index: usize| match operation.single() {
        Operation::Present => Some(present.len()),
        Operation::Absent => Some(found[index]),
        _ => None,
    };
    let mut repeats_of = vec![[1; Operation::ALL.len()]; runners.len()];
    for operation in Operation::QUERIES {
        for &index in sound {
            if runners[index].does(operation) {
                let keys = keys(operation);
                let few = &keys[..keys.len().min(CALIBRATION_KEYS)];
                let each = runners[index].query(operation, few, 1).nanoseconds;
                repeats_of[index][operation as usize] =
                    repeats(effort.run, each * 1e-9 * keys.len() as f64);
            }
        }
    }
    let mut samples = Vec::new();
    for round in 0..effort.rounds {
        for operation in Operation::QUERIES {
            for place in order(sound.len(), round) {
                let index = sound[place];
                let runner = &runners[index];
                if runner.does(operation) {
                    let repeats = repeats_of[index][operation as usize];
                    let queried = runner.query(operation, keys(operation), repeats);
                    let name = runner.name().text();
                    if let Some(expected) = expected(operation, index) {
                        assert_eq!(queried.yes, expected, "{name} answers alike every time");
                    }
                    samples.push((operation, index, queried.nanoseconds));
                }
            }
        }
    }
    samples
}

/// Removes items from the filters in `sound` that support removal. Returns the index of the filter and the nanoseconds per
/// removal, for one round after the other.
fn remove<T: Item + ?Sized>(
    runners: &mut [Box<dyn DynRunner<T>>],
    sound: &[usize],
    items: &[T::Stored<'_>],
    effort: Effort,
) -> Vec<(usize, f64)> {
    let mut able = sound.to_vec();
    able.retain(|index| runners[*index].does(Operation::Remove));
    let calibrated = able.iter().map(|index| {
        let each = runners[*index].remove(items, 1);
        repeats(effort.run, each * 1e-9 * items.len() as f64)
    });
    let repeats: Vec<usize> = calibrated.collect();
    let mut samples = Vec::new();
    for round in 0..effort.rounds {
        for place in order(able.len(), round) {
            let index = able[place];
            samples.push((index, runners[index].remove(items, repeats[place])));
        }
    }
    samples
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_candidate_runs_once_per_round_and_once_in_each_place() {
        let orders: Vec<Vec<usize>> = (0..3).map(|round| order(3, round).collect()).collect();
        assert_eq!(orders, [[0, 1, 2], [1, 2, 0], [2, 0, 1]]);
    }

    #[test]
    fn repeats_fill_at_least_a_run() {
        let run = Duration::from_millis(2);
        assert_eq!(repeats(run, 1e-3), 2);
        assert_eq!(repeats(run, 1.5e-3), 2);
        assert_eq!(repeats(run, 1.0), 1);
    }
}
