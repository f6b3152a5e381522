#!/usr/bin/env bash
# Tests the example app of the text terminal on a simulated device. Then drives it through a
# pseudo-terminal: kills it, passes links on, starts ten processes at once, undoes a closing, asks about
# a draft, and ends it by SIGTERM. Counts the app's lines of restoration.
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
lines=$(grep -cvE '^ *(//.*|[]})]*)$' Examples/Terminal/Sources/Terminal/Persistence.swift)
if [ "$lines" -gt 25 ]; then
    echo "the app's own code for restoration is $lines lines, over 25" >&2
    exit 1
fi
swift test --package-path Examples/Terminal --scratch-path .build/examples >&2
app="$(swift build --package-path Examples/Terminal --scratch-path .build/examples --show-bin-path \
    2>/dev/null)/Terminal"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 Examples/Terminal/drive.py "$app" "$folder/container"
echo "the app's own code for restoration: $lines lines"
