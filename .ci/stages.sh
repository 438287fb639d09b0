# The stages of CI in their order. `run_NAME` is the function of the stage NAME.

# A line has the sizes in which a stage runs (q: quick, g: gate, f: full), its lane if it has one, its name, and what it
# checks. When a whole size runs, the stages of lane 1 run beside those of lane 2, and then those of lane 3 beside those of
# lane 4. The reason is that one stage alone keeps little more than one processor busy. Lanes 1 and 2 compile in
# different folders, and so do lanes 3 and 4, so that neither waits for cargo's lock on a folder. Fuzzing, whose time is
# fixed, is the last stage of lane 3.
stage_table='
qgf|format|rustfmt
qgf|scripts|shell files of CI: syntax, bash 3.2, shellcheck, 500 lines; links of pages
qgf|lints|clippy, of the workspace, of bloom-core without features and of its two probes
q|changed|tests of the packages that changed and of those that depend on them
gf|tests|the command of the README: all tests and documentation tests
gf|hello|the first command of the README, as a newcomer types it
gf|workflows|actionlint on .github/workflows
gf1|docs|rustdoc without warnings
gf1|alone|bloom-core is built alone, without the features that other crates turn on
gf1|loom|every order of the steps of two threads; a plain load of a shared cache line does not compile
gf1|threads|filters that threads share, in an optimized build
gf1|large|a filter of more than 2^32 bits
gf1|vectors|bloom-core without AVX-512, without vectors, and compiled for x86-64-v4 or haswell
gf1|probes|bloom-core without std, and without an allocator
gf1|library|the library of bloom-params without its command line, also for wasm32
gf1|formats|bloom-formats is built with each of its formats alone
gf1|api|the public API of each library equals its record
gf1|packages|each crate builds from its package alone, under another name where its own is taken
gf1|address|tests under the address sanitizer
gf2|bare|builds for machines without an operating system
gf2|board|a filter on an emulated ARM board
gf2|foreign|clippy for aarch64 and i686
gf2|aarch64|tests, emulated
gf2|s390x|tests on a big-endian machine, emulated
gf2|i686|tests on 32 bits
gf2|miri|tests of the storage under Miri
gf2|thread|tests of threads under the thread sanitizer
gf3|peers|the conformance kit on other crates: which promises hold, and which break
gf3|benchmark|the benchmark: lints and tests, one of which is its smallest run
gf3|counts|instruction counts of the hot paths
gf3|measured|a part of the recorded rates of other systems is measured again
gf3|fuzz|each fuzz target for FUZZ_SECONDS
gf4|spark|filters to and from Spark
gf4|python|the Python package: its wheel in fresh environments of two versions, its examples and types
gf4|jvm|filters to and from Guava, Hadoop, DataSketches, ORC and Hive
gf4|redis|filters to and from RedisBloom
gf4|parquet|filters in the Parquet files of DuckDB and Spark
gf4|go|filters to and from Go
gf|figures|the figures of the book, drawn again
gf|live|the crates in the pages of the book
gf|book|the book is built, and loads nothing from the network
gf|browser|the book in Chromium
f|minimum|the libraries build on the minimum Rust version
f|oldest|everything builds with the oldest dependencies that the manifests allow
f|deny|licences and advisories of the dependencies
'

# Prints the names of the stages of a size.
stages_of() {
    awk -F '|' -v size="$(cut -c 1 <<<"$1")" 'index($1, size) { print $2 }' <<<"$stage_table"
}

# Prints the number of a stage's lane, if it has one.
lane_of() {
    sed -n "s/^[qgf]*\([1-4]\)|$1|.*/\1/p" <<<"$stage_table"
}

is_stage() {
    grep "^[qgf1-4]*|$1|" <<<"$stage_table" >/dev/null
}

# Prints what a stage checks.
purpose() {
    awk -F '|' -v name="$1" '$2 == name { print $3 }' <<<"$stage_table"
}

list() {
    local sizes name what
    while IFS='|' read -r sizes name what; do
        [ -z "$name" ] || printf '%-10s %-4s %s\n' "$name" "${sizes%[1-4]}" "$what"
    done <<<"$stage_table"
    echo
    echo "q: quick, g: the gate, f: full. What a machine may lack:"
    echo
    while IFS='|' read -r name what; do
        [ -z "$name" ] || printf '%-15s %s\n' "$name" "$what"
    done <<<"$lack_table"
}
