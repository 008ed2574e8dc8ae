"""Makes the film of the README: `python -m tests.tools.film` records a demonstration.

The cards are always the same, but the progress of the game depends on the machine.
"""

from __future__ import annotations

import argparse
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from playwright.sync_api import Page, ViewportSize

from tests.tools.screenshots import PICTURES
from tests.web.browser.conftest import missing
from tests.web.browser.devices import Device, chromium

SIZE = ViewportSize(width=1440, height=860)
WIDE = 960
"""The film's width in pixels."""
FRAMES, EVERY = 170, 0.35
"""The number of pictures, and the seconds of play between two of them."""
SPEED = 2
"""The speed of the programs relative to people, so that cards move in each part of the film."""
HOLD = 150
"""The milliseconds for which a picture is shown."""
QUALITY = 55
LARGEST = 3_000_000
"""The maximum size of the film in bytes."""
START = 90.0
"""The seconds within which cards must move, on a busy machine without a drawn deck."""


@contextmanager
def demonstration(*options: str) -> Iterator[str]:
    """Run a demonstration and yield its address."""
    command = [sys.executable, "-u", "-m", "companion", "demo", "--host", "127.0.0.1", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL) as running:
        assert running.stdout is not None
        try:
            yield next(found[0] for line in running.stdout if (found := re.search(r"http://\S+", line)))
        finally:
            running.send_signal(signal.SIGINT)
            running.wait(30)


def moving(page: Page) -> None:
    """Wait until the camera's picture is on the stage, together with the first card."""
    late = time.monotonic() + START
    while not page.locator("[data-stage-picture]").is_visible():
        assert time.monotonic() < late, page.inner_text("main")
        page.wait_for_timeout(250)


def frames(page: Page) -> Iterator[Any]:
    """Yield the stage's pictures (BGR)."""
    for _ in range(FRAMES):
        began = time.monotonic()
        picture = cv2.imdecode(np.frombuffer(page.screenshot(), np.uint8), cv2.IMREAD_COLOR)
        assert picture is not None
        high = round(picture.shape[0] * WIDE / picture.shape[1])
        yield cv2.resize(picture, (WIDE, high), interpolation=cv2.INTER_AREA)
        page.wait_for_timeout(max(0.0, EVERY - (time.monotonic() - began)) * 1000)


def main() -> None:
    """Make the film."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--out", type=Path, default=PICTURES / "demonstration.webp")
    asked.add_argument("--seed", type=int, default=7, help="Deals the cards; 7 begins with fists of money.")
    given = asked.parse_args()
    out: Path = given.out
    why = missing()
    if why:
        sys.exit(why)
    with demonstration("--seed", str(given.seed), "--players", "4") as address, chromium() as browser:
        device = Device(browser, SIZE)
        page = device.open(address)
        moving(page)
        page.locator(f'[data-speed="{SPEED}"]').click()
        film = cv2.Animation()
        film.frames = list(frames(page))
        film.durations = [HOLD] * len(film.frames)
    if not cv2.imwriteanimation(str(out), film, [cv2.IMWRITE_WEBP_QUALITY, QUALITY]):
        sys.exit(f"{out} cannot be written.")
    size = out.stat().st_size
    print(f"{out}: {len(film.frames)} pictures, {size / 1e6:.1f} MB")
    if size > LARGEST:
        sys.exit(f"That is more than {LARGEST / 1e6:g} MB.")


if __name__ == "__main__":
    main()
