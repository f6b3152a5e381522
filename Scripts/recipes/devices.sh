#!/usr/bin/env bash
# Two devices of one user exchange activities, never sessions: as changesets of SQLite's session
# extension, of an exchange database next to each store, over files. Of two changes to one activity,
# the later one counts, at equal times the greater text, so both devices decide alike. A device
# imports the accepted activities into its store. The import checks each row and seals it again.
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
python_with apsw
build_recipes
build_command
mkdir "$work/mail"

cat > "$work/exchange.py" <<'END'
import apsw, json, sys

def connect(device):
    database = apsw.Connection(f"{device}.exchange")
    database.execute("""CREATE TABLE IF NOT EXISTS exchanged_activity (
        identifier TEXT PRIMARY KEY,
        saved INTEGER NOT NULL,
        document TEXT NOT NULL
    ) STRICT""")
    return database

def lines(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]

# Puts what the store exports into the exchange database, and what changed into a changeset.
def send(device, export, changeset):
    database = connect(device)
    session = apsw.Session(database, "main")
    session.attach("exchanged_activity")
    for line in lines(export):
        if line.get("kind") == "activity" and "id" in line["activity"]:
            database.execute(
                """INSERT INTO exchanged_activity VALUES (?, ?, ?)
                   ON CONFLICT (identifier) DO UPDATE
                   SET saved = excluded.saved, document = excluded.document
                   WHERE (excluded.saved, excluded.document) > (saved, document)""",
                (line["activity"]["id"], line["saved"],
                 json.dumps(line["activity"], sort_keys=True, ensure_ascii=False)))
    with open(changeset, "wb") as file:
        file.write(session.changeset())

# Applies the other device's changeset and writes what is new as an import.
def receive(device, changeset, result):
    database = connect(device)
    before = dict((row[0], row[1:]) for row in database.execute(
        "SELECT identifier, saved, document FROM exchanged_activity"))

    def conflict(reason, change):
        if reason == apsw.SQLITE_CHANGESET_NOTFOUND:
            return apsw.SQLITE_CHANGESET_OMIT
        # An UPDATE carries only the columns that it changes, and an INSERT all of them.
        new = [theirs if theirs is not apsw.no_change else ours
               for theirs, ours in zip(change.new, change.conflict)]
        wins = tuple(new[1:]) > tuple(change.conflict[1:])
        return apsw.SQLITE_CHANGESET_REPLACE if wins else apsw.SQLITE_CHANGESET_OMIT

    with open(changeset, "rb") as file:
        apsw.Changeset.apply(file.read(), database, conflict=conflict)
    accepted = [row for row in database.execute(
        "SELECT identifier, saved, document FROM exchanged_activity ORDER BY identifier")
        if before.get(row[0]) != row[1:]]
    with open(result, "w", encoding="utf-8") as file:
        header = {"format": "scenestore", "version": 1, "redact": "none", "sessions": 0,
                  "others": len(accepted), "app": None}
        file.write(json.dumps(header) + "\n")
        for identifier, saved, document in accepted:
            line = {"kind": "activity", "saved": saved, "activity": json.loads(document)}
            file.write(json.dumps(line, ensure_ascii=False) + "\n")
    print(f"{device.rsplit('/', 1)[-1]} accepts {len(accepted)}")

{"send": send, "receive": receive}[sys.argv[1]](*sys.argv[2:])
END

exchange() { "$python" "$work/exchange.py" "$@"; }
send() {
    "$scenestore" export --store "$work/$1" > "$work/$1.ndjson"
    exchange send "$work/$1" "$work/$1.ndjson" "$work/mail/from-$1"
}
receive() {
    exchange receive "$work/$1" "$work/mail/from-$2" "$work/$1.incoming"
    "$scenestore" import "$work/$1.incoming" --conflict replace --yes --store "$work/$1" \
        >/dev/null 2>> "$work/notes"
}
round() {
    send phone
    send desktop
    receive desktop phone
    receive phone desktop
}
compare() {
    for device in phone desktop; do
        "$scenestore" export --store "$work/$device" | grep '"kind":"activity"' | sort \
            > "$work/$device.activities"
    done
    diff "$work/phone.activities" "$work/desktop.activities"
    [ "$(wc -l < "$work/phone.activities")" -eq "$1" ]
}
expect() {
    for device in phone desktop; do
        "$recipes" activities "$work/$device" | sort > "$work/shown"
        printf '%s\n' "$@" | diff - "$work/shown"
    done
}

echo "== two devices with windows of their own, an article each, and one that both read"
"$recipes" keep "$work/phone" phone-only 'from the phone' 1000
"$recipes" keep "$work/phone" shared 'older' 2000
"$recipes" keep "$work/desktop" desktop-only 'from the "desktop"' 1500
"$recipes" keep "$work/desktop" shared 'newer' 3000
round
compare 3
expect 'desktop-only from the "desktop"' 'phone-only from the phone' 'shared newer'

echo "== both go on; at equal times the greater text counts, on both alike"
"$recipes" keep "$work/phone" shared 'apple' 5000
"$recipes" keep "$work/desktop" shared 'banana' 5000
"$recipes" keep "$work/phone" phone-only 'changed' 6000
round
compare 3
expect 'desktop-only from the "desktop"' 'phone-only changed' 'shared banana'

echo "== nothing new: nothing is accepted, and a changeset that comes twice changes nothing"
cp "$work/mail/from-phone" "$work/mail/again"
round
exchange receive "$work/desktop" "$work/mail/again" "$work/none"
[ "$(wc -l < "$work/none")" -eq 1 ]
compare 3
for device in phone desktop; do
    "$scenestore" doctor --full --store "$work/$device" >/dev/null || [ $? -eq 1 ]
done
cat "$work/phone.activities"
echo "passed: both devices hold the same three activities"
