"""Compares figures of size and cost with the committed ones; see Scripts/ratchet.sh.

A figure is a line of figures.txt: its name and its number. None may rise. Compilers differ in what they
make, so the app's bytes and the compiler's work are compared only with the same compiler's.

api.txt has the public declarations of the libraries. It is compared line by line.
"""

import argparse
import difflib
import json
import os
import platform
import re
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
import api

ROOT = Path(__file__).resolve().parent.parent.parent
COMMITTED = ROOT / "Scripts/ratchet/figures.txt"
API = ROOT / "Scripts/ratchet/api.txt"
PRODUCT, FIXTURES = "SceneStore", "SceneStoreTesting"
SCRATCH = ROOT / ".build/ratchet"
STATISTICS = SCRATCH / "statistics"
APP, WALKS = "SceneStoreBenchmarkApp", "SceneStoreWalks"
# What the compiler counts of its own work: the name here, and there.
COUNTERS = [
    ("declarations that the compiler checks", "Sema.NumDeclsTypechecked"),
    ("functions that the compiler optimises", "SILModule.NumSILOptFunctions"),
    ("instructions that the compiler emits", "IRModule.NumIRInsts"),
]
BYTES = "bytes of the least app"
OF_COMPILER = {BYTES, *(name for name, _ in COUNTERS)}


def output(*command):
    return subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout


# The sources


def read_package():
    return json.loads(output("swift", "package", "dump-package"))


def linked_targets(package, products):
    """The targets that the products reach, without UIKit's stand-ins, as folders and resources."""
    targets = {target["name"]: target for target in package["targets"]}
    waiting = [name for p in package["products"] if p["name"] in products for name in p["targets"]]
    reached = {}
    while waiting:
        name = waiting.pop()
        if name in reached or name not in targets or name.endswith("StandIn"):
            continue
        reached[name] = targets[name]
        for dependency in targets[name]["dependencies"]:
            waiting += [dependency[kind][0] for kind in ("byName", "target") if kind in dependency]
    return reached


def folder(target):
    return ROOT / (target.get("path") or f"Sources/{target['name']}")


def linked_files(targets):
    files = []
    for target in targets.values():
        here = folder(target)
        files += [p for p in sorted(here.rglob("*")) if p.suffix in (".swift", ".c", ".h")]
        for each in target.get("resources", []):
            if each["path"].endswith(".sql"):
                files.append(Path(os.path.normpath(here / each["path"])))
    return files


def code_lines(file):
    """The lines that hold more than a comment."""
    comment = ("//", "--") if file.suffix == ".sql" else ("//",)
    lines, is_in_comment = 0, False
    for line in map(str.strip, file.read_text(encoding="utf-8").split("\n")):
        if is_in_comment or line.startswith("/*"):
            is_in_comment = "*/" not in line
        elif line and not line.startswith(comment):
            lines += 1
    return lines


DECLARED = re.compile(
    r"^(?:@\w+(?:\([^)\n]*\))?\s+)*(?:(?:public|package|internal|final|indirect|nonisolated)\s+)*"
    r"(?:struct|class|enum|protocol|actor|typealias)\s+([A-Z]\w*)",
    re.M,
)


def without_comments(file):
    return api.MASKED.sub("", file.read_text(encoding="utf-8"))


def largest_cycle(targets):
    """How many files use each other in a circle. A file uses another one if it names a type that
    no other file of Sources declares at its top level."""
    text, visible = {}, {}
    for name, target in targets.items():
        sees, waiting = set(), [name]
        while waiting:
            here = waiting.pop()
            if here in sees or here not in targets:
                continue
            sees.add(here)
            for each in targets[here]["dependencies"]:
                waiting += [each[kind][0] for kind in ("byName", "target") if kind in each]
        for file in folder(target).rglob("*.swift"):
            text[file] = without_comments(file)
            visible[file] = (name, sees)
    places = {}
    for file in (ROOT / "Sources").rglob("*.swift"):
        words = text.get(file) or without_comments(file)
        for name in DECLARED.findall(words):
            places.setdefault(name, set()).add(file)
    home = {name: next(iter(files)) for name, files in places.items() if len(files) == 1}
    uses = {
        file: {
            home[name]
            for name in set(re.findall(r"\b[A-Z]\w*", words))
            if home.get(name, file) != file and visible.get(home[name], (None,))[0] in visible[file][1]
        }
        for file, words in text.items()
    }
    return max((len(circle) for circle in circles(uses)), default=0)


def circles(uses):
    """The strongly connected components (Tarjan)."""
    index, low, stack, found = {}, {}, [], []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in uses[node]:
            if other not in index:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], index[other])
        if low[node] == index[node]:
            place = stack.index(node)
            found.append(stack[place:])
            del stack[place:]

    sys.setrecursionlimit(20_000)
    for node in uses:
        if node not in index:
            visit(node)
    return found


def public_api(package, linked):
    """The public declarations of each library, under its name. An app that imports SceneStore has
    those of all that it links."""
    targets = {target["name"]: target for target in package["targets"]}
    lines = []
    beneath = api.read([p for name in linked for p in sorted(folder(targets[name]).rglob("*.swift"))])
    for product in package["products"]:
        if "library" not in product["type"]:
            continue
        names = linked if product["name"] == PRODUCT else product["targets"]
        files = [p for name in names for p in sorted(folder(targets[name]).rglob("*.swift"))]
        lines += ["", f"# {product['name']}", *api.visible(api.read(files), beneath)]
    return lines[1:]


