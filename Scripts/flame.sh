#!/usr/bin/env bash
# Draws flame graphs of a save, a relaunch and an opening, for the page Performance.
# Needs Linux's `perf`, and a kernel that permits it to count.
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
command -v perf >/dev/null || { echo "perf is missing (Debian: linux-perf)" >&2; exit 2; }
proofs=(--package-path Proofs --scratch-path .build/proofs -c release)
for product in SceneStoreBenchmarks SceneStoreBenchmarkApp scenestore; do
    swift build "${proofs[@]}" --product "$product" >&2
done
bin=$(swift build "${proofs[@]}" --show-bin-path)
pictures=Sources/SceneStore/Documentation.docc/Resources
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# draw PICTURE ROOT TITLE COMMAND...
draw() {
    perf record -q -F 1999 --call-graph dwarf,32768 -o "$folder/samples" "${@:4}" >/dev/null 2>&1
    perf script -i "$folder/samples" --no-inline -F ip,sym 2>/dev/null \
        | python3 Scripts/flame/flame.py --root "$2" --title "$3" > "$pictures/$1.svg"
}

"$bin/scenestore" fixture make --template 10000-sessions -o "$folder/store" --yes >/dev/null
cp -r "$folder/store" "$folder/all"
SCENESTORE_PROOFS="$PWD/Proofs" draw flame-save "SceneSessionStore.save(" \
    "Saves of 200 bytes to 1 MB, durable and not" \
    "$bin/SceneStoreBenchmarks" --directory "$folder" --quick --only save
draw flame-relaunch "SceneApplication.launch(" "A launch that connects 10 000 windows" \
    "$bin/SceneStoreBenchmarkApp" "$folder/all" all
draw flame-opening "SceneSessionStore.open(" "Openings of a store with 10 000 sessions" \
    bash -c "for i in \$(seq 60); do '$bin/SceneStoreBenchmarkApp' '$folder/store' front; done"
