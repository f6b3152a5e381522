#!/usr/bin/env bash
# Drives the adapters of a declarative toolkit (Examples/Adapters) and of a text terminal
# (Examples/Terminal) by one script: kills, compares, links cold and warm, closing, undo, preferences
# and a logout. An adapter has at most 120 lines.
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
lines=$(wc -l < Examples/Adapters/Sources/Notes/Adapter.swift)
[ "$lines" -le 120 ] || { echo "the adapter has $lines lines" >&2; exit 1; }
for app in Adapters/Notes Terminal/Terminal; do
    build=(swift build --package-path "Examples/${app%/*}" --scratch-path .build/examples --product "${app#*/}")
    "${build[@]}" >&2
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
    echo "== ${app#*/}"
    python3 Examples/Adapters/drive.py "$("${build[@]}" --show-bin-path 2>/dev/null)/${app#*/}" \
        "$folder/container"
    rm -rf "$folder"
done
