"""Parts of a region that change separately: a move changes a few cells of a map, and only those are sent.

A template encloses a part in a pair of comments, alone in an element: `<g data-part="C4"><!--part C4-->…<!--/--></g>`.
"""

from __future__ import annotations

import re
from functools import lru_cache

PART = re.compile(r"<!--part ([\w-]+)-->(.*?)<!--/-->", re.DOTALL)


@lru_cache(maxsize=64)
def split(html: str) -> tuple[str, dict[str, str]]:
    """Return a region's text without its parts, and the parts by name."""
    return PART.sub(r"<!--\1-->", html), dict(PART.findall(html))


def changed_parts(before: str, after: str) -> dict[str, str] | None:
    """Return the parts that differ; None if the region must be sent whole."""
    if "<!--part " not in after:
        return None
    (frame, old), (same, new) = split(before), split(after)
    return {name: text for name, text in new.items() if text != old[name]} if new and frame == same else None
