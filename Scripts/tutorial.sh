#!/usr/bin/env bash
# Follows the page "Tutorial: a notebook that comes back" in an empty folder, and compares what
# every command prints. Each step's program must also compile where its files import SwiftUI, too. An
# argument ends it after that step.
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
page="$PWD/Sources/SceneStore/Documentation.docc/Tutorial.md"
last=${1:-99}
# The folder stays, so that a later run builds only what changed; the app's own files are written again.
# Its name has a blank, as a user's may.
folder="$PWD/.build/the tutorial"
mkdir -p "$folder/Notebook"
ln -sfn "$PWD" "$folder/SceneStore"
cd "$folder/Notebook"
rm -rf container customer.sqlite* Sources Tests Package.swift

fail() {
    printf 'tutorial, step %s: %s\n' "$step" "$1" >&2
    exit 1
}

# A listing goes into the file that it names.
write_listing() {
    local path
    path=$(sed -n 's|^// File: ||p' <<< "$1" | head -1)
    [ -n "$path" ] || return 0
    mkdir -p "$(dirname "$path")"
    printf '%s' "$1" > "$path"
}

# SwiftUI where there is none: its names, as a module that is called so.
make_swiftui() {
    mkdir -p ../beside/modules
    swiftc -emit-module -module-name SwiftUI -o ../beside/modules/SwiftUI.swiftmodule \
        ../SceneStore/Sources/SceneStoreSwiftUIStandIn/SwiftUI.swift
}

# Checks the program of a step with `import SwiftUI` in each file.
check_beside_swiftui() {
    local build search=() map file
    build=$(swift build --show-bin-path)
    search=(-I ../beside/modules -I "$build/Modules")
    search+=(-I ../SceneStore/Sources/SceneStoreCSQLite)
    search+=(-I ../SceneStore/Sources/SceneStoreCSupport/include)
    for map in "$build"/*.build/module.modulemap; do
        [ -e "$map" ] && search+=(-Xcc "-fmodule-map-file=$map")
    done
    rm -rf ../beside/Sources
    mkdir -p ../beside/Sources
    for file in Sources/Notebook/*.swift; do
        sed 's/^import SceneStore$/&\nimport SwiftUI/' "$file" > "../beside/Sources/${file##*/}"
    done
    swiftc -typecheck -swift-version 6 -module-name Notebook "${search[@]}" \
        ../beside/Sources/*.swift || fail "the program doesn't compile beside SwiftUI"
}

# Runs a command and holds what it prints against the page's lines; "…" stands for anything.
run_command() {
    local command=$1 expected=$2 actual pattern
    printf '%s\n' "$command" >&2
    # A build looks at times, which a clock that is set back makes older than the last build.
    [ "$command" != "swift build" ] || find . -path ./.build -prune -o -name '*.swift' -exec touch {} +
    actual=$(bash -c "$command" 2> ../errors.txt < /dev/null) || true
    pattern=$(printf '%s' "$expected" | sed -e 's/[][\\*?]/\\&/g' -e 's/…/*/g')
    # shellcheck disable=SC2053
    if [[ $actual != $pattern ]]; then
        tail -20 ../errors.txt >&2
        diff <(printf '%s\n' "$expected") <(printf '%s\n' "$actual") >&2 || true
        fail "\`$command\` prints something else"
    fi
    [ "$command" != "swift build" ] || check_beside_swiftui
}

play_console() {
    local line command="" expected=""
    while IFS= read -r line; do
        if [[ $line == '$ '* ]]; then
            [ -z "$command" ] || run_command "$command" "${expected%$'\n'}"
            command=${line:2}
            expected=""
        else
            expected+=$line$'\n'
        fi
    done <<< "${1%$'\n'}"
    run_command "$command" "${expected%$'\n'}"
}

step=0
make_swiftui
kind=""
block=""
commands=0
while IFS= read -r line; do
    case $kind in
        "")
            case $line in
                '## Step '*)
                    step=${line#'## Step '}
                    step=${step%%:*}
                    [ "$step" -le "$last" ] || break
                    printf '== %s\n' "${line#'## '}" >&2
                    ;;
                '```swift') kind=swift ;;
                '```console') kind=console ;;
                '```'?*) kind=other ;;
            esac
            block=""
            ;;
        *)
            if [ "$line" != '```' ]; then
                block+=$line$'\n'
                continue
            fi
            case $kind in
                swift) write_listing "$block" ;;
                console)
                    play_console "$block"
                    commands=$((commands + 1))
                    ;;
            esac
            kind=""
            ;;
    esac
done < "$page"
[ "$commands" -gt 0 ] || fail "the page has no command"
echo "the tutorial's $step steps print what the page says"
