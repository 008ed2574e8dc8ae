"""Measures a demonstration from the command to moving cards, and its cost: `python -m tests.bench.bench_demo
[--browser]`.

The bench watches a real `companion demo` as the stage's page does. It prints the seconds until the page opens, the
first live picture, the first hand over the table and the first recognised card. It also prints the processors in use
with and without a viewer of the live picture, and the memory of each process. Nothing here asserts on time.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import msgspec

from companion.demo.http_world import Browser, Unreachable
from web.words import words

LOOK, WATCH = 0.25, 3.0
"""Seconds between two looks at the stage and between two requests for pictures, as in `stage.js`."""
LONGEST = 120.0
"""Seconds after which a demonstration that does not play has failed."""
TICKS = os.sysconf("SC_CLK_TCK")
WHO = {"camera": "the camera", "buttons": "the buttons", "people": "the people"}
"""The names of a demonstration's processes by command; the others are the server's."""

MOVING = words("en")("camera_page.looking_moving")


class Watcher:
    """The stage's page without a screen: it polls the stage, fetches pictures and reads the tablets' stream."""

    def __init__(self, address: str) -> None:
        self.browser, self.address = Browser(address), address
        self.pictures = 0
        self._at, self._asked = "", 0.0

    def now(self) -> dict[str, Any]:
        """Return the stage's state, or an empty one before the companion answers."""
        try:
            found: dict[str, Any] = msgspec.json.decode(self.browser.get("/stage/now.json"))
        except Unreachable:
            return {}
        return found

    def look(self, now: dict[str, Any]) -> None:
        """While the camera sees, request a picture and fetch the new one."""
        camera = now.get("camera") or {}
        if camera.get("sees") and time.monotonic() - self._asked > WATCH:
            self._asked = time.monotonic()
            self.browser.post("/stage/", "/stage/watch", {})
        if camera.get("at") and camera["at"] != self._at:
            self.browser.get(f"/stage/live.jpg?{camera['at']}")
            self._at = camera["at"]
            self.pictures += 1

    @contextmanager
    def streaming(self) -> Iterator[None]:
        """Read the stream of all tablets in the background."""
        reader = subprocess.Popen(
            [sys.executable, "-c", READ, f"{self.address}/stage/stream?page=bench"], stderr=subprocess.DEVNULL
        )
        try:
            yield
        finally:
            reader.kill()
            reader.wait()


READ = """
import sys, urllib.request
with urllib.request.urlopen(sys.argv[1]) as stream:
    while stream.read1(65536): pass
"""


# --- a demonstration ------------------------------------------------------------------------------


@contextmanager
def demonstration(options: Sequence[str], cache: Path | None) -> Iterator[tuple[int, str]]:
    """Yield the process and the address of a running demonstration, optionally with a folder as the decks' cache."""
    command = [sys.executable, "-u", "-m", "companion", "demo", "--host", "127.0.0.1", *options]
    given = None if cache is None else {**os.environ, "XDG_CACHE_HOME": str(cache)}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, text=True, env=given
    ) as running:
        assert running.stdout is not None
        try:
            found = next(found[0] for line in running.stdout if (found := re.search(r"http://\S+", line)))
            yield running.pid, found.rstrip("/")
        finally:
            running.send_signal(signal.SIGINT)
            running.wait(30)


def family(pid: int) -> list[int]:
    """Return a process and all its descendants."""
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        threads = [path for path in Path(f"/proc/{pid}/task").iterdir() if path.name != str(pid)]
        children += [child for path in threads for child in (path / "children").read_text().split()]
    except OSError:
        return []
    return [pid, *[each for child in children for each in family(int(child))]]


def named(pid: int) -> str:
    """Return the name of a demonstration's process."""
    words = Path(f"/proc/{pid}/cmdline").read_bytes().decode().split("\0")
    return next((what for word, what in WHO.items() if word in words), "the table")


def worked(pids: Sequence[int]) -> dict[int, float]:
    """Return the seconds of processor time of each process."""
    found = {}
    for pid in pids:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        found[pid] = (int(fields[11]) + int(fields[12])) / TICKS
    return found


def memory(pid: int) -> tuple[float, float]:
    """Return a process's share of memory (PSS) and its peak RSS in MB."""
    rollup, status = (Path(f"/proc/{pid}/{name}").read_text() for name in ("smaps_rollup", "status"))
    share, most = re.search(r"^Pss:\s+(\d+)", rollup, re.M), re.search(r"^VmHWM:\s+(\d+)", status, re.M)
    assert share is not None and most is not None
    return int(share[1]) / 1024, int(most[1]) / 1024


