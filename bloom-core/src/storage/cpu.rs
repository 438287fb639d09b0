//! Detects once which instructions this machine has beyond the baseline of its architecture, and
//! represents each set of instructions (level) by a token.
//!
//! A token is a value that only this file creates, and only if the machine has the instructions:
//! code that has a token may call functions compiled for the instructions of the token. Each level
//! has functions of its own that test and set bits (kernels). There are few levels, because the
//! tests must run for each. Most x86-64 machines of the last ten years have [`Avx2`], and most
//! servers also have [`Avx512`]. On architectures other than x86-64, the token types exist, but
//! have no values. So the code that chooses a level is the same everywhere.
//!
//! Instructions that the program is compiled for (`-C target-cpu=haswell` and later) are not
//! detected at run time. Whether gathers (single instructions that load eight words) are fast is
//! always detected.
//!
//! To test or benchmark the code that runs on machines without AVX-512, set
//! `RUSTFLAGS='--cfg bloom_vectors="avx2"'`, which disables AVX-512. The value `"none"` disables
//! AVX2, AVX-512, CMPXCHG16B and the NEON kernel.
#![allow(unsafe_code)]

/// The highest level that this machine has.
#[derive(Debug, Clone, Copy)]
pub enum Cpu {
    /// The baseline of the architecture.
    Portable,
    Avx2(Avx2),
    Avx512(Avx512),
}

impl Cpu {
    /// Returns the highest level of this machine, detected once per program.
    #[inline]
    pub(super) fn detect() -> Self {
        if let Some(avx512) = Avx512::detect() {
            return Self::Avx512(avx512);
        }
        Avx2::detect().map_or(Self::Portable, Self::Avx2)
    }

    /// Returns the token [`Avx2`] if this level includes AVX2, for code that uses AVX2 but not
    /// AVX-512.
    #[inline]
    pub(super) fn avx2(self) -> Option<Avx2> {
        match self {
            Self::Portable => None,
            Self::Avx2(avx2) => Some(avx2),
            Self::Avx512(avx512) => avx512.avx2(),
        }
    }

    /// Runs `body`, compiled for the instructions of this level.
    ///
    /// The function is meant for loops over many items: `body` is called out of line if the level
    /// has instructions that the program was not compiled for.
    #[inline]
    pub(super) fn run<R>(self, body: impl FnOnce() -> R) -> R {
        match self {
            Self::Portable => body(),
            Self::Avx2(avx2) => avx2.run(body),
            Self::Avx512(avx512) => avx512.run(body),
        }
    }
}

#[cfg(all(
    target_has_atomic = "64",
    not(all(
        target_arch = "x86_64",
        target_feature = "sse2",
        target_pointer_width = "64"
    ))
))]
pub(super) use absent::Absent as Pairs;
#[cfg(not(all(
    target_arch = "x86_64",
    target_feature = "sse2",
    target_pointer_width = "64"
)))]
pub(super) use absent::{Absent, Absent as Avx2, Absent as Avx512};
#[cfg(all(
    target_arch = "x86_64",
    target_feature = "sse2",
    target_pointer_width = "64"
))]
pub(super) use x86::{Avx2, Avx512, Pairs};

/// The token of a level that this architecture does not have: a type without values.
#[cfg_attr(target_arch = "x86_64", allow(dead_code))]
mod absent {
    #[derive(Debug, Clone, Copy)]
    #[allow(unreachable_pub)]
    pub enum Absent {}

    impl Absent {
        pub(in super::super) const fn detect() -> Option<Self> {
            None
        }

        pub(in super::super) fn avx2(self) -> Option<Self> {
            match self {}
        }

        #[cfg(test)]
        pub(in super::super) fn with_gathers(self, _: bool) -> Self {
            match self {}
        }

        pub(in super::super) fn run<R>(self, _: impl FnOnce() -> R) -> R {
            match self {}
        }
    }
}

#[cfg(all(
    target_arch = "x86_64",
    target_feature = "sse2",
    target_pointer_width = "64"
))]
pub(super) mod x86 {
    use core::arch::x86_64::__cpuid_count;
    use core::sync::atomic::{AtomicU8, Ordering::Relaxed};

