# Stages of CI that build bloom-core and bloom-formats for machines without an operating system, run their tests for other
# processors, and run tests of bloom-core under Miri and with sanitizers. The standard library of a target comes from
# rustup, or else is built from Debian's sources.

targets_dir=target/targets
# Machines without an operating system. The gate builds for one with 64 bits, for one without atomic exchange, and for
# WebAssembly.
bare_targets="x86_64-unknown-none thumbv6m-none-eabi wasm32-unknown-unknown"
bare_targets_full="$bare_targets x86_64-unknown-uefi thumbv7em-none-eabihf"
aarch64=aarch64-unknown-linux-gnu
s390x=s390x-unknown-linux-gnu
i686=i686-unknown-linux-gnu

# Modules of the tests of bloom-core that insert and query millions of items, which would take too long under an emulator.
not_emulated="growing:: rate::"

# Unit tests that run under Miri: a few at the gate (filters that threads share, and memory), more at full length. Tests that
# would take too long are skipped, because Miri is some hundred times slower than the processor.
miri_tests="storage::cells::shared storage::memory"
miri_tests_full="storage::batch storage::cells storage::blocks storage::memory"
miri_skips="the_ones_of_any_range groups_yield_every_hash"
miri_seconds=1200
miri_vectors="-Ctarget-feature=+avx2,+bmi2,+popcnt"

on_linux() {
    [ "$(uname -sm)" = "Linux x86_64" ] || skip_stage linux "$1"
}

run_bare() {
    local target probe=bloom-core/no_std_probe/Cargo.toml
    on_linux "machines without an operating system"
    # With different panic strategies in two builds, Debian's library would be built twice.
    export RUSTFLAGS=-Dwarnings CARGO_PROFILE_DEV_PANIC=abort
    [ "$size" != full ] || bare_targets=$bare_targets_full
    for target in $bare_targets; do
        standard_library "$target" core,alloc || { skip bare "$target"; continue; }
        on "$target" build -p bloom-core --features serde
        on "$target" build -p bloom-formats
        # The generic code of the library is compiled to machine code only in the probe.
        on "$target" build --manifest-path "$probe" --config profile.dev.package.no-std-probe.opt-level=3
        on "$target" build --manifest-path bloom-core/no_alloc_probe/Cargo.toml
    done
}

# Runs the example for boards and prints how much flash and RAM it takes. The example fails if its own checks fail.
run_board() {
    local target=thumbv7em-none-eabihf targets_dir=$PWD/$targets_dir features
    on_linux "the filter on a board"
    standard_library "$target" core || skip_stage bare "the filter on a board"
    need "qemu-system-arm --version && arm-none-eabi-size --version" qemu-system-arm binutils-arm-none-eabi ||
        skip_stage board "the filter on a board"
    # This directory has the configuration of cargo for the board.
    cd bloom-core/examples/embedded
    for features in "" sizing; do
        on "$target" run --release --features "$features"
        arm-none-eabi-size -A "$targets_dir/$target/release/embedded" | grep -E '^\.(text|rodata|data|bss) '
    done
    # clippy is rustup's and cannot use the library of another compiler.
    [ -n "$std" ] || on "$target" clippy --release --features sizing -- -D warnings
}

run_foreign() {
    local target
    on_linux "clippy for other processors"
    for target in "$aarch64" "$i686"; do
        standard_library "$target" std || { skip "${target%%-*}" "clippy for $target"; continue; }
        if [ -z "$std" ]; then
            on "$target" clippy -p bloom-core --all-targets --features serde -- -D warnings
        else
            # clippy is rustup's and cannot use the library of another compiler.
            RUSTFLAGS="-Dwarnings" on "$target" check -p bloom-core --all-targets --features serde
        fi
    done
}

run_aarch64() { not_foreign suite "$aarch64" arm64 qemu-aarch64; }
run_s390x() { not_foreign suite "$s390x" s390x qemu-s390x; }
run_i686() { not_foreign suite "$i686" i386 ""; }

# not_foreign COMMAND...: runs tests for a processor, or under Miri, where some or all code with vectors of x86-64 cannot run.
# The skipped tests of this code are not recorded, because it is not the machine that lacks something.
not_foreign() {
    local own=$BLOOM_NOT_RUN
    [ -z "${BLOOM_STRICT+set}" ] || export BLOOM_STRICT="$BLOOM_STRICT,avx2,avx512"
    export BLOOM_NOT_RUN=$work/foreign
    : >"$BLOOM_NOT_RUN"
    "$@"
    grep -v '^avx' "$BLOOM_NOT_RUN" >>"$own" || true
}

