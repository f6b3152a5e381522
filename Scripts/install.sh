#!/usr/bin/env bash
# Installs the command, its manual pages and its completions, or removes them again.
usage="usage: Scripts/install.sh [--prefix DIR] [--configuration release|debug] [--remove]"
prefix=""
configuration=release
removes=""
here="$PWD"
while [ $# -gt 0 ]; do
    case "$1" in
    --prefix) prefix="${2:?$usage}"; shift 2 ;;
    --prefix=*) prefix="${1#*=}"; shift ;;
    --configuration) configuration="${2:?$usage}"; shift 2 ;;
    --configuration=*) configuration="${1#*=}"; shift ;;
    --remove) removes=yes; shift ;;
    -h | --help)
        echo "$usage"
        echo "Without --prefix: /usr/local if you may write there, else ~/.local."
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

if [ -n "$removes" ]; then
    for file in "${files[@]}"; do
        if [ -e "$file" ]; then
            rm -- "$file"
            echo "removed $file"
        fi
    done
    exit 0
fi

source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
options=(-c "$configuration" --product scenestore)
# With Swift's libraries inside it starts in half the instructions, and goes on when the toolchain is
# moved or updated. Such objects aren't those of other builds, so they have a folder of their own.
resources="$(swiftc -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')"
if [ "$configuration" = release ] && [ -d "${resources}_static/linux" ]; then
    options+=(--static-swift-stdlib -Xlinker -S --scratch-path .build/install)
fi
swift build "${options[@]}" >&2
tool="$(swift build "${options[@]}" --show-bin-path)/scenestore"

# Written beside its place and then moved there, so that a running command is never half replaced.
put() {
    mkdir -p "$(dirname "$2")"
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
