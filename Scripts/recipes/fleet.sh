#!/usr/bin/env bash
# A fleet: 10 000 stores (or as many as the argument says; SCENESTORE_FLEET names a folder that an
# earlier run made) are merged into one database, browsed in
# Datasette, exported as JSON lines and loaded into PostgreSQL by COPY. Then the script compares
# both databases for every device.
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
count=${1:-10000}
needs sqlite3 initdb pg_ctl psql
python_with datasette
build_recipes
build_command
"$scenestore" help merge >/dev/null 2>&1 || skip "this scenestore has no command merge"
# Ten thousand stores need ten thousand times two syncs, so they are in memory if there is room.
rm -rf "$work"
place=${TMPDIR:-/tmp}
if [ -z "${TMPDIR:-}" ] && [ "$(df -k --output=avail /dev/shm 2>/dev/null | tail -1 || echo 0)" -gt $((count * 500)) ]; then
    place=/dev/shm
fi
work=$(mktemp -d "$place/scenestore-fleet.XXXXXX")
postgres="$work/postgres"
database=()
cleanup() {
    [ ! -e "$postgres/data/postmaster.pid" ] || as_user pg_ctl -D "$postgres/data" -m immediate stop >/dev/null 2>&1 || true
    rm -rf "$work"
}
# PostgreSQL refuses to run as root.
as_user() {
    if [ "$(id -u)" -eq 0 ]; then
        (cd / && runuser -u "$(id -un postgres 2>/dev/null || echo nobody)" -- "$@")
    else
        "$@"
    fi
}
say() { printf '%-46s %7s s\n' "$1" "$2"; }
timed() {
    local what=$1 begin=$EPOCHREALTIME
    shift
    "$@"
    say "$what" "$(echo "$EPOCHREALTIME $begin" | awk '{printf "%.1f", $1 - $2}')"
}
megabytes() { du -sm --apparent-size "$1" | cut -f1; }

echo "== $count stores, each with three windows"
fleet=${SCENESTORE_FLEET:-}
if [ -z "$fleet" ]; then
    fleet="$work/fleet"
    "$recipes" fleet "$fleet" "$count"
fi
echo "$(megabytes "$fleet") MB"

echo "== merged into one database"
find "$fleet" -mindepth 1 -maxdepth 1 | sort > "$work/list"
merge() { "$scenestore" merge -o "$work/merged" --list "$work/list"; }
timed "merge" merge
echo "$(megabytes "$work/merged") MB"

echo "== browsed in Datasette"
browse() { "$python" -m datasette "$work/merged/merged.sqlite" --get "$1"; }
query='select+count(*)+as+windows,+sum(json_extract(state,%27$.info.count%27))+as+total+from+activity+where+current'
timed "a page of Datasette" browse "/merged.json?sql=$query&_shape=array" > "$work/page" 2>"$work/page.log" ||
    { cat "$work/page.log" >&2; exit 1; }
cat "$work/page"
echo
# The counts of device n are 10n, 10n + 1 and 10n + 2.
total=$((15 * count * (count - 1) + 3 * count))
grep -qE "\"windows\": ?$((3 * count)), ?\"total\": ?$total\b" "$work/page" ||
    { echo "FAILED: Datasette shows other windows than were made" >&2; exit 1; }

echo "== exported as JSON lines, and loaded into PostgreSQL by COPY"
# Each line gets its device; the separator and the quote are bytes that JSON escapes.
export_all() { "$recipes" lines "$fleet" > "$work/sessions.ndjson"; }
timed "export" export_all
echo "$(wc -l < "$work/sessions.ndjson") lines, $(megabytes "$work/sessions.ndjson") MB"

mkdir -p "$postgres"
if [ "$(id -u)" -eq 0 ]; then
    chmod 711 "$work"
    chown "$(id -un postgres 2>/dev/null || echo nobody)" "$postgres"
fi
as_user initdb -D "$postgres/data" -U reader --auth=trust -E UTF8 --locale=C >/dev/null
as_user pg_ctl -D "$postgres/data" -w -l "$postgres/log" \
    -o "-c listen_addresses='' -c unix_socket_directories='$postgres' -c fsync=off" start >/dev/null
database=(psql -X -q -h "$postgres" -U reader -v ON_ERROR_STOP=1 postgres)
"${database[@]}" -c "CREATE TABLE session (device text NOT NULL, document jsonb NOT NULL)"
load() {
    "${database[@]}" -c "\\copy session FROM '$work/sessions.ndjson' (FORMAT csv, DELIMITER E'\\x02', QUOTE E'\\x01')"
}
timed "COPY" load

echo "== both sides are compared, window by window"
"${database[@]}" -At -F ' ' -c "
    SELECT device, document->>'session', document->'configuration'->>'name',
        state->'activity'->'info'->>'count',
        md5(state->'activity'->'info'->>'text')
    FROM session, jsonb_array_elements(document->'states') AS state
    WHERE state->'rank' = document->'current'
    ORDER BY 1, 2" > "$work/postgres.txt"
"$python" - "$work/merged/merged.sqlite" > "$work/sqlite.txt" <<'END'
import hashlib, json, os, sqlite3, sys
rows = sqlite3.connect(sys.argv[1]).execute(
    "SELECT a.device, a.session, s.configuration, a.state FROM activity a"
    " JOIN session s ON s.device = a.device AND s.session = a.session WHERE a.current"
    " ORDER BY a.device, a.session")
for device, session, configuration, state in rows:
    info = json.loads(state)["info"]
    print(os.path.basename(device), session, configuration, info["count"],
          hashlib.md5(info["text"].encode()).hexdigest())
END
cmp "$work/postgres.txt" "$work/sqlite.txt"
[ "$(wc -l < "$work/postgres.txt")" -eq $((3 * count)) ]
head -2 "$work/postgres.txt"
echo "passed: $((3 * count)) windows of $count stores are equal in both databases"
