//! Examines a filter that grows by adding filters (stages), each with half the rate of the stage before, and a broken filter,
//! whose ninth stage has the rate of the first stage again.

use std::sync::atomic::{AtomicUsize, Ordering};

use bloom_fuzz_kit::{Candidate, Examination, Inserted, Report, Subject};

use crate::broken::assert_breaks;
use crate::plain::{Plain, Sound};

/// The number of stages after which the next stage has the rate of the first stage again. The number is not a parameter of the
/// type, because the examination would then be compiled once for each number.
static TIGHTENED: AtomicUsize = AtomicUsize::new(usize::MAX);

/// A filter that consists of stages. Each stage is built for twice the items and half the rate of the stage before.
struct Growing {
    stages: Vec<Plain>,
    /// The number of items that the last stage still accepts.
    room: u64,
    built_for: (u64, f64),
}

impl Growing {
    fn grow(&mut self) -> Result<(), String> {
        let ((items, rate), number) = (self.built_for, self.stages.len());
        let halvings = number % TIGHTENED.load(Ordering::Relaxed) + 1;
        self.room = items << number;
        let stage = Plain::build(self.room, rate / 2_f64.powi(halvings as i32), &Sound)?;
        self.stages.push(stage);
        Ok(())
    }
}

impl Subject<u64> for Growing {
    fn insert(&mut self, item: &u64) -> Inserted {
        if self.contains(item) {
            return Inserted::Seen;
        }
        if self.room == 0
            && let Err(error) = self.grow()
        {
            return Inserted::Refused(error);
        }
        self.room -= 1;
        self.stages.last_mut().expect("there is one").insert(item)
    }

    fn contains(&self, item: &u64) -> bool {
        self.stages.iter().any(|stage| stage.contains(item))
    }
}

impl Candidate for Growing {
    type Item = u64;

    fn with_rate(items: u64, rate: f64) -> Result<Self, String> {
        let mut filter = Self {
            stages: Vec::new(),
            room: 0,
            built_for: (items, rate),
        };
        filter.grow()?;
        Ok(filter)
    }

    fn grows() -> bool {
        true
    }
}

fn examined() -> Report {
    Examination::<Growing>::new()
        .sizes([1_000])
        .rates([0.01])
        .run()
}

#[test]
fn rates_that_start_over_after_8_stages_break_target_rate() {
    examined().assert_passed();
    TIGHTENED.store(8, Ordering::Relaxed);
    assert_breaks(&examined(), "target rate");
}
