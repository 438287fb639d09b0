//! Runs code of the filter under examination: its panics become errors, and their messages are not printed.

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Once, mpsc};
use std::thread;
use std::time::Duration;

/// A call that takes longer than this counts as hanging.
const PATIENCE: Duration = Duration::from_secs(2);

thread_local! {
    static SILENT: Cell<bool> = const { Cell::new(false) };
}

/// Runs code of the filter, and turns a panic of this code into an error.
pub(super) fn caught<T>(run: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    static SILENCED: Once = Once::new();
    SILENCED.call_once(|| {
        let hook = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !SILENT.get() {
                hook(info);
            }
        }));
    });
    let before = SILENT.replace(true);
    let outcome = panic::catch_unwind(AssertUnwindSafe(run));
    SILENT.set(before);
    outcome.unwrap_or_else(|cause| {
        let text = cause.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| cause.downcast_ref::<&str>().copied());
        Err(format!("panic: {}", text.unwrap_or("without a message")))
    })
}

/// Runs code of the filter that may hang. If the code takes longer than `PATIENCE`, an error is returned, and the thread that
/// runs the code is abandoned.
pub(super) fn within(
    run: impl FnOnce() -> Result<(), String> + Send + 'static,
) -> Result<(), String> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || sender.send(caught(run)));
    receiver
        .recv_timeout(PATIENCE)
        .unwrap_or_else(|_| Err(format!("hangs for {PATIENCE:?}")))
}
