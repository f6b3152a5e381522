"""Draws a flame graph: stacks from `perf script` on standard input, an SVG on standard output.

    perf script --no-inline -F ip,sym | flame.py --root FUNCTION --title TEXT

Only stacks that go through the root are drawn, from there on; the root is at the bottom. The wider a
box is, the more of the samples are within it.
"""
import argparse
import re
import subprocess
import sys
from html import escape

WIDTH, ROW, LETTER, LEAST = 1080, 17, 6.3, 4

# Whose code a function is, by its name, and its colour. The first that matches counts: a name of the
# language's own libraries, of SQLite, a readable name of Swift, and of all others the system's.
KINDS = [
    ("the language and C", "#b9dcb4", re.compile(r"^(_*swift|malloc|_*free|_int_|calloc|realloc|mem|cfree|"
                                                 r"unlink_chunk|__libc|__fcntl|\$ss|pthread|__GI|sysmalloc)")),
    ("SQLite", "#f2c48d", re.compile(r"^(sqlite3|yy_)")),
    ("SceneStore", "#a9c9ee", re.compile(r"[(]|^_?[A-Z]|^scenestore")),
    ("the system", "#c9ccd1", re.compile(r"")),
]


def stacks(lines):
    """Each sample's functions, the innermost first."""
    stack = []
    for line in lines:
        words = line.strip().split(" ", 1)
        if not words[0]:
            if stack:
                yield stack
            stack = []
        elif len(words) == 2:
            stack.append(words[1])
    if stack:
        yield stack


def names(symbols):
    """Readable names of symbols."""
    result = subprocess.run(["swift", "demangle", "--simplified"], input="\n".join(symbols),
                            capture_output=True, text=True, check=True).stdout.splitlines()
    return dict(zip(symbols, map(plain, result)))


def plain(name):
    """A name without what the compiler made of the function: clones, closures, types of arguments."""
    name = re.sub(r"^(specialized |partial apply for |closure #\d+ in |static |merged |implicit )+", "",
                  name)
    name = re.sub(r"<[^<>]*>", "", name.split("@@")[0])
    return re.sub(r"\.(isra|part|constprop|cold)\.?\d*", "", name)


def tree(samples, root):
    """The samples from the root on: each node a count and its children by name."""
    top = [0, {}]
    for stack in samples:
        places = [place for place, name in enumerate(stack) if root in name]
        if not places:
            continue
        node = top
        node[0] += 1
        last = None
        for name in reversed(stack[:places[-1]]):
            if name == last or name == "[unknown]" or root in name:
                continue
            last = name
            node = node[1].setdefault(name, [0, {}])
            node[0] += 1
    return top


def depth(node, unit):
    return 1 + max((depth(child, unit) for child in node[1].values() if child[0] * unit >= LEAST),
                   default=0)


def boxes(name, node, x, level, height, unit, total):
    colour = next(colour for _, colour, pattern in KINDS if pattern.search(name))
    y, width = height - (level + 1) * ROW, node[0] * unit
    room = int((width - 6) / LETTER)
    text = name if len(name) <= room else name[:room - 1] + "…" if room > 3 else ""
    yield (f'<g><title>{escape(name)}: {100 * node[0] / total:.1f} %</title>'
           f'<rect x="{x:.1f}" y="{y}" width="{width:.1f}" height="{ROW - 1}" fill="{colour}"/>'
           + (f'<text x="{x + 3:.1f}" y="{y + 12}">{escape(text)}</text>' if text else "") + "</g>")
    for child, inner in sorted(node[1].items()):
        if inner[0] * unit >= LEAST:
            yield from boxes(child, inner, x, level + 1, height, unit, total)
        x += inner[0] * unit


def drawing(top, root, title):
    unit = WIDTH / top[0]
    height = depth(top, unit) * ROW + 44
    yield (f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height + 8}" '
           f'viewBox="0 0 {WIDTH} {height + 8}" font-family="monospace" font-size="10.5">')
    yield '<rect width="100%" height="100%" fill="#ffffff"/>'
    yield f'<text x="3" y="15" font-size="13">{escape(title)}</text>'
    x = 3
    for kind, colour, _ in KINDS:
        yield f'<rect x="{x}" y="23" width="11" height="11" fill="{colour}"/>'
        yield f'<text x="{x + 16}" y="32">{kind}</text>'
        x += 34 + len(kind) * LETTER
    yield from boxes(root.rstrip("("), top, 0, 0, height, unit, top[0])
    yield "</svg>"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", required=True)
    parser.add_argument("--title", required=True)
    given = parser.parse_args()
    found = list(stacks(sys.stdin))
    readable = names(sorted({name for stack in found for name in stack}))
    top = tree([[readable[name] for name in stack] for stack in found], given.root)
    if not top[0]:
        sys.exit(f"no stack goes through {given.root}")
    print(f"{given.title}: {top[0]} samples", file=sys.stderr)
    print("\n".join(drawing(top, given.root, given.title)))


main()
