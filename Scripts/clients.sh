#!/usr/bin/env bash
# Builds apps that use the package as strangers do, and launches each twice: by a URL and a version,
# also as a dependency of a dependency, in a folder whose name has a blank, in Swift 5 and Swift 6
# mode with strict concurrency, beside a package with an SQLite module of its own, with Swift's
# libraries linked statically, and without a Package.resolved.
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
rm -rf ".build/strange clients"
mkdir -p ".build/strange clients/SceneStore"
tar -cf - -C Examples/Clients App Middle Ledger | tar -xf - -C ".build/strange clients"
git ls-files -co --exclude-standard -z | tar --null -T - -cf - |
    tar -xf - -C ".build/strange clients/SceneStore"
cd ".build/strange clients"

# The version that the apps ask for: the files as they are now.
git=(git -C SceneStore -c user.name=clients -c user.email=clients@example.com -c commit.gpgsign=false)
"${git[@]}" init -q
"${git[@]}" add -A
"${git[@]}" commit -q -m "the release"
"${git[@]}" tag 1.0.0

unset SCENESTORE_STRICT
build=(swift build --package-path App -Xswiftc -strict-concurrency=complete)
# The user's own records of packages hold no 1.0.0 that differs.
build+=(--cache-path cache --security-path security)
if [ "$(uname -s)" != Darwin ]; then
    build+=(--static-swift-stdlib)
fi
"${build[@]}" 2>&1 | tee build.txt >&2
# Of the sources, not of the linker, which warns of Swift's own libraries.
if grep -E '\.swift:[0-9]+:[0-9]+: warning:' build.txt; then
    echo "the apps' build prints warnings" >&2
    exit 1
fi
products="$("${build[@]}" --show-bin-path)"
for app in Five Six; do
    "$products/$app" "a $app" | tee -a printed.txt
    "$products/$app" "a $app" | tee -a printed.txt
done
cmp printed.txt - <<'END'
Swift 5, launch 1: (nothing yet)
Swift 5, launch 2: from launch 1
Swift 6, launch 1: ["(nothing yet)"]
Swift 6, launch 2: ["from launch 1"]
END
