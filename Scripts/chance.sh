#!/usr/bin/env bash
# Fails if a test draws what no seed repeats: identifiers, clocks, random numbers, waits.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# UUIDs may name temporary folders, which nothing compares.
chance='\b(UUID|Date)\(\)|\bDate\.now|\bu?sleep\(|\.(shuffled|randomElement|random)\(\)'
generators='SystemRandomNumberGenerator|arc4random|getrandom|clock_gettime'
folders='/(TemporaryDirectory|TestFolder|HostileSourceTests|SampleApp|Connection|PythonPeer)\.swift:.*UUID\(\)'
# Stores of tests have the identities and times of a seed, except in examples of the documentation.
stores='SceneSessionStore\.Options\(\)|SceneEnvironment\.system'
if grep -rnE --include='*.swift' "$chance|$generators" Tests Proofs/Tests Sources/SceneStoreTesting \
    | grep -vE "$folders" \
    || grep -rnE --include='*.swift' "$stores" Tests \
    | grep -vE '/SceneStoreExampleTests/|/(PagesCode|RestTests|TestContainer|WritingTestSupport)\.swift:'; then
    echo "a seed that a failure prints has to draw these" >&2
    exit 1
fi
