#!/usr/bin/env bash
# Sets up, builds for release and measures the store against a C program on the same SQLite.
# Arguments go to the benchmarks: --quick, --only NAME, --json, --check, --help.
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
swift build -c release --product SceneStoreBenchmarks >&2
SCENESTORE_SWIFT_VERSION="$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([^ ]*\).*/\1/p')"
export SCENESTORE_SWIFT_VERSION
folder=.build/benchmarks
mkdir -p "$folder"
exec "$(swift build -c release --show-bin-path)/SceneStoreBenchmarks" --directory "$folder" "$@"
