"""The colours of painted pieces by the names of seats' colours, as they look on white paper in good light."""

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
"""As `#rrggbb`, for wooden cubes as they are sold; a table's own may differ by a shade."""
READABLE = tuple([name for name in PIECE_COLOURS if name != "grey"])
"""The colours that a camera tells from a board. Shadows and much print are grey: a grey piece is left unread."""
