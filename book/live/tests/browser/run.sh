#!/usr/bin/env bash
# Tests the book in a real browser: runs all tests of this folder, or the tests that are named. Installs the two packages
# of package-lock.json if they are missing. Needs Node, npm and Chromium, and a built book.
#
#   bash book/live/tests/browser/run.sh                       runs every test on book/book
#   BOOK=/tmp/book bash book/live/tests/browser/run.sh pages  runs pages.test.mjs alone, on another book
#   EVERY_WAY=1 bash book/live/tests/browser/run.sh           opens pages and widgets in more sizes and themes
#   bash book/live/tests/browser/run.sh --plants              checks that the tests can fail: see plants.mjs
set -euo pipefail
cd "$(dirname "$0")"

cmp --silent package-lock.json node_modules/.installed || {
    echo "installing the two packages of package-lock.json into this folder" >&2
    npm ci --no-audit --no-fund --loglevel=error
    cp package-lock.json node_modules/.installed
}
if [ "${1-}" = --plants ]; then
    exec node plants.mjs "${@:2}"
fi
if [ $# -gt 0 ]; then
    files=("${@/%/.test.mjs}")
else
    node --test --test-reporter=spec pace.test.mjs
    files=()
    for file in *.test.mjs; do
        [ "$file" = pace.test.mjs ] || files+=("$file")
    done
fi
# Four files run at once, even on two processors, because each waits for its browser more than half of the time.
node --test --test-concurrency=4 --test-reporter=spec "${files[@]}"
