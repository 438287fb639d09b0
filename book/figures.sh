#!/usr/bin/env bash
# Draws every figure of the book anew. Run from the root of the repository; each figure is drawn
# the same on every machine, so `git diff` shows what has changed.
set -euo pipefail

figures=book/src/figures
plot() {
    cargo run --release --quiet -p bloom-plot -- "$@"
}

plot rate-by-items --measured --m 20000 --k 3,5,7 -o "$figures/rate-by-items.svg"
plot scalable-growth --n 1M -o "$figures/scalable-growth.svg"
plot scalable-growth --n 1M --show memory -o "$figures/scalable-growth-memory.svg"
plot blocked-cost --n 1M -o "$figures/blocked-cost.svg"
