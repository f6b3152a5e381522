#!/usr/bin/env bash
# Tests the example app of the text terminal on a simulated device. Then drives it through a
# pseudo-terminal: kills it, passes links on, starts ten processes at once, undoes a closing, asks about
# a draft, and ends it by SIGTERM.
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
swift test --package-path Examples/Terminal --scratch-path .build/examples >&2
app="$(swift build --package-path Examples/Terminal --scratch-path .build/examples --show-bin-path \
    2>/dev/null)/Terminal"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 Examples/Terminal/drive.py "$app" "$folder/container"
