#!/usr/bin/env bash
# Runs the tests under a sanitizer, optimised, as a debug build takes an hour:
#
#     Scripts/sanitize.sh address|thread [ARGUMENTS OF swift test]
#
# Fails on any report, also of a program that a test starts. What the toolchain's own test runner
# leaves behind at its end is no leak of ours: leaks are looked for by Scripts/fuzz.sh.
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
kind=${1:-address}
case $kind in
address | thread) ;;
*)
    sed -n '2,6s/^# \{0,1\}//p' "$0" >&2
    exit 2
    ;;
esac
shift || true
export ASAN_OPTIONS="detect_leaks=0:${ASAN_OPTIONS:-}"
export TSAN_OPTIONS="halt_on_error=1:${TSAN_OPTIONS:-}"
exec swift test -c release -Xswiftc -enable-testing --sanitize "$kind" \
    --scratch-path ".build/sanitize-$kind" "$@"