def api_changes(lines):
    """What is in one of the lists alone."""
    known = API.read_text(encoding="utf-8").splitlines() if API.exists() else []
    return [
        line for line in difflib.unified_diff(known, lines, lineterm="", n=0)
        if not line.startswith(("---", "+++", "@@"))
    ]


def figures_of_text(package):
    targets = linked_targets(package, [PRODUCT])
    libraries = {p["name"] for p in package["products"] if "library" in p["type"]} - {FIXTURES}
    files = linked_files(targets)
    declared = api.written(api.read([file for file in files if file.suffix == ".swift"]))
    return {
        "lines of code that an app links": sum(map(code_lines, files)),
        "files that an app links": len(files),
        "lines of code of all libraries but the fixtures": sum(
            map(code_lines, linked_files(linked_targets(package, libraries)))
        ),
        "public types": len({name.split(".")[-1] for name, kind in declared if kind in api.TYPES}),
        "public declarations": len(declared),
        "files in the largest cycle": largest_cycle(targets),
    }


# The build


def build(product):
    command = ["swift", "build", "--package-path", "Proofs", "--scratch-path", str(SCRATCH)]
    command += ["-c", "release"]
    counting = ["-Xswiftc", "-stats-output-dir", "-Xswiftc", str(STATISTICS)]
    made = subprocess.run(
        [*command, "--product", product, *counting],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )
    if made.returncode != 0:
        sys.exit(made.stdout + f"ratchet: {product} can't be built")
    return Path(output(*command, "--show-bin-path").strip()) / product


def figures_of_build():
    """Builds the least app anew, and the walks on top of it."""
    shutil.rmtree(SCRATCH, ignore_errors=True)
    STATISTICS.mkdir(parents=True)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    app = build(APP)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    time = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    work = [json.loads(each.read_text()) for each in STATISTICS.glob("*-swift-frontend-*.json")]
    figures = {name: sum(each.get(key, 0) for each in work) for name, key in COUNTERS}
    with tempfile.TemporaryDirectory() as place:
        stripped = f"{place}/app"
        output("strip", "-o", stripped, str(app))
        figures[BYTES] = os.stat(stripped).st_size
        walks = output(str(build(WALKS)), place)
    for line in walks.splitlines():
        name, number = line.rsplit(" ", 1)
        figures[name] = int(number)
    return figures, time


def compiler():
    version = re.search(r"Swift version (\S+)", output("swift", "--version"))
    return f"Swift {version.group(1)}, {platform.system()}, {platform.machine()}"


# The comparison


def read_committed():
    """The compiler of the committed figures, and the figures."""
    first, *lines = COMMITTED.read_text().splitlines()
    pairs = [line.rsplit(" ", 1) for line in lines]
    return first.removeprefix("# "), {name: int(number) for name, number in pairs}


def write(maker, figures):
    lines = [f"# {maker}", *(f"{name} {number}" for name, number in figures.items())]
    COMMITTED.write_text("\n".join(lines) + "\n")


def main():
    arguments = argparse.ArgumentParser(prog="Scripts/ratchet.sh", description=__doc__)
    arguments.add_argument(
        "--text", action="store_true", help="only what the sources themselves give"
    )
    arguments.add_argument(
        "--write", action="store_true", help="write the figures and the API into the files"
    )
    options = arguments.parse_args()

    maker, known = read_committed()
    own_maker = compiler()
    package = read_package()
    figures = figures_of_text(package)
    declared = public_api(package, linked_targets(package, [PRODUCT]))
    if not options.text:
        built, time = figures_of_build()
        figures |= built
        print(f"processor time of the least app's clean release build: {time:.0f} s (not compared)")
        if maker != own_maker:
            print(f"bytes and the compiler's work are not compared: this is {own_maker}, not {maker}")
    rose, fell = [], []
    width = max(map(len, figures))
    for name, number in figures.items():
        before = known.get(name)
        is_comparable = maker == own_maker or name not in OF_COMPILER
        note = ""
        if before is None:
            note = "not committed"
            rose.append(name)
        elif number != before:
            note = f"committed: {before}"
            if is_comparable:
                (rose if number > before else fell).append(name)
        print(f"{name:{width}}  {number:>9}  {note}".rstrip())
    gone = [name for name in known if name not in figures and not options.text]
    if options.write:
        if options.text:
            figures, own_maker = known | figures, maker
        write(own_maker, figures)
        API.write_text("\n".join(declared) + "\n", encoding="utf-8")
        print("written to Scripts/ratchet/figures.txt and api.txt")
        return
    if fell:
        print(f"lower than committed: {', '.join(fell)}; commit them (Scripts/ratchet.sh --write)")
    changes = api_changes(declared)
    if changes:
        print("\n".join(changes))
        print("this is not the API in Scripts/ratchet/api.txt; if it is meant, commit the new list")
        print("(Scripts/ratchet.sh --text --write)")
    if rose or gone:
        sys.exit(f"ratchet: higher than committed, or missing: {', '.join(rose + gone)}")
    if changes:
        sys.exit("ratchet: the public API has changed")


if __name__ == "__main__":
    main()
