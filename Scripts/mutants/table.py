"""The table of planted faults: Tests/Mutants/*.faults, read and put into sources.

A fault is a paragraph:

    identifier  PROMISE[,PROMISE]  File/Beneath/Sources.swift
      what it breaks, in words
    - statement that is replaced, in as many lines as it has
    + statement instead; without one it is left out

or, for a part of a line:

    < expression that is replaced
    > expression instead

When the replaced text occurs more than once in the file, lines before it give its place:

    = lines that occur once in the file, and in which the replaced text occurs once

Lines are compared without the blanks at their ends.
"""

import re
from dataclasses import dataclass, field
from pathlib import Path


class TableError(Exception):
    pass


@dataclass
class Fault:
    identifier: str
    promises: list
    file: str
    table: str
    words: str = ""
    lines: dict = field(default_factory=dict)
    number: int = 0

    @property
    def target(self):
        return self.file.split("/")[0]

    def text(self, mark):
        return "\n".join(self.lines.get(mark, []))

    def span(self, source):
        """Where the replaced text is in a source: (begin, end)."""
        begin, end = 0, len(source)
        marks = [mark for mark in "=-<" if mark in self.lines]
        for mark in marks:
            places = [match.span() for match in pattern(self.lines[mark]).finditer(source, begin, end)]
            if len(places) != 1:
                raise TableError(
                    f"{self.table}: {self.identifier}: found {len(places)} times in {self.file}: "
                    f"{self.text(mark).strip()}")
            begin, end = places[0]
        if "-" in self.lines and source[end:].split("\n", 1)[0].strip():
            raise TableError(f"{self.table}: {self.identifier}: ends within a line of {self.file}")
        return begin, end

    def planted(self, original):
        """The text that stands in the place of `original`, which may hold faults itself."""
        switch = f"plantedFault({self.number})"
        if "-" not in self.lines:
            return f"({switch} ? ({self.text('>')}) : ({original}))"
        if "+" not in self.lines:
            return f"if !{switch} {{ {original}\n}}"
        return f"if {switch} {{ {self.text('+')}\n}} else {{ {original}\n}}"


def pattern(lines):
    return re.compile(r"[ ]*\n[ ]*".join(re.escape(line.strip()) for line in lines))


def is_expression(text):
    """Whether a text may be an operand of `? :`.

    It begins with no operator, label or keyword of a statement, has no comma of its own, and each `?` has its `:`.
    """
    if re.match(r"\s*(\|\||&&|\?|:|[=!]=|let |\w+: |(return|throw|case|if|guard|switch|for|while)\b)", text):
        return False
    depth, outer = 0, ""
    for character in re.sub(r'"(?:[^"\\]|\\.)*"', "", text):
        depth += (character in "([{") - (character in ")]}")
        if depth < 0 or character == "," and depth == 0:
            return False
        outer += character if depth == 0 else ""
    return depth == 0 and len(re.findall(r"\s\?\s", outer)) == len(re.findall(r"\s:\s", outer))


def read(folder):
    faults = []
    for path in sorted(Path(folder).glob("*.faults")):
        for paragraph in re.split(r"\n[ \t]*\n", path.read_text()):
            lines = [line for line in paragraph.split("\n") if line.strip() and line[0] != "#"]
            if not lines:
                continue
            head = lines[0].split()
            if len(head) != 3:
                raise TableError(f"{path.name}: not 'identifier promise file': {lines[0]}")
            fault = Fault(head[0], head[1].split(","), head[2], path.name)
            for line in lines[1:]:
                if line.startswith("  "):
                    fault.words = (fault.words + " " + line.strip()).strip()
                elif line[0] in "-+=<>":
                    fault.lines.setdefault(line[0], []).append(line[1:].strip())
                else:
                    raise TableError(f"{path.name}: {fault.identifier}: what is this: {line}")
            has = set(fault.lines)
            if not (has - {"="} in ({"-"}, {"-", "+"}, {"<", ">"}) and fault.words):
                raise TableError(f"{path.name}: {fault.identifier} is not complete")
            if not all(is_expression(fault.text(mark)) for mark in "<>" if mark in has):
                raise TableError(f"{path.name}: {fault.identifier} replaces no expression")
            faults.append(fault)
    seen = set()
    for number, fault in enumerate(faults, 1):
        if fault.identifier in seen:
            raise TableError(f"{fault.table}: {fault.identifier} stands there twice")
        seen.add(fault.identifier)
        fault.number = number
    return faults


def plant(source, faults):
    """A source with faults in it, each behind its switch."""
    spans = sorted(((*fault.span(source), fault) for fault in faults),
                   key=lambda span: (span[0], -span[1]))

    def render(begin, end, inner):
        result, at, index = "", begin, 0
        while index < len(inner):
            first, last, fault = inner[index]
            rest = index + 1
            while rest < len(inner) and inner[rest][0] < last:
                if inner[rest][1] > last:
                    raise TableError(
                        f"{fault.identifier} and {inner[rest][2].identifier} overlap")
                rest += 1
            result += source[at:first]
            result += fault.planted(render(first, last, inner[index + 1:rest]))
            at, index = last, rest
        return result + source[at:end]

    return "import PlantedFaults\n" + render(0, len(source), spans)
