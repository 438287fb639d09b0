#!/usr/bin/env bash
# Builds the two WebAssembly modules that the pages of the book load, as scripts: book/src/live/filters.js and calculator.js,
# which are not committed. Without them the widgets of the pages show only what paper shows. Run this from the root of the
# repository, before `mdbook build book`. It fails if a gzipped module is larger than its limit.
#
# std is built from its sources, so that the modules have no code that formats panic messages, which no page shows. The
# sources come with rustup's compiler (`rustup component add rust-src`) or with Debian's (`apt install rustc-web
# rust-web-src lld-22`). Without the sources, rustup's own std is used (`rustup target add wasm32-unknown-unknown`), and the
# modules are larger. The limits hold only for modules whose std was built from sources, and which wasm-opt and zopfli
# (`apt install binaryen zopfli`) have made smaller. Exits with 3 if there is no compiler for WebAssembly.
set -euo pipefail
# shellcheck source=.ci/machine.sh
source .ci/machine.sh

# The limits in KB of gzipped bytes.
# shellcheck disable=SC2034  # build reads them by name
filters_limit=30 calculator_limit=173
target=wasm32-unknown-unknown
cargo=(cargo build --quiet --package bloom-live --profile live --target "$target")
sources=1

# Keeps the names of this machine's folders out of the modules.
flags="--remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=cargo --remap-path-prefix=$PWD=."
sources_of_std=$(rustc --print sysroot)/lib/rustlib/src/rust
if rustup_has 300 "[ -d $sources_of_std ]" component add rust-src; then
    :
elif [ -x /usr/bin/rustc ] && [ -d /usr/lib/rustlib/src ]; then
    export RUSTC=/usr/bin/rustc
    flags+=" -Clinker=lld-22 -Clinker-flavor=wasm-lld"
elif rust_target "$target"; then
    sources=
else
    echo "$target: neither rustup nor Debian's compiler has it" >&2
    exit 3
fi
if [ "$sources" ]; then
    # Makes a stable compiler accept flags of -Z.
    export RUSTC_BOOTSTRAP=1
    flags+=" -Zunstable-options -Cpanic=immediate-abort -Zlocation-detail=none"
    cargo+=("-Zbuild-std=std,panic_abort" -Zbuild-std-features=optimize_for_size)
fi
export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS=$flags

bytes() {
    wc -c <"$1" | tr -d ' '
}

# build NAME OPTION...: builds the module NAME, with options for cargo, and writes its script.
build() {
    local name=$1 limit=$1_limit out size
    shift
    "${cargo[@]}" --no-default-features "$@"
    out=target/$target/live/$name.wasm
    # Works on a copy, because cargo uses the original file again.
    rm -f "$out"
    cp "target/$target/live/bloom_live.wasm" "$out"
    if command -v wasm-opt >/dev/null; then
        # -Oz runs again after each --rereloop, which rebuilds the tree of blocks. This makes the calculator 0.5 % smaller than
        # -Oz -Oz does. --low-memory-unused saves 0.2 %, and is safe because the stack grows down and does not reach the first
        # KB of the memory. -ocimfs 150 forbids inlining a function of more than some 150 bytes into its only caller, which
        # would make the module larger.
        wasm-opt -ocimfs 150 --low-memory-unused -Oz --flatten --rereloop -Oz --flatten --rereloop -Oz -Oz --strip-debug --strip-producers --enable-bulk-memory \
            --enable-sign-ext --enable-mutable-globals --enable-nontrapping-float-to-int \
            --enable-reference-types --enable-multivalue "$out" -o "$out"
    fi
    if command -v zopfli >/dev/null; then
        zopfli "$out"
    else
        gzip -9 -n -c "$out" >"$out.gz"
    fi
    echo "live.add(\"$name\", \"$(base64 <"$out.gz" | tr -d '\n')\");" >"book/src/live/$name.js"
    size=$(bytes "$out.gz")
    echo "$name: $(bytes "$out") bytes, $size gzipped"
    if [ "$sources" ] && command -v wasm-opt >/dev/null && command -v zopfli >/dev/null \
        && [ "$size" -gt $((${!limit} * 1000)) ]; then
        echo "$name is larger than ${!limit} KB" >&2
        return 1
    fi
}

build filters
build calculator --features calculator
