//! Examines any filter and reports, for each promise, whether it holds, or the smallest case that breaks it.

use std::fmt;
use std::panic::{self, AssertUnwindSafe};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use arbitrary::{Arbitrary, Unstructured};
use bloom_core::FixedState;
use bloom_core::math::measured::{Band, single_filter_slack};
use std::hash::BuildHasher;

use crate::key::Integer;
use crate::rate::{ALARM, hits};
use crate::script::Script;
use crate::state::AnyState;
use crate::step::Step;
use crate::subject::{Inserted, Subject};

/// A filter that can be sized for items and a rate, as the full examination requires.
pub trait Candidate: Subject<u64> + 'static {
    /// Builds an empty filter for expected items at a rate; equal arguments give equal filters.
    ///
    /// # Errors
    ///
    /// The filter refuses these numbers.
    fn with_rate(items: u64, rate: f64) -> Result<Self, String>;

    /// The same with a hasher; `None` if the filter takes none.
    ///
    /// For a filter that is generic over hashers, implement this for the one with [`AnyState`];
    /// [`with_rate`](Self::with_rate) then builds it with `AnyState::default()`.
    fn with_hasher(items: u64, rate: f64, state: AnyState) -> Option<Result<Self, String>> {
        let _ = (items, rate, state);
        None
    }
}

/// The outcome of a check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// No violation was found; the text describes what was checked.
    Holds(String),
    /// The promise is broken, by this smallest case.
    Breaks(String),
    /// The filter lacks the operation.
    NotOffered,
}

/// The outcomes of all checks, by name.
#[derive(Debug, Clone)]
pub struct Report {
    /// The checks, in the order in which they run.
    pub rows: Vec<(&'static str, Outcome)>,
}

impl Report {
    /// Returns the outcome of a check.
    pub fn of(&self, check: &str) -> Option<&Outcome> {
        self.rows
            .iter()
            .find(|(name, _)| *name == check)
            .map(|(_, outcome)| outcome)
    }
}

/// Number of scripts of each kind.
const SCRIPTS: u64 = 200;
/// Items and rate of the filters that run scripts.
const SIZE: (u64, f64) = (100, 0.01);
/// Items and rate of the filters whose rate is measured, and the number of queries.
const RATED: (u64, f64, u64) = (50_000, 0.01, 500_000);
/// A call that takes longer counts as hanging.
const PATIENCE: Duration = Duration::from_secs(2);

/// Hashers that a filter must cope with: weak ones, and ones that give every item the same hash.
pub const DEGENERATE: [AnyState; 4] = [
    AnyState::Identity,
    AnyState::Fnv,
    AnyState::Zeros,
    AnyState::Ones,
];

/// Sizes at which constructors are often wrong.
pub const EDGES: [(u64, f64); 12] = [
    (0, 0.01),
    (1, 0.01),
    (2, 0.5),
    (1, 0.999_999),
    (10, 1e-15),
    (10, 1e-300),
    (10, 0.0),
    (10, 1.0),
    (10, 1.5),
    (10, -0.1),
    (10, f64::NAN),
    (10, f64::INFINITY),
];

/// Examines a filter. Its panics are caught and count as failures; the caller may want to silence their
/// messages. An abort (out of memory, a fault in unsafe code) ends the program.
pub fn examine<F: Candidate>() -> Report {
    let plain = |step: &Step<Integer>| matches!(step, Step::Insert(_) | Step::Contains(_));
    let fresh = || F::with_rate(SIZE.0, SIZE.1).expect("100 items at 1 % are usual");
    let scripts = |is_offered: fn(&mut F) -> bool, also: fn(&Step<Integer>) -> bool| {
        if caught(|| Ok(is_offered(&mut fresh()))) == Ok(false) {
            return Outcome::NotOffered;
        }
        try_scripts(fresh, |step| plain(step) || also(step))
    };
    let batches = scripts(
        |f| f.contains_many(&[&1]).is_some() || f.insert_many(&[&1]).is_some(),
        |step| matches!(step, Step::InsertMany(_) | Step::ContainsMany(_)),
    );
    let clear = scripts(|f| f.clear().is_some(), |step| *step == Step::Clear);
    let remove = scripts(
        |f| f.remove(&1).is_some(),
        |step| matches!(step, Step::Remove(_)),
    );
    let merge = scripts(
        |f| F::with_rate(SIZE.0, SIZE.1).is_ok_and(|other| f.merge(&other).is_some()),
        |step| matches!(step, Step::Union(_)),
    );
    let save = scripts(|f| f.save().is_some(), |step| *step == Step::Reload);
    let rows = vec![
        ("no false negatives", scripts(|_| true, |_| false)),
        ("batches", batches),
        ("clear", clear),
        ("remove", remove),
        ("merge", merge),
        ("save and load", save),
        ("overfilled", overfilled::<F>()),
        ("asked rate", asked_rate::<F>()),
        ("own rate", own_rate::<F>()),
        ("degenerate hashers", degenerate::<F>()),
        ("edge sizes", edges::<F>()),
        ("hostile bytes", hostile::<F>()),
    ];
    Report { rows }
}

/// Runs code of the filter, and turns a panic into an error.
fn caught<T>(run: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    panic::catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|cause| {
        let text = cause.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| cause.downcast_ref::<&str>().copied());
        Err(format!("panic: {}", text.unwrap_or("of no text")))
    })
}

