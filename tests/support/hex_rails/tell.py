"""What happened in Hex Rails, in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from companion.engine import Effect, Event, Player, name_of
from companion.i18n import Words
from companion.mechanics.telling import card_name, differs, names, refused, score, stale

__all__ = ["card_name", "differs", "names", "refused", "score", "stale", "tell"]


def tell(
    event: Event,
    effects: Iterable[Effect],
    players: Sequence[Player],
    words: Words,
    hide: bool = False,
    table: object = None,
) -> list[str]:
    """Return what everybody may hear of an event."""
    seat, cell = getattr(event, "seat", 0), getattr(event, "cell", "")
    return [words(f"event.{name_of(event)}", name=players[seat].name, cell=cell)]
