# Sourced by the scripts that check bloom-formats against running engines: goes to the root of the
# repository, builds bloom-file, and defines the functions that install an engine.

source "$(dirname "${BASH_SOURCE[0]}")/install.sh"
export PYTHONPATH=$PWD/bloom-formats/engines PYTHONDONTWRITEBYTECODE=1

# Runs a script by the Python of an environment, and shows the script's log if it fails.
quietly() {
    local log=$engines/$1.${BREAK:-0}.log
    "$engines/$1/bin/python" "${@:2}" 2>"$log" || {
        cat "$log" >&2
        return 1
    }
}

# Builds the command to check, unless the caller names one. Also builds the examples: cargo then unifies the same features as for
# the tests, and reuses the program that was built for them.
if [ -z "${BLOOM_FILE:-}" ]; then
    cargo build --quiet --workspace --bins --examples
    BLOOM_FILE=${CARGO_TARGET_DIR:-$PWD/target}/debug/bloom-file
fi
export BLOOM_FILE
