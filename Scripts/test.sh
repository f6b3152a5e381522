#!/usr/bin/env bash
# Sets up and runs the tests. Arguments go to `swift test`.
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
# The order of sets and dictionaries is no test's to depend on, and is the same in each run.
export SWIFT_DETERMINISTIC_HASHING=1
mkdir -p .build
if ! in_memory swift test "$@" 2>&1 | tee .build/tests.txt; then
    # Among thousands of lines nobody finds them.
    printf '\nWhat failed:\n' >&2
    grep -E '^(✘|error:)|: error:|Fatal error|unexpected signal' .build/tests.txt >&2
    exit 1
fi
