#!/usr/bin/env bash
# The user's part of Scripts/notes.sh, which calls this on a session bus of its own.
set -euo pipefail
[ -z "${TRACE:-}" ] || { exec 9> "$TRACE"; BASH_XTRACEFD=9; set -x; }
container="$WORK/container"
app=
screen=

cleanup() {
    [ -z "$app" ] || kill -9 "$app" 2>/dev/null || true
    [ -z "$manager" ] || kill "$manager" 2>/dev/null || true
    [ -z "$screen" ] || kill "$screen" 2>/dev/null || true
}
manager=
trap cleanup EXIT

fail() {
    echo "FAILED: $*" >&2
    [ -z "${TRACE:-}" ] || cp "$WORK"/*.png "$(dirname "$TRACE")"
    cat "$WORK"/*.log >&2 2>/dev/null || true
    exit 1
}

# Waits until a command succeeds, at most 20 s.
await() {
    local attempt
    for attempt in $(seq 200); do
        if "$@" >/dev/null 2>&1; then
            return 0
        fi
        sleep 0.1
    done
    fail "waited in vain: $*"
}

# The running app, through the bus: a second process hands its arguments over and prints the answer.
describe() { timeout 10 "$NOTES" --container "$container" --describe; }
same() { [ "$(describe)" = "$(cat "$1")" ]; }
shows() { describe | grep -qF -- "$1"; }
counts() { [ "$(describe | wc -l)" -eq "$1" ]; }

start() {
    "$NOTES" --container "$container" "$@" > "$WORK/app.log" 2>&1 &
    app=$!
    await shows '"'
}

ends() { ! kill -0 "$app" 2>/dev/null; }

sigkill() {
    kill -9 "$app"
    wait "$app" 2>/dev/null || true
    app=
    await nobody
}
nobody() { ! xdotool search --onlyvisible --class notes; }

window() { xdotool search --onlyvisible --name "^$1\$" | tail -1; }
focus() {
    await window "$1"
    xdotool windowactivate "$(window "$1")"
    await front "$1"
}
front() { describe | head -1 | grep -qF "\"$1\""; }
key() { xdotool key --clearmodifiers "$@"; }
place() {
    await window "$1"
    xdotool windowmove "$(window "$1")" "$2" "$3"
    await is_at "$(window "$1")" "$2" "$3"
}
is_at() { xdotool getwindowgeometry "$1" | grep -qF "Position: $2,$3 "; }
picture() {
    xdotool mousemove 950 570
    sleep 1
    import -window root -silent "$WORK/$1.png"
}

# A screen.
Xvfb -displayfd 3 -screen 0 960x580x24 -nolisten tcp 3> "$WORK/display" 2> "$WORK/xvfb.log" &
screen=$!
await test -s "$WORK/display"
DISPLAY=":$(cat "$WORK/display")"
export DISPLAY
openbox > "$WORK/openbox.log" 2>&1 &
manager=$!
await xdotool get_num_desktops
# Something to see between the windows.
convert -size 960x580 'xc:#4f6d88' "$WORK/desk.png"
timeout 10 display -window root "$WORK/desk.png" 2>/dev/null || true

echo "== first launch: a link makes the first window"
start notes:Shopping
await shows 'Editor "Shopping"'
place Shopping 40 40
focus Shopping
xdotool type --delay 5 'Apples, bread, coffee and a new pen.'
key Return Return
xdotool type --delay 5 'Ask whether the blue paper is back; if it is, take two.'
key Left Left Left Left
echo "== a second link, to the running process: a second window"
"$NOTES" --container "$container" notes:Journey
await shows 'Editor "Journey"'
place Journey 500 90
focus Journey
for line in $(seq 1 30); do
    xdotool type --delay 2 "Stop $line of the journey"
    key Return
done
await shows 'Stop 30 of the journey'
echo "== an inspector of it, with a configuration of its own"
key ctrl+i
await shows 'Inspector "About Journey"'
place 'About Journey' 130 370
focus Journey
key Page_Up
key Home
# The user makes one window larger.
xdotool windowsize "$(window Journey)" 420 420
await shows 'size 420x420'
focus Shopping
xdotool type --delay 5 'o'
key BackSpace
sleep 3
describe > "$WORK/before.txt"
cat "$WORK/before.txt" | cut -c1-150
[ "$(wc -l < "$WORK/before.txt")" -eq 3 ] || fail "there are not three windows"
! grep -F '"Journey"' "$WORK/before.txt" | grep -qF 'scroll 0 ' || fail "nothing was scrolled"
picture before

echo "== kill -9, and a new process"
sigkill
start
await same "$WORK/before.txt" || true
describe > "$WORK/after.txt"
diff "$WORK/before.txt" "$WORK/after.txt" || fail "the windows are not as they were"
picture after
different=$(compare -metric AE "$WORK/before.png" "$WORK/after.png" null: 2>&1 || true)
echo "pixels that differ: $different of 556800"
[ "${different%%.*}" -le 400 ] || fail "the screen is not as it was"

echo "== a closed window, and undo"
focus Journey
key ctrl+w
await counts 2
sigkill
start
await counts 2
! shows '"Journey"' || fail "a closed window came back by itself"
focus Shopping
key ctrl+shift+t
await shows 'Editor "Journey"'
shows 'Stop 30 of the journey' || fail "the undone window lost its text"

echo "== a link goes to the window that shows its note"
focus Shopping
"$NOTES" --container "$container" notes:Journey
await front Journey
counts 3 || fail "the link made another window"

echo "== quit, and an update that renames the editor"
key ctrl+q
await ends
app=
start --editor 'Text Editor' --renamed Editor
await counts 3
shows 'Text Editor "Journey"' || fail "the renamed configuration was not followed"
shows 'Stop 30 of the journey' || fail "the update lost a state"
! grep -q stale "$WORK/app.log" || fail "the renamed configuration was taken for gone"
key ctrl+q
await ends
app=

echo "== the container is wiped"
rm -rf "$container"
start
await counts 1
shows 'Editor "Note-1"' || fail "a wiped container is not a first launch"
key ctrl+q
await ends
app=
echo "passed"
