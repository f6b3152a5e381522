#!/usr/bin/env bash
# The user's part of Scripts/notes.sh, which calls this on a session bus of its own.
source "$(dirname "${BASH_SOURCE[0]}")/driver.sh"
screen=
manager=

cleanup() {
    [ -z "$app" ] || kill -9 "$app" 2>/dev/null || true
    [ -z "$manager" ] || kill "$manager" 2>/dev/null || true
    [ -z "$screen" ] || kill "$screen" 2>/dev/null || true
}
trap cleanup EXIT

shot() { import -window root -silent "$1"; }
# No process has the app's name, and no window is there.
nobody() { ! on_bus && ! xdotool search --onlyvisible --class notes; }

window() { xdotool search --onlyvisible --name "^$1\$" | tail -1 | grep .; }
focus() {
    await window "$1"
    xdotool windowactivate "$(window "$1")"
    await active "$1"
    await front "$1"
}
active() { [ "$(xdotool getactivewindow)" = "$(window "$1")" ]; }
key() { xdotool key --clearmodifiers "$@"; }
place() {
    await window "$1"
    xdotool windowmove "$(window "$1")" "$2" "$3"
    await shows "at $2,$3"
}
# Answers the question about a note.
answer() {
    await asks "$1"
    xdotool windowactivate "$(asks "$1")"
    await active "Save $1[?]"
    key "$2"
    await asks_not "$1"
}
asks() { window "Save $1[?]"; }
asks_not() { ! asks "$1"; }

# Saves the note in a window.
save() {
    focus "$1"
    key ctrl+s
    await is_saved "$1"
}
is_saved() { ! shows "\"$1\" unsaved"; }

# A picture, once nothing moves any more.
picture() {
    xdotool mousemove 950 570
    await still "$1"
}

# Installs the app as a package does: for links, and for the session bus to start it.
install_app() {
    local applications="$XDG_DATA_HOME/applications" services="$XDG_DATA_HOME/dbus-1/services"
    mkdir -p "$applications" "$services"
    sed "s|^Exec=Notes|Exec=$NOTES|" Examples/Notes/Desktop/org.scenestore.Notes.desktop \
        > "$applications/org.scenestore.Notes.desktop"
    sed "s|^Exec=/usr/bin/Notes|Exec=$NOTES|" Examples/Notes/Desktop/org.scenestore.Notes.service \
        > "$services/org.scenestore.Notes.service"
    gio mime x-scheme-handler/notes org.scenestore.Notes.desktop > /dev/null
    # A desktop's session tells the bus where its display is.
    dbus-update-activation-environment DISPLAY
    bus_call ReloadConfig > /dev/null
}
kill_service() {
    kill "$1" "$app"
    await ended "$app"
    app=
    await nobody
}
bus_process() { bus_call GetConnectionUnixProcessID org.scenestore.Notes | grep -oE '[0-9]+,' | tr -d ,; }

is_service() { grep -qzF -- --gapplication-service "/proc/$app/cmdline"; }

# A screen.
Xvfb -displayfd 3 -noreset -screen 0 960x580x24 -nolisten tcp 3> "$WORK/display" \
    2> "$WORK/xvfb.log" &
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

step "first launch: a link makes the first window"
start notes:Shopping
await shows 'Editor "Shopping"'
place Shopping 40 40
focus Shopping
xdotool type --delay 5 'Apples, bread, coffee and a new pen.'
key Return Return
xdotool type --delay 5 'Ask whether the blue paper is back; if it is, take two.'
key Left Left Left Left
step "a second link, to the running process: a second window"
"$NOTES" notes:Journey
await shows 'Editor "Journey"'
place Journey 500 90
focus Journey
for line in $(seq 1 30); do
    xdotool type --delay 2 "Stop $line of the journey"
    key Return
done
await shows 'Stop 30 of the journey'
step "an inspector of it, with a configuration of its own"
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
xdotool type --delay 5 'at least '
await stored 'take at least two.'
describe > "$WORK/before.txt"
cut -c1-150 "$WORK/before.txt"
[ "$(wc -l < "$WORK/before.txt")" -eq 3 ] || fail "there are not three windows"
! grep -F '"Journey"' "$WORK/before.txt" | grep -qF 'scroll 0 ' || fail "nothing was scrolled"
picture notes-before

