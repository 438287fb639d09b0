# Runs stages of CI, and prints the table of their results.

# A stage is a process of its own, so it records in files what it does not run, in lines "LACK<tab>WHAT": what the machine
# lacks, and what was not checked. `skip` writes to the file $CI_SKIPPED, and tests write to the file $BLOOM_NOT_RUN.
work=$(mktemp -d "${TMPDIR:-/tmp}/bloom-ci.XXXXXX")
trap 'rm -rf "$work"' EXIT
touch "$work/table" "$work/all_skipped" "$work/all_not_run"

# Refuses a list of --strict with a word that lack_table does not have, because a misspelt word would otherwise go unnoticed.
check_strict() {
    local word
    [ -z "${BLOOM_STRICT:-}" ] || BLOOM_STRICT=$(tr -d ' ' <<<"$BLOOM_STRICT")
    for word in $(tr ',' ' ' <<<"${BLOOM_STRICT:-}"); do
        is_lack "$word" || {
            echo "--strict: there is no word $word; the words are: $(sed -n 's/|.*//p' <<<"$lack_table" | xargs)" >&2
            exit 2
        }
    done
}

# forbidden FILE: prints those lines "LACK<tab>WHAT" of a file that --strict does not allow.
forbidden() {
    [ -n "${BLOOM_STRICT+set}" ] || return 0
    awk -F '\t' -v allowed=",$BLOOM_STRICT," '!index(allowed, "," $1 ",")' "$1"
}

# Sets `cpu` to the CPU seconds that all commands of this process have taken so far.
measure_cpu() {
    # `times` writes to a file. In a pipe it would run in another process and report the times of that process.
    times >"$work/times.$1"
    cpu=$(tail -n 1 "$work/times.$1" | tr ',ms' '.  ' | awk '{ printf "%d", 60 * ($1 + $3) + $2 + $4 }')
}

# run_size SIZE: runs all stages of a size. Stages without a lane run alone; lane 1 runs beside lane 2, and lane 3 beside lane
# 4.
run_size() {
    local name lane pair=0 odd='' even=''
    for name in $(stages_of "$1"); do
        lane=$(lane_of "$name")
        if [ "$(((${lane:-0} + 1) / 2))" -ne "$pair" ]; then
            run_lanes "$odd" "$even"
            pair=$(((${lane:-0} + 1) / 2)) odd='' even=''
        fi
        case $lane in
            '') run_stages "$name" ;;
            1 | 3) odd="$odd $name" ;;
            *) even="$even $name" ;;
        esac
    done
    run_lanes "$odd" "$even"
}

# run_lanes LANE LANE: runs two lists of stages side by side.
run_lanes() {
    local lane lanes=''
    # Each lane is a process group of its own, so that an interrupt can end all its processes.
    set -m
    for lane in "$@"; do
        # A background process that reads from a terminal would be stopped.
        (run_lane $lane) </dev/null &
        lanes="$lanes $!"
    done
    trap 'for lane in '"$lanes"'; do kill -- "-$lane" 2>/dev/null || true; done; exit 130' INT TERM
    for lane in $lanes; do
        wait "$lane" || echo "a lane" >>"$work/failed"
    done
    trap - INT TERM
    set +m
    [ ! -s "$work/failed" ] || { summary "$(xargs <"$work/failed")"; exit 1; }
}

# run_stages NAME...: runs stages one after the other, up to the first that fails.
run_stages() {
    local name
    for name in "$@"; do
        run_stage "$name"
        [ "$status" -eq 0 ] || { summary "$name"; exit 1; }
    done
}

# run_lane NAME...: runs stages one after the other, up to the first that fails here or in the other lane. The output of a
# stage is printed when the stage ends.
run_lane() {
    local name
    for name in "$@"; do
        [ ! -s "$work/failed" ] || return 0
        run_stage "$name" >"$work/said.$name" 2>&1
        cat "$work/said.$name"
        [ "$status" -eq 0 ] || echo "$name" >>"$work/failed"
    done
}

# run_stage NAME: runs a stage in a process of its own, and sets `status` to 0 unless the stage failed.
run_stage() {
    local name=$1 start=$SECONDS cpu before said
    export CI_SKIPPED=$work/skipped.$name BLOOM_NOT_RUN=$work/not_run.$name
    echo "=== $name: $(purpose "$name")"
    measure_cpu "$name"
    before=$cpu
    : >"$CI_SKIPPED"
    : >"$BLOOM_NOT_RUN"
    # The stage must not run in a condition: there `set -e` has no effect, and the stage would continue after a command that
    # fails.
    set +e
    (
        set -e
        "run_$name"
    )
    status=$?
    set -e
    measure_cpu "$name"
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
    {
        printf '%-10s %6d %6d  %s\n' "$name" $((SECONDS - start)) $((cpu - before)) "$said"
        sed 's/^\([^	]*\)	/             not run (\1): /' "$CI_SKIPPED"
        sort "$BLOOM_NOT_RUN" | uniq -c |
            awk '{ n = $1; lack = $2; $1 = $2 = ""; sub(/^ +/, ""); print "             not run (" lack "): " $0 ", tests: " n }'
    } >>"$work/table"
    cat "$CI_SKIPPED" >>"$work/all_skipped"
    cat "$BLOOM_NOT_RUN" >>"$work/all_not_run"
}

# Prints the table, and a last line that sums it up.
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
