//! What this machine can do beyond every machine of its architecture, found at run time.
//!
//! For tests and races of what other machines run, `RUSTFLAGS='--cfg bloom_vectors="avx2"'` leaves out
//! AVX-512, and `"none"` runs none of it and no assembly: what is left are queries as on other architectures,
//! with the prefetching of x86-64.

#[cfg(target_arch = "x86_64")]
pub(super) use x86::{Machine, Wide, Widest, machine};

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
    use core::arch::x86_64::__cpuid_count;
    use core::sync::atomic::{AtomicU8, Ordering::Relaxed};

    cpufeatures::new!(wide, "avx2", "bmi2", "popcnt");
    // F has most of what is used, and with VL the vectors of four words; DQ vpmullq and kmovb; BW kmovd and
    // kmovq; IFMA vpmadd52huq; VBMI vpmultishiftqb; BITALG vpshufbitqmb; BMI2 bzhi, shlx and shrx.
    cpufeatures::new!(
        widest,
        "avx2",
        "bmi2",
        "popcnt",
        "fma",
        "avx512f",
        "avx512dq",
        "avx512bw",
        "avx512vl",
        "avx512ifma",
        "avx512vbmi",
        "avx512bitalg"
    );

    /// The proof that this machine has AVX2, BMI2 and POPCNT.
    #[derive(Debug, Clone, Copy)]
    pub(in super::super) struct Wide(());

    /// The proof that this machine has AVX-512 F, DQ, BW, VL, IFMA, VBMI and BITALG too, and gathers
    /// fast.
    #[derive(Debug, Clone, Copy)]
    pub(in super::super) struct Widest(());

    /// The most that this machine has.
    #[derive(Debug, Clone, Copy)]
    pub(in super::super) enum Machine {
        Widest(Widest),
        Wide(Wide),
        Plain,
    }

    const UNKNOWN: u8 = 0;
    const PLAIN: u8 = 1;
    const WIDE: u8 = 2;
    const WIDEST: u8 = 3;

    /// What was found, so that a query has one byte to look at.
    static FOUND: AtomicU8 = AtomicU8::new(UNKNOWN);

    /// Returns the most that this machine has.
    #[inline]
    pub(in super::super) fn machine() -> Machine {
        match FOUND.load(Relaxed) {
            WIDEST => Machine::Widest(Widest(())),
            WIDE => Machine::Wide(Wide(())),
            PLAIN => Machine::Plain,
            _ => find(),
        }
    }

    #[cold]
    fn find() -> Machine {
        let (machine, found) = if let Some(widest) = Widest::get() {
            (Machine::Widest(widest), WIDEST)
        } else if let Some(wide) = Wide::get() {
            (Machine::Wide(wide), WIDE)
        } else {
            (Machine::Plain, PLAIN)
        };
        FOUND.store(found, Relaxed);
        machine
    }

    impl Wide {
        /// Returns the proof, if there is one.
        #[inline]
        pub(in super::super) fn get() -> Option<Self> {
            if cfg!(bloom_vectors = "none") {
                return None;
            }
            wide::get().then_some(Self(()))
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

    impl Widest {
        /// Returns the proof, if there is one.
        pub(in super::super) fn get() -> Option<Self> {
            // Assembly takes pointers for words.
            let wanted = cfg!(target_pointer_width = "64")
                && !cfg!(any(bloom_vectors = "none", bloom_vectors = "avx2"));
            (wanted && widest::get() && gathers_fast()).then_some(Self(()))
        }
    }

    /// Whether gathering words from memory is no slower than loading them one by one.
    ///
    /// It is slower on those with IFMA that came before BF16: their microcode makes it safe by making it slow.
    /// Of those with BF16 one of Zen 5 was measured. F16C, which the compiler takes AVX-512 to bring
    /// along, is asked for too.
    fn gathers_fast() -> bool {
        // An enclave may not ask.
        if cfg!(target_env = "sgx") {
            return false;
        }
        // SAFETY: whoever has AVX-512 has leaves 1 and 7, whose first part says how many there are.
        #[allow(unused_unsafe)]
        unsafe {
            let f16c = __cpuid_count(1, 0).ecx >> 29 & 1 == 1;
            f16c && __cpuid_count(7, 0).eax > 0 && __cpuid_count(7, 1).eax >> 5 & 1 == 1
        }
    }

    #[target_feature(enable = "avx2,bmi2,popcnt")]
    unsafe fn run<R>(body: impl FnOnce() -> R) -> R {
        body()
    }
}
