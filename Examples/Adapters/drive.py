"""Does the same with each app of a toolkit; Scripts/adapters.sh calls this.

An app has the keys Ctrl-N (new window), Ctrl-O (preferences), Ctrl-W (close), Ctrl-T (undo), Tab (next
window), Ctrl-Q (quit) and + (zoom). A space changes the setting in the preferences.
"""

import atexit
import os
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "Terminal"))
from terminal import APP, FOLDER, SECONDS, Terminal, check, control

NEW, PREFERENCES, CLOSE, UNDO, QUIT = map(control, "nowtq")


class Process(Terminal):
    def windows(self):
        """What each window shows, by its title; the front window is the front one again."""
        front, found = self.bar.split("[")[1].split("]")[0], {}
        while True:
            title = self.bar.split("[")[1].split("]")[0]
            found[title] = self.screen.split("\n")[1:]
            before = self.screen
            self.type(b"\t")
            if len(self.bar.split()) > 1:
                self.wait(lambda screen: screen != before)
            if self.bar.split("[")[1].split("]")[0] == front:
                return found


class Desktop(Process):
    """The app has windows on an X11 screen, where they get the keys; it prints what they show."""

    @staticmethod
    def open_screen(home):
        """Starts a screen with a window manager; nothing of the user's own settings takes part."""
        shown, display = os.pipe()
        screen = ["Xvfb", "-displayfd", str(display), "-noreset", "-nolisten", "tcp"]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        atexit.register(subprocess.Popen(screen, pass_fds=[display], **quiet).kill)
        os.environ.update(
            DISPLAY=":" + os.read(shown, 20).decode().strip(), HOME=home, XDG_CONFIG_HOME=home,
            GDK_BACKEND="x11", GSK_RENDERER="cairo", GTK_A11Y="none", LC_ALL="C.UTF-8",
            GSETTINGS_BACKEND="memory",
        )
        atexit.register(subprocess.Popen(["openbox"], **quiet).kill)

    def type(self, keys, shows=None):
        keys = keys if isinstance(keys, bytes) else keys.encode()
        names = {ord(" "): "space", ord("+"): "plus", 9: "Tab"}
        names.update({control(letter)[0]: f"ctrl+{letter}" for letter in "nowtq"})
        self.ask("key", "--clearmodifiers", *[names.get(key, chr(key)) for key in keys])
        if shows is not None:
            self.shows(shows)

    def windows(self):
        found = super().windows()
        check(sorted(found) == self.titles(), f"the screen has {self.titles()}")
        return found

    def titles(self):
        """The titles on the screen."""
        shown = self.ask("search", "--onlyvisible", "--class", "gtknotes").split()
        return sorted(self.ask("getwindowname", window).strip() for window in shown)

    def ask(self, *words):
        return subprocess.run(
            ["xdotool", *words], capture_output=True, text=True, timeout=SECONDS
        ).stdout


if os.path.basename(APP) == "GtkNotes":
    Desktop.open_screen(os.path.dirname(FOLDER))
    Process = Desktop


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
app.type(" ", shows="wraps on")
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