fn script(number: u64, takes: impl Fn(&Step<Integer>) -> bool) -> Script<Integer> {
    let state = FixedState::with_seed(number);
    let words = (0..state.hash_one(u64::MAX) % 60).map(|word| state.hash_one(word));
    let bytes: Vec<u8> = words.flat_map(u64::to_le_bytes).collect();
    let script = Script::arbitrary_take_rest(Unstructured::new(&bytes));
    let mut script: Script<Integer> = script.expect("any bytes are a script");
    script.steps.0.retain(takes);
    script
}

fn try_scripts<F: Subject<u64>>(
    build: impl Fn() -> F,
    takes: impl Fn(&Step<Integer>) -> bool,
) -> Outcome {
    let run = |script: &Script<Integer>| {
        caught(|| {
            script
                .check(&build)
                .map_err(|violation| violation.to_string())
        })
    };
    for number in 0..SCRIPTS {
        let script = script(number, &takes);
        if run(&script).is_err() {
            let least = script.shrunk(|fewer| run(fewer).is_err());
            let why = run(&least).expect_err("it was shrunk to what fails");
            return Outcome::Breaks(format!("{least}: {why}"));
        }
    }
    Outcome::Holds(format!("{SCRIPTS} scripts"))
}

fn filled<F: Candidate>(items: u64, rate: f64) -> Result<F, String> {
    let mut filter = F::with_rate(items, rate)?;
    for item in 0..items {
        if let Inserted::Refused(error) = filter.insert(&item) {
            return Err(format!("item {item} of {items}: {error}"));
        }
    }
    Ok(filter)
}

/// Inserted items must be found even if there are more of them than the filter was built for.
fn overfilled<F: Candidate>() -> Outcome {
    let (items, rate) = SIZE;
    let most = 10 * items;
    let run = caught(|| {
        let mut filter = F::with_rate(items, rate)?;
        let mut taken = Vec::new();
        for item in 0..most {
            if !matches!(filter.insert(&item), Inserted::Refused(_)) {
                taken.push(item);
            }
            if let Some(lost) = taken.iter().find(|taken| !filter.contains(taken)) {
                return Err(format!("{lost} is lost as {item} is inserted"));
            }
        }
        Ok(taken.len())
    });
    match run {
        Ok(taken) => Outcome::Holds(format!(
            "{taken} of {most} taken where {items} were expected"
        )),
        Err(why) => Outcome::Breaks(why),
    }
}

fn asked_rate<F: Candidate>() -> Outcome {
    let (items, rate, queries) = RATED;
    judge(caught(|| {
        let filter = filled::<F>(items, rate)?;
        let slack = single_filter_slack(items, rate, ALARM / 2.0).expect("constants in range");
        let band = Band::new(queries, 0.0, rate * slack, ALARM / 2.0).expect("constants in range");
        Ok((hits(&filter, items, queries), band, rate))
    }))
}

fn own_rate<F: Candidate>() -> Outcome {
    let (items, rate, queries) = RATED;
    match caught(|| Ok(filled::<F>(items, rate)?.predicted_rate())) {
        Ok(None) => return Outcome::NotOffered,
        Ok(Some(_)) => {}
        Err(error) => return Outcome::Breaks(error),
    }
    judge(caught(|| {
        let filter = filled::<F>(items, rate)?;
        let own = filter.predicted_rate().unwrap_or(0.0);
        let band = Band::new(queries, own, own, ALARM).map_err(|error| error.to_string())?;
        Ok((hits(&filter, items, queries), band, own))
    }))
}

