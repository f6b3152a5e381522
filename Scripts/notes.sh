#!/usr/bin/env bash
# Builds the desktop app of the examples and drives it on a virtual screen (Xvfb) and a separate session
# bus: kills it, starts it again and compares titles, texts and a screenshot; closes all
# windows and undoes that; opens preferences and a private window; is asked about unsaved notes; sends
# SIGTERM; starts ten processes at once; renames a configuration in an update; follows links by the
# session bus and by xdg-open; brings missing windows back on the restore page; and takes a display away.
# Then it drives the app on Wayland (sway), with a tray (Waybar), where those can be installed.
# With a folder as argument the screenshots are left there.
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
pictures=${1:-}

# Installs packages of Debian, where there are any.
install_packages() {
    local as_root=""
    [ "$(id -u)" -eq 0 ] || as_root=sudo
    echo "Installing $*, which are missing (apt-get)." >&2
    $as_root apt-get update -qq >&2
    DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq --no-install-recommends "$@" >&2
}

missing=()
pkg-config --exists gtk4 2>/dev/null || missing+=(libgtk-4-dev)
command -v Xvfb >/dev/null 2>&1 || missing+=(xvfb)
command -v xdotool >/dev/null 2>&1 || missing+=(xdotool)
command -v openbox >/dev/null 2>&1 || missing+=(openbox)
command -v compare >/dev/null 2>&1 || missing+=(imagemagick)
command -v dbus-run-session >/dev/null 2>&1 || missing+=(dbus)
command -v xrandr >/dev/null 2>&1 || missing+=(x11-xserver-utils)
command -v gio >/dev/null 2>&1 || missing+=(libglib2.0-bin)
command -v pkg-config >/dev/null 2>&1 || missing+=(pkg-config)
if [ ${#missing[@]} -gt 0 ]; then
    if ! command -v apt-get >/dev/null 2>&1; then
        echo "Install ${missing[*]}, then run this again." >&2
        exit 2
    fi
    install_packages "${missing[@]}" fonts-dejavu-core adwaita-icon-theme
fi
if ! command -v xdg-open >/dev/null 2>&1; then
    { command -v apt-get >/dev/null 2>&1 && install_packages xdg-utils; } \
        || echo "xdg-open can't be installed: what it opens is skipped." >&2
fi

wayland_tools() { command -v sway && command -v wtype && command -v waybar && command -v grim; }
if ! wayland_tools >/dev/null 2>&1; then
    { command -v apt-get >/dev/null 2>&1 && install_packages sway wtype waybar grim; } \
        || echo "sway, wtype, waybar or grim can't be installed: Wayland is skipped." >&2
fi

swift build --package-path Examples/Notes --scratch-path .build/examples >&2
NOTES="$(swift build --package-path Examples/Notes --scratch-path .build/examples --show-bin-path \
    2>/dev/null)/Notes"
export NOTES
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Nothing of the user's own settings, programs or services takes part.
export HOME="$work/home" XDG_RUNTIME_DIR="$work/run" XDG_CONFIG_HOME="$work/home/.config"
export XDG_STATE_HOME="$work/home/.local/state" XDG_DATA_HOME="$work/home/.local/share"
mkdir -p "$XDG_CONFIG_HOME" "$XDG_RUNTIME_DIR" "$XDG_STATE_HOME" "$XDG_DATA_HOME"
chmod 700 "$XDG_RUNTIME_DIR"
export GDK_BACKEND=x11 GSK_RENDERER=cairo GTK_A11Y=none GTK_THEME=Adwaita LC_ALL=C.UTF-8
export GSETTINGS_BACKEND=memory NO_AT_BRIDGE=1 WORK="$work"
timeout 240 dbus-run-session -- Examples/Notes/drive.sh
if wayland_tools >/dev/null 2>&1; then
    rm -rf "${XDG_STATE_HOME:?}" "${XDG_DATA_HOME:?}"
    mkdir -p "$XDG_STATE_HOME" "$XDG_DATA_HOME"
    GDK_BACKEND=wayland timeout 120 dbus-run-session -- Examples/Notes/drive-wayland.sh
fi
if [ -n "$pictures" ]; then
    mkdir -p "$pictures"
    for picture in "$work"/notes-*.png; do
        convert "$picture" -strip -colors 64 "PNG8:$pictures/$(basename "$picture")"
    done
fi
