#!/usr/bin/env bash
# Runs all tests in random order: a seed draws groups of suites, and each group runs in a process of its own, every
# second one without parallel tests. The groups' tests are counted: each test has to run once.
#   Scripts/shuffle.sh [--runs N] [--seed N] [--groups N] [--load N]
# --load runs so many busy processes beside the tests. With --groups 1 a run is the suite as Scripts/test.sh runs it.
# Run number k takes the seed plus k. Prints each group that fails with the command that repeats it.
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
runs=1 seed=1 groups=12 load=0
while [ $# -gt 0 ]; do
    case "$1" in
    --runs) runs="$2" ;;
    --seed) seed="$2" ;;
    --groups) groups="$2" ;;
    --load) load="$2" ;;
    *)
        echo "shuffle: $1 is no option; see the top of Scripts/shuffle.sh" >&2
        exit 2
        ;;
    esac
    shift 2
done

swift build --build-tests
folder="$(mktemp -d)"
busy=()
trap 'rm -rf "$folder"; [ ${#busy[@]} -eq 0 ] || kill "${busy[@]}" 2>/dev/null' EXIT
for ((number = 0; number < load; number++)); do
    (while :; do :; done) &
    busy+=($!)
done
swift test list --skip-build > "$folder/tests"
# Target.Suite with all suites within, or Target.test() of one without a suite, as a regular expression.
sed -e 's|/.*$|/|' -e 's|[.()]|\\&|g' -e 's|^|^|' "$folder/tests" | sort -u > "$folder/suites"
tests="$(wc -l < "$folder/tests" | tr -d ' ')"

failures=0
for ((run = 0; run < runs; run++)); do
    awk -v seed="$((seed + run))" 'BEGIN { srand(seed) } { printf "%.12f\t%s\n", rand(), $0 }' \
        "$folder/suites" | sort -n | cut -f 2 > "$folder/order"
    counted=0
    for ((group = 0; group < groups; group++)); do
        awk -v n="$groups" -v k="$group" 'NR % n == k' "$folder/order" | paste -s -d '|' - > "$folder/filter"
        command=(swift test --skip-build --filter "$(cat "$folder/filter")")
        if ((group % 2)); then
            command+=(--no-parallel)
        fi
        if ! in_memory "${command[@]}" > "$folder/output" 2>&1; then
            failures=$((failures + 1))
            grep -E 'recorded an issue|failed after|error:' "$folder/output" | cut -c 1-300 | head -20 || true
            printf 'again: '
            printf '%q ' "${command[@]}"
            echo
        fi
        ran="$(sed -n 's/.*Test run with \([0-9]*\) tests*.*/\1/p' "$folder/output" | tail -1)"
        counted=$((counted + ${ran:-0}))
    done
    echo "seed $((seed + run)): $counted of $tests tests in $groups groups, $failures groups failed so far"
    if [ "$counted" -ne "$tests" ]; then
        echo "shuffle: not every test ran once" >&2
        failures=$((failures + 1))
    fi
done
[ "$failures" -eq 0 ]
