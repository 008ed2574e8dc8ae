"""Makes the picture of tokens in docs/decks.md: `python -m tests.tools.token_picture`."""

from __future__ import annotations

import cv2

from companion.drawing import Clipped, Drawing, Fill, Mark, transform
from tests.support.paths import ROOT
from tests.tools.palette import smaller
from vision.print.drawing.raster import to_pixels
from vision.print.token_pictures import token_designs, token_faces

GAME = "take-a-train"
WIDE, HIGH = 202.0, 156.0
"""The size of the picture in millimetres."""
PX_PER_MM = 4.6
CLOTH, SHADE = "#e7e0d2", "#c9bfab"


def laid() -> tuple[Mark, ...]:
    """Return all kinds of tokens on a cloth: money with both faces, the others with one, and the backs."""
    faces = {
        name: (token.outline, marks) for token in token_designs(GAME) for name, marks in token_faces(token).items()
    }
    named = {
        kind: [name for name in faces if name.startswith(kind)] for kind in ("money", "auction", "sequence", "purpose")
    }
    marks: list[Mark] = []

    def lay(name: str, x: float, y: float, turn: float = 0.0) -> None:
        outline, face = faces[name]
        marks.extend(transform([Fill((outline,), SHADE)], x + 0.7, y + 0.9, turn))
        marks.extend(transform([Clipped(outline, face)], x, y, turn))

    for n, name in enumerate([*named["auction"], "back-auction"]):
        lay(name, WIDE / 2 + 28.2 * (n - 3), 15.5)
    for n, name in enumerate(named["money"][::2]):
        lay(f"{name}/2", WIDE / 2 + 39.6 * (n - 2) + 8.2, 43.5, 24)
        lay(name, WIDE / 2 + 39.6 * (n - 2) - 8.2, 41.5, -6)
    for n, name in enumerate(named["sequence"]):
        lay(name, 16 + 26.6 * n, 68)
    lay("back-purpose", 182, 68)
    for n, name in enumerate(named["purpose"]):
        lay(name, WIDE / 2 + 33.2 * (n % 6 - 2.5), 93 + 24.5 * (n // 6))
    return tuple(marks)


def main() -> None:
    """Make the picture."""
    picture = to_pixels(Drawing(WIDE, HIGH, laid()), PX_PER_MM, paper=CLOTH)
    _, packed = cv2.imencode(".png", picture)
    path = ROOT / "docs" / "pictures" / "tokens.png"
    path.write_bytes(smaller(packed.tobytes()))
    print(f"{path}: {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
