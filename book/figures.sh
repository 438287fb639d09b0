#!/usr/bin/env bash
# Draws every figure of the book anew, except four diagrams, which tests of the book write. Run it from the
# root of the repository. Each figure is drawn the same on every machine, so `git diff` shows what has
# changed.
#
# A figure is three files: NAME.svg, NAME-phone.svg with larger texts for phones, and NAME.html, which
# a chapter includes. Each SVG has both themes: a page adds #light or #dark to the SVG's address,
# because the theme of the page may differ from the theme of the reader's system. NAME.html also has a description of the
# picture for readers who cannot see it, and the command that draws it.
set -euo pipefail

# Builds the programs that draw. With `--examples`, cargo selects the same features as for the tests, so it compiles little
# again after a run of the tests.
cargo build --quiet --workspace --bins --examples

figures=book/src/figures
plot() {
    "${CARGO_TARGET_DIR:-target}/debug/$program" "$@"
}

# The program that draws: bloom-plot, or bloom-charts for a chart that only the book has.
program=bloom-plot

# figure NAME QUESTION...: draws a figure and writes its three files. QUESTION are the arguments of the program that draws.
figure() {
    local name=$1 file=$figures/$1 text
    shift
    plot "$@" --theme auto -o "$file.svg"
    plot "$@" --theme auto --size 350x310 -o "$file-phone.svg"
    text=$(sed -n 's|^<desc>\(.*\)</desc>$|\1|p' "$file.svg" | sed 's/"/\&quot;/g')
    for theme in light dark; do
        echo -n "<picture class=\"figure-$theme\">"
        echo -n "<source media=\"(max-width: 600px)\" srcset=\"figures/$name-phone.svg#$theme\" width=\"350\" height=\"310\">"
        echo -n "<img src=\"figures/$name.svg#$theme\" width=\"800\" height=\"500\" loading=\"lazy\" alt=\"$text\">"
        echo "</picture>"
    done >"$file.html"
    echo "<p class=\"command\"><code>$program $*</code></p>" >>"$file.html"
}

figure rate-of-one-filter rate-by-items --measured --m 20000 --k 5
figure rate-by-items rate-by-items --measured --m 20000 --k 3,5,7
figure rate-by-bits rate-by-bits
figure rate-by-hashes rate-by-hashes
figure sizing-error sizing-error --only redis-nonscaling,textbook,ours
figure sizing-error-parquet sizing-error --only parquet,ours --p 1e-5
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

# The filter of 16 bits from the first chapter, for the front page.
figure filter diagram --insert a,b,c --query b,x,y \
    --positions a=2,6,13 --positions b=4,10,11 --positions c=6,11,12 \
    --positions x=4,11,15 --positions y=2,10,13