step "kill -9, and a new process"
sigkill
start
await same "$WORK/before.txt"
picture notes-after
expect_alike notes-before notes-after

step "a closed window stays closed, until its closing is undone"
save Journey
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

step "a link goes to the window that shows its note"
focus Shopping
"$NOTES" notes:Journey
await front Journey
counts 3 || fail "the link made another window"

step "a note that is not saved is asked about: the window stays, the app runs on"
focus Shopping
key ctrl+w
await asks Shopping
picture notes-asking
answer Shopping Escape
counts 3 || fail "the window closed though the user kept it"
focus Shopping
key ctrl+q
answer Shopping Escape
counts 3 || fail "the app quit though the user kept a window"
focus Shopping
key ctrl+w
answer Shopping alt+s
await counts 2
grep -qF 'at least two' "$XDG_DATA_HOME/notes/Shopping.txt" || fail "the note was not saved"
focus Journey
key ctrl+shift+t
await counts 3
has unsaved 0 || fail "the saved note counts as unsaved"
focus Journey
key ctrl+z ctrl+End
xdotool type --delay 5 'Home again'
await shows 'Home again'
key ctrl+q
answer Journey alt+d
ends
start
await shows 'Home again'

step "all windows closed in one action, which is undone without a window"
save Journey
describe > "$WORK/open.txt"
key ctrl+shift+w
await counts 0
on_bus || fail "the app ended with its last window"
gapplication action org.scenestore.Notes undo-close
await same "$WORK/open.txt"

step "preferences are one window, and take no link"
focus Journey
key ctrl+comma
await shows 'Preferences "Preferences"'
focus Journey
key ctrl+comma
await front Preferences
has '"Preferences"' 1 || fail "there are two"
place Preferences 620 30
focus Preferences
"$NOTES" notes:Letter
await front Letter
has 'Editor "' 3 || fail "the link did not make an editor"
place Letter 60 200

step "a private window: nothing of it is stored, and it never comes back"
focus Preferences
key ctrl+p
await shows 'Private "Private"'
focus Private
xdotool type --delay 5 'nobodyreadsthis'
await shows nobodyreadsthis
"$NOTES" notes:Diary
await front Diary
has Private 1 || fail "the private window took the link"
place Diary 400 270
focus Letter
xdotool type --delay 5 'Dear reader,'
await stored 'Dear reader,'
! stored nobodyreadsthis || fail "the private text is on the disk"
describe | grep -v '^Private' > "$WORK/open.txt"
sigkill
start
await same "$WORK/open.txt"
! stored nobodyreadsthis || fail "the private text is on the disk"

step "SIGTERM asks nobody, and every window comes back"
focus Letter
xdotool type --delay 5 ' it rains.'
await shows 'Dear reader, it rains.'
key ctrl+p
await shows 'Private "Private"'
focus Letter
describe | grep -v '^Private' > "$WORK/open.txt"
kill -TERM "$app"
ends
start
await same "$WORK/open.txt"
key ctrl+comma
focus Preferences
picture notes-all

step "an update that renames the editor"
kill -TERM "$app"
ends
start --editor 'Text Editor' --renamed Editor
await counts 6
shows 'Text Editor "Journey"' || fail "the renamed configuration was not followed"
shows 'Stop 30 of the journey' || fail "the update lost a state"
! grep -q stale "$WORK/app.log" || fail "the renamed configuration was taken for gone"
kill -TERM "$app"
ends

