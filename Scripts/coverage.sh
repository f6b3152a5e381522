#!/usr/bin/env bash
# Prints the share of each target's lines and regions that the tests run.
#   Scripts/coverage.sh [ARGUMENT…]    arguments go to `swift test`, such as --filter LinksTests
# Builds in .build/coverage. Swift's compiler counts regions, the parts of a line that run or do not, where
# others count branches.
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
scratch=.build/coverage
rm -rf "$scratch"/*/debug/codecov
swift build --build-tests --enable-code-coverage --scratch-path "$scratch"
# Failing tests are reported; the code that they ran is counted all the same.
swift test --skip-build --enable-code-coverage --scratch-path "$scratch" "$@" || failed=1
# By the toolchain's own tools: another version reads no profile, and swift test joins none when a test fails.
tools="$(toolchain)"
bin="$(swift build --show-bin-path --scratch-path "$scratch")"
report="$scratch/coverage.json"
"$tools/llvm-profdata" merge --failure-mode=all -sparse "$bin"/codecov/*.profraw -o "$scratch/coverage.profdata"
"$tools/llvm-cov" export -summary-only -instr-profile "$scratch/coverage.profdata" \
    "$bin/SceneStorePackageTests.xctest" -object "$bin/scenestore" > "$report"
python3 - "$report" <<'EOF'
import json
import sys
from collections import defaultdict
from pathlib import Path

sources = str(Path("Sources").resolve()) + "/"
counts = defaultdict(lambda: [0, 0, 0, 0])
for found in json.loads(Path(sys.argv[1]).read_text())["data"][0]["files"]:
    if not found["filename"].startswith(sources):
        continue
    target = found["filename"][len(sources):].split("/")[0]
    summary = found["summary"]
    for name in (target, "all"):
        for place, (kind, what) in enumerate(
                [("lines", "covered"), ("lines", "count"), ("regions", "covered"), ("regions", "count")]):
            counts[name][place] += summary[kind][what]
print(f"{'target':26}{'lines':>8}{'run':>8}{'regions':>10}{'run':>8}")
for name in sorted(counts, key=lambda name: (name == "all", name)):
    run, lines, run_regions, regions = counts[name]
    print(f"{name:26}{lines:8}{100 * run / max(lines, 1):7.1f}%"
          f"{regions:10}{100 * run_regions / max(regions, 1):7.1f}%")
EOF
exit "${failed:-0}"
