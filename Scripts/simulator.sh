#!/usr/bin/env bash
# simulator.sh [DESTINATION]: builds SceneStoreUIKit for an iOS simulator, and runs the tests of the
# values and of their conversion to Foundation's objects there. The tests that call the recorder and
# the forwarder need the stand-in, so they exist only where there is no UIKit: the steps of the page
# "What was not run on a device" check these two by hand. Needs a Mac with Xcode. It has never been
# run, because it was written without a Mac.
set -euo pipefail
cd "$(dirname "$0")/.."

[ "$(uname -s)" = Darwin ] || { echo "simulator.sh: needs a Mac with Xcode" >&2; exit 2; }
command -v xcodebuild >/dev/null || { echo "simulator.sh: xcodebuild is missing" >&2; exit 2; }

destination=${1:-platform=iOS Simulator,name=iPhone 17}
build=(-destination "$destination" -derivedDataPath .build/simulator -quiet)

xcodebuild build -scheme SceneStoreUIKit "${build[@]}"
xcodebuild test -scheme SceneStore-Package "${build[@]}" \
    -only-testing:SceneStoreUIKitTests -only-testing:SceneStoreValuesTests
echo "simulator.sh: SceneStoreUIKit builds, and the tests of the values pass, on $destination"
