#!/usr/bin/env bash
# Runs the tests under a sanitizer, optimised, as a debug build takes an hour (R-66):
#
#     Scripts/sanitize.sh [address | thread] [ARGUMENTS OF swift test]
#
# Fails on any report, also of a program that a test starts. Scripts/fuzz.sh finds leaks; here they are
# ignored, because the toolchain's own test runner leaks at its end.
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
kind=address
case "${1:-}" in address | thread) kind=$1 && shift ;; esac
export ASAN_OPTIONS="detect_leaks=0:${ASAN_OPTIONS:-}"
folder=.build/sanitize-$kind
build=(-c release -Xswiftc -enable-testing --sanitize "$kind" --scratch-path "$folder")
swift build --build-tests "${build[@]}"
if [ "$kind" = thread ] && [ "$(uname)" = Linux ]; then
    clang -O2 -Wall -Werror -shared -fPIC -o "$folder/locks.so" Scripts/sanitize/locks.c
    export LD_PRELOAD="$PWD/$folder/locks.so"
fi
if [ "$kind" = thread ]; then
    swiftc -O -sanitize=thread -o "$folder/race" Scripts/sanitize/race.swift
    if ! "$folder/race" >/dev/null || "$folder/race" racing >/dev/null 2>&1; then
        echo "The control failed: what a lock guards is reported, or a race is not." >&2
        exit 1
    fi
fi
exec swift test --skip-build "${build[@]}" "$@"
