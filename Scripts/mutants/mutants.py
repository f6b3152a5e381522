"""Plants faults and asks which tests notice them; see Scripts/mutants.sh and table.py.

Every fault meets the tests of its promise first, the slow ones of these last. Those that survive meet the suites that
name the type they are in, then the fast tests of their target, and last the slow ones. A run of tests ends with its
first failure.
"""

import argparse
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import table

ROOT = Path(__file__).resolve().parent.parent.parent
TABLE = ROOT / "Tests/Mutants"
COPY = ROOT / ".build/mutants/package"
SCRATCH = ROOT / ".build/mutants/build"
PROOFS = ROOT / ".build/mutants/proofs"
# The switches of the faults that were built last.
NUMBERS = "faults.json"
VARIABLE = "SCENESTORE_PLANTED_FAULT"
OWN, OWN_SLOW = "its promise's", "its promise's slow"
# The tests that a run without a fault found slow or failing.
KNOWN = ".build/mutants/known.json"
# The seconds from which on a test is slow.
SLOW = 2.0
# What the last run found, one line for each fault and stage, after the digest of what was built.
FOUND = ".build/mutants/found.jsonl"
# The bytes that a run of tests may write. A limit of the system on the size of files would refuse the
# sparse files of the tests, which have a terabyte and no content.
ROOM = 2 << 30

