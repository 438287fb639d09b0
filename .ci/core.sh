# Stages of CI that test bloom-core in builds of its own: with fewer features, without some or all vector instructions,
# optimized, and under loom, which runs threads in every order.

# The flags for the compiler that the size `gate` uses here. With them, bloom-core has only the tests whose result may depend
# on the processor, its vector instructions or a sanitizer.
fewer_tests="--cfg bloom_fewer_tests"

# has_tests MODULE...: fails unless each of these modules has a test in the list on stdin. Without this check a stage would pass
# even if its list of names selected no test.
has_tests() {
    local tests module
    tests=$(cat)
    for module in "$@"; do
        grep ".*$module.*: test\$" <<<"$tests" >/dev/null || {
            echo "no test is called $module" >&2
            return 1
        }
    done
}

# core_tests: runs the unit tests of bloom-core and its suite, and at full length also the tests of threads.
core_tests() {
    cargo test --quiet -p bloom-core --lib --test suite
    [ "$size" != full ] || cargo test --quiet -p bloom-core --test threads
}

# with_flags NAME FLAGS COMMAND...: runs COMMAND with flags of the compiler for the crates of the workspace alone. Dependencies
# are built without these flags, and so only once for all stages. cargo distinguishes the builds of the workspace by the name of
# the wrapper program.
with_flags() {
    local program=$PWD/target/flags/$1 flags=$2
    shift 2
    mkdir -p target/flags
    printf '#!/bin/sh\nexec "$@" %s\n' "$flags" >"$program.new"
    chmod +x "$program.new"
    cmp "$program.new" "$program" >/dev/null 2>&1 || mv "$program.new" "$program"
    RUSTC_WORKSPACE_WRAPPER=$program "$@"
}

run_alone() {
    # In a build of the workspace, a dependency has all features that any crate requests. This could hide that bloom-core
    # does not request a feature that it needs.
    if [ "$size" = full ]; then
        cargo test --quiet -p bloom-core
    else
        cargo check --quiet -p bloom-core --all-targets
    fi
    cargo test --quiet -p bloom-core --features serde --test files_serde
    # Also tests sizes by rate without an allocator.
    cargo test --quiet -p bloom-core --no-default-features --test stack_sizes
}

run_loom() {
    RUSTFLAGS="--cfg loom" cargo test --quiet -p bloom-core --lib --target-dir target/loom every_order -- --list |
        has_tests every_order
    RUSTFLAGS="--cfg loom" cargo test --quiet -p bloom-core --lib --target-dir target/loom every_order
    # With the flag below, code reads cache lines by plain loads although threads share them. This must not compile, because no
    # test notices the data race.
    local errors
    errors=$(with_flags loads "--cfg bloom_loads_shared_lines" cargo check --quiet -p bloom-core 2>&1) &&
        { echo "a plain load of shared lines compiles" >&2; return 1; }
    grep E0616 <<<"$errors" >/dev/null
}

run_threads() {
    # Debug assertions are off, as in a release build. The tests check a fence that keeps the compiler from
    # moving a query out of a loop, and with assertions they passed even without the fence. This stage
    # also runs eight threads for 10 s (at full length 30 s) on each kind of filter. On machines where two
    # threads seldom run at the same time, no other test found an insertion that loses bits.
    local optimized=profile.dev.package.bloom-core
    [ "$size" != full ] || export BLOOM_SERVICE_SECONDS=30
    cargo test --quiet --config "$optimized.debug-assertions=false" --config "$optimized.overflow-checks=false" \
        -p bloom-core --test threads -- --include-ignored
}

run_large() {
    # Fills a filter of 640 MiB and queries it for what was inserted. The test runs with the features of the whole workspace,
    # for which the tests are built already. With the features of one package, all its dependencies would be built again.
    cargo test --quiet --workspace --test suite -- --ignored --list | has_tests beyond_32_bits
    cargo test --quiet --workspace --test suite -- --ignored beyond_32_bits
}

run_vectors() {
    # Tests filters without AVX-512, and without any vectors. The stage i686 also runs the suite without vectors, so here it
    # runs only at full length.
    local level avx2="--cfg 'bloom_vectors=\"avx2\"'" none="--cfg 'bloom_vectors=\"none\"'"
    echo "vectors: avx2"
    with_flags avx2 "$avx2 $fewer_tests" core_tests
    echo "vectors: none"
    if [ "$size" = full ]; then
        with_flags none "$none" core_tests
    else
        with_flags none "$none" cargo test --quiet -p bloom-core --lib
    fi
    # In a program that is compiled for one kind of processor, the choice between AVX-512 and AVX2 is a constant. The gate
    # tests only the better one that this machine has, because both constants are chosen in the same way.
    for level in x86-64-v4:avx512 haswell:avx2; do
        if has_level "${level#*:}"; then
            echo "compiled for ${level%:*}"
            with_flags "${level%:*}" "-C target-cpu=${level%:*}" cargo test --quiet -p bloom-core --lib
            [ "$size" = full ] || break
        else
            skip "${level#*:}" "the tests compiled for ${level%:*}"
        fi
    done
}

has_level() {
    case $1 in
        avx2) has_flags avx2 bmi2 popcnt ;;
        avx512) has_flags avx512f avx512dq avx512bw avx512vl ;;
    esac
}

run_probes() {
    cargo build --quiet --manifest-path bloom-core/no_std_probe/Cargo.toml
    # The probe is a crate without std that uses bloom-core. A probe that cannot fail proves nothing, so a copy with std in
    # it must not build.
    local broken
    broken=$(mktemp -d "$work/probe.XXXXXX")
    cp -r bloom-core/no_std_probe/. "$broken"
    elsewhere "$broken/Cargo.toml" "s|path = \"..\"|path = \"$PWD/bloom-core\"|; s|path = \"../../|path = \"$PWD/|"
    echo 'extern crate std;' >>"$broken/src/lib.rs"
    if cargo build --quiet --manifest-path "$broken/Cargo.toml" 2>"$broken/errors"; then
        echo "the probe builds with std in it" >&2
        return 1
    fi
    grep E0152 "$broken/errors" >/dev/null
    # A probe without an allocator builds, but not with the default features of bloom-core.
    cargo build --quiet --manifest-path bloom-core/no_alloc_probe/Cargo.toml
    cp -r bloom-core/no_alloc_probe/. "$broken"
    elsewhere "$broken/Cargo.toml" "s|path = \"..\", default-features = false|path = \"$PWD/bloom-core\"|"
    if cargo build --quiet --manifest-path "$broken/Cargo.toml" 2>"$broken/errors"; then
        echo "the probe builds with an allocator in it" >&2
        return 1
    fi
    grep "no global memory allocator" "$broken/errors" >/dev/null
}

# Edits a copied file by a script for sed. The option of sed to edit in place differs between systems, so it is not used.
elsewhere() {
    sed "$2" "$1" >"$1.new" && mv "$1.new" "$1"
}
