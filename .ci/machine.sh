# Functions that find out what a machine lacks, and install it if this is allowed. `.ci/run`, the
# scripts in bloom-formats/engines and bloom-formats/spark, and book/live/build.sh source this file, from the
# root of the repository.
#
# Packages, toolchains and targets are installed only with CI=true. cargo's tools are built into target/tools on any machine
# that lacks them. A contributor's own commands are never overwritten.

# CI's own tools are found before others of the same name.
export PATH="$PWD/target/tools/bin:$PATH"

# Words for what a machine may lack. Tests (bloom-core/src/storage/testing/lack.rs) use the words above the empty line, and
# write them to the file $BLOOM_NOT_RUN; stages use the words below.
lack_table='
processors|a second processor
avx2|AVX2, BMI2 and POPCNT
avx512|AVX-512 F, DQ, BW and VL
bash|bash
python3|Python 3

linux|Linux on x86-64, the only host on which other targets, Miri and the sanitizers run
nightly|a nightly toolchain
rust-src|the sources of the standard library of the nightly toolchain
miri|Miri of the nightly toolchain
minimum|the toolchain of the minimum Rust version
bare|the standard library of a target without an operating system
wasm32|the standard library of wasm32-unknown-unknown
aarch64|standard library, linker or emulator of aarch64
s390x|standard library, linker or emulator of s390x
i686|standard library or linker of i686
board|an emulator of ARM boards
shellcheck|shellcheck
advisories|the database of advisories, which is on GitHub
valgrind|valgrind
counts|instruction counts recorded on this kind of processor
node|Node and npm
binaryen|wasm-opt or zopfli
chromium|Chromium
maturin|what pip installs: maturin, pytest, mypy, NumPy and libraries that read columns
cpython|a second version of CPython, 3.10 or later
spark|Spark: Java and PySpark
jvm|a compiler of Java
redis|RedisBloom
duckdb|DuckDB
go|Go and its libraries
postgresql|PostgreSQL 15
'

is_lack() {
    grep "^$1|" <<<"$lack_table" >/dev/null
}

# skip LACK WHAT: prints that WHAT is not checked because the machine lacks LACK, and records this for the table at the end.
skip() {
    is_lack "$1" || { echo "skip: $1 is no word of lack_table" >&2; exit 1; }
    echo "!!! SKIPPED ($1): $2" >&2
    [ -z "${CI_SKIPPED:-}" ] || printf '%s\t%s\n' "$1" "$2" >>"$CI_SKIPPED"
}

# skip_stage LACK WHAT: calls skip, and ends the stage, for a stage that has nothing else to check.
skip_stage() {
    skip "$@"
    exit "$skipped_stage"
}
skipped_stage=77

may_install() {
    [ "${CI:-}" = true ]
}

# limited SECONDS COMMAND...: runs a command, and stops it after SECONDS if the machine has `timeout`.
limited() {
    if command -v timeout >/dev/null; then
        timeout "$@"
    else
        shift
        "$@"
    fi
}

# Runs a command under a lock, if the machine can lock a file, because stages that run side by side may install the same
# package. The command does not inherit the locked file: otherwise a server that a package starts would hold the lock for ever.
one_at_a_time() {
    if command -v flock >/dev/null; then
        mkdir -p target
        (flock 9 && "$@" 9>&-) 9>target/.one_at_a_time
    else
        "$@"
    fi
}

# need TEST PACKAGE...: unless the command TEST succeeds, installs Debian packages if this is allowed.
# Fails if TEST still fails.
need() {
    local test=$1 root=
    shift
    ! eval "$test" >/dev/null 2>&1 || return 0
    if ! may_install || ! command -v apt-get >/dev/null; then
        echo "missing: sudo apt-get install --no-install-recommends $*" >&2
        return 1
    fi
    echo "installing $*" >&2
    [ "$(id -u)" -eq 0 ] || root="sudo -n"
    local install="$root env DEBIAN_FRONTEND=noninteractive apt-get --quiet=2 --yes --no-install-recommends install $*"
    # If this fails, tries again with a fresh list of packages.
    { one_at_a_time limited 600 $install ||
        { one_at_a_time limited 120 $root apt-get --quiet=2 update && one_at_a_time limited 600 $install; }; } \
        >/dev/null 2>&1 </dev/null
    eval "$test" >/dev/null 2>&1
}

# tool CRATE VERSION COMMAND [OPTION...]: builds a command of a crate, unless the machine has the command in that version.
tool() {
    local crate=$1 version=$2 command=$3
    shift 3
    ! $command --version 2>/dev/null | grep -F "$version" >/dev/null || return 0
    echo "building $crate $version into target/tools" >&2
    # Tools run only for seconds, so they are built fast and not optimized. They have dependencies in common, so they share a
    # target directory.
    CARGO_PROFILE_RELEASE_OPT_LEVEL=${tool_opt_level:-0} CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_DEBUG=0 \
        CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 CARGO_PROFILE_RELEASE_STRIP=true RUSTFLAGS='' \
        cargo install --quiet --locked --root target/tools --target-dir target/tools/build \
        "$crate" --version "$version" "$@"
}

# rustup_has SECONDS TEST COMMAND...: succeeds if TEST does, either at once or after `rustup COMMAND...`.
rustup_has() {
    local seconds=$1 test=$2
    shift 2
    ! eval "$test" >/dev/null 2>&1 || return 0
    if ! may_install || ! command -v rustup >/dev/null; then
        echo "missing: rustup $*" >&2
        return 1
    fi
    one_at_a_time limited "$seconds" rustup --quiet "$@" >&2 && eval "$test" >/dev/null 2>&1
}

toolchain() {
    rustup_has 300 "cargo +$1 --version" toolchain install "$1" --profile minimal
}

# nightly [COMPONENT]: provides the nightly toolchain, and a component of it.
nightly() {
    toolchain nightly || return
    [ $# -eq 0 ] ||
        rustup_has 120 "rustup component list --installed --toolchain nightly | grep '^$1'" \
            component add "$1" --toolchain nightly
}

rust_target() {
    rustup_has 120 "rustup target list --installed | grep -x $1" target add "$1"
}

# Succeeds if this is a processor of x86-64 that has all of these flags.
has_flags() {
    local flags flag
    flags=" $(grep -m 1 '^flags' /proc/cpuinfo 2>/dev/null || true) "
    for flag in "$@"; do
        case $flags in
            *" $flag "*) ;;
            *) return 1 ;;
        esac
    done
}
