#!/usr/bin/env bash
# Builds the example app, kills it between two saves, starts it again and compares what comes back.
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
swift build --package-path Examples/Survivor --scratch-path .build/survivor >&2
app="$(swift build --package-path Examples/Survivor --scratch-path .build/survivor --show-bin-path)/Survivor"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

mkfifo "$folder/keys"
"$app" "$folder/container" < "$folder/keys" > "$folder/first" &
pid=$!
exec 3> "$folder/keys"
echo "the first line" >&3
echo "the second line" >&3
until [ "$(grep -c saved "$folder/first")" -eq 2 ]; do
    kill -0 "$pid"
done
kill -9 "$pid"
wait "$pid" 2>/dev/null || true
exec 3>&-

"$app" "$folder/container" < /dev/null > "$folder/second"
cat "$folder/first" "$folder/second"
printf 'provider asked\ntext: (nothing yet)\nsaved\nsaved\ntext: the second line\n' |
    cmp - <(cat "$folder/first" "$folder/second")
