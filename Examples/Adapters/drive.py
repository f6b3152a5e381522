"""Does the same with each app of a toolkit; Scripts/adapters.sh calls this.

An app has the keys Ctrl-N (new window), Ctrl-O (preferences), Ctrl-W (close), Ctrl-T (undo), Tab (next
window), Ctrl-Q (quit) and + (zoom). Any key changes the setting in the preferences.
"""

import os
import pty
import select
import signal
import subprocess
import sys
import time

APP, FOLDER = sys.argv[1], sys.argv[2]
NEW, PREFERENCES, CLOSE, UNDO, QUIT = (bytes([ord(name) - 96]) for name in "nowtq")
SECONDS = 30


class Process:
    """One process of the app, and its screen: a bar of titles, and what the front window shows."""

    def __init__(self, *links):
        self.pid, self.tty = pty.fork()
        if self.pid == 0:
            os.execv(APP, [APP, FOLDER, *links])
        self.output = ""
        self.wait(lambda screen: "[" in screen)

    @property
    def screen(self):
        frames = [f for f in self.output.split("\x1b[2J\x1b[H") if f.endswith("\x1b[K\x07")]
        return frames[-1][:-4].replace("\r\n", "\n").rstrip("\n") if frames else ""

    @property
    def bar(self):
        return self.screen.split("\n")[0]

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
            if time.monotonic() > end or not self.read(0.1):
                fail(f"waited in vain; the screen is\n{self.screen}\nall: {self.output[-400:]!r}")

    def type(self, keys, shows):
        os.write(self.tty, keys if isinstance(keys, bytes) else keys.encode())
        self.wait(lambda screen: shows in screen)

    def windows(self):
        """What each window shows, by its title; the front window is the front one again."""
        front, found = self.bar.split("[")[1].split("]")[0], {}
        while True:
            title = self.bar.split("[")[1].split("]")[0]
            found[title] = self.screen.split("\n")[1:]
            before = self.screen
            os.write(self.tty, b"\t")
            if len(self.bar.split()) > 1:
                self.wait(lambda screen: screen != before)
            if self.bar.split("[")[1].split("]")[0] == front:
                return found

    def end(self, how=None):
        """Ends it by a signal, or waits until it has ended."""
        if how is not None:
            os.kill(self.pid, how)
        options = os.WEXITED | os.WNOHANG | os.WNOWAIT
        while self.read(0.1) and os.waitid(os.P_PID, self.pid, options) is None:
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


def hand_over(link):
    check(subprocess.run([APP, FOLDER, link], timeout=SECONDS).returncode == 0, link)


def compare(app, windows, screen, why):
    app.wait(lambda shown: shown == screen)
    check(app.windows() == windows, f"{why}: {app.windows()} is not {windows}")


# A cold link, a state, a value beside it, a setting, and a kill.
app = Process("note:shopping")
app.wait(lambda screen: "[shopping]" in screen)
app.type("bread", shows="bread")
app.type("++", shows="zoom 3")
app.type(NEW, shows="[untitled]")
app.type("a second one", shows="a second one")
app.type(PREFERENCES, shows="[Preferences]")
app.type("x", shows="wraps on")
time.sleep(2.5)  # the ceiling of autosaving
windows, screen = app.windows(), app.screen
check(len(windows) == 3, f"there are {windows}")
check(os.WIFSIGNALED(app.end(signal.SIGKILL)), "it was not killed")
app = Process()
compare(app, windows, screen, "after a kill")

# Warm links: to the window of that value, and to a new one. Then a cold one to a window that comes back.
hand_over("note:shopping")
app.wait(lambda screen: "[shopping]" in screen and "bread" in screen and "zoom 3" in screen)
hand_over("note:journey")
app.wait(lambda screen: "[journey]" in screen)
check(app.bar.count("shopping") == 1 and len(app.bar.split()) == 4, f"the bar is {app.bar}")
app.type("by train", shows="by train")
app.type("+", shows="zoom 2")

# A window is closed, and comes back as it was. So does the preferences' setting.
app.type(CLOSE, shows="[")
app.wait(lambda screen: "journey" not in screen)
app.type(UNDO, shows="[journey]")
app.wait(lambda screen: "by train" in screen and "zoom 2" in screen)
app.type(PREFERENCES, shows="[Preferences]")
check(app.bar.count("Preferences") == 1, "there are two windows of preferences")
app.type(CLOSE, shows="[")
app.wait(lambda screen: "Preferences" not in screen)
app.type(PREFERENCES, shows="wraps on")

# A logout ends it in order, and a link starts it again.
windows = app.windows()
status = app.end(signal.SIGTERM)
check(os.WIFEXITED(status) and os.WEXITSTATUS(status) == 0, f"SIGTERM ended it with {status}")
app = Process("note:journey")
app.wait(lambda screen: "[journey]" in screen and "by train" in screen)
check(app.windows() == windows, f"after a logout: {app.windows()} is not {windows}")
app.type(QUIT, shows="")
check(app.end() == 0, "it did not quit")
print("passed")
