//! Passes the version and the flags of the compiler to the benchmark programs, which print or record them.

use std::env;
use std::process::Command;

fn main() {
    let compiler = env::var("RUSTC").expect("cargo names the compiler");
    let version = Command::new(compiler).arg("--version").output();
    let version = version.expect("the compiler runs").stdout;
    let version = String::from_utf8(version).expect("a version is text");
    println!("cargo::rustc-env=BENCH_RUSTC={}", version.trim());

    let flags = env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    let flags = flags.replace('\u{1f}', " ");
    println!("cargo::rustc-env=BENCH_RUSTFLAGS={flags}");
    println!("cargo::rerun-if-changed=build.rs");
}
