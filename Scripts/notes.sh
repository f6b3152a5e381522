#!/usr/bin/env bash
# Builds the desktop app of the examples and drives it on a screen of its own (Xvfb): opens three
# windows, types, kills it with SIGKILL, starts it again, and compares titles, contents and a
# screenshot; then closes a window and undoes that, renames a configuration in an update, and wipes
# the container. With a folder as argument the two screenshots are left there.
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
pictures=${1:-}

missing=()
pkg-config --exists gtk4 2>/dev/null || missing+=(libgtk-4-dev)
command -v Xvfb >/dev/null 2>&1 || missing+=(xvfb)
command -v xdotool >/dev/null 2>&1 || missing+=(xdotool)
command -v openbox >/dev/null 2>&1 || missing+=(openbox)
command -v compare >/dev/null 2>&1 || missing+=(imagemagick)
command -v dbus-run-session >/dev/null 2>&1 || missing+=(dbus)
command -v pkg-config >/dev/null 2>&1 || missing+=(pkg-config)
if [ ${#missing[@]} -gt 0 ]; then
    if ! command -v apt-get >/dev/null 2>&1; then
        echo "Install ${missing[*]}, then run this again." >&2
        exit 2
    fi
    as_root=""
    [ "$(id -u)" -eq 0 ] || as_root=sudo
    echo "Installing ${missing[*]}, which are missing (apt-get)." >&2
    $as_root apt-get update -qq >&2
    DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq --no-install-recommends \
        "${missing[@]}" fonts-dejavu-core adwaita-icon-theme >&2
fi

lines=$(wc -l < Examples/Notes/Sources/Notes/Persistence.swift)
if [ "$lines" -ge 60 ]; then
    echo "the app's own code for persistence is $lines lines, not under 60" >&2
    exit 1
fi

swift build --package-path Examples/Notes --scratch-path .build/examples >&2
NOTES="$(swift build --package-path Examples/Notes --scratch-path .build/examples --show-bin-path \
    2>/dev/null)/Notes"
export NOTES
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Nothing of the user's own settings, programs or services takes part.
export HOME="$work/home" XDG_RUNTIME_DIR="$work/run" XDG_CONFIG_HOME="$work/home/.config"
mkdir -p "$XDG_CONFIG_HOME" "$XDG_RUNTIME_DIR"
chmod 700 "$XDG_RUNTIME_DIR"
export GDK_BACKEND=x11 GSK_RENDERER=cairo GTK_A11Y=none GTK_THEME=Adwaita LC_ALL=C.UTF-8
export GSETTINGS_BACKEND=memory NO_AT_BRIDGE=1 WORK="$work"
timeout 240 dbus-run-session -- Examples/Notes/drive.sh
if [ -n "$pictures" ]; then
    mkdir -p "$pictures"
    cp "$work/before.png" "$pictures/notes-before.png"
    cp "$work/after.png" "$pictures/notes-after.png"
fi
echo "the app's own code for persistence: $lines lines"
