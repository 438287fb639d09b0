//! Examines filters that several threads can fill at the same time: fills them so, and queries them for everything that was
//! inserted.

use std::borrow::Borrow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::caught::caught;
use super::setting::{ABSENT, is_far_above};
use super::{Examination, Outcome, Report};
use crate::subject::{Candidate, Shared};

/// The number of rounds in a group. Each round has a small filter of its own, into which the two threads start to insert at the
/// same time, so that they write to the same words.
const ROUNDS: u64 = 500;
/// The number of groups of rounds. The filters of one group are built together.
const GROUPS: u64 = 40;
/// The number of items that each thread inserts in a round. [`RATE`] is the rate that the filters are built for.
const ITEMS: u64 = 8;
const RATE: f64 = 1e-3;
/// If the first round began longer ago than this and a thread still waits for the other one, no further rounds are run.
const PATIENCE: Duration = Duration::from_secs(10);
/// If the threads ran at the same time in fewer rounds than this, a filter that loses items may go unnoticed. So the report
/// then says *not tested*.
const MIN_ROUNDS: u64 = 500;
/// A thread that has waited this long for the other one yields its processor.
const SPIN: Duration = Duration::from_micros(30);

impl<F: Candidate> Examination<F> {
    pub(super) fn share(&self, report: &mut Report) {
        let offered = caught(|| Ok(F::shared(self.sizes[0], self.rates[0]).is_some()));
        if offered == Ok(false) {
            report.add("threads", "", Outcome::NotOffered);
            return;
        }
        let processors = thread::available_parallelism().map_or(1, usize::from);
        let rounds = if processors < 2 {
            let why = "one processor: threads that lose each other's bits go unnoticed";
            Outcome::NotTested(why.to_owned())
        } else {
            match caught(|| self.meet()) {
                Ok(rounds) if rounds < MIN_ROUNDS => Outcome::NotTested(format!(
                    "threads ran at the same time in only {rounds} rounds: the machine is busy"
                )),
                Ok(rounds) => Outcome::Holds(format!("{rounds} rounds")),
                Err(why) => Outcome::Breaks(why),
            }
        };
        report.add("threads", "small filters", rounds);
        report.add(
            "threads",
            "",
            self.at_settings(|items, rate| self.fill_together(items, rate)),
        );
    }

    /// Lets two threads insert into the same small filter at the same time, then into the next filter, and so on. Returns in
    /// how many rounds the threads ran at the same time.
    fn meet(&self) -> Result<u64, String> {
        let (start, mut rounds) = (Instant::now(), 0);
        for _ in 0..GROUPS {
            let (done, waited) = self.meet_once(start)?;
            rounds += done - waited;
            if done < ROUNDS {
                break;
            }
        }
        Ok(rounds)
    }

    /// Runs a group of rounds. Returns the number of rounds that both threads finished in time, and the number of rounds in
    /// which a waiting thread yielded its processor. In the latter rounds, the other thread may have run on the yielded
    /// processor, so they do not show that the two threads ran at the same time. An item that is not found is an error.
    fn meet_once(&self, start: Instant) -> Result<(u64, u64), String> {
        let build = |_| F::shared(2 * ITEMS, RATE).ok_or("is shared at one size only");
        let filters = (0..ROUNDS).map(build).collect::<Result<Vec<_>, _>>()?;
        let arrived = AtomicU64::new(0);
        let items = |round: u64, thread: u64| {
            let first = (2 * round + thread) * ITEMS;
            first..first + ITEMS
        };
        let run = |thread: u64| {
            let mut waited = 0;
            for round in 0..ROUNDS {
                let items: Vec<_> = items(round, thread)
                    .map(|it| self.random().item(it))
                    .collect();
                arrived.fetch_add(1, Ordering::AcqRel);
                let (here, mut spins) = (Instant::now(), true);
                while arrived.load(Ordering::Acquire) < 2 * (round + 1) {
                    if spins && here.elapsed() < SPIN {
                        std::hint::spin_loop();
                    } else if start.elapsed() > PATIENCE {
                        return (round, waited);
                    } else {
                        waited += u64::from(spins);
                        spins = false;
                        thread::yield_now();
                    }
                }
                for item in &items {
                    filters[round as usize].insert(item.borrow());
                }
            }
            (ROUNDS, waited)
        };
        let (rounds, waited) = thread::scope(|scope| {
            let other = scope.spawn(|| caught(|| Ok(run(1))));
            let ours = caught(|| Ok(run(0)));
            let theirs = other.join().expect("panics are caught");
            let (ours, theirs) = (ours?, theirs?);
            // In each round, only the thread that comes first waits, so no round is counted twice.
            Ok::<_, String>((ours.0.min(theirs.0), ours.1 + theirs.1))
        })?;
        for round in 0..rounds {
            for item in items(round, 0).chain(items(round, 1)) {
                if !found(&*filters[round as usize], self.random().item(item).borrow()) {
                    return Err(format!(
                        "two threads insert {ITEMS} items each at the same time: one is lost in round {round}"
                    ));
                }
            }
        }
        Ok((rounds, waited.min(rounds)))
    }

    /// Lets four threads fill a filter with as many items as it is built for. Each item is inserted twice, by different
    /// threads. The filter must then find all items, and not far more absent items than its rate predicts.
    fn fill_together(&self, items: u64, rate: f64) -> Result<(), String> {
        let filter = F::shared(items, rate).ok_or("is shared at some sizes only")?;
        thread::scope(|scope| {
            let started: Vec<_> = (0..4)
                .map(|thread| {
                    let filter = &*filter;
                    let insert = move || {
                        for item in (thread..2 * items).step_by(4) {
                            filter.insert(self.random().item(item / 2).borrow());
                        }
                        Ok(())
                    };
                    scope.spawn(move || caught(insert))
                })
                .collect();
            started
                .into_iter()
                .try_for_each(|it| it.join().expect("panics are caught"))
        })?;
        let found = |item: &u64| found(&*filter, self.random().item(*item).borrow());
        if let Some(item) = (0..items).find(|item| !found(item)) {
            return Err(format!(
                "four threads insert {items} items: item {item} is lost"
            ));
        }
        let hits = (items..items + ABSENT).filter(found).count() as u64;
        let due = (rate * ABSENT as f64) as u64;
        if is_far_above(items, hits, due) {
            return Err(format!(
                "finds {hits} of {ABSENT} absent items, where {due} are expected"
            ));
        }
        Ok(())
    }
}

fn found<T: ?Sized>(filter: &dyn Shared<T>, item: &T) -> bool {
    filter.contains(item)
}
