#!/usr/bin/env bash
# Sets up, builds for release and measures the store against a C program on the same SQLite.
# Arguments go to the benchmarks: --quick, --only NAME, --list, --json, --markdown, --check, --help.
# With --static first, the least app is built a second time, with Swift's libraries inside (a few
# minutes, once). The family `beside` measures what people use instead; SCENESTORE_GRDB names a checkout of
# GRDB.swift, whose records are then among it.
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
if [[ " $* " != *" --only "* || " $* " == *" beside "* ]]; then
    swift build -c release --package-path Proofs/Beside --scratch-path .build/beside >&2
fi
export SCENESTORE_BESIDE="$PWD/.build/beside/release"
SCENESTORE_SWIFT_VERSION="$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([^ ]*\).*/\1/p')"
export SCENESTORE_SWIFT_VERSION
SCENESTORE_PROOFS="$PWD/Proofs"
export SCENESTORE_PROOFS
folder=.build/benchmarks
mkdir -p "$folder"
exec "$(swift build "${proofs[@]}" -c release --show-bin-path)/SceneStoreBenchmarks" --directory "$folder" "$@"
