# The stage `packages` of CI: packs each published crate, and builds the crates from these packages alone.

# The published crates. Each stands after the crates that it depends on. A line has the name of a crate, and then the files that
# its package must have besides its code, README and licences.
published='
bloom-core tests/vectors/layout.py tests/vectors/layout_positions.csv
bloom-systems
bloom-terminal
bloom-formats
bloom-params COMMAND.md
bloom-file
bloom-plot
bloom-fuzz-kit GUIDE.md PEERS.md
'

# Crates of this repository whose names belong to other projects in the public registry. If they kept their names, the
# crates that depend on them would be built with those other projects.
taken=bloom-core

run_packages() {
    local copy=target/packages/copy build folder name crate texts listed='' existing
    local log=$PWD/target/packages/log
    sources_to "$copy"
    for name in $taken; do
        renamed "$copy" "$name" "$(new_name "$name")"
    done
    while read -r crate texts; do
        [ -n "$crate" ] || continue
        folder=$(folder_of "$crate")
        names_rust "$folder/README.md"
        crate=$(new_name "$crate")
        listed="$listed$crate"$'\n'
        is_complete "$copy/$folder" $texts
    done <<<"$published"
    # The versions do not change between runs, so in the same folder cargo would use the crates that an earlier run unpacked.
    rm -rf target/packages/build.*
    build=$PWD/target/packages/build.$$
    bring_dependencies target/debug "$build/debug"
    (cd "$copy" && cargo publish --workspace --dry-run --target-dir "$build") >"$log" 2>&1 || { cat "$log" >&2; return 1; }
    # Cargo has unpacked the crates beside those of the registry, in a folder for this run, and leaves them there.
    for name in $taken; do
        for folder in "${CARGO_HOME:-$HOME/.cargo}"/registry/src/*/"$(new_name "$name")"-*; do
            rm -rf "${folder%/*}"
        done
    done
    diff <(printf %s "$listed" | sort) <(sed -n 's/^ *Packaging \([a-z0-9-]*\) v.*/\1/p' "$log" | sort) || {
        echo "these crates are not listed in .ci/packages.sh, or lack: publish = false" >&2
        return 1
    }
    # After a release, the registry has all of these crates. If it has only some of the names, they belong to other projects.
    existing=$(grep -c 'already exists' "$log" || true)
    [ "$existing" -eq 0 ] || [ "$existing" -eq "$(printf %s "$listed" | wc -l)" ] || {
        grep 'already exists' "$log" >&2
        echo "another project has this name: see RELEASING.md, and taken in .ci/packages.sh" >&2
        return 1
    }
}

# bring_dependencies FROM TO: copies the built dependencies that FROM has if the stage `tests` ran, because the packages need
# them too. Only folders and files with an extension are copied: files without an extension are programs, which are not needed.
bring_dependencies() {
    local part
    [ -d "$1/.fingerprint" ] || return 0
    for part in .fingerprint build deps; do
        mkdir -p "$2/$part"
        (cd "$1/$part" && { ls -d -- */ *.* 2>/dev/null || true; } | grep -vE '^(lib)?bloom' | tar -c -T - -f -) |
            tar -x -C "$2/$part" -f -
    done
}

# sources_to FOLDER: copies to a folder all files of the repository, except those that Git ignores.
sources_to() {
    rm -rf "$1"
    mkdir -p "$1"
    git ls-files -co --exclude-standard -z | tar -c --null -T - -f - | tar -x -C "$1" -f -
}

# renamed FOLDER NAME NEW: gives a package another name, as RELEASING.md says. Its library keeps the old name.
renamed() {
    local folder=$1 name=$2 new=$3
    replace_line "$folder/$(folder_of "$name")/Cargo.toml" \
        "name = \"$name\"" "name = \"$new\""
    replace_line "$folder/Cargo.toml" "$name = { path" "$name = { package = \"$new\", path"
}

# Prints the folder of a package.
folder_of() {
    members | awk -v name="$1" '$1 == name { print $2 }'
}

# replace_line FILE OLD NEW: replaces OLD by NEW at the beginning of the only line that begins with OLD.
replace_line() {
    [ "$(grep -c "^$2" "$1")" = 1 ] || { echo "$1 must have one line that begins with: $2" >&2; return 1; }
    sed "s/^$2/$3/" "$1" >"$1.new"
    mv "$1.new" "$1"
}

# Prints the name that a crate has in the copy.
new_name() {
    case " $taken " in
        *" $1 "*) echo "$1-renamed-$$" ;;
        *) echo "$1" ;;
    esac
}

# Fails unless a page names the minimum Rust version, which the page of a registry does not show prominently.
names_rust() {
    local version
    version=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
    tr '\n' ' ' <"$1" | grep -F "Rust $version or later" >/dev/null || {
        echo "$1 does not say: Rust $version or later" >&2
        return 1
    }
}

# is_complete FOLDER TEXT...: fails unless the package of the crate in this folder has what its users need, and nothing that
# cannot run outside of the repository. So it has no tests but those in src, and these need no file of another folder and no
# crate that is not published.
is_complete() {
    local folder=$1 files file
    shift
    files=$(cd "$folder" && cargo package --quiet --list)
    for file in README.md LICENSE-MIT LICENSE-APACHE src/lib.rs "$@"; do
        grep -xF "$file" <<<"$files" >/dev/null || { echo "the package of $folder lacks $file" >&2; return 1; }
    done
    ! grep -E '^tests/.*\.rs$|^public-api' <<<"$files" || {
        echo "the package of $folder must not have these files" >&2
        return 1
    }
    ! (cd "$folder" && grep '\.rs$' <<<"$files" | xargs grep -lE 'bloom_testing|join\("\.\.' /dev/null) || {
        echo "these files in the package of $folder need the repository" >&2
        return 1
    }
}
