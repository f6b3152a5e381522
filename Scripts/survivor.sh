#!/usr/bin/env bash
# Builds the README's app, kills it between two saves, starts it again and compares what comes back.
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

build=(swift build --package-path Examples/Survivor --scratch-path .build/examples)
"${build[@]}" >&2
app="$("${build[@]}" --show-bin-path)/Survivor"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

mkfifo keys
line_by_line=()
if command -v stdbuf >/dev/null 2>&1; then
    line_by_line=(stdbuf -oL)
fi
"${line_by_line[@]}" "$app" < keys > first &
pid=$!
exec 3> keys
echo "the first line" >&3
echo "the second line" >&3
for _ in $(seq 300); do
    [ "$(grep -c saved first)" -eq 2 ] && break
    kill -0 "$pid"
    sleep 0.1
done
kill -9 "$pid"
wait "$pid" 2>/dev/null || true
exec 3>&-

"$app" < /dev/null > second
cat first second
printf 'text: (nothing yet)\nsaved\nsaved\ntext: the second line\n' |
    cmp - <(cat first second)
