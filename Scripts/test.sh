#!/usr/bin/env bash
# Sets up and runs the tests. Arguments go to `swift test`.
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
# The order of sets and dictionaries is no test's to depend on, and is the same in each run.
export SWIFT_DETERMINISTIC_HASHING=1
in_memory swift test "$@"
