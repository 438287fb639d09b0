# Sourced by the scripts that check bloom-formats against other systems, such as Redis: goes to the root of the repository,
# builds the command bloom-file, and defines the functions that install a system and run a check.

source "$(dirname "${BASH_SOURCE[0]}")/install.sh"
export PYTHONPATH=$PWD/bloom-formats/engines PYTHONDONTWRITEBYTECODE=1

# quietly ENVIRONMENT SCRIPT ARGUMENTS: runs a script by the Python of a virtual environment. Writes the script's standard error
# to a log, and shows the log if the script fails.
quietly() {
    local log=$engines/$1.${BREAK:-0}.log
    "$engines/$1/bin/python" "${@:2}" 2>"$log" || {
        cat "$log" >&2
        return 1
    }
}

# Builds bloom-file, unless the variable BLOOM_FILE names the program. The examples are built, too: cargo then unifies the same
# features as for the tests, and reuses the bloom-file that was built with the tests.
if [ -z "${BLOOM_FILE:-}" ]; then
    cargo build --quiet --workspace --bins --examples
    BLOOM_FILE=${CARGO_TARGET_DIR:-$PWD/target}/debug/bloom-file
fi
export BLOOM_FILE