# suite TARGET DEBIAN EMULATOR: runs the tests of bloom-core and bloom-formats for a target with Linux, under EMULATOR or, if
# it is "", natively. DEBIAN is Debian's name of the processor.
suite() {
    local target=$1 debian=$2 emulator=$3 processor=${1%%-*} module skips=
    local linker=${target/-unknown/}-gcc variable
    on_linux "tests for $target"
    standard_library "$target" std || skip_stage "$processor" "tests for $target"
    need "$linker --version && ${emulator:-true} --version" \
        "gcc-${target/-unknown/}" "libc6-dev-$debian-cross" ${emulator:+qemu-user} ||
        skip_stage "$processor" "tests for $target"
    variable=CARGO_TARGET_$(tr 'a-z-' 'A-Z_' <<<"$target")
    export "${variable}_LINKER=$linker"
    [ -z "$emulator" ] || export "${variable}_RUNNER=$emulator"
    # A static program runs without the libraries of the target.
    export RUSTFLAGS="-C target-feature=+crt-static $fewer_tests" RUSTDOCFLAGS="-C target-feature=+crt-static"
    if [ "$size" != full ]; then
        # Under an emulator, the tests of formulas and of a million damaged files are left out. The stage i686, which needs no
        # emulator, runs them.
        [ -z "$emulator" ] || skips="--skip math:: --skip files_hostile::"
        # Without an emulator, optimization across the parts of a crate would take the compiler longer than it
        # saves in these tests.
        [ -n "$emulator" ] || export CARGO_PROFILE_DEV_LTO=off
        on "$target" test -p bloom-core --features serde --lib --test suite -- $skips
        # bloom-formats has no code for special processors, so in the gate its tests run only on a big-endian target and on one
        # of 32 bits.
        [ "$target" != "$aarch64" ] || return 0
    elif [ -n "$emulator" ]; then
        # The test program `examples` is left out: it starts programs of the target, and this fails under an emulator.
        for module in $not_emulated; do
            skips="$skips --skip $module"
        done
        on "$target" test -p bloom-core --features serde --lib --test suite --test borrowed_memory \
            --test files_serde --test stack_sizes --test threads -- $skips
        on "$target" test -p bloom-core --features serde --doc
    else
        # One of the tests starts the examples.
        on "$target" build -p bloom-core --features serde --examples
        on "$target" test -p bloom-core --features serde --lib --tests
        on "$target" test -p bloom-core --features serde --doc
    fi
    on "$target" test -p bloom-formats --lib --tests
}

run_miri() {
    on_linux "the storage under Miri"
    nightly miri || skip_stage miri "the storage under Miri"
    nightly rust-src || skip_stage rust-src "the storage under Miri"
    cargo +nightly miri setup --quiet
    # The gate runs the code with AVX2, which Miri knows. At full length, the code without vectors runs too, in a second process
    # at the same time, because each run takes one processor.
    if [ "$size" = full ]; then
        miri_tests=$miri_tests_full
        not_foreign side_by_side under_miri "" "$miri_vectors"
    else
        not_foreign under_miri "$miri_vectors"
    fi
}

# under_miri FLAGS: runs tests under Miri, with flags of the compiler.
under_miri() {
    local folder=$targets_dir/miri skips
    [ -n "$1" ] || folder=$targets_dir/miri-portable
    skips=$(printf -- '--skip %s ' $miri_skips)
    # Isolation is off, so that the tests can read the seed of their random cases from the environment.
    export RUSTFLAGS=$1 MIRIFLAGS=-Zmiri-disable-isolation
    echo "Miri with RUSTFLAGS=$RUSTFLAGS"
    cargo +nightly miri test --quiet -p bloom-core --lib --target-dir "$folder" -- $miri_tests $skips --list |
        has_tests $miri_tests
    limited "$miri_seconds" cargo +nightly miri test --quiet -p bloom-core --lib --target-dir "$folder" -- \
        $miri_tests $skips
}

run_address() {
    on_linux "the address sanitizer"
    nightly || skip_stage nightly "the address sanitizer"
    # This stage has a target directory of its own, because the stages for other targets run at the same time, in the other
    # lane.
    local compiler='' std='' targets_dir=target/address
    # Some tests request more memory than there is. The allocation must fail as it does without the sanitizer.
    export ASAN_OPTIONS=allocator_may_return_null=1 RUSTFLAGS="-Zsanitizer=address $fewer_tests" RUSTUP_TOOLCHAIN=nightly
    on x86_64-unknown-linux-gnu test -p bloom-core --lib --test threads --test suite
}

run_thread() {
    on_linux "the thread sanitizer"
    nightly || skip_stage nightly "the thread sanitizer"
    # The sanitizer reports races in the standard library, unless that library is built with the sanitizer too.
    nightly rust-src || skip_stage rust-src "the thread sanitizer"
    local compiler='' std=-Zbuild-std
    export RUSTFLAGS=-Zsanitizer=thread RUSTUP_TOOLCHAIN=nightly
    on x86_64-unknown-linux-gnu test -p bloom-core --test threads
}

# on TARGET COMMAND...: runs a command of cargo for a target, with the compiler that `standard_library` found.
on() {
    local target=$1 command=$2
    shift 2
    # The profile is optimised a little: it is also the profile of the standard library that is built from Debian's sources,
    # which would be slow otherwise.
    env $compiler CARGO_PROFILE_DEV_OPT_LEVEL=1 CARGO_PROFILE_DEV_DEBUG=0 \
        cargo "$command" --quiet $std --target "$target" --target-dir "$targets_dir" "$@"
}

# standard_library TARGET CRATES: finds the standard library of a target: rustup's, or the sources of Debian's compiler, from
# which cargo builds the given crates. Sets `compiler` (variables for cargo) and `std` (an option of cargo).
standard_library() {
    local target=$1 crates=$2
    compiler='' std=''
    if rust_target "$target"; then
        echo "$target, by rustup"
    elif need "new_enough /usr/bin/rustc && test -d /usr/lib/rustlib/src && lld-22 --version" rustc-web rust-web-src lld-22; then
        # A stable compiler refuses -Zbuild-std without RUSTC_BOOTSTRAP.
        compiler="RUSTC=/usr/bin/rustc RUSTDOC=/usr/bin/rustdoc RUSTC_BOOTSTRAP=1"
        std="-Zbuild-std=$crates"
        echo "$target, by Debian's compiler"
    else
        return 1
    fi
}

# new_enough COMPILER: succeeds if a compiler of Rust has at least the version that the libraries require.
new_enough() {
    local needed has
    needed=$(sed -n 's/^rust-version = "1\.\([0-9]*\).*"/\1/p' Cargo.toml)
    has=$("$1" --version | sed 's/^rustc 1\.\([0-9]*\).*/\1/')
    [ "$has" -ge "$needed" ]
}
