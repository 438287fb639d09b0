#!/usr/bin/env bash
# Builds every fuzz target with its seeds (the files in regressions/) and its dictionary into $OUT, in the form that OSS-Fuzz
# and similar services expect.
#
#   OUT=/out bash fuzz/build.sh
#
# SANITIZER is address (the default), memory, thread, leak, none or coverage. For coverage, the compiler flags are not set here:
# the environment must have them. The compiler is the one that rust-toolchain.toml names, unless RUSTUP_TOOLCHAIN is set.
set -euo pipefail
cd "$(dirname "$0")"

out=${OUT:?OUT must name the folder to build into}
mkdir -p "$out"
sanitizer=${SANITIZER:-address}
case $sanitizer in
    address | memory | thread | leak | none) ;;
    coverage) sanitizer=none ;;
    *)
        echo "SANITIZER must be address, memory, thread, leak, none or coverage, got $sanitizer" >&2
        exit 1
        ;;
esac
cargo fuzz build --release --sanitizer "$sanitizer"
host=$(rustc -vV | sed -n 's/^host: //p')
for source in fuzz_targets/*.rs; do
    target=$(basename "$source" .rs)
    cp "target/$host/release/$target" "$out/"
    (cd "regressions/$target" && python3 -m zipfile -c "$out/${target}_seed_corpus.zip" ./*)
    if [ -f "dictionaries/$target.dict" ]; then
        cp "dictionaries/$target.dict" "$out/"
    fi
done