    /// Defines, for a token, the check that the machine has the instructions of the token, and the
    /// function that runs code with these instructions.
    macro_rules! instructions {
        ($token:ident, $found:ident, $($feature:tt),+) => {
            cpufeatures::new!($found, $($feature),+);

            impl $token {
                /// Runs `body` with these instructions.
                #[inline]
                // That `self` exists is the proof, so no data of `self` is read.
                #[allow(clippy::unused_self)]
                pub(in super::super) fn run<R>(self, body: impl FnOnce() -> R) -> R {
                    $(#[target_feature(enable = $feature)])+
                    #[inline]
                    fn run<R>(body: impl FnOnce() -> R) -> R {
                        body()
                    }
                    // SAFETY: `self` proves that the machine has the instructions.
                    unsafe { run(body) }
                }
            }
        };
    }

    instructions!(Avx2, avx2, "avx2", "bmi2", "popcnt");
    instructions!(
        Avx512, avx512, "avx2", "bmi2", "popcnt", "avx512f", "avx512dq", "avx512bw", "avx512vl"
    );

    /// The proof that this machine has AVX2, BMI2 and POPCNT.
    #[derive(Debug, Clone, Copy)]
    pub struct Avx2(());

    /// The proof that this machine has AVX-512 F, DQ, BW and VL, and what [`Avx2`] proves.
    #[derive(Debug, Clone, Copy)]
    pub struct Avx512 {
        gathers: bool,
    }

    impl Avx2 {
        #[inline]
        pub(in super::super) fn detect() -> Option<Self> {
            (!cfg!(bloom_vectors = "none") && avx2::get()).then_some(Self(()))
        }
    }

    impl Avx512 {
        #[inline]
        pub(in super::super) fn detect() -> Option<Self> {
            static GATHERS: Cached = Cached::new();
            let wanted = !cfg!(any(bloom_vectors = "none", bloom_vectors = "avx2"));
            (wanted && avx512::get()).then(|| Self {
                gathers: GATHERS.get(gathers_fast),
            })
        }

        /// Returns whether one instruction loads eight words faster than eight instructions do.
        #[inline]
        pub(in super::super) fn gathers(self) -> bool {
            self.gathers
        }

        /// Returns a token of this machine that states that gathers are fast (`true`) or slow.
        #[cfg(test)]
        pub(in super::super) fn with_gathers(mut self, gathers: bool) -> Self {
            self.gathers = gathers;
            self
        }

        /// Returns the token of AVX2. A machine with the instructions of this level also has those
        /// of AVX2.
        #[inline]
        // As in `run`, that `self` exists is the proof.
        #[allow(clippy::unused_self, clippy::unnecessary_wraps)]
        pub(in super::super) fn avx2(self) -> Option<Avx2> {
            Some(Avx2(()))
        }
    }

    /// The proof that this machine has CMPXCHG16B, which compares and exchanges two adjacent words
    /// at once.
    #[derive(Debug, Clone, Copy)]
    pub(in super::super) struct Pairs(());

    impl Pairs {
        #[inline]
        pub(in super::super) fn detect() -> Option<Self> {
            static FOUND: Cached = Cached::new();
            FOUND.get(exchanges_pairs).then_some(Self(()))
        }
    }

    /// A cached answer of the instruction CPUID, which takes microseconds on a virtual machine.
    struct Cached(AtomicU8);

    const UNKNOWN: u8 = 0;
    const NO: u8 = 1;
    const YES: u8 = 2;

    impl Cached {
        const fn new() -> Self {
            Self(AtomicU8::new(UNKNOWN))
        }

        #[inline]
        fn get(&self, ask: fn() -> bool) -> bool {
            match self.0.load(Relaxed) {
                UNKNOWN => {
                    let answer = ask();
                    self.0.store(if answer { YES } else { NO }, Relaxed);
                    answer
                }
                answer => answer == YES,
            }
        }
    }

    #[cold]
    fn gathers_fast() -> bool {
        // CPUID is not allowed in an SGX enclave, and Miri cannot run it.
        if cfg!(any(miri, target_env = "sgx")) {
            return false;
        }
        // SAFETY: leaf 0 is on every 64-bit processor, and a machine with AVX-512 has leaf 7.
        // The function is safe in newer compilers, and unsafe in the oldest that is supported.
        #[allow(unused_unsafe)]
        let (maker, features) = unsafe { (__cpuid_count(0, 0).ebx, __cpuid_count(7, 0).edx) };
        gathers_fast_on(maker.to_le_bytes(), features)
    }

    /// Returns whether this is an Intel processor that has FP16 with AVX-512, and so Sapphire
    /// Rapids or later. On earlier Intel processors, gathers are slow since the mitigation of
    /// Downfall, a leak of gathered data. On a Zen 5, a gather takes twice the time of eight loads.
    pub(in super::super) fn gathers_fast_on(maker: [u8; 4], features: u32) -> bool {
        maker == *b"Genu" && features >> 23 & 1 == 1
    }

    /// Detects CMPXCHG16B. All x86-64 processors since 2007 have it, but not every program is
    /// compiled for it.
    #[cold]
    fn exchanges_pairs() -> bool {
        // CPUID is not allowed in an SGX enclave, and Miri cannot run it.
        if cfg!(any(bloom_vectors = "none", miri, target_env = "sgx")) {
            return false;
        }
        // SAFETY: leaf 1 is on every 64-bit processor.
        // The function is safe in newer compilers, and unsafe in the oldest that is supported.
        #[allow(unused_unsafe)]
        let leaf = unsafe { __cpuid_count(1, 0) };
        leaf.ecx >> 13 & 1 == 1
    }

    #[cfg(all(
        test,
        target_os = "linux",
        not(any(miri, bloom_vectors = "avx2", bloom_vectors = "none"))
    ))]
    #[test]
    fn gathers_are_fast_on_an_intel_with_fp16_as_linux_names_it() {
        let Ok(info) = std::fs::read_to_string("/proc/cpuinfo") else {
            return;
        };
        let expected = info.contains("GenuineIntel") && info.contains("avx512_fp16");
        assert_eq!(gathers_fast(), expected);
        if let Some(avx512) = Avx512::detect() {
            assert_eq!(avx512.gathers(), expected);
            assert!(
                [false, true]
                    .iter()
                    .all(|one| avx512.with_gathers(*one).gathers() == *one)
            );
        }
    }
}
