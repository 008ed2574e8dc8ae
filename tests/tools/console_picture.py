"""Draws the screen of a Pi during a first start: `python -m tests.tools.console_picture`.

All words come from the program: the sentences of vendor-data, wrapped as there, and `companion address`.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence
from html import escape
from unittest import mock

from click.testing import CliRunner

from companion.commands import address
from companion.ops import avahi
from tests.support.paths import ROOT

PICTURE = ROOT / "docs/pictures/first-boot.svg"
VENDOR = ROOT / "systemd/first-boot/vendor-data"
NUMBER, NAME, COLUMNS = "192.168.1.20", "companion.local", 76
LOGIN = "companion login: "
WIDE, HIGH, GAP, RIM = 8.0, 16.0, 24.0, 16.0
"""The width and height of a character, the gap between two screens and a screen's margin, in pixels."""
BLOCKS = {"█": (0.0, 1.0), "▀": (0.0, 0.5), "▄": (0.5, 0.5)}
"""The top and height of a block in characters; as rectangles, blocks have no gaps that could confuse a scanner."""
STYLE = "font:13px ui-monospace,Menlo,Consolas,monospace;white-space:pre"


def installing() -> list[str]:
    """Return the lines shown during the installation."""
    (sentence,) = re.findall(r'show "(The table companion is being installed[^"]*)"', VENDOR.read_text("utf-8"))
    return ["", *textwrap.wrap(sentence, COLUMNS), "", LOGIN]


def installed() -> list[str]:
    """Return the lines shown afterwards: the address and its code."""
    with (
        mock.patch.object(address, "own_address", return_value=NUMBER),
        mock.patch.object(avahi, "name_to_show", return_value=NAME),
        mock.patch.object(address, "read_hotspot", return_value=None),
    ):
        said = CliRunner().invoke(address.command, ["--console"])
    return ["", *said.output.rstrip().splitlines(), "", LOGIN]


def drawn(line: str, left: float, top: float) -> Iterator[str]:
    """Draw a line of text or of a code."""
    if not set(line) & set(BLOCKS):
        if line.strip():
            yield f'<text x="{left:g}" y="{top + HIGH * 0.78:g}">{escape(line.rstrip())}</text>'
        return
    for run in re.finditer("█+|▀+|▄+", line):
        begins, high = BLOCKS[run[0][0]]
        x, width = left + run.start() * WIDE, len(run[0]) * WIDE
        yield f'<rect x="{x:g}" y="{top + begins * HIGH:g}" width="{width:g}" height="{high * HIGH:g}"/>'


def picture(screens: Sequence[Sequence[str]]) -> str:
    """Return the picture of screens below one another."""
    width = COLUMNS * WIDE + 2 * RIM
    parts, top = [], 0.0
    for lines in screens:
        height = len(lines) * HIGH + 2 * RIM
        parts.append(f'<rect y="{top:g}" width="{width:g}" height="{height:g}" rx="6" fill="#111"/>')
        for number, line in enumerate(lines):
            parts.extend(drawn(line, RIM, top + RIM + number * HIGH))
        top += height + GAP
    size = f'viewBox="0 0 {width:g} {top - GAP:g}" width="{width:g}" height="{top - GAP:g}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} fill="#eee" style="{STYLE}" shape-rendering="crispEdges">'
    return "\n".join((head, *parts, "</svg>", ""))


def main() -> None:
    """Write the picture."""
    PICTURE.write_text(picture((installing(), installed())), encoding="utf-8")
    print(f"{PICTURE}: {PICTURE.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
