"""Parts of a region that change separately: a move changes a few cells of a map, and only those are sent.

A template encloses a part in a pair of comments, alone in an element: `<g data-part="C4"><!--part C4-->…<!--/--></g>`.
"""

from __future__ import annotations

from functools import lru_cache

BEGIN, NAMED, END = "<!--part ", "-->", "<!--/-->"


@lru_cache(maxsize=64)
def split(html: str) -> tuple[tuple[str, ...], dict[str, str]]:
    """Return a region's texts around its parts with the parts' names, and the parts by name."""
    first, *pieces = html.split(BEGIN)
    frame, parts = [first], {}
    for piece in pieces:
        name, _, rest = piece.partition(NAMED)
        parts[name], _, after = rest.partition(END)
        frame += (name, after)
    return tuple(frame), parts


@lru_cache(maxsize=64)
def changed_parts(before: str, after: str) -> dict[str, str] | None:
    """Return the parts that differ; None if the region must be sent whole. Channels that share a region share this."""
    if BEGIN not in after:
        return None
    (frame, old), (same, new) = split(before), split(after)
    return {name: text for name, text in new.items() if text != old[name]} if new and frame == same else None
