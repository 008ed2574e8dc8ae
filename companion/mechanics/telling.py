"""Names, lists and refusals as parts of sentences, shared by all games' logs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from companion.engine import Player, Refusal
from companion.i18n import Words


def names(seats: Iterable[int], players: Sequence[Player], words: Words) -> str:
    """Return the names of seats as a list in a sentence: Jane, Bill and Tom."""
    return listed([players[seat].name for seat in seats], words)


def listed(parts: Sequence[str], words: Words) -> str:
    """Return phrases as a list in a sentence."""
    if not parts:
        return words("list.nobody")
    if len(parts) == 1:
        return parts[0]
    return words("list.and", first=", ".join(parts[:-1]), last=parts[-1])


def capital(sentence: str) -> str:
    """Return the sentence with its first letter in upper case."""
    return sentence[:1].upper() + sentence[1:]


def stale(sentences: Sequence[str], words: Words) -> str:
    """Return the sentence that the table has changed since the page was shown, and how."""
    if not sentences:
        return words("mend.stale_plain")
    return words("mend.stale", what=" ".join(sentences))


# --- plain games: no money, cards named by kind and number ------------------------------------------


def card_name(card: str, words: Words, table: object = None) -> str:
    """Return a card's name in words: wagon 42 (`card.wagon`) for `wagon-42`."""
    kind, _, number = card.partition("-")
    return words(f"card.{kind}", number=number) if number and f"card.{kind}" in words else card


def refused(refusal: Refusal, players: Sequence[Player], words: Words, table: object = None) -> str:
    """Return a refusal as a sentence, with seats by name."""
    fields = dict(refusal.fields)
    if isinstance(seat := fields.get("seat"), int) and 0 <= seat < len(players):
        fields["seat"] = players[seat].name
    return capital(words(f"refusal.{refusal.rule}.{refusal.key}", **fields))


def score(amount: int, words: Words) -> str:
    """Return a score in the game's words (`score.said`)."""
    return words("score.said", amount=amount)


def differs(key: str, fields: Mapping[str, object], words: Words, table: object = None) -> str:
    """Return the sentence about a corrected card (`mend.card`); `old` and `new` are names of cards."""
    if key != "card":
        raise TypeError(f"no sentence for {key}")
    return capital(words("mend.card", **{name: card_name(str(card), words) for name, card in fields.items()}))
