#!/usr/bin/env bash
# Sets up and runs the tests. Arguments go to `swift test`.
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
exec swift test "$@"