step "ten starts at once, in an empty container: one owner, each link once"
rm -rf "${XDG_STATE_HOME:?}"/*
starts=()
for number in $(seq 10); do
    "$NOTES" "notes:Ten-$number" > "$WORK/start-$number.log" 2>&1 &
    starts+=($!)
done
one_runs() {
    local running=0 start
    for start in "${starts[@]}"; do
        ended "$start" || { running=$((running + 1)); app=$start; }
    done
    [ "$running" -eq 1 ]
}
each_once() {
    for number in $(seq 10); do
        has "\"$1-$number\"" 1 || fail "a link was opened twice, or not at all"
    done
}
await one_runs
await counts 10
each_once Ten
for start in "${starts[@]}"; do
    [ "$start" -eq "$app" ] || wait "$start" || fail "a start failed"
done
sigkill

step "gio open, cold: the session bus starts the app, and the link makes its only window"
install_app
rm -rf "${XDG_STATE_HOME:?}"/*
gio open notes:Cold
await shows 'Editor "Cold"'
counts 1 || fail "the link did not make the first window"
app=$(bus_process)
step "gio open, warm: the process that runs takes the link"
gio open notes:Warm
await front Warm
gio open notes:Cold
await front Cold
"$NOTES" notes:Warm
await front Warm
counts 2 || fail "a link made a window of its own"
[ "$(bus_process)" -eq "$app" ] || fail "another process took a link"
focus Warm
xdotool type --delay 5 'By the bus.'
await stored 'By the bus.'
kill_service -9
gio open notes:Cold
await front Cold
counts 2 || fail "the windows did not come back with the link"
shows 'By the bus.' || fail "a window came back without its text"
app=$(bus_process)
kill_service -TERM
step "both at once, in an empty container"
rm -rf "${XDG_STATE_HOME:?}"/*
starts=()
for number in $(seq 10); do
    if [ $((number % 2)) -eq 0 ]; then
        gio open "notes:Both-$number" &
    else
        "$NOTES" "notes:Both-$number" > "$WORK/start-$number.log" 2>&1 &
    fi
    starts+=($!)
done
await counts 10
each_once Both
app=$(bus_process)
kill_service -TERM
for start in "${starts[@]}"; do
    wait "$start" || fail "a start failed"
done

if command -v xdg-open > /dev/null; then
    step "xdg-open without a desktop: it runs the command of the .desktop file, cold and warm"
    rm -rf "${XDG_STATE_HOME:?}"/* "$XDG_CONFIG_HOME/mimeapps.list"
    xdg-mime default org.scenestore.Notes.desktop x-scheme-handler/notes
    export XDG_CURRENT_DESKTOP=X-Generic
    # It lasts as long as the app that it starts.
    xdg-open notes:Cold 2> "$WORK/opener.log" &
    opener=$!
    await shows 'Editor "Cold"'
    counts 1 || fail "the link did not make the first window"
    app=$(bus_process)
    ! is_service || fail "the session bus started the app"
    xdg-open notes:Warm
    await front Warm
    xdg-open notes:Cold
    await front Cold
    counts 2 || fail "a link made a window of its own"
    [ "$(bus_process)" -eq "$app" ] || fail "another process took a link"
    focus Warm
    xdotool type --delay 5 'By xdg-open.'
    await stored 'By xdg-open.'
    kill_service -9
    ! wait "$opener" || fail "it did not notice that the app died"
    xdg-open notes:Cold 2> "$WORK/opener.log" &
    opener=$!
    await front Cold
    counts 2 || fail "the windows did not come back with the link"
    shows 'By xdg-open.' || fail "a window came back without its text"
    app=$(bus_process)
    kill_service -TERM
    wait "$opener" || fail "xdg-open failed"
    step "xdg-open on a desktop: the session bus starts the app, cold and warm"
    export XDG_CURRENT_DESKTOP=GNOME
    xdg-open notes:Warm
    await front Warm
    counts 2 || fail "the windows did not come back with the link"
    app=$(bus_process)
    is_service || fail "it was not the session bus that started the app"
    xdg-open notes:Third
    await front Third
    counts 3 || fail "the link did not make a window"
    [ "$(bus_process)" -eq "$app" ] || fail "another process took a link"
    kill_service -TERM
    unset XDG_CURRENT_DESKTOP
else
    echo "skipped: xdg-open is missing (xdg-utils)"
fi

step "a parked window, a held one, one without its text and one that waits: a page tells why"
rm -rf "${XDG_STATE_HOME:?}"/*
start notes:Letter
await front Letter
place Letter 40 300
save Letter
focus Letter
key ctrl+shift+q
ends
start notes:Ideas
await front Ideas
counts 1 || fail "a window came back though the user quit without them"
place Ideas 500 260
for note in Shopping Journey Diary; do
    "$NOTES" "notes:$note"
    await front "$note"
done
place Shopping 2 270
focus Journey
place Journey 480 270
xdotool type --delay 5 'From the coast'
focus Diary
xdotool windowsize "$(window Diary)" 420 240
await shows 'size 420x240'
place Diary 2 10
xdotool type --delay 5 'A quiet day'
await stored 'A quiet day'
await stored 'From the coast'
sigkill
# A bug in the app: the process dies when it restores a note.
crash() {
    ! { "$NOTES" --crash-at "$1" > "$WORK/app.log"; } 2> /dev/null || fail "it did not crash"
    await nobody
}
crash Journey
crash Journey
crash Journey
crash Diary
start --first 2
await window 'Restore windows'
missing() { shows "Missing \"$1\" $2"; }
missing Diary 'withheld: a process died while it restored this state' || fail "Diary"
missing Journey 'held: the processes that restored it died 3 times in a row' || fail "Journey"
missing Ideas 'waiting: it is not among the 2 that were active last' || fail "Ideas"
missing Letter 'parked: the app quit without keeping its windows' || fail "Letter"
has Missing 4 || fail "a window is missing that is there"
has 'Editor "' 2 || fail "not two windows came back"
! shows 'A quiet day' || fail "the state was not withheld"
page() {
    xdotool windowactivate "$(window 'Restore windows')"
    await active 'Restore windows'
}
picture notes-restore-page
step "a click brings one back, another click all others"
button() { describe | sed -n "s/^Missing \"$1\".* at \([0-9]*\),\([0-9]*\)$/\1 \2/p" | grep .; }
click() {
    page
    await button "$1"
    # shellcheck disable=SC2046
    xdotool mousemove --window "$(window 'Restore windows')" $(button "$1") click 1
}
click Journey
await shows 'Editor "Journey"'
shows 'From the coast' || fail "the held window came back without its text"
! missing Journey held || fail "it is missing and there"
click Diary
await shows 'A quiet day'
page
key alt+a
await has Missing 0
has 'Editor "' 5 || fail "not all windows are back"
step "a safe start shows the page alone, from which all come back as they were"
describe > "$WORK/open.txt"
kill -TERM "$app"
ends
start --safe
has 'waiting: the launch brings no window back' 5 || fail "not all are listed"
counts 5 || fail "a window came back by itself"
page
key alt+a
await same "$WORK/open.txt"
kill -TERM "$app"
ends

step "two displays: a window on the one that was removed comes back within reach"
rm -rf "${XDG_STATE_HOME:?}"/*
xrandr --setmonitor Left 480/127x580/153+0+0 screen > /dev/null
second_display() { xrandr --setmonitor Right 480/127x580/153+480+0 none; }
second_display
start notes:Left
place Left 20 40
"$NOTES" notes:Right
place Right 510 60
restart() {
    kill -TERM "$app"
    ends
    "$@"
    start
}
restart xrandr --delmonitor Right
await shows '"Right" cursor 0 scroll 0 size 420x300 at 60,60'
shows '"Left" cursor 0 scroll 0 size 420x300 at 20,40' || fail "a window moved that need not"
picture notes-one-display
convert "$WORK/notes-one-display.png" -crop 480x400+0+0 +repage "$WORK/notes-one-display.png"
step "the display is back, and so is its window; what the user moves stays for each arrangement"
restart second_display
await shows '"Right" cursor 0 scroll 0 size 420x300 at 510,60'
picture notes-two-displays
convert "$WORK/notes-two-displays.png" -crop 960x400+0+0 +repage "$WORK/notes-two-displays.png"
restart xrandr --delmonitor Right
await shows 'at 60,60'
place Right 30 200
restart true
await shows 'at 30,200'
restart second_display
await shows 'at 510,60'
step "the display goes and comes while the app runs"
xrandr --delmonitor Right
await shows 'at 30,200'
second_display
await shows 'at 510,60'
kill -TERM "$app"
ends

step "a damaged store: the page lists the windows that it lost"
# Page 8 is the table of sessions.
dd if=/dev/zero of="$(find "$XDG_STATE_HOME" -name scenes.sqlite)" bs=4096 seek=7 count=1 conv=notrunc \
    2> /dev/null
start
gapplication action org.scenestore.Notes restore-page
await has 'Missing "A window" lost: its row could not be read' 2
kill -TERM "$app"
ends

step "an empty container is a first launch"
rm -rf "${XDG_STATE_HOME:?}"/*
start
await counts 1
shows 'Editor "Note-1"' || fail "it is not"
focus Note-1
key ctrl+q
ends
echo "passed in ${SECONDS} s"
