"""Names and lists as parts of sentences, as every game's log says them. Knows no game and no page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from companion.engine import Player
from companion.words import Words


def names(seats: Iterable[int], players: Sequence[Player], words: Words) -> str:
    """Return the names of seats as one part of a sentence: Jane, Bill and Tom."""
    return listed([players[seat].name for seat in seats], words)


def listed(parts: Sequence[str], words: Words) -> str:
    """Return words as a list that can be read aloud."""
    if not parts:
        return words("list.nobody")
    if len(parts) == 1:
        return parts[0]
    return words("list.and", first=", ".join(parts[:-1]), last=parts[-1])


def capital(sentence: str) -> str:
    """Return the sentence with its first letter large."""
    return sentence[:1].upper() + sentence[1:]


def stale(sentences: Sequence[str], words: Words) -> str:
    """Return that the table has changed since the page was shown, and how."""
    if not sentences:
        return words("mend.stale_plain")
    return words("mend.stale", what=" ".join(sentences))
