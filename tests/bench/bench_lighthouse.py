"""Runs Lighthouse on the start page, a table's and a seat's during a match, with a processor four times slower.

`python -m tests.bench.bench_lighthouse [--game NAME] [--runs N] [--host ADDRESS]`. Needs Chromium and Lighthouse, on
the PATH or at LIGHTHOUSE: `npm install --global lighthouse`. The server listens on this machine's own address, as at a
table, and the network is not slowed, because the pages come from the same room. Lighthouse emulates a phone.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from contextlib import suppress
from pathlib import Path
from statistics import median
from typing import Any

from companion.ops.network_address import own_address
from tests.bench.bench_pages import move
from tests.bench.processes import free_port, process
from tests.support.web import any_game
from tests.support.web.visitors import Room
from web.game_pages import OFFERED

MOVES = 12
"""The moves of the match before its pages are measured."""
PATIENCE = 30.0
"""Seconds within which the server must start."""
CATEGORIES = ("performance", "accessibility", "best-practices")
TIMES = {"FCP": "first-contentful-paint", "LCP": "largest-contentful-paint", "blocked": "total-blocking-time"}
SLOWED = (
    "--throttling-method=devtools",
    "--throttling.cpuSlowdownMultiplier=4",
    "--throttling.requestLatencyMs=0",
    "--throttling.downloadThroughputKbps=0",
    "--throttling.uploadThroughputKbps=0",
)  # 0: not slowed
CHROMIUM = "--chrome-flags=--headless=new --no-sandbox --disable-gpu"


def pages(folder: Path, game: str) -> dict[str, str]:
    """Begin a match, play some moves, and return the pages' addresses."""
    with Room(folder) as room:
        any_game.lay(room, game, max(OFFERED[game].seats))
        for _ in range(MOVES):
            move(room, OFFERED[game], random.Random(1))
        return {"start": "/", f"{game}, table": room.page("tablet"), f"{game}, seat": room.seats[0]}


def wait_for(address: str) -> None:
    """Wait until the server answers."""
    late = time.monotonic() + PATIENCE
    while time.monotonic() < late:
        with suppress(OSError), urllib.request.urlopen(f"{address}/health", timeout=PATIENCE):
            return
        time.sleep(0.1)
    raise TimeoutError("the server did not start")


def look(program: str, address: str) -> dict[str, Any]:
    """Return Lighthouse's report on a page."""
    command = [program, address, "--quiet", "--output=json", f"--only-categories={','.join(CATEGORIES)}", CHROMIUM]
    answer = subprocess.run([*command, *SLOWED], capture_output=True, check=True)
    found: dict[str, Any] = json.loads(answer.stdout)
    return found


def lacking(report: dict[str, Any]) -> set[str]:
    """Return the audits of accessibility and best practices that a page fails."""
    asked = [ref["id"] for name in CATEGORIES[1:] for ref in report["categories"][name]["auditRefs"] if ref["weight"]]
    return {name for name in asked if (report["audits"][name]["score"] or 0) < 1 and judged(report["audits"][name])}


def judged(audit: dict[str, Any]) -> bool:
    """Return whether an audit applied to the page."""
    return audit["scoreDisplayMode"] not in ("notApplicable", "manual", "informative")


def tell(label: str, reports: list[dict[str, Any]]) -> None:
    """Print a page's figures: the median and all."""
    print(label)
    for name in CATEGORIES:
        scores = [round(100 * report["categories"][name]["score"]) for report in reports]
        print(f"  {name:16} {median(scores):7.0f}      of {scores}")
    for name, audit in TIMES.items():
        values = [round(report["audits"][audit]["numericValue"]) for report in reports]
        print(f"  {name:16} {median(values):7.0f} ms   of {values}")
    shifts = [round(report["audits"]["cumulative-layout-shift"]["numericValue"], 3) for report in reports]
    print(f"  {'layout shift':16} {median(shifts):7.3f}      of {shifts}")
    print(f"  fails: {', '.join(sorted(set().union(*map(lacking, reports)))) or 'nothing'}", flush=True)


def main(arguments: list[str]) -> None:
    """Measure and print, or print why that is impossible."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", choices=sorted(OFFERED), default="take-a-train")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--host", default=own_address())
    asked = parser.parse_args(arguments)
    program = os.environ.get("LIGHTHOUSE") or shutil.which("lighthouse")
    if not program or not shutil.which("chromium"):
        print("skipped: Lighthouse (npm install --global lighthouse) or Chromium is not here")
        return
    os.environ.setdefault("CHROME_PATH", shutil.which("chromium") or "")
    with tempfile.TemporaryDirectory() as name:
        paths, port = pages(Path(name), asked.game), free_port()
        command = [sys.executable, "-m", "companion", "run", "--host", asked.host, "--port", str(port)]
        with process([*command, "--pins", "none", "--camera", "none", "--data", name]):
            wait_for(address := f"http://{asked.host}:{port}")
            for label, path in paths.items():
                tell(label, [look(program, address + path) for _ in range(asked.runs)])


if __name__ == "__main__":
    main(sys.argv[1:])
