#!/usr/bin/env bash
# Builds the whole book into book/book, and fails if a page would load something from the network. Run it from the
# root of the repository. While writing, `mdbook build book` alone is enough. It does not build the WebAssembly
# modules that the widgets run, does not remove mdBook's descriptions, does not make the pages smaller, and checks nothing.
set -euo pipefail

# Status 3 says that there is no compiler for WebAssembly. Then the widgets of the pages do not work.
status=0
bash book/live/build.sh || status=$?
[ "$status" -eq 0 ] || [ "$status" -eq 3 ] || exit "$status"

mdbook build book
# Removes mdBook's empty description of the book: each page has one of its own, from theme/head.hbs.
for page in book/book/*.html; do
    sed '/<meta name="description" content="">/d' "$page" >"$page.new"
    mv "$page.new" "$page"
done

# Makes the pages smaller. Without Node the pages stay large. With Node but without the two packages that npm installs,
# only the fonts stay large.
if node --version >/dev/null 2>&1; then
    (
        cd book/light
        cmp -s package-lock.json node_modules/.installed || {
            npm ci --no-audit --no-fund --loglevel=error && cp package-lock.json node_modules/.installed
        }
    ) || echo "!!! npm does not install the packages of book/light" >&2
    node book/light/light.mjs book/book
else
    echo '!!! SKIPPED: the pages stay heavy, three times as many bytes and requests; this takes Node' >&2
fi

# Links that a reader follows may lead to the network. What a page loads by itself (scripts, images, styles, fonts, the
# playground) has to be part of the book.
remote="[\"']?(https?:)?//"
loads="(\bsrc=|\bsrcset=|\bposter=|\bdata=|<link[^>]*\bhref=|url\(|@import +(url\()?)$remote"
# A page with a block of this class sends a request to play.rust-lang.org.
playground='class="playground"'

test -f book/book/index.html
if grep -rnoE --include='*.html' --include='*.css' --include='*.svg' "$loads.{0,60}|$playground" book/book; then
    echo 'error: these pages need the network' >&2
    exit 1
fi
