#!/usr/bin/env bash
# Builds the video editor of the examples, follows links with it, cold and warm, over several runs,
# and compares its output with the expected output. With --update it writes that file again.
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
example=Examples/VideoEditor
swift build --package-path $example --scratch-path .build/examples >&2
app="$(swift build --package-path $example --scratch-path .build/examples --show-bin-path)/VideoEditor"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

editor() {
    echo "\$ VideoEditor" "$@"
    "$app" "$folder/container" "$@"
    echo
}

everything() {
    # A link launches the app: it rides on the connection of a new window, made for it.
    editor 'deeplink://videos/42?t=12'
    # Both windows come back; a link goes to the window that prefers it, another video gets its own.
    editor - 'deeplink://account' 'deeplink://videos/42?t=90' 'https://editor.example.com/videos/7'
    # A universal link launches the app, and takes the window that shows the video.
    editor 'https://editor.example.com/videos/7?t=3' 'https://editor.example.com/videos/new'
    # What must be confirmed: first no, then yes. No web page may ask at all.
    editor - 'deeplink://videos/42/delete' no 'deeplink://videos/42/delete' yes \
        'https://editor.example.com/videos/7/delete'
    # What is refused: by the routes, shown in a window; by the filter, before any window hears of it.
    editor - 'deeplink://videos/seven' 'deeplink://videos/7?t=-1' 'deeplink://videos/7?t=1&t=2' \
        'deeplink://nowhere' 'https://editor.example.com/about' 'https://example.org/videos/7' \
        'deeplink://videos/%2e%2e/account' 'javascript:alert(1)'
    # A plain launch: the windows are as they were left.
    editor
}

everything > "$folder/output"
if [ "${1:-}" = --update ]; then
    cp "$folder/output" $example/expected.txt
fi
cat "$folder/output"
diff -u $example/expected.txt "$folder/output"
