#!/usr/bin/env bash
# Makes the picture of a terminal session for the documentation: plays a fortnight, and draws what the
# command prints. Needs rich, a library of Python (Debian: python3-rich).
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
python3 -c 'import rich' 2>/dev/null || { echo "rich is missing (Debian: python3-rich)" >&2; exit 2; }
picture=Sources/SceneStore/Documentation.docc/Resources/session.svg
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
swift build --product scenestore >&2
tool=$(swift build --show-bin-path)/scenestore
export COLUMNS=100
"$tool" simulate Examples/Scenarios/fortnight.scenario --store "$folder/fortnight" >/dev/null
cd "$folder"
for line in "sessions --store fortnight" "why @last --store fortnight"; do
    printf '\033[2m$\033[0m scenestore %s\n' "$line"
    # shellcheck disable=SC2086
    "$tool" $line --color always
    echo
done | python3 "$OLDPWD/Scripts/session/draw.py" --title "A fortnight of an app" --columns "$COLUMNS" \
    > "$OLDPWD/$picture"
echo "$picture"
