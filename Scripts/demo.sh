#!/usr/bin/env bash
# Sets up, builds the command and plays the example: the life of two windows, over five launches.
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
swift build --product scenestore >&2
exec "$(swift build --show-bin-path)/scenestore" simulate Examples/Scenarios/two-windows.scenario "$@"
