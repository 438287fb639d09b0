//! What this machine can do beyond every machine of its architecture, found at run time.

#[cfg(target_arch = "x86_64")]
pub(super) use x86::Wide;

/// Runs a loop over much memory, compiled for this machine: the same code, translated otherwise.
#[inline]
pub(super) fn widely<R>(body: impl FnOnce() -> R) -> R {
    #[cfg(target_arch = "x86_64")]
    if let Some(wide) = Wide::get() {
        return wide.run(body);
    }
    body()
}

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod x86 {
    cpufeatures::new!(detected, "avx2", "bmi2", "popcnt");

    /// The proof that this machine has AVX2, BMI2 and POPCNT.
    #[derive(Debug, Clone, Copy)]
    pub(in super::super) struct Wide(());

    impl Wide {
        /// Returns the proof, if there is one.
        #[inline]
        pub(in super::super) fn get() -> Option<Self> {
            detected::get().then_some(Self(()))
        }

        /// Runs a loop with these instructions.
        #[inline]
        // What proves is that there is a `self`.
        #[allow(clippy::unused_self)]
        pub(super) fn run<R>(self, body: impl FnOnce() -> R) -> R {
            // SAFETY: `self` proves that the machine has the instructions.
            unsafe { run(body) }
        }
    }

    #[target_feature(enable = "avx2,bmi2,popcnt")]
    unsafe fn run<R>(body: impl FnOnce() -> R) -> R {
        body()
    }
}
