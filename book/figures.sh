#!/usr/bin/env bash
# Draws every figure of the book anew. Run from the root of the repository; each figure is drawn
# the same on every machine, so `git diff` shows what has changed.
#
# A figure is five files: NAME.svg for light pages and NAME-dark.svg for dark ones, both again for
# phones (NAME-phone.svg, NAME-phone-dark.svg), and NAME.html, which a chapter includes. It shows
# the one that fits, tells those who cannot see it what the picture tells of itself, and names the
# command.
set -euo pipefail

figures=book/src/figures
plot() {
    cargo run --release --quiet -p "$program" -- "$@"
}

# The program that draws: bloom-plot, or bloom-charts for what only the book has.
program=bloom-plot

# figure NAME QUESTION...
figure() {
    local name=$1 file=$figures/$1 text
    shift
    plot "$@" -o "$file.svg"
    plot "$@" --theme dark -o "$file-dark.svg"
    plot "$@" --size 350x310 -o "$file-phone.svg"
    plot "$@" --size 350x310 --theme dark -o "$file-phone-dark.svg"
    text=$(sed -n 's|^<desc>\(.*\)</desc>$|\1|p' "$file.svg" | sed 's/"/\&quot;/g')
    for theme in light dark; do
        local suffix=${theme/light/}
        suffix=${suffix:+-$suffix}
        echo "<picture class=\"figure-$theme\">"
        echo "<source media=\"(max-width: 600px)\" srcset=\"figures/$name-phone$suffix.svg\" width=\"350\" height=\"310\">"
        echo "<img src=\"figures/$name$suffix.svg\" width=\"800\" height=\"500\" loading=\"lazy\" alt=\"$text\">"
        echo "</picture>"
    done >"$file.html"
    echo "<p class=\"command\"><code>$program $*</code></p>" >>"$file.html"
}

figure rate-by-items rate-by-items --measured --m 20000 --k 3,5,7
figure rate-by-bits rate-by-bits
figure rate-by-hashes rate-by-hashes
figure sizing-error sizing-error
figure sizing-error-parquet sizing-error --only parquet,textbook,ours --p 1e-5
figure model-error model-error
figure rate-spread rate-spread --measured
figure hashing-error hashing-error --measured
program=bloom-charts figure hash-bias hash-bias
figure hash-floor hash-floor
figure counter-overflow counter-overflow
figure estimate-error estimate-error --measured
figure trust trust
figure scalable-growth scalable-growth --n 1M
figure scalable-growth-memory scalable-growth --n 1M --show memory
figure blocked-cost blocked-cost --n 1M
figure speed speed --cell 5 --only blocked+foldhash,bloom+foldhash,fastbloom+foldhash,sbbf-rs-safe+foldhash \
    book/src/tables/speed.csv

# The filter of 16 bits of the first chapter, for the cover.
figure filter diagram --insert a,b,c --query b,x,y \
    --positions a=2,6,13 --positions b=4,10,11 --positions c=6,11,12 \
    --positions x=4,11,15 --positions y=2,10,13