# --- figures --------------------------------------------------------------------------------------


def until_cards(watcher: Watcher, began: float) -> None:
    """Print the time of each first observation until cards are counted."""
    firsts: dict[str, Callable[[dict[str, Any]], bool]] = {
        "the page opens": bool,
        "people have sat down": lambda now: now["ready"],
        "the first live picture": lambda now: watcher.pictures > 0,
        "a hand is over the table": lambda now: (now["camera"] or {}).get("doing") == MOVING,
        "the stage counts its cards": lambda now: counts(now)[1] > 0,
        "the first card is understood": lambda now: named_cards(now) > 0,
    }
    while firsts:
        now = watcher.now()
        if now:
            watcher.look(now)
            for what in [what for what, true in firsts.items() if true(now)]:
                print(f"{time.monotonic() - began:6.1f} s   {what}", flush=True)
                del firsts[what]
        if time.monotonic() - began > LONGEST:
            print(f"         never: {', '.join(firsts)}")
            return
        time.sleep(LOOK / 5)


def counts(now: dict[str, Any]) -> tuple[int, ...]:
    """Return the numbers of moves made, cards moved and questions asked."""
    return tuple(map(int, re.findall(r"\d+", now["counts"])))


def named_cards(now: dict[str, Any]) -> int:
    """Return the number of cards labelled in the live picture."""
    return len([card for card in (now["camera"] or {}).get("cards", ()) if card.get("sure") == "named"])


def processors(pid: int, seconds: float, watcher: Watcher, looks: bool) -> str:
    """Return the processors used by all processes over a period, each by name."""
    pids = family(pid)
    before, began, had = worked(pids), time.monotonic(), counts(watcher.now())
    while time.monotonic() - began < seconds:
        now = watcher.now()
        if looks:
            watcher.look(now)
        time.sleep(LOOK)
    took, after, has = time.monotonic() - began, worked(pids), counts(watcher.now())
    each: dict[str, float] = {}
    for one in pids:
        each[named(one)] = each.get(named(one), 0.0) + (after[one] - before[one]) / took
    parts = ", ".join(f"{name} {share:.2f}" for name, share in each.items())
    played = f"{has[0] - had[0]} moves, {has[1] - had[1]} cards in {took:.0f} s"
    return f"{sum(each.values()):.2f} of {os.cpu_count()} ({parts}); {played}"


def main(arguments: Sequence[str]) -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="take-a-train")
    parser.add_argument("--seed", default="7")
    parser.add_argument("--seconds", type=float, default=30.0, help="how long processors are counted, each time")
    parser.add_argument("--browser", action="store_true", help="have a real Chromium show the stage meanwhile, too")
    parser.add_argument("--fresh", action="store_true", help="as on a machine that has not made its drawn deck yet")
    asked = parser.parse_args(arguments)
    with ExitStack() as stack:
        cache = Path(stack.enter_context(tempfile.TemporaryDirectory())) if asked.fresh else None
        began = time.monotonic()
        pid, address = stack.enter_context(demonstration(["--game", asked.game, "--seed", asked.seed], cache))
        print(f"{asked.game}, {'nothing made before' if asked.fresh else 'started before'}")
        watcher = Watcher(address)
        until_cards(watcher, began)
        print(f"processors, no picture watched   {processors(pid, asked.seconds, watcher, False)}", flush=True)
        with watcher.streaming():
            print(f"processors, picture watched      {processors(pid, asked.seconds, watcher, True)}", flush=True)
        if asked.browser and shutil.which("chromium"):
            with shown(f"{address}/stage/"):
                print(f"processors, stage in Chromium    {processors(pid, asked.seconds, watcher, False)}", flush=True)
        table(pid)
        print(f"so far {watcher.now()['counts']} {watcher.now()['wrong']}".rstrip())


@contextmanager
def shown(address: str) -> Iterator[None]:
    """Show a page in headless Chromium in the background."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}"]
        command += ["--window-size=1440,900", "--remote-debugging-port=0", address]
        with subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
        ) as process:
            try:
                threading.Event().wait(5.0)  # exclude Chromium's own start
                yield
            finally:
                os.killpg(process.pid, signal.SIGTERM)
                process.wait(20)


def table(pid: int) -> None:
    """Print the memory of each process."""
    rows = [(named(each), *memory(each)) for each in family(pid)]
    for name, share, most in rows:
        print(f"{share:6.0f} MB PSS  {most:6.0f} MB peak RSS   {name}")
    print(f"{sum(row[1] for row in rows):6.0f} MB PSS in {len(rows)} processes")


if __name__ == "__main__":
    main(sys.argv[1:])
