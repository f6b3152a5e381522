#!/usr/bin/env bash
# Writes the golden store of the current version of the schema, with its export, to
# Tests/Golden/VERSION: once, when a migration was added, before the version is released. A golden
# store is never written again; tests open each of them for ever.
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
SCENESTORE_WRITE_GOLDEN=1 swift test --filter 'GoldenStoreTests/write'
ls -l Tests/Golden/*
