"""What the pages of Hex Rails know besides the view: nothing."""

from __future__ import annotations

from companion.engine import Event, JsonObject, State
from companion.i18n import Words

OBSERVED: frozenset[str] = frozenset()
HOSTS = frozenset({"laid", "rested"})
KEPT: frozenset[str] = frozenset()
AMENDABLE = ("laid",)
OPTION_GROUPS: dict[str, tuple[str, ...]] = {}
ASKED_FIRST: tuple[str, ...] = ()
WITH_BUTTONS: dict[str, str] = {}
CATALOGUES = {"dealt": "reconstruction", "ours": "reconstruction"}


def extras(state: State[object]) -> JsonObject:
    """Return nothing."""
    return {}


def card_names(state: State[object]) -> tuple[str, ...]:
    """Return no cards."""
    return ()


def card_groups(state: State[object], words: Words) -> tuple[object, ...]:
    """Return no cards."""
    return ()


def places(before: State[object], event: Event, field: str) -> tuple[tuple[int, int, str], ...]:
    """Return no places of cards."""
    return ()


def hides(now: State[object], before: State[object]) -> bool:
    """Return False."""
    return False
