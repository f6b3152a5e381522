#!/usr/bin/env bash
# Installs the command, its manual pages and its completions, or removes them again.
usage="usage: Scripts/install.sh [--prefix DIR] [--configuration release|debug] [--program FILE] [--remove]"
prefix=""
configuration=release
removes=""
program=""
here="$PWD"
while [ $# -gt 0 ]; do
    case "$1" in
    --prefix) prefix="${2:?$usage}"; shift 2 ;;
    --prefix=*) prefix="${1#*=}"; shift ;;
    --configuration) configuration="${2:?$usage}"; shift 2 ;;
    --configuration=*) configuration="${1#*=}"; shift ;;
    --program) program="${2:?$usage}"; shift 2 ;;
    --remove) removes=yes; shift ;;
    -h | --help)
        echo "$usage"
        echo "Without --prefix: /usr/local if you may write there, else ~/.local."
        echo "--program installs a command that is built already."
        exit 0
        ;;
    *) echo "$usage" >&2; exit 2 ;;
    esac
done
set -euo pipefail
if [ -z "$prefix" ]; then
    prefix="$HOME/.local"
    if [ -w /usr/local/bin ]; then
        prefix=/usr/local
    fi
fi
case "$prefix" in
/*) ;;
*) prefix="$here/$prefix" ;;
esac

# Everything that is installed, and nothing else is ever removed.
files=(
    "$prefix/bin/scenestore"
    "$prefix/share/man/man1/scenestore.1"
    "$prefix/share/bash-completion/completions/scenestore"
    "$prefix/share/zsh/site-functions/_scenestore"
    "$prefix/share/fish/vendor_completions.d/scenestore.fish"
)
# The folders that were made for them, the deepest last.
made="$prefix/share/scenestore/folders"

if [ -n "$removes" ]; then
    for file in "${files[@]}"; do
        if [ -e "$file" ]; then
            rm -- "$file"
            echo "removed $file"
        fi
    done
    if [ -e "$made" ]; then
        folders="$(awk '{ line[NR] = $0 } END { for (i = NR; i > 0; i--) print line[i] }' "$made")"
        rm -- "$made"
        while read -r folder; do
            # One that holds something else by now stays.
            rmdir -- "$folder" 2>/dev/null && echo "removed $folder" || true
        done <<< "$folders"
    fi
    exit 0
fi

case "$program" in
"" | /*) ;;
*) program="$here/$program" ;;
esac
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
options=(-c "$configuration" --product scenestore)
# With Swift's libraries inside it starts in half the instructions, and goes on when the toolchain is
# moved or updated. Such objects aren't those of other builds, so they have a folder of their own.
resources="$(swiftc -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')"
if [ "$configuration" = release ] && [ -d "${resources}_static/linux" ]; then
    options+=(--static-swift-stdlib --scratch-path .build/install)
    # Small code, without what only a debugger reads: a fifth of the size and a seventh of the build.
    # Its own names aren't exported either, so the linker leaves out what nobody calls.
    options+=(-Xswiftc -Osize -Xswiftc -gnone -Xswiftc -Xfrontend -Xswiftc -function-sections)
    options+=(-Xlinker --no-export-dynamic -Xlinker -s)
fi
tool="$program"
if [ -z "$tool" ]; then
    swift build "${options[@]}" >&2
    tool="$(swift build "${options[@]}" --show-bin-path)/scenestore"
fi

# Written beside its place and then moved there, so that a running command is never half replaced.
make_folder() {
    [ -d "$1" ] && return
    make_folder "$(dirname "$1")"
    mkdir -- "$1"
    new_folders+=("$1")
}
new_folders=()
for file in "${files[@]}" "$made"; do
    make_folder "$(dirname "$file")"
done
if [ "${#new_folders[@]}" -gt 0 ]; then
    printf '%s\n' "${new_folders[@]}" >> "$made"
fi
put() {
    local new="$2.new.$$"
    "$1" > "$new"
    chmod "$3" "$new"
    mv -f -- "$new" "$2"
    echo "$2"
}
program() { cat "$tool"; }
manual() { "$tool" help --man; }
for_bash() { "$tool" completions bash; }
for_zsh() { "$tool" completions zsh; }
for_fish() { "$tool" completions fish; }
put program "${files[0]}" 755
put manual "${files[1]}" 644
put for_bash "${files[2]}" 644
put for_zsh "${files[3]}" 644
put for_fish "${files[4]}" 644

case ":$PATH:" in
*":$prefix/bin:"*) ;;
*) echo "add $prefix/bin to your PATH" >&2 ;;
esac
