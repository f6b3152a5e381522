#!/usr/bin/env bash
# The user's part of Scripts/notes.sh on Wayland: a compositor without a display (sway), a panel with a
# tray (Waybar), and keys (wtype). Scripts/notes.sh calls it on a session bus of its own.
source "$(dirname "${BASH_SOURCE[0]}")/driver.sh"
compositor=
panel=
keyboard=

cleanup() {
    [ -z "$app" ] || kill -9 "$app" 2>/dev/null || true
    [ -z "$panel" ] || kill "$panel" 2>/dev/null || true
    [ -z "$keyboard" ] || kill "$keyboard" 2>/dev/null || true
    [ -z "$compositor" ] || kill "$compositor" 2>/dev/null || true
}
trap cleanup EXIT

shot() { grim "$1"; }
key() { wtype -s 50 "$@"; }
control() { key -M ctrl "$@" -m ctrl; }
type_text() {
    focus "$1"
    key -d 5 "$2"
    await shows "text $2"
}
nobody() { ! on_bus && ! swaymsg -t get_tree | grep -qF org.scenestore.Notes; }
focus() {
    await swaymsg "[title=\"^$1\$\"] focus"
    await front "$1"
}
picture() { await still "$1"; }

# The compositor refuses to run as root. Its sockets are in a folder of its own.
seat="$WORK/seat"
mkdir -m 700 "$seat"
as_user=()
if [ "$(id -u)" -eq 0 ]; then
    chmod 711 "$WORK"
    chown nobody "$seat"
    as_user=(setpriv --reuid nobody --regid nogroup --clear-groups)
fi
printf '%s\n' 'xwayland disable' 'output HEADLESS-1 resolution 960x580 position 0 0' \
    'output * background #4f6d88 solid_color' 'for_window [app_id=".*"] floating enable' \
    > "$WORK/sway.conf"
printf '%s\n' '{"layer": "top", "position": "bottom", "height": 30, "modules-right": ["tray"],' \
    '"tray": {"icon-size": 24}}' > "$WORK/waybar.json"
XDG_RUNTIME_DIR="$seat" WLR_BACKENDS=headless WLR_LIBINPUT_NO_DEVICES=1 WLR_RENDERER=pixman \
    "${as_user[@]}" sway -c "$WORK/sway.conf" > "$WORK/sway.log" 2>&1 &
compositor=$!
sockets() { ls "$seat"/wayland-? "$seat"/sway-ipc*.sock; }
await sockets
WAYLAND_DISPLAY=$(echo "$seat"/wayland-?)
SWAYSOCK=$(echo "$seat"/sway-ipc*.sock)
export WAYLAND_DISPLAY SWAYSOCK
await swaymsg -t get_outputs
# Without a keyboard no window has the focus. This one sleeps as long as the driver runs.
wtype -s 300000 &
keyboard=$!
watcher() {
    gdbus call --session --dest org.kde.StatusNotifierWatcher --object-path /StatusNotifierWatcher \
        --method org.freedesktop.DBus.Properties.Get org.kde.StatusNotifierWatcher \
        RegisteredStatusNotifierItems
}
waybar -c "$WORK/waybar.json" > "$WORK/waybar.log" 2>&1 &
panel=$!
await watcher

step "two windows on Wayland"
start notes:Shopping
type_text Shopping 'Apples, bread and coffee'
"$NOTES" notes:Journey
await front Journey
type_text Journey 'From the coast'
swaymsg '[title="^Journey$"] resize set 500 350' > /dev/null
await shows 'size 500x350'
focus Shopping
await stored 'From the coast'
describe > "$WORK/before.txt"
cat "$WORK/before.txt"
[ "$(wc -l < "$WORK/before.txt")" -eq 2 ] || fail "there are not two windows"
picture wayland-before

step "kill -9, and a new process"
sigkill
start
await same "$WORK/before.txt"
picture wayland-after
expect_alike wayland-before wayland-after

step "closed, and undone"
focus Journey
control s
await shows '"Journey" cursor'
control w
await counts 1
gapplication action org.scenestore.Notes undo-close
await shows 'From the coast'
focus Shopping
describe > "$WORK/before.txt"

# What a panel knows of the icon: the bus name, and the path.
icon() { watcher | grep -oE "'[^']*/StatusNotifierItem'" | tr -d "'"; }
# What a panel does when the user clicks on the icon.
click_icon() {
    local item
    item=$(icon)
    gdbus call --session --dest "${item%%/*}" --object-path "/${item#*/}" \
        --method org.kde.StatusNotifierItem.Activate 930 560 > /dev/null
}
no_icon() { ! icon; }
# Ends the app, and starts it in the tray.
begin_in_tray() {
    kill -TERM "$app"
    ends
    await no_icon
    "$NOTES" --tray > "$WORK/app.log" 2>&1 &
    app=$!
    await icon
}
step "in the tray: no window by itself, and a click brings all back"
begin_in_tray
counts 0 || fail "a window came back by itself"
picture notes-tray
click_icon
await same "$WORK/before.txt"
step "a click with windows shows the front one"
click_icon
await front Shopping
counts 2 || fail "a click made a window"
step "a link gets a window, with the app in the tray and no window"
begin_in_tray
"$NOTES" notes:Letter
await front Letter
counts 1 || fail "the link did not make one window"
kill -TERM "$app"
ends
echo "passed in ${SECONDS} s"
