"""Plants faults and asks which tests notice them; see Scripts/mutants.sh and table.py."""

import argparse
import json
import os
import re
import signal
import subprocess
import sys
import threading
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import table

ROOT = Path(__file__).resolve().parent.parent.parent
TABLE = ROOT / "Tests/Mutants"
COPY = ROOT / ".build/mutants/package"
SCRATCH = ROOT / ".build/mutants/build"
# The switches of the faults that were built last.
NUMBERS = "faults.json"
VARIABLE = "SCENESTORE_PLANTED_FAULT"
OWN = "its promise's"

# The targets of tests that are held against the code of a target when its promise's are not enough.
MIRRORS = {
    "SceneStoreValues": "Codec Manifest Store Lifecycle",
    "SceneStoreEngine": "Lifecycle Scenario",
    "SceneStoreSQLite": "SQLite Store Maintenance",
    "SceneStoreStorage": "Store Maintenance Lifecycle",
    "SceneStoreRecovery": "Maintenance Store",
    "SceneStoreExchange": "Maintenance Store Command",
    "SceneStoreLinks": "Links",
    "SceneStore": "Lifecycle Host Scenario",
    "SceneStoreTesting": "Testing Scenario Faults",
    "SceneStoreCommand": "Command",
    "SceneStoreAdoption": "Adoption Command",
    "SceneStoreObservation": "Host",
    "SceneStoreUIKit": "Host",
}

MANIFEST = """
package.targets.append(.target(name: "PlantedFaults"))
for target in package.targets where %s.contains(target.name) {
    target.dependencies.append("PlantedFaults")
}
"""

HEADER = """#include <stdbool.h>
#include <stdlib.h>
/// Whether the fault of a number is the one that the environment names, read once.
static inline bool plantedFault(int number) {
    static int chosen = -1;
    if (chosen < 0) {
        const char *text = getenv("%s");
        chosen = text ? atoi(text) : 0;
    }
    return chosen == number;
}
""" % VARIABLE


def copy(faults):
    """Writes the package with its faults; what did not change keeps its time."""
    by_file = defaultdict(list)
    for fault in faults:
        by_file["Sources/" + fault.file].append(fault)
    names = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=ROOT, check=True,
        capture_output=True).stdout.decode().split("\0")
    kept = {"Sources/PlantedFaults/include/PlantedFaults.h", "Sources/PlantedFaults/empty.c"}

    def write(name, data):
        path = COPY / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.is_file() or path.read_bytes() != data:
            path.write_bytes(data)

    for name in names:
        path = ROOT / name
        if not name or name.startswith("Scripts/mutants"):
            continue
        kept.add(name)
        if path.is_symlink():
            target = COPY / name
            if not target.is_symlink():
                target.parent.mkdir(parents=True, exist_ok=True)
                target.symlink_to(os.readlink(path))
        elif path.is_file():
            data = path.read_bytes()
            if name in by_file:
                data = table.plant(data.decode(), by_file[name]).encode()
            elif name == "Package.swift":
                targets = ", ".join(sorted(f'"{fault}"' for fault in {f.target for f in faults}))
                data += (MANIFEST % f"[{targets}]").encode()
            write(name, data)
    write(NUMBERS, json.dumps({fault.identifier: fault.number for fault in faults}).encode())
    kept.add(NUMBERS)
    write("Sources/PlantedFaults/include/PlantedFaults.h", HEADER.encode())
    write("Sources/PlantedFaults/empty.c", b'#include "PlantedFaults.h"\n')
    for path in list(COPY.rglob("*")):
        if (path.is_file() or path.is_symlink()) and str(path.relative_to(COPY)) not in kept \
                and ".build" not in path.parts:
            path.unlink()


def promised_tests():
    """The functions of the tests of each promise: number -> {target.../function}."""
    tests = defaultdict(set)
    for path in (COPY / "Tests").rglob("*.swift"):
        target = path.relative_to(COPY / "Tests").parts[0]
        text = path.read_text()
        for match in re.finditer(r'@Test\(\s*"([^"]*)"', text):
            function = re.search(r"func\s+`?(\w+)", text[match.end():])
            for number in re.findall(r"\b[LSKR]-\d\d\b", match.group(1)):
                if function:
                    tests[number].add(f"{target}.*/{function.group(1)}\\(")
    # A scenario bears its number in its name; one test plays all of them.
    for path in (COPY / "Tests/Scenarios").glob("*.scenario"):
        tests[path.name[:4]].add("ScenarioContractTests/plays\\(")
    return tests


