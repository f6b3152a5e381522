#!/usr/bin/env bash
# Builds the README's app, kills it between two saves, starts it again and compares what comes back.
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

build=(swift build --package-path Examples/Survivor --scratch-path .build/examples)
"${build[@]}" >&2
app="$("${build[@]}" --show-bin-path)/Survivor"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

mkfifo "$folder/keys"
line_by_line=()
if command -v stdbuf >/dev/null 2>&1; then
    line_by_line=(stdbuf -oL)
fi
"${line_by_line[@]}" "$app" "$folder/container" < "$folder/keys" > "$folder/first" &
pid=$!
exec 3> "$folder/keys"
echo "the first line" >&3
echo "the second line" >&3
for _ in $(seq 300); do
    [ "$(grep -c saved "$folder/first")" -eq 2 ] && break
    kill -0 "$pid"
    sleep 0.1
done
kill -9 "$pid"
wait "$pid" 2>/dev/null || true
exec 3>&-

"$app" "$folder/container" < /dev/null > "$folder/second"
cat "$folder/first" "$folder/second"
printf 'text: (nothing yet)\nsaved\nsaved\ntext: the second line\n' |
    cmp - <(cat "$folder/first" "$folder/second")
