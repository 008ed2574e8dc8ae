"""Natural order of names with numbers: crate 11 before crate 101."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")
NUMBER = re.compile(r"(\d+)")


def natural_key(name: str) -> tuple[tuple[str, int], ...]:
    """Return a sort key that compares the numbers in a name as numbers."""
    texts, numbers = NUMBER.split(name)[::2], [int(number) for number in NUMBER.findall(name)]
    return tuple(zip(texts, [*numbers, -1], strict=True))


def in_natural_order(names: Sequence[T]) -> list[T]:
    """Return names in natural order if they are in alphabetical order. Keep any other order, because it is the
    game's own.
    """
    texts = [name for name in names if isinstance(name, str)]
    if len(texts) < len(names) or texts != sorted(texts):
        return list(names)
    return sorted(names, key=lambda name: natural_key(str(name)))