class Runner:
    def __init__(self, timeout):
        self.timeout = timeout
        self.ignored = set()
        self.has_run = False
        path = subprocess.run(
            ["swift", "build", "--package-path", COPY, "--scratch-path", SCRATCH,
             "--show-bin-path"], check=True, capture_output=True, text=True).stdout.strip()
        self.binary = next(Path(path).glob("*.xctest"))

    def run(self, filters, number, all_failures=False):
        """The tests that fail, by their first lines; the first one ends the run."""
        command = [str(self.binary), "--testing-library", "swift-testing"]
        for text in filters:
            command += ["--filter", text]
        environment = dict(os.environ)
        environment[VARIABLE] = str(number)
        environment["NO_COLOR"] = "1"
        process = subprocess.Popen(
            command, cwd=COPY, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, errors="replace", start_new_session=True,
            preexec_fn=lambda: os.nice(10))
        timer = threading.Timer(self.timeout, self.end, [process])
        timer.start()
        failures, ran, failed = [], False, False
        try:
            for line in process.stdout:
                line = re.sub("\x1b\\[[0-9;]*m", "", line)
                ran = ran or line.startswith("✔ Test run with") and " 0 tests" not in line
                failed = failed or line.startswith("✘")
                if line.startswith("✘") and "known issue" not in line \
                        and (" failed" in line or "recorded an issue" in line) \
                        and not line.startswith(("✘ Test run", "✘ Suite")):
                    name = re.sub(r"^✘ Test (case passing .*? to )?", "", line.strip())
                    name = re.split(r" (?:recorded an issue|failed)", name)[0]
                    if name in self.ignored:
                        continue
                    failures.append(name)
                    if not all_failures:
                        return failures
            code = process.wait()
            if code != 0 and not failed:
                failures.append(
                    "ran out of time" if code == -signal.SIGKILL else f"the process ended with {code}")
            self.has_run = ran
            return failures
        finally:
            timer.cancel()
            self.end(process)
            process.stdout.close()
            process.wait()

    @staticmethod
    def end(process):
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass


def mirrors(target):
    return [f"^SceneStore{name}Tests\\." for name in MIRRORS.get(target, "Store").split()]


def main():
    parser = argparse.ArgumentParser(prog="Scripts/mutants.sh", description=__doc__)
    parser.add_argument("--check", action="store_true", help="look for every place, build nothing")
    parser.add_argument("--list", action="store_true", help="print the faults")
    parser.add_argument("--only", action="append", default=[], metavar="ID")
    parser.add_argument("--target", action="append", default=[], metavar="TARGET")
    parser.add_argument("--score", type=float, default=95, help="caught faults in percent, at least")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--timeout", type=int, default=300, help="seconds for one run of tests")
    parser.add_argument("--no-build", action="store_true", help="use what was built before")
    parser.add_argument("--first", action="store_true", help="the promise's own tests alone")
    arguments = parser.parse_args()

    try:
        faults = table.read(TABLE)
        by_file = defaultdict(list)
        for fault in faults:
            by_file[fault.file].append(fault)
        problems = []
        for name, planted in by_file.items():
            path = ROOT / "Sources" / name
            if not path.is_file():
                problems.append(f"{planted[0].table}: there is no Sources/{name}")
                continue
            source = path.read_text()
            for fault in planted:
                try:
                    fault.span(source)
                except table.TableError as error:
                    problems.append(str(error))
        if problems:
            raise table.TableError("\n".join(problems))
        if arguments.check:
            print(f"{len(faults)} faults, each of whose places is there once")
            return 0
        chosen = [
            fault for fault in faults
            if (not arguments.only or fault.identifier in arguments.only)
            and (not arguments.target or fault.target in arguments.target)]
        if arguments.list:
            for fault in chosen:
                print(f"{fault.identifier}\t{','.join(fault.promises)}\t{fault.file}\t{fault.words}")
            return 0
        if not arguments.no_build:
            copy(faults)
        numbers = json.loads((COPY / NUMBERS).read_text())
        chosen = [fault for fault in chosen if fault.identifier in numbers]
        for fault in chosen:
            fault.number = numbers[fault.identifier]
    except table.TableError as error:
        print(error, file=sys.stderr)
        return 1

    build = ["swift", "build", "--build-tests", "--package-path", COPY, "--scratch-path", SCRATCH]
    if not arguments.no_build and subprocess.run(build).returncode != 0:
        return 2
    runner = Runner(arguments.timeout)
    tests = promised_tests()
    all_mirrors = sorted({text for fault in chosen for text in mirrors(fault.target)})
    if not arguments.first:
        runner.ignored = set(runner.run(all_mirrors, 0, all_failures=True))
        if not runner.has_run:
            print("there is no test to be run", file=sys.stderr)
            return 2
        for name in sorted(runner.ignored):
            print(f"fails without a fault, and counts for nothing: {name}", flush=True)

    def attempt(fault):
        own = sorted({name for promise in fault.promises for name in tests[promise]})
        stages = [(own, OWN)] if own else []
        if not arguments.first:
            stages.append((mirrors(fault.target), "another"))
        for filters, whose in stages:
            failures = runner.run(filters, fault.number)
            if failures:
                print(f"caught    {fault.identifier}: {whose} test: {failures[0]}", flush=True)
                return fault, whose
        print(f"SURVIVED  {fault.identifier} {','.join(fault.promises)}: {fault.words}", flush=True)
        return fault, None

    with ThreadPoolExecutor(arguments.jobs) as pool:
        results = list(pool.map(attempt, chosen))

    print(f"\n{'target':24}faults  caught  of them by the promise's own tests")
    by_target = defaultdict(list)
    for fault, whose in results:
        by_target[fault.target].append(whose)
    by_target["all"] = [whose for _, whose in results]
    for target, found in by_target.items():
        caught = [whose for whose in found if whose]
        print(f"{target:24}{len(found):6}{len(caught):8}{caught.count(OWN):8}"
              f"   {100 * len(caught) / max(len(found), 1):5.1f} %")
    survivors = [fault for fault, whose in results if not whose]
    for fault in survivors:
        print(f"{','.join(fault.promises)} lost: {fault.identifier} ({fault.file}): {fault.words}")
    score = 100 * (len(results) - len(survivors)) / max(len(results), 1)
    return 0 if score >= arguments.score else 1


sys.exit(main())
