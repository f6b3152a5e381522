#!/usr/bin/env bash
# Builds the rigs for release and runs them: power cuts, failing disks, kills, competing processes and damage.
#   Scripts/rigs.sh [quick | long] [RIG]... [--seed N] [--jobs N]     see --help
#   Scripts/rigs.sh test [ARGUMENTS OF swift test]                    runs the rigs' own tests
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
# Stores are made and opened again and again, in memory if possible. The rigs don't measure a disk's
# speed, and they simulate what a power cut leaves.
if [ -z "${TMPDIR:-}" ] && [ -w /dev/shm ]; then
    export TMPDIR=/dev/shm
fi
# glibc gives what is freed back to the system at once, and each store asks for it again.
export MALLOC_TOP_PAD_=67108864 MALLOC_TRIM_THRESHOLD_=268435456 MALLOC_MMAP_THRESHOLD_=268435456
proofs=(--package-path Proofs --scratch-path .build/proofs)
if [ "${1:-}" = test ]; then
    exec swift test "${proofs[@]}" "${@:2}"
fi
swift build "${proofs[@]}" -c release --product SceneStoreRigs >&2
exec "$(swift build "${proofs[@]}" -c release --show-bin-path)/SceneStoreRigs" "$@"
