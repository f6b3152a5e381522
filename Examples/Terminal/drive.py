"""Drives the app of Examples/Terminal through a pseudo-terminal; Scripts/terminal.sh calls this."""

import os
import pty
import select
import signal
import subprocess
import sys
import time

APP, FOLDER = sys.argv[1], sys.argv[2]
CTRL = {name: bytes([ord(name) - 96]) for name in "abcdefghijklmnopqrstuvwxyz"}
SECONDS = 20


class Terminal:
    """One process of the app, and its screen."""

    def __init__(self, *links):
        self.pid, self.tty = pty.fork()
        if self.pid == 0:
            os.execv(APP, [APP, FOLDER, *links])
        self.output = ""
        self.wait(lambda screen: screen.startswith(("[", " ")))

    @property
    def screen(self):
        """What the app drew last, whole."""
        frames = self.output.split("\x1b[2J\x1b[H")
        whole = [frame for frame in frames if frame.endswith("\x1b[K\x07")]
        return whole[-1][:-4].replace("\r\n", "\n").rstrip("\n") if whole else ""

    def read(self, seconds):
        if select.select([self.tty], [], [], seconds)[0]:
            try:
                self.output += os.read(self.tty, 65536).decode()
            except OSError:
                return False
        return True

    def wait(self, fits):
        end = time.monotonic() + SECONDS
        while not fits(self.screen):
            if time.monotonic() > end or not self.read(0.2):
                fail(f"waited in vain; the screen is\n{self.screen}\nall: {self.output[-400:]!r}")

    def shows(self, text):
        self.wait(lambda screen: text in screen)

    def type(self, keys, shows=None):
        os.write(self.tty, keys if isinstance(keys, bytes) else keys.encode())
        if shows is not None:
            self.shows(shows)

    def end(self, how=None):
        """Ends it by a signal, or waits until it has ended."""
        if how is not None:
            os.kill(self.pid, how)
        while self.read(0.2) and os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
            pass
        _, status = os.waitpid(self.pid, 0)
        os.close(self.tty)
        return status


def fail(why):
    print("FAILED:", why, file=sys.stderr)
    sys.exit(1)


def check(condition, why):
    if not condition:
        fail(why)


def bar(terminal):
    return terminal.screen.split("\n")[0]


print("== a link makes the first page; it is typed on, and killed")
one = Terminal("page:shopping")
one.type("bread", shows="bread")
one.type(CTRL["n"], shows="[untitled]")
one.type("a second page", shows="a second page")
time.sleep(2.5)
before = one.screen
one.end(signal.SIGKILL)
two = Terminal()
two.shows("a second page")
check(two.screen == before, f"the screen is not as it was:\n{two.screen}\n---\n{before}")

print("== a second process hands its link over: to the page of that name, and to a new one")
for name in ("shopping", "journey"):
    check(subprocess.run([APP, FOLDER, "page:" + name], timeout=SECONDS).returncode == 0, "handed over")
    two.shows(f"[{name}]")
    if name == "shopping":
        two.shows("bread")
check(bar(two).count("shopping") == 1, "the link made another page")

print("== ten processes at once: every page is there once")
started = [subprocess.Popen([APP, FOLDER, f"page:n{n}"]) for n in range(10)]
check(all(p.wait(SECONDS) == 0 for p in started), "a start failed")
two.wait(lambda screen: all(screen.count(f"n{n}") == 1 for n in range(10)))

print("== closing others is one action, and so is its undo")
two.type(CTRL["x"])
two.wait(lambda screen: len(bar(two).split()) == 1)
kept = bar(two)
two.type(CTRL["t"])
two.wait(lambda screen: all(name in bar(two) for name in ("shopping", "journey", "n3")))

print("== preferences are one page, a private page stays nowhere")
two.type(CTRL["o"], shows="[Preferences]")
two.type(CTRL["n"], shows="[untitled]")
two.type(CTRL["o"], shows="[Preferences]")
check(bar(two).count("Preferences") == 1, "there are two")
two.type(CTRL["p"], shows="(private)]")
two.type("nobodyreadsthis", shows="nobodyreadsthis")

print("== a draft is asked about, by closing and by quitting")
two.type(CTRL["n"], shows="[untitled]")
two.type("!draft", shows="!draft")
two.type(CTRL["w"], shows="with its draft?")
two.type("n")
two.wait(lambda screen: "?" not in screen and "!draft" in screen)
two.type(CTRL["q"], shows="with its draft?")
two.type("n")
two.wait(lambda screen: "?" not in screen and "!draft" in screen)

print("== SIGTERM asks nobody; every page comes back, but the private one")
count = len(bar(two).split())
check(os.WIFEXITED(two.end(signal.SIGTERM)), "it did not end by itself")
three = Terminal()
for name in ("Preferences", "journey", "shopping"):
    three.wait(lambda screen: name in bar(three))
check(len(bar(three).split()) == count - 2, "a page is missing, or the private one is there")
for _ in range(count):
    if "!draft" in three.screen:
        break
    page = three.screen
    three.type(b"\t")
    three.wait(lambda screen: screen != page)
three.shows("!draft")
check("nobodyreadsthis" not in three.output, "the private text came back")
for folder, _, files in os.walk(FOLDER):
    for name in files:
        path = os.path.join(folder, name)
        if os.path.isfile(path):
            with open(path, "rb") as file:
                check(b"nobodyreadsthis" not in file.read(), f"the private text is in {name}")
three.type(CTRL["q"], shows="with its draft?")
three.type("y")
check(three.end() == 0, "it did not quit")
print("passed")
