"""Drives the app of Examples/Terminal through a pseudo-terminal; Scripts/terminal.sh calls this."""

import os
import signal
import subprocess
import time

from terminal import APP, FOLDER, SECONDS, Terminal, check, control

print("== a link makes the first page; it is typed on, and killed")
one = Terminal("page:shopping")
one.type("bread", shows="bread")
one.type(control("n"), shows="[untitled]")
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
check(two.bar.count("shopping") == 1, "the link made another page")

print("== ten processes at once: every page is there once")
started = [subprocess.Popen([APP, FOLDER, f"page:n{n}"]) for n in range(10)]
check(all(p.wait(SECONDS) == 0 for p in started), "a start failed")
two.wait(lambda screen: all(screen.count(f"n{n}") == 1 for n in range(10)))

print("== closing others is one action, and so is its undo")
two.type(control("x"))
two.wait(lambda screen: len(two.bar.split()) == 1)
kept = two.bar
two.type(control("t"))
two.wait(lambda screen: all(name in two.bar for name in ("shopping", "journey", "n3")))

print("== preferences are one page, a private page stays nowhere")
two.type(control("o"), shows="[Preferences]")
two.type(control("n"), shows="[untitled]")
two.type(control("o"), shows="[Preferences]")
check(two.bar.count("Preferences") == 1, "there are two")
two.type(control("p"), shows="(private)]")
two.type("nobodyreadsthis", shows="nobodyreadsthis")

print("== a draft is asked about, by closing and by quitting")
two.type(control("n"), shows="[untitled]")
two.type("!draft", shows="!draft")
two.type(control("w"), shows="with its draft?")
two.type("n")
two.wait(lambda screen: "?" not in screen and "!draft" in screen)
two.type(control("q"), shows="with its draft?")
two.type("n")
two.wait(lambda screen: "?" not in screen and "!draft" in screen)

print("== SIGTERM asks nobody; every page comes back, but the private one")
count = len(two.bar.split())
check(os.WIFEXITED(two.end(signal.SIGTERM)), "it did not end by itself")
three = Terminal()
for name in ("Preferences", "journey", "shopping"):
    three.wait(lambda screen: name in three.bar)
check(len(three.bar.split()) == count - 2, "a page is missing, or the private one is there")
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
three.type(control("q"), shows="with its draft?")
three.type("y")
check(three.end() == 0, "it did not quit")
print("passed")
