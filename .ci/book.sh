# Stages of CI for the book: its figures, the crates that its pages run, its build, and its pages in a browser.

mdbook_version=0.5.4
katex_version=0.10.0

run_figures() {
    bash book/figures.sh
    git diff --exit-code --stat -- book/src/figures
}

run_live() {
    # Builds the filters and the calculator as WebAssembly for the pages of the book, and compares the calculator's answers with
    # those of bloom-params.
    need "wasm-opt --version && command -v zopfli" binaryen zopfli || skip binaryen "the sizes of the modules in the book"
    local status=0 features questions=1000
    [ "$size" != full ] || questions=10000
    bash book/live/build.sh || status=$?
    [ "$status" -ne 3 ] || skip_stage wasm32 "the modules of the book, so that its pages are static"
    [ "$status" -eq 0 ] || return "$status"
    # Lints the code that is compiled only for wasm32.
    if rust_target wasm32-unknown-unknown; then
        for features in "" calculator; do
            cargo clippy --quiet -p bloom-live --target wasm32-unknown-unknown --no-default-features \
                --features "$features" -- -D warnings
        done
    else
        skip wasm32 "clippy for what the pages of the book run"
    fi
    cargo test --quiet -p bloom-live --no-default-features
    need "node --version" nodejs || { skip node "$questions questions to the modules of the book"; return; }
    cargo build --quiet --release -p bloom-params
    limited 900 node book/live/tests/compare.mjs target/release/bloom-params "$questions" "$fuzz_seed"
}

run_book() {
    # The server of mdBook is left out: it would be a third of the compiled code.
    tool mdbook "$mdbook_version" mdbook --no-default-features --features search
    # A library in C typesets the formulas; without optimization it is slow.
    tool_opt_level=1 tool mdbook-katex "$katex_version" mdbook-katex
    need "node --version && npm --version" nodejs npm || skip node "the step that makes pages light"
    bash book/build.sh
}

run_browser() {
    # Tests every page and widget of the built book, and the answers of its calculator.
    [ "$size" != full ] || export EVERY_WAY=1
    need "node --version && npm --version" nodejs npm || skip_stage node "the book in a browser"
    need "command -v ${CHROMIUM:-chromium}" chromium || skip_stage chromium "the book in a browser"
    SEED=$fuzz_seed limited 1500 bash book/live/tests/browser/run.sh
    # At full length, a defect is also planted for each kind of check, and the check must notice it.
    [ "$size" != full ] || limited 900 bash book/live/tests/browser/run.sh --plants
}
