#!/usr/bin/env bash
# Drives the adapters of a declarative toolkit and of GTK 4 (Examples/Adapters) and of a text terminal
# (Examples/Terminal) by one script: kills, compares, links cold and warm, closing, undo, preferences
# and a logout. An adapter has at most 120 lines. GTK's is skipped without GTK 4, Xvfb, openbox and
# xdotool, which Scripts/notes.sh installs.
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Drives a product of an example, whose adapter is one file.
drive() {
    local example=$1 product=$2 lines
    lines=$(wc -l <"Examples/$example/Sources/$product/Adapter.swift")
    [ "$lines" -le 120 ] || { echo "the adapter of $product has $lines lines" >&2; exit 1; }
    local build=(swift build --package-path "Examples/$example" --scratch-path .build/examples --product "$product")
    # Otherwise SwiftPM may take the plan of the example that was built here before.
    rm -f .build/examples/debug.yaml
    "${build[@]}" >&2
    echo "== $product, with an adapter of $lines lines"
    python3 Examples/Adapters/drive.py "$("${build[@]}" --show-bin-path 2>/dev/null)/$product" \
        "$folder/$product"
}

drive Adapters Notes
drive Terminal Terminal
missing=()
pkg-config --exists gtk4 2>/dev/null || missing+=("GTK 4")
for tool in Xvfb openbox xdotool; do
    command -v "$tool" >/dev/null || missing+=("$tool")
done
if [ ${#missing[@]} -eq 0 ]; then
    drive Adapters GtkNotes
else
    echo "skipped GTK's adapter, because these are missing: ${missing[*]}"
fi
