#!/usr/bin/env bash
# Fuzzes the code that reads bytes from outside, under the address sanitizer (R-65):
#
#     Scripts/fuzz.sh [SECONDS-PER-TARGET] [TARGET…]     20 seconds each, all targets
#     Scripts/fuzz.sh --replay [TARGET…]                 only what Fuzz/Corpus holds: for every commit
#
# Fails on a crash, a leak, a broken promise, an input that takes 5 seconds or 1 GB, and an input whose
# time grows faster than its length. Inputs that fail are kept in .build/fuzz/TARGET/failed. Repair
# the code, then put them into Fuzz/Corpus/TARGET. FUZZ_SEED chooses another run than the usual one.
# Each run starts with the inputs that earlier runs found (.build/fuzz/TARGET/found).
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
seed=${FUZZ_SEED:-1}
seconds=20
replays=no
if [ "${1:-}" = --replay ]; then
    replays=yes
    shift
elif [[ "${1:-}" =~ ^[0-9]+$ ]]; then
    seconds=$1
    shift
fi

# Part of the toolchains of swift.org for Linux, not of Xcode's.
has_fuzzer() {
    local tools
    tools="$(dirname "$(toolchain)")"
    compgen -G "$tools/lib/clang/*/lib/*/libclang_rt.fuzzer*" >/dev/null \
        || compgen -G "$tools/lib/swift/clang/lib/*/libclang_rt.fuzzer*" >/dev/null
}
if ! has_fuzzer; then
    echo "skipped: this toolchain has no libFuzzer"
    exit 0
fi

work="$PWD/.build/fuzz"
mkdir -p "$work"
swift build --package-path Fuzz --scratch-path "$work/build" -c release --product Fuzz >&2
fuzz="$(swift build --package-path Fuzz --scratch-path "$work/build" -c release --show-bin-path)/Fuzz"
declare -A longest=()
while read -r name bytes; do
    longest[$name]=$bytes
done < <("$fuzz" --list)
targets=("$@")
if [ ${#targets[@]} -eq 0 ]; then
    while read -r name _; do
        targets+=("$name")
    done < <("$fuzz" --list)
fi

# Stores are opened again and again: in memory where that is possible.
memory=/dev/shm
[ -w "$memory" ] || memory=$work
scratch=$(mktemp -d "$memory/scenestore-fuzz.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
export TMPDIR="$scratch"
symbolizer="$(toolchain)/llvm-symbolizer"
[ -x "$symbolizer" ] && export ASAN_SYMBOLIZER_PATH="$symbolizer"
export SWIFT_BACKTRACE=enable=no
export ASAN_OPTIONS="detect_leaks=1:quarantine_size_mb=32:${ASAN_OPTIONS:-}"

# What a run printed, in a line.
summary() {
    local log=$1
    local runs rate rss coverage
    if [ "$replays" = yes ]; then
        runs=$(grep -c '^Executed ' "$log" || true)
        printf '%-14s %9s inputs\n' "$target" "$runs"
        return
    fi
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log" | tail -1)
    rate=$(sed -n 's/^stat::average_exec_per_sec: *//p' "$log" | tail -1)
    rss=$(sed -n 's/^stat::peak_rss_mb: *//p' "$log" | tail -1)
    coverage=$(sed -n 's/.* cov: \([0-9]*\) ft: \([0-9]*\) corp: \([0-9]*\).*/\1 edges, \3 inputs kept/p' "$log" | tail -1)
    printf '%-14s %9s runs %7s runs/s %5s MB, %s\n' \
        "$target" "${runs:-?}" "${rate:-?}" "${rss:-?}" "${coverage:-nothing covered}"
}

failed=()
[ "$replays" = yes ] || echo "seed $seed, $seconds s a target"
for target in "${targets[@]}"; do
    if [ -z "${longest[$target]:-}" ]; then
        echo "no target is called $target; there are: ${!longest[*]}" >&2
        exit 2
    fi
    corpus="Fuzz/Corpus/$target"
    found="$work/$target/found"
    log="$work/$target/log"
    mkdir -p "$found" "$work/$target/failed"
    flags=(
        "--target=$target" -timeout=5 -rss_limit_mb=1024
        "-max_len=${longest[$target]}" "-artifact_prefix=$work/$target/failed/")
    status=0
    if [ "$replays" = yes ]; then
        "$fuzz" "${flags[@]}" "$corpus"/* > "$log" 2>&1 || status=$?
    else
        dictionary="Fuzz/Dictionaries/$target.dict"
        [ -e "$dictionary" ] && flags+=("-dict=$dictionary")
        "$fuzz" "${flags[@]}" "-seed=$seed" "-max_total_time=$seconds" -print_final_stats=1 \
            "$found" "$corpus" > "$log" 2>&1 || status=$?
    fi
    summary "$log"
    if [ $status -ne 0 ]; then
        failed+=("$target")
        grep -nE 'broken promise|ERROR: |SUMMARY: |Test unit written|Running: ' "$log" | tail -4 || true
        echo "    all of it: $log"
        continue
    fi
    # The seeds, and some of what was found.
    inputs=("$corpus"/*)
    if [ "$replays" = no ]; then
        while read -r name; do
            inputs+=("$found/$name")
        done < <(ls "$found" | head -50)
    fi
    if ! "$fuzz" "--target=$target" --growth "${inputs[@]}" > "$log.growth" 2>&1; then
        failed+=("$target")
        tail -5 "$log.growth"
    fi
done
if [ ${#failed[@]} -gt 0 ]; then
    echo "failed: ${failed[*]}" >&2
    exit 1
fi
