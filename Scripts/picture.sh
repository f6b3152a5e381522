#!/usr/bin/env bash
# Makes the picture of the documentation: plays a fortnight, draws the report, takes a screenshot.
# Needs Chromium; $SCENESTORE_CHROMIUM names the program if it isn't `chromium`.
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
picture=Sources/SceneStore/Documentation.docc/Resources/report.png
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
swift build --product scenestore >&2
tool=$(swift build --show-bin-path)/scenestore
"$tool" simulate Examples/Scenarios/fortnight.scenario --store "$folder/store" >/dev/null
"$tool" report --store "$folder/store" -o "$folder/report.html"
"${SCENESTORE_CHROMIUM:-chromium}" --headless=new --no-sandbox --disable-gpu --hide-scrollbars \
    --force-device-scale-factor=1 --window-size=1280,1372 --user-data-dir="$folder/profile" \
    --screenshot="$PWD/$picture" "file://$folder/report.html" >/dev/null 2>&1
echo "$picture"
