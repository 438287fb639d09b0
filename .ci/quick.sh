# The stage `changed` of the size `quick`: tests the packages that changed since this branch left the main one, and those that
# depend on them.

# Prints the commit that changes are compared with.
base() {
    local main
    if [ -n "${BASE:-}" ]; then
        git merge-base HEAD "$BASE"
        return
    fi
    for main in origin/main main; do
        ! git merge-base HEAD "$main" 2>/dev/null || return 0
    done
    # In a clone without these branches, only changes that are not committed count.
    git rev-parse HEAD
}

# Prints the paths that changed since a commit, including changes that are not committed and files that are not added.
changed_paths() {
    {
        git diff --name-only "$1"
        git ls-files --others --exclude-standard
    } | sort -u
}

# Prints a line "PACKAGE PATH" for each package of the workspace.
members() {
    cargo tree --quiet --workspace --no-dedupe --depth 0 --prefix none |
        sed -n "s|^\([a-z-]*\) v[^ ]* ($PWD/\(.*\))\$|\1 \2|p"
}

# Prints a line "PACKAGE DEPENDENCY" for each dependency of a kind (normal, build, dev) among packages of the workspace.
edges() {
    cargo tree --quiet --workspace --no-dedupe --depth 1 --prefix depth --edges "$1" | awk -v here="($PWD/" '
        /^0/ { package = substr($1, 2) }
        /^1/ && index($0, here) { print package, substr($1, 2) }'
}

# Lists what tests a path, besides the package that the path is in. A line is "PATH PACKAGE", "PATH all", or "PATH stage:NAME"
# if only a stage of the gate tests the path. A path that ends with / means everything below it. A line applies to the changed
# paths that begin with PATH, except those of a package whose folder is PATH or lies below it.
readers='
Cargo.toml all
Cargo.lock all
rust-toolchain.toml all
clippy.toml stage:lints
.cargo/ all
README.md bloom-params
README.md bloom-book
README.md bloom-file
bench/records/ bloom-plot
bench/ stage:benchmark
book/live/tests/browser/ stage:browser
book/light/ stage:browser
python/ stage:python
book/src/python.md stage:python
bloom-formats/engines/ stage:jvm
bloom-formats/spark/ stage:spark
book/src/distributed.md stage:spark
bloom-core/no_std_probe/ stage:probes
bloom-core/no_alloc_probe/ stage:probes
bloom-core/examples/embedded/ stage:board
fuzz/dictionaries/ stage:fuzz
fuzz/build.sh stage:fuzz
fuzz/fuzz_targets/ stage:fuzz
fuzz/regressions/ bloom-fuzz-suite
fuzz/peers/ stage:peers
fuzz/Cargo stage:fuzz
.github/ stage:workflows
deny.toml stage:deny
.ci/ stage:scripts
'

# Prints what must be tested if the paths on stdin change. A line is a package, "all", or "stage:NAME PATH".
tested_by() {
    { members | sed 's/^/member /'; sed '/^$/d; s/^/reader /' <<<"$readers"; sed 's/^/path /'; } | awk '
        $1 == "member" { folder[$2] = $3 "/" }
        $1 == "reader" { pattern[++n] = $2; who[n] = $3 }
        $1 == "path" {
            found = ""; longest = 0
            for (package in folder)
                if (index($2, folder[package]) == 1 && length(folder[package]) > longest) {
                    found = package; longest = length(folder[package])
                }
            if (found != "") print found
            for (i = 1; i <= n; i++)
                if (index($2, pattern[i]) == 1 && length(pattern[i]) > longest)
                    print who[i], (who[i] ~ /^stage:/ ? $2 : "")
        }' | sort -u
}

# Prints the packages on stdin, the packages that depend on them, and the packages whose tests depend on a package of these two
# kinds.
dependents() {
    { edges normal,build | sed 's/^/built /'; edges dev | sed 's/^/tested /'; sed 's/^/changed /'; } | awk '
        $1 == "built" { user[++n] = $2; used[n] = $3 }
        $1 == "tested" { tester[++m] = $2; subject[m] = $3 }
        $1 == "changed" { reached[$2] = 1 }
        END {
            do {
                more = 0
                for (i = 1; i <= n; i++)
                    if ((used[i] in reached) && !(user[i] in reached)) more = reached[user[i]] = 1
            } while (more)
            for (package in reached) chosen[package] = 1
            for (i = 1; i <= m; i++) if (subject[i] in reached) chosen[tester[i]] = 1
            for (package in chosen) print package
        }' | sort
}

run_changed() {
    local base paths tested packages
    base=$(base)
    paths=$(changed_paths "$base")
    if [ -z "$paths" ]; then
        echo "nothing changed since $(git log -1 --format='%h (%s)' "$base")"
        return
    fi
    echo "$(wc -l <<<"$paths" | tr -d ' ') files changed since $(git log -1 --format='%h (%s)' "$base")"
    tested=$(tested_by <<<"$paths")
    sed -n 's/^stage:\([a-z]*\) \(.*\)/\2: not tested here, but by bash .ci\/run \1/p' <<<"$tested"
    if grep -x 'all *' <<<"$tested" >/dev/null; then
        cargo test --quiet --workspace
        return
    fi
    packages=$(sed -n '/^[a-z-][a-z-]* *$/s/ *$//p' <<<"$tested")
    if [ -z "$packages" ]; then
        echo "no package changed"
        return
    fi
    packages=$(dependents <<<"$packages")
    echo "tests of" $packages
    # If these are at most half of the packages, they alone are tested, and built with the features that
    # they need. If they are more, the whole workspace is tested, and built with the features of the stage `tests`.
    if [ "$(wc -l <<<"$packages")" -gt $(($(members | wc -l) / 2)) ]; then
        cargo test --quiet --workspace
    else
        cargo test --quiet $(sed 's/^/--package=/' <<<"$packages")
    fi
}
