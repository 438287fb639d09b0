# Stages of CI for fuzzing, for comparisons with other crates and with other systems ("engines", such as Spark and Redis), for
# the Python package and for the benchmark.

fuzz_version=0.13.2

# side_by_side COMMAND WORD...: runs COMMAND once for each word, in processes that run at the same time, at most as many as
# there are processors. Prints the outputs one after the other, and fails if one of the processes failed.
side_by_side() {
    local command=$1 processors number=0 word pids status=0
    processors=$(getconf _NPROCESSORS_ONLN)
    shift
    while [ $# -gt 0 ]; do
        pids=
        for word in "$@"; do
            [ "$number" -lt "$processors" ] || break
            ("$command" "$word") >"$work/beside.$command.$number" 2>&1 &
            pids="$pids $!"
            number=$((number + 1))
        done
        shift "$number"
        number=0
        for word in $pids; do
            wait "$word" || status=1
            cat "$work/beside.$command.$number"
            number=$((number + 1))
        done
        number=0
        [ "$status" -eq 0 ] || return 1
    done
}

run_fuzz() {
    tool cargo-fuzz "$fuzz_version" "cargo fuzz"
    # One call of cargo builds all targets; they then run without cargo.
    fuzz_sanitizer=address
    export RUSTUP_TOOLCHAIN=nightly
    nightly || {
        skip nightly "the address sanitizer while fuzzing; the fuzz targets run on stable"
        fuzz_sanitizer=none
        RUSTUP_TOOLCHAIN=stable
    }
    cargo fuzz build --sanitizer "$fuzz_sanitizer" >"$work/fuzz" 2>&1 || { cat "$work/fuzz"; return 1; }
    cd fuzz
    side_by_side fuzz_one $(ls fuzz_targets | sed 's/\.rs$//')
}

# fuzz_one TARGET: runs a fuzz target that is built. The working directory is the folder `fuzz`.
fuzz_one() {
    local target=$1 dictionary='' host
    host=$(rustc -vV | sed -n 's/^host: //p')
    mkdir -p "corpus/$target" "artifacts/$target"
    [ ! -f "dictionaries/$target.dict" ] || dictionary="-dict=dictionaries/$target.dict"
    echo "$target, $fuzz_seconds s"
    ASAN_OPTIONS=detect_odr_violation=0 "${CARGO_TARGET_DIR:-target}/$host/release/$target" \
        -seed="$fuzz_seed" -max_total_time="$fuzz_seconds" -timeout=10 -rss_limit_mb=1024 $dictionary \
        -artifact_prefix="artifacts/$target/" -verbosity=0 -print_final_stats=1 "corpus/$target" "regressions/$target" || {
        echo "the input is in fuzz/artifacts/$target: cargo fuzz run $target FILE" >&2
        return 1
    }
}

run_peers() {
    # Runs the example of the conformance kit (fuzz/kit) that examines three other crates. Compares the table that it prints
    # with the recorded one.
    cargo clippy --quiet --manifest-path fuzz/peers/Cargo.toml --release -- -D warnings
    cargo run --quiet --manifest-path fuzz/peers/Cargo.toml --release -- --table |
        diff - fuzz/kit/PEERS.md
}

# Prints a line "MINOR PROGRAM" for each installed version of CPython from 3.10 on that can make environments, the oldest first.
pythons() {
    local program
    for program in python3 python3.1{0,1,2,3,4,5} "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.*/bin/python3 \
        "${RUNNER_TOOL_CACHE:-/opt/hostedtoolcache}"/Python/3.*/x64/bin/python3; do
        "$program" -c 'import ensurepip, sys, venv
if sys.implementation.name == "cpython" and sys.version_info >= (3, 10): print(sys.version_info[1], sys.executable)' 2>/dev/null || true
    done | sort -n -u -k 1,1
}

# environment FOLDER PYTHON PACKAGE...: makes an environment of Python with packages.
environment() {
    # pip does not compile the Python modules, which would take half of its time. Python compiles each module when it is
    # imported.
    echo "installing in $1: ${*:3}" >&2
    "$2" -m venv --clear "$1" && "$1/bin/python" -m pip install --quiet --no-compile --disable-pip-version-check "${@:3}"
}

run_python() {
    local all=$PWD wheel sdist found oldest newest made folders how="--profile dev --compatibility linux"
    export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/target}
    local tools=$CARGO_TARGET_DIR/python first=$CARGO_TARGET_DIR/python-oldest second=$CARGO_TARGET_DIR/python-newest
    local tested="pytest==9.2.0 mypy==2.4.1 numpy>=2 pyarrow polars pandas duckdb matplotlib"
    need "python3 -c 'import ensurepip, venv'" python3 python3-venv ||
        skip_stage maturin "the Python package: no environments of Python"
    found=$(pythons)
    oldest=$(head -n 1 <<<"$found") newest=$(tail -n 1 <<<"$found")
    folders=$first
    [ "${oldest% *}" = "${newest% *}" ] || folders="$first $second"
    # The package is compiled while the environments are downloaded.
    side_by_side make_environment "$tools" $folders &
    made=$!
    cargo clippy --quiet --manifest-path python/Cargo.toml -- -D warnings
    # The tests compare the package with the commands, and an example passes a filter to one of the programs.
    cargo build --quiet --workspace --bins --examples
    wait "$made" || skip_stage maturin "the Python package: pip could not install what it takes"
    [ -d "$second" ] || folders=$first
    # At full length the wheel is built as it is published: zig links with the oldest glibc that manylinux2014 allows, and
    # maturin refuses a wheel that needs a newer one. This builds every crate again, for a target of its own. The wheel of the
    # gate uses the dependencies that the tests have built, and has debug assertions.
    [ "$size" != full ] || how="--release --zig --compatibility manylinux2014"
    # shellcheck disable=SC2086  # these are flags
    PATH=$tools/bin:$PATH maturin build --quiet $how --sdist --manifest-path python/Cargo.toml --out "$work/wheels"
    wheel=$(echo "$work"/wheels/bloom_suite-*-cp310-abi3-*.whl)
    sdist=$(echo "$work"/wheels/bloom_suite-*.tar.gz)
    "$tools/bin/twine" check --strict "$wheel" "$sdist"
    "$tools/bin/abi3audit" --strict "$wheel"
    side_by_side test_python $folders
    [ "$folders" != "$first" ] || skip cpython "the Python package on a second version of CPython"
    [ "$size" = full ] || return 0
    # Installs the package from its sources and the registries alone, as pip does where there is no wheel.
    cd "$work"
    "$first/bin/python" -m pip install --quiet --disable-pip-version-check --force-reinstall --no-deps "$sdist"
    "$first/bin/python" -c 'import bloom_suite; assert bloom_suite.size(n=2000, p=0.01).m == 19188'
    # Spark is large: its example is run only if the stage `spark` has installed Spark.
    cd "$all"
    if [ -x target/engines/spark-4/bin/python ]; then
        target/engines/spark-4/bin/python -m pip install --quiet --disable-pip-version-check --force-reinstall --no-deps "$wheel"
        target/engines/spark-4/bin/python python/examples/spark_job.py
    else
        skip spark "the example of the Python package with Spark"
    fi
}

