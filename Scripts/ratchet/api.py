"""The public API of libraries, read from their sources: a declaration a line, by its name.

A light parser: it knows scopes, headers and strings of Swift, as the formatter writes them, and nothing
of types. Enum cases, protocol requirements and conformances count; what lies in a type that isn't
public doesn't.
"""

import re

MASKED = re.compile(
    r'//[^\n]*|/\*.*?\*/|(#*)"""(?:.|\n)*?"""\1|(#+)".*?"\2|"(?:\\.|[^"\\\n])*"', re.S
)
ATTRIBUTES = r"(?:@\w+(?:\((?:[^()]|\([^()]*\))*\))?\s+)*"
MODIFIERS = (
    r"(?:(?:public|package|internal|private|fileprivate|open)(?:\(set\))?\s+"
    r"|(?:final|static|class|mutating|nonmutating|nonisolated|indirect|lazy|consuming|borrowing"
    r"|convenience|required|override|weak|unowned|prefix|postfix|infix|isolated|distributed)"
    r"(?:\([^)]*\))?\s+(?!=))*"
)
KEYWORDS = (
    r"(?:struct|class|enum|protocol|actor|extension|func|init|deinit|var|let|subscript|typealias"
    r"|associatedtype|case|macro|import|operator|precedencegroup)"
)
DECLARATION = re.compile(rf"({ATTRIBUTES})({MODIFIERS})({KEYWORDS})\b")
TYPES = {"struct", "class", "enum", "protocol", "actor"}
MEMBERS = {"func", "init", "var", "let", "subscript", "typealias", "associatedtype", "macro"}
GOES_ON = re.compile(r"\s*(?:where\b|throws\b|async\b|->|=|\{|:|\.|\?|[-+*/&|<]|,|\)|\])")
AWAITS = re.compile(r"(?:[=,:(\[+&|?]|->|\bwhere|\bin)\s*$")


def one_line(text):
    """A declaration however it was broken into lines."""
    line = re.sub(r"\b(?:lazy|final|convenience) (?=.*\b(?:var|init)\b)", "", " ".join(text.split()))
    line = re.sub(r"\b\w+\(set\)", "private(set)", line)
    return re.sub(r",(?= [)\]])", "", re.sub(r"(?<=[(\[]) | (?=[)\]])", "", line))


class Scope:
    def __init__(self, kind, name, is_public, where=""):
        self.kind, self.name, self.is_public, self.where = kind, name, is_public, where


