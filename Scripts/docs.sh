#!/usr/bin/env bash
# Builds the documentation; a warning is an error. The result lies in .build/documentation.
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
graphs=.build/symbol-graphs
mkdir -p .build/documentation
swift build >&2
for module in SceneStore SceneStoreTesting; do
    rm -rf "$graphs" && mkdir -p "$graphs"
    triple_build=$(swift build --show-bin-path)
    maps=(-I Sources/SceneStoreCSupport/include -I Sources/SceneStoreCFaults/include)
    for map in "$triple_build"/*.build/module.modulemap; do
        [ -e "$map" ] && maps+=(-Xcc "-fmodule-map-file=$map")
    done
    swift symbolgraph-extract -module-name "$module" -I "$triple_build/Modules" \
        -I Sources/SceneStoreCSQLite "${maps[@]}" -minimum-access-level public \
        -target "$(swiftc -print-target-info | sed -n 's/^ *"triple": "\(.*\)",$/\1/p' | head -1)" \
        -output-dir "$graphs" >/dev/null
    rm -f "$graphs"/*@Swift*.json "$graphs"/*@Foundation*.json
    docc="$(dirname "$(command -v swift)")/docc"
    [ -x "$docc" ] || docc="$(dirname "$(readlink -f "$(command -v swift)")")/docc"
    catalogue="Sources/$module/Documentation.docc"
    "$docc" convert "$catalogue" --additional-symbol-graph-dir "$graphs" \
        --fallback-display-name "$module" --fallback-bundle-identifier "org.scenestore.$module" \
        --warnings-as-errors --output-path ".build/documentation/$module.doccarchive" >/dev/null
    echo "documentation of $module: .build/documentation/$module.doccarchive"
done