# make_environment FOLDER: makes one of the environments of `run_python`.
make_environment() {
    case $1 in
        "$tools") environment "$1" python3 maturin==1.16.0 ziglang==0.17.1 twine==7.0.0 abi3audit==0.0.26 ;;
        "$first") environment "$1" "${oldest#* }" $tested ;;
        *) environment "$1" "${newest#* }" $tested || rm -rf "$1" ;;
    esac
}

# test_python FOLDER: tests the wheel of `run_python` in an environment. The tests run outside of the sources, so that they
# test the installed package. No test may be skipped.
test_python() (
    tests=$PWD/python
    log=$work/$(basename "$1")
    echo "$("$1/bin/python" --version), $(basename "$wheel")" >&2
    "$1/bin/python" -m pip install --quiet --disable-pip-version-check --force-reinstall --no-deps "$wheel"
    cd "$work"
    "$1/bin/python" -m pytest --quiet -p no:cacheprovider -rs --rootdir "$tests" "$tests/tests" | tee "$log"
    ! grep -E '[0-9]+ skipped' "$log" >/dev/null
)

# engine SECONDS SCRIPT: runs the checks of filters that pass to and from another system. Runs them twice at the
# same time: once as they are, and once with BREAK=1, which damages something for each check, so that each check
# has to fail. The two runs are side by side because most of the systems keep less than two processors busy.
engine() {
    local limit=$1 script=$2
    side_by_side engine_once 0 1
}

engine_once() {
    BREAK=$1 limited "$limit" bash "bloom-formats/$script"
}

run_spark() {
    # The gate tests one version of Spark, and leaves out the run with BREAK=1: a second version or a run with BREAK=1 would
    # take as long again. For the other systems, the run with BREAK=1 takes seconds.
    if [ "$size" = full ]; then
        engine 900 spark/run
    else
        SPARK_VERSIONS=4 limited 900 bash bloom-formats/spark/run
    fi
}
run_jvm() { engine 300 engines/jvm/run; }
run_redis() { engine 300 engines/redis/run; }
run_parquet() { engine 300 engines/parquet/run; }
run_go() { engine 600 engines/go/run; }

run_measured() {
    # Measures a part of the recorded rates of other systems again. With BREAK=1 the script compares them with the rates of
    # another filter, and must fail.
    limited 600 bash bloom-systems/measured/part
    if BREAK=1 limited 600 bash bloom-systems/measured/part >/dev/null 2>&1; then
        echo "measured rates passed a comparison with the rates of another filter" >&2
        return 1
    fi
}

run_benchmark() {
    # One of the tests runs the smallest benchmark, with all candidates.
    cargo clippy --quiet --manifest-path bench/Cargo.toml --workspace --release --all-targets -- -D warnings
    cargo test --quiet --manifest-path bench/Cargo.toml --workspace --release
}

run_counts() {
    need "valgrind --version" valgrind || skip_stage valgrind "the instruction counts of the hot paths"
    local status=0
    cargo run --quiet --manifest-path bench/Cargo.toml --release -p bloom-counts || status=$?
    [ "$status" -ne 3 ] || skip_stage counts "the instruction counts of the hot paths"
    return "$status"
}