# The targets of tests that are held against the code of a target when its promise's are not enough.
MIRRORS = {
    "SceneStoreValues": "ValuesTests StorageTests EngineTests",
    "SceneStoreFormats": "FormatsTests CommandTests LinksTests",
    "SceneStoreEngine": "EngineTests Tests TestingTests",
    "SceneStoreSQLite": "SQLiteTests StorageTests RecoveryTests",
    "SceneStoreStorage": "StorageTests RecoveryTests Tests",
    "SceneStoreRecovery": "RecoveryTests StorageTests",
    "SceneStoreExchange": "ExchangeTests RecoveryTests StorageTests CommandTests",
    "SceneStoreLinks": "LinksTests",
    "SceneStore": "Tests TestingTests",
    "SceneStoreHosting": "Tests TestingTests",
    "SceneStorePreScene": "Tests UIKitTests",
    "SceneStoreTesting": "TestingTests",
    "SceneStoreCommand": "CommandTests",
    "SceneStoreAdoption": "AdoptionTests CommandTests",
    "SceneStoreObservation": "ObservationTests",
    "SceneStoreInstance": "InstanceTests",
    "SceneStoreUIKit": "UIKitTests",
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
            elif name in ("Package.swift", "Proofs/Package.swift"):
                targets = ", ".join(sorted(f'"{fault}"' for fault in {f.target for f in faults}))
                data += (MANIFEST % f"[{targets}]").encode()
            write(name, data)
    write(NUMBERS, json.dumps({fault.identifier: fault.number for fault in faults}).encode())
    kept.add(NUMBERS)
    write("Sources/PlantedFaults/include/PlantedFaults.h", HEADER.encode())
    write("Sources/PlantedFaults/empty.c", b'#include "PlantedFaults.h"\n')
    link = COPY / "Proofs/Sources/PlantedFaults"
    if not link.is_symlink():
        link.symlink_to("../../Sources/PlantedFaults")
    kept.add(str(link.relative_to(COPY)))
    for path in list(COPY.rglob("*")):
        name = path.relative_to(COPY)
        if (path.is_file() or path.is_symlink()) and str(name) not in kept \
                and ".build" not in name.parts:
            path.unlink()


def titled_tests():
    """The filters of the tests that have a title: title -> {target.../function}."""
    tests = defaultdict(set)
    for path in (COPY / "Tests").rglob("*.swift"):
        target = path.relative_to(COPY / "Tests").parts[0]
        text = path.read_text()
        for match in re.finditer(r'@Test\(\s*"((?:[^"\\]|\\.)*)"', text):
            function = re.search(r"func\s+`?(\w+)", text[match.end():])
            if function:
                title = re.sub(r"\\(.)", r"\1", match.group(1))
                tests[title].add(f"{target}.*/{function.group(1)}\\(")
    return tests


def promised_tests(titled):
    """The filters of the tests of each promise: number -> {target.../function}."""
    tests = defaultdict(set)
    for title, filters in titled.items():
        for number in re.findall(r"\b[LSKR]-\d\d\b", title):
            tests[number] |= filters
    # A scenario bears its number in its name; one test plays all of them.
    for path in (COPY / "Tests/Scenarios").glob("*.scenario"):
        tests[path.name[:4]].add("SceneStoreTests.*/plays\\(")
    return tests


def naming_tests(fault):
    """The filters of the suites in files that name the type that the fault is in."""
    word = re.compile(rf"\b{re.escape(Path(fault.file).stem.split('+')[0])}(?:Tests)?\b")
    suites = set()
    for path in (COPY / "Tests").rglob("*Tests*.swift"):
        text = path.read_text()
        if word.search(path.name) or word.search(text):
            target = path.relative_to(COPY / "Tests").parts[0]
            found = re.findall(r"\b(?:struct|extension) (\w+Tests)\b", text)
            suites |= {f"^{target}\\.{name}/" for name in found}
    # A type that many name tells nothing.
    return suites if len(suites) <= 12 else set()


def written(folder):
    """The bytes that the files beneath a folder take, without the holes of sparse ones."""
    blocks = 0
    for path, _, names in os.walk(folder):
        for name in names:
            try:
                blocks += os.lstat(os.path.join(path, name)).st_blocks
            except OSError:
                pass
    return blocks * 512


class Found:
    """What was found, kept on the disk so that a run that was interrupted can be resumed."""

    def __init__(self, binary, resume):
        self.path = ROOT / FOUND
        digest = hashlib.sha256()
        for path in sorted(binary.rglob("*") if binary.is_dir() else [binary]):
            if path.is_file():
                digest.update(path.read_bytes())
        head = json.dumps({"build": digest.hexdigest()})
        self.kept = {}
        if resume:
            lines = self.path.read_text().splitlines() if self.path.is_file() else []
            if lines[:1] != [head]:
                raise table.TableError("what was found before was found in another build")
            for line in lines[1:]:
                identifier, whose, failure = json.loads(line)
                self.kept[identifier, whose] = failure
        else:
            self.path.write_text(head + "\n")

    def add(self, fault, whose, failure):
        with self.path.open("a") as file:
            file.write(json.dumps([fault.identifier, whose, failure], ensure_ascii=False) + "\n")


class Runner:
    def __init__(self, timeout):
        self.timeout = timeout
        self.ignored = set()
        self.slow = set()
        self.seconds = {}
        self.has_run = False
        path = subprocess.run(
            ["swift", "build", "--package-path", COPY, "--scratch-path", SCRATCH,
             "--show-bin-path"], check=True, capture_output=True, text=True).stdout.strip()
        self.binary = next(Path(path).glob("*.xctest"))

    def run(self, filters, number, skipped=(), all_failures=False):
        """The tests that fail, by their first lines; the first one ends the run."""
        command = [str(self.binary), "--testing-library", "swift-testing", "--no-parallel"]
        for text in filters:
            command += ["--filter", text]
        for text in skipped:
            command += ["--skip", text]
        environment = dict(os.environ)
        environment[VARIABLE] = str(number)
        environment["NO_COLOR"] = "1"
        # In memory, where there is such a folder: nothing that is tested is to last.
        temporary = tempfile.mkdtemp(dir="/dev/shm" if Path("/dev/shm").is_dir() else None)
        environment["TMPDIR"] = temporary
        process = subprocess.Popen(
            command, cwd=COPY, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, errors="replace", start_new_session=True)
        timer = threading.Timer(
            3600 if all_failures else self.timeout, self.end, [process])
        timer.start()
        overfull, ended = threading.Event(), threading.Event()

        def watch():
            while not ended.wait(0.25):
                if written(temporary) > ROOM:
                    overfull.set()
                    self.end(process)
                    return

        watcher = threading.Thread(target=watch, daemon=True)
        watcher.start()
        failures, ran, failed, current = [], False, False, ""
        try:
            for line in process.stdout:
                line = re.sub("\x1b\\[[0-9;]*m", "", line)
                timed = re.match(r"^. Test (.*?)(?: with \d+ test cases?)? (?:passed|failed) after ([0-9.]+)", line)
                if timed:
                    self.seconds[timed.group(1)] = float(timed.group(2))
                if started := re.match(r"^. Test (.*) started\.$", line.strip()):
                    current = re.sub(r"^case passing .*? to ", "", started.group(1))
                ran = ran or re.match(r"^. Test run with [1-9]", line) is not None
                failed = failed or line.startswith("✘")
                if line.startswith("✘") and "known issue" not in line \
                        and (" failed" in line or "recorded an issue" in line) \
                        and not line.startswith(("✘ Test run", "✘ Suite")):
                    name = re.sub(r"^✘ Test (case passing .*? to )?", "", line.strip())
                    name = re.split(
                        r"(?: with \d+ test cases?)? (?:recorded an issue|failed)", name)[0]
                    if name in self.ignored:
                        continue
                    failures.append(name)
                    if not all_failures:
                        return failures
            code = process.wait()
            if overfull.is_set():
                failures.append(f"{current} wrote more than {ROOM >> 30} GB")
            elif code != 0 and not failed:
                failures.append(
                    "ran out of time" if code == -signal.SIGKILL else f"the process ended with {code}")
            self.has_run = ran
            return failures
        finally:
            timer.cancel()
            ended.set()
            watcher.join()
            self.end(process)
            process.stdout.close()
            process.wait()
            shutil.rmtree(temporary, ignore_errors=True)

    @staticmethod
    def end(process):
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass


def mirrored(target):
    return tuple(f"SceneStore{name}." for name in MIRRORS.get(target, "StorageTests").split())


def mirrors(target):
    return ["^" + name.replace(".", r"\.") for name in mirrored(target)]


def know(runner, faults, titled, arguments):
    """Learns from a run without a fault which tests fail and which are slow; false when none ran."""
    path = ROOT / KNOWN
    if path.is_file() and (arguments.no_baseline or arguments.first):
        known = json.loads(path.read_text())
    elif arguments.first:
        return True
    else:
        failing = runner.run(
            sorted({text for fault in faults for text in mirrors(fault.target)}), 0,
            all_failures=True)
        if not runner.has_run:
            return False
        slow = sorted(name for name, seconds in runner.seconds.items() if seconds >= SLOW)
        known = {"failing": sorted(set(failing)),
                 "slow": {name: runner.seconds[name] for name in slow}}
        path.write_text(json.dumps(known, indent=1, ensure_ascii=False))
    runner.ignored = set(known["failing"])
    for name in known["failing"]:
        print(f"fails without a fault, and counts for nothing: {name}", flush=True)
    for name in known["slow"]:
        runner.slow |= titled.get(name.strip('"'), {name.split("(")[0] + "\\("})
    return True


def play_histories(faults, arguments):
    """Whether random histories of one seed find every fault, after none without one."""
    build = ["swift", "build", "-c", "release", "--product", "SceneStoreHistories",
             "--package-path", COPY / "Proofs", "--scratch-path", PROOFS]
    if not arguments.no_build and subprocess.run(build).returncode != 0:
        return 2
    path = subprocess.run(
        [*build, "--show-bin-path"], check=True, capture_output=True, text=True).stdout.strip()

    def play(number):
        with tempfile.TemporaryDirectory(
                dir="/dev/shm" if Path("/dev/shm").is_dir() else None) as temporary:
            played = subprocess.run(
                [f"{path}/SceneStoreHistories", "--seed", "1", "--count",
                 str(arguments.histories)],
                env=dict(os.environ, TMPDIR=temporary, **{VARIABLE: str(number)}),
                capture_output=True, text=True, errors="replace")
        lines = played.stdout.splitlines()
        found = re.match(r"# history (\d+) of seed", lines[0]) if lines else None
        if found:
            # Findings follow the steps; remarks of a scenario precede them.
            finding = re.search(r"^[^#].*\n# (.*)", "\n".join(lines), re.MULTILINE)
            return int(found.group(1)), finding.group(1) if finding else ""
        # A fault may end the program itself.
        return (None, "") if played.returncode == 0 else (0, f"ended with {played.returncode}")

    sound, finding = play(0)
    if sound is not None:
        print(f"history {sound} finds something without a fault: {finding}")
        return 2
    missed = 0
    for fault in faults:
        at, finding = play(fault.number)
        missed += at is None
        print(f"found at {at:5}  {fault.identifier}: {finding}" if at is not None else
              f"NOT FOUND       {fault.identifier} {','.join(fault.promises)}: {fault.words}",
              flush=True)
    print(f"{len(faults) - missed} of {len(faults)} faults found in {arguments.histories} histories")
    return 0 if missed == 0 else 1


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
    parser.add_argument("--no-baseline", action="store_true",
                        help="take from an earlier run which tests are slow")
    parser.add_argument("--resume", action="store_true",
                        help="with --no-build: take over what the last run of this build found")
    parser.add_argument("--build-only", action="store_true", help="build and run nothing")
    parser.add_argument("--first", action="store_true", help="the promise's own tests alone")
    parser.add_argument("--histories", type=int, metavar="COUNT",
                        help="plant the faults of histories.txt, and play so many random histories")
    arguments = parser.parse_args()

    try:
        faults = table.read(TABLE)
        if arguments.histories and not arguments.only:
            arguments.only = [
                line for line in (TABLE / "histories.txt").read_text().split("\n")
                if line and line[0] != "#"]
        if unknown := set(arguments.only) - {fault.identifier for fault in faults}:
            raise table.TableError(f"no fault is called {', '.join(sorted(unknown))}")
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
            lost = len(problems)
            for fault in planted:
                try:
                    fault.span(source)
                except table.TableError as error:
                    problems.append(str(error))
            if len(problems) == lost:
                try:
                    table.plant(source, planted)
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

    if arguments.histories:
        return play_histories(chosen, arguments)
    build = ["swift", "build", "--build-tests", "-j", str(arguments.jobs),
             "--package-path", COPY, "--scratch-path", SCRATCH]
    if not arguments.no_build and subprocess.run(build).returncode != 0:
        return 2
    if arguments.build_only:
        return 0
    runner = Runner(arguments.timeout)
    try:
        found = Found(runner.binary, arguments.resume)
    except table.TableError as error:
        print(error, file=sys.stderr)
        return 2
    titled = titled_tests()
    tests = promised_tests(titled)
    if not know(runner, chosen, titled, arguments):
        print("there is no test to be run", file=sys.stderr)
        return 2

    def own(fault):
        return {name for promise in fault.promises for name in tests[promise]}

    def slow(fault):
        return {text for text in runner.slow if text.startswith(mirrored(fault.target))}

    # Who is asked, and which of these tests are left out.
    stages = [
        (OWN, lambda fault: own(fault) - runner.slow, ()),
        (OWN_SLOW, lambda fault: own(fault) & runner.slow, ())]
    if not arguments.first:
        stages.append(("a naming", naming_tests, runner.slow))
        stages.append(("another", lambda fault: mirrors(fault.target), runner.slow))
        stages.append(("a slow", lambda fault: slow(fault) - own(fault), ()))
    caught = {}
    for whose, filters, skipped in stages:
        left = [fault for fault in chosen if fault.identifier not in caught]
        print(f"{len(left)} faults meet {whose} test", flush=True)

        def attempt(fault):
            if (fault.identifier, whose) in found.kept:
                failure = found.kept[fault.identifier, whose]
            else:
                named = sorted(filters(fault))
                failures = runner.run(named, fault.number, sorted(skipped)) if named else []
                failure = failures[0] if failures else None
                found.add(fault, whose, failure)
            if failure:
                caught[fault.identifier] = whose
                print(f"caught    {fault.identifier}: {whose} test: {failure}", flush=True)
            elif whose == stages[-1][0]:
                print(f"SURVIVED  {fault.identifier} {','.join(fault.promises)}: {fault.words}",
                      flush=True)
            else:
                print(f"missed    {fault.identifier} by {whose} test", flush=True)

        with ThreadPoolExecutor(arguments.jobs) as pool:
            list(pool.map(attempt, left))
    results = [(fault, caught.get(fault.identifier)) for fault in chosen]

    print(f"\n{'target':24}faults  caught  of them by the promise's own tests")
    by_target = defaultdict(list)
    for fault, whose in results:
        by_target[fault.target].append(whose)
    by_target["all"] = [whose for _, whose in results]
    for target, outcomes in by_target.items():
        known = [whose for whose in outcomes if whose]
        print(f"{target:24}{len(outcomes):6}{len(known):8}{known.count(OWN) + known.count(OWN_SLOW):8}"
              f"   {100 * len(known) / max(len(outcomes), 1):5.1f} %")
    survivors = [fault for fault, whose in results if not whose]
    for fault in survivors:
        print(f"{','.join(fault.promises)} lost: {fault.identifier} ({fault.file}): {fault.words}")
    score = 100 * (len(results) - len(survivors)) / max(len(results), 1)
    return 0 if score >= arguments.score else 1


sys.exit(main())
