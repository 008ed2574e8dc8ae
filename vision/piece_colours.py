"""The colours of painted pieces on white paper in good light, by the names of the seats' colours."""

from __future__ import annotations

PIECE_COLOURS: dict[str, str] = {
    "red": "#c22b2b",
    "blue": "#1f5fb0",
    "green": "#2f8f57",
    "yellow": "#f0c230",
    "purple": "#7b3f98",
    "black": "#26262a",
    "orange": "#e07018",
    "turquoise": "#52c3d6",
    "grey": "#8d9096",
}
"""As `#rrggbb`, for usual wooden cubes. The pieces on a table may differ by a shade."""
READABLE = tuple([name for name in PIECE_COLOURS if name != "grey"])
"""The colours that a camera distinguishes from a board. Shadows and much print are grey, so grey pieces are not
read."""
