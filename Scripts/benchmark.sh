#!/usr/bin/env bash
# Sets up, builds for release and measures the store against a C program on the same SQLite.
# Arguments go to the benchmarks: --quick, --only NAME, --list, --json, --markdown, --check, --help.
# With --static first, the least app is built a second time, with Swift's libraries inside (a few
# minutes, once).
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
proofs=(--package-path Proofs --scratch-path .build/proofs)
if [ "${1:-}" = --static ]; then
    shift
    swift build -c release --package-path Proofs --static-swift-stdlib \
        --scratch-path .build/static \
        --product SceneStoreBenchmarkApp >&2
fi
SCENESTORE_STATIC_APP="$PWD/.build/static/release/SceneStoreBenchmarkApp"
export SCENESTORE_STATIC_APP
for product in SceneStoreBenchmarks SceneStoreBenchmarkApp SceneStoreBenchmarkFloorApp scenestore; do
    swift build "${proofs[@]}" -c release --product "$product" >&2
done
SCENESTORE_SWIFT_VERSION="$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([^ ]*\).*/\1/p')"
export SCENESTORE_SWIFT_VERSION
SCENESTORE_PROOFS="$PWD/Proofs"
export SCENESTORE_PROOFS
folder=.build/benchmarks
mkdir -p "$folder"
exec "$(swift build "${proofs[@]}" -c release --show-bin-path)/SceneStoreBenchmarks" --directory "$folder" "$@"