fn judge(measured: Result<(u64, Band, f64), String>) -> Outcome {
    let queries = RATED.2 as f64;
    match measured {
        Err(error) => Outcome::Breaks(error),
        Ok((hits, band, rate)) => {
            let found = hits as f64 / queries;
            if band.contains(hits) {
                let from = band.detects_from(0.999);
                Outcome::Holds(format!("{found:.5}; {from:.5} would be noticed"))
            } else {
                Outcome::Breaks(format!("{found:.5} instead of {rate:.5}"))
            }
        }
    }
}

fn degenerate<F: Candidate>() -> Outcome {
    let plain = |step: &Step<Integer>| matches!(step, Step::Insert(_) | Step::Contains(_));
    for state in DEGENERATE {
        let build = || F::with_hasher(SIZE.0, SIZE.1, state);
        match caught(|| Ok(build())) {
            Ok(None) => return Outcome::NotOffered,
            Ok(Some(Ok(_))) => {}
            Ok(Some(Err(error))) | Err(error) => {
                return Outcome::Breaks(format!("{state:?}: {error}"));
            }
        }
        let build = || build().expect("it was offered").expect("it was built");
        if let Outcome::Breaks(why) = try_scripts(build, plain) {
            return Outcome::Breaks(format!("{state:?}: {why}"));
        }
    }
    Outcome::Holds(format!("{} hashers", DEGENERATE.len()))
}

/// Each edge size must be refused, or give a filter that finds its items but not everything else.
fn edges<F: Candidate>() -> Outcome {
    let mut broken = Vec::new();
    for (items, rate) in EDGES {
        let outcome = within(move || {
            let Ok(mut filter) = F::with_rate(items, rate) else {
                return Ok(());
            };
            let taken = !matches!(filter.insert(&7), Inserted::Refused(_));
            if taken && !filter.contains(&7) {
                return Err("an inserted item is not found".to_owned());
            }
            let all = (1_000..2_000).all(|item: u64| filter.contains(&item));
            if all && (rate.is_nan() || rate < 0.5) {
                return Err("everything is found".to_owned());
            }
            Ok(())
        });
        if let Err(why) = outcome {
            broken.push(format!("n = {items}, p = {rate}: {why}"));
        }
    }
    if broken.is_empty() {
        return Outcome::Holds(format!("{} sizes", EDGES.len()));
    }
    Outcome::Breaks(broken.join("; "))
}

/// Changed bytes must be refused, or give a usable filter.
fn hostile<F: Candidate>() -> Outcome {
    let saved = caught(|| Ok(filled::<F>(3, 0.01)?.save()));
    let bytes = match saved {
        Ok(Some(bytes)) => bytes,
        Ok(None) => return Outcome::NotOffered,
        Err(error) => return Outcome::Breaks(error),
    };
    let mut cases: Vec<(String, Vec<u8>)> = Vec::new();
    for length in 0..bytes.len().min(64) {
        cases.push((format!("cut to {length} bytes"), bytes[..length].to_vec()));
    }
    for at in 0..bytes.len().min(96) {
        for byte in [0, 0xff] {
            let mut changed = bytes.clone();
            changed[at] = byte;
            cases.push((format!("byte {at} set to {byte}"), changed));
        }
        if at + 8 <= bytes.len() && at % 8 == 0 {
            let mut changed = bytes.clone();
            changed[at..at + 8].fill(0);
            cases.push((format!("bytes {at} to {} set to 0", at + 7), changed));
        }
    }
    let count = cases.len();
    for (name, changed) in cases {
        let outcome = within(move || {
            let filter = F::with_rate(3, 0.01)?;
            let Some(Ok(mut loaded)) = filter.load(&changed) else {
                return Ok(());
            };
            let taken = !matches!(loaded.insert(&7), Inserted::Refused(_));
            if taken && !loaded.contains(&7) {
                return Err("loads, and an inserted item is not found".to_owned());
            }
            Ok(())
        });
        if let Err(why) = outcome {
            return Outcome::Breaks(format!("{name}: {why}"));
        }
    }
    Outcome::Holds(format!("{count} changes"))
}

/// Runs a closure that may hang; if it does, its thread is abandoned.
fn within(run: impl FnOnce() -> Result<(), String> + Send + 'static) -> Result<(), String> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || sender.send(caught(run)));
    receiver
        .recv_timeout(PATIENCE)
        .unwrap_or_else(|_| Err(format!("hangs for {PATIENCE:?}")))
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, outcome) in &self.rows {
            match outcome {
                Outcome::Holds(how) => writeln!(f, "  {name:<20} holds   {how}")?,
                Outcome::Breaks(why) => writeln!(f, "  {name:<20} BREAKS  {why}")?,
                Outcome::NotOffered => writeln!(f, "  {name:<20} -")?,
            }
        }
        Ok(())
    }
}
