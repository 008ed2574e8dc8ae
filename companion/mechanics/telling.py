"""Names and lists as parts of sentences, as every game's log says them. Knows no game and no page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from companion.engine import Player, Refusal
from companion.i18n import Words


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


# --- of a plain game: no money, cards that are named by their kind and number -----------------------


def card_name(card: str, words: Words, table: Any = None) -> str:
    """Return what people call a card, by its name in the deck: wagon 42 (`card.wagon`) for `wagon-42`."""
    kind, _, number = card.partition("-")
    return words(f"card.{kind}", number=number) if number and f"card.{kind}" in words else card


def refused(refusal: Refusal, players: Sequence[Player], words: Words, table: Any = None) -> str:
    """Return why something was not accepted, with seats by name."""
    fields = dict(refusal.fields)
    if isinstance(seat := fields.get("seat"), int) and 0 <= seat < len(players):
        fields["seat"] = players[seat].name
    return capital(words(f"refusal.{refusal.rule}.{refusal.key}", **fields))


def score(amount: int, words: Words) -> str:
    """Return a score as the game's words say it (`score.said`)."""
    return words("score.said", amount=amount)


def differs(key: str, fields: Mapping[str, Any], words: Words, table: Any = None) -> str:
    """Return which card it was after all (`mend.card`): `old` and `new` are names of cards."""
    if key != "card":
        raise TypeError(f"no sentence for {key}")
    return capital(words("mend.card", **{name: card_name(card, words) for name, card in fields.items()}))
