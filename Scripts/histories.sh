#!/usr/bin/env bash
# Plays random histories, in this process and with a process for each launch, and counts
# every payload and every state.
#   Scripts/histories.sh [--seed N] [--count N | --time 5m|1h] [--every N] [--only N]
#   Scripts/histories.sh --faults all [--seed N] [--count N | --time 5m|1h] [--only N]
#   Scripts/histories.sh --faults files [--seed N] [--count N | --time 5m|1h] [--only N]
#   Scripts/histories.sh --faults controls [--seed N]
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
if [ -z "${TMPDIR:-}" ] && [ -w /dev/shm ]; then
    export TMPDIR=/dev/shm
fi
proofs=(--package-path Proofs --scratch-path .build/proofs -c release)
swift build "${proofs[@]}" --product SceneStoreHistories >&2
swift build "${proofs[@]}" --product scenestore >&2
bin="$(swift build "${proofs[@]}" --show-bin-path)"
exec "$bin/SceneStoreHistories" --command "$bin/scenestore" "$@"
