#!/usr/bin/env bash
# Fails where a page of the built book would load something from the network. Run from the root of
# the repository, after `mdbook build book`. Links to follow are fine; what a page loads by itself
# (scripts, images, styles, fonts, the playground) has to come with it.
set -euo pipefail

remote="[\"']?(https?:)?//"
loads="(\bsrc=|\bsrcset=|\bposter=|\bdata=|<link[^>]*\bhref=|url\(|@import +(url\()?)$remote"
# A page with one of these asks play.rust-lang.org about it.
playground='class="playground"'

test -f book/book/index.html
if grep -rnoE --include='*.html' --include='*.css' --include='*.svg' "$loads.{0,60}|$playground" book/book; then
    echo 'error: these pages need the network' >&2
    exit 1
fi
