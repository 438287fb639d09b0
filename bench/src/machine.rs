//! Collects the lines at the head of a report: date, machine, compiler, and versions of the measured crates.

use std::fs;
use std::thread;

use chrono::Utc;

use crate::candidate::CRATES;

/// The vector instructions that this project's filters use in this process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Level {
    /// AVX-512.
    Avx512,
    /// AVX2 without AVX-512.
    Avx2,
    /// Neither AVX2 nor AVX-512: the code that runs on every machine or, on aarch64, the code for NEON.
    Portable,
}

impl Level {
    /// All levels, from AVX-512 down to no vectors.
    pub(crate) const ALL: [Self; 3] = [Self::Avx512, Self::Avx2, Self::Portable];

    /// Returns the name used in tables.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Avx512 => "AVX-512",
            Self::Avx2 => "AVX2 alone",
            Self::Portable if cfg!(target_arch = "aarch64") => "NEON",
            Self::Portable => "no vectors",
        }
    }

    /// Returns the name used in file names.
    pub(crate) fn file_name(self) -> &'static str {
        match self {
            Self::Avx512 => "avx512",
            Self::Avx2 => "avx2",
            Self::Portable => "none",
        }
    }
}

/// Returns the level of this process: the first of [`Level::ALL`] that `--cfg bloom_vectors` does not disable and for which the
/// processor has all instructions that `bloom_core` needs.
pub(crate) fn level() -> Level {
    #[cfg(target_arch = "x86_64")]
    {
        let avx2 = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("popcnt");
        let avx512 = avx2
            && is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vl");
        if avx512 && !cfg!(any(bloom_vectors = "avx2", bloom_vectors = "none")) {
            return Level::Avx512;
        }
        if avx2 && !cfg!(bloom_vectors = "none") {
            return Level::Avx2;
        }
    }
    Level::Portable
}

/// Returns the lines at the head of a report, each as a name and a value.
pub(crate) fn lines() -> Vec<(&'static str, String)> {
    let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
    let flags = match env!("BENCH_RUSTFLAGS") {
        "" => "no RUSTFLAGS",
        flags => flags,
    };
    let mut lines = vec![
        ("date", Utc::now().format("%Y-%m-%d %H:%M UTC").to_string()),
        ("processor", processor(&read("/proc/cpuinfo"))),
        ("caches", caches()),
        ("cores", cores()),
        (
            "vectors of this project's filters",
            level().name().to_owned(),
        ),
        ("compiler", format!("{}, {flags}", env!("BENCH_RUSTC"))),
        ("crates", versions(include_str!("../Cargo.lock"))),
    ];
    // Linux marks the setting in use by brackets: `always [madvise] never`.
    let pages = read("/sys/kernel/mm/transparent_hugepage/enabled");
    if let Some((pages, _)) = pages
        .split_once('[')
        .and_then(|(_, rest)| rest.split_once(']'))
    {
        lines.push(("transparent huge pages", pages.to_owned()));
    }
    let load = read("/proc/loadavg");
    if let Some(load) = load.split_whitespace().next() {
        lines.push(("load at the start", load.to_owned()));
    }
    lines
}

/// Returns the processor's name, family and model, from the text of Linux's `/proc/cpuinfo`.
fn processor(text: &str) -> String {
    let field = |name: &str| {
        let mut lines = text.lines().filter_map(|line| line.split_once(':'));
        let line = lines.find(|(key, _)| key.trim() == name);
        line.map(|(_, value)| value.trim().to_owned())
    };
    let Some(name) = field("model name") else {
        return format!("unknown, {}", std::env::consts::ARCH);
    };
    match (field("cpu family"), field("model")) {
        (Some(family), Some(model)) => format!("{name} (family {family}, model {model})"),
        _ => name,
    }
}

fn cores() -> String {
    thread::available_parallelism().map_or_else(|_| "unknown".into(), |cores| cores.to_string())
}

/// Returns the names and sizes of the caches of the first core, from Linux's `/sys`.
fn caches() -> String {
    let cache = |index: usize| {
        let folder = format!("/sys/devices/system/cpu/cpu0/cache/index{index}");
        let read = |file: &str| fs::read_to_string(format!("{folder}/{file}")).ok();
        let (level, kind, size) = (read("level")?, read("type")?, read("size")?);
        let kind = match kind.trim() {
            "Data" => "d",
            "Instruction" => "i",
            _ => "",
        };
        Some(format!("L{}{kind} {}", level.trim(), size.trim()))
    };
    let caches: Vec<String> = (0..).map_while(cache).collect();
    if caches.is_empty() {
        return "unknown".into();
    }
    caches.join(", ")
}

/// Returns the versions of the crates in [`CRATES`], from the text of a `Cargo.lock`.
fn versions(lock: &str) -> String {
    let version = |name: &str| {
        let start = format!("[[package]]\nname = \"{name}\"\nversion = \"");
        let (_, rest) = lock.split_once(&start)?;
        let (version, _) = rest.split_once('"')?;
        Some(format!("{name} {version}"))
    };
    let versions = CRATES.map(|name| version(name).expect("every crate is locked"));
    versions.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_those_of_the_lock_file() {
        let mut lock = String::new();
        for (index, name) in CRATES.iter().enumerate() {
            for (name, version) in [(format!("{name}-derive"), 9), ((*name).to_owned(), index)] {
                lock += &format!("[[package]]\nname = \"{name}\"\nversion = \"1.{version}.0\"\n\n");
            }
        }
        let versions = versions(&lock);
        assert!(versions.starts_with("bloom-core 1.0.0, fastbloom 1.1.0, "));
        assert_eq!(versions.split(", ").count(), CRATES.len());
    }

    #[test]
    fn the_processor_is_named_with_family_and_model() {
        let text = "processor\t: 0\ncpu family\t: 25\nmodel\t\t: 1\nmodel name\t: Some CPU\n";
        assert_eq!(processor(text), "Some CPU (family 25, model 1)");
        assert!(processor("").starts_with("unknown"));
    }

    #[test]
    fn the_head_names_every_line() {
        for (name, value) in lines() {
            assert!(!name.is_empty() && !value.is_empty(), "{name}: {value}");
        }
    }
}
