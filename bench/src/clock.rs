//! Measures the processor time of this thread. The time of other programs is not counted, but they slow this thread through the
//! caches that they share with it.

use std::sync::LazyLock;
use std::time::Duration;

use cpu_time::ThreadTime;

/// The processor time of one reading of the clock, which is a system call: the minimum of 1000 measurements.
static COST: LazyLock<Duration> = LazyLock::new(|| {
    let costs = (0..1000).map(|_| ThreadTime::now().elapsed());
    costs.min().expect("a thousand")
});

/// Runs a closure and returns its result and the processor time it took, without the time of reading the clock.
pub(crate) fn time<R>(run: impl FnOnce() -> R) -> (R, Duration) {
    let cost = *COST;
    let start = ThreadTime::now();
    let result = run();
    (result, start.elapsed().saturating_sub(cost))
}

#[cfg(test)]
mod tests {
    use std::hint::black_box;
    use std::thread;

    use super::*;

    #[test]
    fn sleeping_takes_no_processor_time_and_work_does() {
        let pause = Duration::from_millis(50);
        let ((), waited) = time(|| thread::sleep(pause));
        assert!(waited < pause / 10, "{waited:?}");
        let (_, worked) = time(|| (0..10_000_000_u64).map(black_box).sum::<u64>());
        assert!(worked > Duration::from_millis(1), "{worked:?}");
    }
}