class Parser:
    """Reads one file."""

    def __init__(self, text):
        def blank(match):
            return re.sub(r"[^\n]", " " if match.group()[:2] in ("//", "/*") else "_", match.group())

        self.shape = MASKED.sub(blank, text)
        comments = lambda m: blank(m) if m.group()[:2] in ("//", "/*") else m.group()
        self.text = MASKED.sub(comments, text)
        self.found = []  # (name, text, kind, whether the declaration itself is public)
        self.place = 0

    def skip_braces(self, place):
        """The place after the brace that closes the one here."""
        depth = 0
        for match in re.compile(r"[{}]").finditer(self.shape, place):
            depth += 1 if match.group() == "{" else -1
            if depth == 0:
                return match.end()
        return len(self.shape)

    def header_end(self, place):
        """Where a declaration's header ends: at its brace, or at the end of its last line."""
        depth = 0
        while place < len(self.shape):
            mark = self.shape[place]
            if mark in "([":
                depth += 1
            elif mark in ")]":
                depth -= 1
            elif depth == 0 and mark in "{}":
                return place
            elif mark == "{":
                place = self.skip_braces(place)
                continue
            elif mark == "\n" and depth == 0:
                line = self.shape[self.shape.rfind("\n", 0, place) + 1 : place]
                if not AWAITS.search(line) and not GOES_ON.match(self.shape, place):
                    return place
            place += 1
        return place

    def parse(self):
        scopes = [Scope("file", "", True)]
        while self.place < len(self.shape):
            rest = re.compile(r"[\s;]*").match(self.shape, self.place)
            self.place = rest.end()
            if self.place >= len(self.shape):
                break
            if self.shape[self.place] == "}":
                if len(scopes) > 1:
                    scopes.pop()
                self.place += 1
                continue
            match = DECLARATION.match(self.shape, self.place)
            if match is None:
                self.skip_unknown()
                continue
            self.declaration(match, scopes)
        return self.found

    def skip_unknown(self):
        end = self.shape.find("\n", self.place)
        brace = self.shape.find("{", self.place)
        if brace != -1 and (end == -1 or brace < end):
            self.place = self.skip_braces(brace)
        else:
            self.place = len(self.shape) if end == -1 else end

    def declaration(self, match, scopes):
        attributes, modifiers, keyword = match.groups()
        end = self.header_end(match.end())
        shape = self.shape[match.end() : end]
        words = one_line(self.text[match.start() : end])
        self.place = end
        has_body = end < len(self.shape) and self.shape[end] == "{"
        outer = scopes[-1]
        access = re.search(r"\b(public|open|package|internal|fileprivate|private)\b(?!\()", modifiers)
        is_public = access.group() in ("public", "open") if access else (
            outer.kind == "protocol" or keyword == "case" or outer.kind == "public extension"
        )
        if keyword in TYPES or keyword == "extension":
            name = re.match(r"\s*([\w.]+|\[[^{]*?\])", shape)
            name = name.group(1) if name else "?"
            where = re.search(r"\bwhere\b.*", " ".join(shape.split()))
            full = ".".join(filter(None, [outer.name, name]))
            kind = keyword
            if keyword == "extension":
                kind = "public extension" if is_public and access else "extension"
                conforms = re.match(r"\s*[\w.]+\s*:", shape)
                self.found.append((full, words, "conformance" if conforms else "opened", outer))
                is_public = True
            else:
                self.found.append((full, words, keyword if is_public else "hidden", outer))
            scope = Scope(kind, full, is_public, where.group() if where and kind.endswith("extension") else "")
            scope.outer = outer
            if has_body:
                self.place = end + 1
                scopes.append(scope)
            return
        if has_body:
            after = self.skip_braces(end)
            body = self.shape[end + 1 : after - 1]
            self.place = after
            if keyword in ("var", "subscript") and not re.search(r"(?<![=!<>])=(?!=)", self.outside(shape)):
                words += self.accessors(body)
            elif keyword in ("var", "let"):
                # What follows a closure that makes the first value.
                self.place = self.header_end(after)
                if self.place < len(self.shape) and self.shape[self.place] == "{":
                    self.place = self.skip_braces(self.place)
        if not is_public:
            return
        if keyword in ("var", "let") and (len(words) > 160 or " = {" in words or has_body):
            words = re.sub(r" =(?: .*|$)", "", words)
        if outer.kind == "protocol":
            words = "requires " + words
        name = re.match(r"\s*`?([\w]+|[^\s\w(]+)", shape)
        name = keyword if keyword in ("init", "subscript") else (name.group(1) if name else "?")
        full = ".".join(filter(None, [outer.name, name]))
        if outer.where:
            words += " " + outer.where
        self.found.append((full, words, keyword, outer))

    @staticmethod
    def outside(shape):
        """What is in no brackets."""
        while True:
            less = re.sub(r"\([^()]*\)|\[[^\[\]]*\]", "", shape)
            if less == shape:
                return less
            shape = less

    @staticmethod
    def accessors(body):
        if re.match(r"\s*(?:willSet|didSet)\b", body):
            return ""
        is_settable = re.search(r"(?:^|[\n{};]|\bget\b)\s*(?:nonmutating\s+)?(?:set|_modify)\b", body)
        return " { get set }" if is_settable else " { get }"


def visible(found, beneath=()):
    """The lines of what is public all the way out; `beneath` is what is declared in targets below."""
    declared = {name for name, _, kind, _ in found if kind in TYPES}
    hidden = {name for name, _, kind, _ in [*found, *beneath] if kind == "hidden"} - declared
    lines = set()
    for name, words, kind, outer in found:
        if kind in ("hidden", "opened"):
            continue
        parts, scope = name.split("."), outer
        if any(".".join(parts[:count]) in hidden for count in range(1, len(parts) + 1)):
            continue
        while scope is not None and scope.is_public:
            scope = getattr(scope, "outer", None)
        if scope is not None:
            continue
        if kind == "conformance":
            head, _, rest = words.partition(":")
            kept, where = re.match(r"(.*?)(\bwhere\b.*)?$", rest).groups()
            kept = [each.strip() for each in kept.split(",") if each.strip() not in hidden]
            if not kept:
                continue
            words = f"{head}: {', '.join(sorted(kept))} {where or ''}".strip()
        lines.add((name, re.sub(r"\b(?:public|open) (?!\()", "", words)))
    return [f"{name}: {words}" for name, words in sorted(lines)]


def written(found):
    """The declarations that say themselves that they are public: their names and kinds."""
    kinds = TYPES | MEMBERS
    return [
        (name, kind) for name, words, kind, _ in found
        if kind in kinds and re.search(r"\bpublic\b(?!\()", words)
    ]


def read(files):
    found = []
    for file in files:
        found += Parser(file.read_text(encoding="utf-8")).parse()
    return found
