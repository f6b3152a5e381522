#!/usr/bin/env bash
# Builds the documentation; a warning is an error. The result is in .build/documentation.
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
graphs=.build/symbol-graphs
mkdir -p .build/documentation
swift build >&2
build=$(swift build --show-bin-path)
target=$(swiftc -print-target-info | sed -n 's/^ *"triple": "\(.*\)",$/\1/p' | head -1)
search=(-I "$build/Modules" -I Sources/SceneStoreCSQLite)
search+=(-I Sources/SceneStoreCSupport/include -I Sources/SceneStoreCSockets/include)
search+=(-I Sources/SceneStoreCFaults/include)
for map in "$build"/*.build/module.modulemap; do
    [ -e "$map" ] && search+=(-Xcc "-fmodule-map-file=$map")
done
docc="$(dirname "$(command -v swift)")/docc"
[ -x "$docc" ] || docc="$(toolchain)/docc"

# The libraries that an app may import are documented as one.
libraries=(SceneStore SceneStoreExchange SceneStoreFormats SceneStoreHosting SceneStoreInstance)
libraries+=(SceneStoreLinks SceneStoreObservation SceneStorePreScene SceneStoreRecovery SceneStoreUIKit)
layers=(SceneStoreValues SceneStoreEngine SceneStoreStorage)
umbrella="$graphs/umbrella"
rm -rf "$graphs" && mkdir -p "$umbrella"
printf '@_exported import %s\n' "${libraries[@]}" > "$umbrella/All.swift"
swiftc -emit-module -module-name SceneStoreAll -o "$umbrella/SceneStoreAll.swiftmodule" \
    "${search[@]}" "$umbrella/All.swift"

# extract MODULE DIRECTORY [ARGUMENTS]
extract() {
    mkdir -p "$2"
    swift symbolgraph-extract -module-name "$1" "${search[@]}" -minimum-access-level public \
        -target "$target" -output-dir "$2" "${@:3}" >/dev/null
    rm -f "$2"/*@Swift*.json "$2"/*@Foundation*.json
}
extract SceneStoreAll "$graphs/SceneStore" -I "$umbrella" \
    "-experimental-allowed-reexported-modules=$(IFS=, && echo "${libraries[*]},${layers[*]}")"
sed 's/SceneStoreAll/SceneStore/g' "$graphs/SceneStore/SceneStoreAll.symbols.json" \
    > "$graphs/SceneStore/SceneStore.symbols.json"
rm "$graphs/SceneStore"/SceneStoreAll*
extract SceneStoreTesting "$graphs/SceneStoreTesting"

# A page for each code: the row of the table that states its cause, and what to do. The page shows
# it in place of the code's comment. A row without a symbol is a warning.
for module in SceneStore SceneStoreTesting; do
    rm -rf ".build/documentation/$module.docc"
    cp -R "Sources/$module/Documentation.docc" ".build/documentation/$module.docc"
done
codes=.build/documentation/SceneStore.docc/Codes
mkdir "$codes"
awk -F '|' -v folder="$codes" '
    /^#/ { type = /^## Errors of/ ? "SceneStoreError" : /and stores$/ ? "" : "Diagnostic" }
    /^\| `/ && type {
        code = $2
        gsub(/[ `]/, "", code)
        page = folder "/" type "-" code ".md"
        printf "# ``SceneStore/%s/Code/%s``\n\n", type, code > page
        printf "@Metadata {\n@DocumentationExtension(mergeBehavior: override)\n}\n\n" > page
        printf "%s\n\n## What to do\n\n%s\n", $3, $4 > page
        close(page)
    }' Sources/SceneStore/Documentation.docc/{Errors,Linting}.md

for module in SceneStore SceneStoreTesting; do
    "$docc" convert ".build/documentation/$module.docc" \
        --additional-symbol-graph-dir "$graphs/$module" \
        --fallback-display-name "$module" --fallback-bundle-identifier "org.scenestore.$module" \
        --warnings-as-errors --output-path ".build/documentation/$module.doccarchive" >/dev/null
    echo "documentation of $module: .build/documentation/$module.doccarchive"
done
