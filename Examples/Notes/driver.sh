#!/usr/bin/env bash
# What both drivers of the app use: drive.sh (X11) and drive-wayland.sh. They are sourced on a session
# bus of their own, by Scripts/notes.sh.
set -euo pipefail
[ -z "${TRACE:-}" ] || { exec 9> "$TRACE"; BASH_XTRACEFD=9; set -x; }
app=

fail() {
    echo "FAILED: $*" >&2
    if [ -n "${TRACE:-}" ]; then
        shot "$WORK/failed.png" || true
        cp "$WORK"/*.png "$(dirname "$TRACE")"
    fi
    { describe && cat "$WORK"/*.log; } >&2 2>/dev/null || true
    exit 1
}

step() { echo "== $* (${SECONDS} s)"; }

# Waits until a command succeeds, at most 20 s.
await() {
    local attempt
    for attempt in $(seq 400); do
        if "$@" >/dev/null 2>&1; then
            return 0
        fi
        sleep 0.05
    done
    fail "waited in vain: $*"
}

# The running app, by the bus: a second process asks, and prints the answer.
on_bus() { bus_call NameHasOwner org.scenestore.Notes | grep -qF true; }
bus_call() {
    local method=$1
    shift
    gdbus call --session --dest org.freedesktop.DBus --object-path /org/freedesktop/DBus \
        --method "org.freedesktop.DBus.$method" "$@"
}
describe() { on_bus && timeout 10 "$NOTES" --describe; }
same() { [ "$(describe)" = "$(cat "$1")" ]; }
shows() { describe | grep -qF -- "$1"; }
counts() { [ "$(describe | wc -l)" -eq "$1" ]; }
has() { [ "$(describe | grep -cF -- "$1")" -eq "$2" ]; }

front() { describe | head -1 | grep -qF "\"$1\""; }

start() {
    "$NOTES" "$@" > "$WORK/app.log" 2>&1 &
    app=$!
    await shows '"'
}

# The app ends by itself, without an error.
ends() {
    await ended "$app"
    wait "$app" || fail "it ended with $?"
    app=
    await nobody
}
ended() { ! kill -0 "$1" 2>/dev/null; }
sigkill() {
    kill -9 "$app"
    wait "$app" 2>/dev/null || true
    app=
    await nobody
}

# Whether a text is in a file of the container. All changes that the app knows of are saved together.
stored() { grep -rqaF -- "$1" "$XDG_STATE_HOME"; }

# Whether nothing moves in a picture that is taken now; it stays.
still() {
    shot "$WORK/$1.png"
    sleep 0.2
    shot "$WORK/still.png"
    cmp -s "$WORK/$1.png" "$WORK/still.png"
}
# Fails where more pixels differ in two pictures than a cursor has.
expect_alike() {
    local different
    different=$(compare -metric AE "$WORK/$1.png" "$WORK/$2.png" null: 2>&1 || true)
    echo "pixels that differ: $different of 556800"
    [ "${different%%.*}" -le 400 ] || fail "the screen is not as it was"
}
