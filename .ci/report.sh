# Runs stages, and prints what came of them.

# What is not run is recorded in files of lines "LACK<tab>WHAT", for a stage is a process of its own: by `skip`, and by
# tests, which get the name of theirs in BLOOM_NOT_RUN.
work=$(mktemp -d "${TMPDIR:-/tmp}/bloom-ci.XXXXXX")
export CI_SKIPPED=$work/skipped BLOOM_NOT_RUN=$work/not_run
touch "$work/table" "$work/all_skipped" "$work/all_not_run"

# Refuses a list of --strict with a word that nothing is skipped for: it would hide that the list is wrong.
check_strict() {
    local word
    [ -z "${BLOOM_STRICT:-}" ] || BLOOM_STRICT=$(tr -d ' ' <<<"$BLOOM_STRICT")
    for word in $(tr ',' ' ' <<<"${BLOOM_STRICT:-}"); do
        is_lack "$word" || {
            echo "--strict: no skip is called $word; there are: $(sed -n 's/|.*//p' <<<"$lack_table" | xargs)" >&2
            exit 2
        }
    done
}

# Prints the lines of a file of skips that --strict does not allow.
forbidden() {
    [ -n "${BLOOM_STRICT+set}" ] || return 0
    awk -F '\t' -v allowed=",$BLOOM_STRICT," '!index(allowed, "," $1 ",")' "$1"
}

# Sets `cpu` to the seconds of processors that all commands so far took.
measure_cpu() {
    # In a file, for another process has times of its own.
    times >"$work/times"
    cpu=$(tail -n 1 "$work/times" | tr ',ms' '.  ' | awk '{ printf "%d", 60 * ($1 + $3) + $2 + $4 }')
}

# run_stages NAME...: each in a process of its own, up to the first that fails.
run_stages() {
    local name start cpu before status said
    trap 'rm -rf "$work"' EXIT
    for name in "$@"; do
        echo "=== $name: $(purpose "$name")"
        start=$SECONDS
        measure_cpu
        before=$cpu
        : >"$CI_SKIPPED"
        : >"$BLOOM_NOT_RUN"
        # Not in a condition, where it would go on after a command that fails.
        set +e
        (
            set -e
            "run_$name"
        )
        status=$?
        set -e
        measure_cpu
        case $status in
            0) said=ran ;;
            "$skipped_stage") said=SKIPPED status=0 ;;
            *) said=FAILED ;;
        esac
        if [ "$status" -eq 0 ] && [ -n "$(forbidden "$CI_SKIPPED" && forbidden "$BLOOM_NOT_RUN")" ]; then
            said=FAILED status=1
            echo "--strict allows only \"$BLOOM_STRICT\" to be lacking; not run:" >&2
            forbidden "$CI_SKIPPED" >&2
            forbidden "$BLOOM_NOT_RUN" >&2
        fi
        echo "--- $name: $((SECONDS - start)) s, $((cpu - before)) s of processors"
        printf '%-10s %6d %6d  %s\n' "$name" $((SECONDS - start)) $((cpu - before)) "$said" >>"$work/table"
        sed 's/^\([^	]*\)	/             not run (\1): /' "$CI_SKIPPED" >>"$work/table"
        sort "$BLOOM_NOT_RUN" | uniq -c |
            awk '{ n = $1; lack = $2; $1 = $2 = ""; print "             not run (" lack "), tests, " n ":" $0 }' >>"$work/table"
        cat "$CI_SKIPPED" >>"$work/all_skipped"
        cat "$BLOOM_NOT_RUN" >>"$work/all_not_run"
        [ "$status" -eq 0 ] || { summary "$name"; exit 1; }
    done
    summary ""
}

# Prints the table, and as the last line what came of it all.
summary() {
    local failed=$1 stages skipped parts tests lacks
    echo
    printf '%-10s %6s %6s\n' stage s "CPU s"
    cat "$work/table"
    stages=$(grep -c ' ran$' "$work/table" || true)
    skipped=$(grep -c ' SKIPPED$' "$work/table" || true)
    parts=$(wc -l <"$work/all_skipped" | tr -d ' ')
    tests=$(wc -l <"$work/all_not_run" | tr -d ' ')
    lacks=$(cut -f 1 "$work/all_skipped" "$work/all_not_run" | sort -u | xargs | tr ' ' ',')
    echo
    if [ -n "$failed" ]; then
        echo -n "FAILED at $failed"
    else
        echo -n "passed: stages $stages"
    fi
    echo -n " in $SECONDS s; "
    if [ -n "$lacks" ]; then
        echo "NOT RUN: stages $skipped, checks of stages $parts, tests $tests; this machine lacks $lacks"
    else
        echo "nothing was skipped"
    fi
}
