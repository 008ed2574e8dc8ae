"""Draws the icons for home screens from the page's icon: `python -m tests.tools.icons`; needs Chromium."""

from __future__ import annotations

import io
import re
from pathlib import Path

from PIL import Image

from tests.support.paths import ROOT
from tests.web.browser.devices import chromium

IMAGES = ROOT / "web" / "static" / "img"
GROUND = "#14323f"
COLOURS = 32
SIZES = {
    "icon-192.png": (192, 0.0),
    "icon-512.png": (512, 0.0),
    "icon-maskable.png": (512, 0.12),
    "icon-apple.png": (180, 0.06),
}
"""The size in pixels, and the fraction left free at each edge if the system crops the icon to its own shape."""


def drawing(free: float) -> str:
    """Return the icon as SVG; with a free edge, its background fills the whole picture."""
    svg = (IMAGES / "icon.svg").read_text(encoding="utf-8")
    if not free:
        return svg
    edge = 32 * free / (1 - 2 * free)
    return re.sub(r'viewBox="[^"]*"', f'viewBox="{-edge} {-edge} {32 + 2 * edge} {32 + 2 * edge}"', svg)


def main() -> None:
    """Write the pictures beside the drawing."""
    with chromium() as browser:
        for name, (size, free) in SIZES.items():
            page = browser.new_page(viewport={"width": size, "height": size})
            ground = f"background:{GROUND}" if free else "background:none"
            page.set_content(f'<body style="margin:0;{ground}">{drawing(free)}')
            save(page.screenshot(omit_background=not free), IMAGES / name)
            page.close()


def save(picture: bytes, where: Path) -> None:
    """Write a picture with few colours, because it has only four and their blends."""
    Image.open(io.BytesIO(picture)).quantize(COLOURS).save(where, optimize=True)


if __name__ == "__main__":
    main()
