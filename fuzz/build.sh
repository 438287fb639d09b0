#!/usr/bin/env bash
# Builds every target with its seeds and dictionary into $OUT, as OSS-Fuzz and its like want them.
#
#   OUT=/out bash fuzz/build.sh
#
# SANITIZER is address (the default), memory, thread, leak or none.
set -euo pipefail
cd "$(dirname "$0")"

out=${OUT:?OUT must name the folder to build into}
mkdir -p "$out"
cargo +nightly fuzz build --release --sanitizer "${SANITIZER:-address}"
host=$(rustc -vV | sed -n 's/^host: //p')
for source in fuzz_targets/*.rs; do
    target=$(basename "$source" .rs)
    cp "target/$host/release/$target" "$out/"
    (cd "regressions/$target" && python3 -m zipfile -c "$out/${target}_seed_corpus.zip" ./*)
    if [ -f "dictionaries/$target.dict" ]; then
        cp "dictionaries/$target.dict" "$out/"
    fi
done
