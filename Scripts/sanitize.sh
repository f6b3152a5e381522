#!/usr/bin/env bash
# Runs the tests under the address sanitizer, optimised, as a debug build takes an hour:
#
#     Scripts/sanitize.sh [ARGUMENTS OF swift test]
#
# Fails on any report, also of a program that a test starts. What the toolchain's own test runner
# leaves behind at its end is no leak of ours: leaks are looked for by Scripts/fuzz.sh. The thread
# sanitizer can't be used here: on Linux it does not see the locks of Swift's Synchronization.
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
export ASAN_OPTIONS="detect_leaks=0:${ASAN_OPTIONS:-}"
exec swift test -c release -Xswiftc -enable-testing --sanitize address \
    --scratch-path .build/sanitize "$@"
