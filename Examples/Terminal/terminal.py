"""An app on a pseudo-terminal, for the scripts that drive one: APP and FOLDER are their arguments."""

import os
import pty
import select
import sys
import time

APP, FOLDER = sys.argv[1], sys.argv[2]
SECONDS = 30


class Terminal:
    """One process of the app, and its screen: a bar of titles, and what the front window shows."""

    def __init__(self, *links):
        self.pid, self.tty = pty.fork()
        if self.pid == 0:
            os.execv(APP, [APP, FOLDER, *links])
        self.output = ""
        self.wait(lambda screen: "[" in screen)

    @property
    def screen(self):
        """What the app drew last, whole."""
        frames = self.output.split("\x1b[2J\x1b[H")
        whole = [frame for frame in frames if frame.endswith("\x1b[K\x07")]
        return whole[-1][:-4].replace("\r\n", "\n").rstrip("\n") if whole else ""

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


def control(letter):
    return bytes([ord(letter) - 96])
